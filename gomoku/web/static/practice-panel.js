// The panel of practice: the rating, what to choose from, the puzzle of the day, the run against the clock, what comes again.

import { app } from "./app.js";
import { clockText } from "./clock.js";
import * as collection from "./collection.js";
import { $, fillSelect, make, redraw, setText } from "./dom.js";
import { spoken, t } from "./i18n.js";
import { PROVISIONAL, due, practice } from "./practice.js";
import * as puzzles from "./puzzles.js";
import { currentRun, isRunning, slipsAllowed, timeLeft } from "./run.js";

const page = {};
export const connectPracticePanel = (actions) => Object.assign(page, actions);

const BEGINNINGS = ["practice-next", "practice-daily", "practice-run"];

export function drawPracticePanel() {
  const { rating, done } = practice();
  const tried = Object.values(done);
  setText($("practice-rating"), tried.length ? t(rating.deviation > PROVISIONAL ? "practice.rating-provisional" : "practice.rating", Math.round(rating.value), Math.round(2 * rating.deviation), tried.filter(({ solved }) => solved).length, tried.length) : t("practice.unrated"));
  fillSelect($("band"), [["", t("practice.near")], ...collection.bands().map((band) => [String(band), t("puzzle.band", band)])], app.puzzles.band);
  fillSelect($("theme-of"), [["", t("practice.any")], ...collection.themes().map(({ name, names }) => [name, spoken(names)])], app.puzzles.theme);
  for (const [id, entries] of [["band", collection.bands()], ["theme-of", collection.themes()]]) $(id).closest("label").hidden = entries.length === 0;
  const waiting = due().filter((key) => collection.level(key));
  $("practice-again").hidden = !waiting.length;
  setText($("practice-again"), t("practice.again", waiting.length));
  for (const id of BEGINNINGS) $(id).disabled = collection.isEmpty();
  drawRun();
}

// Above the board, where it is seen on every screen: the time that is left, what was solved, and the slips.
function drawRunningClock(run) {
  const shown = isRunning() && app.mode === "puzzles";
  $("run-shown").hidden = !shown;
  $("rule-shown").hidden = shown;
  if (!shown) return;
  setText($("run-time"), clockText(timeLeft()));
  $("run-time").classList.toggle("short", timeLeft() < 20_000);
  setText($("run-count"), `✓ ${run.solved} · ✗ ${run.slips}/${slipsAllowed}`);
  $("run-count").setAttribute("aria-label", t("run.score", run.solved, run.slips, slipsAllowed));
}

export function drawRun() {
  const run = currentRun();
  $("run").hidden = run === null;
  for (const id of BEGINNINGS) $(id).hidden = isRunning();
  if (app.puzzles.way !== "levels") $("practice-next").hidden = true;
  $("practice-stop").hidden = !isRunning();
  drawRunningClock(run);
  if (!run) return;
  $("run").className = `end ${run.over ? "won" : ""}`;
  setText($("run-clock"), run.over ? t("run.over", run.solved, run.best) : clockText(timeLeft()));
  const missed = run.over ? run.missed : [];
  redraw($("run-missed"), [missed, t("you")], () => (missed.length ? [`${t("run.missed")} `, ...missed.map((key) => make("button", { type: "button", class: "move", "data-key": key, onclick: () => page.run(() => puzzles.open(key, { way: "practice" })) }, key.slice(key.lastIndexOf("/") + 1)))] : []));
  setText($("run-score"), run.over ? "" : t("run.score", run.solved, run.slips, slipsAllowed));
}
