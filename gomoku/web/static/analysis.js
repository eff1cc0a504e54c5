// What the analysis panel shows: the score as a bar, values of cells as a heat map, the patterns of a cell, and what the engine would play.

import { post } from "./api.js";
import { cellName } from "./game.js";
import { currentLanguage, t } from "./i18n.js";

const MOST_SHOWN = 12;
// What moves the bar by three quarters of its half, table by table: they count in different coins.
const DECISIVE = { engine: 300, grade_dict: 1400, level: 10000, money: 10000, wins: 40000 };

export async function scoreOf(position, table, points) {
  return post("score", { position, table, points });
}

export function showBar(bar, { score, table }) {
  const share = 50 + 50 * Math.tanh(score / (DECISIVE[table] ?? 1400));
  bar.querySelector("#bar-black").style.width = `${share}%`;
  bar.querySelector("#bar-value").textContent = (score > 0 ? "+" : "") + score;
}

export class PatternInspector {
  constructor(element) {
    this.element = element;
    this.shown = null;
  }

  // What is shown is of one position and table: when either has changed it is no longer true.
  keepOnly(position, table) {
    if (this.about !== JSON.stringify([position, table])) this.clear();
  }

  clear() {
    clearTimeout(this.timer);
    this.shown = null;
    this.element.replaceChildren();
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
    this.about = JSON.stringify([position, table]);
    const answer = await post("explain", { position, cell, table });
    if (this.shown === question) this.show(answer, cellName(cell, position.rows));
  }

  show(answer, name) {
    const parts = ["black", "white"].flatMap((colour) => explained(colour, answer[colour]));
    const heading = document.createElement("h3");
    heading.textContent = parts.length ? name : t("explain.none", name);
    this.element.replaceChildren(heading, ...parts);
    if (!parts.length) return;
    const note = document.createElement("p");
    Object.assign(note, { className: "quiet", textContent: t("explain.note") });
    this.element.append(note);
  }
}

// The best moves of a search, so far or at its end: [{ cell, value, line, plies }], and the table that tells them.
export function linesOf({ values, lines, ends_in }) {
  const byName = (list, name) => list.find((one) => one.name === name)?.value;
  return lines.map(({ move, name, value }) => ({ cell: move, line: value, value: byName(values, name), plies: byName(ends_in, name) }));
}

export function linesTable(lines, rows) {
  const table = document.createElement("table");
  table.append(row("th", t("lines.rank"), t("lines.value"), t("lines.line")));
  lines.forEach(({ line, value, plies }, index) => {
    const worth = plies ? t(value > 0 ? "lines.black" : "lines.white", plies) : signed(value);
    table.append(row("td", String(index + 1), worth, line.map((cell) => cellName(cell, rows)).join(" ")));
  });
  return table;
}

// What a stone of one colour there would change: the patterns that count, best first, and their sum.
function explained(colour, { items, gain }) {
  const counted = items.filter((item) => item.worth).sort((a, b) => Math.abs(b.worth) - Math.abs(a.worth));
  if (!counted.length) return [];
  const table = document.createElement("table");
  table.append(row("th", stone(colour), t("explain.shape"), t("explain.line"), t("explain.worth")));
  for (const item of counted.slice(0, MOST_SHOWN)) {
    table.append(row("td", item.change === "disappears" ? "−" : "+", shapeName(item), cellsOf(item), signed(item.worth)));
  }
  table.append(row("th", "", t("explain.sum"), "", signed(gain)));
  return [table];
}

function shapeName(item) {
  const chinese = currentLanguage() === "zh";
  const name = chinese ? item.name.zh : item.name.en;
  const owner = item.colour ? t(item.colour) : "";
  return chinese ? `${owner}${name}` : `${name} · ${owner}`;
}

function cellsOf({ names }) {
  return names.length > 2 ? `${names[0]} – ${names.at(-1)}` : names.join(" ");
}

function signed(worth) {
  return (worth > 0 ? "+" : "") + worth;
}

function stone(colour) {
  const mark = document.createElement("i");
  mark.className = `stone ${colour}`;
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", t(colour));
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
