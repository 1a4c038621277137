// Everything that the views of the table are drawn from, derived once: the picture, the desk, the size of the window.
import { isMyTurn } from "../core/cues";
import type { Desk } from "../core/desk";
import type { DeskState } from "../core/desk-state";
import { handShape, type HandShape, type Room } from "../core/geometry";
import { t } from "../core/i18n";
import type { Keyed } from "../core/identity";
import { meldsOf, type ShownMeld } from "../core/scene";
import { settings, type Settings } from "../core/settings";
import type { Picture, TableStore } from "../core/table-store";
import { ourSide, seatLabel, sideName } from "../panels/names";
import type { Ask, Side } from "../panels/types";
import { sharedRoom } from "./room";
import { otherSeats, seatInfo, type SeatInfo } from "./seats";

export type Stage = "room" | "between" | "result" | "closed" | null;

/** The sizes of the table by the window; the styles know the same limits. */
export function sizesOf(
  width: number,
  height: number,
): { readonly card: number; readonly side: number; readonly pad: number } {
  if (width >= 900 && height > 500) return { card: height >= 760 ? 78 : 66, side: width >= 1100 ? 312 : 0, pad: 12 };
  if (height <= 500 && width > height) return { card: 46, side: 0, pad: 8 };
  return { card: width >= 600 ? 62 : 50, side: 0, pad: 8 };
}

const BIG = 1.28;

export class TableModel {
  picture = $state.raw<Picture>() as Picture;
  state = $state.raw<DeskState>() as DeskState;
  chosen = $state.raw<Settings>(settings.get());
  width = $state(0);
  height = $state(0);
  /** The width of the hand as it was measured, 0 before. */
  handWidth = $state(0);
  /** The zone that dragged cards are over. */
  over = $state("");
  /** The end of a deal is looked at before its score is. */
  lingers = $state(false);
  /** Between deals the player looks at the table. */
  looks = $state(false);
  /** The owner of the table has taken the player off a seat. */
  removed = $state(false);
  /** How two meld areas above each other share their room; null before the first turn. */
  room = $state.raw<Room | null>(null);
  private roomOf = -1;
  private stands = false;

  constructor(
    readonly store: TableStore,
    readonly desk: Desk,
  ) {
    this.picture = store.get();
    this.state = desk.get();
  }

  /** Ask, and remember that it was the player who stood up. */
  readonly ask: Ask = async (type, ...members) => {
    if (type === "stand") this.stands = true;
    const reply = await this.store.ask(type, ...members);
    if (type === "stand" && reply.type === "refused") this.stands = false;
    return reply;
  };

  /** The player had a seat, and has one now, or not. */
  seated(before: number | null, now: number | null): void {
    if (now !== null) this.removed = false;
    else if (before !== null) {
      this.removed = !this.stands;
      this.stands = false;
    }
  }

  /** Share the room of the meld areas of a board; within a deal what is enough stays as it is. */
  share(board: HTMLElement): void {
    const deal = this.view?.deal ?? -1;
    this.room = sharedRoom(board, deal !== this.roomOf);
    this.roomOf = deal;
  }

  /** Follow the stores. Returns what ends it. */
  follow(): () => void {
    const stops = [
      this.store.subscribe((picture) => (this.picture = picture)),
      this.desk.subscribe((state) => (this.state = state)),
      settings.subscribe((chosen) => (this.chosen = chosen)),
    ];
    return () => stops.forEach((stop) => stop());
  }

  readonly table = $derived(this.picture.table);
  readonly view = $derived(this.picture.view);
  readonly you = $derived(this.picture.you);
  readonly seat = $derived(this.you?.seat ?? null);
  readonly legal = $derived(this.view?.legal ?? null);
  readonly open = $derived(this.picture.line === "open");
  readonly replaced = $derived(this.seat !== null && Boolean(this.table?.seats[this.seat]?.played_by_bot));
  readonly mine = $derived(isMyTurn(this.picture));
  /** The player may act now. */
  readonly acts = $derived(this.mine && this.open && this.legal !== null);
  readonly ours: Side = $derived(ourSide(this.you));
  readonly theirs: Side = $derived(this.ours === 0 ? 1 : 0);
  readonly sizes = $derived(sizesOf(this.width, this.height));

  /** A deal lies on the table. */
  private readonly dealIsOn = $derived(this.view !== null && this.view.end_kind === "none");

  readonly stage: Stage = $derived.by(() => {
    const phase = this.table?.phase;
    if (phase === "closed") return "closed";
    if (this.looks || this.lingers) return null;
    if (phase === "open") return "room";
    if (phase === "finished") return "result";
    if (phase === "shuffling") return this.dealIsOn || this.picture.deals.length === 0 ? null : "between";
    return phase === "between" ? "between" : null;
  });

  /** The first deal of a match is on its way. */
  readonly begins = $derived(this.table?.phase === "shuffling" && !this.dealIsOn);

  readonly shape: HandShape = $derived.by(() => {
    const { card, side, pad } = this.sizes;
    const big = this.chosen.cardSize === "big" ? BIG : 1;
    const width = this.handWidth || Math.max(200, this.width - 2 * pad - (side ? side + pad : 0));
    const low = this.height <= 500;
    const heightMax = Math.max(low ? 120 : 200, this.height * (low ? 0.42 : big > 1 ? 0.4 : 0.32));
    return handShape({ count: this.state.hand.length, width, heightMax, cardWidth: card * big });
  });

  readonly ourMelds: readonly ShownMeld[] = $derived(
    this.view ? meldsOf(this.view, this.ours, this.state.zones, this.state.sending) : [],
  );
  readonly theirMelds: readonly ShownMeld[] = $derived(
    this.view ? meldsOf(this.view, this.theirs, this.state.zones, null) : [],
  );

  readonly discarding = $derived(this.state.sending?.zone === "pile");
  readonly pile: readonly Keyed[] = $derived.by(() => {
    const { sending, zones } = this.state;
    const pile = zones.get("pile") ?? [];
    if (sending?.zone !== "pile") return pile;
    return [...pile, ...(zones.get("hand") ?? []).filter((one) => sending.keys.has(one.key))];
  });

  readonly seats: readonly SeatInfo[] = $derived.by(() => {
    const { table, you, view, presence } = this.picture;
    return table ? otherSeats(table, you).map((seat) => seatInfo(seat, table, you, view, presence)) : [];
  });
  readonly own: SeatInfo | null = $derived.by(() => {
    const { table, you, view, presence } = this.picture;
    return table && this.seat !== null ? seatInfo(this.seat, table, you, view, presence) : null;
  });

  readonly deadline = $derived(this.table?.phase === "playing" ? (this.table.clocks.deadline_ms ?? null) : null);
  /** The whole time of a turn in seconds; null without a clock. */
  readonly turnSeconds = $derived.by(() => {
    const clock = this.table?.clock;
    const ms = clock?.kind === "turn" ? clock.turn_ms : clock?.kind === "bank" ? clock.bank_ms : undefined;
    return ms ? ms / 1000 : null;
  });

  /** Match points of both sides, ours first. */
  readonly totals: readonly [number, number] = $derived.by(() => {
    const { view, deals, table } = this.picture;
    const totals = (this.dealIsOn ? view?.totals : undefined) ??
      deals.at(-1)?.totals ??
      table?.result?.totals ??
      view?.totals ?? [0, 0];
    return [totals[this.ours], totals[this.theirs]];
  });

  sideName(side: Side): string {
    return this.table ? sideName(this.table, side, this.you) : "";
  }

  /** What the opening of a side needs, while it is to be made. */
  opening(side: Side): string {
    const { view } = this;
    if (!view || view.opened[side] || view.opening_need[side] === 0) return "";
    const laid = view.turn_seat !== null && view.turn_seat % 2 === side ? view.laid_points : 0;
    const need = view.opening_need[side];
    return laid > 0 ? t("web.table.opening.laid", { laid, n: need }) : t("web.table.opening.need", { n: need });
  }

  /** What is to be done now. That a discard ends the turn is said where nothing else is to be said. */
  #due(): string {
    const duties = this.legal?.duties ?? [];
    const special = duties.filter((duty) => duty.code !== "discard");
    return (special.length > 0 ? special : duties).map((duty) => duty.text).join(" ");
  }

  /** The line above the hand. */
  readonly status: string = $derived.by(() => {
    const { table, view, mine, seat } = this;
    if (!table || !view) return "";
    if (table.phase === "shuffling") return t("web.table.turn.shuffling");
    if (view.turn_seat === null) return t("web.table.turn.over");
    if (mine) return this.#due();
    if (this.replaced && view.turn_seat === seat) return t("web.table.turn.stand_in");
    return t(seat === null ? "web.table.turn.watch" : "web.table.turn.other", {
      name: seatLabel(table, view.turn_seat, null),
    });
  });

  /** A card of the hand that a duty names. */
  readonly marked: { readonly key: string; readonly text: string } | null = $derived.by(() => {
    const { legal, state } = this;
    const duty = legal?.duties.find((one) => one.card !== null && one.code !== "must_choose");
    if (!duty) return null;
    const twins = state.hand.filter((one) => one.card === duty.card);
    const one = twins.find((twin) => state.fresh.has(twin.key)) ?? twins.at(-1);
    return one ? { key: one.key, text: duty.text } : null;
  });

  readonly phase: "draw" | "choice" | "play" | "wait" = $derived.by(() => {
    // Without a line the buttons stay what they are, and cannot be pressed.
    if (!this.mine || !this.legal || !this.view) return "wait";
    if (this.view.phase === "draw") return "draw";
    return this.view.phase === "choice" ? "choice" : "play";
  });

  readonly selected: readonly Keyed[] = $derived(this.state.hand.filter((one) => this.state.selected.has(one.key)));

  /** The points of the selected cards as a new meld, null before the server has said. */
  readonly points: number | null = $derived(
    this.state.answers.get(null)?.options.find((option) => option.legal)?.points ?? null,
  );

  readonly may = $derived.by(() => {
    const { legal, acts, selected, state, view } = this;
    const answer = state.answers.get(null);
    const [first] = selected;
    return {
      draw: acts && legal?.draw === true,
      pile: acts && legal?.pile === true,
      keep: acts && legal?.keep === true,
      reject: acts && legal?.reject === true,
      // While the server has not answered the button may be pressed: it asks again.
      lay:
        acts &&
        selected.length > 1 &&
        (legal?.melds ?? 0) > 0 &&
        (answer === undefined || answer.options.some((option) => option.legal)),
      discard:
        acts && selected.length === 1 && (legal?.discards.some((option) => option.card === first?.card) ?? false),
      undo: acts ? (view?.can_undo ?? 0) : 0,
    };
  });
}
