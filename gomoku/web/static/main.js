// The page: one game, four panels, and the searches that play against you.

import { PatternInspector, linesOf, linesTable, scoreOf, showBar } from "./analysis.js";
import { ApiError, get, newToken, post, search, stopSearch } from "./api.js";
import { BoardView } from "./board.js";
import { Game, cellName, other } from "./game.js";
import { currentLanguage, named, setLanguage, t, translatePage } from "./i18n.js";
import { ProofExplorer } from "./proof.js";
import { keep, keepForTab, keepHere, kept, keptForTab, keptHere, parsed } from "./store.js";

const $ = (id) => document.getElementById(id);
const STRENGTHS = { 1: { seconds: 0.05, nodes: 300 }, 2: { seconds: 0.1, nodes: 3000 }, 3: { seconds: 0.3 }, 4: { seconds: 1 }, 5: { seconds: 5 } };
const DEFENDER = "stubborn";
const PROOF_SECONDS = 10;
const LINES = { player: "engine:lines=3", seconds: 10 };
const NO_FACTS = { winner: null, over: false, forbidden: [], line: [] };

const app = {
  game: new Game(), tab: "play", opponent: "engine", strength: 3, you: "black", level: null, levels: [], players: [], tables: [], maxSeconds: PROOF_SECONDS,
  facts: NO_FACTS, resigned: null, hint: null, heat: null, lines: null, proof: null, keptProof: null, running: null, asked: 0,
};

const view = new BoardView($("board"), { onPlay: (cell, pointer) => guarded(() => played(cell, pointer), app.proof ? undefined : resume), onPoint: pointed });
const inspector = new PatternInspector($("explain"));

// ------------------------------------------------------------------ what is kept in the browser

function save() {
  const { game, opponent, strength, you, level, tab, resigned } = app;
  keepHere("game", JSON.stringify({ game, opponent, strength, you, level, tab, resigned }));
  const proof = proofToKeep();
  keepForTab("proof", proof ? JSON.stringify(proof) : "");
  $("link").value = location.origin + location.pathname + game.toHash();
}

// The proof on the board, or the one that is still to come back to it after a reload.
function proofToKeep() {
  const of = app.game.toHash();
  if (app.proof) return { of, proof: app.proof };
  return app.keptProof?.of === of ? app.keptProof : null;
}

function restore() {
  const last = parsed(keptHere("game"));
  const game = last?.game && new Game(last.game).checked();
  if (game) {
    const known = { strength: Object.keys(STRENGTHS).map(Number), you: ["black", "white", "both"], tab: ["play", "puzzle", "analysis", "share"], resigned: ["black", "white"] };
    for (const [name, values] of Object.entries(known)) if (values.includes(last[name])) app[name] = last[name];
    Object.assign(app, { game, opponent: String(last.opponent), level: Number.isInteger(last.level) ? last.level : null });
  }
  const shared = takeHash();
  if (shared) Object.assign(app, { game: shared, you: "both", level: null, resigned: null });
  app.keptProof = parsed(keptForTab("proof"));
}

// The proof that was being explored, if it is of the game on the board, and still is when the server has answered.
async function restoreProof() {
  const last = app.keptProof;
  const wanted = () => last !== null && last === app.keptProof && last.of === app.game.toHash() && !app.proof && !app.running;
  const proof = wanted() ? await ProofExplorer.resumed(last.proof) : null;
  if (wanted()) app.proof = proof;
  app.keptProof = null;
}

// The game of a link, not a place on the page such as the board; the address is cleared, so that a reload goes on with what has become of the game.
function takeHash() {
  const fragment = location.hash.slice(1);
  if (!fragment || $(fragment)) return null;
  const shared = Game.fromHash(location.hash);
  history.replaceState(null, "", location.pathname);
  if (!shared) notice(t("link.bad"));
  return shared;
}

async function openHash() {
  const shared = takeHash();
  if (shared) await newGame(shared, { you: "both" });
}

function solvedLevels() {
  const numbers = parsed(kept("solved"));
  return new Set(Array.isArray(numbers) ? numbers : []);
}

function markSolved(number) {
  keep("solved", JSON.stringify([...solvedLevels().add(number)]));
}

// ------------------------------------------------------------------ drawing

const shownGame = () => app.proof?.game ?? app.game;
const yourTurn = () => !isOver() && (app.you === "both" || app.game.turn === app.you);
const isOver = () => app.facts.over || app.resigned !== null;

function draw() {
  const game = shownGame();
  view.draw({
    game, numbers: $("numbers").checked || app.proof !== null, forbidden: game.turn === "black" ? app.facts.forbidden : [], won: app.facts.line,
    hint: app.hint, heat: app.heat, busy: app.running !== null, candidates: app.tab === "analysis" && app.lines ? app.lines.found : [], ghost: app.proof ? app.proof.defender : yourTurn() ? game.turn : null,
  });
  drawSeats(game);
  drawButtons();
  drawMoves(game);
  drawLevels();
  drawLines();
  drawProof();
}

function drawSeats(game) {
  for (const colour of ["black", "white"]) {
    $(`seat-${colour}`).classList.toggle("turn", !isOver() && game.turn === colour);
    $(`name-${colour}`).textContent = seatName(colour);
  }
  say($("status"), statusText(game));
  say($("said"), saidText(game));
}

function seatName(colour) {
  if (app.proof) return t(colour === app.proof.defender ? "you" : "proof");
  return app.you === "both" || app.you === colour ? t("you") : opponentName();
}

// A live region is read aloud whenever it is written: only news is.
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// The last move for those who do not see it appear, when it is not their own.
function saidText(game) {
  const colour = other(game.turn);
  const theirs = app.proof ? colour === app.proof.attacker : app.you !== "both" && app.you !== colour;
  return game.last && theirs ? t("said.move", t(colour), cellName(game.last, game.rows)) : "";
}

function statusText(game) {
  if (app.proof && app.facts.winner) return t("proof.refuted");
  if (app.level && app.facts.winner === "black") return t("puzzle.solved", app.level);
  if (app.level && app.facts.winner === "white") return t("puzzle.lost");
  if (app.facts.winner) return t(`won.${app.facts.winner}`);
  if (app.resigned) return t("resigned", t(app.resigned));
  if (app.facts.over) return t(game.isFull() ? "draw" : "draw.stuck");
  if (app.running?.kind === "move") return t("thinking", opponentName());
  return t(`turn.${game.turn}`);
}

function drawButtons() {
  const searching = app.running !== null;
  $("undo").disabled = app.proof !== null || !canUndo();
  $("redo").disabled = app.proof !== null || !app.game.undone.length || searching;
  $("hint").disabled = searching || isOver() || app.proof !== null;
  $("swap").disabled = searching || isOver() || app.you === "both" || app.level !== null || app.proof !== null;
  $("resign").disabled = isOver() || !app.game.length || app.proof !== null;
  $("stop").hidden = !searching;
  $("stop").textContent = t(app.running?.kind === "move" ? "stop" : "stop.solve");
  $("best").disabled = searching || isOver() || app.proof !== null;
  $("puzzle-again").disabled = app.level === null;
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

function fillLevels() {
  $("levels").replaceChildren(...app.levels.map(({ number }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.level = number;
    button.addEventListener("click", () => guarded(() => openLevel(number)));
    return button;
  }));
}

// The buttons stay the same ones: a new one would not have the keyboard's focus.
function drawLevels() {
  const solved = solvedLevels();
  for (const button of $("levels").children) {
    const number = Number(button.dataset.level);
    const done = solved.has(number);
    Object.assign(button, { textContent: done ? `✓ ${number}` : String(number), className: done ? "solved" : "" });
    button.setAttribute("aria-label", t("puzzle.level", number) + (done ? " ✓" : ""));
    button.toggleAttribute("aria-current", number === app.level);
    if (number === app.level) button.setAttribute("aria-current", "true");
  }
  const chosen = app.level === null ? ` ${t("puzzle.choose")}` : "";
  $("puzzle-progress").textContent = t("puzzle.progress", solved.size) + chosen;
}

function drawLines() {
  $("lines").replaceChildren(...(app.lines ? [linesTable(app.lines.found, app.game.rows)] : []));
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

// What has been done, for the eye and for the screen reader.
function tell(text) {
  $("progress").textContent = text;
  $("told").textContent = text;
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
  inspector.keepOnly(position, $("table").value);
  if (app.lines && app.lines.of !== JSON.stringify(position)) app.lines = null;
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
    showBar($("bar"), answer);
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
  if (app.tab === "analysis" && game.isEmpty(cell)) inspector.point(game.position(), cell, $("table").value);
}

// ------------------------------------------------------------------ playing

// What is to be tried again after a failure is the action, unless its first half has been done already.
async function guarded(action, again = action) {
  notice(null);
  if (!app.running) $("progress").textContent = "";
  try {
    await action();
  } catch (error) {
    failed(error, again);
  }
}

function failed(error, again = null) {
  if (error.name === "AbortError") return;
  const passing = error instanceof ApiError && error.passing;
  notice(passing ? t(error.status === 503 ? "error.busy" : "error.network") : t("error.refused", error.message), passing ? again ?? resume : null);
  draw();
}

// A finger cannot hover: in the analysis a tap only asks what the cell completes.
async function played(cell, pointer) {
  if (app.tab === "analysis" && pointer === "touch" && !app.proof) return pointed(cell);
  if (app.proof) return defend(cell);
  if (app.running?.kind === "lines") abandonSearch();
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
  if (isOver() || yourTurn() || app.proof || app.running) return;
  const answer = await searched("move", { player: opponentSpec(), ...limits() });
  if (!answer?.move) return;
  app.game.play(answer.move);
  await refresh();
}

const opponentSpec = () => (app.level ? DEFENDER : app.opponent);
const opponentName = () => (app.level ? t("puzzle.defence") : app.opponent);
const inTime = (seconds) => Math.min(seconds, app.maxSeconds);

function limits() {
  const { seconds, ...others } = app.level ? { seconds: 1 } : STRENGTHS[app.strength];
  return { seconds: inTime(seconds), ...others };
}

async function searched(kind, body, onProgress) {
  const running = { kind, token: newToken(), abort: new AbortController() };
  app.running = running;
  draw();
  try {
    const options = { signal: running.abort.signal, onProgress: reporting(running, onProgress) };
    return await search("move", { position: app.game.position(), token: running.token, ...body }, options);
  } finally {
    if (app.running === running) app.running = null;
    $("progress").textContent = "";
    draw();
  }
}

// A stop asked for before the server had the search (it was busy, or away) is asked for again once it has.
function reporting(running, onProgress) {
  return (progress) => {
    if (running.stopping) stop(running);
    showProgress(progress);
    onProgress?.(progress);
  };
}

function stop(running) {
  if (!running) return;
  running.stopping = true;
  stopSearch(running.token);
}

function showProgress({ elapsed = 0, depth = 0, nodes = 0 }) {
  $("progress").textContent = t("progress", elapsed.toFixed(1), depth, nodes.toLocaleString(currentLanguage()));
}

function abandonSearch() {
  app.running?.abort.abort();
  app.running = null;
}

// Against an opponent there must be a move of your own to take back: otherwise it would be its turn, on and on.
const canUndo = () => app.game.moves.some((_, index) => app.you === "both" || app.game.colourOf(index) === app.you);

async function undo() {
  abandonSearch();
  Object.assign(app, { hint: null, resigned: null });
  app.game.undo();
  // Against an opponent it is your turn again after your own stone is gone.
  if (app.you !== "both" && app.game.length && app.game.turn !== app.you) app.game.undo();
  app.facts = NO_FACTS;
  await resume();
}

async function redo() {
  Object.assign(app, { hint: null, resigned: null });
  app.game.redo();
  if (app.you !== "both" && app.game.undone.length && app.game.turn !== app.you) app.game.redo();
  await resume();
}

async function swap() {
  Object.assign(app, { you: other(app.you), hint: null });
  await resume();
}

async function resign() {
  abandonSearch();
  app.resigned = app.you === "both" ? app.game.turn : app.you;
  await refresh();
}

async function hint() {
  const answer = await searched("move", { player: "engine", seconds: inTime(1) });
  app.hint = answer?.move ?? null;
  draw();
  if (app.hint) tell(t("hinted", cellName(app.hint, app.game.rows)));
}

async function bestMoves() {
  const of = JSON.stringify(app.game.position());
  const show = (stats) => {
    if (!stats.lines || of !== JSON.stringify(app.game.position())) return;
    app.lines = { of, found: linesOf(stats) };
    draw();
  };
  const answer = await searched("lines", { ...LINES, seconds: inTime(LINES.seconds) }, show);
  show(answer.stats);
}

async function newGame(game, settings) {
  abandonSearch();
  Object.assign(app, { game, hint: null, resigned: null, proof: null, keptProof: null, level: null, facts: NO_FACTS }, settings);
  fillForm();
  // On a small screen the button that began the game is far below the board.
  $("board").scrollIntoView({ block: "nearest" });
  await resume();
}

function startGame(event) {
  event.preventDefault();
  const [rows, cols] = [Number($("rows").value), Number($("cols").value)];
  const settings = { opponent: $("opponent").value, strength: Number($("strength").value), you: $("colour").value };
  guarded(() => newGame(new Game({ rows, cols, rule: $("rule").value }), settings), resume);
}

// The form shows the game on the board, so that "Start" plays another one like it.
function fillForm() {
  const { rows, cols, rule } = app.game;
  const values = { rows, cols, rule, colour: app.you, opponent: app.opponent, strength: app.strength };
  for (const [id, value] of Object.entries(values)) $(id).value = value;
  describeOpponent();
}

function describeOpponent() {
  const name = $("opponent").value;
  $("opponent-about").textContent = named(`player.${name}`, app.players.find((one) => one.name === name)?.summary ?? "");
}

async function openLevel(number) {
  const level = app.levels.find((one) => one.number === number);
  await newGame(Game.fromPosition(level.position), { you: "black", level: number });
}

// ------------------------------------------------------------------ proofs

async function prove() {
  tell(t("proof.searching"));
  const running = { kind: "solve", token: newToken(), abort: new AbortController() };
  app.running = running;
  draw();
  try {
    const options = { signal: running.abort.signal, onProgress: reporting(running), body: { token: running.token, seconds: inTime(PROOF_SECONDS) } };
    const { solution, explorer } = await ProofExplorer.find(app.game.position(), options);
    if (app.running !== running) return;
    if (!explorer) notice(t(`proof.${solution.stopped_by === "cancelled" ? "cancelled" : solution.status}`));
    app.proof = explorer;
  } finally {
    if (app.running === running) app.running = null;
    $("progress").textContent = "";
    draw();
  }
  await refresh();
  if (app.proof) $("board").scrollIntoView({ block: "nearest" });
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
  Object.assign(app, { proof: null, facts: NO_FACTS });
  await resume();
}

// ------------------------------------------------------------------ notations

async function exportText() {
  const { start, moves } = { start: app.game.start(), moves: app.game.moves };
  const answer = await post("convert", { position: start, moves, to: $("format").value });
  $("text").value = answer.text;
}

async function importText() {
  const record = await read($("text").value);
  if (!record) return;
  await newGame(Game.fromRecord(record), { you: "both" });
  tell(t("imported"));
}

async function read(text) {
  try {
    return (await post("convert", { text })).position;
  } catch (error) {
    if (!(error instanceof ApiError) || error.passing) throw error;
    notice(t("import.bad", error.message.replace(/^text:\s*/, "")));
    return null;
  }
}

// Browsers offer the clipboard only to pages of this machine or with https; elsewhere the old way still works.
async function copy(field) {
  field.select();
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
  else document.execCommand("copy");
  tell(t("copied"));
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
}

function chooseTab(tab) {
  openTab(tab);
  guarded(resume);
}

function tabKey(event) {
  const tabs = [...document.querySelectorAll("[data-tab]")];
  const at = tabs.indexOf(document.activeElement);
  const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (target === undefined) return;
  event.preventDefault();
  const next = tabs.at(target % tabs.length);
  next.focus();
  chooseTab(next.dataset.tab);
}

function toggleTheme() {
  const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  applyTheme(dark === "dark" ? "light" : "dark");
}

function applyTheme(theme) {
  if (!["light", "dark"].includes(theme)) return;
  document.documentElement.dataset.theme = theme;
  keep("theme", theme);
}

function toggleLanguage() {
  setLanguage(currentLanguage() === "zh" ? "en" : "zh");
  labelLanguage();
  fillChoices();
  inspector.clear();
  draw();
}

// The button is named in the language it leads to.
function labelLanguage() {
  const [text, lang] = currentLanguage() === "zh" ? ["English", "en"] : ["中文", "zh"];
  Object.assign($("language"), { textContent: text, lang });
}

function options(select, entries, chosen) {
  select.replaceChildren(...entries.map(([value, text]) => new Option(text, value, false, value === chosen)));
}

// The choices whose words depend on the language; what is chosen stays chosen.
function fillChoices() {
  options($("strength"), Object.keys(STRENGTHS).map((key) => [key, t(`strength.${key}`)]), $("strength").value || String(app.strength));
  options($("table"), app.tables.map(({ name, title }) => [name, named(`table.${name}`, title || name)]), $("table").value || "grade_dict");
  describeOpponent();
}

async function load() {
  const [{ players }, { tables }, { levels }, { formats }, health] = await Promise.all(["players", "tables", "puzzles", "formats", "health"].map(get));
  Object.assign(app, { players, tables, levels, maxSeconds: health.max_seconds });
  if (!players.some(({ name }) => name === app.opponent)) app.opponent = "engine";
  if (!levels.some(({ number }) => number === app.level)) app.level = null;
  options($("opponent"), players.map(({ name }) => [name, name]), app.opponent);
  options($("format"), formats.filter((format) => format.writes).map(({ name, title }) => [name, `${name} — ${title}`]), "sgf");
  fillLevels();
  fillChoices();
  await restoreProof();
  await resume();
}

function wire() {
  const clicks = { hint, prove, best: bestMoves, "puzzle-prove": prove, "proof-back": proofBack, export: exportText, import: importText };
  for (const [id, action] of Object.entries(clicks)) $(id).addEventListener("click", () => guarded(action));
  for (const [id, action] of Object.entries({ undo, redo, swap, resign, "proof-close": closeProof })) $(id).addEventListener("click", () => guarded(action, resume));
  $("stop").addEventListener("click", () => stop(app.running));
  $("dismiss").addEventListener("click", () => notice(null));
  $("copy").addEventListener("click", () => guarded(() => copy($("text"))));
  $("copy-link").addEventListener("click", () => guarded(() => copy($("link"))));
  $("link").addEventListener("focus", () => $("link").select());
  $("opponent").addEventListener("change", describeOpponent);
  $("puzzle-again").addEventListener("click", () => guarded(() => openLevel(app.level ?? 1)));
  $("puzzle-next").addEventListener("click", () => guarded(() => openLevel(((app.level ?? 0) % 20) + 1)));
  $("new-game").addEventListener("submit", startGame);
  $("numbers").addEventListener("change", () => { keep("numbers", $("numbers").checked ? "yes" : ""); draw(); });
  for (const id of ["table", "heat"]) $(id).addEventListener("change", () => guarded(resume));
  for (const button of document.querySelectorAll("[data-tab]")) button.addEventListener("click", () => chooseTab(button.dataset.tab));
  $("tabs").addEventListener("keydown", tabKey);
  $("theme").addEventListener("click", toggleTheme);
  $("language").addEventListener("click", toggleLanguage);
  addEventListener("hashchange", () => guarded(openHash, resume));
  document.addEventListener("keydown", shortcut);
}

// Single keys, where no text is being written: u undo, h hint, n numbers.
function shortcut(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
  const button = { u: "undo", h: "hint", n: "numbers" }[event.key];
  if (button && !$(button).disabled) $(button).click();
}

async function begin() {
  restore();
  openTab(app.tab);
  fillForm();
  draw();
  await load();
}

applyTheme(kept("theme"));
$("numbers").checked = kept("numbers") === "yes";
translatePage();
labelLanguage();
fillChoices();
wire();
begin().catch((error) => failed(error, load));
