// The puzzles there are: the levels of every suite, each under a name such as "huanle/16", and the themes they show.

import { get } from "./network.js";

const TWENTY = "huanle";
let levels = new Map();
let tags = [];
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
  tags = told.tags;
}

export const level = (key) => levels.get(key) ?? null;
export const allLevels = () => [...levels];
export const suiteOf = (key) => key.slice(0, key.lastIndexOf("/"));
export const isOfTwenty = (key) => suiteOf(key) === TWENTY;
export const twenty = () => allLevels().filter(([key]) => isOfTwenty(key));
export const keyOf = (suite, number) => `${suite ?? TWENTY}/${number}`;

// The levels of a band and with a theme; "" is any.
export function wanted(band, theme) {
  return allLevels().filter(([, one]) => (!band || one.band === Number(band)) && (!theme || one.tags.includes(theme)));
}

export const bands = () => [...new Set(allLevels().map(([, { band }]) => band))].filter((band) => band !== null).sort((a, b) => a - b);
export const themes = () => tags.filter(({ name }) => allLevels().some(([, one]) => one.tags.includes(name)));
export const themeNames = (names) => tags.filter(({ name }) => names.includes(name)).map((tag) => tag.names);
