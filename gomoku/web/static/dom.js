// Small helpers for the document: find, make, and write only what has changed.

export const $ = (id) => document.getElementById(id);

// make("button", { class: "primary", onclick: action }, "Start")
export function make(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

export function makeSvg(tag, properties = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

// A live region is read aloud whenever it is written, and a button that is made anew loses the focus: so only news is written.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const shown = new WeakMap();

// Builds the children anew only when what they show has changed.
export function redraw(element, about, build) {
  const key = JSON.stringify(about);
  if (shown.get(element) === key) return;
  shown.set(element, key);
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  element.replaceChildren(...build());
  if (focused !== undefined) element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

export function fillSelect(select, entries, chosen = select.value) {
  redraw(select, [entries, "options"], () => entries.map(([value, text]) => new Option(text, value)));
  if (entries.some(([value]) => value === String(chosen))) select.value = chosen;
}
