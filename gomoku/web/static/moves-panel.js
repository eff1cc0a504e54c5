// The tree of an analysis as text: the main line, variations set in, comments and signs; every move can be clicked.

import * as analysis from "./analysis.js";
import { app } from "./app.js";
import { $, make, redraw, setText } from "./dom.js";
import { cellName } from "./game.js";
import { t } from "./i18n.js";
import { mistake } from "./mistakes.js";

const page = {};
export const connectMovesPanel = (actions) => Object.assign(page, actions);

const DEEPEST = 8;

export function drawMovesPanel() {
  const tree = analysis.tree();
  const at = analysis.at();
  const mistakes = new Map(known(tree).flatMap((id) => { const found = mistake(tree, id); return found ? [[id, found]] : []; }));
  redraw($("tree"), [tree.revision, t("you"), [...mistakes]], () => (tree.nodes.length > 1 || tree.nodes[0].comment ? written(tree, mistakes) : [make("p", { class: "quiet" }, t("tree.none"))]));
  const chosen = $("tree").querySelector(`[data-node="${at}"]`);
  const before = $("tree").querySelector("[aria-current]");
  if (before !== chosen) {
    before?.removeAttribute("aria-current");
    chosen?.setAttribute("aria-current", "step");
    if (chosen) keepInSight($("tree"), chosen);
  }
  const inVariation = tree.path(at).some((id) => id && tree.children[tree.nodes[id].parent][0] !== id);
  $("promote").disabled = !inVariation;
  $("delete").disabled = at === 0;
  if (document.activeElement !== $("comment")) $("comment").value = tree.nodes[at].comment ?? "";
  for (const button of $("signs").querySelectorAll("button")) button.setAttribute("aria-pressed", String((app.analysis.sign ?? "") === button.dataset.sign));
  setText($("tree-names"), ["PB", "PW"].map((key) => tree.info[key]).filter(Boolean).join(" – "));
}

// The moves that may have been judged, in whichever variation.
const known = (tree) => [...tree.nodes.keys()].slice(1);

function keepInSight(panel, chosen) {
  const [top, bottom] = [chosen.offsetTop - panel.offsetTop, chosen.offsetTop - panel.offsetTop + chosen.offsetHeight];
  if (top < panel.scrollTop || bottom > panel.scrollTop + panel.clientHeight) panel.scrollTop = top - panel.clientHeight / 2;
}

// A walk without recursion, however deep variations lie in each other.
function written(tree, mistakes) {
  const top = make("div", { class: "line-text main" });
  if (tree.nodes[0].comment) top.append(make("span", { class: "comment" }, tree.nodes[0].comment));
  const waiting = [{ id: tree.children[0][0], box: top, number: 1, depth: 0, siblings: tree.children[0].slice(1) }];
  while (waiting.length) {
    const { id, box, number, depth, siblings = [] } = waiting.pop();
    if (id === undefined) continue;
    box.append(...moveText(tree, id, number, mistakes.get(id)));
    const [next, ...others] = tree.children[id];
    const step = tree.nodes[id].move ? 1 : 0;
    const after = [];
    for (const sibling of siblings) {
      const inner = make("div", { class: `line-text variation${depth >= DEEPEST ? " deepest" : ""}` });
      box.append(inner);
      after.push({ id: sibling, box: inner, number, depth: depth + 1 });
    }
    if (next !== undefined) waiting.push({ id: next, box, number: number + step, depth, siblings: others });
    waiting.push(...after.reverse());
  }
  return [top];
}

function moveText(tree, id, number, wrong) {
  const { move, pass, comment, marks = [], labels = [] } = tree.nodes[id];
  const name = move ? cellName(move, tree.rows) : pass ? t("pass") : "◇";
  const signs = marks.length + labels.length ? " ⚑" : "";
  const button = make("button", { type: "button", class: `move ${move ? move[2] : ""}`, "data-key": id, "data-node": id, "aria-label": (move ? t("move.to", number, name) : name) + (wrong ? ` (${wrong.text})` : ""), title: wrong?.text, onclick: () => page.run(() => analysis.go(id)) }, make("span", { class: "move-number" }, move ? `${number}.` : ""), `${name}${signs}`, wrong ? make("span", { class: "glyph" }, wrong.glyph) : null);
  return [button, ...(comment ? [make("span", { class: "comment" }, comment)] : [])];
}
