// What the browser knows of somebody who practises: a rating, what came of each puzzle, and when a failed one comes again.
// puzzles/practice.py does the same in Python: the puzzle of a day and what a result does are the same in both.

import { BEGINNING, rated } from "./rating.js";
import { keep, kept, parsed } from "./store.js";

const LEAST_DEVIATION = 45;
// With a larger deviation a rating says little: it is called provisional.
export const PROVISIONAL = 110;
const DAY = 86_400;
export const BOXES = [600, DAY, 3 * DAY, 7 * DAY, 21 * DAY];
const NEAREST = 12;
const DAILY_BANDS = [3, 4, 5, 6, 7];

export const now = () => Math.floor(Date.now() / 1000);

// ------------------------------------------------------------------ kept in the browser

const isCount = (value) => Number.isInteger(value) && value >= 0;

// Read anew each time: another tab may have gone on.
export function practice() {
  const value = parsed(kept("practice"));
  const { rating } = value ?? {};
  const sound = rating && ["value", "deviation", "volatility"].every((key) => Number.isFinite(rating[key])) && rating.deviation > 0 && rating.volatility > 0;
  const done = Object.entries(value?.done ?? {}).filter(([, one]) => typeof one?.solved === "boolean" && isCount(one.tries) && [one.box, one.due].every((number) => number === null || isCount(number)));
  return { rating: sound ? rating : BEGINNING, done: Object.fromEntries(done), best: isCount(value?.best) ? value.best : 0 };
}

const store = (state) => keep("practice", JSON.stringify(state));

// ------------------------------------------------------------------ what came of a puzzle

// Solved without a slip and without help, or not. Only the first time counts for the rating; says what it did to it.
export function record(key, puzzle, solved, time = now()) {
  const state = practice();
  const before = state.done[key];
  const was = state.rating.value;
  if (!before) {
    const after = rated(state.rating, [{ value: puzzle.rating, deviation: puzzle.deviation, score: solved ? 1 : 0 }]);
    state.rating = { ...after, deviation: Math.max(after.deviation, LEAST_DEVIATION) };
  }
  state.done[key] = doneAfter(before, solved, time);
  store(state);
  return Math.round(state.rating.value) - Math.round(was);
}

function doneAfter(before, solved, time) {
  const tries = before ? before.tries + 1 : 1;
  if (!solved) return { solved, tries, box: 0, due: time + BOXES[0] };
  if (!before || before.box === null || before.box + 1 >= BOXES.length) return { solved, tries, box: null, due: null };
  const box = before.box + 1;
  return { solved, tries, box, due: time + BOXES[box] };
}

export function recordRun(solved) {
  const state = practice();
  const best = Math.max(state.best, solved);
  store({ ...state, best });
  return best;
}

export function due(time = now()) {
  const waiting = Object.entries(practice().done).filter(([, one]) => one.due !== null && one.due <= time);
  return waiting.sort(([a, one], [b, other]) => one.due - other.due || (a < b ? -1 : 1)).map(([key]) => key);
}

// ------------------------------------------------------------------ choosing

const pick = (list) => list[Math.floor(Math.random() * list.length)];

// One of the nearest to a rating. levels: [[key, level]].
export function near(levels, value, most = NEAREST) {
  const sorted = [...levels].sort(([, a], [, b]) => Math.abs(a.rating - value) - Math.abs(b.rating - value));
  return pick(sorted.slice(0, most))?.[0] ?? null;
}

// The next puzzle: one that is due, or a new one near the rating, or else one that was tried least.
export function nextKey(levels, except = null) {
  const state = practice();
  const wanted = new Map(levels);
  const again = due().find((key) => wanted.has(key) && key !== except);
  if (again) return again;
  const fresh = levels.filter(([key]) => !state.done[key] && key !== except);
  const { value, deviation } = state.rating;
  // Nobody who is not known yet begins with a hard one.
  if (fresh.length) return near(fresh, deviation > PROVISIONAL ? value - deviation : value);
  const others = levels.filter(([key]) => key !== except).sort(([a], [b]) => (state.done[a]?.tries ?? 0) - (state.done[b]?.tries ?? 0));
  return others[0]?.[0] ?? levels[0]?.[0] ?? null;
}

// ------------------------------------------------------------------ the puzzle of a day

export const today = () => new Date().toISOString().slice(0, 10);

// The same for everybody who has the same puzzles.
export function dailyKey(levels, day = today()) {
  const fitting = levels.filter(([, { band }]) => DAILY_BANDS.includes(band));
  const from = fitting.length ? fitting : levels;
  return from.length ? from[scattered(day) % from.length][0] : null;
}

// FNV-1a with 32 bits, stirred once more.
export function scattered(text) {
  let number = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) number = Math.imul(number ^ byte, 0x01000193) >>> 0;
  number = Math.imul(number ^ (number >>> 15), 0x2c1b3c6d) >>> 0;
  return (number ^ (number >>> 13)) >>> 0;
}
