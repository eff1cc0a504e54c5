// The eyes of a pattern table: its score, the worth of each cell as a heat map, and the patterns that a cell completes.

import * as analysis from "./analysis.js";
import { app } from "./app.js";
import { $, fillSelect, make, setText } from "./dom.js";
import { cellName } from "./game.js";
import { currentLanguage, named, t } from "./i18n.js";
import { post } from "./network.js";
import { keep, kept } from "./store.js";

const MOST_SHOWN = 12;
const PAUSE = 80;
const page = {};
export const connectPatterns = (actions) => Object.assign(page, actions);

const state = { about: "", score: null, heat: null, shown: null, answer: null, cell: null, timer: 0, pinned: false, ringed: [] };

const open = () => app.mode === "analysis" && $("patterns").open && !app.proof && !app.analysis.setup;
const asked = () => ({ table: $("table").value, colour: $("heat").value });
export const heat = () => (open() && state.about === question() ? state.heat : null);
const question = () => JSON.stringify([analysis.position(), asked()]);

// Called whenever the position, the table or the panel may have changed.
export async function followPatterns() {
  if (!open() || !app.tables.length) return;
  const about = question();
  if (state.about === about) return;
  const { table, colour } = asked();
  keep("table", table);
  Object.assign(state, { about, heat: null, score: null });
  forget();
  const answer = await post("score", { position: analysis.position(), table, points: colour !== "" });
  if (state.about !== about) return;
  Object.assign(state, { score: answer.score, heat: colour ? heatOf(answer.points[colour], colour, table) : null });
  page.draw();
}

// A gain is black minus white, except in point tables: for white the best cells have the lowest.
function heatOf(points, colour, table) {
  const scan = app.tables.find(({ name }) => name === table)?.scan;
  const sign = scan !== "point" && colour === "white" ? -1 : 1;
  return points.map((line) => line.map((value) => (value === null ? null : sign * value)));
}

// ------------------------------------------------------------------ one cell

// Asked for at every move of the pointer; only the last question within a moment is put to the server.
export function point(cell) {
  clearTimeout(state.timer);
  if (!cell || state.pinned || !open() || !analysis.view().isEmpty(cell)) return;
  state.timer = setTimeout(() => ask(cell).catch(() => {}), PAUSE);
}

async function ask(cell) {
  const position = analysis.position();
  const about = JSON.stringify([position, cell, asked().table]);
  if (about === state.shown) return;
  state.shown = about;
  const answer = await post("explain", { position, cell, table: asked().table });
  if (state.shown !== about) return;
  Object.assign(state, { answer, cell: cellName(cell, position.rows) });
  drawCell();
}

function forget() {
  clearTimeout(state.timer);
  Object.assign(state, { shown: null, answer: null, cell: null, pinned: false, ringed: [] });
  drawCell();
}

// While the panel is open, a click on a cell can pin its explanation instead of playing there: Shift and click, or the button.
export const pinned = () => state.pinned;

export function pin(cell) {
  if (!open() || !analysis.view().isEmpty(cell)) return false;
  Object.assign(state, { pinned: true, ringed: [] });
  ask(cell).catch(page.failed);
  drawCell();
  return true;
}

function unpin() {
  Object.assign(state, { pinned: false, ringed: [] });
  drawCell();
  page.drawBoard();
}

// The cells of the row that is pointed at, to be ringed on the board.
export const ringedCells = () => (open() ? state.ringed : []);

function ring(cells) {
  state.ringed = cells;
  page.drawBoard();
}

export function drawPatterns() {
  fillSelect($("table"), app.tables.map(({ name, title }) => [name, named(`table.${name}`, title || name)]), $("table").value || kept("table") || "grade_dict");
  $("table").title = $("table").selectedOptions[0]?.textContent ?? "";
  fillSelect($("heat"), ["", "black", "white"].map((colour) => [colour, t(`heat.${colour || "none"}`)]));
  setText($("pattern-score"), state.score === null || !open() ? "" : t("patterns.score", signed(state.score)));
  drawLegend(heat());
  if (state.cell) drawCell();
}

// What the colours of the heat map mean: from the usual cell, which is not coloured, to the best.
function drawLegend(values) {
  $("heat-legend").hidden = !values;
  if (!values) return;
  const flat = values.flat().filter((value) => value !== null).sort((a, b) => a - b);
  setText($("heat-usual"), t("heat.usual", signed(flat[flat.length >> 1])));
  setText($("heat-best"), t("heat.best", signed(flat.at(-1))));
}

function drawCell() {
  const { answer, cell } = state;
  if (!answer) return $("explain").replaceChildren();
  const parts = ["black", "white"].flatMap((colour) => explained(colour, answer[colour]));
  const held = state.pinned ? [" ", make("button", { type: "button", id: "unpin", onclick: unpin }, t("explain.unpin"))] : [];
  const heading = make("h3", {}, parts.length ? cell : t("explain.none", cell), ...held);
  const notes = parts.length ? [t("explain.note"), t(state.pinned ? "explain.rows" : "explain.pin")] : [];
  return $("explain").replaceChildren(heading, ...parts, ...notes.map((note) => make("p", { class: "quiet" }, note)));
}

const SIGN_OF = { disappears: "−", revalued: "±" };

// What a stone of one colour there would change: the patterns that count, best first; the rest in a row each; and their sum.
function explained(colour, { items, gain }) {
  const counted = items.filter((item) => item.worth).sort((a, b) => Math.abs(b.worth) - Math.abs(a.worth));
  if (!counted.length) return [];
  const passed = counted.filter(({ change }) => change === "revalued");
  const own = counted.filter(({ change }) => change !== "revalued");
  const shown = own.slice(0, own.length > MOST_SHOWN + 1 ? MOST_SHOWN : own.length);
  const rest = own.slice(shown.length);
  const lines = shown.map((item) => ringing(row("td", SIGN_OF[item.change] ?? "+", shapeName(item), cellsOf(item), signed(item.worth)), item.cells ?? []));
  const summed = [[rest, "+", "explain.more"], [passed, "±", "explain.revalued"]].filter(([some]) => some.length);
  const sums = summed.map(([some, sign, key]) => ringing(row("td", sign, t(key, some.length), "", signed(total(some))), some.flatMap(({ cells = [] }) => cells)));
  return [make("table", {}, row("th", stone(colour), t("explain.shape"), t("explain.line"), t("explain.worth")), ...lines, ...sums, row("th", "", t("explain.sum"), "", signed(gain)))];
}

const total = (items) => items.reduce((sum, { worth }) => sum + worth, 0);

// A row whose cells are ringed on the board while it is pointed at or has the focus.
function ringing(line, cells) {
  line.tabIndex = 0;
  for (const name of ["pointerenter", "focus"]) line.addEventListener(name, () => ring(cells));
  for (const name of ["pointerleave", "blur"]) line.addEventListener(name, () => ring([]));
  return line;
}

function shapeName(item) {
  const chinese = currentLanguage() === "zh";
  const owner = item.colour ? t(item.colour) : "";
  return chinese ? `${owner}${item.name.zh}` : [item.name.en, owner].filter(Boolean).join(" · ");
}

const cellsOf = ({ names, at_name: at = "" }) => (names.length > 2 ? `${names[0]} – ${names.at(-1)}` : names.join(" ") || at);
const signed = (worth) => (worth > 0 ? "+" : "") + worth;
const stone = (colour) => make("i", { class: `stone ${colour}`, role: "img", "aria-label": t(colour) });
const row = (kind, ...contents) => make("tr", {}, ...contents.map((content) => make(kind, {}, content)));
