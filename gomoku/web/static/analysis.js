// Analysis: a tree of moves in which both sides move freely. State in app.analysis; what can be done with it.

import { app, freshAnalysis } from "./app.js";
import { foulAt } from "./facts.js";
import { cellName } from "./game.js";
import { clearNotice, notice, offerBack, refuse } from "./notices.js";
import { Tree } from "./tree.js";

const page = {};
export const connectAnalysis = (actions) => Object.assign(page, actions);

export const tree = () => app.analysis.tree;
export const at = () => app.analysis.at;
export const view = () => tree().viewAt(at());
export const position = () => tree().positionAt(at());

// ------------------------------------------------------------------ walking

export function go(id) {
  if (id === null || id === undefined || id === at()) return undefined;
  app.analysis.at = id;
  tree().visit(id);
  clearNotice();
  return page.refresh();
}

export const back = () => go(tree().parent(at()));
export const forward = () => go(tree().next(at()));
export const toStart = () => go(0);
export const toEnd = () => go(tree().line(at()).at(-1));
export const step = (by) => (by < 0 ? back() : forward());

// ------------------------------------------------------------------ playing and writing

export function playCell(cell) {
  const { sign } = app.analysis;
  if (sign) {
    tree().sign(at(), cell, sign);
    return page.refresh();
  }
  if (app.facts.winner || !view().isEmpty(cell)) return undefined;
  const foul = foulAt(cell, tree().turnAt(at()));
  if (foul) return refuse(cellName(cell, tree().rows), foul);
  return go(tree().play(at(), cell));
}

// The moves of an engine's line, up to the one that was chosen.
export function playLine(cells) {
  let id = at();
  for (const cell of cells) id = tree().play(id, cell);
  return go(id);
}

export function comment(text) {
  tree().change(at(), "comment", text.trim());
  page.keep();
}

export function promote() {
  const changed = tree().promote(at());
  Object.assign(app.analysis, { tree: changed.tree, at: changed.at });
  changed.tree.visit(changed.at);
  return page.refresh();
}

export function remove() {
  if (!at()) return undefined;
  const before = new Tree(structuredClone(tree().toJSON()));
  const [place, count] = [at(), tree().nodes.length];
  const changed = tree().without(place);
  Object.assign(app.analysis, { tree: changed.tree, at: changed.at });
  notice("tree.deleted", [count - changed.tree.nodes.length], { key: "bring-back", act: () => restore(freshAnalysis(before, place)) }, "quiet");
  return page.refresh();
}

// ------------------------------------------------------------------ another game on the board

export function replace(next, place = 0) {
  const before = app.analysis;
  app.analysis = freshAnalysis(next, place);
  next.visit(place);
  Object.assign(app, { proof: null, keptProof: null });
  clearNotice();
  if (before.tree.nodes.length > 1 || before.tree.nodes[0].setup) offerBack("analysis.replaced", () => restore(before));
}

function restore(before) {
  app.analysis = before;
  page.navigate("push");
  page.refresh().catch(page.failed);
}

export function turned(how) {
  Object.assign(app.analysis, { tree: tree().turned(how) });
  return page.refresh();
}

export function fresh() {
  const { rows, cols, rule } = tree();
  replace(new Tree({ rows, cols, rule }));
  page.navigate("push");
  return page.refresh();
}
