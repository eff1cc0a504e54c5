// A game: what was set up, what was played, and what was taken back. It lives in the browser; the server keeps nothing.

export const other = (colour) => (colour === "black" ? "white" : "black");
export const same = (a, b) => a[0] === b[0] && a[1] === b[1];

export const RULES = ["freestyle", "standard", "renju", "caro", "caro-overline"];
export const [LEAST_SIDE, MOST_SIDE] = [5, 22];

export function cellName([row, col], rows) {
  return String.fromCharCode(97 + col) + (rows - row);
}

export function parseName(name, rows) {
  const found = /^([a-z])(\d+)$/i.exec(name);
  return found && [rows - Number(found[2]), found[1].toLowerCase().charCodeAt(0) - 97];
}

// The text of a position, under which it is looked up. Positions of a tree are objects that last: theirs is made once.
const keys = new WeakMap();
export function positionKey(position) {
  if (!keys.has(position)) keys.set(position, JSON.stringify(position));
  return keys.get(position);
}

export const isSide = (side) => Number.isInteger(side) && side >= LEAST_SIDE && side <= MOST_SIDE;

export class Game {
  constructor({ rows = 15, cols = 15, rule = "freestyle", black = [], white = [], first = "black", moves = [], undone = [] } = {}) {
    Object.assign(this, { rows, cols, rule, black, white, first, moves, undone });
  }

  get turn() { return this.moves.length % 2 ? other(this.first) : this.first; }
  get last() { return this.moves.at(-1) ?? null; }
  get length() { return this.moves.length; }

  colourOf(index) { return index % 2 ? other(this.first) : this.first; }

  // The game as it stood after so many moves.
  after(count) { return new Game({ ...this, moves: this.moves.slice(0, count), undone: [] }); }
  copy() { return new Game({ ...this, moves: [...this.moves], undone: [...this.undone] }); }

  stones() {
    const cells = new Map();
    for (const colour of ["black", "white"]) for (const cell of this[colour]) cells.set(String(cell), { colour, number: 0 });
    this.moves.forEach((cell, index) => cells.set(String(cell), { colour: this.colourOf(index), number: index + 1 }));
    return cells;
  }

  isEmpty(cell) { return !this.stones().has(String(cell)); }
  isFull() { return this.stones().size === this.rows * this.cols; }

  play(cell) {
    this.moves.push(cell);
    this.undone = [];
  }

  undo() {
    if (this.moves.length) this.undone.push(this.moves.pop());
  }

  redo() {
    if (this.undone.length) this.moves.push(this.undone.pop());
  }

  // The position as the API takes it.
  position() {
    const stones = { black: [], white: [] };
    for (const [key, { colour }] of this.stones()) stones[colour].push(key.split(",").map(Number));
    return { rows: this.rows, cols: this.cols, rule: this.rule, ...stones, to_move: this.turn };
  }

  start() {
    const { rows, cols, rule, black, white, first } = this;
    return { rows, cols, rule, black, white, to_move: first };
  }

  static fromPosition({ rows, cols, rule, black, white, to_move }) {
    const cells = (names) => names.map((name) => (typeof name === "string" ? parseName(name, rows) : name));
    return new Game({ rows, cols, rule, black: cells(black), white: cells(white), first: to_move });
  }

  // The game, if it is one: from links and from the browser's store anything may come.
  checked() {
    const { rows, cols, rule, first } = this;
    const lists = [this.black, this.white, this.moves];
    if (!isSide(rows) || !isSide(cols)) return null;
    if (!RULES.includes(rule) || !["black", "white"].includes(first) || !lists.every(Array.isArray) || !Array.isArray(this.undone)) return null;
    const inside = (cell) => Array.isArray(cell) && cell.length === 2 && [[cell[0], rows], [cell[1], cols]].every(([at, end]) => Number.isInteger(at) && at >= 0 && at < end);
    const all = lists.flat();
    if (!all.every(inside) || new Set(all.map(String)).size !== all.length) return null;
    const taken = new Set(all.map(String));
    if (!this.undone.every((cell) => inside(cell) && !taken.has(String(cell)))) this.undone = [];
    return this;
  }

  // A link carries the game in its fragment, which never reaches the server.
  toHash() {
    const names = (cells) => cells.map((cell) => cellName(cell, this.rows)).join("");
    const parts = { s: `${this.rows}x${this.cols}`, r: this.rule, f: this.first, b: names(this.black), w: names(this.white), m: names(this.moves) };
    return "#" + new URLSearchParams(Object.entries(parts).filter(([, value]) => value)).toString();
  }

  static fromHash(hash) {
    const parts = new URLSearchParams(hash.replace(/^#/, ""));
    const size = /^(\d+)x(\d+)$/.exec(parts.get("s") ?? "");
    if (!size) return null;
    const [rows, cols] = size.slice(1).map(Number);
    const cells = (key) => (parts.get(key) ?? "").match(/[a-z]\d+/gi)?.map((name) => parseName(name, rows)) ?? [];
    const [rule, first] = [parts.get("r") ?? "freestyle", parts.get("f") ?? "black"];
    return new Game({ rows, cols, rule, first, black: cells("b"), white: cells("w"), moves: cells("m") }).checked();
  }
}
