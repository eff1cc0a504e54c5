// Keeps the page for when there is no network: what the server has is always newer, what was seen last is better than nothing.

const CACHE = "gomoku-3";
const SHELL = "/play";
const LISTS = ["opponents", "players", "tables", "suites", "formats", "health"].map((name) => `/api/${name}`);
const PARTS = ["colours.css", "style.css", "icon.svg", "icon-192.png", "manifest.webmanifest", ...["address", "analysis", "app", "board", "book", "clock", "collection", "dom", "drawing", "engine", "errors", "facts", "game", "hints", "i18n", "links", "main", "mistakes", "moves-panel", "network", "notices", "openings", "patterns", "play", "play-panel", "practice", "practice-panel", "proof", "puzzles", "puzzles-panel", "rating", "rules", "run", "searching", "setup", "share", "sound", "steady", "store", "tree", "why", "words"].map((name) => `${name}.js`)].map((name) => `/static/${name}`);

self.addEventListener("install", (event) => {
  event.waitUntil(keepAll().then(() => self.skipWaiting()));
});

async function keepAll() {
  const cache = await caches.open(CACHE);
  await cache.addAll([SHELL, ...LISTS, ...PARTS]);
  const { suites } = await (await cache.match("/api/suites")).json();
  await cache.addAll(suites.map(({ suite }) => `/api/puzzles?suite=${encodeURIComponent(suite)}`));
}

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, search, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || request.cache === "no-store") return;
  const page = request.mode === "navigate" && !pathname.startsWith("/api");
  if (page || pathname === "/api/puzzles" || LISTS.includes(pathname) || pathname.startsWith("/static/")) event.respondWith(fromNetworkFirst(request, page ? SHELL : pathname + search));
});

async function fromNetworkFirst(request, key) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) cache.put(key, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept) return kept;
    throw error;
  }
}
