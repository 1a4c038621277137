// What the service worker does: it keeps the files of the page, so that the page opens without a connection too, and a
// file that an open page still needs is there after the server has a new one. What the server says is never kept.

/** As much of a request as decides how it is answered. */
export interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
}

/** How a request is answered: `page` from the server, else the kept page; `kept` by what is kept, since its name has a
 * digest of it; `file` from the server, else what is kept; `none` as if there were no service worker. */
export type Way = "page" | "kept" | "file" | "none";

const FILES: ReadonlySet<string> = new Set([
  "/icon.svg",
  "/icon-192.png",
  "/icon-512.png",
  "/icon-mask.png",
  "/manifest.webmanifest",
]);

export function wayOf(asked: Asked, origin: string): Way {
  const { pathname, origin: from } = new URL(asked.url);
  if (asked.method !== "GET" || from !== origin || pathname.startsWith("/api/")) return "none";
  if (asked.mode === "navigate") return "page";
  if (pathname.startsWith("/assets/")) return "kept";
  return FILES.has(pathname) ? "file" : "none";
}

const NAME = "buraco-page-";
/** The page of now, and the one before: somebody may still have it open. */
const KEPT = 2;

/** Keep the files of a version of the page. */
export async function keep(caches: CacheStorage, version: string, files: readonly string[]): Promise<void> {
  const cache = await caches.open(`${NAME}${version}`);
  await cache.addAll(
    files.map((file) => (file.startsWith("/assets/") ? file : new Request(file, { cache: "reload" }))),
  );
}

/** Give up what no open page needs any more. */
export async function tidy(caches: CacheStorage): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(NAME));
  await Promise.all(names.slice(0, -KEPT).map((name) => caches.delete(name)));
}

/** Answer a request in a way other than `none`. */
export async function answer<R extends Request>(
  request: R,
  way: Exclude<Way, "none">,
  caches: CacheStorage,
  ask: (request: R) => Promise<Response>,
): Promise<Response> {
  if (way === "kept") return (await caches.match(request)) ?? ask(request);
  try {
    return await ask(request);
  } catch (error) {
    const names = (await caches.keys()).filter((name) => name.startsWith(NAME));
    const newest = names.at(-1);
    const cache = newest === undefined ? null : await caches.open(newest);
    const found = await cache?.match(way === "page" ? "/" : request);
    if (found === undefined) throw error;
    return found;
  }
}
