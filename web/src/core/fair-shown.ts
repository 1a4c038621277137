// Holds the cards that the replay shows against those that the seeds give: hands, up-card, stock and mortos of a deal.
import type { ReplayStep } from "../protocol";
import { handOf, placeOf, type Finding } from "./fair";
import type { FairDeal, FairRecord } from "./record-text";

/** Cards of a place that are expected, in order or, once a morto became the stock, in any. */
class Expected {
  private inOrder = true;

  constructor(private cards: string[]) {}

  refill(cards: readonly string[]): void {
    this.cards = [...cards];
    this.inOrder = false;
  }

  /** Take a card; what should have come if it is another one. */
  take(card: string): string | null {
    const at = this.inOrder ? 0 : Math.max(0, this.cards.indexOf(card));
    const [next = "-"] = this.cards.splice(at, 1);
    return next === card ? null : next;
  }
}

const sortedText = (cards: readonly string[]): string => [...cards].sort().join(" ");

/** The first card of a deal that is shown as another one, and how many cards were held against the seeds. */
export function compareShown(
  record: FairRecord,
  deal: FairDeal,
  pack: readonly string[],
  steps: readonly ReplayStep[],
): { readonly finding: Finding | null; readonly count: number } {
  const { rules, players } = record;
  const hands = players * rules.hand;
  const mortos = [0, 1].map((one) => pack.slice(hands + one * rules.morto, hands + (one + 1) * rules.morto));
  const stock = pack.slice(hands + 2 * rules.morto);
  let count = 0;
  const differs = (found: string, expected: string, place: string, values: Finding["values"]): Finding | null => {
    count += Math.max(1, expected.split(" ").length);
    if (found === expected) return null;
    return { code: "shown", deal: deal.number, fault: true, place, values: { ...values, found, expected } };
  };
  const view = steps[0]?.view;
  if (!view) return { finding: null, count };
  for (const [seat, hand] of view.hands.entries()) {
    const finding = differs(sortedText(hand ?? []), sortedText(handOf(record, deal.dealer, pack, seat)), "hand", {
      seat,
    });
    if (finding) return { finding, count };
  }
  if (rules.upCard) {
    const finding = differs(view.pile[0]?.card ?? "-", stock[0] ?? "-", "up_card", {});
    if (finding) return { finding, count };
  }
  const expected = new Expected(stock.slice(rules.upCard ? 1 : 0));
  let drawn = 0;
  let morto = 0;
  for (const event of steps.flatMap((step) => step.events)) {
    let finding: Finding | null = null;
    if (event.event === "card_drawn") {
      drawn += 1;
      const next = expected.take(event.card);
      finding = differs(event.card, next ?? event.card, "stock", { number: drawn });
    } else if (event.event === "morto_taken") morto = event.morto;
    else if (event.event === "stock_refilled") expected.refill(mortos[event.morto] ?? []);
    else if (event.event === "morto_seen") {
      finding = differs(sortedText(event.cards), sortedText(mortos[morto] ?? []), "morto", { number: morto + 1 });
    }
    if (finding) return { finding, count };
  }
  return { finding: null, count };
}

/** The pack of a deal with where each card went, for those who want to see it. */
export function packPlaces(
  record: FairRecord,
  deal: FairDeal,
  pack: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  pack.forEach((card, index) => {
    const { place, values } = placeOf(record, deal.dealer, index);
    const name = place === "stock" ? place : `${place} ${values.seat ?? values.number ?? ""}`.trim();
    places.set(name, [...(places.get(name) ?? []), card]);
  });
  return places;
}
