// Where the cards of a hand lie: as many rows as it takes for each card to show a strip that a finger can hit.

/** The visible strip of a card in the hand, at least. */
export const STRIP_MIN = 24;
/** Height by width of a card. */
export const ASPECT = 1.42;
/** The part of a card's height that its index and suit take. */
const CORNER = 0.6;
/** How far a selected card is raised where there is room. */
const RAISE = 12;
/** … and where rows lie over one another: it may not cover the corner of the card behind. */
const RAISES_OF_ROWS = [9, 6, 4] as const;
/** Cards shrink to this part of their width, at most, before rows are pushed together. */
const SHRINKS = [1, 0.94, 0.88] as const;
/** Where there is so much width, cards rather shrink a little than lie in two rows. */
const WIDE = 700;
const SHRINKS_WIDE = [1, 0.94, 0.88, 0.82, 0.76] as const;
/** The part of a card's width that its index takes. */
const INDEX = 0.42;
const GAP = 4;

export interface HandShape {
  readonly rows: number;
  /** Cards in a full row. */
  readonly per: number;
  /** From the left edge of a card to that of the next one. */
  readonly step: number;
  readonly cardWidth: number;
  readonly cardHeight: number;
  /** From the upper edge of a row to that of the next one. */
  readonly rowStep: number;
  readonly raise: number;
  /** The height of all rows, with room above for raised cards. */
  readonly height: number;
  /** The left edge of the first card of a row. */
  readonly left: number;
}

export interface HandSpace {
  readonly count: number;
  readonly width: number;
  readonly heightMax: number;
  readonly cardWidth: number;
}

function shaped(space: HandSpace, cardWidth: number, raise: number): HandShape {
  const { width } = space;
  const count = Math.max(1, space.count);
  const strip = Math.max(STRIP_MIN, cardWidth * INDEX);
  const fit = Math.max(1, Math.floor((width - cardWidth) / strip) + 1);
  const rows = Math.ceil(count / fit);
  const per = Math.ceil(count / rows);
  const step = per > 1 ? Math.min(cardWidth + GAP, (width - cardWidth) / (per - 1)) : 0;
  const cardHeight = cardWidth * ASPECT;
  const lift = rows > 1 ? raise : RAISE;
  const rowStep = Math.ceil(cardHeight * CORNER) + lift;
  return {
    rows,
    per,
    step,
    cardWidth,
    cardHeight,
    rowStep,
    raise: lift,
    height: Math.ceil(lift + (rows - 1) * rowStep + cardHeight),
    left: (width - (per - 1) * step - cardWidth) / 2,
  };
}

/** The shape of a hand in its space. Where nothing else helps the rows are pushed together until they fit. */
export function handShape(space: HandSpace): HandShape {
  let last = shaped(space, space.cardWidth, RAISE);
  if (space.width >= WIDE) {
    const one = SHRINKS_WIDE.map((shrink) => shaped(space, space.cardWidth * shrink, RAISE)).find(
      ({ rows }) => rows === 1,
    );
    if (one) return one;
  }
  for (const shrink of SHRINKS) {
    for (const raise of RAISES_OF_ROWS) {
      last = shaped(space, space.cardWidth * shrink, raise);
      if (last.rows === 1 || last.height <= space.heightMax) return last;
    }
  }
  const { rows, raise, cardHeight } = last;
  const rowStep = Math.max(STRIP_MIN, Math.floor((space.heightMax - raise - cardHeight) / (rows - 1)));
  return { ...last, rowStep, height: Math.ceil(raise + (rows - 1) * rowStep + cardHeight) };
}

/** Heights of the meld areas, theirs and ours. */
export type Room = readonly [number, number];
/** The part of the room that their melds keep, if they need it. */
const ROOM_LEAST = 0.3;

/** Share the room of two meld areas above each other by what they need: ours first. What is enough stays as it is. */
export function shareRoom(has: Room, needs: Room): Room {
  if (needs[0] <= has[0] && needs[1] <= has[1]) return has;
  const total = has[0] + has[1];
  const ours = Math.min(needs[1], total - Math.min(needs[0], total * ROOM_LEAST));
  const theirs = Math.min(needs[0], total - ours);
  const spare = total - ours - theirs;
  return [theirs + spare / 2, ours + spare / 2];
}

/** The left upper corner of a card by its index. */
export function cardPlace(index: number, shape: HandShape): { readonly x: number; readonly y: number } {
  return {
    x: shape.left + (index % shape.per) * shape.step,
    y: shape.raise + Math.floor(index / shape.per) * shape.rowStep,
  };
}

/** The index at which cards dropped at a point of the hand come to stand. */
export function indexAt(x: number, y: number, count: number, shape: HandShape): number {
  const row = Math.max(0, Math.min(shape.rows - 1, Math.floor((y - shape.raise) / shape.rowStep)));
  const column = shape.step > 0 ? Math.round((x - shape.left - shape.step / 2) / shape.step) : 0;
  return Math.max(0, Math.min(count, row * shape.per + Math.max(0, Math.min(shape.per, column))));
}
