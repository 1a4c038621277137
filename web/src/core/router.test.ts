import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRouter, pageOf, tableCode, type Page, type Router } from "./router";

describe("an address", () => {
  it.each<[string, Page]>([
    ["/", { name: "home" }],
    ["/t/K7MPQ2", { name: "table", table: "K7MPQ2" }],
    ["/t/K7MPQ2/", { name: "table", table: "K7MPQ2" }],
    ["/settings", { name: "settings" }],
    ["/create", { name: "create" }],
    ["/account", { name: "account" }],
    ["/games", { name: "games" }],
    ["/watch", { name: "watching" }],
    ["/rules", { name: "rules", rules: "" }],
    ["/rules/house-1", { name: "rules", rules: "house-1" }],
    ["/t", { name: "unknown" }],
    ["/t/a%20b", { name: "unknown" }],
    ["/settings/x", { name: "unknown" }],
    ["/constructor", { name: "unknown" }],
  ])("%s is a page", (path, page) => {
    expect(pageOf(path)).toEqual(page);
  });

  it.each([
    ["K7MPQ2", "K7MPQ2"],
    [" k7m pq2 ", "k7mpq2"],
    ["https://cards.example/t/K7MPQ2?lang=it#x", "K7MPQ2"],
    ["cards.example/t/K7MPQ2", "K7MPQ2"],
    ["https://cards.example/", undefined],
    ["", undefined],
    ["a/b", undefined],
  ])("what is typed as %j leads to table %s", (typed, code) => {
    expect(tableCode(typed)).toBe(code);
  });
});

describe("the router", () => {
  let router: Router;
  let stop: () => void;
  const names: string[] = [];

  beforeEach(() => {
    history.replaceState(null, "", "/");
    router = createRouter(window);
    stop = router.listen();
    names.length = 0;
    router.subscribe((page) => names.push(page.name));
  });
  afterEach(() => {
    stop();
    document.body.replaceChildren();
  });

  /** Click a link. Returns whether the browser itself would follow it, which no test lets it do. */
  function click(html: string, init: MouseEventInit = {}): boolean {
    document.body.innerHTML = html;
    let follows = false;
    const last = (event: Event): void => {
      follows = !event.defaultPrevented;
      event.preventDefault();
    };
    window.addEventListener("click", last, { once: true });
    document
      .querySelector("a *, a")
      ?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...init }));
    return follows;
  }

  it("shows what it is sent to", () => {
    expect(router.moved()).toBe(false);
    router.go("/settings");
    expect(router.moved()).toBe(true);
    expect(names).toEqual(["home", "settings"]);
    expect(location.pathname).toBe("/settings");
    expect(router.get()).toEqual({ name: "settings" });
  });

  it("keeps links of our pages within the page", () => {
    expect(click('<a href="/rules/x"><b>rules</b></a>')).toBe(false);
    expect(router.get()).toEqual({ name: "rules", rules: "x" });
  });

  it.each([
    ["another site", '<a href="https://example.org/rules">x</a>', {}],
    ["a file", '<a href="/settings" download>x</a>', {}],
    ["a new tab", '<a href="/settings" target="_blank">x</a>', {}],
    ["the key for a new tab", '<a href="/settings">x</a>', { ctrlKey: true }],
    ["the middle button", '<a href="/settings">x</a>', { button: 1 }],
    ["no page of ours", '<a href="/api/openapi.json">x</a>', {}],
    ["a place on this page", '<a href="#main">x</a>', {}],
  ])("leaves %s to the browser", (_, html, init) => {
    expect(click(html, init)).toBe(true);
    expect(router.get()).toEqual({ name: "home" });
  });

  it("follows back and forward", () => {
    router.go("/settings");
    history.replaceState(null, "", "/account");
    window.dispatchEvent(new PopStateEvent("popstate"));
    expect(router.get()).toEqual({ name: "account" });
  });
});
