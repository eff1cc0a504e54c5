// The engine beside the analysis board: its best lines while it thinks, the bar, and the graph over the game.

import * as analysis from "./analysis.js";
import { app } from "./app.js";
import { $, make, makeSvg, redraw, setText } from "./dom.js";
import { Game, cellName, other, positionKey as keyOf } from "./game.js";
import { compact, moves, t } from "./i18n.js";
import { reviewedWorth, review } from "./mistakes.js";
import { newToken, search } from "./network.js";
import { isHeld, redrawSteadily } from "./steady.js";
import { keep, kept } from "./store.js";

const LINES = 3;
const REST = 200;
// How many forced moves in a row are played on, to see what comes after them.
const MOST_FORCED = 12;
// What moves the bar by three quarters of its half, in the engine's own coin.
const DECISIVE = 300;
const MOST_SHOWN = 12;
const MOST_KNOWN = 2000;

const state = { on: kept("engine") === "on", about: "", abort: null, timer: 0, error: false, preview: null, shown: [], graph: null, aside: 0 };
// What is known of positions: { value, plies, lines, depth, nodes, elapsed, done }; the value is Black's.
const known = new Map();
const page = {};
export const connectEngine = (actions) => Object.assign(page, actions);

export const evaluation = (position) => known.get(keyOf(position)) ?? null;
export const engineOn = () => state.on;
const linesAbout = () => [state.on, analysis.position(), t("engine")];

// The first moves of the lines that are shown.
export function candidates() {
  if (!state.on || state.preview) return [];
  return (isHeld($("engine-lines"), linesAbout()) ? state.shown : evaluation(analysis.position())?.lines) ?? [];
}

export function previewLine() {
  if (!state.preview) return [];
  const first = analysis.tree().turnAt(analysis.at());
  return state.preview.map((cell, index) => ({ cell, colour: index % 2 ? other(first) : first }));
}

export function toggle() {
  state.on = !state.on;
  keep("engine", state.on ? "on" : "off");
  follow();
  page.draw();
}

// ------------------------------------------------------------------ thinking about the position on the board

// Called whenever the position may have changed: what was thought of another one ends.
export function follow() {
  const wanted = state.on && !state.aside && app.mode === "analysis" && !app.facts.over && !app.proof && !app.analysis.setup;
  const about = wanted ? keyOf(analysis.position()) : "";
  if (about === state.about) return;
  rest();
  state.about = about;
  if (about && !evaluation(analysis.position())?.done) state.timer = setTimeout(() => think(about), REST);
}

export function rest() {
  clearTimeout(state.timer);
  state.abort?.abort();
  Object.assign(state, { abort: null, about: "", error: false, preview: null });
}

// A question about the board comes before the engine's own thinking, which goes on when it is answered: a client
// never has every process of the server.
export async function aside(question) {
  state.aside += 1;
  rest();
  try {
    return await question();
  } finally {
    state.aside -= 1;
    follow();
  }
}

async function think(about) {
  const abort = (state.abort = new AbortController());
  const learn = (told) => { if (told.stats?.lines?.length || told.lines?.length) learnt(about, told); };
  try {
    const body = { position: JSON.parse(about), player: `engine:lines=${LINES}`, seconds: app.maxSeconds, token: newToken() };
    const answer = await search("move", body, { signal: abort.signal, onProgress: learn });
    const forced = forcedMove(answer);
    if (forced) return await thinkBeyond(about, [forced], abort.signal);
    learnt(about, answer, true);
  } catch (error) {
    if (error.name === "AbortError") return;
    state.error = true;
    page.draw();
  }
}

// The only move there is: the engine plays it without looking further.
const forcedMove = ({ stopped_by: stopped, win, depth, move, pv = [] }) => (stopped === "complete" && !win && depth <= 1 && pv.length === 1 ? move : null);

// After forced moves the engine is asked about the position they lead to, and what it says there is said here.
async function thinkBeyond(about, forced, signal) {
  const game = Game.fromPosition(JSON.parse(about));
  for (const cell of forced) game.play(cell);
  if (game.isFull()) return undefined;
  const body = { position: game.position(), player: `engine:lines=${LINES}`, seconds: app.maxSeconds, token: newToken() };
  const learn = (told, done = false) => learnt(about, beyond(told, forced, game.rows), done);
  const answer = await search("move", body, { signal, onProgress: (told) => { if (told.stats?.lines?.length || told.lines?.length) learn(told); } });
  const next = forced.length < MOST_FORCED ? forcedMove(answer) : null;
  if (next) return thinkBeyond(about, [...forced, next], signal);
  return learn(answer, true);
}

// An answer about a position after forced moves, as one about the position before them.
function beyond(answer, forced, rows) {
  const { lines = [], values = [], ends_in: endsIn = [] } = answer.stats ?? answer;
  const [best] = lines;
  if (!best) return answer;
  const name = cellName(forced[0], rows);
  const renamed = (list, more) => list.filter((one) => one.name === best.name).map((one) => ({ ...one, name, value: one.value + more }));
  const stats = { lines: [{ move: forced[0], name, value: [...forced, ...best.value] }], values: renamed(values, 0), ends_in: renamed(endsIn, forced.length) };
  return { ...answer, stats, depth: (answer.depth ?? 0) + forced.length };
}

// The engine goes on from where it stopped.
export function deeper() {
  const about = state.about || keyOf(analysis.position());
  rest();
  state.about = about;
  const found = known.get(about);
  if (found) found.done = false;
  page.draw();
  return think(about);
}

function learnt(about, answer, done = false) {
  const stats = answer.stats ?? answer;
  const lines = linesOf(stats);
  const before = known.get(about);
  if (!lines.length && !done) return undefined;
  // Thinking that begins anew shows what it finds once it is as deep as before.
  if (before && before.depth > (answer.depth ?? 0) && !lines[0]?.plies) {
    Object.assign(before, { done, stoppedBy: answer.stopped_by });
    return page.draw();
  }
  const [best] = lines.length ? lines : before?.lines ?? [];
  const worth = shortest({ value: best?.value ?? answer.score ?? 0, plies: best?.plies ?? null }, before?.proven);
  remember(about, { ...worth, proven: before?.proven, lines: lines.length ? lines : before?.lines ?? [], depth: answer.depth ?? 0, nodes: answer.nodes ?? 0, elapsed: answer.elapsed ?? 0, done, stoppedBy: answer.stopped_by });
  return page.draw();
}

function remember(about, found) {
  known.set(about, found);
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value);
}

// One length for one win, whoever found it: the least that is known.
const shortest = (worth, proven) => (proven && (!worth.plies || proven.plies < worth.plies) ? { value: proven.value, plies: proven.plies } : worth);

// A win that the solver or a review has proven, of the side to move where no other winner is named.
export function learnWin(position, { status = "proven", length, move, name = null, winner = position.to_move }) {
  if (status !== "proven" || !length) return;
  const before = known.get(keyOf(position)) ?? { value: 0, plies: null, lines: [], depth: 0, nodes: 0, elapsed: 0, done: false };
  if (before.proven && (before.proven.plies < length || (before.proven.plies === length && (before.proven.name || !name)))) return;
  const proven = { value: winner === "black" ? 1 : -1, plies: length, move, name };
  remember(keyOf(position), { ...before, proven, ...shortest(before, proven) });
}

// The win of the side to move: the move that begins it and its length, as they are said everywhere; null where none is known.
export function knownWin(position) {
  const found = known.get(keyOf(position));
  if (!found?.plies || found.value > 0 !== (position.to_move === "black")) return null;
  const { proven, plies, lines } = found;
  const first = lines[0]?.plies === plies ? cellName(lines[0].cell, position.rows) : null;
  return { name: (proven?.plies === plies && proven.name) || first, plies };
}

// The length of the win that is known, whoever wins.
export const winLength = (position) => known.get(keyOf(position))?.plies ?? null;

function linesOf({ values = [], lines = [], ends_in: endsIn = [] }) {
  const byName = (list, name) => list.find((one) => one.name === name)?.value;
  return lines.map(({ move, name, value }) => ({ cell: move, line: value, value: byName(values, name) ?? 0, plies: byName(endsIn, name) ?? null }));
}

// ------------------------------------------------------------------ the panel of lines

export function drawEngine() {
  $("engine-switch").setAttribute("aria-checked", String(state.on));
  $("engine-panel").classList.toggle("off", !state.on);
  const found = state.on ? evaluation(analysis.position()) : null;
  setText($("engine-about"), aboutText(found));
  $("engine-deeper").hidden = !canDeepen(found);
  drawLines(found);
}

function aboutText(found) {
  if (!state.on) return t("engine.off");
  if (app.facts.over) return t("engine.over");
  if (state.error) return t("engine.away");
  if (!found?.depth) return t("engine.wait");
  return t("progress.short", found.depth, compact(found.nodes), found.elapsed.toFixed(1)) + (found.done ? ` · ${stopText(found)}` : "");
}

// Why the engine has stopped.
function stopText({ plies, lines, stoppedBy }) {
  if (plies && (lines[0]?.plies ?? 0) <= plies) return t("engine.settled");
  return t({ seconds: "engine.time", cancelled: "engine.time", complete: "engine.complete" }[stoppedBy] ?? "engine.time");
}

const canDeepen = (found) => state.on && !app.facts.over && Boolean(found?.done) && ["seconds", "nodes", "cancelled"].includes(found.stoppedBy);

// Always as many rows: nothing below them moves while they fill.
function drawLines(found) {
  const { rows } = analysis.tree();
  const best = found?.lines ?? [];
  redrawSteadily($("engine-lines"), linesAbout(), best, () => {
    state.shown = best;
    return Array.from({ length: LINES }, (_, index) => make("li", {}, ...(best[index] ? lineParts(best[index], index, rows) : [" "])));
  });
}

function lineParts({ line, value, plies }, index, rows) {
  const moves = line.slice(0, MOST_SHOWN).map((cell, at) => {
    const button = make("button", { type: "button", class: "move", "data-key": `${index}-${at}` }, cellName(cell, rows));
    const shown = line.slice(0, at + 1);
    for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => preview(shown));
    for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => preview(null));
    button.addEventListener("click", () => page.run(() => { state.preview = null; return analysis.playLine(shown); }));
    return button;
  });
  return [make("b", { class: `worth ${plies ? "decided" : ""}` }, shortWorth({ value, plies })), make("span", { class: "line" }, ...moves)];
}

function preview(cells) {
  state.preview = cells;
  page.drawBoard();
}

// ------------------------------------------------------------------ values in words

export function shortWorth({ value, plies, won, sure }) {
  if (won) return "";
  if (sure && !plies) return t(`wins.sure.${sure}`);
  if (plies) return t(value > 0 ? "wins.short.black" : "wins.short.white", plies);
  return (value > 0 ? "+" : "") + value;
}

// What fits on the bar, whatever the figure.
function barWorth({ value, plies, won, sure }) {
  if (won) return "";
  if (sure && !plies) return t(`wins.sure.${sure}`);
  if (plies) return t(value > 0 ? "wins.bar.black" : "wins.bar.white", plies);
  return (value > 0 ? "+" : "") + (Math.abs(value) < 1000 ? value : compact(value));
}

export function worthText(found) {
  if (!found) return t("bar.none");
  if (found.won || (found.sure && !found.plies)) return t(`won.${found.won ?? found.sure}`);
  if (found.plies) return t(found.value > 0 ? "wins.black" : "wins.white", moves(found.plies));
  const words = Math.abs(found.value) < 40 ? "even" : found.value > 0 ? "better.black" : "better.white";
  return `${t(words)} (${shortWorth(found)})`;
}

// Black's share of the bar, from 0 to 1.
export function share(found) {
  if (!found) return 0.5;
  const winner = found.won ?? found.sure;
  if (winner) return winner === "black" ? 1 : 0;
  if (found.plies) return found.value > 0 ? 1 : 0;
  return 0.5 + 0.48 * Math.tanh(found.value / DECISIVE);
}

// The bar says what the engine or a proof says, and nothing else.
export function drawBar() {
  const shown = app.mode === "analysis" && !app.analysis.setup;
  $("bar").hidden = !shown;
  if (!shown) return;
  const found = barValue();
  $("bar-black").style.setProperty("--share", `${(100 * share(found)).toFixed(1)}%`);
  $("bar").classList.toggle("unknown", !found);
  $("bar").setAttribute("aria-label", t("bar", worthText(found)));
  $("bar").title = t("bar", worthText(found));
  setText($("bar-value"), found ? barWorth(found) : "");
  setText($("bar-words"), found ? worthText(found) : "");
}

export function barValue() {
  if (app.facts.winner) return { won: app.facts.winner };
  if (app.proof) return { value: app.proof.attacker === "black" ? 1 : -1, plies: Math.max(1, app.proof.left) };
  return evaluation(analysis.position()) ?? reviewedWorth(analysis.position());
}

// ------------------------------------------------------------------ the graph over the game

export async function makeGraph() {
  if (state.graph) return stopGraph();
  const tree = analysis.tree();
  const line = tree.line(analysis.at());
  state.graph = new AbortController();
  page.draw();
  try {
    await aside(() => review(tree, line, { signal: state.graph.signal, onFound: learnReviewed }));
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  } finally {
    state.graph = null;
    page.draw();
  }
  return undefined;
}

function learnReviewed(position, { sure, plies }) {
  if (sure) learnWin(position, { length: plies, winner: sure });
  page.draw();
}

function stopGraph() {
  state.graph.abort();
  state.graph = null;
}

// What is shown of a position over the game: what a review has found, or else the engine.
const judged = (position) => reviewedWorth(position) ?? evaluation(position);

export function drawGraph() {
  const tree = analysis.tree();
  const line = tree.line(analysis.at());
  const points = line.map((id) => ({ id, found: judged(tree.positionAt(id)), move: tree.nodes[id].move }));
  const count = points.filter(({ found }) => found).length;
  setText($("graph-make"), t(state.graph ? "stop" : "graph.make"));
  $("graph-make").disabled = line.length < 2;
  setText($("graph-about"), count > 1 || state.graph ? t("graph.done", count, line.length) : t("graph.none"));
  const shares = points.map(({ found }) => (found ? share(found) : null));
  redraw($("graph"), [shares, line.indexOf(analysis.at()), line], () => [graphSvg(points, shares, line.indexOf(analysis.at()))]);
}

function graphSvg(points, shares, current) {
  const [width, height] = [300, 72];
  const x = (index) => (points.length > 1 ? (index * width) / (points.length - 1) : 0);
  const known = shares.flatMap((value, index) => (value === null ? [] : [[x(index), height * (1 - value)]]));
  const area = known.length > 1 ? `M${known[0][0]} ${height}L${known.map((point) => point.map((one) => one.toFixed(1)).join(" ")).join("L")}L${known.at(-1)[0]} ${height}Z` : "";
  const svg = makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    makeSvg("rect", { class: "graph-white", width, height }), makeSvg("path", { class: "graph-black", d: area }),
    makeSvg("line", { class: "graph-middle", x1: 0, x2: width, y1: height / 2, y2: height / 2 }), makeSvg("line", { class: "graph-now", x1: x(current), x2: x(current), y1: 0, y2: height }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const index = Math.round(((event.clientX - box.left) / box.width) * (points.length - 1));
    page.run(() => analysis.go(points[index]?.id));
  });
  return svg;
}
