import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { actionCards, discardAction } from "./actions";
import numbering from "./numbering.json";

// Written by the engine: id, kind, cards, meld.
const KNOWN: readonly (readonly [number, string, string, number | null])[] = [
  [0, "draw", "", null],
  [1, "pile", "", null],
  [2, "keep", "", null],
  [3, "reject", "", null],
  [4, "discard", "Ac", null],
  [30, "discard", "Ah", null],
  [56, "discard", "X", null],
  [57, "lay", "Ac 2c 3c", null],
  [58, "lay", "2c 2c 3c", null],
  [63, "lay", "Ac 2d 3c", null],
  [671, "lay", "2c 3c X 5c 6c 7c 8c", null],
  [848, "lay", "2c 3c 4c 5c 2d 7c 8c 9c Tc Jc Qc", null],
  [1007, "lay", "3c 4c 5c", null],
  [1025, "lay", "2d 4c 5c 6c", null],
  [1243, "lay", "3c 4c 5c 2s 7c 8c 9c Tc Jc Qc", null],
  [2528, "lay", "9c X Jc Qc", null],
  [3574, "lay", "2d 3d 4d 5d 6d 7d 8d 2s Td Jd Qd Kd", null],
  [4000, "lay", "3d 4d 2c 6d 7d 8d 9d Td Jd Qd Kd Ad", null],
  [5362, "lay", "Qd Kd 2d", null],
  [6048, "lay", "2h 2s 4h 5h 6h 7h 8h 9h Th", null],
  [6908, "lay", "4h 5h 6h 7h 8h 9h X Jh Qh", null],
  [7012, "lay", "4h 5h 6h 7h 8h 9h Th Jh 2s Kh Ah", null],
  [8370, "lay", "As 2s 3s 4s 5s 6s 2h 8s 9s Ts Js Qs", null],
  [8836, "lay", "2s 3s 4s 5s 6s 7s 8s 9s X Js Qs", null],
  [9085, "lay", "3s 4s 5s 2h 7s 8s 9s", null],
  [9321, "lay", "3s 4s 5s 6s X 8s 9s Ts Js Qs Ks As", null],
  [10676, "lay", "Qs Ks X", null],
  [10677, "lay", "Ac Ac 2c", null],
  [10678, "lay", "Ac Ac 2d", null],
  [11058, "lay", "Ac Ad Ad Ah As As 2c", null],
  [11083, "lay", "Ac Ac Ah Ah As As 2d", null],
  [11183, "lay", "3c 3c 3d 3h X", null],
  [11767, "lay", "4d 4h 4s 2h", null],
  [12505, "lay", "6d 6h 2c", null],
  [13926, "lay", "9c 9c 9d 9d 9h 9h 2c", null],
  [14110, "lay", "9c 9d 9s 9s 2h", null],
  [15237, "lay", "Qd Qh Qh 2s", null],
  [15473, "lay", "Qc Qc Qd Qd Qs Qs 2s", null],
  [15843, "lay", "Kc Kd Kh Kh Ks X", null],
  [16028, "lay", "Kc Kc Kd Kd Kh Kh Ks Ks X", null],
  [16029, "add", "Ac", 1],
  [16030, "add", "Ac", 1],
  [16873, "add", "Ac", 5],
  [16993, "add", "Jh", 6],
  [18556, "add", "6s", 15],
  [20618, "add", "9s", 27],
  [20793, "add", "Js", 28],
  [21615, "add", "Kh", 33],
  [22184, "add", "As", 36],
];

it.each(KNOWN)("action %i is %s %s", (action, kind, cards, meld) => {
  expect(actionCards(action)).toEqual({ kind, cards: cards === "" ? [] : cards.split(" "), meld });
});

it.each([-1, 22_185, 0.5, Number.NaN])("%d is no action", (action) => {
  expect(actionCards(action)).toBeNull();
});

it.each([
  ["Ac", 4],
  ["Ah", 30],
  ["X", 56],
])("discarding %s is action %i", (card, action) => {
  expect(discardAction(card)).toBe(action);
});

it("every action is read as the engine writes it: a test of the server holds the same digest", () => {
  const lines = Array.from({ length: numbering.actions }, (_, action) => {
    const about = actionCards(action);
    return `${about?.kind}|${about?.cards.join(" ")}|${about?.meld ?? ""}`;
  });
  expect(createHash("sha256").update(lines.join("\n")).digest("hex")).toBe(numbering.sha256);
  expect(actionCards(numbering.actions)).toBeNull();
});
