// The review of a game: the server finds what is wrong with its moves and what every position is worth; here it is kept and put into words.

import { app } from "./app.js";
import { winLength } from "./engine.js";
import { cellName, other, positionKey as keyOf } from "./game.js";
import { moves as lengthOf, t } from "./i18n.js";
import { newToken, search } from "./network.js";

const MOST_KNOWN = 2000;
// A review goes on where the time of a request ended it.
const MOST_ROUNDS = 50;
const GLYPHS = { "missed win": "??", "losing move": "??", mistake: "?", "dubious move": "?!" };
// By position: what it is worth, { value, plies, won, sure, share }; and by position and move, what is wrong with the move.
const worths = new Map();
const slips = new Map();

const slipKey = (position, [row, col]) => `${keyOf(position)} ${row},${col}`;
export const reviewedWorth = (position) => worths.get(keyOf(position)) ?? null;

// ------------------------------------------------------------------ asking

// The moves after the last node that is no plain move: a review takes no stones that are set up in the middle, and no passes.
function plainPart(tree, line) {
  const isPlain = (id, index) => index === 0 || (tree.nodes[id].move && !tree.nodes[id].setup && tree.nodes[id].move[2] === tree.positionAt(line[index - 1]).to_move);
  const last = line.findLastIndex((id, index) => !isPlain(id, index));
  return line.slice(Math.max(0, last));
}

// Reviews a line of a tree, from its first node on; onFound is called whenever more is known.
export async function review(tree, line, { signal, onFound }) {
  const plain = plainPart(tree, line);
  const [positions, moves] = [plain.map((id) => tree.positionAt(id)), plain.slice(1).map((id) => tree.nodes[id].move.slice(0, 2))];
  for (let [start, rounds] = [0, 0]; start < moves.length && rounds < MOST_ROUNDS; rounds += 1) {
    const learn = (index, worth, reviewed) => {
      remember(worths, keyOf(positions[start + index]), worthOf(worth));
      if (reviewed?.slip) remember(slips, slipKey(positions[start + index - 1], reviewed.move), reviewed);
      onFound(positions[start + index], worthOf(worth));
    };
    const onProgress = ({ done, worth, reviewed }) => { if (worth) learn(done - 1, worth, reviewed); };
    const body = { position: positions[start], moves: moves.slice(start), seconds: app.maxSeconds, token: newToken() };
    const found = await search("review", body, { signal, onProgress });
    if (found.complete || !found.moves.length) return;
    start += found.moves.length;
  }
}

function remember(map, key, value) {
  map.set(key, value);
  if (map.size > MOST_KNOWN) map.delete(map.keys().next().value);
}

// "sure" is who is proven to win, in how many moves is not always known; "won" is who has won.
function worthOf({ winner, plies, score, share }) {
  if (winner && plies === 0) return { won: winner, value: 0, plies: null, share };
  return { value: winner ? (winner === "black" ? 1 : -1) : score, plies, sure: winner, share };
}

// ------------------------------------------------------------------ in words

// { glyph, text } of the move at a node, or null where a review found nothing wrong with it.
export function mistake(tree, id) {
  const { move } = tree.nodes[id];
  if (!move || !slips.size) return null;
  const before = tree.positionAt(tree.parent(id));
  const found = slips.get(slipKey(before, move));
  return found && found.colour === move[2] ? { glyph: GLYPHS[found.slip], text: textOf(found, before, tree.positionAt(id), tree.rows) } : null;
}

function textOf({ slip, move, colour, better_name: better }, before, after, rows) {
  const name = cellName(move, rows);
  const more = better ? t("mistake.better", better) : "";
  if (slip === "missed win") {
    const plies = winLength(before);
    return (plies ? t("mistake.missed", name, lengthOf(plies)) : t("mistake.missed-somehow", name)) + more;
  }
  const plies = winLength(after);
  if (slip === "losing move") return (plies ? t("mistake.loses", name, t(other(colour)), lengthOf(plies)) : t("mistake.loses-somehow", name, t(other(colour)))) + more;
  return t(slip === "mistake" ? "mistake.big" : "mistake.small", name) + more;
}
