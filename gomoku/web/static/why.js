// "Why this move?" in words: what it makes, what it stops, what it threatens, and the proof where there is one.

import * as analysis from "./analysis.js";
import { app } from "./app.js";
import { $, make, redraw, setText } from "./dom.js";
import { aside, evaluation, knownWin, learnWin } from "./engine.js";
import { cellName, other } from "./game.js";
import { moves, t } from "./i18n.js";
import { mistake } from "./mistakes.js";
import { post } from "./network.js";
import { inTime } from "./searching.js";

const SECONDS = 2;
const TELLING = ["five", "overline", "live-four", "two-fours", "rush-four", "live-three"];
// What these are is said below.
const GLOSSED = ["live-four", "two-fours", "rush-four", "live-three"];
const TWOS = ["live-two"];
const FOURS = ["live-four", "two-fours", "rush-four"];
const page = {};
export const connectWhy = (actions) => Object.assign(page, actions);

// { at, name, answer, before, after, threat, shapes }: what has been learnt so far of the move at a node.
let told = null;
let asking = null;

export const whyShapes = () => (told?.at === analysis.at() && told.tree === analysis.tree() && told.open ? told.shapes : []);

export function closeWhy() {
  asking?.abort();
  told = null;
}

// A move that is no longer the one on the board needs no explanation.
export function keepWhy() {
  if (told && (told.at !== analysis.at() || told.tree !== analysis.tree() || app.mode !== "analysis")) closeWhy();
}

export async function askWhy() {
  const [tree, at] = [analysis.tree(), analysis.at()];
  const { move } = tree.nodes[at];
  closeWhy();
  if (!move) {
    told = { tree, at, open: true, shapes: [], first: true };
    return page.draw();
  }
  const cell = move.slice(0, 2);
  const about = (told = { tree, at, open: true, shapes: [], name: cellName(cell, tree.rows), colour: move[2], answer: null, before: null, after: null, threat: null, done: false });
  asking = new AbortController();
  page.draw();
  const before = { ...tree.positionAt(tree.parent(at)), to_move: move[2] };
  about.answer = await post("why", { position: before, cell }, asking.signal);
  about.shapes = about.answer.makes.filter(({ kind }) => TELLING.includes(kind)).flatMap(({ cells }) => cells);
  page.draw();
  const { signal } = asking;
  await aside(() => learnWins(about, before, tree.positionAt(at), signal));
  about.done = true;
  return page.draw();
}

// Was there a win, does the other side win after it, and would a second move in a row win? Three short searches.
async function learnWins(about, before, after, signal) {
  const solve = async (position) => {
    const found = await post("solve", { position, shortest: true, seconds: inTime(SECONDS) }, signal);
    learnWin(position, found);
    return { ...found, position };
  };
  const facts = await page.facts(after);
  about.before = await solve(before);
  page.draw();
  if (facts.over) return;
  about.after = await solve(after);
  if (about.after.status === "proven") return;
  if (!about.before.proof || about.before.name !== about.name) about.threat = await solve({ ...after, to_move: about.colour }).catch(() => null);
}

// ------------------------------------------------------------------ words

export function drawWhy() {
  const panel = $("why-panel");
  const open = told !== null && told.open;
  panel.hidden = !open;
  $("why").setAttribute("aria-expanded", String(open));
  if (!open) return;
  setText($("why-title"), told.first ? t("why") : t("why.title", told.name));
  redraw($("why-text"), [t("why"), told.first, told.answer, told.before?.name, told.after?.status, told.threat?.status, told.done, told.first ? [] : winSentences()], sentences);
}

function sentences() {
  if (told.first) return [make("p", {}, t("why.first"))];
  if (!told.answer) return [make("p", {}, t("why.asking"))];
  const lines = [...shapeSentences(told.answer), ...mistakeSentence(), ...winSentences()].map((text) => make("p", {}, text));
  if (!told.done) lines.push(make("p", { class: "quiet" }, t("why.asking")));
  const glossed = [...told.answer.makes, ...told.answer.stops].map(({ kind }) => kind).filter((kind, at, all) => GLOSSED.includes(kind) && all.indexOf(kind) === at);
  if (glossed.length) lines.push(make("p", { class: "quiet" }, glossed.map((kind) => t(`gloss.${kind}`)).join(" ")));
  const proof = told.before?.proof && told.before.name === told.name ? told.tree.parent(told.at) : told.after?.proof ? told.at : told.before?.proof ? told.tree.parent(told.at) : null;
  if (proof !== null) lines.push(make("button", { type: "button", id: "why-proof", onclick: () => page.run(() => page.proofAt(proof)) }, t("why.show")));
  return lines;
}

function shapeSentences({ makes, stops, forbidden, name, colour }) {
  if (forbidden) return [t("why.forbidden", t(`foul.${forbidden}`))];
  const made = makes.filter(({ kind }) => TELLING.includes(kind));
  const stopped = stops.filter(({ kind }) => TELLING.includes(kind));
  const lines = [];
  if (made.length) lines.push(t("why.makes", name, placed(made)));
  if (made.length > 1 && made[0].kind !== "five") lines.push(t("why.double"));
  else if (made.length && FOURS.includes(made[0].kind)) lines.push(t("why.must"));
  if (stopped.length) lines.push(t("why.stops", listed(stopped.map(({ kind }) => t("why.theirs", t(other(colour)), t(`theirs.${kind}`))))));
  if (lines.length) return lines;
  const twos = makes.filter(({ kind }) => TWOS.includes(kind));
  return [twos.length ? t("why.makes", name, placed(twos)) : t("why.nothing")];
}

// A mistake that a review found is said first.
function mistakeSentence() {
  const found = mistake(told.tree, told.at);
  return found && found.glyph !== "??" ? [found.text] : [];
}

function winSentences() {
  const { before, after, threat, name, colour } = told;
  const lines = [];
  const [missed, lost, threatened] = [before, after, threat].map((found) => (found?.status === "proven" ? wonAs(found) : null));
  if (missed && (missed.name === name || before.name === name)) lines.push(t("why.proven", moves(missed.name === name ? missed.plies : before.length)));
  else if (missed) lines.push(t("why.missed", missed.name, moves(missed.plies)));
  if (lost) lines.push(t("why.loses", t(other(colour)), moves(lost.plies), lost.name));
  if (threatened) lines.push(t("why.threatens", moves(threatened.plies), threatened.name));
  return [...lines, ...engineSentence()];
}

// The length that is said everywhere, and the move that begins the win.
function wonAs({ position, length, name }) {
  const win = knownWin(position);
  return { plies: win?.plies ?? length, name: win?.name ?? name };
}

function engineSentence() {
  const parent = told.tree.parent(told.at);
  const best = evaluation(told.tree.positionAt(parent))?.lines[0];
  if (!best) return [];
  const choice = cellName(best.cell, told.tree.rows);
  return [choice === told.name ? t("why.agrees") : t("why.prefers", choice)];
}

const placed = (shapes) => listed(shapes.map(({ kind, line }) => t("shape.on", t(`shape.${kind}`), t(`line.${line}`))));

export function listed(texts) {
  if (texts.length < 2) return texts.join("");
  return texts.slice(0, -1).join(t("why.comma")) + t("why.and") + texts.at(-1);
}
