// A game: what was set up, what was played, and what was taken back. It lives in the browser; the server keeps nothing.

export const other = (colour) => (colour === "black" ? "white" : "black");

export const RULES = ["freestyle", "standard", "renju", "caro", "caro-overline"];

export function cellName([row, col], rows) {
  return String.fromCharCode(97 + col) + (rows - row);
}

export function parseName(name, rows) {
  const found = /^([a-z])(\d+)$/i.exec(name);
  return found && [rows - Number(found[2]), found[1].toLowerCase().charCodeAt(0) - 97];
}

export class Game {
  constructor({ rows = 15, cols = 15, rule = "freestyle", black = [], white = [], first = "black", moves = [] } = {}) {
    Object.assign(this, { rows, cols, rule, black, white, first, moves, undone: [] });
  }

  get turn() { return this.moves.length % 2 ? other(this.first) : this.first; }
  get last() { return this.moves.at(-1) ?? null; }
  get length() { return this.moves.length; }

  colourOf(index) { return index % 2 ? other(this.first) : this.first; }

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

  toJSON() {
    return { ...this.start(), first: this.first, moves: this.moves };
  }

  static fromPosition(position, moves = []) {
    const cells = (stones) => stones.map((cell) => (typeof cell === "string" ? parseName(cell, position.rows) : cell));
    return new Game({
      rows: position.rows, cols: position.cols, rule: position.rule, first: position.to_move, moves,
      black: cells(position.black), white: cells(position.white),
    });
  }

  // A game as the server reads it from a text. Only moves that take turns can be taken back one by one: what was played
  // before the last pair of one colour is set up.
  static fromRecord({ start, moves, to_move }) {
    const game = Game.fromPosition(start);
    let [from, turn] = [moves.length, to_move];
    for (; from && moves[from - 1][2] === other(turn); from -= 1) turn = other(turn);
    for (const [row, col, colour] of moves.slice(0, from)) game[colour].push([row, col]);
    return Object.assign(game, { first: turn, moves: moves.slice(from).map(([row, col]) => [row, col]) });
  }

  // The game, if it is one: from links and from the browser's store anything may come.
  checked() {
    const { rows, cols, rule, first } = this;
    const lists = [this.black, this.white, this.moves];
    if (![rows, cols].every((side) => Number.isInteger(side) && side >= 5 && side <= 22)) return null;
    if (!RULES.includes(rule) || !["black", "white"].includes(first) || !lists.every(Array.isArray)) return null;
    const inside = (cell) => Array.isArray(cell) && cell.length === 2 && [[cell[0], rows], [cell[1], cols]].every(([at, end]) => Number.isInteger(at) && at >= 0 && at < end);
    const all = lists.flat();
    return all.every(inside) && new Set(all.map(String)).size === all.length ? this : null;
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
