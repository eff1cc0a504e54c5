// The page comes to life here: what was kept is brought back, buttons and keys get their actions, and the address decides what is shown.

import { addressOf, arrive, modeOf, navigate } from "./address.js";
import * as analysis from "./analysis.js";
import { NO_FACTS, PENDING, app, restore, save } from "./app.js";
import * as book from "./book.js";
import { BookExplorer } from "./book.js";
import { $ } from "./dom.js";
import { connectDrawing, draw, drawBoard, drawClocks, drawPointed, makeBoard, shown, shownPosition } from "./drawing.js";
import * as engine from "./engine.js";
import { learnFacts, rememberedFacts } from "./facts.js";
import { Game, positionKey } from "./game.js";
import { currentLanguage, setLanguage, translatePage } from "./i18n.js";
import { connectMovesPanel } from "./moves-panel.js";
import { treeIn } from "./links.js";
import { ApiError, get, onPresence } from "./network.js";
import { because, clearNotice, notice, tell } from "./notices.js";
import * as patterns from "./patterns.js";
import * as playPanel from "./play-panel.js";
import * as play from "./play.js";
import { ProofExplorer } from "./proof.js";
import * as collection from "./collection.js";
import { loadPuzzles } from "./collection.js";
import { connectPracticePanel, drawRun } from "./practice-panel.js";
import { connectPuzzlesPanel } from "./puzzles-panel.js";
import * as puzzles from "./puzzles.js";
import { currentRun, isRunning, timeLeft } from "./run.js";
import { abandonSearch, inTime, searched, stopRunning } from "./searching.js";
import * as setup from "./setup.js";
import * as share from "./share.js";
import { setSound, soundOn } from "./sound.js";
import { keep, keepForTab, kept, keptForTab } from "./store.js";
import * as why from "./why.js";

const PROOF_SECONDS = 10;
// For the search of a shorter win, once one is found.
const SHORTER_SECONDS = 2;
const boards = { play, puzzles, analysis };

// ------------------------------------------------------------------ what every change leads to

let asked = 0;

// Learns who has won and what is forbidden, then draws; false when an answer comes too late to matter.
async function refresh() {
  const mine = (asked += 1);
  const position = shownPosition();
  app.facts = app.analysis.setup && app.mode === "analysis" ? NO_FACTS : rememberedFacts(position) ?? PENDING;
  why.keepWhy();
  keepAll();
  draw();
  if (app.mode !== "analysis" || !app.analysis.setup) app.facts = await learnedFor(mine, position);
  if (mine !== asked) return false;
  runClock();
  engine.follow();
  book.follow();
  draw();
  patterns.followPatterns().catch(failed);
  setTimeout(playWaiting);
  return true;
}

async function learnedFor(mine, position) {
  const facts = await learnFacts(position);
  return mine === asked ? facts : app.facts;
}

function keepAll() {
  save();
  navigate("replace");
}

// Runs an action; what fails is said, with what can be tried again.
async function run(action, again = resume) {
  try {
    await action();
  } catch (error) {
    failed(error, again);
  }
}

function failed(error, again = resume) {
  if (error.name === "AbortError") return undefined;
  if (error instanceof ApiError && error.status === 0) {
    unfinished = again;
    return draw();
  }
  const retry = { key: "retry", act: () => run(again) };
  if (error instanceof ApiError && error.passing) notice("error.busy", [], retry);
  else notice("error.refused", [because(error)], error.again ? retry : null);
  return draw();
}

// What goes on by itself once a server that was gone answers again.
let unfinished = null;

function presenceChanged(gone) {
  draw();
  if (gone || !(unfinished || document.documentElement.dataset.ready)) return;
  const again = unfinished ?? resume;
  unfinished = null;
  engine.rest();
  book.rest();
  run(again, again);
}

const resume = () => (boards[app.mode].resume ?? refresh)();

// ------------------------------------------------------------------ going from mode to mode

function go(mode, how = "push") {
  if (mode === app.mode && app.loading) return undefined;
  if (mode === app.mode && !app.proof) return resume();
  leave();
  app.mode = mode;
  if (how === "push") navigate("push");
  return mode === "puzzles" ? showPuzzles() : resume();
}

// The puzzles are fetched when they are first wanted; whoever was at none begins with the first that is not solved.
async function showPuzzles() {
  draw();
  await loadPuzzles();
  if (app.mode !== "puzzles") return;
  if (puzzles.level() === null) app.puzzles.key = null;
  const first = app.puzzles.key === null ? puzzles.firstKey() : null;
  if (first) return puzzles.open(first, { how: "replace", way: collection.isOfTwenty(first) ? "levels" : "practice" });
  puzzles.settle();
  await resume();
}

// What runs on one board ends when another is opened; its state stays.
function leave() {
  abandonSearch();
  engine.rest();
  book.rest();
  why.closeWhy();
  clearNotice();
  tell(null);
  puzzles.stopShowing();
  app.play.clock?.run(null);
  Object.assign(app, { proof: null, facts: PENDING });
}

const wantsPuzzles = () => location.pathname.startsWith("/puzzles");

async function arrived() {
  if (app.loading) {
    app.mode = modeOf(location) ?? app.mode;
    return draw();
  }
  leave();
  if (wantsPuzzles()) await loadPuzzles();
  const outcome = arrive(location, { fresh: false, tree: await treeIn(location.hash) });
  sayOutcome(outcome);
  return resume();
}

function sayOutcome(outcome) {
  if (outcome === "bad") notice("link.bad");
  if (outcome === "nowhere") notice("link.nowhere");
}

function openAnalysis(tree, at, { graph = false } = {}) {
  leave();
  app.mode = "analysis";
  if (graph) $("graph-panel").open = true;
  analysis.replace(tree, at);
  navigate("push");
  run(async () => {
    await refresh();
    if (graph) await engine.makeGraph();
  });
}

// ------------------------------------------------------------------ proofs

async function prove(position = shownPosition()) {
  tell("proof.searching");
  const ask = (body) => searched("solve", "solve", body, { onChange: draw });
  const solve = async (from) => {
    const found = await ask({ position: from, seconds: inTime(PROOF_SECONDS) });
    const shorter = found?.proof && !found.minimal ? await ask({ position: from, shortest: true, seconds: inTime(SHORTER_SECONDS) }) : null;
    return shorter?.proof && shorter.length < found.length ? shorter : found;
  };
  const { solution, explorer } = await engine.aside(() => foundWin(position, solve));
  tell(null);
  if (!explorer) {
    notice(`proof.${solution.stopped_by === "cancelled" ? "cancelled" : solution.status}`, [], null, "quiet");
    return draw();
  }
  if (JSON.stringify(shownPosition()) !== explorer.of) return undefined;
  app.proof = explorer;
  return refresh();
}

// What the book holds need not be searched for.
async function foundWin(position, solve) {
  const game = Game.fromPosition(position);
  const explorer = book.isForBook(game) ? await BookExplorer.at(game, askBook) : null;
  return explorer ? { explorer } : ProofExplorer.find(position, solve);
}

async function askBook(game) {
  const found = await searched("solve", "book", { position: game.start(), moves: game.moves, seconds: inTime(PROOF_SECONDS) }, { onChange: draw });
  if (!found) throw new DOMException("given up", "AbortError");
  return found;
}

// The proof of the book, from the game on the board on.
async function walkBook() {
  const game = shown();
  const explorer = await BookExplorer.at(game, askBook);
  if (!explorer || JSON.stringify(shownPosition()) !== explorer.of) return undefined;
  app.proof = explorer;
  return refresh();
}

// As a file, for gomoku verify.
async function saveProof() {
  const { proof: explorer } = app;
  const solve = (body) => searched("solve", "solve", body, { onChange: draw });
  book.rest();
  const { proof, late } = await explorer.whole(solve);
  if (proof) share.saveText(JSON.stringify(proof), explorer.fileName(), "application/json");
  else if (late) notice("proof.too-large", [app.maxSeconds, explorer.command]);
  else tell("proof.not-made");
  if (app.proof === explorer) await refresh();
}

async function proofAt(id) {
  await analysis.go(id);
  await prove(analysis.position());
}

async function defend(cell) {
  if (app.facts.over || !shown().isEmpty(cell)) return;
  await app.proof.reply(cell);
  await refresh();
}

async function proofBack() {
  await app.proof.back();
  await refresh();
}

async function closeProof() {
  Object.assign(app, { proof: null, facts: PENDING });
  await resume();
}

// The proof that was being explored, if it is of the position on the board, and still is when the server has answered.
async function restoreProof() {
  const last = app.keptProof;
  const wanted = () => last !== null && last === app.keptProof && last.mode === app.mode && !app.proof && !app.running && last.of === JSON.stringify(shownPosition());
  const resumed = () => (last.proof.book ? BookExplorer.resumed(last.proof, askBook) : ProofExplorer.resumed(last.proof));
  const proof = wanted() ? await resumed() : null;
  if (wanted()) app.proof = proof;
  app.keptProof = null;
}

// ------------------------------------------------------------------ the board's own events

// A click that comes before it is known what may be played waits for that; it is forgotten when the position changes.
let waiting = null;

function playWaiting() {
  const click = waiting;
  waiting = null;
  if (click && !app.facts.pending && click.of === positionKey(shownPosition())) played(click.cell);
}

function played(cell) {
  if (app.loading) return undefined;
  waiting = app.facts.pending ? { cell, of: positionKey(shownPosition()) } : null;
  if (waiting) return undefined;
  if (app.proof) return run(() => defend(cell), refresh);
  if (app.mode === "analysis" && app.analysis.setup) return setup.put(cell);
  return run(() => boards[app.mode].playCell(cell));
}

function pointed(cell) {
  app.pointed = cell;
  drawPointed();
  if (app.mode === "analysis") patterns.point(cell);
}

const held = (cell) => !app.loading && app.mode === "analysis" && patterns.pin(cell);

function swiped(by) {
  if (!app.loading && !app.proof && !app.analysis.setup) run(() => boards[app.mode].step(by));
}

// ------------------------------------------------------------------ clocks

function runClock() {
  const { play: state } = app;
  const runs = state.clock && app.mode === "play" && state.begun && !play.isOver() && state.swap2 === null && state.game.length > 1;
  state.clock?.run(runs ? state.game.turn : null);
}

setInterval(() => {
  if (app.mode !== "puzzles" || !currentRun()) return;
  if (isRunning() && timeLeft() === 0) puzzles.stopRun();
  drawRun();
}, 200);

setInterval(() => {
  if (!app.play.clock || app.mode !== "play") return;
  drawClocks();
  if (app.play.clock.flagged) run(play.flag);
}, 100);

// ------------------------------------------------------------------ the page: language, theme, keys

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
  draw();
}

// The button is named in the language it leads to.
function labelLanguage() {
  const [text, lang] = currentLanguage() === "zh" ? ["English", "en"] : ["中文", "zh"];
  Object.assign($("language"), { textContent: text, lang });
}

const KEYS = { u: "undo", r: "redo", h: "hint", n: "numbers", e: "engine-switch", w: "why", ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

// Single keys, where no text is being written and no list is being walked.
function shortcut(event) {
  if (app.loading || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const { target } = event;
  if (/TEXTAREA|SELECT/.test(target.tagName) || (target.tagName === "INPUT" && !["checkbox", "radio"].includes(target.type))) return;
  const key = app.proof && event.key === "ArrowLeft" ? "proof-back" : KEYS[event.key] ?? "";
  const button = $(key);
  if (!button || button.disabled || !button.checkVisibility?.()) return;
  event.preventDefault();
  button.click();
}

// ------------------------------------------------------------------ wiring

function onClick(id, action, again) {
  $(id).addEventListener("click", () => run(action, again));
}

function connect() {
  const page = { refresh, runClock, draw, drawBoard, navigate, failed, run, openAnalysis, proofAt, facts: learnFacts, keep: keepAll, askBook, playIn: played, elsewhere, go };
  for (const part of [book.connectBook, connectDrawing, play.connectPlay, playPanel.connectPlayPanel, puzzles.connectPuzzles, connectPuzzlesPanel, connectPracticePanel, analysis.connectAnalysis, connectMovesPanel, engine.connectEngine, patterns.connectPatterns, setup.connectSetup, share.connectShare, why.connectWhy]) part(page);
}

function wireControls() {
  for (const name of ["undo", "redo", "hint"]) onClick(name, () => boards[app.mode][name]());
  onClick("resign", play.resign);
  $("stop").addEventListener("click", () => stopRunning());
  const all = Infinity;
  const walk = { first: () => (app.mode === "analysis" ? analysis.toStart() : boards[app.mode].look(0)), back: () => boards[app.mode].step(-1), forward: () => boards[app.mode].step(1), last: () => (app.mode === "analysis" ? analysis.toEnd() : boards[app.mode].look(all)) };
  for (const [id, action] of Object.entries(walk)) onClick(id, action);
  $("numbers").addEventListener("click", () => { keep("numbers", kept("numbers") === "yes" ? "" : "yes"); draw(); });
  $("confirm").addEventListener("change", () => keep("confirm", $("confirm").checked ? "on" : "off"));
  for (const [id, action] of Object.entries({ "proof-back": proofBack, "proof-close": closeProof, "proof-save": saveProof, "book-walk": walkBook })) onClick(id, action, refresh);
  for (const id of ["book", "proof"]) {
    $(`${id}-stop`).addEventListener("click", book.stopCounting);
    $(`${id}-count`).addEventListener("click", book.countAgain);
  }
  $("dismiss").addEventListener("click", clearNotice);
}

function wirePlay() {
  const form = $("new-game");
  form.addEventListener("change", draw);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const setting = playPanel.settingOfForm();
    if (!setting) return;
    playPanel.showForm(false);
    run(() => play.begin(setting));
    $("board").scrollIntoView({ block: "nearest" });
  });
  onClick("swap", play.swap);
  onClick("new-again", () => { playPanel.showForm(true); draw(); });
  onClick("form-cancel", () => { playPanel.showForm(false); draw(); });
}

function wirePuzzles() {
  onClick("puzzle-again", puzzles.again);
  onClick("puzzle-next", puzzles.next);
  onClick("puzzle-retry", puzzles.undo);
  onClick("puzzle-on", puzzles.playOn);
  onClick("puzzle-solution", puzzles.solution);
  onClick("solution-close", puzzles.closeSolution);
  onClick("puzzle-prove", () => { puzzles.helped(); return prove(); });
  onClick("puzzle-analyse", puzzles.analyse);
  onClick("practice-next", () => puzzles.practise());
  onClick("practice-again", () => puzzles.practise("", ""));
  onClick("practice-daily", () => puzzles.daily());
  onClick("practice-run", puzzles.startRun);
  onClick("practice-stop", puzzles.stopRun);
  $("band").addEventListener("change", () => run(() => puzzles.practise($("band").value)));
  $("theme-of").addEventListener("change", () => run(() => puzzles.practise(undefined, $("theme-of").value)));
}

function wireAnalysis() {
  $("engine-switch").addEventListener("click", engine.toggle);
  onClick("engine-deeper", engine.deeper);
  onClick("graph-make", engine.makeGraph);
  onClick("why", why.askWhy);
  onClick("why-close", () => { why.closeWhy(); draw(); });
  onClick("prove", () => prove());
  onClick("promote", analysis.promote);
  onClick("delete", analysis.remove);
  onClick("analysis-new", analysis.fresh);
  $("comment").addEventListener("input", () => analysis.comment($("comment").value));
  for (const button of $("signs").querySelectorAll("button")) button.addEventListener("click", () => { app.analysis.sign = button.dataset.sign || null; draw(); });
  for (const id of ["graph-panel", "patterns", "share"]) $(id).addEventListener("toggle", () => { draw(); patterns.followPatterns().catch(failed); });
  for (const id of ["table", "heat"]) $(id).addEventListener("change", () => patterns.followPatterns().catch(failed));
}

function wireSetup() {
  onClick("setup-open", setup.open);
  onClick("setup-done", setup.done);
  onClick("setup-cancel", setup.close);
  onClick("setup-clear", setup.clear);
  for (const how of ["rotate", "mirror"]) onClick(how, () => analysis.turned(how));
  $("setup").addEventListener("change", setup.changed);
}

function wireShare() {
  onClick("export", share.exportText);
  onClick("import", share.importText);
  onClick("save", share.saveFile);
  onClick("open", () => $("file").click());
  $("file").addEventListener("change", () => run(share.openFile));
  document.addEventListener("dragover", (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file || app.loading) return;
    event.preventDefault();
    run(() => share.dropped(file));
  });
  onClick("copy", () => share.copy($("text")));
  onClick("copy-link", share.copyLink);
  $("link").addEventListener("focus", () => $("link").select());
}

function wirePage() {
  for (const link of document.querySelectorAll("[data-mode-link]")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      run(() => go(link.dataset.modeLink));
    });
  }
  $("theme").addEventListener("click", toggleTheme);
  $("language").addEventListener("click", toggleLanguage);
  $("sound").addEventListener("click", () => { setSound(!soundOn()); tell(soundOn() ? "sound.on" : "sound.off"); draw(); });
  // A clock goes on from where it stood, and what was being written is not lost.
  addEventListener("pagehide", save);
  $("text").addEventListener("input", () => keepForTab("text", $("text").value));
  addEventListener("popstate", () => run(arrived));
  onPresence(presenceChanged);
  document.addEventListener("keydown", shortcut);
}

// ------------------------------------------------------------------ the beginning

// Whether the address leads to another game than the one that was kept: that one is not shown while the page loads.
function elsewhere() {
  const { pathname, hash } = location;
  return (hash.length > 1 || pathname.split("/").length > 2) && pathname + hash !== addressOf();
}

// Without the server's lists one can still go on with what was kept in this browser.
function notLoaded(error) {
  app.loading = elsewhere();
  throw error;
}

async function load() {
  const [{ opponents }, { players }, { tables }, { formats }, health] = await Promise.all(["opponents", "players", "tables", "formats", "health"].map(get));
  Object.assign(app, { people: opponents, systems: players, tables, formats, maxSeconds: health.max_seconds });
  if (wantsPuzzles() || (location.pathname === "/" && app.mode === "puzzles")) await loadPuzzles();
  if (play.person() === null && play.system() === null && !["friend", "book"].includes(app.play.opponent)) app.play.opponent = "tom";
  const tree = await treeIn(location.hash);
  app.loading = false;
  const outcome = arrive(location, { fresh: true, tree });
  draw();
  if (app.mode === "puzzles") await showPuzzles();
  sayOutcome(outcome);
  await run(async () => {
    await refresh();
    await restoreProof();
    await resume();
  });
  document.documentElement.dataset.ready = "yes";
}

const loaded = () => load().catch(notLoaded);

applyTheme(kept("theme"));
restore();
app.mode = modeOf(location) ?? app.mode;
translatePage();
labelLanguage();
connect();
makeBoard({ onPlay: played, onPoint: pointed, onHold: held, onSwipe: swiped });
$("text").value = keptForTab("text") ?? "";
for (const wire of [wireControls, wirePlay, wirePuzzles, wireAnalysis, wireSetup, wireShare, wirePage]) wire();
draw();
run(loaded, loaded);
if ("serviceWorker" in navigator) navigator.serviceWorker.register("/service-worker.js").catch(() => {});
