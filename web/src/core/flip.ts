// Cards fly: measured before a change, measured after it, and played from the one place to the other. Elements carry
// their key in `data-key`; places that cards come from or go to without being seen there are `data-anchor`.

const FLIGHT_MIN_MS = 120;
const FLIGHT_MAX_MS = 320;
/** So many cards fly away at most; the others are just gone. */
const LEAVING_MAX = 12;
const EASING = "cubic-bezier(.2,.8,.2,1)";

export interface Journeys {
  /** Where cards that were not seen before come from: key to anchor. */
  readonly from: ReadonlyMap<string, string>;
  /** Where cards that are seen no longer go: key to anchor. */
  readonly to: ReadonlyMap<string, string>;
}

interface Seen {
  readonly rect: DOMRect;
  readonly zone: Element | null;
}

/** How long a card flies over a distance in px. */
function flightMs(distance: number): number {
  return Math.round(Math.min(FLIGHT_MAX_MS, FLIGHT_MIN_MS + distance * 0.4));
}

export class Flip {
  private seen = new Map<string, Seen>();
  private anchors = new Map<string, DOMRect>();
  private leaving: { readonly clone: HTMLElement; readonly from: DOMRect; readonly anchor: string }[] = [];
  private from = new Map<string, string>();
  private frame = 0;

  /** `layer` lies over the table and takes the cards that fly from one place to another. */
  constructor(
    private readonly root: HTMLElement,
    private readonly layer: HTMLElement,
    private readonly still: () => boolean,
  ) {}

  /** Measure what is seen, right before it changes. Several changes within a frame are one. */
  before(journeys: Journeys): void {
    if (this.still()) return;
    if (this.frame === 0) this.measure();
    for (const [key, anchor] of journeys.from) this.from.set(key, anchor);
    for (const [key, anchor] of [...journeys.to].slice(-LEAVING_MAX)) this.leave(key, anchor);
  }

  /** Play the change, once it can be seen. */
  after(): void {
    if (this.frame !== 0 || this.seen.size + this.anchors.size === 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (!this.still()) this.play();
      this.seen.clear();
      this.anchors.clear();
      this.from.clear();
      this.leaving = [];
    });
  }

  /** End every flight where it leads to. */
  stop(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.seen.clear();
    this.layer.replaceChildren();
    for (const animation of this.root.getAnimations({ subtree: true })) {
      if (animation.id === "flight") animation.finish();
    }
  }

  private measure(): void {
    this.seen.clear();
    this.anchors.clear();
    for (const element of this.root.querySelectorAll<HTMLElement>("[data-key]")) {
      const seen = { rect: element.getBoundingClientRect(), zone: element.closest("[data-zone]") };
      this.seen.set(element.dataset.key ?? "", seen);
    }
    for (const element of this.root.querySelectorAll<HTMLElement>("[data-anchor]")) {
      this.anchors.set(element.dataset.anchor ?? "", element.getBoundingClientRect());
    }
  }

  private leave(key: string, anchor: string): void {
    const element = this.root.querySelector<HTMLElement>(`[data-key="${key}"]`);
    const from = this.seen.get(key)?.rect;
    if (element && from) this.leaving.push({ clone: copyOf(element), from, anchor });
  }

  private play(): void {
    const moves: { element: HTMLElement; from: DOMRect; to: DOMRect; far: boolean }[] = [];
    for (const element of this.root.querySelectorAll<HTMLElement>("[data-key]")) {
      const key = element.dataset.key ?? "";
      const seen = this.seen.get(key);
      const from = seen?.rect ?? this.anchors.get(this.from.get(key) ?? "");
      if (!from) continue;
      for (const animation of element.getAnimations()) if (animation.id === "flight") animation.cancel();
      const far = seen === undefined || seen.zone !== element.closest("[data-zone]");
      moves.push({ element, from, to: element.getBoundingClientRect(), far });
    }
    const leaving = this.leaving.map((one) => ({ ...one, to: this.anchors.get(one.anchor) }));
    for (const { element, from, to, far } of moves) {
      if (Math.abs(from.left - to.left) + Math.abs(from.top - to.top) < 1 || to.width === 0) continue;
      if (far) this.fly(copyOf(element), from, to, element);
      else animate(element, from, to, "none");
    }
    for (const { clone, from, to } of leaving) if (to) this.flyAway(clone, from, to);
  }

  /** Fly a copy over everything else, since the place of the card may be clipped; the card itself shows at the end. */
  private fly(copy: HTMLElement, from: DOMRect, to: DOMRect, element: HTMLElement): void {
    place(copy, to);
    this.layer.append(copy);
    const flight = animate(copy, from, to, "none");
    const hidden = element.animate([{ opacity: 0 }, { opacity: 0 }], {
      duration: flightMs(distance(from, to)),
      id: "flight",
    });
    const end = (): void => {
      copy.remove();
      hidden.cancel();
    };
    flight.addEventListener("finish", end);
    flight.addEventListener("cancel", end);
  }

  private flyAway(copy: HTMLElement, from: DOMRect, to: DOMRect): void {
    place(copy, from);
    this.layer.append(copy);
    const x = to.left + to.width / 2 - from.left - from.width / 2;
    const y = to.top + to.height / 2 - from.top - from.height / 2;
    const flight = copy.animate(
      [
        { transform: "none" },
        { opacity: 1, offset: 0.6 },
        { transform: `translate(${x}px,${y}px) scale(.5)`, opacity: 0 },
      ],
      { duration: flightMs(Math.hypot(x, y)), easing: EASING, id: "flight" },
    );
    flight.addEventListener("finish", () => copy.remove());
    flight.addEventListener("cancel", () => copy.remove());
  }
}

function distance(from: DOMRect, to: DOMRect): number {
  return Math.hypot(from.left - to.left, from.top - to.top);
}

function animate(element: HTMLElement, from: DOMRect, to: DOMRect, end: string): Animation {
  const scale = to.width > 0 ? from.width / to.width : 1;
  const begin = `translate(${from.left - to.left}px,${from.top - to.top}px) scale(${scale})`;
  return element.animate(
    [
      { transform: begin, transformOrigin: "0 0" },
      { transform: end, transformOrigin: "0 0" },
    ],
    { duration: flightMs(distance(from, to)), easing: EASING, id: "flight" },
  );
}

/** A copy that nobody can hit, hear or count. */
export function copyOf(element: HTMLElement): HTMLElement {
  const copy = element.cloneNode(true) as HTMLElement;
  const told = [
    "data-key",
    "data-card",
    "data-zone",
    "data-fresh",
    "data-last",
    "id",
    "role",
    "tabindex",
    "aria-label",
  ];
  for (const one of [copy, ...copy.querySelectorAll<HTMLElement>("*")]) {
    for (const name of [...told, "aria-selected"]) one.removeAttribute(name);
  }
  copy.setAttribute("aria-hidden", "true");
  return copy;
}

function place(copy: HTMLElement, rect: DOMRect): void {
  Object.assign(copy.style, {
    position: "fixed",
    insetInlineStart: "auto",
    left: `${rect.left}px`,
    top: `${rect.top}px`,
    width: `${rect.width}px`,
    height: `${rect.height}px`,
    margin: "0",
    translate: "none",
  });
  copy.style.setProperty("--w", `${rect.width}px`);
}
