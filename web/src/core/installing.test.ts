import { beforeEach, describe, expect, it, vi } from "vitest";
import { AppInstall, entryOf, LOOK_MS } from "./installing";

/** A service worker that is being installed, in the hand of a test. */
class Worker extends EventTarget {
  state = "installing";
  become(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }
}

let registered: string[];
let registration: EventTarget & { installing: Worker | null; update: () => Promise<void> };
let updates: number;
let served: string;

function browser(more: object = {}): Window & typeof globalThis {
  const serviceWorker = {
    register: (path: string) => {
      registered.push(path);
      return Promise.resolve(registration);
    },
  };
  return Object.assign(new EventTarget(), {
    navigator: { serviceWorker },
    document: Object.assign(new EventTarget(), {
      scripts: [{ src: "http://here/assets/index-1.js" }],
      baseURI: "http://here/",
      visibilityState: "visible",
    }),
    isSecureContext: true,
    matchMedia: () => ({ matches: false }),
    setTimeout,
    setInterval,
    fetch: () => Promise.resolve(new Response(served)),
    ...more,
  }) as unknown as Window & typeof globalThis;
}

beforeEach(() => {
  vi.useFakeTimers();
  registered = [];
  updates = 0;
  served = '<script src="/assets/index-1.js">';
  registration = Object.assign(new EventTarget(), {
    installing: null,
    update: () => {
      updates += 1;
      return Promise.resolve();
    },
  });
  return () => vi.useRealTimers();
});

describe("the page as an app", () => {
  it("has its service worker when it has all else", async () => {
    new AppInstall(browser()).start();
    expect(registered).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(registered).toEqual(["/sw.js"]);
  });

  it.each([
    ["where the browser has none", { navigator: {} }],
    ["over plain http from afar", { isSecureContext: false }],
  ])("works without one %s", async (_, more) => {
    const app = new AppInstall(browser(more));
    await app.register();
    await app.look();
    expect([registered, updates, app.get().fresh]).toEqual([[], 0, false]);
  });

  it("is installed when the browser offers it and the player wants it, and is asked once", async () => {
    const page = browser();
    const app = new AppInstall(page);
    app.start();
    let asked = 0;
    const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
      prompt: () => Promise.resolve((asked += 1)),
    });
    page.dispatchEvent(offer);
    expect([offer.defaultPrevented, app.get().offered]).toEqual([true, true]);
    await app.install();
    await app.install();
    expect([asked, app.get().offered]).toEqual([1, false]);
    page.dispatchEvent(new Event("appinstalled"));
    expect(app.get().installed).toBe(true);
  });

  it("looks for a new version when it is looked at again, and now and then", async () => {
    const page = browser();
    await new AppInstall(page).register();
    page.document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(LOOK_MS);
    expect(updates).toBe(2);
  });

  it.each([
    ["another page", '<script src="/assets/index-2.js">', true],
    ["the same page", '<script src="/assets/index-1.js">', false],
    ["no page", "a proxy's words", false],
  ])("tells of a new version once it is kept and the server has %s", async (_, text, fresh) => {
    const app = new AppInstall(browser());
    await app.register();
    served = text;
    const worker = (registration.installing = new Worker());
    registration.dispatchEvent(new Event("updatefound"));
    worker.become("installed");
    worker.become("activated");
    await vi.advanceTimersByTimeAsync(0);
    expect(app.get().fresh).toBe(fresh);
  });
});

it("a page whose document names no such script has no beginning to compare", () => {
  const scripts = [{ src: "http://here/assets/begin-9.js" }, { src: "" }];
  expect(entryOf({ scripts, baseURI: "http://here/" } as unknown as Document)).toBe("");
});
