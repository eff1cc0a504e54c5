// A game: what was set up, what was played, and what was taken back. It lives in the browser; the server keeps nothing.

export const other = (colour) => (colour === "black" ? "white" : "black");

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
    if (rows < 5 || rows > 22 || cols < 5 || cols > 22) return null;
    const cells = (key) => (parts.get(key) ?? "").match(/[a-z]\d+/gi)?.map((name) => parseName(name, rows)) ?? [];
    const game = new Game({ rows, cols, rule: parts.get("r") ?? "freestyle", first: parts.get("f") === "white" ? "white" : "black" });
    Object.assign(game, { black: cells("b"), white: cells("w"), moves: cells("m") });
    const all = [...game.black, ...game.white, ...game.moves];
    const good = all.every(([row, col]) => row >= 0 && row < rows && col >= 0 && col < cols) && new Set(all.map(String)).size === all.length;
    return good ? game : null;
  }
}
