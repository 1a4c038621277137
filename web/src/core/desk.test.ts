import { beforeEach, describe, expect, it, vi } from "vitest";
import { PILE_LARGE, type Desk } from "./desk";
import type { Reply } from "./socket";
import { aView } from "./testing/fakes";
import { ACK, Stand, event, option, probed, refusal, settle } from "./testing/stand";

const HINT = {
  result: "hint",
  action: 13,
  text: "",
  level: "greedy",
  reasons: [],
  evaluation: null,
  alternatives: [],
} as const;

describe("the hand", () => {
  it("is sorted by suit at first", () => {
    expect(new Stand().hand).toBe("7h 7h 8h 9h Kc");
  });

  it("takes a drawn card to the right end, marked until the next own action", () => {
    const stand = new Stand();
    const hands = [["7h", "8h", "9h", "Kc", "7h", "As"], null];
    stand.step(aView({ state_number: 2, hands }), [event({ event: "card_drawn", seat: 0, card: "As" })]);
    expect(stand.hand).toBe("7h 7h 8h 9h Kc As");
    const marked = (): string => {
      const { hand, fresh } = stand.desk.get();
      return hand
        .filter((one) => fresh.has(one.key))
        .map((one) => one.card)
        .join(" ");
    };
    expect(marked()).toBe("As");
    stand.desk.sort();
    expect([stand.hand, marked()]).toEqual(["As 7h 7h 8h 9h Kc", "As"]);
    stand.step(aView({ state_number: 3, hands: [["7h", "8h", "9h", "7h", "As"], null] }), [
      event({ event: "discarded", seat: 0, card: "Kc" }),
    ]);
    expect(marked()).toBe("");
  });

  it("is sorted by suit, then by rank; the selection survives and nothing is asked", () => {
    const stand = new Stand(aView({ hands: [["Kd", "2h", "Ks", "2c"], null] }));
    stand.desk.moveTo([stand.desk.get().hand[0]!.key], 3);
    stand.select("2h");
    expect(stand.desk.nextSort).toBe("suit");
    stand.desk.sort();
    expect([stand.hand, stand.desk.nextSort]).toEqual(["Ks 2h 2c Kd", "rank"]);
    stand.desk.sort();
    expect([stand.hand, stand.desk.nextSort]).toEqual(["2h 2c Ks Kd", "suit"]);
    expect(stand.desk.get().selected.size).toBe(1);
    expect(stand.asked).toEqual([]);
  });

  it("sorts itself where the player likes it", () => {
    const stand = new Stand();
    stand.host.autoSort = () => true;
    stand.step(aView({ state_number: 2, hands: [["7h", "8h", "9h", "Kc", "7h", "As"], null] }));
    expect(stand.hand).toBe("As 7h 7h 8h 9h Kc");
  });

  it("keeps its order over a reload, for this deal only", () => {
    const kept = new Map<string, string>();
    const storage = {
      length: 0,
      key: () => null,
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
    const stand = new Stand(aView(), storage);
    stand.desk.moveTo([stand.desk.get().hand[4]!.key], 0);
    expect(stand.hand).toBe("Kc 7h 7h 8h 9h");
    expect(new Stand(aView(), storage).hand).toBe("Kc 7h 7h 8h 9h");
    expect(new Stand(aView({ deal: 2 }), storage).hand).toBe("7h 7h 8h 9h Kc");
  });

  it("forgets the selection with a new deal, and a card that has left", () => {
    const stand = new Stand();
    stand.select("7h", "Kc");
    stand.step(aView({ state_number: 2, hands: [["7h", "7h", "8h", "9h"], null] }));
    expect(stand.desk.get().selected.size).toBe(1);
    stand.step(aView({ deal: 2 }));
    expect(stand.desk.get().selected.size).toBe(0);
  });
});

describe("dragging", () => {
  it("takes the whole selection along, or the one card", () => {
    const stand = new Stand();
    const keys = stand.select("7h", "9h");
    expect(stand.desk.group(keys[1]!)).toEqual(keys);
    const other = stand.desk.get().hand.at(-1)!.key;
    expect(stand.desk.group(other)).toEqual([other]);
  });

  it("gives the old order back when it is cancelled, and asks nothing", async () => {
    const stand = new Stand();
    const keys = stand.select("Kc");
    stand.desk.dragStart(keys);
    stand.desk.dragCancel();
    await settle();
    expect(stand.hand).toBe("7h 7h 8h 9h Kc");
    expect(stand.asked).toEqual([]);
  });

  it("within the hand keeps the new order; to a place it does what a tap does, with the old order", async () => {
    const stand = new Stand();
    const keys = stand.select("Kc");
    stand.desk.dragStart(keys);
    stand.desk.drop("hand", keys, 1);
    expect(stand.hand).toBe("7h Kc 7h 8h 9h");
    stand.desk.dragStart(keys);
    stand.desk.drop("pile", keys, 4);
    await settle();
    expect(stand.hand).toBe("7h Kc 7h 8h 9h");
    expect(stand.acts).toEqual([13]);
  });

  it("ends when the turn does", () => {
    const stand = new Stand();
    stand.desk.dragStart(stand.select("Kc"));
    stand.step(aView({ state_number: 2, turn_seat: 1, legal: null }));
    expect(stand.host.stopDrag).toHaveBeenCalled();
  });
});

describe("moving cards by taps", () => {
  it("puts the selected cards before the card that is tapped, or at the end; they stay selected", async () => {
    const stand = new Stand(aView({ turn_seat: 1, legal: null }));
    const keys = new Set(stand.select("7h", "Kc"));
    stand.desk.toggleMoving();
    stand.desk.toggle(stand.desk.get().hand[3]!.key);
    expect([stand.hand, stand.desk.get().moving]).toEqual(["7h 8h 7h Kc 9h", false]);
    stand.desk.toggleMoving();
    stand.desk.place(null);
    await settle();
    expect([stand.hand, stand.desk.get().moving]).toEqual(["7h 8h 9h 7h Kc", false]);
    expect(stand.desk.get().selected).toEqual(keys);
    expect(stand.asked).toEqual([]);
  });

  it.each<[string, (desk: Desk) => void]>([
    ["pressed again", (desk) => desk.toggleMoving()],
    ["cleared", (desk) => desk.clear()],
    ["something is dragged", (desk) => desk.dragStart([desk.get().hand[0]!.key])],
    ["the player acts", (desk) => desk.draw()],
  ])("is left off when %s, and nothing else changes", async (_, leave) => {
    const stand = new Stand();
    const [key] = stand.select("Kc");
    stand.desk.toggleMoving();
    expect(stand.desk.get().moving).toBe(true);
    leave(stand.desk);
    await settle();
    const { moving, selected } = stand.desk.get();
    expect([moving, [...selected], stand.hand]).toEqual([false, [key], "7h 7h 8h 9h Kc"]);
  });

  it("needs selected cards, and ends when they are gone", () => {
    const stand = new Stand();
    stand.desk.toggleMoving();
    expect(stand.desk.get().moving).toBe(false);
    stand.select("Kc");
    stand.desk.toggleMoving();
    stand.step(aView({ state_number: 2, hands: [["7h", "7h", "8h", "9h"], null] }));
    expect(stand.desk.get().moving).toBe(false);
  });
});

describe("places that take cards", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  const adds = [
    { meld: 1, card: "7h", high: false, wild: "", action: 16_100 },
    { meld: 3, card: "8h", high: false, wild: "", action: 16_400 },
  ];
  const legal = { ...aView().legal!, adds };

  it("of one card are those that the server named", () => {
    const stand = new Stand(aView({ legal }));
    stand.select("7h");
    expect([...stand.desk.get().can]).toEqual(["meld-1", "pile"]);
    stand.desk.select([]);
    expect(stand.desk.get().can.size).toBe(0);
  });

  it("of several cards the server is asked about, for melds that take one of them first", async () => {
    const stand = new Stand(aView({ legal }));
    stand.answer = (_, { meld }) => (meld === 3 ? probed() : probed(option("7h 8h 9h", [1])));
    stand.select("7h", "8h", "9h");
    await vi.advanceTimersByTimeAsync(1000);
    expect(stand.asked.map(([type, members]) => [type, members.meld])).toEqual([
      ["probe", null],
      ["probe", 1],
      ["probe", 3],
    ]);
    expect([...stand.desk.get().can].sort()).toEqual(["meld-1", "new-meld"]);
  });

  it("are none out of turn", async () => {
    const stand = new Stand(aView({ legal: null, turn_seat: 1 }));
    stand.select("7h", "8h", "9h");
    await vi.advanceTimersByTimeAsync(1000);
    expect(stand.asked).toEqual([]);
    expect(stand.desk.get().can.size).toBe(0);
  });

  it("are not asked about any more once the player acts", async () => {
    const stand = new Stand(aView({ legal: { ...legal, draw: true } }));
    stand.select("7h", "8h", "9h");
    stand.answer = () => refusal("stale");
    stand.desk.draw();
    await vi.advanceTimersByTimeAsync(50);
    expect(stand.asked.map(([type]) => type)).toEqual(["act"]);
  });
});

describe("commands", () => {
  it("show first all that waits to be shown", () => {
    const stand = new Stand();
    stand.desk.draw();
    expect(stand.flushed).toBe(1);
  });

  it("do what is legal", async () => {
    const legal = { ...aView().legal!, draw: true, pile: true, keep: true, reject: true };
    for (const [run, action] of [
      [(desk: Desk) => desk.draw(), 0],
      [(desk: Desk) => desk.takePile(), 1],
      [(desk: Desk) => desk.keep(), 2],
      [(desk: Desk) => desk.reject(), 3],
    ] as const) {
      const stand = new Stand(aView({ legal }));
      run(stand.desk);
      await settle();
      expect(stand.acts).toEqual([action]);
    }
  });

  it("say why what is not legal cannot be done", async () => {
    for (const [run, action] of [
      [(desk: Desk) => desk.draw(), 0],
      [(desk: Desk) => desk.takePile(), 1],
      [(desk: Desk) => desk.keep(), 2],
      [(desk: Desk) => desk.reject(), 3],
    ] as const) {
      const stand = new Stand();
      const text = "Draw first.";
      stand.answer = () => ({
        ...ACK,
        type: "ack",
        result: { result: "why", legal: false, code: "x", text, citation: "§ 2", rule: null },
      });
      run(stand.desk);
      await settle();
      expect(stand.asked).toEqual([["why", { action }]]);
      expect(stand.desk.get().notice).toMatchObject({ text, citation: "§ 2" });
    }
  });

  it("are refused in words out of turn, after the deal, and without a line", () => {
    for (const [change, line, said] of [
      [{ legal: null, turn_seat: 1 }, "open", "web.table.say.not_your_turn"],
      [{ legal: null, end_kind: "closed" }, "open", "web.table.say.deal_over"],
      [{}, "lost", "web.table.say.no_line"],
    ] as const) {
      const stand = new Stand(aView(change));
      stand.picture = { ...stand.picture, line };
      stand.desk.draw();
      expect(stand.desk.get().notice?.text).toBe(said);
      expect(stand.asked).toEqual([]);
    }
  });

  it.each(["elsewhere", "ended"] as const)("tell the way out where the line is %s for good", (line) => {
    const stand = new Stand(aView());
    stand.picture = { ...stand.picture, line, lineText: "It goes on there." };
    stand.desk.draw();
    expect(stand.desk.get().notice?.text).toBe("It goes on there.");
    expect(stand.asked).toEqual([]);
  });

  it("do not run into one another", async () => {
    const stand = new Stand(aView({ legal: { ...aView().legal!, draw: true } }));
    stand.desk.draw();
    stand.desk.draw();
    await settle();
    expect(stand.acts).toEqual([0]);
  });

  it("taking a large pile are confirmed, unless all of it was just seen", async () => {
    const pile = Array.from({ length: PILE_LARGE }, () => ({ card: "4s", seat: 1, turn: 1 }));
    const view = aView({ pile, pile_count: PILE_LARGE, legal: { ...aView().legal!, pile: true } });
    const stand = new Stand(view);
    stand.desk.takePile();
    await settle();
    expect(stand.desk.get().question).toMatchObject({ kind: "pile", count: PILE_LARGE });
    stand.desk.answer(false);
    await settle();
    expect([stand.acts, stand.desk.get().question]).toEqual([[], null]);
    stand.desk.takePile();
    await settle();
    stand.desk.answer(true);
    await settle();
    expect(stand.acts).toEqual([1]);
    const sure = new Stand(view);
    sure.desk.takePile(true);
    await settle();
    expect(sure.acts).toEqual([1]);
  });
});

describe("a discard", () => {
  it("takes the selected card, of twins the very one", async () => {
    const stand = new Stand();
    const [, second] = stand.desk.get().hand;
    stand.desk.select([second!.key]);
    stand.answer = (type) => {
      if (type === "act") {
        const hands = [["7h", "8h", "9h", "Kc"], null];
        const pile = [...aView().pile, { card: "7h", seat: 0, turn: 0 }];
        queueMicrotask(() =>
          stand.step(aView({ state_number: 2, hands, pile, legal: null }), [
            event({ event: "discarded", seat: 0, card: "7h" }),
          ]),
        );
      }
      return { ...ACK, version: 3 };
    };
    stand.desk.discard();
    await settle();
    expect(stand.acts).toEqual([10]);
    expect(stand.desk.get().zones.get("pile")?.at(-1)?.key).toBe(second!.key);
    expect([...stand.desk.get().last]).toEqual([second!.key]);
    expect(stand.desk.get()).toMatchObject({ sending: null, acting: false });
  });

  it("is shown on its way, and rolled back with the reason when it is refused", async () => {
    const stand = new Stand();
    stand.select("Kc");
    let hand = "";
    stand.answer = () => {
      hand = stand.hand;
      return refusal("card_barred");
    };
    stand.desk.discard();
    await settle();
    expect(hand).toBe("7h 7h 8h 9h");
    expect(stand.hand).toBe("7h 7h 8h 9h Kc");
    expect(stand.desk.get().notice).toMatchObject({ text: "No: card_barred.", citation: "§ 1" });
    expect(stand.desk.get().selected.size).toBe(1);
  });

  it("of no card, or of several, is not one", () => {
    const stand = new Stand();
    stand.desk.discard();
    expect(stand.desk.get().notice?.text).toBe("web.table.say.select_one");
    stand.select("7h", "8h");
    stand.desk.discard();
    expect(stand.asked).toEqual([]);
  });

  it("is confirmed where the player likes it, and where it ends the deal", async () => {
    const stand = new Stand();
    stand.host.confirmDiscards = () => true;
    stand.select("Kc");
    stand.desk.discard();
    await settle();
    expect(stand.desk.get().question).toMatchObject({ kind: "discard", card: "Kc" });
    const usual = aView().legal!;
    const legal = { ...usual, discards: usual.discards.map((one) => ({ ...one, ends_deal: one.card === "Kc" })) };
    const last = new Stand(aView({ hands: [["Kc"], null], legal }));
    last.select("Kc");
    last.desk.discard();
    await settle();
    expect(last.desk.get().question).toMatchObject({ kind: "out", card: "Kc" });
    last.desk.answer(true);
    await settle();
    expect(last.acts).toEqual([13]);
  });

  it("of a stale picture says that the table changed", async () => {
    const stand = new Stand();
    stand.select("Kc");
    stand.answer = () => refusal("stale_version");
    stand.desk.discard();
    await settle();
    expect(stand.desk.get().notice?.text).toBe("web.table.say.changed");
  });
});

describe("laying cards", () => {
  it("asks what they would be, and does the one thing that they can be", async () => {
    const stand = new Stand();
    stand.select("7h", "8h", "9h");
    stand.answer = (type) => (type === "probe" ? probed(option("7h 8h 9h", [99])) : ACK);
    await stand.desk.lay("new-meld");
    expect(stand.asked).toEqual([
      ["probe", { cards: ["7h", "8h", "9h"], meld: null }],
      ["act", { action: 99 }],
    ]);
    expect(stand.desk.get().selected.size).toBe(0);
  });

  it("of several ways lets the player say which", async () => {
    const stand = new Stand();
    const keys = stand.select("7h", "8h", "9h");
    const ways = [option("7h 8h 9h", [1, 2]), option("8h 9h 7h", [3])];
    stand.answer = (type) => (type === "probe" ? probed(...ways, option("9h", [4], { legal: false })) : ACK);
    await stand.desk.lay("meld-2");
    expect(stand.desk.get().choices).toMatchObject({ zone: "meld-2", keys, options: ways });
    expect(stand.acts).toEqual([]);
    stand.desk.choose(ways[0]!);
    await settle();
    expect(stand.acts).toEqual([1, 2]);
    expect(stand.desk.get().choices).toBeNull();
  });

  it("that are nothing says why", async () => {
    const stand = new Stand();
    stand.select("7h", "8h");
    const refused = option("7h 8h", [1], { legal: false, text: "Too few.", citation: "§ 4" });
    for (const answer of [
      probed(refused),
      { ...probed(), result: { ...probedNothing, text: "Too few.", citation: "§ 4" } },
    ]) {
      stand.answer = () => answer as Reply;
      stand.desk.closeNotice();
      await stand.desk.lay("new-meld");
      expect(stand.desk.get().notice).toMatchObject({ text: "Too few.", citation: "§ 4" });
    }
    expect(stand.acts).toEqual([]);
  });

  it("in several actions takes back what was done when one is refused, and the picture is as it was", async () => {
    const stand = new Stand();
    stand.select("7h", "8h");
    stand.answer = (type, { action }) => {
      if (type === "probe") return probed(option("7h 8h 9h", [1, 2, 3]));
      return type === "act" && action === 3 ? refusal("does_not_fit") : ACK;
    };
    await stand.desk.lay("meld-1");
    expect(stand.asked.slice(1)).toEqual([
      ["act", { action: 1 }],
      ["act", { action: 2 }],
      ["act", { action: 3 }],
      ["undo", { count: 2 }],
    ]);
    expect(stand.desk.get()).toMatchObject({ sending: null, acting: false });
    expect(stand.hand).toBe("7h 7h 8h 9h Kc");
    expect(stand.desk.get().notice?.text).toBe("No: does_not_fit.");
  });

  it("on a table that changed in the meantime is checked again, with a friendly word", async () => {
    const stand = new Stand();
    stand.select("7h", "8h", "9h");
    stand.answer = (type) => {
      if (type === "probe") stand.step(aView({ state_number: 5 }));
      return type === "probe" ? probed(option("7h 8h 9h", [1], { legal: false, text: "No." })) : ACK;
    };
    await stand.desk.lay("new-meld");
    expect(stand.desk.get().notice?.text).toBe("web.table.say.changed");
    expect(stand.acts).toEqual([]);
  });

  it("with which the deal ends is confirmed", async () => {
    const stand = new Stand(aView({ hands: [["7h", "8h", "9h"], null] }));
    stand.select("7h", "8h", "9h");
    stand.answer = (type) => (type === "probe" ? probed(option("7h 8h 9h", [9], { ends_deal: true })) : ACK);
    await stand.desk.lay("new-meld");
    expect(stand.desk.get().question).toMatchObject({ kind: "out", count: 3 });
    stand.desk.answer(true);
    await settle();
    expect(stand.acts).toEqual([9]);
  });

  it("of nothing says so", async () => {
    const stand = new Stand();
    await stand.desk.lay("new-meld");
    expect(stand.desk.get().notice?.text).toBe("web.table.say.select_cards");
    expect(stand.asked).toEqual([]);
  });
});

const probedNothing = { result: "probe", options: [], code: "", text: "", citation: "", rule: null } as const;

describe("taking back and hints", () => {
  it("take back the last move, or all, where there is one", async () => {
    const stand = new Stand(aView({ can_undo: 3 }));
    stand.desk.undo();
    await settle();
    stand.desk.undo(true);
    await settle();
    expect(stand.asked).toEqual([
      ["undo", { count: 1 }],
      ["undo", { count: null }],
    ]);
    const none = new Stand();
    none.desk.undo();
    expect(none.desk.get().notice?.text).toBe("web.table.say.nothing_to_undo");
    expect(none.asked).toEqual([]);
  });

  it("show the advice, and do it", async () => {
    const stand = new Stand();
    stand.answer = (type) => (type === "hint" ? { ...ACK, type: "ack", result: HINT } : ACK);
    stand.desk.askHint();
    await settle();
    expect(stand.desk.get().hint).toEqual(HINT);
    stand.desk.followHint();
    await settle();
    expect([stand.acts, stand.desk.get().hint]).toEqual([[13], null]);
  });

  it("are not shown when the table has changed before they come", async () => {
    const stand = new Stand();
    stand.answer = () => {
      stand.step(aView({ state_number: 2 }));
      return { ...ACK, type: "ack", result: HINT };
    };
    stand.desk.askHint();
    await settle();
    expect(stand.desk.get().hint).toBeNull();
  });

  it("are gone when the table changes", async () => {
    const stand = new Stand();
    stand.answer = () => ({ ...ACK, type: "ack", result: HINT });
    stand.desk.askHint();
    await settle();
    stand.step(aView({ state_number: 2 }));
    expect(stand.desk.get().hint).toBeNull();
  });
});
