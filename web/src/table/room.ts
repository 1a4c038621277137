// The room of two meld areas that lie above each other, as it is laid out.
import { shareRoom, type Room } from "../core/geometry";

/** Below the last row of melds, in pixels. */
const AREA_EDGE = 8;
/** Their part, and ours, while both have enough. */
const USUAL = [0.445, 0.555] as const;

function sideOf(board: HTMLElement, place: "them" | "us"): HTMLElement | null {
  return board.querySelector<HTMLElement>(`.${place} > .side`);
}

/** What a side needs to show all its melds, whether it scrolls or not. */
function needOf(side: HTMLElement): number {
  const rows = [...(side.querySelector(".area")?.children ?? [])] as HTMLElement[];
  return Math.max(0, ...rows.map((one) => one.offsetTop + one.offsetHeight)) + AREA_EDGE;
}

/** Share the room of a board's meld areas by need: from the parts that they have, or from the usual ones. */
export function sharedRoom(board: HTMLElement, fresh: boolean): Room | null {
  const [them, us] = [sideOf(board, "them"), sideOf(board, "us")];
  if (!them || !us) return null;
  // From edge to edge it is the same however it was shared before.
  const total = us.getBoundingClientRect().bottom - them.getBoundingClientRect().top;
  const has: Room = fresh ? [total * USUAL[0], total * USUAL[1]] : [them.clientHeight, us.clientHeight];
  const [theirs, ours] = shareRoom(has, [needOf(them), needOf(us)]);
  return [Math.round(theirs), Math.round(ours)];
}
