// Lists that are drawn anew while something is searched hold still under a pointer: what is clicked is what was read.

import { redraw } from "./dom.js";

// The click of a finger comes after the finger has left.
const AFTER_TOUCH = 500;
// How far a hand that rests may move, in pixels.
const RESTS = 8;

const lists = new WeakMap();

// Like redraw. The list is held while a pointer that has moved is in it, unless what it is about changes: from then on, and
// when the pointer leaves, the newest is shown.
export function redrawSteadily(element, about, news, build) {
  const list = lists.get(element) ?? watched(element);
  if (!isHeld(element, about)) letGo(list);
  Object.assign(list, { about: JSON.stringify(about), draw: () => redraw(element, [about, news], build) });
  if (!list.held) list.draw();
}

export function isHeld(element, about) {
  const list = lists.get(element);
  return Boolean(list?.held) && list.about === JSON.stringify(about);
}

function watched(element) {
  const list = { about: "", draw: () => {}, held: false, timer: 0, clicked: null };
  lists.set(element, list);
  // A browser says that a pointer enters when something is drawn under one that rests; only a hand moves or presses it.
  for (const name of ["pointermove", "pointerdown"]) element.addEventListener(name, (event) => hold(element, list, event));
  element.addEventListener("pointerleave", ({ pointerType }) => leave(list, pointerType));
  element.addEventListener("click", ({ clientX, clientY }) => { list.clicked = [clientX, clientY]; });
  return list;
}

function hold(element, list, { type, clientX, clientY }) {
  const [x, y] = list.clicked ?? [Infinity, Infinity];
  if (type === "pointermove" && !list.held && Math.hypot(clientX - x, clientY - y) < RESTS) return;
  clearTimeout(list.timer);
  list.clicked = null;
  list.held = element.querySelector("button") !== null;
}

function leave(list, pointerType) {
  clearTimeout(list.timer);
  const release = () => { letGo(list); list.draw(); };
  if (pointerType === "mouse") return release();
  list.timer = setTimeout(release, AFTER_TOUCH);
  return undefined;
}

function letGo(list) {
  clearTimeout(list.timer);
  list.held = false;
}
