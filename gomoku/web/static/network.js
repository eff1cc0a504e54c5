// The JSON API: plain calls, and searches that stream their progress and can be stopped.

export class ApiError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
  get passing() { return this.status === 0 || this.status === 503; }
}

const RETRIES = 4;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function request(path, options) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await fetch(`/api/${path}`, options);
      if (response.ok) return response;
      throw new ApiError((await response.json().catch(() => ({}))).error ?? response.statusText, response.status);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      const failure = error instanceof ApiError ? error : new ApiError(String(error.message), 0);
      if (!failure.passing || attempt >= RETRIES || !navigator.onLine) throw failure;
      await pause(300 * 2 ** attempt);
    }
  }
}

function posted(body, signal) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
}

export async function get(path) {
  return (await request(path, {})).json();
}

export async function post(path, body, signal) {
  return (await request(path, posted(body, signal))).json();
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
      if (event.error) throw new ApiError(event.error, event.status ?? 422);
      if (event.progress) onProgress?.(event.progress);
    }
    if (done) throw new Error("the answer broke off");
  }
}

export function stopSearch(token) {
  return post("stop", { token }).catch(() => {});
}
