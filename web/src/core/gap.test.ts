import { expect, it } from "vitest";
import { HandGap } from "./gap";
import { handShape } from "./geometry";

const hand = ["a", "b", "c", "d"].map((key) => ({ key, card: "7h" }));
const shape = handShape({ count: 4, width: 200, heightMax: 200, cardWidth: 50 });

function aList(): HTMLElement {
  const list = document.createElement("ul");
  list.innerHTML = hand.map(({ key }) => `<li data-key="${key}"></li>`).join("");
  return list;
}

const shifts = (list: HTMLElement): string[] =>
  [...list.querySelectorAll("li")].map((card) => (card as HTMLElement).style.transform);

it("shifts each card to where it would lie, and back", () => {
  const [list, gap] = [aList(), new HandGap()];
  const step = (count: number): string => `translate(${count * shape.step}px,0px)`;
  gap.show(list, hand, new Set(["a"]), 2, shape);
  expect(gap.index).toBe(2);
  expect(shifts(list)).toEqual([step(2), step(-1), step(-1), ""]);
  gap.show(list, hand, new Set(["a"]), 0, shape);
  expect(shifts(list)).toEqual(["", "", "", ""]);
  gap.show(list, hand, new Set(["a"]), 3, shape);
  gap.close();
  expect(shifts(list)).toEqual(["", "", "", ""]);
  expect(gap.index).toBeNull();
});

it("shifts anew where the hand has taken another shape", () => {
  const [list, gap] = [aList(), new HandGap()];
  gap.show(list, hand, new Set(["a"]), 2, shape);
  const narrow = handShape({ count: 4, width: 140, heightMax: 200, cardWidth: 50 });
  gap.show(list, hand, new Set(["a"]), 2, narrow);
  expect(narrow.step).not.toBe(shape.step);
  expect(shifts(list)[0]).toBe(`translate(${2 * narrow.step}px,0px)`);
});
