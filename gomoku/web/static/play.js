// Playing: a game against a person, a system or somebody beside you. State in app.play; here is what can be done with it.

import { app, freshPlay, knownRule } from "./app.js";
import * as book from "./book.js";
import { Clock } from "./clock.js";
import { foulAt } from "./facts.js";
import { Game, cellName, isSide, other } from "./game.js";
import { spoken, t } from "./i18n.js";
import { post } from "./network.js";
import { clearNotice, notice, offerBack, refuse, tell } from "./notices.js";
import { handicapStones, openingMoves } from "./openings.js";
import { abandonSearch, inTime, searched } from "./searching.js";
import { Tree } from "./tree.js";

const LEAST_THINKING = 350;
// How long the page waits for the second press of "Resign".
const SURE = 5000;
// For the engine, where the book says nothing.
const BOOK_NODES = 100_000;
const page = {};

// The page's own actions: refresh() learns and draws, runClock() says whose time it is, openAnalysis(tree) and go(mode) lead elsewhere.
export const connectPlay = (actions) => Object.assign(page, actions);

export const person = (name = app.play.opponent) => app.people.find((one) => one.name === name) ?? null;
export const system = (name = app.play.opponent) => (name.startsWith("system:") ? name.slice("system:".length) : null);

export function opponentName(name = app.play.opponent) {
  const who = person(name);
  if (who) return spoken(who.names);
  if (name === "book") return t("book.name");
  return name === "friend" ? t("new.friend") : system(name) ?? t("person");
}

export const isOver = () => app.facts.over || app.play.resigned !== null || app.play.flagged !== null;
export const shownGame = () => (app.play.at === null ? app.play.game : app.play.game.after(app.play.at));
const choosing = () => ["choose", "choose-five"].includes(app.play.swap2);
const placing = () => ["propose", "two"].includes(app.play.swap2);
// Whether the next stone is yours to put, as long as the game goes on.
export const isYours = () => !choosing() && (placing() || app.play.you === "both" || app.play.game.turn === app.play.you);
export const yourTurn = () => !isOver() && isYours();

export function winner() {
  if (app.facts.winner) return app.facts.winner;
  const lost = app.play.resigned ?? app.play.flagged;
  return lost ? other(lost) : null;
}

// ------------------------------------------------------------------ moving

export async function playCell(cell) {
  const { play } = app;
  if (play.at !== null) return present();
  if (app.running || !yourTurn() || !play.game.isEmpty(cell)) return;
  const foul = foulAt(cell, play.game.turn);
  if (foul) return refuse(cellName(cell, play.game.rows), foul);
  clearNotice();
  put(cell);
  if (!placing()) return resume();
  await placed();
}

function put(cell) {
  const { game, clock } = app.play;
  notSure();
  clock?.moved(game.turn);
  game.play(cell);
  Object.assign(app.play, { begun: true, hint: null });
  page.runClock();
}

// After anything that changed the game: learn the facts, and let the opponent play when it is its turn.
export async function resume() {
  if (!(await page.refresh())) return;
  const { play } = app;
  if (app.mode !== "play" || isOver() || yourTurn() || choosing() || app.running || app.proof || (!play.begun && play.game.turn === play.you)) return;
  const answer = await answered(play);
  if (!answer?.move || app.play !== play || isOver()) return;
  put(answer.move);
  await page.refresh();
}

function answered(play) {
  if (play.opponent === "book") return answeredByBook(play);
  return searched("move", "move", { position: play.game.position(), ...asked(play) }, { onChange: page.draw, least: LEAST_THINKING });
}

// The book's move where it has one; elsewhere the engine plays for it.
async function answeredByBook(play) {
  const { game } = play;
  book.rest();
  const asked = (path, body) => searched("move", path, { seconds: inTime(10), ...body }, { onChange: page.draw, least: LEAST_THINKING });
  const found = book.isForBook(game) ? await asked("book", { position: game.start(), moves: game.moves }) : { move: null };
  if (!found || app.play !== play) return null;
  if (found.move) return book.learnMove(game, found);
  return asked("move", { position: game.position(), player: "engine", nodes: BOOK_NODES });
}

// Who is asked, and for how much: a person has its own strength, a system as many positions as were chosen.
function asked({ opponent, seed, nodes, game }) {
  const who = system(opponent);
  const seconds = inTime(30);
  if (who) return { player: who, nodes, seconds: inTime(10) };
  return { opponent, seed, seconds, ...(game.last && { last: game.last }) };
}

export async function undo() {
  abandonSearch();
  const { game, you } = app.play;
  Object.assign(app.play, { resigned: null, at: null, hint: null });
  takeBack();
  // Against an opponent it is your turn again after your own stone is gone.
  if (you !== "both" && game.length && game.turn !== you) takeBack();
  await resume();
}

export async function redo() {
  const { game, you } = app.play;
  Object.assign(app.play, { at: null, hint: null });
  bringBack();
  if (you !== "both" && game.undone.length && game.turn !== you) bringBack();
  await resume();
}

// The seconds that a move has won on the clock go and come with it.
function takeBack() {
  app.play.clock?.undo();
  app.play.game.undo();
}

function bringBack() {
  app.play.clock?.redo();
  app.play.game.redo();
}

// A game that was lost on time stays lost. Against an opponent there must be a move of your own to take back: otherwise it would be its turn, on and on.
export function canUndo() {
  const { game, you, swap2, flagged } = app.play;
  return swap2 === null && flagged === null && game.moves.some((_, index) => you === "both" || game.colourOf(index) === you);
}

// You go on with the other colour, and the opponent with yours.
export async function swap() {
  Object.assign(app.play, { you: other(app.play.you), at: null, hint: null });
  await resume();
}

export const canSwap = () => !app.running && !isOver() && app.play.you !== "both" && app.play.swap2 === null && app.play.opponent !== "book";

// The first press asks whether you are sure, the second one resigns.
let sure = 0;
export const asksToResign = () => sure !== 0;

export async function resign() {
  if (!sure) {
    sure = setTimeout(() => { sure = 0; page.draw(); }, SURE);
    return page.draw();
  }
  notSure();
  abandonSearch();
  tell(null);
  Object.assign(app.play, { resigned: app.play.you === "both" ? app.play.game.turn : app.play.you, hint: null });
  return page.refresh();
}

function notSure() {
  clearTimeout(sure);
  sure = 0;
}

export async function flag() {
  const lost = app.play.clock?.flagged;
  if (!lost || isOver()) return;
  abandonSearch();
  tell(null);
  Object.assign(app.play, { flagged: lost, hint: null });
  await page.refresh();
}

export async function hint() {
  const { play } = app;
  const answer = await searched("hint", "move", { position: play.game.position(), player: "engine", nodes: 200_000, seconds: inTime(3) }, { onChange: page.draw });
  if (app.play !== play || !answer?.move) return;
  play.hint = answer.move;
  page.draw();
  tell("hinted", cellName(answer.move, play.game.rows));
}

// Looking back does not change the game; null is the present.
export function look(at) {
  const { game } = app.play;
  tell(null);
  app.play.at = at >= game.length ? null : Math.max(0, at);
  return page.refresh();
}
export const canRedo = () => app.play.at === null && app.play.flagged === null && app.play.game.undone.length > 0;
export const present = () => look(Infinity);
export const step = (by) => look(Math.max(0, (app.play.at ?? app.play.game.length) + by));

// ------------------------------------------------------------------ new games

// What the form asks for, or null with a notice where it asks for the impossible.
export function settingOf({ opponent, colour, rule, rows, cols, clock, opening, nodes }) {
  if (opponent === "book") return { ...AGAINST_BOOK, nodes };
  if (!isSide(rows) || !isSide(cols)) {
    notice("size.bad");
    return null;
  }
  return { opponent, colour, rule: knownRule(rule), rows, cols, clock, opening, nodes };
}

// The book proves what Black can do; so you are White.
const AGAINST_BOOK = { opponent: "book", colour: "white", rule: "freestyle", rows: 15, cols: 15, clock: "", opening: "" };

export async function begin(setting, { begun = true } = {}) {
  const { opponent, colour, rows, cols, rule, clock, opening = "", nodes } = setting;
  const extra = Number(/^handicap-(\d)$/.exec(opening)?.[1] ?? 0);
  const game = new Game({ rows, cols, rule, moves: openingMoves(opening, rows, cols) });
  if (extra) Object.assign(game, { black: handicapStones(extra, rows, cols), first: "white" });
  const you = opponent === "friend" ? "both" : colour === "random" ? (Math.random() < 0.5 ? "black" : "white") : colour;
  const proposes = opening === "swap2" ? (you === "white" ? "choose" : "propose") : null;
  replace(freshPlay(game, { opponent, you, nodes, clock: Clock.parse(clock), swap2: proposes, begun, setting }));
  page.navigate("push");
  if (proposes === "choose" && opponent !== "friend") return theyPropose();
  if (proposes) app.play.swap2 = "propose";
  await resume();
}

export async function rematch() {
  const { setting, you, opponent, game } = app.play;
  if (opponent === "book") return begin({ ...AGAINST_BOOK, nodes: app.play.nodes });
  const colour = you === "both" ? "black" : other(you);
  await begin({ ...(setting ?? { rows: game.rows, cols: game.cols, rule: game.rule, opponent, clock: "", opening: "", nodes: app.play.nodes }), opponent, colour });
}

export async function against(name) {
  const { setting, you } = app.play;
  await begin({ ...(setting ?? { rows: 15, cols: 15, rule: "freestyle", clock: "", opening: "", nodes: 30_000 }), opponent: name, colour: you === "both" ? "black" : you });
}

// The game on the board gives way to another, and can be brought back as long as it had begun.
export function replace(next, why = "game.replaced") {
  abandonSearch();
  notSure();
  const before = app.play;
  before.clock?.run(null);
  Object.assign(app, { play: next, proof: null, keptProof: null });
  clearNotice();
  if (!before.game.length) return;
  offerBack(why, () => {
    abandonSearch();
    app.play = before;
    page.navigate("push");
    resume().catch(page.failed);
  }, "game.previous");
}

export function review() {
  const { game } = app.play;
  const tree = Tree.fromGame(game);
  page.openAnalysis(tree, tree.line(0).at(-1), { graph: true });
}

// ------------------------------------------------------------------ Swap2

// You have put the stones of a proposal: when the last one lies, the other side chooses.
async function placed() {
  const { play } = app;
  const wanted = play.swap2 === "propose" ? 3 : 5;
  if (!(await page.refresh()) || play.game.length < wanted) return;
  if (play.opponent === "friend") {
    play.swap2 = wanted === 3 ? "choose" : "choose-five";
    return page.refresh();
  }
  const { swap } = await swap2(play);
  if (app.play !== play) return;
  // They swap when Black stands better; otherwise they take White, who moves next.
  Object.assign(play, { swap2: null, you: swap ? "white" : "black" });
  notice(swap ? "swap2.they-black" : "swap2.they-white", [() => opponentName(play.opponent)], null, "quiet");
  await resume();
}

async function theyPropose() {
  const { play } = app;
  play.swap2 = "choose";
  if (!(await page.refresh())) return;
  const { stones } = await swap2(play);
  if (app.play !== play) return;
  for (const cell of stones) play.game.play(cell);
  play.begun = true;
  await page.refresh();
}

async function swap2({ game, seed }) {
  app.running = { kind: "move", abort: new AbortController() };
  page.draw();
  try {
    return await post("swap2", { position: game.position(), seed, seconds: inTime(2) }, app.running.abort.signal);
  } finally {
    app.running = null;
    page.draw();
  }
}

// What you choose when it is for you to choose: a side, or two more stones.
export async function choose(what) {
  const { play } = app;
  const friend = play.opponent === "friend";
  if (what === "two") play.swap2 = "two";
  else Object.assign(play, { swap2: null, you: friend ? "both" : what });
  await resume();
}
