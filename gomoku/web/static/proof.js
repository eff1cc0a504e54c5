// The proof explorer: the person plays the defence, the proof answers, until the defence is refuted.

import { evaluation, learnWin } from "./engine.js";
import { post } from "./network.js";
import { cellName, Game, other } from "./game.js";
import { moves, number, t } from "./i18n.js";

export class ProofExplorer {
  constructor(proof, replies) {
    this.proof = proof;
    this.start = Game.fromPosition(proof.position);
    this.attacker = proof.attacker;
    this.repliesChecked = replies;
    this.replies = [];
    this.moves = [];
  }

  // Searches for a win of the side to move and has the proof verified; no explorer when none was proven.
  static async find(position, solve) {
    const solution = await solve(position);
    if (!solution.proof) return { solution, explorer: null };
    const verdict = await post("proof/verify", { proof: solution.proof, position });
    if (!verdict.accepted) throw new Error(verdict.reason);
    const explorer = new ProofExplorer(solution.proof, verdict.replies_checked);
    explorer.length = solution.length;
    learnWin(position, solution);
    explorer.of = JSON.stringify(position);
    await explorer.refresh();
    return { solution, explorer };
  }

  toJSON() {
    const { proof, repliesChecked, length, replies, of } = this;
    return { proof, repliesChecked, length, replies, of };
  }

  // As far as it had been explored when the page was left; null when what was kept is no proof or the server refuses it.
  static async resumed(kept) {
    if (!kept?.proof?.position || !Array.isArray(kept.replies)) return null;
    try {
      const { proof, repliesChecked, length, replies, of } = kept;
      const explorer = Object.assign(new ProofExplorer(proof, repliesChecked), { length, replies, of });
      await explorer.refresh();
      return explorer;
    } catch (error) {
      if (error.passing) throw error;
      return null;
    }
  }

  async refresh() {
    const { line_names: names } = await post("proof/answer", { proof: this.proof, replies: this.replies.map((cell) => cellName(cell, this.start.rows)) });
    this.moves = names;
  }

  get game() {
    const game = new Game({ ...this.start });
    game.moves = this.moves.map((name) => [this.start.rows - Number(name.slice(1)), name.charCodeAt(0) - 97]);
    return game;
  }

  // Our turn is the defence's: the proof has answered everything before.
  get refuted() {
    return this.game.turn === this.attacker || this.over;
  }

  // One question at a time: a second click before the answer is as good as none.
  async reply(cell) {
    await this.change([...this.replies, cell]);
  }

  async back() {
    await this.change(this.replies.slice(0, -1));
  }

  async change(replies) {
    if (this.asking) return;
    const before = this.replies;
    Object.assign(this, { replies, asking: true });
    try {
      await this.refresh();
    } catch (error) {
      this.replies = before;
      throw error;
    } finally {
      this.asking = false;
    }
  }

  about() {
    const { plies } = evaluation(this.start.position()) ?? {};
    const shorter = plies && plies < this.length ? ` ${t("proof.shorter", moves(plies))}` : "";
    return this.inWords() + shorter;
  }

  inWords() {
    return t("proof.about", t(this.attacker), moves(this.length), number(this.repliesChecked));
  }

  line() {
    return this.moves.map((name, index) => `${index + 1}. ${name}`).join("  ");
  }

  // Plies that are left at most.
  get left() { return this.length - this.moves.length + 1; }

  fileName() { return "proof.json"; }

  async whole() { return { proof: this.proof }; }

  get defender() { return other(this.attacker); }
}
