// What the page knows: which mode is open, what each mode's board holds, and what the server has told. Kept in the browser.

import { Game, RULES } from "./game.js";
import { Clock } from "./clock.js";
import { Tree } from "./tree.js";
import { keepForTab, keepHere, kept, keep, keptForTab, keptHere, parsed } from "./store.js";

export const MODES = ["play", "puzzles", "analysis"];
export const NO_FACTS = { winner: null, over: false, forbidden: [], fouls: [], line: [] };
// Until the server has answered: no move is taken, for the game may be over, or the cell forbidden.
export const PENDING = { ...NO_FACTS, pending: true };

export const app = {
  mode: "play",
  // True until the server's lists are there and the address has been followed: until then nothing can be played.
  loading: true,
  // Lists of the server's.
  people: [], systems: [], tables: [], formats: [], maxSeconds: 10,
  // What is true of the position on the board; a search under way; a proof that is explored.
  facts: PENDING, running: null, proof: null, keptProof: null, pointed: null,
  play: freshPlay(new Game(), {}),
  puzzles: freshPuzzles(),
  analysis: freshAnalysis(new Tree()),
};

// A game against somebody: a person's name, "friend", or "system:SPEC".
export function freshPlay(game, { opponent = "tom", you = "black", clock = null, nodes = 30_000, swap2 = null, seed = Math.floor(Math.random() * 1e9), begun = false, setting = null }) {
  return { game, opponent, you, clock, nodes, swap2, seed, begun, resigned: null, flagged: null, at: null, setting };
}

// Which puzzle, the boards of all that were opened, how one came to it, and whether it has been counted.
function freshPuzzles({ key = null, games = {}, way = "levels", attempt = null, band = "", theme = "" } = {}) {
  return { key, games, way, attempt, band, theme, at: null, hint: null, verdict: null, left: null, refutation: null, solution: null, gain: null };
}

export function freshAnalysis(tree, at = 0) {
  return { tree, at };
}

// ------------------------------------------------------------------ kept in the browser

const COLOURS = ["black", "white"];

export function save() {
  keepHere("play", JSON.stringify(app.play));
  keepHere("puzzles", JSON.stringify(puzzlesKept(app.puzzles)));
  keepHere("analysis", JSON.stringify(app.analysis));
  keepHere("mode", app.mode);
  keepForTab("proof", JSON.stringify(app.proof ? { mode: app.mode, of: app.proof.of, proof: app.proof } : app.keptProof));
}

export function restore() {
  app.play = playFrom(parsed(keptHere("play"))) ?? app.play;
  app.puzzles = puzzlesFrom(parsed(keptHere("puzzles"))) ?? app.puzzles;
  app.analysis = analysisFrom(parsed(keptHere("analysis"))) ?? app.analysis;
  if (MODES.includes(keptHere("mode"))) app.mode = keptHere("mode");
  app.keptProof = parsed(keptForTab("proof"));
}

export function playFrom(value) {
  const game = value?.game && new Game(value.game).checked();
  if (!game) return null;
  const play = freshPlay(game, { opponent: String(value.opponent), you: [...COLOURS, "both"].includes(value.you) ? value.you : "black", clock: Clock.checked(value.clock), begun: value.begun === true });
  if (Number.isInteger(value.seed)) play.seed = value.seed;
  if (Number.isInteger(value.nodes) && value.nodes > 0) play.nodes = value.nodes;
  for (const key of ["resigned", "flagged"]) if (COLOURS.includes(value[key])) play[key] = value[key];
  if (["propose", "choose", "two", "choose-five"].includes(value.swap2)) play.swap2 = value.swap2;
  play.setting = typeof value.setting === "object" ? value.setting : null;
  return play;
}

const WAYS = ["levels", "practice", "daily"];

// A run against the clock does not outlive its page.
function puzzlesKept({ key, games, way, attempt, band, theme }) {
  return { key, games, way: WAYS.includes(way) ? way : "practice", attempt, band, theme };
}

function puzzlesFrom(value) {
  if (!value || typeof value.games !== "object" || value.games === null) return null;
  const games = Object.entries(value.games).flatMap(([key, kept]) => {
    const game = kept && new Game(kept).checked();
    return game ? [[key, game]] : [];
  });
  const text = (one) => (typeof one === "string" ? one : "");
  const attempt = typeof value.attempt?.key === "string" ? { key: value.attempt.key, recorded: value.attempt.recorded === true } : null;
  return freshPuzzles({ key: text(value.key) || null, games: Object.fromEntries(games), way: WAYS.includes(value.way) ? value.way : "levels", attempt, band: text(value.band), theme: text(value.theme) });
}

export function analysisFrom(value) {
  const tree = value?.tree && Tree.checked(value.tree);
  if (!tree) return null;
  const at = Number.isInteger(value.at) && value.at >= 0 && value.at < tree.nodes.length ? value.at : 0;
  tree.visit(at);
  return freshAnalysis(tree, at);
}

export function solvedLevels() {
  const keys = parsed(kept("solved"));
  return new Set(Array.isArray(keys) ? keys : []);
}

export function markSolved(key) {
  keep("solved", JSON.stringify([...solvedLevels().add(key)]));
}

export const knownRule = (rule) => (RULES.includes(rule) ? rule : "freestyle");
