// The board as SVG: drawn from a description. What stays as it was is not drawn anew, so nothing flickers and the focus stays.

import { makeSvg } from "./dom.js";
import { cellName, parseName } from "./game.js";
import { t } from "./i18n.js";

// Room for the coordinates on the left and below; on the other sides only for the stones.
const [COORDINATES, EDGE] = [1.02, 0.68];
const SMALL_CELL = 30;
const SWIPE = 45;
// How long a finger rests that holds a cell, in milliseconds, and how far it may move, in pixels.
const [LONG_PRESS, RESTS] = [500, 10];

export class BoardView {
  // onPlay(cell), onPoint(cell or null), onHold(cell) -> whether it is held, onSwipe(-1 or 1), confirms() -> whether a finger has to tap twice
  constructor(container, handlers) {
    Object.assign(this, { container, ...handlers, focus: null, chosen: null, size: "" });
    container.addEventListener("keydown", (event) => this.key(event));
    container.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") this.onPoint(null); });
    this.watchSwipes();
  }

  // picture: { game, numbers, forbidden, won, hint, area, heat, candidates, line, signs, busy, ghost, shapes }
  draw(picture) {
    this.picture = picture;
    const { rows, cols } = picture.game;
    const size = `${rows}x${cols}`;
    if (this.size !== size) this.build(rows, cols);
    this.size = size;
    this.svg.setAttribute("class", picture.busy ? "busy" : "");
    this.svg.setAttribute("aria-label", t("board"));
    if (this.chosen && !picture.game.isEmpty(this.chosen)) this.chosen = null;
    this.drawStones();
    this.drawHeat();
    this.drawMarks();
    this.drawChosen();
  }

  // ---------------------------------------------------------------- made once for a size

  build(rows, cols) {
    this.focus = [(rows - 1) >> 1, (cols - 1) >> 1];
    this.chosen = null;
    this.stones = new Map();
    this.cells = new Map();
    const [width, height] = [cols - 1 + COORDINATES + EDGE, rows - 1 + COORDINATES + EDGE];
    this.container.style.setProperty("--ratio", String(width / height));
    this.container.style.setProperty("--coordinate", `${Math.min(0.36, 0.024 * Math.max(rows, cols)).toFixed(3)}px`);
    this.svg = makeSvg("svg", { viewBox: `${-COORDINATES} ${-EDGE} ${width} ${height}`, role: "grid", "aria-rowcount": rows, "aria-colcount": cols });
    const layer = (name) => (this[name] = makeSvg("g", { "aria-hidden": "true", class: `layer-${name}` }));
    this.svg.append(
      makeSvg("defs", {}, gradient("black-stone", "#6a6a6a", "#0d0d0d"), gradient("white-stone", "#ffffff", "#d3d3d3")),
      wood(rows, cols, width, height), layer("heat"), layer("stoneLayer"), this.grid(rows, cols), layer("marks"), layer("choice"),
    );
    this.container.replaceChildren(this.svg);
  }

  grid(rows, cols) {
    const group = makeSvg("g");
    for (let row = 0; row < rows; row += 1) {
      const line = makeSvg("g", { role: "row", "aria-rowindex": row + 1 });
      for (let col = 0; col < cols; col += 1) line.append(this.cell([row, col], rows));
      group.append(line);
    }
    return group;
  }

  cell(cell, rows) {
    const [row, col] = cell;
    const focused = String(cell) === String(this.focus);
    const group = makeSvg("g", { class: "cell", role: "gridcell", tabindex: focused ? 0 : -1, "aria-colindex": col + 1, "data-cell": cellName(cell, rows) });
    const ghost = makeSvg("circle", { class: "ghost", cx: col, cy: row, r: 0.45 });
    group.append(ghost, makeSvg("rect", { class: "hit", x: col - 0.5, y: row - 0.5, width: 1, height: 1 }));
    // A click leaves the keyboard's focus where it is: the arrow keys then walk through the game, not over the board.
    group.addEventListener("mousedown", (event) => event.preventDefault());
    group.addEventListener("click", (event) => this.clicked(cell, event));
    group.addEventListener("pointerenter", (event) => { if (event.pointerType !== "touch") this.onPoint(cell); });
    group.addEventListener("focus", () => { this.focusOn(cell); this.onPoint(cell); });
    this.cells.set(String(cell), { group, ghost, label: "" });
    return group;
  }

  // ---------------------------------------------------------------- what changes

  drawStones() {
    const { game, numbers, ghost } = this.picture;
    const now = game.stones();
    const lands = [...now.keys()].filter((key) => !this.stones.has(key)).length === 1;
    for (const [key, stone] of this.stones) {
      const still = now.get(key);
      if (still?.colour === stone.colour) continue;
      stone.element.remove();
      this.stones.delete(key);
    }
    for (const [key, { colour, number }] of now) {
      const shown = numbers && number ? String(number) : "";
      const stone = this.stones.get(key) ?? this.putStone(key, colour, lands);
      if (stone.text !== shown) this.number(stone, key, shown);
    }
    for (const [key, cell] of this.cells) this.describe(cell, key, now.get(key), ghost);
  }

  putStone(key, colour, lands) {
    const [row, col] = key.split(",").map(Number);
    const element = makeSvg("g", { class: lands ? "lands" : null }, makeSvg("circle", { class: `s-${colour}`, cx: col, cy: row, r: 0.46 }));
    const stone = { element, colour, text: "" };
    this.stoneLayer.append(element);
    this.stones.set(key, stone);
    return stone;
  }

  number(stone, key, text) {
    stone.text = text;
    stone.element.querySelector("text")?.remove();
    const [row, col] = key.split(",").map(Number);
    if (text) stone.element.append(makeSvg("text", { class: `number on-${stone.colour}`, x: col, y: row }, text));
  }

  describe(cell, key, stone, ghost) {
    const { game, forbidden = new Map() } = this.picture;
    const name = cell.group.dataset.cell;
    const foul = forbidden.get(key);
    const label = stone ? t(`cell.${stone.colour}`, name) : foul ? t("cell.forbidden", name, t(`foul.${foul}`)) : t("cell.empty", name);
    if (cell.label !== label) cell.group.setAttribute("aria-label", (cell.label = label));
    cell.ghost.setAttribute("class", `ghost${stone || !ghost ? "" : ` s-${ghost}`}${ghost && game.isEmpty(key.split(",")) ? "" : " taken"}`);
  }

  drawHeat() {
    const { heat, area, candidates = [], line = [] } = this.picture;
    this.heat.replaceChildren(...(area ? [marked(area)] : []), ...this.heatMarks(heat, new Set([...candidates, ...line].map(({ cell }) => String(cell)))));
  }

  heatMarks(values, covered) {
    if (!values) return [];
    const flat = values.flat().filter((value) => value !== null).sort((a, b) => a - b);
    // Most cells are no better than playing elsewhere: only what stands out from them is shown.
    const [usual, high] = [flat[flat.length >> 1], flat.at(-1)];
    return values.flatMap((line, row) => line.flatMap((value, col) => {
      const share = value === null || value <= usual ? 0 : Math.sqrt((value - usual) / (high - usual));
      if (share < 0.3) return [];
      const spot = makeSvg("circle", { class: "heat", cx: col, cy: row, r: 0.46, fill: `hsl(${Math.round(210 - 205 * share)} 85% 52%)`, "fill-opacity": (0.12 + 0.7 * share).toFixed(2) });
      return share > 0.4 && !covered.has(`${row},${col}`) ? [spot, makeSvg("text", { class: "heat-text", x: col, y: row }, shortened(value))] : [spot];
    }));
  }

  drawMarks() {
    const { game, forbidden = new Map(), won = [], hint, numbers, candidates = [], line = [], signs = [], shapes = [] } = this.picture;
    const last = game.last && !numbers && !won.length ? [makeSvg("circle", { class: "last", cx: game.last[1], cy: game.last[0], r: 0.16 })] : [];
    this.marks.replaceChildren(
      ...[...forbidden.keys()].flatMap((key) => cross(key.split(",").map(Number), "forbidden", 0.2)),
      ...shapes.map(([row, col]) => makeSvg("circle", { class: "shape", cx: col, cy: row, r: 0.48 })),
      ...last, ...winningRow(won), ...candidates.flatMap(candidate), ...line.flatMap(lineStone), ...signs.flatMap((sign) => this.sign(sign)),
      ...(hint ? [makeSvg("circle", { class: "hint-mark", cx: hint[1], cy: hint[0], r: 0.4 })] : []),
    );
  }

  sign([row, col, kind]) {
    const stone = this.picture.game.stones().get(`${row},${col}`);
    const className = `sign ${stone ? `on-${stone.colour}` : "on-wood"}`;
    const shapes = {
      circle: () => [makeSvg("circle", { class: className, cx: col, cy: row, r: 0.24 })],
      square: () => [makeSvg("rect", { class: className, x: col - 0.21, y: row - 0.21, width: 0.42, height: 0.42 })],
      triangle: () => [makeSvg("path", { class: className, d: `M${col} ${row - 0.27}l.25 .43h-.5z` })],
      cross: () => cross([row, col], className, 0.2),
    };
    return shapes[kind]?.() ?? [makeSvg("circle", { class: "sign-ground", cx: col, cy: row, r: stone ? 0 : 0.34 }), makeSvg("text", { class: `number sign-text ${stone ? `on-${stone.colour}` : "on-wood"}`, x: col, y: row }, kind)];
  }

  // The cell a finger has chosen, with lines to its coordinates: a second tap plays there.
  drawChosen() {
    const { rows, cols } = this.picture.game;
    if (!this.chosen) return this.choice.replaceChildren();
    const [row, col] = this.chosen;
    const marks = [makeSvg("line", { class: "sight", x1: -0.5, x2: cols - 0.5, y1: row, y2: row }), makeSvg("line", { class: "sight", y1: -0.5, y2: rows - 0.5, x1: col, x2: col })];
    const colour = this.picture.ghost;
    if (colour) marks.push(makeSvg("circle", { class: `s-${colour} chosen`, cx: col, cy: row, r: 0.46 }));
    return this.choice.replaceChildren(...marks);
  }

  // ---------------------------------------------------------------- pointers and keys

  clicked(cell, event) {
    if (this.swiped || this.pressed) return;
    this.focusOn(cell);
    if (event.shiftKey && this.onHold(cell)) return;
    const touch = event.pointerType === "touch";
    if (touch) this.onPoint(cell);
    if (touch && this.confirms() && this.picture.game.isEmpty(cell) && String(this.chosen) !== String(cell)) this.choose(cell);
    else this.playAt(cell);
  }

  choose(cell) {
    this.chosen = cell;
    this.drawChosen();
    this.onChoice(cell);
  }

  playAt(cell) {
    this.choose(null);
    this.onPlay(cell);
  }

  // Whether cells are too small for a finger to be sure of.
  get small() {
    const box = this.container.getBoundingClientRect();
    return this.picture !== undefined && box.width / (this.picture.game.cols + 1) < SMALL_CELL;
  }

  watchSwipes() {
    let from = null;
    this.container.addEventListener("pointerdown", (event) => {
      this.swiped = false;
      this.watchPress(event);
      from = event.pointerType === "touch" && event.isPrimary ? [event.clientX, event.clientY] : null;
    });
    for (const name of ["pointerup", "pointercancel", "pointermove"]) {
      this.container.addEventListener(name, (event) => { if (name !== "pointermove" || !from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > RESTS) clearTimeout(this.press); });
    }
    this.container.addEventListener("pointerup", (event) => {
      if (!from) return;
      const [across, down] = [event.clientX - from[0], event.clientY - from[1]];
      from = null;
      if (Math.abs(across) < SWIPE || Math.abs(across) < 2 * Math.abs(down)) return;
      this.swiped = true;
      this.onSwipe(across > 0 ? -1 : 1);
      setTimeout(() => { this.swiped = false; }, 50);
    });
  }

  // A finger that rests on a cell holds it, as a click with Shift does.
  watchPress(event) {
    clearTimeout(this.press);
    this.pressed = false;
    const name = event.pointerType === "touch" ? event.target.closest?.(".cell")?.dataset.cell : null;
    if (!name) return;
    const hold = () => { this.pressed = this.onHold(parseName(name, this.picture.game.rows)); };
    this.press = setTimeout(hold, LONG_PRESS);
  }

  key(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.closest?.(".cell")) return;
    if (step) this.move(step);
    else if (event.key === "Enter" || event.key === " ") this.playAt(this.focus);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  move([down, right]) {
    const target = [this.focus[0] + down, this.focus[1] + right];
    this.cells.get(String(target))?.group.focus();
  }

  focusOn(cell) {
    this.cells.get(String(this.focus))?.group.setAttribute("tabindex", "-1");
    this.focus = cell;
    this.cells.get(String(cell))?.group.setAttribute("tabindex", "0");
  }
}

function gradient(id, light, dark) {
  return makeSvg("radialGradient", { id, cx: "35%", cy: "30%", r: "75%" }, makeSvg("stop", { offset: "0", "stop-color": light }), makeSvg("stop", { offset: "1", "stop-color": dark }));
}

function wood(rows, cols, width, height) {
  const group = makeSvg("g", { "aria-hidden": "true" }, makeSvg("rect", { class: "wood", x: -COORDINATES, y: -EDGE, width, height, rx: 0.15 }));
  for (let row = 0; row < rows; row += 1) group.append(makeSvg("line", { class: "grid", x1: 0, x2: cols - 1, y1: row, y2: row }), coordinate(-0.74, row, rows - row));
  for (let col = 0; col < cols; col += 1) group.append(makeSvg("line", { class: "grid", y1: 0, y2: rows - 1, x1: col, x2: col }), coordinate(col, rows - 1 + 0.74, String.fromCharCode(97 + col)));
  for (const [row, col] of starPoints(rows, cols)) group.append(makeSvg("circle", { class: "star", cx: col, cy: row, r: 0.1 }));
  return group;
}

function coordinate(x, y, text) {
  return makeSvg("text", { class: "coord", x, y }, String(text));
}

function starPoints(rows, cols) {
  const along = (side) => (side < 9 ? [] : [3, side - 4]);
  const points = along(rows).flatMap((row) => along(cols).map((col) => [row, col]));
  if (rows % 2 && cols % 2) points.push([(rows - 1) / 2, (cols - 1) / 2]);
  return points;
}

function cross([row, col], className, size) {
  return [[-1, -1], [-1, 1]].map(([a, b]) => makeSvg("line", { class: className, x1: col + size * a, y1: row + size * b, x2: col - size * a, y2: row - size * b }));
}

// A part of the board, under its stones.
function marked({ top, left, bottom, right }) {
  return makeSvg("rect", { class: "hint-mark area", x: left - 0.5, y: top - 0.5, width: right - left + 1, height: bottom - top + 1, rx: 0.3 });
}

function winningRow(cells) {
  if (!cells.length) return [];
  const [[top, left], [bottom, right]] = [cells[0], cells.at(-1)];
  return [makeSvg("line", { class: "won-line", x1: left, y1: top, x2: right, y2: bottom }), ...cells.map(([row, col]) => makeSvg("circle", { class: "won", cx: col, cy: row, r: 0.46 }))];
}

function candidate({ cell: [row, col] }, index) {
  return [makeSvg("circle", { class: `candidate rank-${Math.min(index, 3)}`, cx: col, cy: row, r: 0.36 }), makeSvg("text", { class: "number candidate-rank", x: col, y: row }, String(index + 1))];
}

// A stone of a line that is only looked at: see-through, with its number in the line.
function lineStone({ cell: [row, col], colour }, index) {
  return [makeSvg("circle", { class: `s-${colour} line-stone`, cx: col, cy: row, r: 0.44 }), makeSvg("text", { class: `number on-${colour}`, x: col, y: row }, String(index + 1))];
}

function shortened(value) {
  const size = Math.abs(value);
  if (size < 1000) return String(value);
  return size < 1e6 ? `${Math.round(value / 100) / 10}k` : `${Math.round(value / 1e5) / 10}M`;
}
