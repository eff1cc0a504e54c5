// The panel beside a puzzle: which it is, what the last move was worth, what helps, and the twenty levels.

import { app, solvedLevels } from "./app.js";
import * as collection from "./collection.js";
import { $, make, redraw, setText } from "./dom.js";
import { other } from "./game.js";
import { hintText } from "./hints.js";
import { moves, spoken, t } from "./i18n.js";
import { drawMoveList } from "./play-panel.js";
import { PROVISIONAL, practice, today } from "./practice.js";
import * as puzzles from "./puzzles.js";
import { isRunning } from "./run.js";

const page = {};
export const connectPuzzlesPanel = (actions) => Object.assign(page, actions);

export function drawPuzzlesPanel() {
  drawCard();
  drawButtons();
  drawSolution();
  drawLevels();
  drawMoveList($("puzzle-moves"), puzzles.game(), app.puzzles.at, puzzles.look);
}

// ------------------------------------------------------------------ the card

function drawCard() {
  const [outcome, wrong] = [puzzles.outcome(), puzzles.slipped()];
  setText($("puzzle-level"), puzzleName());
  setText($("puzzle-about"), aboutText());
  setText($("puzzle-text"), verdictText(outcome));
  setText($("puzzle-gain"), gainText());
  const { hint } = app.puzzles;
  setText($("puzzle-hint"), hint && puzzles.yourTurn() ? hintText(hint, puzzles.game().rows) : "");
  $("puzzle-card").className = `end ${outcome === "solved" || ["wins", "other", "longer"].includes(puzzles.verdict()?.kind) ? "won" : outcome === "lost" || wrong ? "lost" : ""}`;
}

export function puzzleName(key = app.puzzles.key) {
  if (key === null) return t("puzzle.title");
  if (app.puzzles.way === "daily") return t("puzzle.daily", today());
  const { number } = collection.level(key) ?? {};
  return t(collection.isOfTwenty(key) ? "puzzle.level" : "puzzle.number", number);
}

// What a puzzle shows would give it away: it is said when it is over.
function aboutText() {
  const level = puzzles.level();
  if (!level) return "";
  const told = app.puzzles.attempt?.recorded && app.puzzles.attempt.key === app.puzzles.key;
  const band = level.band === null ? [] : [t("puzzle.band", level.band)];
  const rule = level.position.rule === "freestyle" ? [] : [t(`rule.${level.position.rule}`)];
  return [...band, ...rule, ...(told ? collection.themeNames(level.tags).map(spoken) : [])].join(" · ");
}

function verdictText(outcome) {
  if (!puzzles.level()) return t("puzzle.about");
  const [you, they] = [t(puzzles.you()), t(other(puzzles.you()))];
  if (outcome === "solved") return t("puzzle.solved", puzzleName());
  if (outcome === "lost") return t("puzzle.lost", they);
  const found = puzzles.verdict();
  if (!found && app.facts.over) return t("puzzle.held");
  if (!found) return t(puzzles.yourTurn() || app.running ? "puzzle.find" : "puzzle.unjudged", you);
  if (found.kind === "unsettled") return t(found.reply ? "verdict.unsettled" : "verdict.unsettled-end", found.name, they, found.reply);
  if (!found.wrong) return winText(found, you);
  return t(found.reply ? `verdict.${found.kind}` : "verdict.none", found.name, they, found.reply, moves(found.loses));
}

// A length that may not be the least there is has "at most" before it.
function winText({ kind, name, plies, exact, within }, you) {
  if (plies === null) return t("verdict.wins-somehow", name);
  const length = exact ? moves(plies) : t("length.at-most", moves(plies));
  return t(`verdict.${kind}`, you, length, within - 2);
}

function gainText() {
  const { gain, attempt, key } = app.puzzles;
  if (gain === null || gain === undefined || attempt?.key !== key) return "";
  const { value, deviation } = practice().rating;
  if (deviation > PROVISIONAL) return t("practice.provisional", Math.round(value));
  return t("practice.gain", Math.round(value), `${gain > 0 ? "+" : gain < 0 ? "−" : "±"}${Math.abs(gain)}`);
}

function drawButtons() {
  const [chosen, over, wrong] = [puzzles.level() !== null, app.facts.over, puzzles.slipped()];
  const [busy, running] = [app.running !== null || app.proof !== null, isRunning()];
  $("puzzle-retry").hidden = !wrong || running;
  $("puzzle-on").hidden = !wrong || running || !puzzles.verdict().reply;
  $("puzzle-again").disabled = !chosen || !puzzles.game().length;
  $("puzzle-next").disabled = collection.isEmpty();
  $("puzzle-next").classList.toggle("primary", puzzles.outcome() === "solved" || !chosen);
  setText($("puzzle-next"), t(running ? "run.skip" : app.puzzles.way === "levels" ? "puzzle.next" : "practice.next"));
  $("puzzle-solution").disabled = !chosen || busy;
  $("puzzle-solution").setAttribute("aria-pressed", String(Boolean(app.puzzles.solution)));
  $("puzzle-prove").disabled = !chosen || over || busy || Boolean(app.puzzles.solution) || puzzles.game().turn !== puzzles.you();
  $("puzzle-analyse").disabled = !chosen;
  for (const id of ["puzzle-again", "puzzle-solution", "puzzle-prove", "puzzle-analyse"]) $(id).hidden = running;
}

function drawSolution() {
  const { solution } = app.puzzles;
  $("solution").hidden = !solution;
  $("puzzle-moves").hidden = Boolean(solution) || !puzzles.game().length;
  if (!solution) return;
  setText($("solution-text"), t("solution.text", t(puzzles.you()), moves(solution.game.length)));
  drawMoveList($("solution-moves"), solution.game, solution.at, puzzles.look);
}

// ------------------------------------------------------------------ the twenty levels

function drawLevels() {
  const [solved, { key }] = [solvedLevels(), app.puzzles];
  const levels = collection.twenty();
  const done = levels.filter(([one]) => solved.has(one)).length;
  setText($("puzzle-progress"), t("puzzle.progress", done, levels.length));
  redraw($("levels"), [levels.map(([one]) => one), [...solved], key, t("levels")], () => levels.map(([one, { number }]) => levelButton(one, number, solved.has(one), one === key)));
}

function levelButton(key, number, done, current) {
  const label = t("puzzle.level", number) + (done ? ` (${t("puzzle.solved-mark")})` : "");
  return make("button", { type: "button", class: done ? "solved" : null, "data-level": number, "data-key": key, "aria-current": current ? "true" : null, "aria-label": label, onclick: () => page.run(() => puzzles.open(key)) }, done ? `✓ ${number}` : String(number));
}

