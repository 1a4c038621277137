// The service worker of the page. The build puts in which files there are, and which version that is.
import { answer, keep, tidy, wayOf } from "./keeper";

interface Lasting extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface Fetching extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Scope {
  readonly caches: CacheStorage;
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", run: (event: Lasting) => void): void;
  addEventListener(type: "fetch", run: (event: Fetching) => void): void;
}

declare const __PAGE_FILES__: readonly string[];
declare const __PAGE_VERSION__: string;

const scope = self as unknown as Scope;

// It takes over at once: pages that are open find the files of their own version in what was kept before.
scope.addEventListener("install", (event) =>
  event.waitUntil(keep(scope.caches, __PAGE_VERSION__, __PAGE_FILES__).then(() => scope.skipWaiting())),
);
scope.addEventListener("activate", (event) => event.waitUntil(tidy(scope.caches).then(() => scope.clients.claim())));
scope.addEventListener("fetch", (event) => {
  const way = wayOf(event.request, scope.location.origin);
  if (way !== "none") event.respondWith(answer(event.request, way, scope.caches, (request) => fetch(request)));
});
