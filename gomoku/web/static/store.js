// What is kept in the browser. A browser may refuse to keep anything: then the page works until it is closed.

const areas = { session: () => sessionStorage, local: () => localStorage };

function read(area, key) {
  try {
    return areas[area]().getItem(key);
  } catch {
    return null;
  }
}

function write(area, key, text) {
  try {
    areas[area]().setItem(key, text);
  } catch { /* nothing is kept */ }
}

export const kept = (key) => read("local", key);
export const keep = (key, text) => write("local", key, text);

// Each tab has a game of its own; a new tab begins with the one that was played last.
export const keptHere = (key) => read("session", key) ?? read("local", key);
export function keepHere(key, text) {
  write("session", key, text);
  write("local", key, text);
}

// For this tab alone, across a reload.
export const keptForTab = (key) => read("session", key);
export const keepForTab = (key, text) => write("session", key, text);

// What cannot be read is as good as nothing.
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
