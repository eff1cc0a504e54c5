// What the page shows, drawn from what it knows: the board of the mode that is open, the seats, the controls, the panels.

import * as analysis from "./analysis.js";
import { MODES, app } from "./app.js";
import { BoardView } from "./board.js";
import * as book from "./book.js";
import { clockText } from "./clock.js";
import { $, make, redraw, setText } from "./dom.js";
import { candidates, drawBar, drawEngine, drawGraph, previewLine } from "./engine.js";
import { forbiddenNow } from "./facts.js";
import { Game, cellName, other } from "./game.js";
import { t } from "./i18n.js";
import { drawMovesPanel } from "./moves-panel.js";
import { isAway } from "./network.js";
import { drawNotice, drawTold } from "./notices.js";
import { drawPatterns, heat, ringedCells } from "./patterns.js";
import { drawCounting, drawPlayPanel, endTitle } from "./play-panel.js";
import * as play from "./play.js";
import { drawPracticePanel } from "./practice-panel.js";
import { drawPuzzlesPanel } from "./puzzles-panel.js";
import * as puzzles from "./puzzles.js";
import { isRunning } from "./run.js";
import * as setup from "./setup.js";
import { drawShare } from "./share.js";
import { knock, soundOn } from "./sound.js";
import { kept } from "./store.js";
import { drawWhy, whyShapes } from "./why.js";

const BLANK = new Game();
let board = null;
const page = {};
export const connectDrawing = (actions) => Object.assign(page, actions);

export function makeBoard(handlers) {
  board = new BoardView($("board"), { ...handlers, confirms, onChoice: drawChoice });
}

const numbered = () => kept("numbers") === "yes";

// ------------------------------------------------------------------ the board

// What is on the board now: a game or a view of one.
export function shown() {
  if (app.loading && page.elsewhere()) return BLANK;
  if (app.proof) return app.proof.game;
  if (app.mode === "play") return play.shownGame();
  if (app.mode === "puzzles") return puzzles.shownGame();
  return app.analysis.setup ? setup.view() : analysis.view();
}

export const shownPosition = () => shown().position();

function picture() {
  const game = shown();
  const common = { game, numbers: numbered(), forbidden: forbiddenNow(app.facts, game.turn), won: app.facts.line, busy: app.running !== null || Boolean(app.facts.pending) };
  const own = app.proof ? proofPicture() : { play: playPicture, puzzles: puzzlePicture, analysis: analysisPicture }[app.mode](game);
  return { ...common, ...own, ...(app.facts.pending && { ghost: null }) };
}

const proofPicture = () => ({ numbers: true, ghost: app.facts.over ? null : app.proof.defender, heat: app.proof.heat?.() ?? null });

function playPicture(game) {
  const present = app.play.at === null;
  return { ghost: present && play.yourTurn() ? game.turn : null, hint: present ? app.play.hint : null, signs: app.play.opponent === "book" ? book.openMarks(game) : [] };
}

function puzzlePicture(game) {
  if (app.puzzles.solution) return { numbers: true };
  const present = app.puzzles.at === null;
  return { ghost: present && puzzles.yourTurn() ? game.turn : null, hint: present ? puzzles.hintCell() : null, area: present ? puzzles.hintArea() : null, line: puzzles.refutationStones() };
}

function analysisPicture(game) {
  if (app.analysis.setup) return { ghost: setup.ghost(), forbidden: new Map(), won: [] };
  const { marks = [], labels = [] } = analysis.tree().nodes[analysis.at()];
  return { ghost: app.facts.over || app.analysis.sign ? null : game.turn, heat: heat(), candidates: candidates(), line: previewLine(), signs: [...marks, ...labels], shapes: [...whyShapes(), ...ringedCells()] };
}

export function drawBoard() {
  board.draw(picture());
  drawChoice(board.chosen);
}

// Where cells are too small for a finger a tap only chooses one; another tap there plays it.
const confirms = () => ({ on: true, off: false })[kept("confirm") ?? ""] ?? board.small;

function drawChoice(cell) {
  $("choice").hidden = !cell;
  if (!cell) return;
  const name = cellName(cell, shown().rows);
  setText($("choice-text"), t("tap-again", name));
  setText($("choice-play"), t("play-there", name));
  $("choice-play").onclick = () => board.playAt(cell);
}

// ------------------------------------------------------------------ a stone that is heard

let heard = { mode: "", length: 0 };

function hear() {
  const game = shown();
  const about = { mode: app.mode + (app.proof ? " proof" : ""), length: game.length };
  if (about.mode === heard.mode && about.length === heard.length + 1) knock(other(game.turn));
  heard = about;
}

// ------------------------------------------------------------------ seats and status

function drawSeats() {
  const game = shown();
  const over = app.mode === "play" && !app.proof ? play.isOver() : app.facts.over;
  for (const colour of ["black", "white"]) {
    $(`seat-${colour}`).classList.toggle("turn", !over && game.turn === colour);
    setText($(`name-${colour}`), seatName(colour));
  }
  drawClocks();
  setText($("status"), statusText(game));
  setText($("rule-shown"), ruleText(shownPosition()));
  setText($("said"), saidText(game));
}

// The rule in force, and the size of a board that is not the usual one.
function ruleText({ rule, rows, cols }) {
  const size = rows === 15 && cols === 15 ? [] : [`${rows}×${cols}`];
  return [t(`rule.short.${rule}`), ...size].join(" · ");
}

function seatName(colour) {
  if (app.proof) return t(colour === app.proof.defender ? "you" : "proof");
  if (app.mode === "play" && app.play.you !== "both") return colour === app.play.you ? t("you") : play.opponentName();
  if (app.mode === "puzzles" && puzzles.level() !== null) return t(colour === puzzles.you() ? "you" : "puzzle.defence");
  const known = app.mode === "analysis" ? analysis.tree().info[colour === "black" ? "PB" : "PW"] : "";
  return known || t(colour);
}

export function drawClocks() {
  const { clock } = app.play;
  for (const colour of ["black", "white"]) {
    const element = $(`clock-${colour}`);
    element.hidden = !clock || app.mode !== "play";
    if (element.hidden) continue;
    setText(element, clockText(clock.of(colour)));
    element.classList.toggle("short", clock.of(colour) < 20_000);
  }
}

// The last move for those who do not see it appear, when it is not their own.
function saidText(game) {
  const colour = other(game.turn);
  const you = app.proof ? app.proof.defender : app.mode === "play" ? app.play.you : app.mode === "puzzles" ? puzzles.you() : "both";
  return game.last && you !== "both" && colour !== you ? t("said.move", t(colour), cellName(game.last, game.rows)) : "";
}

function statusText(game) {
  if (app.loading) return t("loading");
  if (app.proof && app.facts.winner) return t("proof.refuted");
  if (app.running?.kind === "move") return t("thinking", play.opponentName());
  return { play: playStatus, puzzles: puzzleStatus, analysis: analysisStatus }[app.proof ? "analysis" : app.mode](game);
}

function playStatus(game) {
  if (app.play.at !== null) return t("looking", game.length);
  if (play.isOver()) return endTitle(play.winner());
  return app.play.you !== "both" && play.yourTurn() ? t("turn.you") : t(`turn.${game.turn}`);
}

function puzzleStatus(game) {
  if (puzzles.level() === null) return t("mode.puzzles");
  if (app.puzzles.solution) return t("solution.at", app.puzzles.solution.at, app.puzzles.solution.game.length);
  const outcome = puzzles.outcome();
  if (outcome) return t(outcome === "solved" ? "puzzle.solved-status" : `won.${game.turn === "black" ? "white" : "black"}`);
  if (puzzles.slipped()) return t(puzzles.verdict().kind === "loses" ? "verdict.status" : "verdict.status.lost");
  return app.puzzles.at === null ? t(`turn.${game.turn}`) : t("looking", game.length);
}

function analysisStatus(game) {
  if (app.facts.winner) return t(`won.${app.facts.winner}`);
  return app.facts.over ? t("draw") : t(`turn.${game.turn}`);
}

// ------------------------------------------------------------------ controls

function drawControls() {
  const searching = app.running !== null;
  const exploring = app.proof !== null || (app.mode === "analysis" && Boolean(app.analysis.setup));
  const board = { play, puzzles }[app.mode] ?? null;
  const over = app.mode === "play" ? play.isOver() : app.facts.over;
  const empty = app.mode === "puzzles" && (puzzles.level() === null || isRunning() || Boolean(app.puzzles.solution));
  for (const group of document.querySelectorAll("[data-modes]")) group.hidden = exploring || !group.dataset.modes.split(" ").includes(app.mode);
  $("undo").disabled = !board?.canUndo();
  $("redo").disabled = searching || !board || !redoable();
  $("hint").disabled = searching || over || empty || (app.mode === "play" && app.play.swap2 !== null);
  setText($("resign"), t(play.asksToResign() ? "resign.sure" : "resign"));
  $("resign").disabled = over || !app.play.game.length || app.play.swap2 !== null;
  $("stop").hidden = !searching || app.running.kind === "judge";
  setText($("stop"), t(app.running?.kind === "move" ? "move-now" : "stop"));
  for (const [id, possible] of Object.entries(steps())) $(id).disabled = !possible || exploring;
  $("why").disabled = !analysis.at();
  $("prove").disabled = searching || app.facts.over;
  $("numbers").setAttribute("aria-pressed", String(numbered()));
  $("confirm").checked = confirms();
  $("sound").setAttribute("aria-pressed", String(soundOn()));
  $("sound").classList.toggle("quiet-sound", !soundOn());
}

const redoable = () => (app.mode === "play" ? play.canRedo() : puzzles.canRedo());

function steps() {
  if (app.mode === "analysis") {
    const [tree, at] = [analysis.tree(), analysis.at()];
    return { first: at !== 0, back: at !== 0, forward: tree.next(at) !== null, last: tree.next(at) !== null };
  }
  const { game, at: looked } = app.play;
  const { at, length } = app.mode === "play" ? { at: looked ?? game.length, length: game.length } : puzzles.walked();
  return { first: at > 0, back: at > 0, forward: at < length, last: at < length };
}

// ------------------------------------------------------------------ everything

function drawMode() {
  if (app.mode !== "puzzles") {
    $("run-shown").hidden = true;
    $("rule-shown").hidden = false;
  }
  for (const part of document.querySelectorAll(".table, aside > :not(#notice)")) part.inert = app.loading;
  document.documentElement.dataset.mode = app.mode;
  for (const link of document.querySelectorAll("[data-mode-link]")) {
    if (link.dataset.modeLink === app.mode) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const mode of MODES) $(`panel-${mode}`).hidden = mode !== app.mode || (app.proof !== null && mode === "analysis");
  document.title = `${t(`mode.${app.mode}`)} · ${t("title")}`;
  $("offline").hidden = !isAway();
}

function drawProof() {
  $("panel-proof").hidden = app.proof === null;
  if (!app.proof) return;
  setText($("proof-about"), app.proof.about());
  setText($("proof-line"), app.proof.line());
  $("proof-back").disabled = app.proof.replies.length === 0;
  drawBookWalk();
}

// In the book's proof: how far it goes, and what answers each reply.
function drawBookWalk() {
  const game = app.proof.walksBook ? book.about() : null;
  $("proof-book").hidden = !game;
  if (!game) return;
  drawCounting("proof", game);
  drawPointed();
  const groups = app.proof.groups();
  redraw($("proof-answers"), [groups, t("you")], () => groups.slice(0, MOST_GROUPS).map(answerRow));
}

export function drawPointed() {
  if (app.proof?.walksBook) setText($("proof-pointed"), (app.pointed && app.proof.answerTo(app.pointed)) || t("proof.point"));
}

const [MOST_GROUPS, MOST_NAMES] = [12, 8];

function answerRow({ answer, plies, names }) {
  const shown = names.length > MOST_NAMES + 1 ? names.slice(0, MOST_NAMES) : names;
  const more = names.length > shown.length ? [make("span", { class: "quiet" }, t("proof.and-more", names.length - shown.length))] : [];
  const buttons = shown.map((name) => make("button", { type: "button", class: "move", "data-key": name, onclick: () => page.playIn(app.proof.cell(name)) }, name));
  return make("tr", {}, make("td", {}, ...buttons, ...more), make("td", {}, answer), make("td", {}, String(plies)));
}

function drawSetup() {
  $("setup").hidden = !app.analysis.setup;
  $("analysis-body").hidden = Boolean(app.analysis.setup);
}

export function draw() {
  drawMode();
  drawBoard();
  hear();
  drawSeats();
  drawControls();
  drawProof();
  drawNotice();
  drawTold();
  drawBar();
  if (app.mode === "play") drawPlayPanel();
  if (app.mode === "puzzles") {
    drawPuzzlesPanel();
    drawPracticePanel();
  }
  if (app.mode !== "analysis") return;
  drawSetup();
  drawEngine();
  drawMovesPanel();
  drawWhy();
  if ($("graph-panel").open) drawGraph();
  drawPatterns();
  if ($("share").open) drawShare();
}
