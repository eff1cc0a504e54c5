// What is true of a position: who has won, and what is forbidden and why. Asked of the server once, and remembered.

import { app } from "./app.js";
import { ApiError, isAway, post } from "./network.js";
import { factsOffline } from "./rules.js";

const MOST_REMEMBERED = 400;
const remembered = new Map();

export function rememberedFacts(position) {
  return remembered.get(JSON.stringify(position)) ?? null;
}

export async function learnFacts(position) {
  const key = JSON.stringify(position);
  return remembered.get(key) ?? (await asked(key, position));
}

// While the server is gone two people can play on; what is forbidden under renju only the server knows.
async function asked(key, position) {
  const alone = position.rule !== "renju";
  if (alone && isAway()) return factsOffline(position);
  try {
    const facts = await post("rules", { position }, undefined, alone ? 1 : undefined);
    remembered.set(key, facts);
    if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value);
    return facts;
  } catch (error) {
    if (!alone || !(error instanceof ApiError) || error.status !== 0) throw error;
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
