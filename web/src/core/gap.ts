// While cards are dragged over the hand the others make room for them. They only seem to: each is shifted where it
// lies, and the order of the hand changes when the cards are dropped.
import { cardPlace, type HandShape } from "./geometry";
import { moved } from "./hand";
import type { Keyed } from "./identity";

export class HandGap {
  /** Where the dragged cards would come to stand; null while no place was shown. */
  index: number | null = null;
  private cards: readonly HTMLElement[] = [];
  private shape: HandShape | null = null;

  /** Show the hand as it would be with these cards at an index among the others. */
  show(list: HTMLElement, hand: readonly Keyed[], keys: ReadonlySet<string>, index: number, shape: HandShape): void {
    // The window may have been turned in the middle of it: the same place lies elsewhere then.
    if (index === this.index && shape === this.shape) return;
    this.index = index;
    this.shape = shape;
    if (this.cards.length !== hand.length) this.cards = [...list.querySelectorAll<HTMLElement>("[data-key]")];
    const now = new Map(hand.map((one, place) => [one.key, place]));
    moved(hand, keys, index).forEach((one, place) => {
      const before = now.get(one.key) ?? place;
      const [from, to] = [cardPlace(before, shape), cardPlace(place, shape)];
      const shift = before === place ? "" : `translate(${to.x - from.x}px,${to.y - from.y}px)`;
      const card = this.cards[before];
      if (card && card.style.transform !== shift) card.style.transform = shift;
    });
  }

  /** Every card lies again where it belongs. */
  close(): void {
    for (const card of this.cards) card.style.transform = "";
    this.cards = [];
    this.index = null;
    this.shape = null;
  }
}
