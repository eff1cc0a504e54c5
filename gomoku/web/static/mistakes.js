// What a review finds: moves after which the side that played them stands much worse than before, or that missed a win.

import { evaluation, share } from "./engine.js";
import { cellName, other } from "./game.js";
import { moves, t } from "./i18n.js";

const [SMALL, BIG] = [0.12, 0.3];

// { glyph, text } of the move at a node, or null where nothing is wrong with it or too little is known.
export function mistake(tree, id) {
  const { move } = tree.nodes[id];
  if (!move) return null;
  const [before, after] = [tree.parent(id), id].map((at) => evaluation(tree.positionAt(at)));
  if (!before || !after) return null;
  const name = cellName(move, tree.rows);
  if (wins(before, move[2]) && !wins(after, move[2])) return { glyph: "??", text: t("mistake.missed", name, moves(before.plies)) };
  if (wins(after, other(move[2])) && !wins(before, other(move[2]))) return { glyph: "??", text: t("mistake.loses", name, t(other(move[2])), moves(after.plies)) };
  const lost = (share(before) - share(after)) * (move[2] === "black" ? 1 : -1);
  if (lost >= BIG) return { glyph: "?", text: t("mistake.big", name) };
  return lost >= SMALL ? { glyph: "?!", text: t("mistake.small", name) } : null;
}

function wins(found, colour) {
  if (found.won) return found.won === colour;
  return found.plies !== null && found.plies !== undefined && found.value > 0 === (colour === "black");
}
