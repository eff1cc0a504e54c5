// The eyes of a pattern table: its score, the worth of each cell as a heat map, and the patterns that a cell completes.

import * as analysis from "./analysis.js";
import { app } from "./app.js";
import { $, fillSelect, make, setText } from "./dom.js";
import { cellName } from "./game.js";
import { currentLanguage, named, t } from "./i18n.js";
import { post } from "./network.js";

const MOST_SHOWN = 12;
const PAUSE = 80;
const page = {};
export const connectPatterns = (actions) => Object.assign(page, actions);

const state = { about: "", score: null, heat: null, shown: null, answer: null, cell: null, timer: 0 };

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
  if (!cell || !open() || !analysis.view().isEmpty(cell)) return;
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
  Object.assign(state, { shown: null, answer: null, cell: null });
  drawCell();
}

export function drawPatterns() {
  fillSelect($("table"), app.tables.map(({ name, title }) => [name, named(`table.${name}`, title || name)]), $("table").value || "grade_dict");
  fillSelect($("heat"), ["", "black", "white"].map((colour) => [colour, t(`heat.${colour || "none"}`)]));
  setText($("pattern-score"), state.score === null || !open() ? "" : t("patterns.score", signed(state.score)));
  if (state.cell) drawCell();
}

function drawCell() {
  const { answer, cell } = state;
  if (!answer) return $("explain").replaceChildren();
  const parts = ["black", "white"].flatMap((colour) => explained(colour, answer[colour]));
  const heading = make("h3", {}, parts.length ? cell : t("explain.none", cell));
  return $("explain").replaceChildren(heading, ...parts, ...(parts.length ? [make("p", { class: "quiet" }, t("explain.note"))] : []));
}

// What a stone of one colour there would change: the patterns that count, best first, and their sum.
function explained(colour, { items, gain }) {
  const counted = items.filter((item) => item.worth).sort((a, b) => Math.abs(b.worth) - Math.abs(a.worth));
  if (!counted.length) return [];
  const lines = counted.slice(0, MOST_SHOWN).map((item) => row("td", item.change === "disappears" ? "−" : "+", shapeName(item), cellsOf(item), signed(item.worth)));
  return [make("table", {}, row("th", stone(colour), t("explain.shape"), t("explain.line"), t("explain.worth")), ...lines, row("th", "", t("explain.sum"), "", signed(gain)))];
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
