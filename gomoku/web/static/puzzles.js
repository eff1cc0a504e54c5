// Puzzles: each has a board of its own, and every move is judged at once. State in app.puzzles.

import { app, markSolved, solvedLevels } from "./app.js";
import * as collection from "./collection.js";
import { foulAt } from "./facts.js";
import { Game, cellName, other, parseName } from "./game.js";
import { STAGES, firstHint, nextHint } from "./hints.js";
import { clearNotice, notice, refuse, tell } from "./notices.js";
import { dailyKey, nextKey, practice, record } from "./practice.js";
import { beginRun, counted, dropRun, endRun, isRunning, nextOfRun } from "./run.js";
import { abandonSearch, inTime, searched } from "./searching.js";
import { Tree } from "./tree.js";

const JUDGE_SECONDS = 3;
const LEAST_THINKING = 300;
const STEP = 600;
const MOST_SHOWN = 13;
const page = {};
export const connectPuzzles = (actions) => Object.assign(page, actions);

export const level = () => (app.puzzles.key === null ? null : collection.level(app.puzzles.key));
export const game = () => app.puzzles.games[app.puzzles.key] ?? new Game();
export const you = () => game().first;
export const yourTurn = () => level() !== null && !app.facts.over && game().turn === you();
export const outcome = () => (app.facts.winner === null || app.puzzles.at !== null || app.puzzles.solution ? null : app.facts.winner === you() ? "solved" : "lost");
export const verdict = () => (app.puzzles.verdict?.at === game().length ? app.puzzles.verdict : null);
export const slipped = () => verdict()?.wrong === true;

export function shownGame() {
  const { solution, at } = app.puzzles;
  if (solution) return solution.game.after(solution.at);
  return at === null ? game() : game().after(at);
}

// ------------------------------------------------------------------ going from puzzle to puzzle

// A puzzle that is shown has its board.
export function settle() {
  if (level()) app.puzzles.games[app.puzzles.key] ??= Game.fromPosition(level().position);
}

// way: "levels" one after the other, "practice" as they fit, "daily", "run".
export async function open(key, { how = "push", way = "levels" } = {}) {
  if (!collection.level(key)) return;
  quit();
  if (way !== "run") dropRun();
  Object.assign(app, { proof: null, keptProof: null });
  Object.assign(app.puzzles, { key, way, attempt: { key, recorded: false } });
  settle();
  if (way !== "levels") backToStart();
  page.navigate(how);
  await resume();
}

// Nothing of one puzzle lasts into the next: no search, no hint, no solution.
function quit() {
  abandonSearch();
  clearNotice();
  stopShowing();
  tell(null);
  Object.assign(app.puzzles, { at: null, hint: null, verdict: null, solution: null, gain: null });
}

export function nextLevel() {
  const keys = collection.twenty().map(([key]) => key);
  const solved = solvedLevels();
  const at = keys.indexOf(app.puzzles.key);
  const later = [...keys.slice(at + 1), ...keys.slice(0, at + 1)];
  return later.find((key) => !solved.has(key)) ?? later[0] ?? null;
}

// Where a first visit begins: with the easiest puzzle there is. Later visits go on with the first level that is not solved.
export function firstKey() {
  const known = Object.keys(practice().done).length > 0 || solvedLevels().size > 0;
  return known ? nextLevel() : collection.easiest() ?? nextLevel();
}

export function next() {
  if (isRunning()) return goOn();
  if (app.puzzles.way === "levels" && (app.puzzles.key === null || collection.isOfTwenty(app.puzzles.key))) return open(nextLevel());
  return practise();
}

export function practise(band = app.puzzles.band, theme = app.puzzles.theme) {
  Object.assign(app.puzzles, { band, theme });
  const key = nextKey(collection.wanted(band, theme), app.puzzles.key);
  if (key === null) return notice("practice.none");
  return open(key, { way: "practice" });
}

export const daily = (how = "push") => open(dailyKey(collection.allLevels()), { how, way: "daily" });

export function startRun() {
  beginRun();
  return goOn();
}

function goOn() {
  const key = nextOfRun();
  return key === null ? page.draw() : open(key, { way: "run", how: "replace" });
}

export function stopRun() {
  endRun();
  page.draw();
}

// ------------------------------------------------------------------ playing

export async function playCell(cell) {
  const { solution, at } = app.puzzles;
  if (solution) return closeSolution();
  if (at !== null) return look(Infinity);
  if (app.running || !yourTurn() || !game().isEmpty(cell)) return;
  const foul = foulAt(cell, game().turn);
  if (foul) return refuse(cellName(cell, game().rows), foul);
  clearNotice();
  app.puzzles.hint = null;
  game().play(cell);
  await resume();
}

// After anything that changed the game: learn the facts; a move of yours is judged, and answered if it still wins.
export async function resume() {
  if (level() === null) return page.refresh();
  if (!(await page.refresh())) return;
  if (outcome() === "solved") return finished();
  if (app.mode !== "puzzles" || app.facts.over || yourTurn() || app.running || app.proof || app.puzzles.solution || verdict()) return;
  await judge();
}

async function judge() {
  const [current, { key }] = [game(), app.puzzles];
  const before = current.after(current.length - 1);
  const within = before.length ? app.puzzles.left : level().length;
  const body = { position: before.position(), move: current.last, seconds: inTime(JUDGE_SECONDS), ...(within && { within }) };
  const found = await judged(body);
  if (!found || app.puzzles.key !== key || game() !== current || current.turn === you()) return;
  if (found.status === "proven") await answer(found, within);
  else if (found.status === "unknown") await unsettled(found);
  else await slip(found);
}

// A move that could not be judged, on a machine that had no time for it, can be judged again.
async function judged(body) {
  try {
    return await searched("judge", "feedback", body, { onChange: page.draw, least: LEAST_THINKING, quiet: true });
  } catch (error) {
    error.again = true;
    throw error;
  }
}

async function answer({ name, plies, reply, exact }, within) {
  const about = { wrong: false, name, plies: plies === null ? null : plies - 1, exact, kind: kindOfWin(name, plies, within), within };
  game().play(reply);
  app.puzzles.verdict = { ...about, at: game().length };
  app.puzzles.left = about.exact ? about.plies : null;
  await resume();
}

// "wins", or "other" for another first move than the solution's, or "longer" where there is a shorter win.
function kindOfWin(name, plies, within) {
  const { line } = level();
  if (within && plies !== null && plies + 1 > within) return "longer";
  return game().length === 1 && line.length && line[0] !== name ? "other" : "wins";
}

// What was not settled costs nothing: the defence answers, and the puzzle goes on.
async function unsettled({ name, reply, reply_name: replyName }) {
  if (reply) game().play(reply);
  app.puzzles.verdict = { wrong: false, kind: "unsettled", name, reply: replyName, at: game().length };
  app.puzzles.left = null;
  await resume();
}

async function slip(found) {
  recordOnce(false);
  const { name, reply_name: reply, line, loses_in: loses } = found;
  app.puzzles.verdict = { wrong: true, kind: loses ? "loses" : "lost", name, reply, loses, line, at: game().length };
  if (isRunning()) return afterRun(false);
  showRefutation(line);
  return page.draw();
}

async function finished() {
  markSolved(app.puzzles.key);
  recordOnce(true);
  page.draw();
  if (isRunning() && app.puzzles.way === "run") await afterRun(true);
}

async function afterRun(solved) {
  const { key } = app.puzzles;
  counted(solved, key);
  page.draw();
  await pause(STEP);
  if (isRunning() && app.puzzles.key === key) await goOn();
}

// The first thing that happens decides: solved without a slip or help, or not. A run against the clock does not count.
function recordOnce(solved) {
  const { attempt, key, way } = app.puzzles;
  if (way === "run" || (attempt?.key === key && attempt.recorded)) return;
  app.puzzles.attempt = { key, recorded: true };
  app.puzzles.gain = record(key, level(), solved);
}

// The defence goes on after a move that wins no more: perhaps it can be won again.
export async function playOn() {
  const found = verdict();
  if (!found?.wrong || !found.reply) return;
  stopShowing();
  game().play(parseName(found.reply, game().rows));
  Object.assign(app.puzzles, { verdict: null, left: null });
  await resume();
}

// ------------------------------------------------------------------ a refutation that is played out

let timer = 0;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function showRefutation(line) {
  stopShowing();
  const cells = line.slice(0, MOST_SHOWN);
  app.puzzles.refutation = { cells, shown: still() ? cells.length : 1 };
  timer = setInterval(() => {
    const { refutation } = app.puzzles;
    if (!refutation || refutation.shown >= refutation.cells.length || document.hidden) return;
    refutation.shown += 1;
    page.drawBoard();
  }, STEP);
}

export function stopShowing() {
  clearInterval(timer);
  app.puzzles.refutation = null;
}

// Stones that are only looked at, in the order of play.
export function refutationStones() {
  const { refutation, at, solution } = app.puzzles;
  if (!refutation || at !== null || solution || !slipped()) return [];
  return refutation.cells.slice(0, refutation.shown).map((cell, index) => ({ cell, colour: index % 2 ? you() : other(you()) }));
}

// ------------------------------------------------------------------ taking back, looking back

export const canUndo = () => game().length > 0 && !app.puzzles.solution;
export const canRedo = () => game().undone.length > 0 && !app.puzzles.solution;

export async function undo() {
  changed();
  game().undo();
  if (game().length && game().turn !== you()) game().undo();
  await resume();
}

export async function redo() {
  changed();
  game().redo();
  if (game().undone.length && game().turn !== you()) game().redo();
  await resume();
}

export async function again() {
  if (!level() || !game().length) return;
  changed();
  backToStart();
  await resume();
}

function changed() {
  abandonSearch();
  stopShowing();
  Object.assign(app.puzzles, { at: null, hint: null, verdict: null, left: null, solution: null });
}

// What was played can be played again: it is only taken back.
function backToStart() {
  while (game().length) game().undo();
}

// How far one is in what is walked through: the game, or the solution.
export function walked() {
  const { solution, at } = app.puzzles;
  return solution ? { at: solution.at, length: solution.game.length } : { at: at ?? game().length, length: game().length };
}

export function look(at) {
  const { solution } = app.puzzles;
  if (solution) solution.at = Math.max(0, Math.min(at, solution.game.length));
  else app.puzzles.at = at >= game().length ? null : Math.max(0, at);
  return page.refresh();
}
export const step = (by) => look(walked().at + by);

// ------------------------------------------------------------------ help: a hint in stages, the solution, a proof

async function solved(position, shortest = true) {
  return searched("hint", "solve", { position, shortest, seconds: inTime(JUDGE_SECONDS) }, { onChange: page.draw, quiet: true });
}

export async function hint() {
  const [current, { hint: before }] = [game(), app.puzzles];
  recordOnce(false);
  if (slipped()) return tell("hint.lost");
  if (before) {
    app.puzzles.hint = nextHint(before);
    return page.draw();
  }
  const key = level()?.line[0];
  const found = !current.length && key ? { move: parseName(key, current.rows) } : await solved(current.position());
  if (game() !== current || !yourTurn()) return undefined;
  if (!found?.move) return found && tell("hint.lost");
  const first = await firstHint(current.position(), found.move);
  if (game() === current && yourTurn()) app.puzzles.hint = first;
  return page.draw();
}

export const hintCell = () => (app.puzzles.hint?.stage === STAGES ? app.puzzles.hint.cell : null);
export const hintArea = () => (app.puzzles.hint && app.puzzles.hint.stage < STAGES ? app.puzzles.hint.area : null);

export async function solution() {
  if (app.puzzles.solution) return closeSolution();
  const { key } = app.puzzles;
  const start = game().after(0);
  const names = level().line.length ? level().line : (await solved(start.position()))?.line_names;
  if (!names || app.puzzles.key !== key) return names === undefined ? undefined : notice("proof.unknown", [], null, "quiet");
  recordOnce(false);
  stopShowing();
  start.moves = names.map((name) => parseName(name, start.rows));
  Object.assign(app.puzzles, { solution: { game: start, at: 1 }, hint: null, at: null });
  return page.refresh();
}

export async function closeSolution() {
  app.puzzles.solution = null;
  await resume();
}

// A proof answers every defence; looking at it is help, too.
export function helped() {
  recordOnce(false);
  stopShowing();
  app.puzzles.solution = null;
}

export function analyse() {
  const tree = Tree.fromGame(game());
  page.openAnalysis(tree, tree.line(0).at(-1));
}
