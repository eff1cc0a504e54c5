// The puzzles there are: the levels of every suite, each under a name such as "huanle/16", and the themes they show.

import { get } from "./network.js";

const TWENTY = "huanle";
let levels = new Map();
let [bandsFound, themesFound] = [[], []];
let loading = null;

// Asked for when puzzles are first wanted; a server that was away is asked again.
export function loadPuzzles() {
  loading ??= fetched().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function fetched() {
  const told = await get("suites");
  const suites = await Promise.all(told.suites.map(({ suite }) => get(`puzzles?suite=${encodeURIComponent(suite)}`)));
  levels = new Map(suites.flatMap(({ suite, levels: found }) => found.map((level) => [`${suite}/${level.number}`, level])));
  const found = [...levels.values()];
  const shown = new Set(found.flatMap((one) => one.tags));
  bandsFound = [...new Set(found.map(({ band }) => band))].filter((band) => band !== null).sort((a, b) => a - b);
  themesFound = told.tags.filter(({ name }) => shown.has(name));
}

export const level = (key) => levels.get(key) ?? null;
export const allLevels = () => [...levels];
export const suiteOf = (key) => key.slice(0, key.lastIndexOf("/"));
export const isOfTwenty = (key) => suiteOf(key) === TWENTY;
export const isEmpty = () => levels.size === 0;
export const twenty = () => allLevels().filter(([key]) => isOfTwenty(key));
export const keyOf = (suite, number) => `${suite ?? TWENTY}/${number}`;

// The levels of a band and with a theme; "" is any.
export function wanted(band, theme) {
  return allLevels().filter(([, one]) => (!band || one.band === Number(band)) && (!theme || one.tags.includes(theme)));
}

// The first puzzle of the lowest band beside the twenty, under the rule that everybody knows; null where there is none.
export function easiest() {
  const others = allLevels().filter(([key, { band, position }]) => band !== null && position.rule === "freestyle" && !isOfTwenty(key));
  const least = Math.min(...others.map(([, { band }]) => band));
  return others.find(([, { band }]) => band === least)?.[0] ?? null;
}

// What there is to choose from, and what a level's themes are called.
export const bands = () => bandsFound;
export const themes = () => themesFound;
export const themeNames = (names) => themesFound.filter(({ name }) => names.includes(name)).map((tag) => tag.names);
