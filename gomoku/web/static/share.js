// Import, export and links: any notation in and out, SGF with its variations.

import * as analysis from "./analysis.js";
import { app } from "./app.js";
import { $, fillSelect, setText } from "./dom.js";
import { named, t } from "./i18n.js";
import { linkTo, plainMoves, readLink } from "./links.js";
import { ApiError, post } from "./network.js";
import { because, notice, tell } from "./notices.js";
import { Tree } from "./tree.js";
import { listed } from "./why.js";

const page = {};
export const connectShare = (actions) => Object.assign(page, actions);

const VARIED = ["sgf"];
const SUFFIX = { sgf: "sgf", psq: "psq", json: "json" };

async function exported() {
  const format = $("format").value;
  if (VARIED.includes(format)) return (await post("convert", { tree: analysis.tree(), to: format })).text;
  const game = analysis.tree().gameAt(analysis.at());
  return (await post("convert", { position: game.start(), moves: game.moves, to: format })).text;
}

export async function exportText() {
  $("text").value = await exported();
}

export async function saveFile() {
  saveText(await exported(), `gomoku.${SUFFIX[$("format").value] ?? "txt"}`);
}

export function saveText(text, name, type = "text/plain;charset=utf-8") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}

export async function openFile() {
  const [file] = $("file").files;
  if (!file) return;
  await readFile(file);
  $("file").value = "";
}

// A file that was dropped on the page, in whichever mode.
export async function dropped(file) {
  if (app.mode !== "analysis") await page.go("analysis");
  $("share").open = true;
  await readFile(file);
}

async function readFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = textOf(bytes);
  $("text").value = text ?? "";
  await importFrom(text === null ? { base64: base64Of(bytes) } : { text });
}

// The text of a file, or null where it is none: a RenLib library is made of bytes.
function textOf(bytes) {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function base64Of(bytes) {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters);
}

export const importText = () => importFrom({ text: $("text").value });

async function importFrom(source) {
  tell(null);
  try {
    const tree = (source.text && (await readLink(source.text))) || (await converted(source));
    analysis.replace(tree, tree.line(0).at(-1));
  } catch (error) {
    if (!(error instanceof ApiError) || error.passing) throw error;
    notice("import.bad", [because(error)]);
    return;
  }
  page.navigate("push");
  await page.refresh();
  tell("imported");
}

async function converted({ text, base64 }) {
  const answer = await post("convert", base64 ? { base64 } : { text: plainMoves(text) ?? text });
  const tree = Tree.checked(answer.tree);
  if (!tree) throw new ApiError("expected a position", 422, { code: "no-position" });
  return tree;
}

// Browsers offer the clipboard only to pages of this machine or with https; elsewhere the old way still works.
export async function copy(field) {
  field.select();
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
  else document.execCommand("copy");
  tell("copied");
}

export function drawShare() {
  const writable = app.formats.filter((format) => format.writes).map(({ name, title }) => [name, `${name} — ${named(`format.${name}`, title)}`]);
  fillSelect($("format"), writable, $("format").value || "sgf");
  drawLink().catch(page.failed);
}

export async function copyLink() {
  await drawLink();
  await copy($("link"));
}

// The link is packed anew only when the tree or the place in it has changed.
let linked = "";

async function drawLink() {
  const about = `${analysis.tree().revision} ${analysis.at()}`;
  if (about === linked) return;
  linked = about;
  const { link, dropped: left } = await linkTo(analysis.tree(), analysis.at(), location.origin);
  if (linked !== about) return;
  $("link").value = link;
  setText($("link-dropped"), left.length ? t("share.dropped", listed(left.map((one) => t(`share.dropped.${one}`)))) : "");
}
