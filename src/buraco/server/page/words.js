// What cards and events look like as text.
import { element } from "./api.js";

const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const RANKS = "A23456789TJQK";

export function cardText(card) {
  if (card === "X") return "★";
  return `${card[0] === "T" ? "10" : card[0]}${SUITS[card[1]]}`;
}

export function cardElement(card) {
  return element("span", { className: `card suit-${card === "X" ? "x" : card[1]}`, textContent: cardText(card) });
}

export function cardsElement(cards, wild = null) {
  const box = element("span");
  cards.forEach((card, index) => {
    const one = cardElement(card);
    if (index === wild) one.textContent = `(${one.textContent})`;
    box.append(one, " ");
  });
  return box;
}

export const cardList = (cards) => cards.map(cardText).join(" ");

// A number by which cards are sorted, by suit or by rank.
export function cardOrder(card, byRank) {
  if (card === "X") return 1000;
  const suit = "cdhs".indexOf(card[1]);
  const rank = RANKS.indexOf(card[0]);
  return byRank ? rank * 4 + suit : suit * 13 + rank;
}

const ENDS = { closed: "somebody went out", stock: "the stock is empty", stalemate: "nothing moved any more" };
const CAUSES = { away: "who is away", timeouts: "whose time was up too often", left: "who left" };
export const KINDS = { played: "played to the end", resigned: "given up", forfeited: "forfeited", agreed: "a draw by agreement", abandoned: "abandoned" };

export function seatName(table, seat) {
  const one = table.seats[seat];
  if (!one) return `seat ${seat + 1}`;
  if (one.kind === "bot") return `bot ${seat + 1}`;
  return one.kind === "person" ? one.name : `seat ${seat + 1}`;
}

const WORDS = {
  match_started: () => "The match begins.",
  match_began: (e) => `Match ${e.match} begins.`,
  first_dealer_found: (e, who) => `${who(e.dealer)} deals first.`,
  cut_made: (e, who) => `${who(e.seat)} cuts ${e.count} cards${e.points ? ` and gets ${e.points} points` : ""}.`,
  deal_started: (e, who) => `Deal ${e.deal}: ${who(e.dealer)} deals${e.up_card ? `, ${cardText(e.up_card)} starts the pile` : ""}.`,
  hand_dealt: (e) => `My cards: ${cardList(e.cards)}.`,
  drew: (e, who) => `${who(e.seat)} draws.`,
  card_drawn: (e) => `I drew ${cardText(e.card)}.`,
  first_card_kept: (e, who) => `${who(e.seat)} keeps the card.`,
  first_card_rejected: (e, who) => `${who(e.seat)} rejects ${cardText(e.card)}.`,
  pile_taken: (e, who) => `${who(e.seat)} takes the pile (${e.count}): ${cardList(e.pile.map((one) => one.card))}.`,
  pile_rest_seen: (e) => `In the pile: ${cardList(e.pile.map((one) => one.card))}.`,
  meld_laid: (e, who) => `${who(e.seat)} lays ${cardList(e.packed.cards)}.`,
  card_added: (e, who) => `${who(e.seat)} adds ${cardText(e.card)}: ${cardList(e.packed.cards)}.`,
  discarded: (e, who) => `${who(e.seat)} discards ${cardText(e.card)}.`,
  morto_taken: (e, who) => `${who(e.seat)} takes a morto of ${e.count} cards.`,
  morto_seen: (e) => `In the morto: ${cardList(e.cards)}.`,
  opening_failed: (e, who) => `${who(e.seat)} did not reach the opening minimum; it is now ${e.need}.`,
  stock_refilled: (e) => `A morto of ${e.count} cards becomes the stock.`,
  undone: (e, who) => `${who(e.seat)} takes back ${e.count}.`,
  deal_ended: (e, who) => `The deal is over: ${e.out_seat >= 0 ? `${who(e.out_seat)} went out` : ENDS[e.end_kind] || e.end_kind}. ${e.scores[0]} : ${e.scores[1]}.`,
  match_ended: (e) => `The match is over: ${e.totals[0]} : ${e.totals[1]}.`,
  sat_down: (e) => `${e.name} takes seat ${e.seat + 1}.`,
  stood_up: (e) => `Seat ${e.seat + 1} is free.`,
  bot_put: (e) => `A bot (${e.level}) takes seat ${e.seat + 1}.`,
  seed_committed: (e) => `Shuffle of deal ${e.deal}: commitment ${e.commitment.slice(0, 16)}….`,
  seed_revealed: (e) => `Shuffle of deal ${e.deal}: seed ${e.seed.slice(0, 16)}… (the record has all of it).`,
  timed_out: (e, who) => `The time of ${who(e.seat)} is up.`,
  bot_took_over: (e, who) => `A bot (${e.level}) plays for ${who(e.seat)}, ${CAUSES[e.cause] || e.cause}.`,
  seat_taken_back: (e, who) => `${who(e.seat)} is back.`,
  offer_changed: (e, who) => `${who(e.seat)} ${e.agree ? "would" : "would no longer"} ${{ resign: "give up", draw: "agree to a draw", rematch: "play again" }[e.offer]}.`,
  match_result: (e) => `Result: ${KINDS[e.result.kind] || e.result.kind}.`,
  table_closed: () => "The table is closed.",
  clock_changed: (e) => (e.running ? "The clock runs again." : "The clock stands: nobody is here."),
};

// The line for an event, or null for what is seen elsewhere.
export function eventText(event, table) {
  const words = WORDS[event.event];
  return words ? words(event, (seat) => seatName(table, seat)) : null;
}
