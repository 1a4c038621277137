// Where the places are that take cards: measured once and kept, since asking the page for what lies at a point lays it
// out anew each time.

export interface ZoneSpot {
  /** The zone at a point, "" for none. */
  readonly zone: string;
  /** The point within it. */
  readonly x: number;
  readonly y: number;
  /** What scrolls around it, if it has something to scroll. */
  readonly area: ScrollArea | null;
}

export interface ScrollArea {
  readonly element: HTMLElement;
  readonly rect: DOMRect;
}

interface Measured {
  readonly zone: string;
  readonly rect: DOMRect;
  readonly area: ScrollArea | null;
}

const NOWHERE: ZoneSpot = { zone: "", x: 0, y: 0, area: null };

const holds = (rect: DOMRect, x: number, y: number): boolean =>
  x >= rect.left && x < rect.right && y >= rect.top && y < rect.bottom;

export class ZoneMap {
  private measured: readonly Measured[] | null = null;

  constructor(private readonly root: HTMLElement) {}

  /** What was measured holds no longer: something came, went, scrolled or changed its size. */
  forget(): void {
    this.measured = null;
  }

  at(x: number, y: number): ZoneSpot {
    this.measured ??= this.measure();
    const found = this.measured.find(({ rect, area }) => holds(rect, x, y) && (!area || holds(area.rect, x, y)));
    return found ? { zone: found.zone, x: x - found.rect.left, y: y - found.rect.top, area: found.area } : NOWHERE;
  }

  private measure(): readonly Measured[] {
    const areas = new Map<Element, ScrollArea | null>();
    return [...this.root.querySelectorAll<HTMLElement>("[data-zone]")].map((element) => {
      const around = element.closest<HTMLElement>("[data-scrolls]");
      if (around && !areas.has(around)) {
        const scrolls = around.scrollHeight > around.clientHeight;
        areas.set(around, scrolls ? { element: around, rect: around.getBoundingClientRect() } : null);
      }
      const area = around ? (areas.get(around) ?? null) : null;
      return { zone: element.dataset.zone ?? "", rect: element.getBoundingClientRect(), area };
    });
  }
}
