// What is true of a position: who has won, and what is forbidden and why. Asked of the server once, and remembered.

import { app } from "./app.js";
import { ApiError, post } from "./network.js";
import { factsOffline } from "./rules.js";

const MOST_REMEMBERED = 400;
const remembered = new Map();

export function rememberedFacts(position) {
  return remembered.get(JSON.stringify(position)) ?? null;
}

export async function learnFacts(position) {
  const key = JSON.stringify(position);
  const known = remembered.get(key);
  if (known) return known;
  const facts = await asked(position);
  if (!app.offline) remembered.set(key, facts);
  if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value);
  return facts;
}

// With no network at all two people can play on; with a server that is gone for a moment, the question is put again.
async function asked(position) {
  try {
    const facts = await post("rules", { position });
    app.offline = false;
    return facts;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 0 || navigator.onLine) throw error;
    app.offline = true;
    return factsOffline(position);
  }
}

// Why a cell may not be played by the side to move; undefined where it may.
export function foulAt(cell, turn) {
  const at = turn === "black" ? app.facts.forbidden.findIndex((one) => String(one) === String(cell)) : -1;
  return at < 0 ? undefined : app.facts.fouls?.[at];
}

// The forbidden cells of Black's turn, each with its reason.
export function forbiddenNow(facts, turn) {
  return new Map(turn === "black" && !facts.over ? facts.forbidden.map((cell, index) => [String(cell), facts.fouls?.[index]]) : []);
}
