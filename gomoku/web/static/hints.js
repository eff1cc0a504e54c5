// Hints in stages: first the part of the board, then the idea, then the move.

import { t } from "./i18n.js";
import { cellName, other } from "./game.js";
import { post } from "./network.js";
import { listed } from "./why.js";

const REACH = 2;
const MADE = ["five", "live-four", "two-fours", "rush-four", "live-three"];
const STOPPED = ["five", "live-four", "two-fours", "rush-four", "live-three"];
export const STAGES = 3;

// { stage, cell, area, makes, stops }: what is known of the best move, and how much of it is told.
export async function firstHint(position, cell, signal) {
  const { makes, stops } = await post("why", { position, cell }, signal);
  const kinds = (shapes, which) => shapes.map(({ kind }) => kind).filter((kind) => which.includes(kind));
  return { stage: 1, cell, colour: position.to_move, area: areaAround(cell, position), makes: kinds(makes, MADE), stops: kinds(stops, STOPPED) };
}

export const nextHint = (hint) => ({ ...hint, stage: Math.min(hint.stage + 1, STAGES) });

// Five by five cells that hold the move, but not always in their middle.
function areaAround([row, col], { rows, cols }) {
  const shift = (number) => (number * 7) % (2 * REACH + 1) - REACH;
  const place = (at, by, end) => Math.max(0, Math.min(at + by - REACH, end - 1 - 2 * REACH));
  const [top, left] = [place(row, shift(row + 3 * col), rows), place(col, shift(col + 5 * row), cols)];
  return { top, left, bottom: Math.min(top + 2 * REACH, rows - 1), right: Math.min(left + 2 * REACH, cols - 1) };
}

export function hintText({ stage, cell, colour, makes, stops }, rows) {
  const words = { 1: () => t("hint.area"), 2: () => ideaText(colour, makes, stops), 3: () => t("hint.move", cellName(cell, rows)) }[stage]();
  return t("hint.stage", stage, STAGES, words);
}

function ideaText(colour, makes, stops) {
  const made = listed(makes.map((kind) => t(`shape.${kind}`)));
  const stopped = listed(stops.map((kind) => t("why.theirs", t(other(colour)), t(`theirs.${kind}`))));
  if (made && stopped) return t("hint.both", made, stopped);
  if (made) return t("hint.makes", made);
  return stopped ? t("hint.stops", stopped) : t("hint.quiet");
}
