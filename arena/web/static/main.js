// The page: one game, four panels, and the searches that play against you.

import { PatternInspector, scoreOf, showBar } from "./analysis.js";
import { ApiError, get, newToken, post, search, stopSearch } from "./api.js";
import { BoardView } from "./board.js";
import { Game, cellName, other } from "./game.js";
import { currentLanguage, setLanguage, t, translatePage } from "./i18n.js";
import { ProofExplorer } from "./proof.js";

const $ = (id) => document.getElementById(id);
const STRENGTHS = { 1: { seconds: 0.05, nodes: 300 }, 2: { seconds: 0.1, nodes: 3000 }, 3: { seconds: 0.3 }, 4: { seconds: 1 }, 5: { seconds: 5 } };
const DEFENDER = "stubborn";

const app = {
  game: new Game(), tab: "play", opponent: "engine", strength: 3, you: "black", level: null, levels: [],
  facts: { winner: null, over: false, forbidden: [], line: [] }, resigned: null, hint: null, heat: null, proof: null, running: null, asked: 0,
};

const view = new BoardView($("board"), { onPlay: (cell, pointer) => guarded(() => played(cell, pointer)), onPoint: pointed });
const inspector = new PatternInspector($("explain"));

// ------------------------------------------------------------------ what is kept in the browser

function save() {
  const { game, opponent, strength, you, level, tab, resigned } = app;
  localStorage.setItem("game", JSON.stringify({ game, opponent, strength, you, level, tab, resigned }));
  $("link").value = location.origin + location.pathname + game.toHash();
}

function restore() {
  try {
    const kept = JSON.parse(localStorage.getItem("game") ?? "{}");
    Object.assign(app, kept, { game: new Game(kept.game ?? {}) });
  } catch { /* what cannot be read is as good as nothing */ }
  openHash();
}

function openHash() {
  const shared = Game.fromHash(location.hash);
  if (!shared) return;
  Object.assign(app, { game: shared, you: "both", level: null, resigned: null, proof: null });
  history.replaceState(null, "", location.pathname);
}

const solvedLevels = () => new Set(JSON.parse(localStorage.getItem("solved") ?? "[]"));

function markSolved(number) {
  localStorage.setItem("solved", JSON.stringify([...solvedLevels().add(number)]));
}

// ------------------------------------------------------------------ drawing

const shownGame = () => app.proof?.game ?? app.game;
const yourTurn = () => !isOver() && (app.you === "both" || app.game.turn === app.you);
const isOver = () => app.facts.over || app.resigned !== null;

function draw() {
  const game = shownGame();
  view.draw({
    game, numbers: $("numbers").checked || app.proof !== null, forbidden: game.turn === "black" ? app.facts.forbidden : [], won: app.facts.line,
    hint: app.hint, heat: app.heat, busy: app.running !== null, ghost: app.proof ? app.proof.defender : yourTurn() ? game.turn : null,
  });
  drawSeats(game);
  drawButtons();
  drawMoves(game);
  drawLevels();
  drawProof();
}

function drawSeats(game) {
  for (const colour of ["black", "white"]) {
    $(`seat-${colour}`).classList.toggle("turn", !isOver() && game.turn === colour);
    $(`name-${colour}`).textContent = app.you === "both" || app.you === colour ? t("you") : opponentSpec();
  }
  $("status").textContent = statusText(game);
}

function statusText(game) {
  if (app.proof && app.facts.winner) return t("proof.refuted");
  if (app.level && app.facts.winner === "black") return t("puzzle.solved", app.level);
  if (app.level && app.facts.winner === "white") return t("puzzle.lost");
  if (app.facts.winner) return t(`won.${app.facts.winner}`);
  if (app.resigned) return t("resigned", t(app.resigned));
  if (app.facts.over) return t("draw");
  if (app.running?.kind === "move") return t("thinking", opponentSpec());
  return t(`turn.${game.turn}`);
}

function drawButtons() {
  const searching = app.running !== null;
  $("undo").disabled = app.proof !== null || !app.game.length;
  $("redo").disabled = app.proof !== null || !app.game.undone.length || searching;
  $("hint").disabled = searching || isOver() || app.proof !== null;
  $("swap").disabled = searching || app.you === "both" || app.level !== null || app.proof !== null;
  $("resign").disabled = isOver() || !app.game.length || app.proof !== null;
  $("stop").hidden = !searching;
  for (const id of ["prove", "puzzle-prove"]) $(id).disabled = searching || isOver() || app.proof !== null;
}

function drawMoves(game) {
  $("moves").replaceChildren(...game.moves.map((cell, index) => {
    const item = document.createElement("li");
    item.textContent = `${index + 1}. ${cellName(cell, game.rows)}`;
    return item;
  }));
  $("moves").scrollTop = $("moves").scrollHeight;
}

function drawLevels() {
  const solved = solvedLevels();
  $("levels").replaceChildren(...app.levels.map(({ number }) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: solved.has(number) ? `✓ ${number}` : String(number), className: solved.has(number) ? "solved" : "" });
    button.setAttribute("aria-label", t("puzzle.level", number) + (solved.has(number) ? " ✓" : ""));
    if (number === app.level) button.setAttribute("aria-current", "true");
    button.dataset.level = number;
    button.addEventListener("click", () => guarded(() => openLevel(number)));
    return button;
  }));
  $("puzzle-progress").textContent = t("puzzle.progress", solved.size);
}

function drawProof() {
  $("panel-proof").hidden = app.proof === null;
  if (!app.proof) return;
  $("proof-about").textContent = app.proof.about();
  $("proof-line").textContent = app.proof.line();
  $("proof-back").disabled = app.proof.replies.length === 0;
}

function notice(text, again = null) {
  $("notice").hidden = !text;
  $("notice-text").textContent = text ?? "";
  $("retry").hidden = again === null;
  $("retry").onclick = () => guarded(again);
}

// ------------------------------------------------------------------ facts from the server

// Learns who has won and what is forbidden, then draws; an answer that comes too late is dropped.
async function refresh() {
  const asked = ++app.asked;
  draw();
  save();
  const position = shownGame().position();
  const facts = await post("rules", { position });
  if (asked !== app.asked) return false;
  app.facts = facts;
  if (app.level && facts.winner === "black" && !app.proof) markSolved(app.level);
  draw();
  showAnalysis(position, asked).catch(failed);
  return true;
}

async function showAnalysis(position, asked) {
  const active = app.tab === "analysis";
  $("bar").hidden = !active;
  const colour = $("heat").value;
  if (!active) app.heat = null;
  else {
    const answer = await scoreOf(position, $("table").value, colour !== "");
    if (asked !== app.asked) return;
    showBar($("bar"), answer.score);
    app.heat = colour ? heatOf(answer.points[colour], colour) : null;
  }
  draw();
}

// A gain is black minus white: for white the best cells have the lowest.
function heatOf(points, colour) {
  const scan = app.tables?.find((table) => table.name === $("table").value)?.scan;
  const sign = scan === "line" && colour === "white" ? -1 : 1;
  return points.map((line) => line.map((value) => (value === null ? null : sign * value)));
}

function pointed(cell) {
  const game = shownGame();
  if (app.tab === "analysis") inspector.point(game.position(), cell, $("table").value);
}

// ------------------------------------------------------------------ playing

async function guarded(action) {
  notice(null);
  try {
    await action();
  } catch (error) {
    failed(error, action);
  }
}

function failed(error, again = null) {
  if (error.name === "AbortError") return;
  const passing = error instanceof ApiError && error.passing;
  notice(passing ? t(error.status === 503 ? "error.busy" : "error.network") : error.message, passing ? again ?? resume : null);
  draw();
}

// A finger cannot hover: in the analysis a tap only asks what the cell completes.
async function played(cell, pointer) {
  if (app.tab === "analysis" && pointer === "touch" && !app.proof) return pointed(cell);
  if (app.proof) return defend(cell);
  if (app.running || !yourTurn() || !app.game.isEmpty(cell)) return;
  if (app.game.turn === "black" && app.facts.forbidden.some((other) => String(other) === String(cell))) {
    notice(t("forbidden", cellName(cell, app.game.rows)));
    return;
  }
  app.hint = null;
  app.game.play(cell);
  await resume();
}

// After anything that changed the game: learn the facts, and let the opponent play when it is its turn.
async function resume() {
  if (!(await refresh())) return;
  if (isOver() || yourTurn() || app.proof) return;
  const answer = await searched("move", { player: opponentSpec(), ...limits() });
  if (!answer?.move) return;
  app.game.play(answer.move);
  await refresh();
}

const opponentSpec = () => (app.level ? DEFENDER : app.opponent);
const limits = () => (app.level ? { seconds: 1 } : STRENGTHS[app.strength]);

async function searched(path, body) {
  const running = { kind: path, token: newToken(), abort: new AbortController() };
  app.running = running;
  draw();
  try {
    const options = { signal: running.abort.signal, onProgress: showProgress };
    return await search(path, { position: app.game.position(), token: running.token, ...body }, options);
  } finally {
    if (app.running === running) app.running = null;
    $("progress").textContent = "";
    draw();
  }
}

function showProgress({ elapsed = 0, depth = 0, nodes = 0 }) {
  $("progress").textContent = t("progress", elapsed.toFixed(1), depth, nodes.toLocaleString(currentLanguage()));
}

function abandonSearch() {
  app.running?.abort.abort();
  app.running = null;
}

async function undo() {
  abandonSearch();
  Object.assign(app, { hint: null, resigned: null });
  app.game.undo();
  // Against an opponent it is your turn again after your own stone is gone.
  if (app.you !== "both" && app.game.length && app.game.turn !== app.you) app.game.undo();
  app.facts = { winner: null, over: false, forbidden: [], line: [] };
  await refresh();
}

async function redo() {
  app.game.redo();
  if (app.you !== "both" && app.game.undone.length && app.game.turn !== app.you) app.game.redo();
  await refresh();
}

async function hint() {
  const answer = await searched("move", { player: "engine", seconds: 1 });
  app.hint = answer?.move ?? null;
  draw();
  if (app.hint) $("progress").textContent = t("hinted", cellName(app.hint, app.game.rows));
}

async function newGame(game, settings) {
  abandonSearch();
  Object.assign(app, { game, hint: null, resigned: null, proof: null, level: null, facts: { winner: null, over: false, forbidden: [], line: [] } }, settings);
  await resume();
}

function startGame(event) {
  event.preventDefault();
  const [rows, cols] = [Number($("rows").value), Number($("cols").value)];
  const settings = { opponent: $("opponent").value, strength: Number($("strength").value), you: $("colour").value };
  guarded(() => newGame(new Game({ rows, cols, rule: $("rule").value }), settings));
}

async function openLevel(number) {
  const level = app.levels.find((one) => one.number === number);
  await newGame(Game.fromPosition(level.position), { you: "black", level: number });
}

// ------------------------------------------------------------------ proofs

async function prove() {
  $("progress").textContent = t("proof.searching");
  const running = { kind: "solve", token: newToken(), abort: new AbortController() };
  app.running = running;
  draw();
  try {
    const options = { signal: running.abort.signal, onProgress: showProgress, body: { token: running.token } };
    const { solution, explorer } = await ProofExplorer.find(app.game.position(), options);
    if (app.running !== running) return;
    if (!explorer) notice(t("proof.none", solution.status + (solution.stopped_by ? `, ${solution.stopped_by}` : "")));
    app.proof = explorer;
  } finally {
    if (app.running === running) app.running = null;
    $("progress").textContent = "";
    draw();
  }
  await refresh();
  if (app.proof) $("panel-proof").scrollIntoView({ block: "nearest" });
}

async function defend(cell) {
  if (app.facts.over || !shownGame().isEmpty(cell)) return;
  await app.proof.reply(cell);
  await refresh();
}

async function proofBack() {
  await app.proof.back();
  await refresh();
}

async function closeProof() {
  app.proof = null;
  await refresh();
}

// ------------------------------------------------------------------ notations

async function exportText() {
  const { start, moves } = { start: app.game.start(), moves: app.game.moves };
  const answer = await post("convert", { position: start, moves, to: $("format").value });
  $("text").value = answer.text;
}

async function importText() {
  const { position } = await post("convert", { text: $("text").value });
  const game = Game.fromPosition(position.start, position.moves.map(([row, col]) => [row, col]));
  await newGame(game, { you: "both" });
  $("progress").textContent = t("imported");
}

// ------------------------------------------------------------------ the page

function openTab(tab) {
  app.tab = tab;
  for (const button of document.querySelectorAll("[data-tab]")) {
    const chosen = button.dataset.tab === tab;
    button.setAttribute("aria-selected", chosen);
    button.tabIndex = chosen ? 0 : -1;
    $(`panel-${button.dataset.tab}`).hidden = !chosen;
  }
  guarded(refresh);
}

function tabKey(event) {
  const tabs = [...document.querySelectorAll("[data-tab]")];
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
  next.focus();
  openTab(next.dataset.tab);
}

function toggleTheme() {
  const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  applyTheme(dark === "dark" ? "light" : "dark");
}

function applyTheme(theme) {
  if (!theme) return;
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("theme", theme);
}

function toggleLanguage() {
  setLanguage(currentLanguage() === "zh" ? "en" : "zh");
  labelLanguage();
  fillStrengths();
  draw();
}

function labelLanguage() {
  $("language").textContent = currentLanguage() === "zh" ? "English" : "中文";
}

function options(select, entries, chosen) {
  select.replaceChildren(...entries.map(([value, text]) => new Option(text, value, false, value === chosen)));
}

function fillStrengths() {
  options($("strength"), Object.keys(STRENGTHS).map((key) => [key, t(`strength.${key}`)]), String(app.strength));
}

async function load() {
  const [{ players }, { tables }, { levels }, { formats }] = await Promise.all(["players", "tables", "puzzles", "formats"].map(get));
  Object.assign(app, { tables, levels });
  options($("opponent"), players.map(({ name, summary }) => [name, `${name} — ${summary}`]), app.opponent);
  options($("table"), tables.map(({ name, title }) => [name, title || name]), "grade_dict");
  options($("format"), formats.filter((format) => format.write !== false).map((format) => [format.name ?? format, format.name ?? format]), "sgf");
  await resume();
}

function wire() {
  const clicks = { undo, redo, hint, prove, "puzzle-prove": prove, "proof-back": proofBack, "proof-close": closeProof, export: exportText, import: importText };
  for (const [id, action] of Object.entries(clicks)) $(id).addEventListener("click", () => guarded(action));
  $("swap").addEventListener("click", () => guarded(() => { app.you = other(app.you); return resume(); }));
  $("resign").addEventListener("click", () => guarded(() => { abandonSearch(); app.resigned = app.you === "both" ? app.game.turn : app.you; return refresh(); }));
  $("stop").addEventListener("click", () => stopSearch(app.running?.token));
  $("copy").addEventListener("click", () => guarded(() => navigator.clipboard.writeText($("text").value)));
  $("puzzle-again").addEventListener("click", () => guarded(() => openLevel(app.level ?? 1)));
  $("puzzle-next").addEventListener("click", () => guarded(() => openLevel(((app.level ?? 0) % 20) + 1)));
  $("new-game").addEventListener("submit", startGame);
  $("numbers").addEventListener("change", draw);
  for (const id of ["table", "heat"]) $(id).addEventListener("change", () => guarded(refresh));
  for (const button of document.querySelectorAll("[data-tab]")) button.addEventListener("click", () => openTab(button.dataset.tab));
  $("tabs").addEventListener("keydown", tabKey);
  $("theme").addEventListener("click", toggleTheme);
  $("language").addEventListener("click", toggleLanguage);
  addEventListener("hashchange", () => { openHash(); guarded(resume); });
  document.addEventListener("keydown", shortcut);
}

// Single keys, where no text is being written: u undo, h hint, n numbers.
function shortcut(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
  const button = { u: "undo", h: "hint", n: "numbers" }[event.key];
  if (button && !$(button).disabled) $(button).click();
}

applyTheme(localStorage.getItem("theme"));
restore();
translatePage();
labelLanguage();
fillStrengths();
$("colour").value = app.you;
$("rule").value = app.game.rule;
wire();
openTab(app.tab);
guarded(load);
