// Which page an address is, and moving between pages without loading them anew.

export type Page =
  | { readonly name: "home" }
  | { readonly name: "create" }
  | { readonly name: "settings" }
  | { readonly name: "account" }
  | { readonly name: "learn" }
  | { readonly name: "games" }
  | { readonly name: "watching" }
  | { readonly name: "rules"; readonly rules: string }
  | { readonly name: "compare"; readonly left: string; readonly right: string }
  | { readonly name: "house" }
  | { readonly name: "table"; readonly table: string }
  /** Of a match that the server keeps; of a record file where `table` is empty. */
  | { readonly name: "replay"; readonly table: string; readonly match: string }
  | { readonly name: "fair"; readonly table: string; readonly match: string }
  | { readonly name: "unknown" };

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The page of a path. */
export function pageOf(path: string): Page {
  const parts = path.split("/").filter(Boolean);
  const [first, second] = parts;
  if (first === undefined) return { name: "home" };
  if (parts.length === 1) {
    if (first === "create" || first === "settings" || first === "account" || first === "learn") return { name: first };
    if (first === "games") return { name: "games" };
    if (first === "watch") return { name: "watching" };
    if (first === "rules") return { name: "rules", rules: "" };
    if (first === "house") return { name: first };
    if (first === "compare") return { name: first, left: "", right: "" };
    if (first === "replay" || first === "fair") return { name: first, table: "", match: "" };
  }
  if (parts.length === 3 && (first === "replay" || first === "fair")) {
    const [, table = "", match = ""] = parts;
    if (NAME.test(table) && /^[1-9]\d{0,5}$/.test(match)) return { name: first, table, match };
  }
  if (parts.length === 2 && second !== undefined && NAME.test(second)) {
    if (first === "t") return { name: "table", table: second };
    if (first === "rules") return { name: "rules", rules: second };
  }
  if (parts.length === 3 && first === "compare") {
    const [left, right] = [parts[1] ?? "", parts[2] ?? ""];
    if (NAME.test(left) && NAME.test(right)) return { name: first, left, right };
  }
  return { name: "unknown" };
}

/** What a person types or pastes to come to a table: its code, or the whole link. Undefined if it is neither. */
export function tableCode(text: string): string | undefined {
  const typed = text.trim();
  const linked = /\/t\/([^/?#]+)/.exec(typed)?.[1] ?? typed;
  const code = linked.replaceAll(" ", "");
  return NAME.test(code) ? code : undefined;
}

export interface Router {
  get(): Page;
  subscribe(run: (page: Page) => void): () => void;
  /** Whether this is no longer the page that was loaded: then the focus goes to what is new. */
  moved(): boolean;
  /** Go to a path of ours. */
  go(path: string, how?: "push" | "replace"): void;
  /** Let links of this page move within it. Returns what takes that back. */
  listen(): () => void;
}

/** The link to another page of ours that a click follows; null where the browser is to do what it always does. */
function linkOf(event: MouseEvent, browser: Window): HTMLAnchorElement | null {
  const special = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || event.button !== 0 || special) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.target !== "" || link.hasAttribute("download")) return null;
  if (link.origin !== browser.location.origin || pageOf(link.pathname).name === "unknown") return null;
  if (link.hash !== "" && link.pathname === browser.location.pathname) return null;
  return link;
}

export function createRouter(browser: Window): Router {
  let now = pageOf(browser.location.pathname);
  const listeners = new Set<(page: Page) => void>();
  let moved = false;
  const show = (): void => {
    const next = pageOf(browser.location.pathname);
    // Another place of the same page is the page's own affair.
    if (JSON.stringify(next) === JSON.stringify(now)) return;
    moved = true;
    now = next;
    for (const run of listeners) run(now);
  };
  const go = (path: string, how: "push" | "replace" = "push"): void => {
    browser.history[how === "push" ? "pushState" : "replaceState"](null, "", path);
    show();
    if (how === "push") browser.scrollTo(0, 0);
  };
  const onClick = (event: MouseEvent): void => {
    const link = linkOf(event, browser);
    if (link === null) return;
    event.preventDefault();
    if (link.href !== browser.location.href) go(`${link.pathname}${link.search}${link.hash}`);
  };
  return {
    get: () => now,
    moved: () => moved,
    subscribe(run) {
      listeners.add(run);
      run(now);
      return () => listeners.delete(run);
    },
    go,
    listen() {
      browser.document.addEventListener("click", onClick);
      browser.addEventListener("popstate", show);
      return () => {
        browser.document.removeEventListener("click", onClick);
        browser.removeEventListener("popstate", show);
      };
    },
  };
}

/** The router of this page. */
export const router = createRouter(window);
