// The page as an app: the browser's offer to install it, the service worker, and a new version of the page.

/** What a browser sends that would install the page. */
interface Offer extends Event {
  prompt(): Promise<unknown>;
}

export interface Installing {
  /** The browser would install the page if it was asked to. */
  readonly offered: boolean;
  /** It runs as an app already. */
  readonly installed: boolean;
  /** The server has another page than the one that is open. */
  readonly fresh: boolean;
}

/** Look for a new version so often, and whenever the page is looked at again. */
export const LOOK_MS = 3_600_000;
/** The first visit has better things to fetch. */
const REGISTER_MS = 4_000;

/** The file that this page began with, as its document names it. */
export const entryOf = (page: Document): string =>
  [...page.scripts].map((one) => new URL(one.src, page.baseURI).pathname).find((path) => path.includes("/index-")) ??
  "";

export class AppInstall {
  private offer: Offer | null = null;
  private now: Installing = { offered: false, installed: false, fresh: false };
  private readonly listeners = new Set<(now: Installing) => void>();
  private registration: ServiceWorkerRegistration | null = null;

  constructor(private readonly browser: Window & typeof globalThis) {}

  get = (): Installing => this.now;

  subscribe(run: (now: Installing) => void): () => void {
    this.listeners.add(run);
    run(this.now);
    return () => this.listeners.delete(run);
  }

  private set(change: Partial<Installing>): void {
    this.now = { ...this.now, ...change };
    for (const run of this.listeners) run(this.now);
  }

  /** Listen to the browser from now on; the service worker comes when the page has all that it needs itself. */
  start(): void {
    const { browser } = this;
    this.set({ installed: browser.matchMedia("(display-mode: standalone)").matches });
    browser.addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      this.offer = event as Offer;
      this.set({ offered: true });
    });
    browser.addEventListener("appinstalled", () => this.set({ offered: false, installed: true }));
    browser.setTimeout(() => void this.register().catch(() => undefined), REGISTER_MS);
  }

  /** Register the service worker, where the browser has such: not on a page that came over plain http from afar. */
  async register(): Promise<void> {
    const { browser } = this;
    const workers = (browser.navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
    if (workers === undefined || !browser.isSecureContext) return;
    const registration = await workers.register("/sw.js", { updateViaCache: "none" });
    this.registration = registration;
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker?.addEventListener("statechange", () => {
        if (worker.state === "activated") void this.compare();
      });
    });
    const look = (): void => void this.look();
    browser.document.addEventListener("visibilitychange", () => {
      if (browser.document.visibilityState === "visible") look();
    });
    browser.setInterval(look, LOOK_MS);
  }

  /** Ask whether there is a new version; one that is found is kept first, then told of. */
  async look(): Promise<void> {
    await this.registration?.update().catch(() => undefined);
  }

  /** Compare the page of the server with the one that is open. */
  async compare(): Promise<void> {
    const entry = entryOf(this.browser.document);
    try {
      const page = await (await this.browser.fetch("/", { cache: "no-store" })).text();
      if (entry !== "" && page.includes("/index-") && !page.includes(entry)) this.set({ fresh: true });
    } catch {
      // Without a connection there is nothing new.
    }
  }

  /** Let the browser ask whether to install the page; it asks once only. */
  async install(): Promise<void> {
    const { offer } = this;
    this.offer = null;
    this.set({ offered: false });
    await offer?.prompt();
  }
}

/** The app of this page. */
export const app = new AppInstall(window);
