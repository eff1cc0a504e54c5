// Setting up a position: stones are put and taken without turns; only when it is done does it become the analysis.

import * as analysis from "./analysis.js";
import { app, knownRule } from "./app.js";
import { $ } from "./dom.js";
import { Game, isSide } from "./game.js";
import { notice } from "./notices.js";
import { Tree } from "./tree.js";

const page = {};
export const connectSetup = (actions) => Object.assign(page, actions);

const state = () => app.analysis.setup;

export function open() {
  const { rows, cols, rule, black, white, to_move: turn } = analysis.position();
  const stones = new Map([...black.map((cell) => [String(cell), "black"]), ...white.map((cell) => [String(cell), "white"])]);
  app.analysis.setup = { rows, cols, rule, turn, stones, tool: "black" };
  fill();
  return page.refresh();
}

export function close() {
  app.analysis.setup = null;
  return page.refresh();
}

export function done() {
  const { rows, cols, rule, turn } = state();
  const game = new Game({ rows, cols, rule: knownRule(rule), first: turn, ...cells() });
  app.analysis.setup = null;
  analysis.replace(Tree.fromGame(game));
  page.navigate("push");
  return page.refresh();
}

// A click puts the chosen stone; where it stands already it is taken off again.
export function put(cell) {
  const { stones, tool } = state();
  const key = String(cell);
  if (tool === "erase" || stones.get(key) === tool) stones.delete(key);
  else stones.set(key, tool);
  page.draw();
}

export function view() {
  const { rows, cols, turn, stones } = state();
  const shown = new Map([...stones].map(([key, colour]) => [key, { colour, number: 0 }]));
  return { rows, cols, turn, last: null, length: 0, stones: () => shown, isEmpty: (cell) => !shown.has(String(cell)), isFull: () => false, position: () => position() };
}

export const ghost = () => (state().tool === "erase" ? null : state().tool);
export const position = () => ({ rows: state().rows, cols: state().cols, rule: state().rule, to_move: state().turn, ...cells() });

function cells() {
  const found = { black: [], white: [] };
  for (const [key, colour] of state().stones) found[colour].push(key.split(",").map(Number));
  return found;
}

export function clear() {
  state().stones.clear();
  page.draw();
}

// Another size keeps the names of the stones, which count from the lower left corner; stones outside of it are lost, and this is said.
export function changed() {
  const [rows, cols] = [$("setup-rows").valueAsNumber, $("setup-cols").valueAsNumber];
  if (!isSide(rows) || !isSide(cols)) return notice("size.bad");
  const [up, before] = [rows - state().rows, state().stones];
  const places = [...before].map(([key, colour]) => [key.split(",").map(Number), colour]).map(([[row, col], colour]) => [row + up, col, colour]);
  const kept = places.filter(([row, col]) => row >= 0 && row < rows && col < cols);
  const stones = new Map(kept.map(([row, col, colour]) => [`${row},${col}`, colour]));
  Object.assign(state(), { rows, cols, stones, rule: $("setup-rule").value, turn: $("setup-turn").value, tool: document.querySelector("[name=setup-tool]:checked").value });
  const lost = before.size - stones.size;
  if (lost) notice(lost === 1 ? "setup.lost.1" : "setup.lost", [lost], { key: "bring-back", act: () => undoSize(before, up, cols) }, "quiet");
  return page.draw();
}

// The stones as they lay, on a board with as many rows as they lay on.
function undoSize(stones, up, cols) {
  if (!state()) return;
  const most = Math.max(cols, ...[...stones.keys()].map((key) => Number(key.split(",")[1]) + 1));
  Object.assign(state(), { stones, rows: state().rows - up, cols: most });
  fill();
  page.draw();
}

function fill() {
  const { rows, cols, rule, turn, tool } = state();
  Object.entries({ rows, cols, rule, turn }).forEach(([name, value]) => { $(`setup-${name}`).value = value; });
  document.querySelector(`[name=setup-tool][value=${tool}]`).checked = true;
}
