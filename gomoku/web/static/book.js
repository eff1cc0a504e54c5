// The book of proven openings: what it says of the game on the board, how long the game lasts at most, and its proof, walked.

import { app } from "./app.js";
import { cellName, Game, other, parseName } from "./game.js";
import { ApiError, isAway, newToken, search, stopSearch } from "./network.js";
import { moves, t } from "./i18n.js";
import * as play from "./play.js";

const MOST_KNOWN = 400;
const NAMED = 12;
// Counting goes on where the time of a request ended it.
const MOST_ROUNDS = 20;
// What is known of games, the counting under way, and how far it is.
const known = new Map();
const state = { key: "", abort: null, token: "", progress: null, failed: false };
const page = {};
export const connectBook = (actions) => Object.assign(page, actions);

const keyOf = (game) => JSON.stringify([game.start(), game.moves]);
const asked = (game) => ({ position: game.start(), moves: game.moves, seconds: app.maxSeconds });
export const standing = (game) => known.get(keyOf(game)) ?? null;
export const isForBook = ({ rows, cols, rule }) => rows === 15 && cols === 15 && rule === "freestyle";
const settled = (found) => found !== null && (found.status !== "proven" || found.plies !== null || found.stopped_by !== "complete");

function learn(game, answer) {
  if (answer.status === "outside" && answer.stopped_by !== "complete") return answer;
  const before = standing(game);
  if (before?.plies && answer.plies === null) return before;
  known.set(keyOf(game), answer);
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value);
  return answer;
}

// What the book plays; a win that is proven stays proven after its own move.
export function learnMove(game, answer) {
  learn(game, answer);
  if (answer.status !== "proven" || !answer.move) return answer;
  const after = game.copy();
  after.play(answer.move);
  if (!standing(after)) learn(after, { ...answer, move: null, name: null, plies: null, replies: [], stopped_by: "complete" });
  return answer;
}

// ------------------------------------------------------------------ counting, while you think

// The game of which it is shown what the book says: you are to move, against the book or against its proof.
export function about() {
  if (app.proof) return app.proof.walksBook && !app.facts.over && app.proof.game.turn === app.proof.defender ? app.proof.game : null;
  if (app.mode !== "play" || app.play.opponent !== "book" || play.isOver()) return null;
  const game = play.shownGame();
  return game.length && game.turn === app.play.you ? game : null;
}

// Called whenever the position may have changed: what was counted for another one ends.
export function follow() {
  const game = isAway() ? null : about();
  const key = game ? keyOf(game) : "";
  if (key === state.key && (state.progress || state.failed)) return;
  rest();
  state.key = key;
  if (game && !settled(standing(game))) count(game, key);
}

export function rest() {
  state.abort?.abort();
  Object.assign(state, { key: "", abort: null, token: "", progress: null, failed: false });
}

async function count(game, key) {
  const abort = new AbortController();
  Object.assign(state, { abort, token: newToken(), progress: {} });
  try {
    const told = (progress) => { state.progress = progress; page.draw(); };
    for (let rounds = 0; rounds < MOST_ROUNDS; rounds += 1) {
      const found = await search("book", { ...asked(game), count: true, token: state.token }, { signal: abort.signal, onProgress: told });
      learn(game, found);
      if (settled(found) && found.stopped_by !== "seconds") break;
    }
  } catch (error) {
    if (error.name === "AbortError") return;
    state.failed = true;
  }
  if (state.key !== key) return;
  Object.assign(state, { abort: null, progress: null });
  page.draw();
}

export const counting = () => state.progress;
export const stopCounting = () => stopSearch(state.token);

export function countAgain() {
  const game = about();
  if (game) known.delete(keyOf(game));
  state.key = "";
  follow();
  page.draw();
}

// ------------------------------------------------------------------ in words

const named = (cells, rows) => cells.slice(0, NAMED).map((cell) => cellName(cell, rows)).join(" ") + (cells.length > NAMED ? " …" : "");

// Whether most replies are not decided.
const isFew = ({ replies, open }) => replies.length < open.length;

export function inWords(game) {
  const found = standing(game);
  if (state.failed) return t("error.network");
  if (!found) return t("book.asking");
  const { status, plies, replies, open, leads } = found;
  if (status === "partly" && isFew(found)) return t("book.few", named(replies.map(({ move }) => move), game.rows));
  if (status === "partly") return t("book.partly", replies.length, replies.length + open.length, named(open, game.rows));
  if (status === "near") return t("book.near", named(leads, game.rows));
  if (status === "outside") return t("book.outside");
  return plies === null ? t("book.proven") : t("book.proven-in", plies);
}

export function moreWords(game) {
  if (state.progress) return state.progress.of ? t("book.counting", state.progress.done, state.progress.of) : t("book.asking");
  const found = standing(game);
  return found?.status === "proven" && found.plies === null ? t("book.uncounted") : "";
}

// The replies that are not decided yet, marked on the board.
export function openMarks(game) {
  const found = standing(game);
  return found?.status === "partly" && !isFew(found) ? found.open.map((cell) => [...cell, "?"]) : [];
}

// ------------------------------------------------------------------ walking the proof

// A search that the server had to end, being late, is one that takes too long.
function ended(error) {
  if (error instanceof ApiError && error.message.includes("time limit")) return { stopped_by: "seconds" };
  throw error;
}

const nameIn = (rows) => (cell) => (typeof cell === "string" ? cell : cellName(cell, rows));

export class BookExplorer {
  walksBook = true;

  constructor(game, { attacker, root, of }) {
    Object.assign(this, { start: game, attacker, root, of, played: [], replies: [] });
  }

  // From a game on, if the book proves it won; null where it does not.
  static async at(game, ask) {
    const found = settled(standing(game)) ? standing(game) : learnMove(game, await ask(game));
    if (found.status !== "proven" || !found.root) return null;
    const explorer = new BookExplorer(new Game({ ...game, undone: [] }), { attacker: found.attacker, root: found.root, of: JSON.stringify(game.position()) });
    if (found.move) explorer.played = [found.move];
    return explorer;
  }

  toJSON() {
    const { start, attacker, root, of, replies } = this;
    return { book: true, start, attacker, root, of, replies };
  }

  static async resumed({ start, replies }, ask) {
    const game = new Game(start).checked();
    const explorer = game && await BookExplorer.at(game, ask);
    for (const cell of explorer ? replies : []) await explorer.reply(cell, ask);
    return explorer;
  }

  get game() {
    const game = this.start.copy();
    game.moves.push(...this.played);
    return game;
  }

  get defender() { return other(this.attacker); }
  get standing() { return standing(this.game); }
  // Plies that are left at most; null where they have not been counted.
  get left() { return this.standing?.plies ?? null; }

  async reply(cell, ask = page.askBook) {
    if (this.asking) return;
    this.asking = true;
    rest();
    try {
      const game = this.game;
      game.play(cell);
      const found = learnMove(game, await ask(game));
      if (!found.move) throw new Error(t("proof.unknown"));
      this.played.push(cell, found.move);
      this.replies.push(cell);
      this.root = found.root ?? this.root;
    } finally {
      this.asking = false;
    }
  }

  async back() {
    if (this.asking || !this.replies.length) return;
    this.played.splice(-2);
    this.replies.pop();
  }

  about() {
    const game = this.game;
    return app.facts.over ? t("proof.refuted") : inWords(game);
  }

  line() {
    return this.played.map((cell, index) => `${index + 1}. ${cellName(cell, this.start.rows)}`).join("  ");
  }

  // How long each reply holds out, as a map of heat: what stands out from the rest is shown.
  heat() {
    const { rows, cols } = this.start;
    const values = Array.from({ length: rows }, () => Array(cols).fill(null));
    for (const { move: [row, col], plies } of this.standing?.replies ?? []) values[row][col] = plies;
    return this.standing?.replies.length ? values : null;
  }

  // What answers a reply that is pointed at.
  answerTo(cell) {
    const found = this.standing?.replies.find(({ move }) => String(move) === String(cell));
    return found?.answer_name ? t("proof.answers", found.name, t(this.attacker), found.answer_name, moves(found.plies)) : "";
  }

  // Replies with the same answer and length together, those that hold out longest first.
  groups() {
    const groups = new Map();
    for (const { name, answer_name: answer, plies } of this.standing?.replies ?? []) {
      const key = `${answer} ${plies}`;
      if (!groups.has(key)) groups.set(key, { answer, plies, names: [] });
      groups.get(key).names.push(name);
    }
    return [...groups.values()].sort((a, b) => b.plies - a.plies || a.names.length - b.names.length);
  }

  cell(name) { return parseName(name, this.start.rows); }

  fileName() {
    const { black, white } = this.root;
    const names = (cells) => cells.map(nameIn(this.start.rows)).join("");
    return `proof-${names(black)}-${names(white)}.json`;
  }

  // The whole proof of the position of the book that the game has come from last.
  async whole(solve) {
    const found = await solve({ position: this.root, mode: "book", seconds: app.maxSeconds }).catch(ended);
    return { proof: found?.proof ?? null, late: found?.stopped_by === "seconds" };
  }

  // What makes it where there is no haste.
  get command() {
    const [black, white] = [this.root.black, this.root.white].map((cells) => cells.map(nameIn(this.start.rows)));
    const moves = black.flatMap((name, index) => [name, white[index]]).filter(Boolean);
    return `gomoku prove ${moves.join(" ")} --book great --expand proof --parts`;
  }
}
