// A run against the clock: three minutes, three slips, puzzles that become harder as they are solved.

import { allLevels } from "./collection.js";
import { near, recordRun } from "./practice.js";

const SECONDS = 180;
const SLIPS = 3;
const [FIRST, STEP] = [800, 70];
const AMONG = 6;

let run = null;

export const currentRun = () => run;
export const isRunning = () => run !== null && !run.over;

export function beginRun() {
  run = { ends: Date.now() + 1000 * SECONDS, solved: 0, slips: 0, used: new Set(), missed: [], over: false, best: 0 };
}

export function dropRun() {
  run = null;
}

// The next puzzle of the run, or null when it is over.
export function nextOfRun() {
  if (!isRunning()) return null;
  const fresh = allLevels().filter(([key]) => !run.used.has(key));
  const key = near(fresh, FIRST + STEP * run.solved, AMONG);
  if (key === null) endRun();
  else run.used.add(key);
  return key;
}

export function counted(solved, key) {
  if (!isRunning()) return;
  if (solved) run.solved += 1;
  else {
    run.slips += 1;
    run.missed.push(key);
  }
  if (run.slips >= SLIPS) endRun();
}

export function endRun() {
  if (!isRunning()) return;
  Object.assign(run, { over: true, best: recordRun(run.solved) });
}

export const timeLeft = () => (isRunning() ? Math.max(0, run.ends - Date.now()) : 0);
export const slipsAllowed = SLIPS;
