// The panel beside a puzzle: its level, how it goes, and all levels with those that are solved.

import { app, solvedLevels } from "./app.js";
import { $, make, redraw, setText } from "./dom.js";
import { t } from "./i18n.js";
import { drawMoveList } from "./play-panel.js";
import * as puzzles from "./puzzles.js";

const page = {};
export const connectPuzzlesPanel = (actions) => Object.assign(page, actions);

export function drawPuzzlesPanel() {
  const solved = solvedLevels();
  const { level } = app.puzzles;
  setText($("puzzle-level"), level === null ? t("puzzle.title") : t("puzzle.level", level));
  setText($("puzzle-text"), puzzleText());
  $("puzzle-card").className = `end ${{ solved: "won", lost: "lost" }[puzzles.outcome()] ?? ""}`;
  setText($("puzzle-progress"), t("puzzle.progress", solved.size, app.levels.length));
  const [chosen, over] = [level !== null, app.facts.over];
  $("puzzle-again").disabled = !chosen || !puzzles.game().length;
  $("puzzle-next").disabled = !app.levels.length;
  $("puzzle-next").classList.toggle("primary", puzzles.outcome() === "solved" || !chosen);
  $("puzzle-prove").disabled = !chosen || over || app.running !== null || app.proof !== null || puzzles.game().turn !== puzzles.you();
  $("puzzle-analyse").disabled = !chosen;
  redraw($("levels"), [app.levels.map(({ number }) => number), [...solved], level, t("levels")], () => app.levels.map(({ number }) => levelButton(number, solved.has(number), number === level)));
  drawMoveList($("puzzle-moves"), puzzles.game(), app.puzzles.at, puzzles.look);
}

function puzzleText() {
  if (app.puzzles.level === null) return t("puzzle.about");
  const outcome = puzzles.outcome();
  if (outcome) return t(`puzzle.${outcome}`, app.puzzles.level);
  return t("puzzle.find");
}

function levelButton(number, done, current) {
  const label = t("puzzle.level", number) + (done ? ` (${t("puzzle.solved-mark")})` : "");
  return make("button", { type: "button", class: done ? "solved" : null, "data-level": number, "data-key": number, "aria-current": current ? "true" : null, "aria-label": label, onclick: () => page.run(() => puzzles.open(number)) }, done ? `✓ ${number}` : String(number));
}
