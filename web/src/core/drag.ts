// Pointer, pen and finger on cards: a tap, a long press, or a drag, by one path. Cards are `[data-key]`, places that take
// cards `[data-zone]`.

import { copyOf } from "./flip";
import { ZoneMap, type ScrollArea } from "./zones";

/** So far a pointer moves before it is a drag, in px. */
export const DRAG_PX = 6;
/** So long a card is pressed until it is shown big. */
export const PRESS_MS = 480;
/** Near this edge of a scrolling place a drag scrolls it, in px, by so much in each frame. */
const EDGE_PX = 28;
const SCROLL_PX = 8;

export interface DragHost {
  /** The cards that travel together with one of the hand; none if it may not be dragged. */
  group(key: string): readonly string[];
  start(keys: readonly string[]): void;
  /** The pointer is over a zone ("" for none), at a point of it. */
  over(zone: string, x: number, y: number): void;
  drop(zone: string, keys: readonly string[]): void;
  cancel(): void;
  tap(key: string, event: PointerEvent): void;
  /** A card is held: show it big; `false` when it is let go. */
  press(element: HTMLElement, held: boolean): void;
}

interface Grip {
  readonly pointer: number;
  readonly element: HTMLElement;
  /** Empty for a card that is not of the hand. */
  readonly key: string;
  readonly x: number;
  readonly y: number;
}

export class Drag {
  private grip: Grip | null = null;
  private keys: readonly string[] | null = null;
  private ghost: HTMLElement | null = null;
  private readonly zones: ZoneMap;
  /** The last point of the pointer; what depends on it is done once in a frame. */
  private x = 0;
  private y = 0;
  private frame = 0;
  private pressing: ReturnType<typeof setTimeout> | undefined;
  private pressed = false;
  private readonly stops: (() => void)[] = [];

  constructor(
    private readonly root: HTMLElement,
    private readonly layer: HTMLElement,
    private readonly host: DragHost,
  ) {
    this.zones = new ZoneMap(root);
    this.on(root, "pointerdown", (event) => this.down(event));
    this.on(window, "pointermove", (event) => this.move(event));
    this.on(window, "pointerup", (event) => this.up(event));
    this.on(window, "pointercancel", (event) => {
      if (event.pointerId === this.grip?.pointer) this.cancel();
    });
    const blur = (): void => {
      this.cancel();
    };
    window.addEventListener("blur", blur);
    this.stops.push(() => window.removeEventListener("blur", blur));
    const shifted = (): void => this.shifted();
    // Where the window is small the page itself scrolls, the table with it.
    window.addEventListener("scroll", shifted, { capture: true, passive: true });
    window.addEventListener("resize", shifted);
    this.stops.push(() => {
      window.removeEventListener("scroll", shifted, { capture: true });
      window.removeEventListener("resize", shifted);
    });
    const menu = (event: Event): void => {
      if (this.pressed || this.keys) event.preventDefault();
    };
    root.addEventListener("contextmenu", menu);
    this.stops.push(() => root.removeEventListener("contextmenu", menu));
  }

  /** Whether cards are being dragged. */
  get active(): boolean {
    return this.keys !== null;
  }

  /** The places of the table are no longer where they were. */
  shifted(): void {
    this.zones.forget();
  }

  /** End a drag without a drop. Says whether there was one. */
  cancel(): boolean {
    const was = this.keys !== null;
    this.end();
    if (was) this.host.cancel();
    return was;
  }

  stop(): void {
    this.cancel();
    for (const stop of this.stops) stop();
  }

  private on<K extends "pointerdown" | "pointermove" | "pointerup" | "pointercancel">(
    target: HTMLElement | Window,
    name: K,
    run: (event: PointerEvent) => void,
  ): void {
    const listener = (event: Event): void => run(event as PointerEvent);
    target.addEventListener(name, listener);
    this.stops.push(() => target.removeEventListener(name, listener));
  }

  private down(event: PointerEvent): void {
    // Who presses again has let go, though nobody said so: a menu of the system took the end.
    if (event.pointerId === this.grip?.pointer) this.cancel();
    if (event.button !== 0 || !(event.target instanceof Element)) return;
    const element = event.target.closest<HTMLElement>("[data-key]");
    if (!element) return;
    if (this.grip !== null) {
      // Two thumbs: the one comes down before the other is up, which has tapped its card.
      const { key } = this.grip;
      if (this.keys !== null || this.pressed) return;
      this.end();
      if (key) this.host.tap(key, event);
    }
    const inHand = element.closest<HTMLElement>("[data-zone]")?.dataset.zone === "hand";
    const key = inHand ? (element.dataset.key ?? "") : "";
    this.grip = { pointer: event.pointerId, element, key, x: event.clientX, y: event.clientY };
    this.pressing = setTimeout(() => {
      this.pressed = true;
      this.host.press(element, true);
    }, PRESS_MS);
  }

  private move(event: PointerEvent): void {
    const { grip } = this;
    if (grip?.pointer !== event.pointerId) return;
    if (event.pointerType === "mouse" && event.buttons === 0) {
      this.cancel();
      return;
    }
    if (this.keys === null) {
      if (Math.hypot(event.clientX - grip.x, event.clientY - grip.y) < DRAG_PX) return;
      this.release();
      const keys = grip.key ? this.host.group(grip.key) : [];
      if (keys.length === 0) {
        this.end();
        return;
      }
      this.begin(grip, keys);
    }
    this.x = event.clientX;
    this.y = event.clientY;
    this.frame ||= requestAnimationFrame(() => this.follow());
  }

  /** Bring the cards to where the pointer is, and tell what lies there. */
  private follow(): void {
    this.frame = 0;
    if (this.keys === null) return;
    const { x, y } = this;
    if (this.ghost) this.ghost.style.transform = `translate3d(${x}px,${y}px,0)`;
    const spot = this.zones.at(x, y);
    this.host.over(spot.zone, spot.x, spot.y);
    if (spot.area && scrollNear(spot.area, y)) this.frame = requestAnimationFrame(() => this.follow());
  }

  private begin(grip: Grip, keys: readonly string[]): void {
    this.keys = keys;
    const ghost = document.createElement("div");
    ghost.className = "ghost";
    ghost.setAttribute("aria-hidden", "true");
    const held = grip.element.getBoundingClientRect();
    ghost.style.setProperty("--held-x", `${held.left - grip.x}px`);
    ghost.style.setProperty("--held-y", `${held.top - grip.y}px`);
    ghost.style.setProperty("--w", `${held.width}px`);
    for (const key of keys) {
      const card = this.root.querySelector<HTMLElement>(`[data-zone="hand"] [data-key="${key}"]`);
      if (!card) continue;
      const copy = copyOf(card);
      copy.removeAttribute("style");
      ghost.append(copy);
    }
    ghost.style.transform = `translate3d(${grip.x}px,${grip.y}px,0)`;
    this.layer.append(ghost);
    this.ghost = ghost;
    this.zones.forget();
    this.root.classList.add("dragging");
    try {
      // On the root: cards move within the document during a drag, and a moved element loses the pointer.
      this.root.setPointerCapture(grip.pointer);
    } catch {
      // The pointer is gone already; its end is on its way.
    }
    this.host.start(keys);
  }

  private up(event: PointerEvent): void {
    const { grip, keys, pressed } = this;
    if (grip?.pointer !== event.pointerId) return;
    if (keys !== null) {
      this.zones.forget();
      const { zone, x, y } = this.zones.at(event.clientX, event.clientY);
      this.host.over(zone, x, y);
      this.end();
      this.host.drop(zone, keys);
      return;
    }
    this.end();
    if (pressed) swallowClick();
    if (!pressed && grip.key) this.host.tap(grip.key, event);
  }

  /** Let go of a card that is shown big. */
  private release(): void {
    clearTimeout(this.pressing);
    if (this.pressed && this.grip) this.host.press(this.grip.element, false);
    this.pressed = false;
  }

  private end(): void {
    this.release();
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.ghost?.remove();
    this.ghost = null;
    this.keys = null;
    this.grip = null;
    this.root.classList.remove("dragging");
  }
}

/** What was shown big is not pressed by letting it go. */
function swallowClick(): void {
  const swallow = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 60);
}

/** Scroll a place near whose edge the pointer is. Says whether it did. */
function scrollNear({ element, rect }: ScrollArea, y: number): boolean {
  const before = element.scrollTop;
  if (y < rect.top + EDGE_PX) element.scrollTop = before - SCROLL_PX;
  else if (y > rect.bottom - EDGE_PX) element.scrollTop = before + SCROLL_PX;
  else return false;
  return element.scrollTop !== before;
}
