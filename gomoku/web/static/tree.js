// A game with variations, comments and signs: a flat list of nodes, each naming its parent, as the API reads and writes it.

import { Game, RULES, isSide, other } from "./game.js";

let revisions = 0;
const SIGNS = ["circle", "cross", "square", "triangle"];

export class Tree {
  constructor({ rows = 15, cols = 15, rule = "freestyle", info = {}, nodes = [{}] } = {}) {
    Object.assign(this, { rows, cols, rule, info, nodes });
    this.children = nodes.map(() => []);
    nodes.forEach(({ parent }, id) => { if (id) this.children[parent].push(id); });
    this.followed = new Map();
    this.changed();
  }

  // Every state of every tree has a number of its own, so that what is drawn of it knows when to be drawn anew.
  changed() {
    this.revision = (revisions += 1);
    this.positions = new Map();
  }

  // The game's moves as the main line.
  static fromGame(game) {
    const setup = ["black", "white"].flatMap((colour) => game[colour].map((cell) => [...cell, colour]));
    const root = { ...(setup.length && { setup }), ...((setup.length || game.first === "white") && { turn: game.first }) };
    const moves = game.moves.map((cell, index) => ({ parent: index, move: [...cell, game.colourOf(index)] }));
    return new Tree({ rows: game.rows, cols: game.cols, rule: game.rule, nodes: [root, ...moves] });
  }

  toJSON() {
    const { rows, cols, rule, info, nodes } = this;
    return { rows, cols, rule, info, nodes };
  }

  // The tree, if it is one: what the browser kept may be rubbish.
  static checked(value) {
    try {
      if (!isSide(value.rows) || !isSide(value.cols) || !RULES.includes(value.rule) || !Array.isArray(value.nodes) || !value.nodes.length) return null;
      if (!value.nodes.every(({ parent }, id) => id === 0 || (Number.isInteger(parent) && parent >= 0 && parent < id))) return null;
      const tree = new Tree(value);
      return tree.nodes.every((_, id) => tree.soundAt(id)) ? tree : null;
    } catch {
      return null;
    }
  }

  soundAt(id) {
    const { move, setup = [], marks = [], labels = [] } = this.nodes[id];
    const inside = ([row, col]) => Number.isInteger(row) && Number.isInteger(col) && row >= 0 && row < this.rows && col >= 0 && col < this.cols;
    const colour = (stone) => stone === "black" || stone === "white";
    return (!move || (inside(move) && colour(move[2]))) && setup.every((one) => inside(one) && (one[2] === null || colour(one[2]))) && marks.every((one) => inside(one) && SIGNS.includes(one[2])) && labels.every(inside);
  }

  // ---------------------------------------------------------------- walking

  parent(id) { return id ? this.nodes[id].parent : null; }

  path(id) {
    const ids = [id];
    while (ids.at(-1)) ids.push(this.nodes[ids.at(-1)].parent);
    return ids.reverse();
  }

  // The way forward that was taken last, or the main one.
  next(id) { return this.followed.get(id) ?? this.children[id][0] ?? null; }

  // The line through a node: from the root to it, and on from there.
  line(id) {
    const ids = this.path(id);
    for (let next = this.next(id); next !== null; next = this.next(next)) ids.push(next);
    return ids;
  }

  // Walking back later goes forward again the same way.
  visit(id) {
    const ids = this.path(id);
    for (let index = 1; index < ids.length; index += 1) this.followed.set(ids[index - 1], ids[index]);
  }

  // How many stones were played up to here.
  number(id) { return this.path(id).filter((one) => this.nodes[one].move).length; }

  // ---------------------------------------------------------------- the position at a node

  stonesAt(id) {
    const cells = new Map();
    let number = 0;
    for (const step of this.path(id)) {
      const { setup = [], move } = this.nodes[step];
      for (const [row, col, colour] of setup) {
        if (colour) cells.set(`${row},${col}`, { colour, number: 0 });
        else cells.delete(`${row},${col}`);
      }
      if (move) cells.set(`${move[0]},${move[1]}`, { colour: move[2], number: (number += 1) });
    }
    return cells;
  }

  turnAt(id) {
    for (let at = id; at !== null; at = this.parent(at)) {
      const { move, pass, turn, setup } = this.nodes[at];
      if (move || pass) return other(move ? move[2] : pass);
      if (turn) return turn;
      const child = this.children[at][0];
      if (at === 0 && child !== undefined && this.nodes[child].move) return this.nodes[child].move[2];
      if (at === 0 && setup) break;
    }
    const count = { black: 0, white: 0 };
    for (const { colour } of this.stonesAt(id).values()) count[colour] += 1;
    return count.black > count.white ? "white" : "black";
  }

  // What the board shows: a game without its history, but with the numbers and the last stone.
  viewAt(id) {
    const stones = this.stonesAt(id);
    const { move } = this.nodes[id];
    const { rows, cols } = this;
    return { rows, cols, turn: this.turnAt(id), last: move ? [move[0], move[1]] : null, length: this.number(id), stones: () => stones, isEmpty: (cell) => !stones.has(String(cell)), isFull: () => stones.size === rows * cols, position: () => this.positionAt(id) };
  }

  positionAt(id) {
    if (!this.positions.has(id)) this.positions.set(id, this.stonesAsPosition(id));
    return this.positions.get(id);
  }

  stonesAsPosition(id) {
    const stones = { black: [], white: [] };
    for (const [key, { colour }] of this.stonesAt(id)) stones[colour].push(key.split(",").map(Number));
    return { rows: this.rows, cols: this.cols, rule: this.rule, ...stones, to_move: this.turnAt(id) };
  }

  // The line to a node as a game, where its moves take turns; else the position alone.
  gameAt(id) {
    const [root, ...rest] = this.path(id);
    const start = Game.fromPosition({ ...this.positionAt(root), to_move: this.turnAt(root) });
    const plain = rest.every((step, index) => {
      const { move, setup } = this.nodes[step];
      return move && !setup && move[2] === (index % 2 ? other(start.first) : start.first);
    }) && !this.nodes[root].move;
    if (!plain) return Game.fromPosition(this.positionAt(id));
    start.moves = rest.map((step) => this.nodes[step].move.slice(0, 2));
    return start;
  }

  // ---------------------------------------------------------------- changing

  // The node after a move, made if it is not there yet.
  play(id, cell) {
    const known = this.children[id].find((child) => this.nodes[child].move && String(this.nodes[child].move.slice(0, 2)) === String(cell));
    return known ?? this.add(id, { move: [...cell, this.turnAt(id)] });
  }

  add(parent, node) {
    const id = this.nodes.push({ parent, ...node }) - 1;
    this.children.push([]);
    this.children[parent].push(id);
    this.changed();
    return id;
  }

  change(id, key, value) {
    if (value === "" || value === null || (Array.isArray(value) && !value.length)) delete this.nodes[id][key];
    else this.nodes[id][key] = value;
    this.changed();
  }

  // A sign on a cell, or off it again; a letter where the sign is "label".
  sign(id, cell, kind) {
    const key = kind === "label" ? "labels" : "marks";
    const signs = this.nodes[id][key] ?? [];
    const there = signs.find((one) => String(one.slice(0, 2)) === String(cell));
    const rest = signs.filter((one) => one !== there);
    const letter = () => [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((one) => !signs.some(([, , text]) => text === one)) ?? "?";
    const wanted = kind === "label" ? letter() : kind;
    const again = there && (kind === "label" || there[2] === kind);
    this.change(id, key, again ? rest : [...rest, [...cell, wanted]]);
  }

  // Makes the line to a node the main one.
  promote(id) {
    for (const step of this.path(id)) {
      if (!step) continue;
      const siblings = this.children[this.nodes[step].parent];
      siblings.splice(siblings.indexOf(step), 1);
      siblings.unshift(step);
    }
    return this.reordered(id);
  }

  // Without a node and all that follows it: the new tree, and where its parent is in it.
  without(id) {
    const { parent } = this.nodes[id];
    this.children[parent] = this.children[parent].filter((child) => child !== id);
    return this.reordered(parent);
  }

  reordered(at) {
    const numbers = new Map();
    const nodes = [];
    const waiting = [0];
    while (waiting.length) {
      const id = waiting.pop();
      numbers.set(id, nodes.length);
      nodes.push(id ? { ...this.nodes[id], parent: numbers.get(this.nodes[id].parent) } : this.nodes[0]);
      waiting.push(...[...this.children[id]].reverse());
    }
    return { tree: new Tree({ ...this.toJSON(), nodes }), at: numbers.get(at) };
  }

  // The same game seen otherwise: turned by a quarter, or as in a mirror.
  turned(how) {
    const { rows, cols } = this;
    const place = how === "rotate" ? ([row, col]) => [col, rows - 1 - row] : ([row, col]) => [row, cols - 1 - col];
    const moved = (one) => [...place(one), ...one.slice(2)];
    const nodes = this.nodes.map((node) => {
      const copy = { ...node };
      if (node.move) copy.move = moved(node.move);
      for (const key of ["setup", "marks", "labels"]) if (node[key]) copy[key] = node[key].map(moved);
      return copy;
    });
    return new Tree({ ...this.toJSON(), nodes, ...(how === "rotate" && { rows: cols, cols: rows }) });
  }
}
