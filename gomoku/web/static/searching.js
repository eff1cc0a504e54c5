// One search at a time: begun, watched, told to stop, or given up.

import { app } from "./app.js";
import { newToken, search, stopSearch } from "./network.js";
import { showProgress } from "./notices.js";
import { number, t } from "./i18n.js";

export const inTime = (seconds) => Math.min(seconds, app.maxSeconds);

// kind: "move" (an opponent thinks), "hint", "solve", "lines"; onChange is called when it begins and ends.
// An answer that comes sooner than "least" milliseconds waits: nobody moves the moment you have let go of your stone.
export async function searched(kind, path, body, { onProgress, onChange, quiet = false, least = 0 }) {
  const running = { kind, token: newToken(), abort: new AbortController(), stopping: false };
  app.running = running;
  onChange();
  try {
    const answer = search(path, { token: running.token, ...body }, { signal: running.abort.signal, onProgress: (progress) => report(running, progress, onProgress, quiet) });
    const [found] = await Promise.all([answer, pause(least)]);
    return app.running === running ? found : null;
  } finally {
    if (app.running === running) {
      app.running = null;
      if (!quiet) showProgress("");
      onChange();
    }
  }
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// A stop asked for before the server had the search (it was busy, or away) is asked for again once it has.
function report(running, progress, onProgress, quiet) {
  if (running.stopping) stopRunning(running);
  if (!quiet) showProgress(progressText(progress));
  onProgress?.(progress);
}

export function progressText({ elapsed = 0, depth = 0, nodes = 0, done }) {
  if (done !== undefined) return t("book.made", done, elapsed.toFixed(1));
  return t("progress", depth, number(nodes), elapsed.toFixed(1));
}

export function stopRunning(running = app.running) {
  if (!running) return;
  running.stopping = true;
  stopSearch(running.token);
}

export function abandonSearch() {
  app.running?.abort.abort();
  app.running = null;
}
