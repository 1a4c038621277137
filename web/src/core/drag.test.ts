import { beforeEach, describe, expect, it, vi } from "vitest";
import { DRAG_PX, Drag, PRESS_MS, type DragHost } from "./drag";

let told: string[] = [];
let drag: Drag;
/** Where the zones are: by their names, from where to where. */
let zones: Readonly<Record<string, readonly [number, number]>> = {};

const host: DragHost = {
  group: (key) => (key === "stuck" ? [] : [key]),
  start: (keys) => told.push(`start ${keys.join()}`),
  over: (zone, x) => told.push(zone ? `over ${zone} ${x}` : "over"),
  drop: (zone, keys) => told.push(`drop ${zone} ${keys.join()}`),
  cancel: () => told.push("cancel"),
  tap: (key) => told.push(`tap ${key}`),
  press: (element, held) => told.push(`press ${element.dataset.key} ${held}`),
};

const find = (query: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(query);
  if (!found) throw new Error(query);
  return found;
};

function point(target: EventTarget, type: string, x: number, y = 0, pointerId = 1): void {
  target.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, pointerId, clientX: x, clientY: y }));
}

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `
    <div id="table">
      <button data-zone="meld-1" id="meld"><span data-key="m1" id="laid"></span></button>
      <ul data-zone="hand"><li data-key="a" id="a" data-card="7h"></li><li data-key="b" id="b"></li><li data-key="stuck" id="stuck"></li></ul>
    </div>
    <div id="layer"></div>`;
  told = [];
  zones = {};
  for (const zone of document.querySelectorAll<HTMLElement>("[data-zone]")) {
    zone.getBoundingClientRect = () => {
      const [from, to] = zones[zone.dataset.zone ?? ""] ?? [0, 0];
      return new DOMRect(from, 0, to - from, 10);
    };
  }
  drag = new Drag(find("#table"), find("#layer"), host);
  return () => {
    drag.stop();
    vi.useRealTimers();
  };
});

describe("a pointer on a card of the hand", () => {
  it("that is let go where it was pressed taps it", () => {
    point(find("#a"), "pointerdown", 0);
    point(window, "pointermove", DRAG_PX - 1);
    point(window, "pointerup", DRAG_PX - 1);
    expect(told).toEqual(["tap a"]);
  });

  it("that moves drags it, and drops it on what is under the pointer", () => {
    point(find("#a"), "pointerdown", 0);
    zones = { "meld-1": [40, 60] };
    point(window, "pointermove", DRAG_PX);
    expect(drag.active).toBe(true);
    expect(document.querySelectorAll("#layer .ghost li").length).toBe(1);
    point(window, "pointerup", 50);
    expect(told).toEqual(["start a", "over meld-1 10", "drop meld-1 a"]);
    expect(document.querySelector(".ghost")).toBeNull();
  });

  it("is followed once in a frame, however often it moves", () => {
    zones = { hand: [0, 30], "meld-1": [40, 60] };
    point(find("#a"), "pointerdown", 0);
    for (const x of [10, 20, 29]) point(window, "pointermove", x);
    expect(told).toEqual(["start a"]);
    vi.advanceTimersToNextFrame();
    expect(told).toEqual(["start a", "over hand 29"]);
    expect(find(".ghost").style.transform).toBe("translate3d(29px,0px,0)");
    for (const x of [35, 45]) point(window, "pointermove", x);
    vi.advanceTimersToNextFrame();
    vi.advanceTimersToNextFrame();
    expect(told).toEqual(["start a", "over hand 29", "over meld-1 5"]);
  });

  it("measures the places again only when it hears that they are elsewhere", () => {
    zones = { "meld-1": [40, 60] };
    point(find("#a"), "pointerdown", 0);
    point(window, "pointermove", 45);
    vi.advanceTimersToNextFrame();
    zones = { "meld-1": [80, 99] };
    for (const shift of [() => undefined, () => find("#table").dispatchEvent(new Event("scroll"))]) {
      shift();
      point(window, "pointermove", 46);
      vi.advanceTimersToNextFrame();
    }
    expect(told).toEqual(["start a", "over meld-1 5", "over meld-1 6", "over"]);
  });

  it("measures the places again when the page itself has scrolled", () => {
    point(find("#a"), "pointerdown", 0);
    zones = { "meld-1": [40, 60] };
    point(window, "pointermove", 45);
    vi.advanceTimersToNextFrame();
    zones = { "meld-1": [80, 99] };
    document.dispatchEvent(new Event("scroll"));
    point(window, "pointermove", 46);
    vi.advanceTimersToNextFrame();
    expect(told).toEqual(["start a", "over meld-1 5", "over"]);
  });

  it("that was let go where nobody heard of it drags nothing, and can be pressed again", () => {
    point(find("#a"), "pointerdown", 0);
    const free = { bubbles: true, pointerId: 1, pointerType: "mouse", buttons: 0, clientX: 40 };
    window.dispatchEvent(new PointerEvent("pointermove", free));
    expect(told).toEqual([]);
    point(find("#a"), "pointerdown", 0);
    point(find("#a"), "pointerdown", 0);
    point(window, "pointerup", 0);
    expect(told).toEqual(["tap a"]);
  });

  it("leaves copies behind that nobody counts", () => {
    point(find("#a"), "pointerdown", 0);
    point(window, "pointermove", DRAG_PX);
    expect(document.querySelector("#layer [data-card], #layer [data-key]")).toBeNull();
  });

  it("that is lost, taken over or left by Escape gives the card back", () => {
    for (const stop of [
      () => point(window, "pointercancel", 9),
      () => drag.cancel(),
      () => window.dispatchEvent(new Event("blur")),
    ]) {
      told = [];
      point(find("#a"), "pointerdown", 0);
      point(window, "pointermove", DRAG_PX);
      stop();
      point(window, "pointerup", 50);
      vi.advanceTimersToNextFrame();
      expect(told).toEqual(["start a", "cancel"]);
      expect(document.querySelector(".ghost")).toBeNull();
    }
  });

  it("drags nothing that may not be dragged", () => {
    point(find("#stuck"), "pointerdown", 0);
    point(window, "pointermove", 40);
    point(window, "pointerup", 40);
    expect(told).toEqual([]);
  });

  it("is one pointer: a second one is not heard", () => {
    point(find("#a"), "pointerdown", 0);
    point(window, "pointermove", 90, 0, 2);
    point(window, "pointerup", 90, 0, 2);
    expect(told).toEqual([]);
  });

  it("taps its card also where another finger comes down before it is let go, as two thumbs do", () => {
    point(find("#a"), "pointerdown", 0);
    point(find("#b"), "pointerdown", 30, 0, 2);
    point(window, "pointerup", 0);
    point(window, "pointerup", 30, 0, 2);
    vi.advanceTimersByTime(PRESS_MS);
    expect(told).toEqual(["tap a", "tap b"]);
  });

  it("keeps what it drags or holds when another finger comes down", () => {
    point(find("#a"), "pointerdown", 0);
    point(window, "pointermove", DRAG_PX);
    point(find("#b"), "pointerdown", 30, 0, 2);
    point(window, "pointerup", 30, 0, 2);
    expect([told, drag.active]).toEqual([["start a"], true]);
    drag.cancel();
    told = [];
    point(find("#a"), "pointerdown", 0);
    vi.advanceTimersByTime(PRESS_MS);
    point(find("#b"), "pointerdown", 30, 0, 2);
    point(window, "pointerup", 30, 0, 2);
    expect(told).toEqual(["press a true"]);
  });

  it("with another button does nothing", () => {
    find("#a").dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, button: 2, pointerId: 1 }));
    point(window, "pointerup", 0);
    expect(told).toEqual([]);
  });
});

describe("a card that is held", () => {
  it("is shown big until it is let go, and not tapped by it", () => {
    point(find("#a"), "pointerdown", 0);
    vi.advanceTimersByTime(PRESS_MS);
    point(window, "pointerup", 0);
    expect(told).toEqual(["press a true", "press a false"]);
  });

  it("of a meld neither, nor is the meld pressed", () => {
    const clicked = vi.fn();
    find("#meld").addEventListener("click", clicked);
    point(find("#laid"), "pointerdown", 0);
    vi.advanceTimersByTime(PRESS_MS);
    point(window, "pointerup", 0);
    find("#meld").click();
    expect(told).toEqual(["press m1 true", "press m1 false"]);
    expect(clicked).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    find("#meld").click();
    expect(clicked).toHaveBeenCalledOnce();
  });

  it("is dragged when it moves before that", () => {
    point(find("#a"), "pointerdown", 0);
    point(window, "pointermove", DRAG_PX);
    vi.advanceTimersByTime(PRESS_MS);
    point(window, "pointerup", 9);
    expect(told.some((one) => one.startsWith("press"))).toBe(false);
  });
});
