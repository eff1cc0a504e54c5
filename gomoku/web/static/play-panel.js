// The panel beside a game: whom to play, or the game that is played, its moves and its end.

import { app } from "./app.js";
import * as book from "./book.js";
import { $, fillSelect, make, redraw, setText } from "./dom.js";
import { cellName } from "./game.js";
import { named, spoken, t } from "./i18n.js";
import { RENJU_OPENINGS } from "./openings.js";
import * as play from "./play.js";

const CLOCKS = ["", "1+2", "3+2", "5+3", "10+5", "15+10", "30+20"];
const NODES = [300, 3_000, 30_000, 300_000];
const page = {};
export const connectPlayPanel = (actions) => Object.assign(page, actions);

// The form is shown until a game has begun, and again when a new one is wanted.
let choosing = false;
export const showForm = (shown) => { choosing = shown; };

export function drawPlayPanel() {
  const { play: state } = app;
  const form = choosing || (!state.begun && !state.game.length);
  $("new-game").hidden = !form;
  $("game").hidden = form;
  if (form) drawForm();
  else drawGame();
}

// ------------------------------------------------------------------ the form

function drawForm() {
  drawPeople();
  fillSelect($("system"), app.systems.map(({ name }) => [name, name]));
  const summary = app.systems.find(({ name }) => name === $("system").value)?.summary ?? "";
  setText($("system-about"), named(`player.${$("system").value}`, summary));
  fillSelect($("nodes"), NODES.map((nodes) => [String(nodes), nodes.toLocaleString()]), $("nodes").value || "30000");
  fillSelect($("colour"), ["black", "white", "random"].map((one) => [one, t(`colour.${one}`)]), $("colour").value || "black");
  fillSelect($("clock"), CLOCKS.map((one) => [one, one ? t("clock.of", ...one.split("+")) : t("clock.none")]));
  fillSelect($("opening"), openings());
  const chosen = chosenOpponent();
  setText($("start"), t("new.with", chosen === "friend" ? t("new.friend") : play.opponentName(chosen)));
  if (chosen === "friend" || play.system(chosen)) setText($("start"), t("new.start"));
  $("form-cancel").hidden = !app.play.game.length && !app.play.begun;
  if (chosen === "book") setText($("start"), t("book.start"));
  $("colour").disabled = chosen === "friend";
  $("more").hidden = chosen === "book";
}

function openings() {
  const handicaps = [1, 2, 3, 4].map((count) => [`handicap-${count}`, t(count === 1 ? "opening.handicap.1" : "opening.handicap", count)]);
  return [["", t("opening.free")], ["swap2", t("opening.swap2")], ...handicaps, ...RENJU_OPENINGS.map((one) => [one.id, t("opening.renju", one.id, spoken(one))])];
}

export const chosenOpponent = () => {
  const chosen = document.querySelector("[name=opponent]:checked")?.value ?? app.play.opponent;
  return chosen === "system" ? `system:${$("system").value}` : chosen;
};

function drawPeople() {
  const most = app.people.length;
  const chosen = play.system() ? "system" : app.play.opponent;
  redraw($("people"), [app.people, t("you"), "people"], () => app.people.map((one) => card(one.name, spoken(one.names), spoken(one.about), dots(one.level, most))));
  redraw($("friend"), [t("new.friend")], () => [card("friend", t("new.friend"), t("new.friend.about"), null)]);
  redraw($("against-book"), [t("book.name")], () => [card("book", t("book.name"), t("book.about"), null)]);
  if (most && !document.querySelector("[name=opponent]:checked")) {
    const radio = document.querySelector(`[name=opponent][value="${CSS.escape(chosen)}"]`) ?? document.querySelector("[name=opponent]");
    if (radio) radio.checked = true;
  }
}

function card(value, name, about, level) {
  const id = `opponent-${value}`;
  return make("label", { class: "card", for: id }, make("input", { type: "radio", name: "opponent", value, id, "data-key": value }), avatar(value, name), make("span", { class: "card-name" }, name, level), make("span", { class: "card-about" }, about));
}

const HUES = { pip: 48, mimi: 330, tom: 24, anna: 150, wei: 195, chen: 95, ingrid: 225, wu: 275, iron: 0, friend: 172, book: 20 };

function avatar(value, name) {
  const mark = make("span", { class: "avatar", "aria-hidden": "true" }, [...name.replace(/^The |^Old |^Professor |^老/, "")][0]?.toUpperCase() ?? "?");
  mark.style.setProperty("--hue", String(HUES[value] ?? 210));
  return mark;
}

function dots(level, most) {
  return make("span", { class: "dots", role: "img", "aria-label": t("new.level", level, most) }, "●".repeat(level) + "○".repeat(most - level));
}

export function settingOfForm() {
  const value = (id) => $(id).value;
  return play.settingOf({ opponent: chosenOpponent(), colour: value("colour"), rule: value("rule"), rows: $("rows").valueAsNumber, cols: $("cols").valueAsNumber, clock: value("clock"), opening: value("opening"), nodes: Number(value("nodes")) });
}

// ------------------------------------------------------------------ the game

function drawGame() {
  const { play: state } = app;
  const who = play.person();
  redraw($("against"), [state.opponent, t("you"), app.people.length], () => (who ? [avatar(who.name, spoken(who.names)), make("span", { class: "card-name" }, spoken(who.names), dots(who.level, app.people.length)), make("span", { class: "card-about" }, spoken(who.about))] : [avatar(state.opponent, play.opponentName()), make("span", { class: "card-name" }, play.opponentName()), ...(state.opponent === "book" ? [make("span", { class: "card-about" }, t("book.about"))] : [])]));
  setText($("setting"), settingText());
  drawBook();
  $("swap").disabled = !play.canSwap();
  drawSwap2();
  drawEnd();
  drawMoveList($("moves"), state.game, state.at, play.look, t(play.isYours() ? "moves.none" : "moves.theirs"));
}

// Under which rule, clock and opening the game is played.
function settingText() {
  const { game, setting, clock } = app.play;
  const opening = openings().find(([value]) => value && value === setting?.opening)?.[1];
  const times = clock ? (setting?.clock ? t("clock.of", ...setting.clock.split("+")) : t("clock.some")) : null;
  return [t(`rule.${game.rule}`), `${game.rows}×${game.cols}`, times, opening].filter(Boolean).join(" · ");
}

// What the book says of the game, how far its counting is, and the way into the proof.
function drawBook() {
  const game = app.proof ? null : book.about();
  $("book").hidden = !game;
  if (!game) return;
  setText($("book-says"), book.inWords(game));
  drawCounting("book", game);
  $("book-walk").hidden = book.standing(game)?.status !== "proven";
}

export function drawCounting(id, game) {
  const [counting, more] = [book.counting(), book.moreWords(game)];
  setText($(`${id}-more`), more);
  $(`${id}-progress`).hidden = !counting?.of;
  if (counting?.of) Object.assign($(`${id}-progress`), { max: counting.of, value: counting.done });
  $(`${id}-stop`).hidden = !counting?.of;
  $(`${id}-count`).hidden = counting !== null || !more;
}

// What to do in Swap2, and the choice where it is yours.
function drawSwap2() {
  const { swap2, game } = app.play;
  $("swap2").hidden = swap2 === null;
  if (swap2 === null) return;
  const text = { propose: "swap2.you-propose", choose: "swap2.choose", two: "swap2.put-two", "choose-five": "swap2.choose-five" }[swap2];
  setText($("swap2-text"), t(app.running ? "thinking" : text, play.opponentName()));
  const ready = (swap2 === "choose" && game.length === 3) || swap2 === "choose-five";
  const choices = ready ? ["black", "white", ...(swap2 === "choose" ? ["two"] : [])] : [];
  redraw($("swap2-choices"), [choices, t("you")], () => choices.map((what) => make("button", { type: "button", "data-key": what, id: `swap2-${what}`, onclick: () => page.run(() => play.choose(what)) }, t(`swap2.${what}`))));
}

function drawEnd() {
  const over = play.isOver();
  $("end").hidden = !over;
  if (!over) return;
  const winner = play.winner();
  setText($("end-title"), endTitle(winner));
  setText($("end-how"), endHow(winner));
  const { you } = app.play;
  const won = you !== "both" && winner === you;
  const at = app.people.findIndex(({ name }) => name === app.play.opponent);
  const other = at < 0 || you === "both" || winner === null ? null : app.people[at + (won ? 1 : -1)] ?? null;
  $("end").className = `end ${winner === null || you === "both" ? "" : won ? "won" : "lost"}`;
  redraw($("end-next"), [other?.name, won, t("you")], () => [
    make("button", { type: "button", class: "primary", id: "rematch", "data-key": "rematch", onclick: () => page.run(play.rematch) }, t("next.rematch")),
    make("button", { type: "button", id: "review", "data-key": "review", onclick: () => page.run(play.review) }, t("next.review")),
    ...(other ? [make("button", { type: "button", id: "next-person", "data-key": "next", onclick: () => page.run(() => play.against(other.name)) }, t(won ? "next.stronger" : "next.weaker", spoken(other.names)))] : []),
  ]);
}

export function endTitle(winner) {
  if (winner === null) return t("draw");
  if (app.play.you === "both") return t(`won.${winner}`);
  return winner === app.play.you ? t("won.you") : t("won.they", play.opponentName());
}

function endHow(winner) {
  const { game, resigned, flagged } = app.play;
  const name = (colour) => (app.play.you === "both" ? t(colour) : colour === app.play.you ? t("you") : play.opponentName());
  if (resigned) return t("how.resigned", name(resigned), game.length);
  if (flagged) return t("how.time", name(flagged));
  if (winner) return t("how.five", game.length);
  return t(game.isFull() ? "draw.full" : "draw.stuck");
}

// ------------------------------------------------------------------ a list of moves that can be clicked

export function drawMoveList(list, game, at, look, none = t("moves.none")) {
  const names = game.moves.map((cell) => cellName(cell, game.rows));
  const current = at ?? names.length;
  redraw(list, [names, current, none], () => (names.length ? names.map((name, index) => moveItem(name, index + 1, current, look)) : [make("li", { class: "quiet" }, none)]));
  const chosen = list.querySelector("[aria-current]");
  if (chosen) list.scrollTop = chosen.offsetTop - list.offsetTop - list.clientHeight / 2;
}

function moveItem(name, number, current, look) {
  const button = make("button", { type: "button", class: "move", "data-key": number, "aria-current": number === current ? "step" : null, "aria-label": t("move.to", number, name), onclick: () => page.run(() => look(number)) }, name);
  return make("li", {}, make("span", { class: "move-number" }, `${number}.`), button);
}
