import { beforeAll, describe, expect, it } from "vitest";
import { setLanguage } from "../core/i18n";
import { option as optionOf } from "../core/testing/stand";
import type { ChatLine } from "../protocol";
import { contractTexts, optionRows } from "./about";
import { announcements, AT_ONCE_MAX, lastKey, turnText } from "./announce";
import { apart, chart, polyline, roundStep, type Box } from "./graph";
import { groupByTurn, isShown } from "./history";
import { ourSide, relation, seatName, seatNames, sideName, sidesOf } from "./names";
import { agreeing, missingSeats, openOffers, othersGone } from "./offers";
import { running } from "./running";
import { dealPoints, sheetRows, summaryRows } from "./sheet";
import { charactersLeft, heard, unreadCount } from "./talk";
import { dealOf, EVENTS, logOf, meldOf, NO_OFFERS, seatsOf, tableOf, viewOf, youOf } from "./testing";
import { chosenCards, fittingCards, handCards, meldText, optionText, stillChosen, wordLabel } from "./text-table";
import { clockText, durationText, plain, secondsLeft, signed } from "./words";

beforeAll(() => setLanguage("en"));

describe("names", () => {
  const table = tableOf();

  it("sides are we and they for who plays, ours first", () => {
    expect([sideName(table, 0, youOf(1)), sideName(table, 1, youOf(1))]).toEqual(["They", "We"]);
    expect(sidesOf(youOf(1))).toEqual([1, 0]);
    expect(ourSide(youOf(null))).toBe(0);
  });

  it("sides are the names of their players for who watches", () => {
    expect(sideName(table, 1, youOf(null))).toBe("Lúcia and Renata");
  });

  it("with two players a side is you, or the other's name", () => {
    const two = tableOf({ players: 2, seats: [seatsOf.person(0, "Ana"), seatsOf.bot(1)] });
    expect([sideName(two, 0, youOf(0)), sideName(two, 1, youOf(0))]).toEqual(["You", "Bot 2"]);
  });

  it("a seat is you, your partner, an opponent, or nothing to a spectator", () => {
    expect([0, 1, 2, 3].map((seat) => relation(seat, youOf(0)))).toEqual(["you", "opponent", "partner", "opponent"]);
    expect(relation(0, null)).toBe("none");
  });

  it("a seat that nobody knows has its number", () => {
    expect(seatName(table, 7)).toBe("Seat 8");
    expect(seatNames(table, [0, 1, 2], youOf(0))).toBe("You, Lúcia, and Bot 3");
  });
});

describe("numbers in words", () => {
  it("times are short", () => {
    expect([5000, 45_000, 60_000, 90_000, 300_000, 7_200_000, 86_400_000].map(durationText)).toEqual([
      "5 s",
      "45 s",
      "1 min",
      "90 s",
      "5 min",
      "2 h",
      "24 h",
    ]);
  });

  it("points carry a sign and a real minus", () => {
    expect([signed(0), signed(1285), signed(-50), plain(-50)]).toEqual(["0", "+1,285", "−50", "−50"]);
  });

  it("what is left goes by the server's clock and never below zero", () => {
    expect(secondsLeft(10_000, 4500, 1000)).toBe(5);
    expect(secondsLeft(10_000, 20_000, 0)).toBe(0);
    expect([clockText(7), clockText(75)]).toEqual(["0:07", "1:15"]);
  });
});

describe("the log by turns", () => {
  const turn = (seat: number) => [
    { ...EVENTS.drew, seat },
    { ...EVENTS.discarded, seat },
    { ...EVENTS.turn_ended, seat },
  ];

  it("keeps a turn together and begins the next one anew, also of the same seat", () => {
    const groups = groupByTurn(logOf([...turn(1), ...turn(2), ...turn(2)]), youOf(0));
    expect(groups.map((group) => [group.seat, group.entries.length])).toEqual([
      [1, 2],
      [2, 2],
      [2, 2],
    ]);
  });

  it("leaves what happens to the table in the turn in which it happens", () => {
    const [first, second, ...rest] = turn(1);
    const groups = groupByTurn(logOf([first!, EVENTS.offer_changed, second!, ...rest]), youOf(0));
    expect(groups).toHaveLength(1);
    expect(groups[0]!.entries.map((entry) => entry.event.event)).toEqual(["drew", "offer_changed", "discarded"]);
  });

  it("keeps the table's own events apart from turns", () => {
    const groups = groupByTurn(logOf([EVENTS.sat_down, EVENTS.ready_changed, ...turn(1), EVENTS.deal_ended]), youOf(0));
    expect(groups.map((group) => group.seat)).toEqual([null, 1, null]);
  });

  it("shows the shuffle and turn ends on request only, and never chat", () => {
    const all = logOf(Object.values(EVENTS));
    const few = all.filter((entry) => isShown(entry, youOf(0), false)).map((entry) => entry.event.event);
    const many = all.filter((entry) => isShown(entry, youOf(0), true)).map((entry) => entry.event.event);
    expect(few).not.toContain("seed_committed");
    expect(many).toContain("seed_committed");
    expect([...few, ...many]).not.toContain("chat_said");
    expect(many).toHaveLength(all.length - 1);
  });

  it("tells the own draw once, with its card", () => {
    const entries = logOf([{ ...EVENTS.drew, seat: 0 }, EVENTS.card_drawn]);
    expect(entries.filter((entry) => isShown(entry, youOf(0), false)).map((entry) => entry.event.event)).toEqual([
      "card_drawn",
    ]);
  });

  it("tells a draw of another seat once, with its card where the hands lie open", () => {
    const entries = logOf([
      { ...EVENTS.drew, seat: 1 },
      { ...EVENTS.card_drawn, seat: 1 },
    ]);
    const told = (you: ReturnType<typeof youOf>): unknown =>
      groupByTurn(entries, you).flatMap((group) => group.entries.map((entry) => entry.event.event));
    expect(told(youOf(null))).toEqual(["card_drawn"]);
    const other = logOf([
      { ...EVENTS.drew, seat: 1 },
      { ...EVENTS.card_drawn, seat: 2 },
    ]);
    expect(groupByTurn(other, youOf(null))[0]?.entries[0]?.event.event).toBe("drew");
  });

  it("loses no entry that is shown", () => {
    const entries = logOf(Object.values(EVENTS));
    const grouped = groupByTurn(entries, youOf(0), true).flatMap((group) => group.entries);
    expect(grouped).toEqual(entries.filter((entry) => isShown(entry, youOf(0), true)));
  });
});

describe("the score sheet", () => {
  const deal = dealOf(1, [485, 30]);

  it("adds the lines of each kind up to the server's own total", () => {
    const rows = summaryRows(deal);
    for (const side of [0, 1] as const) {
      expect(rows.reduce((sum, row) => sum + row.points[side], 0)).toBe(dealPoints(deal, side));
    }
  });

  it("has the kinds in the order of a sheet, canastas by category, and none that no side has", () => {
    expect(summaryRows(deal).map((row) => row.key)).toEqual([
      "meld",
      "bonus.clean",
      "bonus.semi_clean",
      "bonus.dirty",
      "out",
      "hand",
      "unplayed",
      "morto",
      "cut",
    ]);
    expect(summaryRows({ ...deal, cut_points: [0, 0] }).map((row) => row.key)).not.toContain("cut");
  });

  it("keeps every line of the server, a bonus under its meld", () => {
    const rows = sheetRows(deal, 0);
    expect(rows.melds.map((row) => [row.line.points, row.bonus?.points ?? null])).toEqual([
      [70, 200],
      [55, null],
      [75, 100],
    ]);
    const lines = rows.melds.length + rows.melds.filter((row) => row.bonus).length + rows.others.length;
    expect(lines).toBe(deal.sheets[0]!.lines.length);
  });

  it("keeps a bonus whose meld is missing, and a kind that it does not know", () => {
    expect(sheetRows(deal, 1).others.map((line) => line.kind)).toContain("bonus");
    const strange = {
      ...deal,
      sheets: [{ side: 0, total: 5, lines: [{ ...deal.sheets[0]!.lines[0]!, kind: "new" }] }],
    };
    expect(summaryRows(strange).map((row) => row.kind)).toContain("new");
    expect(sheetRows(strange, 0).others.map((line) => line.kind)).toEqual(["new"]);
  });

  it("counts the bonus for the cut to the deal", () => {
    expect([dealPoints(deal, 0), dealPoints(deal, 1)]).toEqual([485, 30]);
    expect(sheetRows(deal, 1).sum).toBe(30);
  });

  it("takes a side without a sheet by its score", () => {
    expect(sheetRows({ ...deal, sheets: [] }, 0)).toMatchObject({ melds: [], others: [], sum: 485 });
  });
});

describe("the graph", () => {
  const box: Box = { width: 300, height: 150, left: 40, right: 20, top: 10, bottom: 20 };
  const inside = (at: number): boolean => at >= box.top && at <= box.height - box.bottom;

  it("begins at zero, goes from edge to edge, and is higher for more points", () => {
    const { lines } = chart([dealOf(1, [500, 200]), dealOf(2, [900, 400])], 3000, box);
    expect(lines[0].map((point) => point.value)).toEqual([0, 500, 900]);
    expect(lines[0][0]!.x).toBe(40);
    expect(lines[0][2]!.x).toBe(280);
    expect(lines[0][2]!.y).toBeLessThan(lines[1][2]!.y);
  });

  it("keeps everything in the box: losses, overshot targets, long matches, no deal at all", () => {
    const long = Array.from({ length: 40 }, (_, index) => dealOf(index + 1, [index * 90, index * 80]));
    for (const [deals, target] of [
      [[dealOf(1, [-400, 3900])], 3000],
      [long, 3000],
      [[], 3000],
      [[], 0],
      [[dealOf(1, [0, 0])], 0],
    ] as const) {
      const drawn = chart(deals, target, box);
      const heights = [...drawn.lines.flat().map((point) => point.y), ...drawn.yTicks.map((tick) => tick.at)];
      expect(heights.every(inside)).toBe(true);
      expect(drawn.yTicks.length).toBeGreaterThan(1);
      expect(drawn.yTicks.length).toBeLessThan(8);
      expect(drawn.xTicks.length).toBeLessThan(12);
      expect(polyline(drawn.lines[0])).not.toMatch(/NaN|Infinity/);
    }
  });

  it("writes zero without a sign below a small loss", () => {
    const { yTicks } = chart([dealOf(1, [325, -55])], 3000, box);
    expect(yTicks.map((tick) => tick.value)).toEqual([0, 1000, 2000, 3000]);
  });

  it("draws the target where there is one", () => {
    expect(chart([], 0, box).target).toBeNull();
    const drawn = chart([dealOf(1, [3000, 0])], 3000, box);
    expect(drawn.target).toBe(drawn.lines[0][1]!.y);
  });

  it("takes round steps", () => {
    expect([3000, 900, 40, 7, 0].map((span) => roundStep(span, 4))).toEqual([1000, 500, 10, 2, 1]);
  });

  it("pushes labels apart that would lie on each other", () => {
    expect(apart(50, 52, 12)).toEqual([45, 57]);
    expect(apart(52, 50, 12)).toEqual([57, 45]);
    expect(apart(10, 90, 12)).toEqual([10, 90]);
  });
});

describe("the running score", () => {
  it("counts what the server says of the melds", () => {
    expect(running(viewOf(), 0)).toMatchObject({
      cards: 105,
      bonus: 200,
      sum: 305,
      canastas: [{ category: "clean", count: 1 }],
      longest: 4,
      mortos: 1,
      opened: true,
    });
    expect(running(viewOf(), 1)).toMatchObject({
      sum: 15,
      canastas: [],
      longest: 3,
      mortos: 0,
      need: 75,
      opened: false,
    });
  });

  it("counts the opening that is being laid for the side in turn only", () => {
    const view = viewOf({ turn_seat: 1, laid_points: 40 });
    expect([running(view, 0).laid, running(view, 1).laid]).toEqual([0, 40]);
    expect(running(viewOf({ turn_seat: null, laid_points: 40 }), 1).laid).toBe(0);
  });

  it("names a category that it does not know after the others", () => {
    const view = viewOf({
      melds: [[meldOf(1, ["3h"], { category: "royal" }), meldOf(2, ["4h"], { category: "dirty" })], []],
    });
    expect(running(view, 0).canastas.map((one) => one.category)).toEqual(["dirty", "royal"]);
  });
});

describe("offers", () => {
  const offers = {
    ...NO_OFFERS,
    draw: [1],
    resign: [1],
    resign_asked: [[0], [1, 3]],
    draw_asked: [0, 1, 3],
    rematch_asked: [0, 3],
  } as const;

  it("wait for the word of those who are asked, giving up for those of the own side", () => {
    const table = tableOf({ offers });
    expect(missingSeats(table, "draw", 0)).toEqual([0, 3]);
    expect(missingSeats(table, "rematch", 0)).toEqual([0, 3]);
    expect(missingSeats(table, "resign", 3)).toEqual([3]);
    expect(missingSeats(table, "resign", 0)).toEqual([0]);
    expect(missingSeats(table, "resign", null)).toEqual([0, 3]);
    expect(agreeing(table, "resign", 3)).toEqual([1]);
    expect(agreeing(table, "resign", 0)).toEqual([]);
  });

  it("an offer waits for an answer until it has one, while the match is on", () => {
    expect(openOffers(tableOf({ offers }), 0)).toEqual(["draw"]);
    expect(openOffers(tableOf({ offers: { ...offers, draw: [0, 1] } }), 0)).toEqual([]);
    expect(openOffers(tableOf({ offers, phase: "finished" }), 0)).toEqual([]);
    expect(openOffers(tableOf({ offers }), null)).toEqual([]);
  });

  it("the others are gone when a bot plays for every person of theirs, and there is one", () => {
    const gone = (name: string, seat: number) => seatsOf.person(seat, name, { played_by_bot: "away" });
    expect(othersGone(tableOf(), 0)).toBe(false);
    expect(
      othersGone(tableOf({ seats: [seatsOf.person(0, "Ana"), gone("L", 1), seatsOf.bot(2), gone("R", 3)] }), 0),
    ).toBe(true);
    const bots = [seatsOf.person(0, "Ana"), seatsOf.bot(1), seatsOf.bot(2), seatsOf.bot(3)];
    expect(othersGone(tableOf({ seats: bots }), 0)).toBe(false);
  });
});

describe("chat", () => {
  const said = (version: number, member: number): ChatLine => ({
    version,
    at_ms: 0,
    member,
    name: "x",
    text: "y",
    phrase: "",
    apart: false,
  });
  const chat = [said(1, 1), said(5, 2), said(7, 1), said(9, 3)];

  it("counts what others said since it was read, the muted left out", () => {
    expect(unreadCount(chat, 1, youOf(0))).toBe(2);
    expect(unreadCount(chat, 1, youOf(0, { muted: [3] }))).toBe(1);
    expect(unreadCount(chat, 9, youOf(0))).toBe(0);
    expect(heard(chat, youOf(0, { muted: [1] })).map((line) => line.version)).toEqual([5, 9]);
  });

  it("counts characters as the server does", () => {
    expect(charactersLeft(" 🙂 ")).toBe(299);
    expect(charactersLeft("a".repeat(305))).toBe(-5);
  });
});

describe("a table in words", () => {
  it("has a line for each option", () => {
    const rows = Object.fromEntries(optionRows(tableOf()).map((row) => [row.key, row.value]));
    expect(rows).toMatchObject({
      players: "4, in pairs",
      target: "3,000 points",
      clock: "1 min for each turn",
      code: "K7MPQ2",
    });
    expect(rows).not.toHaveProperty("deals");
    const other = tableOf({
      rules: { target_points: 0, deal_count: 4 },
      clock: { kind: "bank", bank_ms: 300_000, increment_ms: 5000 },
      chat: false,
      spectators: false,
    });
    expect(Object.fromEntries(optionRows(other).map((row) => [row.key, row.value]))).toMatchObject({
      target: "no target",
      deals: "4",
      clock: "5 min for each deal, 5 s more after each turn",
      chat: "off",
      spectators: "none",
    });
  });

  it("says that spectators see the hands, and when", () => {
    const open = tableOf({ open_hands: true, spectator_delay_ms: 300_000 });
    expect(optionRows(open).find((row) => row.key === "spectators")?.value).toBe(
      "allowed, 5 min later or more; they see the hands of a deal once it is over",
    );
  });

  it("states the disconnection contract with the table's own numbers", () => {
    const texts = contractTexts(tableOf()).join(" ");
    expect(texts).toContain("away for 30 s");
    expect(texts).toContain("(level Casual)");
    expect(texts).toContain("2 turns running");
    expect(texts).toContain("gone for 5 min");
    expect(contractTexts(tableOf({ clock: { kind: "none" } })).join(" ")).not.toContain("runs out");
  });
});

describe("announcements", () => {
  const context = { table: tableOf(), you: youOf(0) };

  it("tell each new event once, without the parts of the shuffle", () => {
    const log = logOf([EVENTS.discarded, EVENTS.seed_given, EVENTS.drew], 5);
    expect(announcements(log, 4, context)).toEqual(["Lúcia discards Queen of hearts.", "Lúcia draws from the stock."]);
    expect(announcements(log, 5, context)).toEqual(["Lúcia draws from the stock."]);
    expect(announcements(log, lastKey(log), context)).toEqual([]);
  });

  it("sum up what comes all at once, and tell its last event", () => {
    const log = logOf(Array.from({ length: AT_ONCE_MAX + 1 }, () => EVENTS.discarded));
    expect(announcements(log, -1, context)).toEqual([
      `Meanwhile there were ${AT_ONCE_MAX + 1} events.`,
      "Lúcia discards Queen of hearts.",
    ]);
    expect(announcements(log.slice(1), -1, context)).toHaveLength(AT_ONCE_MAX);
    expect(announcements(log.slice(0, 3), -1, context, 30)).toHaveLength(2);
  });

  it("quote chat as it was written, but not the own and not the muted", () => {
    const log = logOf([EVENTS.chat_said]);
    expect(announcements(log, -1, context)).toEqual(["Lúcia says: <b>boa!</b>"]);
    expect(announcements(log, -1, { ...context, you: youOf(1) })).toEqual([]);
    expect(announcements(log, -1, { ...context, you: youOf(0, { muted: [2] }) })).toEqual([]);
  });

  it("say what the own turn begins with", () => {
    expect(turnText(viewOf())).toBe("It is your turn. Draw a stock card or take the pile.");
    expect(turnText(viewOf({ legal: null }))).toBe("It is your turn.");
  });
});

describe("the text version", () => {
  it("tells twins apart and keeps what is chosen while the hand changes", () => {
    const hand = handCards(["7h", "2d", "7h"], "suit");
    expect(hand.map((one) => one.key)).toEqual(["7h#0", "7h#1", "2d#0"]);
    const chosen = new Set(["7h#1", "2d#0"]);
    expect(chosenCards(chosen, hand)).toEqual(["7h", "2d"]);
    expect([...stillChosen(chosen, handCards(["7h", "2d"], "rank"))]).toEqual(["2d#0"]);
  });

  it("lists the cards that fit a meld, twins once", () => {
    const add = (card: string, meld: number) => ({ meld, card, high: false, wild: "", action: 1 });
    const legal = { ...viewOf().legal!, adds: [add("2h", 1), add("2h", 1), add("Th", 1), add("9c", 2)] };
    expect(fittingCards(viewOf({ legal }), 1)).toEqual(["2h", "Th"]);
    expect(fittingCards(viewOf({ legal: null }), 1)).toEqual([]);
  });

  it("says what a wild stands for, and what an option is worth", () => {
    expect(wordLabel("X=8h")).toBe("Joker as Eight of hearts");
    const option = optionOf("7h X=8h 9h", [1], { clean: false, category: "plain", points: 35 });
    expect(optionText(option)).toBe("Seven of hearts, Joker as Eight of hearts, Nine of hearts, no canasta, 35 points");
    expect(optionText({ ...option, category: "dirty", bonus: 100 })).toContain("dirty canasta, 35 points, bonus 100");
  });

  it("says what a meld is", () => {
    expect(meldText(viewOf().melds[0][0]!)).toBe("clean canasta, bonus 200; 50 points");
    expect(meldText(viewOf().melds[1][0]!)).toBe("no canasta; 15 points");
  });
});
