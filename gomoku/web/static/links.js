// Links that carry a whole analysis: the moves as in every address, and the tree with its variations, comments and signs, packed.

import * as collection from "./collection.js";
import { Game } from "./game.js";
import { Tree } from "./tree.js";

// Longer links are cut off by programs for mail and chat.
export const MOST_LETTERS = 6000;
// Nobody's analysis is larger; a link that unpacks to more was made to do harm.
const MOST_UNPACKED = 2_000_000;

// What is left out of a link that is too long, one after the other.
const LEFT_OUT = [["comments", withoutComments], ["signs", withoutSigns], ["variations", withoutVariations]];

// { link, dropped }: the link to a place in a tree, and what had to be left out.
export async function linkTo(tree, at, origin) {
  const address = `${origin}/analysis${tree.gameAt(at).toHash()}`;
  if (isBareLine(tree, at)) return { link: address, dropped: [] };
  let [rest, dropped] = [tree, []];
  for (let step = 0; ; step += 1) {
    const link = `${address}&t=${await packed(JSON.stringify(rest))}`;
    if (link.length <= MOST_LETTERS) return { link, dropped };
    if (step === LEFT_OUT.length) return { link: address, dropped: [...dropped, "later"] };
    const [name, without] = LEFT_OUT[step];
    const less = without(rest, at);
    if (JSON.stringify(less) !== JSON.stringify(rest)) dropped = [...dropped, name];
    rest = less;
  }
}

// A tree that is no more than the moves up to the place: every address says that.
function isBareLine(tree, at) {
  return tree.nodes.length === tree.path(at).length && tree.gameAt(at).length === tree.nodes.length - 1 && tree.nodes.every((node) => !node.comment && !node.marks && !node.labels) && !Object.keys(tree.info).length;
}

const changed = (tree, change) => new Tree({ ...tree.toJSON(), nodes: tree.nodes.map(change) });

function withoutComments(tree) {
  return changed(tree, ({ comment: _, ...node }) => node);
}

function withoutSigns(tree) {
  return changed(tree, ({ marks: _, labels: __, ...node }) => node);
}

// The line through the place alone.
function withoutVariations(tree, at) {
  const nodes = tree.line(at).map((id, index) => (index ? { ...tree.nodes[id], parent: index - 1 } : tree.nodes[id]));
  return new Tree({ ...tree.toJSON(), nodes });
}

// The tree in a link's fragment; null where there is none that can be read.
export async function treeIn(hash) {
  const text = new URLSearchParams(hash.replace(/^#/, "")).get("t");
  if (!text) return null;
  try {
    return Tree.checked(JSON.parse(await unpacked(text)));
  } catch {
    return null;
  }
}

// The game of one of the page's own addresses, as a tree; null where the text is none.
export async function readLink(text) {
  const found = /^\s*(?:https?:\/\/[^\s/]+)?(\/[^\s#]*)?(#\S*)\s*$/i.exec(text);
  const hash = found?.[2] ?? "";
  const tree = await treeIn(hash);
  if (tree) return tree;
  const game = Game.fromHash(hash) ?? (found ? await puzzleGame(found[1] ?? "", hash) : null);
  return game ? Tree.fromGame(game) : null;
}

// A puzzle's address names its level, and the moves that were played.
async function puzzleGame(path, hash) {
  const level = /^\/puzzles\/(?:([\w-]+)\/)?(\d+)$/.exec(path);
  if (!level) return null;
  await collection.loadPuzzles();
  const found = collection.level(collection.keyOf(level[1] ?? null, Number(level[2])));
  const moves = new URLSearchParams(hash.slice(1)).get("m") ?? "";
  return found ? Game.fromHash(`${Game.fromPosition(found.position).toHash()}&m=${moves}`) : null;
}

// ------------------------------------------------------------------ packing

async function packed(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text), Infinity);
  let letters = "";
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(text) {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes, MOST_UNPACKED));
}

async function through(stream, bytes, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw new RangeError("the link holds too much");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// ------------------------------------------------------------------ moves with numbers

// The moves of "1. h8 i9 2. i8", "1.h82.i93.i8" or "h8-i9-i8", as the notation of moves has them; null for other texts.
export function plainMoves(text) {
  const bare = text.trim();
  if (/^[a-z]\d{1,2}(?:\s*[-–—,;]\s*[a-z]\d{1,2})+$/i.test(bare)) return bare.match(/[a-z]\d{1,2}/gi).join(" ");
  if (!/^1\s*[.)]/.test(bare)) return null;
  const segments = [];
  let rest = bare.replace(/^1\s*[.)]+/, "");
  for (let number = 2; ; number += 1) {
    const next = new RegExp(`^(\\s*[a-z]\\d{1,2}?.*?)(?<!\\d\\.)${number}\\s*[.)]+`, "is").exec(rest);
    if (!next) break;
    segments.push(next[1]);
    rest = rest.slice(next[0].length);
  }
  const cells = [...segments, rest].map((segment) => segment.replace(/[!?⚑●○]/g, " ").split(/[\s.…-]+/).filter(Boolean));
  return cells.flat().every((name) => /^[a-z]\d{1,2}$/i.test(name)) && cells.every((names) => names.length) ? cells.flat().join(" ") : null;
}
