import { beforeEach, describe, expect, it } from "vitest";
import { answer, keep, tidy, wayOf, type Way } from "./keeper";

const HERE = "http://here";

/** Caches as a browser has them, as far as they are used. */
class Caches {
  readonly all = new Map<string, Map<string, Response>>();
  failing = "";

  private readonly pathOf = (request: Request | string): string =>
    typeof request === "string" ? request : new URL(request.url, HERE).pathname;

  open(name: string): Promise<unknown> {
    const cache = this.all.get(name) ?? new Map<string, Response>();
    this.all.set(name, cache);
    return Promise.resolve({
      addAll: (files: readonly (Request | string)[]) => {
        for (const file of files.map(this.pathOf)) {
          if (file === this.failing) return Promise.reject(new TypeError("offline"));
          cache.set(file, new Response(`${name} ${file}`));
        }
        return Promise.resolve();
      },
      match: (request: Request | string) => Promise.resolve(cache.get(this.pathOf(request))),
    });
  }

  keys = (): Promise<string[]> => Promise.resolve([...this.all.keys()]);
  delete = (name: string): Promise<boolean> => Promise.resolve(this.all.delete(name));
  match = (request: Request | string): Promise<Response | undefined> =>
    Promise.resolve([...this.all.values()].map((cache) => cache.get(this.pathOf(request))).find(Boolean));
}

let caches: Caches;
const stored = (): CacheStorage => caches as unknown as CacheStorage;
const offline = (): Promise<Response> => Promise.reject(new TypeError("offline"));
const online = (): Promise<Response> => Promise.resolve(new Response("from the server"));
const told = async (asked: Promise<Response>): Promise<string> => (await asked).text();

beforeEach(() => {
  caches = new Caches();
});

describe("a request", () => {
  it.each<[string, string, string, Way]>([
    ["GET", "navigate", "/t/ABC", "page"],
    ["GET", "navigate", "/api/openapi.json", "none"],
    ["GET", "cors", "/assets/index-1.js", "kept"],
    ["GET", "no-cors", "/icon-192.png", "file"],
    ["GET", "cors", "/api/session", "none"],
    ["POST", "cors", "/api/guests", "none"],
    ["GET", "cors", "/", "none"],
    ["GET", "cors", "/healthz", "none"],
  ])("%s %s %s is answered by: %s %s", (method, mode, path, way) => {
    expect(wayOf({ method, mode, url: `${HERE}${path}` }, HERE)).toBe(way);
  });

  it("of another origin is left alone", () => {
    expect(wayOf({ method: "GET", mode: "navigate", url: "http://there/" }, HERE)).toBe("none");
  });
});

describe("what is kept", () => {
  it("is the page of now and the one before", async () => {
    for (const version of ["1", "2", "3"]) await keep(stored(), version, ["/", `/assets/index-${version}.js`]);
    await caches.open("of somebody else");
    await tidy(stored());
    expect(await caches.keys()).toEqual(["buraco-page-2", "buraco-page-3", "of somebody else"]);
  });

  it("answers for hashed names at once, of the version before too", async () => {
    await keep(stored(), "1", ["/", "/assets/index-1.js"]);
    await keep(stored(), "2", ["/", "/assets/index-2.js"]);
    const asked = answer(new Request(`${HERE}/assets/index-1.js`), "kept", stored(), offline);
    expect(await told(asked)).toBe("buraco-page-1 /assets/index-1.js");
    expect(await told(answer(new Request(`${HERE}/assets/new.js`), "kept", stored(), online))).toBe("from the server");
  });

  it("answers for the page where the server does not, the newest", async () => {
    await keep(stored(), "1", ["/"]);
    await keep(stored(), "2", ["/"]);
    const asked = (ask: () => Promise<Response>): Promise<string> =>
      told(answer(new Request(`${HERE}/t/ABC`), "page", stored(), ask));
    expect(await asked(online)).toBe("from the server");
    expect(await asked(offline)).toBe("buraco-page-2 /");
  });

  it("is nothing where nothing could be kept: the fault stays one", async () => {
    await expect(answer(new Request(`${HERE}/`), "page", stored(), offline)).rejects.toThrow("offline");
    caches.failing = "/assets/index-1.js";
    await expect(keep(stored(), "1", ["/", "/assets/index-1.js"])).rejects.toThrow("offline");
  });
});
