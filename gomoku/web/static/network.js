// The JSON API: plain calls, and searches that stream their progress and can be stopped.

export class ApiError extends Error {
  // told: what the server says of an error, { error, code, reason, line, column }
  constructor(message, status, told = {}) {
    super(message);
    Object.assign(this, { status, told });
  }
  get passing() { return this.status === 0 || this.status === 503; }
}

const RETRIES = 4;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function request(path, options, retries = RETRIES) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await answered(path, options);
      if (response.ok) return response;
      const told = await response.json().catch(() => ({}));
      throw new ApiError(told.error ?? response.statusText, response.status, told);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.passing || attempt >= retries) throw error;
      await Promise.race([pause(300 * 2 ** attempt), whenBack()]);
    }
  }
}

// ------------------------------------------------------------------ whether the server answers

const POLL = 1500;
// What a proxy says of a server that is gone.
const GONE = [502, 504];
let away = false;
const listeners = [];

export const isAway = () => away;
// listener(gone): called when the server stops answering, and when it answers again.
export const onPresence = (listener) => listeners.push(listener);
// Resolves when the server answers again; while it answers, never.
const whenBack = () => new Promise((done) => { if (away) listeners.push(function once(gone) { if (!gone) { listeners.splice(listeners.indexOf(once), 1); done(); } }); });

// A list may come from the service worker, so that only the answer to a POST shows that the server is there.
async function answered(path, options) {
  let response = null;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
  }
  if (response && !GONE.includes(response.status)) {
    if (options.method === "POST") setAway(false);
    return response;
  }
  setAway(true);
  throw new ApiError("the server does not answer", 0);
}

function setAway(gone) {
  if (away === gone) return;
  away = gone;
  for (const listener of [...listeners]) listener(gone);
  if (gone) waitForServer();
}

// The browser's own idea of a network says nothing about a server on the same machine: the server is asked.
async function waitForServer() {
  while (away) {
    await pause(POLL);
    const response = await fetch("/api/health", { cache: "no-store" }).catch(() => null);
    if (response?.ok) setAway(false);
  }
}

// ------------------------------------------------------------------ calls

function posted(body, signal) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
}

export async function get(path) {
  return (await request(path, {})).json();
}

export async function post(path, body, signal, retries) {
  return (await request(path, posted(body, signal), retries)).json();
}

export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Resolves to the result; a connection that breaks in the middle is tried again from the start.
export async function search(path, body, { signal, onProgress }) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await request(path, posted({ ...body, stream: true }, signal));
      return await lastEvent(response, onProgress);
    } catch (error) {
      const broken = !(error instanceof ApiError) && error.name !== "AbortError";
      if (!broken || attempt >= RETRIES) throw broken ? new ApiError(String(error.message), 0) : error;
      await pause(300 * 2 ** attempt);
    }
  }
}

async function lastEvent(response, onProgress) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    rest += value ?? "";
    const lines = rest.split("\n");
    rest = lines.pop();
    for (const event of lines.filter(Boolean).map((line) => JSON.parse(line))) {
      if (event.result) return event.result;
      if (event.error) throw new ApiError(event.error, event.status ?? 422, event);
      if (event.progress) onProgress?.(event.progress);
    }
    if (done) throw new Error("the answer broke off");
  }
}

export function stopSearch(token) {
  return post("stop", { token }).catch(() => {});
}
