import { describe, expect, it } from "vitest";
import { ASPECT, STRIP_MIN, cardPlace, handShape, indexAt, shareRoom } from "./geometry";

/** Width of the hand, height that it may have, width of a card: the windows of the acceptance criteria and two more. */
const SPACES = {
  "390×844": { width: 374, heightMax: 270, cardWidth: 50 },
  "390×664": { width: 374, heightMax: 212, cardWidth: 50 },
  "844×390": { width: 828, heightMax: 163, cardWidth: 46 },
  "1440×900": { width: 1092, heightMax: 288, cardWidth: 78 },
  "360×640": { width: 344, heightMax: 205, cardWidth: 50 },
  "320×568": { width: 304, heightMax: 200, cardWidth: 50 },
  "390×844 big": { width: 374, heightMax: 337, cardWidth: 64 },
} as const;

const CASES = Object.entries(SPACES).flatMap(([name, space]) =>
  [1, 2, 11, 22, 30, 40, 52].map((count) => ({ name, count, space: { ...space, count } })),
);

describe.each(CASES)("$count cards at $name", ({ count, space }) => {
  const shape = handShape(space);
  const places = Array.from({ length: count }, (_, index) => cardPlace(index, shape));

  it("show a strip that can be hit", () => {
    for (let index = 1; index < count; index += 1) {
      const [one, next] = [places[index - 1]!, places[index]!];
      if (one.y === next.y) expect(next.x - one.x).toBeGreaterThanOrEqual(STRIP_MIN);
    }
  });

  it("stay within the hand", () => {
    for (const { x, y } of places) {
      expect(x).toBeGreaterThanOrEqual(-0.01);
      expect(x + shape.cardWidth).toBeLessThanOrEqual(space.width + 0.01);
      expect(y - shape.raise).toBeGreaterThanOrEqual(0);
      expect(y + shape.cardHeight).toBeLessThanOrEqual(shape.height + 0.01);
    }
    if (count <= 40) expect(shape.height).toBeLessThanOrEqual(space.heightMax);
  });

  it("are found again where they lie", () => {
    places.forEach(({ x, y }, index) => {
      expect(indexAt(x + shape.step / 2, y + 8, count, shape)).toBe(index);
    });
  });
});

describe("rows", () => {
  it.each([
    ["390×844", 22, 2],
    ["390×844", 30, 3],
    ["844×390", 22, 1],
    ["844×390", 30, 1],
    ["1440×900", 22, 1],
    ["1440×900", 30, 1],
    ["1440×900", 40, 1],
  ] as const)("at %s are for %i cards %i", (name, count, rows) => {
    expect(handShape({ ...SPACES[name], count }).rows).toBe(rows);
  });

  it("leave the corner of the row behind free, also of a raised card", () => {
    const shape = handShape({ ...SPACES["390×844"], count: 30 });
    expect(shape.rowStep - shape.raise).toBeGreaterThanOrEqual(shape.cardWidth * ASPECT * 0.59);
  });

  it("are narrower than the hand where cards are few", () => {
    const shape = handShape({ ...SPACES["1440×900"], count: 3 });
    expect(shape.left).toBeGreaterThan(400);
  });

  it("grow by a quarter with big cards on a phone", () => {
    for (const count of [11, 22, 30, 40]) {
      const [normal, big] = [SPACES["390×844"], SPACES["390×844 big"]].map((space) => handShape({ ...space, count }));
      expect(big!.cardWidth / normal!.cardWidth).toBeGreaterThanOrEqual(1.25);
    }
  });
});

describe("the room of the melds", () => {
  it.each([
    ["stays as it is where it is enough", [100, 125], [90, 125], [100, 125]],
    ["goes to ours where theirs have some left", [100, 125], [40, 180], [42.5, 182.5]],
    ["goes to theirs where ours have some left", [100, 125], [150, 60], [157.5, 67.5]],
    ["goes to ours first, up to the least that theirs keep", [100, 125], [150, 200], [67.5, 157.5]],
    ["leaves theirs no more than they need", [100, 125], [30, 500], [30, 195]],
  ] as const)("%s", (_, has, needs, found) => {
    expect(shareRoom(has, needs).map((one) => Math.round(one * 10) / 10)).toEqual(found);
  });
});
