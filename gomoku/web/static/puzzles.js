// Puzzles: each level has a board of its own, so that going to another one loses nothing. State in app.puzzles.

import { app, markSolved, solvedLevels } from "./app.js";
import { Game, cellName } from "./game.js";
import { clearNotice, tell } from "./notices.js";
import { abandonSearch, inTime, searched } from "./searching.js";
import { Tree } from "./tree.js";

const DEFENDER = "stubborn";
const page = {};
export const connectPuzzles = (actions) => Object.assign(page, actions);

export const level = () => app.levels.find(({ number }) => number === app.puzzles.level) ?? null;
export const game = () => app.puzzles.games[app.puzzles.level] ?? new Game();
export const shownGame = () => (app.puzzles.at === null ? game() : game().after(app.puzzles.at));
export const you = () => game().first;
export const yourTurn = () => level() !== null && !app.facts.over && game().turn === you();
export const outcome = () => (app.facts.winner === null || app.puzzles.at !== null ? null : app.facts.winner === you() ? "solved" : "lost");

export function nextLevel() {
  const numbers = app.levels.map(({ number }) => number);
  const solved = solvedLevels();
  const at = numbers.indexOf(app.puzzles.level);
  const later = [...numbers.slice(at + 1), ...numbers.slice(0, at + 1)];
  return later.find((number) => !solved.has(number)) ?? later[0] ?? null;
}

// A level that is shown has its board.
export function settle() {
  const found = level();
  if (found) app.puzzles.games[found.number] ??= Game.fromPosition(found.position);
}

export async function open(number, how = "push") {
  const found = app.levels.find((one) => one.number === number);
  if (!found) return;
  abandonSearch();
  clearNotice();
  Object.assign(app, { proof: null, keptProof: null });
  Object.assign(app.puzzles, { level: number, at: null, hint: null });
  settle();
  page.navigate(how);
  await resume();
}

export async function again() {
  abandonSearch();
  const { games, level: number } = app.puzzles;
  if (!games[number]) return;
  // What was played can be played again: it is only taken back.
  while (games[number].length) games[number].undo();
  Object.assign(app.puzzles, { at: null, hint: null });
  await resume();
}

export async function playCell(cell) {
  if (app.puzzles.at !== null) return look(Infinity);
  if (app.running || !yourTurn() || !game().isEmpty(cell)) return;
  clearNotice();
  app.puzzles.hint = null;
  game().play(cell);
  await resume();
}

export async function resume() {
  if (level() === null) return page.refresh();
  if (!(await page.refresh())) return;
  if (outcome() === "solved") {
    markSolved(app.puzzles.level);
    page.draw();
  }
  const current = game();
  if (app.mode !== "puzzles" || app.facts.over || yourTurn() || app.running || app.proof) return;
  const answer = await searched("move", "move", { position: current.position(), player: DEFENDER, seconds: inTime(1) }, { onChange: page.draw });
  if (!answer?.move || game() !== current || yourTurn()) return;
  current.play(answer.move);
  await page.refresh();
}

export const canUndo = () => game().length > 0;

export async function undo() {
  abandonSearch();
  Object.assign(app.puzzles, { at: null, hint: null });
  game().undo();
  if (game().length && game().turn !== you()) game().undo();
  await resume();
}

export async function redo() {
  Object.assign(app.puzzles, { at: null, hint: null });
  game().redo();
  if (game().undone.length && game().turn !== you()) game().redo();
  await resume();
}

export async function hint() {
  const current = game();
  const answer = await searched("hint", "move", { position: current.position(), player: "engine", seconds: inTime(1) }, { onChange: page.draw });
  if (game() !== current || !answer?.move) return;
  app.puzzles.hint = answer.move;
  page.draw();
  tell("hinted", cellName(answer.move, current.rows));
}

export function look(at) {
  app.puzzles.at = at >= game().length ? null : Math.max(0, at);
  return page.refresh();
}
export const step = (by) => look((app.puzzles.at ?? game().length) + by);

export function analyse() {
  const tree = Tree.fromGame(game());
  page.openAnalysis(tree, tree.line(0).at(-1));
}
