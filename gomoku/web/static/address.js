// Every mode, opponent, level, game and position has an address; what is on the board stands behind the #, which never reaches the server.

import { MODES, app, freshPlay } from "./app.js";
import * as analysis from "./analysis.js";
import * as play from "./play.js";
import * as collection from "./collection.js";
import { dailyKey } from "./practice.js";
import * as puzzles from "./puzzles.js";
import { Game } from "./game.js";
import { Tree } from "./tree.js";

const START = new Game().toHash();

export function addressOf(mode = app.mode) {
  if (mode === "play") return playAddress();
  if (mode === "puzzles") return puzzleAddress();
  const game = analysis.tree().gameAt(analysis.at()).toHash();
  return "/analysis" + (game === START ? "" : game);
}

function playAddress() {
  const { game, opponent, you, begun } = app.play;
  return begun || game.length ? `/play/${encodeURIComponent(opponent)}${game.toHash()}&y=${you}` : "/play";
}

function puzzleAddress() {
  const { key, way } = app.puzzles;
  if (key === null) return "/puzzles";
  if (way === "daily" || way === "run") return `/puzzles/${way}`;
  const moves = new URLSearchParams(puzzles.game().toHash().slice(1)).get("m");
  const path = collection.isOfTwenty(key) ? key.slice(key.lastIndexOf("/") + 1) : key;
  return `/puzzles/${path}${moves ? `#m=${moves}` : ""}`;
}

// "push" for what one would go back from, "replace" for what belongs to the place one is at.
export function navigate(how) {
  const address = addressOf();
  if (location.pathname + location.hash === address) return;
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

// The mode that an address names, which is known before the server has answered anything.
export const modeOf = (place) => parse(place).mode;

// { mode, opponent, puzzle, game, you, bad }: what an address asks for.
function parse({ pathname, hash }) {
  const [, first = "", second = "", third = ""] = pathname.split("/");
  const asks = hash.length > 1 && !document.getElementById(hash.slice(1));
  const game = asks ? Game.fromHash(hash) : null;
  const fragment = new URLSearchParams(hash.slice(1));
  const mode = MODES.includes(first) ? first : game || asks ? "analysis" : null;
  const bad = asks && !game && mode !== "puzzles";
  return { mode, opponent: mode === "play" ? decoded(second) : "", puzzle: mode === "puzzles" ? puzzleAsked(decoded(second), decoded(third)) : null, game, moves: fragment.get("m"), you: fragment.get("y"), bad };
}

// "16" is a level of the twenty, "suite/16" one of another suite; "daily" and "run" are themselves.
function puzzleAsked(second, third) {
  if (/^\d+$/.test(second)) return collection.keyOf(null, Number(second));
  return /^\d+$/.test(third) ? collection.keyOf(second, Number(third)) : second;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

// Brings the page to where the address says. "linked" when it put another game on a board, "bad" when it cannot be read,
// "nowhere" when there is no such puzzle or opponent.
export function arrive(place, { fresh, tree = null }) {
  const asked = parse(place);
  if (asked.mode) app.mode = asked.mode;
  if (asked.bad) return "bad";
  if (asked.mode === "play") return arriveAtPlay(asked, fresh);
  if (asked.mode === "puzzles") return arriveAtPuzzle(asked);
  if (asked.mode === "analysis" && asked.game) return arriveAtAnalysis(asked.game, fresh, tree);
  return null;
}

function arriveAtPlay({ opponent, game, you }, fresh) {
  const known = ["friend", "book"].includes(opponent) || play.person(opponent) || app.systems.some(({ name }) => `system:${name}` === opponent);
  if (!game && opponent && !known) return "nowhere";
  if (!game) {
    if (opponent && known && !app.play.begun) app.play.opponent = opponent;
    return null;
  }
  const side = ["black", "white", "both"].includes(you) ? you : "black";
  const same = game.toHash() === app.play.game.toHash() && side === app.play.you && (!known || opponent === app.play.opponent);
  if (same) return null;
  const next = freshPlay(game, { opponent: known ? opponent : "friend", you: known ? side : "both", begun: true });
  if (fresh) play.replace(next, "game.linked");
  else app.play = next;
  return "linked";
}

function arriveAtPuzzle({ puzzle, moves }) {
  const key = puzzle === "daily" ? dailyKey(collection.allLevels()) : puzzle;
  const found = key ? collection.level(key) : null;
  if (!found) {
    if (puzzle && puzzle !== "run") return "nowhere";
    if (!puzzle) Object.assign(app.puzzles, { key: null, way: "levels" });
    return null;
  }
  const same = key === app.puzzles.key;
  const way = puzzle === "daily" ? "daily" : same && app.puzzles.way === "practice" ? "practice" : "levels";
  Object.assign(app.puzzles, { key, way, at: null, hint: null, verdict: null, left: null, solution: null, refutation: null });
  if (!same) app.puzzles.attempt = { key, recorded: false };
  const start = Game.fromPosition(found.position);
  app.puzzles.games[key] ??= start;
  if (!moves) return null;
  const linked = Game.fromHash(`${start.toHash()}&m=${moves}`);
  if (linked && linked.toHash() !== app.puzzles.games[key].toHash()) app.puzzles.games[key] = linked;
  return null;
}

function arriveAtAnalysis(game, fresh, linked) {
  if (linked) {
    const before = app.analysis;
    if (JSON.stringify(linked) === JSON.stringify(before.tree)) app.analysis.at = placeInTree(game) ?? before.at;
    else if (fresh) analysis.replace(linked);
    else app.analysis = { tree: linked, at: 0 };
  }
  const id = placeInTree(game);
  if (id !== null) {
    app.analysis.at = id;
    analysis.tree().visit(id);
    return null;
  }
  const tree = Tree.fromGame(game);
  if (fresh) analysis.replace(tree, tree.line(0).at(-1));
  else Object.assign(app, { analysis: { tree, at: tree.line(0).at(-1) } });
  return "linked";
}

// The node of the tree on the board that a game leads to, if there is one.
function placeInTree(game) {
  const tree = analysis.tree();
  const hash = game.toHash();
  if (tree.gameAt(analysis.at()).toHash() === hash) return analysis.at();
  let id = 0;
  for (const cell of game.moves) {
    const next = tree.children[id].find((child) => String(tree.nodes[child].move?.slice(0, 2)) === String(cell));
    if (next === undefined) return null;
    id = next;
  }
  return tree.gameAt(id).toHash() === hash ? id : null;
}
