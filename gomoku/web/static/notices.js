// What the page says outside the boards: a notice with what can be done about it, and a quiet line for what was done.

import { $, make, redraw, setText } from "./dom.js";
import { reason } from "./errors.js";
import { t } from "./i18n.js";

// Kept as words to look up, not as text: a notice changes its language with the page.
let current = null;

// How long a notice stays, in milliseconds: longer where something can be brought back, and for good where a retry is needed to go on.
const [STAYS, STAYS_WITH_OFFER] = [8_000, 20_000];
let timer = 0;

// notice("forbidden", ["h8"], { key: "retry", act })
export function notice(key, values = [], offer = null, kind = "warn") {
  current = key ? { key, values, offer, kind } : null;
  drawNotice();
  putAwayLater();
}

// A notice that is being read or whose button has the focus stays until it is left.
function putAwayLater() {
  clearTimeout(timer);
  if (!current || current.offer?.key === "retry") return;
  timer = setTimeout(() => ($("notice").matches(":hover, :focus-within") ? putAwayLater() : clearNotice()), current.offer ? STAYS_WITH_OFFER : STAYS);
}

export function clearNotice() {
  if (current) notice(null);
}

export function refuse(name, foul) {
  notice("forbidden", [name, () => t(`forbidden.${foul}`)]);
}

// Something was replaced and can be brought back.
export function offerBack(key, act, offer = "bring-back") {
  notice(key, [], { key: offer, act }, "quiet");
}

export function drawNotice() {
  $("notice").hidden = current === null;
  if (!current) return;
  const { key, values, offer, kind } = current;
  $("notice").className = `notice ${kind}`;
  setText($("notice-text"), t(key, ...values.map((value) => (typeof value === "function" ? value() : value))));
  redraw($("notice-offer"), [offer?.key, t(offer?.key ?? "")], () => (offer ? [make("button", { type: "button", id: "notice-act" }, t(offer.key))] : []));
  const button = $("notice-act");
  if (button) button.onclick = () => {
    notice(null);
    offer.act();
  };
}

// The reason of a refusal is translated when it is shown.
export const because = (error) => () => reason(error);

// What has been done, for the eye and for the screen reader.
let told = null;

export function tell(key, ...values) {
  told = key ? [key, ...values] : null;
  drawTold();
}

export function drawTold() {
  const text = told ? t(...told.map((value) => (typeof value === "function" ? value() : value))) : "";
  setText($("progress"), text);
  setText($("told"), text);
}

export function showProgress(text) {
  told = null;
  setText($("progress"), text);
}
