// What the analysis panel shows: the score as a bar, values of cells as a heat map, and the patterns of a cell.

import { post } from "./api.js";
import { cellName } from "./game.js";
import { currentLanguage, t } from "./i18n.js";

export async function scoreOf(position, table, points) {
  return post("score", { position, table, points });
}

export function showBar(bar, score) {
  // A rush four or so (about 700 in the classic table) moves the bar by half of its half.
  const share = 50 + 50 * Math.tanh(score / 1400);
  bar.querySelector("#bar-black").style.width = `${share}%`;
  bar.querySelector("#bar-value").textContent = (score > 0 ? "+" : "") + score;
}

export class PatternInspector {
  constructor(element) {
    this.element = element;
    this.shown = null;
  }

  // Asked for at every move of the pointer; only the last question within a moment is put to the server.
  point(position, cell, table) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(position, cell, table).catch(() => {}), 80);
  }

  async ask(position, cell, table) {
    const question = JSON.stringify([position, cell, table]);
    if (question === this.shown) return;
    this.shown = question;
    const answer = await post("explain", { position, cell, table });
    if (this.shown === question) this.show(answer, cellName(cell, position.rows), position.rows);
  }

  show(answer, name, rows) {
    const matches = answer.matches ?? [];
    if (!matches.length) {
      this.element.textContent = t("explain.none", name);
      return;
    }
    const heading = document.createElement("h3");
    heading.textContent = name;
    const table = document.createElement("table");
    table.append(row("th", "", t("explain.shape"), t("explain.line"), t("explain.worth")));
    for (const match of matches) table.append(row("td", stone(match.colour), shapeName(match), cellsOf(match, rows), signed(match.worth)));
    this.element.replaceChildren(heading, table);
  }
}

function shapeName(match) {
  const chinese = match.chinese ?? match.zh;
  const english = (match.english ?? match.name ?? match.shape).replaceAll("_", " ");
  return currentLanguage() === "zh" && chinese ? chinese : english;
}

function cellsOf(match, rows) {
  const names = match.names ?? match.cells.map((cell) => (Array.isArray(cell) ? cellName(cell, rows) : cell));
  return names.length > 2 ? `${names[0]} – ${names.at(-1)}` : names.join(" ");
}

function signed(worth) {
  return (worth > 0 ? "+" : "") + worth;
}

function stone(colour) {
  const mark = document.createElement("i");
  mark.className = `stone ${colour}`;
  mark.title = t(colour);
  return mark;
}

function row(kind, ...contents) {
  const line = document.createElement("tr");
  for (const content of contents) {
    const cell = document.createElement(kind);
    cell.append(content);
    line.append(cell);
  }
  return line;
}
