import { describe, expect, it } from "vitest";
import { isJson, newTableForm, OPEN_HANDS_DELAY, optionsOf } from "./table-form";

const form = newTableForm("some-rules", "greedy");

describe("the form of a new table", () => {
  it("asks for what the server would do anyhow, until something is chosen", () => {
    expect(optionsOf(form)).toEqual({
      rules: "some-rules",
      players: 4,
      clock: { kind: "none" },
      bot_level: "greedy",
      fill_with_bots: true,
      public: false,
      spectators: true,
      spectator_delay_ms: 0,
      spectator_chat: false,
      open_hands: false,
      chat: true,
      undo: true,
      hints: null,
    });
  });

  it("says times in milliseconds", () => {
    expect(optionsOf({ ...form, clock: "turn", turnTime: 45 }).clock).toEqual({ kind: "turn", turn_ms: 45_000 });
    expect(optionsOf({ ...form, clock: "bank", bankTime: 300, increment: 5 }).clock).toEqual({
      kind: "bank",
      bank_ms: 300_000,
      increment_ms: 5000,
    });
    expect(optionsOf({ ...form, spectatorDelay: 30 }).spectator_delay_ms).toBe(30_000);
  });

  it("ends the match by points or by deals", () => {
    expect(optionsOf({ ...form, target: "points", targetPoints: 2000 })).toMatchObject({ target_points: 2000 });
    expect(optionsOf({ ...form, target: "deals", dealCount: 1 })).toMatchObject({ deal_count: 1, target_points: 0 });
  });

  it("asks for nothing of spectators where there are none", () => {
    const options = optionsOf({ ...form, spectators: false, spectatorDelay: 30, spectatorChat: true });
    expect(options).toMatchObject({ spectators: false, spectator_delay_ms: 0, spectator_chat: false });
  });

  it("opens the hands to spectators only where there are some", () => {
    const open = { ...form, openHands: true, spectatorDelay: OPEN_HANDS_DELAY };
    expect(optionsOf(open)).toMatchObject({ open_hands: true, spectator_delay_ms: 300_000 });
    expect(optionsOf({ ...open, spectators: false })).toMatchObject({ open_hands: false, spectator_delay_ms: 0 });
  });

  it("sends house rules as TOML or JSON, and what is neither as TOML, so that the server says where it breaks", () => {
    expect(optionsOf({ ...form, rules: "", house: 'base = "x"' })).toMatchObject({ rules_toml: 'base = "x"' });
    expect(optionsOf({ ...form, rules: "", house: ' {"base": "x"}' })).toMatchObject({ rules: { base: "x" } });
    expect(optionsOf({ ...form, rules: "", house: "{" })).toMatchObject({ rules_toml: "{" });
    expect(isJson("\n {")).toBe(true);
  });

  it.each([
    ["auto", null],
    ["on", true],
    ["off", false],
  ] as const)("has hints %s", (hints, value) => {
    expect(optionsOf({ ...form, hints }).hints).toBe(value);
  });
});
