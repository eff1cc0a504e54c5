// English and Chinese: the language in use, and the words in it. What they say is in words.js.

import { keep, kept } from "./store.js";
import { WORDS } from "./words.js";

const LANGUAGES = ["en", "zh"];
let language = LANGUAGES.includes(kept("language")) ? kept("language") : navigator.language.startsWith("zh") ? "zh" : "en";

// t(key, value) puts the value in the place of {}; {0} and {1} name values where the order differs.
export function t(key, ...values) {
  const text = WORDS[key]?.[LANGUAGES.indexOf(language)] ?? key;
  let next = 0;
  return text.replace(/\{(\d?)\}/g, (_, number) => String(values[number === "" ? next++ : Number(number)] ?? ""));
}

// The length of a win: moves of both sides, the winning one included.
export const moves = (count) => t(count === 1 ? "length.1" : "length", count);

// The words for something of the server's, which names it in English.
export function named(key, english) {
  return WORDS[key]?.[LANGUAGES.indexOf(language)] ?? english;
}

export const currentLanguage = () => language;

// One of a pair such as { en, zh }.
export const spoken = (both) => both[language];

export const number = (value) => value.toLocaleString(language === "zh" ? "zh-CN" : "en-GB");

export const compact = (value) => value.toLocaleString(language === "zh" ? "zh-CN" : "en-GB", { notation: "compact", maximumFractionDigits: 1 });

export function setLanguage(chosen) {
  language = chosen;
  keep("language", chosen);
  translatePage();
}

export function translatePage() {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", t(element.dataset.tLabel));
  for (const element of document.querySelectorAll("[data-t-placeholder]")) element.placeholder = t(element.dataset.tPlaceholder);
  for (const element of document.querySelectorAll("[data-t-title]")) element.setAttribute("title", t(element.dataset.tTitle));
}
