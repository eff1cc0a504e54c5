// The board as SVG: drawn from a description, no state of its own but the cell that has the keyboard's focus.

import { cellName } from "./game.js";
import { t } from "./i18n.js";

const SVG = "http://www.w3.org/2000/svg";

function make(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function gradient(id, light, dark) {
  return make("radialGradient", { id, cx: "35%", cy: "30%", r: "75%" }, make("stop", { offset: "0", "stop-color": light }), make("stop", { offset: "1", "stop-color": dark }));
}

function starPoints(rows, cols) {
  const along = (side) => (side < 9 ? [] : [3, side - 4]);
  const points = along(rows).flatMap((row) => along(cols).map((col) => [row, col]));
  if (rows % 2 && cols % 2) points.push([(rows - 1) / 2, (cols - 1) / 2]);
  return points;
}

export class BoardView {
  constructor(container, { onPlay, onPoint }) {
    this.container = container;
    this.onPlay = onPlay;
    this.onPoint = onPoint;
    this.focus = null;
    container.addEventListener("keydown", (event) => this.key(event));
  }

  // picture: { game, numbers, forbidden, won, hint, heat, candidates, busy, ghost }
  draw(picture) {
    this.picture = picture;
    const { rows, cols } = picture.game;
    const hadFocus = this.container.contains(document.activeElement) && document.activeElement !== this.container;
    this.focus ??= [(rows - 1) >> 1, (cols - 1) >> 1];
    this.focus = [Math.min(this.focus[0], rows - 1), Math.min(this.focus[1], cols - 1)];
    const svg = make("svg", { viewBox: `-1.1 -0.8 ${cols + 1.0} ${rows + 1.0}`, role: "grid", "aria-rowcount": rows, "aria-colcount": cols, "aria-label": t("board"), class: picture.busy ? "busy" : null });
    svg.append(make("defs", {}, gradient("black-stone", "#666", "#0c0c0c"), gradient("white-stone", "#fff", "#d5d5d5")));
    svg.append(this.wood(rows, cols), this.heat(), this.cells(), this.marks());
    this.container.replaceChildren(svg);
    if (hadFocus) this.element(this.focus)?.focus();
  }

  wood(rows, cols) {
    const group = make("g", { "aria-hidden": "true" }, make("rect", { class: "wood", rx: 0.25, x: -1.1, y: -0.8, width: cols + 1.0, height: rows + 1.0 }));
    for (let row = 0; row < rows; row += 1) {
      group.append(make("line", { class: "grid", x1: 0, x2: cols - 1, y1: row, y2: row }), this.coordinate(-0.8, row, rows - row));
    }
    for (let col = 0; col < cols; col += 1) {
      group.append(make("line", { class: "grid", y1: 0, y2: rows - 1, x1: col, x2: col }), this.coordinate(col, rows - 0.25, String.fromCharCode(97 + col)));
    }
    for (const [row, col] of starPoints(rows, cols)) group.append(make("circle", { class: "star", cx: col, cy: row, r: 0.1 }));
    return group;
  }

  coordinate(x, y, text) {
    return make("text", { class: "coord", x, y }, String(text));
  }

  heat() {
    const group = make("g", { "aria-hidden": "true" });
    const values = this.picture.heat;
    if (!values) return group;
    const flat = values.flat().filter((value) => value !== null).sort((a, b) => a - b);
    // Half of the cells are no better than playing elsewhere: only what stands out from them is shown.
    const [usual, high] = [flat[flat.length >> 1], flat.at(-1)];
    values.forEach((line, row) => line.forEach((value, col) => {
      if (value === null || value <= usual) return;
      const share = Math.sqrt((value - usual) / (high - usual));
      if (share < 0.3) return;
      group.append(make("circle", { class: "heat", cx: col, cy: row, r: 0.46, fill: `hsl(${Math.round(210 - 205 * share)} 85% 52%)`, "fill-opacity": (0.12 + 0.7 * share).toFixed(2) }));
      if (share > 0.4) group.append(make("text", { class: "heat-text", x: col, y: row }, shortened(value)));
    }));
    return group;
  }

  cells() {
    const { game } = this.picture;
    const group = make("g");
    this.elements = new Map();
    const stones = game.stones();
    for (let row = 0; row < game.rows; row += 1) {
      const line = make("g", { role: "row", "aria-rowindex": row + 1 });
      for (let col = 0; col < game.cols; col += 1) line.append(this.cell([row, col], stones.get(`${row},${col}`)));
      group.append(line);
    }
    return group;
  }

  cell(cell, stone) {
    const [row, col] = cell;
    const focused = String(cell) === String(this.focus);
    const name = cellName(cell, this.picture.game.rows);
    const group = make("g", { class: "cell", role: "gridcell", tabindex: focused ? 0 : -1, "aria-colindex": col + 1, "aria-label": this.label(name, cell, stone), "data-cell": name });
    if (stone) group.append(...this.stone(row, col, stone));
    else if (this.picture.ghost) group.append(make("circle", { class: `ghost s${this.picture.ghost === "black" ? 1 : 2}`, cx: col, cy: row, r: 0.44 }));
    group.append(make("rect", { class: "hit", x: col - 0.5, y: row - 0.5, width: 1, height: 1 }));
    group.addEventListener("click", (event) => { this.focus = cell; this.onPlay(cell, event.pointerType); });
    group.addEventListener("pointerenter", () => this.onPoint(cell));
    group.addEventListener("focus", () => { this.onPoint(cell); });
    this.elements.set(String(cell), group);
    return group;
  }

  label(name, cell, stone) {
    if (stone) return t(`cell.${stone.colour}`, name);
    const forbidden = this.picture.forbidden?.some((other) => String(other) === String(cell));
    return t(forbidden ? "cell.forbidden" : "cell.empty", name);
  }

  stone(row, col, { colour, number }) {
    const kind = colour === "black" ? 1 : 2;
    const parts = [make("circle", { class: `s${kind}`, cx: col, cy: row, r: 0.44 })];
    if (this.picture.numbers && number) parts.push(make("text", { class: `number on${kind}`, x: col, y: row }, String(number)));
    return parts;
  }

  marks() {
    const { game, forbidden, won, hint, numbers, candidates } = this.picture;
    const group = make("g", { "aria-hidden": "true", "pointer-events": "none" });
    for (const [row, col] of forbidden ?? []) {
      group.append(...[[-1, -1], [-1, 1]].map(([a, b]) => make("line", { class: "forbidden", x1: col + 0.2 * a, y1: row + 0.2 * b, x2: col - 0.2 * a, y2: row - 0.2 * b })));
    }
    if (game.last && !numbers) group.append(make("circle", { class: "last", cx: game.last[1], cy: game.last[0], r: 0.16 }));
    for (const [row, col] of won ?? []) group.append(make("circle", { class: "won", cx: col, cy: row, r: 0.44 }));
    candidates.forEach(({ cell: [row, col] }, index) => {
      group.append(make("circle", { class: "candidate", cx: col, cy: row, r: 0.36 }), make("text", { class: "number candidate-rank", x: col, y: row }, String(index + 1)));
    });
    if (hint) group.append(make("circle", { class: "hint-mark", cx: hint[1], cy: hint[0], r: 0.4 }));
    return group;
  }

  element(cell) {
    return this.elements?.get(String(cell));
  }

  key(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step) this.move(step);
    else if (event.key === "Enter" || event.key === " ") this.onPlay(this.focus);
    else return;
    event.preventDefault();
  }

  move([down, right]) {
    const { rows, cols } = this.picture.game;
    const target = [this.focus[0] + down, this.focus[1] + right];
    if (target[0] < 0 || target[0] >= rows || target[1] < 0 || target[1] >= cols) return;
    this.element(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = target;
    this.element(target).setAttribute("tabindex", "0");
    this.element(target).focus();
  }
}

function shortened(value) {
  const size = Math.abs(value);
  if (size < 1000) return String(value);
  return size < 1e6 ? `${Math.round(value / 100) / 10}k` : `${Math.round(value / 1e5) / 10}M`;
}
