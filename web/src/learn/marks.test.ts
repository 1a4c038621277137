import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Marks, marksOf, selectorsOf } from "./marks";

describe("what a step marks", () => {
  it("are its cards in the hand, twins once, and its places", () => {
    expect(selectorsOf({ cards: ["5h", "5h", "X"], zones: ["new-meld", "meld-2", "keep"] })).toEqual({
      cards: ['[data-zone="hand"] [data-card="5h"]', '[data-zone="hand"] [data-card="X"]'],
      places: ['[data-zone="new-meld"]', '[data-zone="meld-2"]', '[data-action="keep"]'],
    });
  });

  it("is nothing while others play, and nothing that is no word of the protocol", () => {
    expect(marksOf({ cards: [], zones: [] })).toBe("");
    expect(marksOf({ cards: ['5h"]{}'], zones: ["a b"] })).toBe("");
  });

  it("stands still for who wants no motion", () => {
    const sheet = marksOf({ cards: ["5h"], zones: [] });
    expect(sheet).toContain("prefers-reduced-motion");
    expect(sheet).toContain('data-motion="reduced"');
  });
});

describe("the marks of a page", () => {
  const told: string[] = [];
  beforeEach(() => {
    told.length = 0;
    vi.stubGlobal(
      "CSSStyleSheet",
      class {
        replaceSync(text: string): void {
          told.push(text);
        }
      },
    );
    Object.defineProperty(document, "adoptedStyleSheets", { value: [], writable: true, configurable: true });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("are a sheet beside the others, which goes with them", () => {
    const marks = new Marks();
    expect(document.adoptedStyleSheets.length).toBe(1);
    marks.show({ cards: [], zones: ["stock"] });
    expect(told.at(-1)).toContain('[data-zone="stock"]');
    marks.stop();
    expect(document.adoptedStyleSheets.length).toBe(0);
  });
});
