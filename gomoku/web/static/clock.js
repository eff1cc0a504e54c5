// A clock with an increment: minutes for each side, and seconds won back with every move.

// In milliseconds: what a side keeps when it takes moves back.
const LEAST = 1000;

export class Clock {
  // moves: { colour, won } of each move, so that a move that is taken back gives back what it has won.
  constructor({ left, increment, moves = [] }) {
    Object.assign(this, { left: { ...left }, increment, moves: [...moves], undone: [], running: null, since: 0 });
  }

  // "10+5" is ten minutes and five seconds a move; nothing is no clock.
  static parse(text) {
    const found = /^(\d+(?:\.\d+)?)\+(\d+)$/.exec(text ?? "");
    if (!found) return null;
    const milliseconds = Number(found[1]) * 60_000;
    return milliseconds > 0 && milliseconds <= 24 * 3_600_000 ? new Clock({ left: { black: milliseconds, white: milliseconds }, increment: Number(found[2]) * 1000 }) : null;
  }

  static checked(value) {
    const time = (one) => Number.isFinite(one) && one >= 0;
    if (!value || !value.left || !time(value.left.black) || !time(value.left.white) || !time(value.increment)) return null;
    const isMove = (one) => ["black", "white"].includes(one?.colour) && time(one.won) && one.won <= value.increment;
    return new Clock({ ...value, moves: Array.isArray(value.moves) ? value.moves.filter(isMove) : [] });
  }

  toJSON() {
    return { left: { black: this.of("black"), white: this.of("white") }, increment: this.increment, moves: this.moves };
  }

  of(colour) {
    return Math.max(0, this.left[colour] - (this.running === colour ? performance.now() - this.since : 0));
  }

  // Whose time runs from now on; nobody's while the game rests.
  run(colour) {
    if (this.running === colour) return;
    if (this.running) this.left[this.running] = this.of(this.running);
    Object.assign(this, { running: colour, since: performance.now() });
  }

  moved(colour) {
    this.left[colour] = this.of(colour) + this.increment;
    this.since = performance.now();
    this.moves.push({ colour, won: this.increment });
    this.undone = [];
  }

  // Time that was thought stays thought; nobody loses a game by taking a move back.
  undo() {
    const move = this.moves.pop();
    if (!move) return;
    const won = Math.min(move.won, Math.max(0, this.of(move.colour) - LEAST));
    this.undone.push({ ...move, won });
    this.add(move.colour, -won);
  }

  redo() {
    const move = this.undone.pop();
    if (!move) return;
    this.moves.push(move);
    this.add(move.colour, move.won);
  }

  add(colour, milliseconds) {
    const left = this.of(colour) + milliseconds;
    this.left[colour] = left;
    if (this.running === colour) this.since = performance.now();
  }

  get flagged() { return this.running && this.of(this.running) === 0 ? this.running : null; }
}

export function clockText(milliseconds) {
  const seconds = Math.ceil(milliseconds / 100) / 10;
  if (seconds < 10) return `0:0${seconds.toFixed(1)}`;
  const whole = Math.ceil(milliseconds / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return `${hours ? `${hours}:${two(Math.floor(whole / 60) % 60)}` : Math.floor(whole / 60)}:${two(whole % 60)}`;
}
