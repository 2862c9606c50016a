// The service worker: keeps the pages and their files, so that they open without a server.
//
// The server is always asked first: what is kept is only for when it does not answer. Games are never kept,
// since the minefield is on the server. pages.py fills in the version and the files.

const KEPT = "minewright-$version";
const FILES = $files;

addEventListener("install", (event) => {
  skipWaiting();
  // Where the browser knows how, requests to the API do not come by here, which would cost each some milliseconds.
  event.addRoutes?.({ condition: { urlPattern: "/api/*" }, source: "network" });
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)));
});

addEventListener("activate", (event) => {
  const old = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(old());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const ours = request.method === "GET" && origin === location.origin;
  if (!ours || pathname.startsWith("/api")) return;
  const fallback = async (error) => {
    const found = await caches.match(request, { ignoreSearch: true });
    if (!found) throw error;
    return found;
  };
  event.respondWith(fetch(request).catch(fallback));
});
