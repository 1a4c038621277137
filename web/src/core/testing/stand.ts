// A desk at a table without a server, for tests.
import { vi } from "vitest";
import type { Event, ProbeOption, View } from "../../protocol";
import { Desk } from "../desk";
import type { DeskHost } from "../desk-state";
import type { Ask, Reply } from "../socket";
import { NOTHING, type Picture, type Step, type TableStore } from "../table-store";
import { YOU, aTable, aView } from "./fakes";

type Answer = (type: string, members: Readonly<Record<string, unknown>>) => Reply | Promise<Reply>;

export const ACK: Reply = { type: "ack", id: "1", version: 1, result: null };
export const refusal = (code: string): Reply => ({
  type: "refused",
  id: "1",
  version: 1,
  code,
  text: `No: ${code}.`,
  citation: "§ 1",
  rule: null,
});

export function option(words: string, actions: readonly number[], change: Partial<ProbeOption> = {}): ProbeOption {
  return {
    actions,
    kind: "run",
    words: words.split(" "),
    clean: true,
    category: "plain",
    points: 20,
    bonus: 0,
    legal: true,
    ends_deal: false,
    code: "",
    text: "",
    citation: "",
    rule: null,
    ...change,
  };
}

export const probed = (...options: readonly ProbeOption[]): Reply => ({
  ...ACK,
  type: "ack",
  result: { result: "probe", options, code: "", text: "", citation: "", rule: null },
});

/** A table without a server: what is asked is answered as the test says. */
export class Stand {
  picture: Picture;
  readonly asked: [string, Readonly<Record<string, unknown>>][] = [];
  answer: Answer = () => ACK;
  flushed = 0;
  readonly host: { -readonly [Key in keyof DeskHost]: DeskHost[Key] };
  readonly desk: Desk;
  private readonly listeners = new Set<(picture: Picture) => void>();
  private readonly steps = new Set<(step: Step) => void>();

  constructor(view: View = aView(), storage: DeskHost["storage"] = undefined) {
    this.picture = { ...NOTHING, line: "open", version: 1, table: aTable(), you: YOU };
    const ask: Ask = async (type, ...members) => {
      this.asked.push([type, members[0] ?? {}]);
      return this.answer(type, members[0] ?? {});
    };
    const store: TableStore = {
      get: () => this.picture,
      subscribe: (run) => {
        this.listeners.add(run);
        run(this.picture);
        return () => this.listeners.delete(run);
      },
      onStep: (run) => {
        this.steps.add(run);
        return () => this.steps.delete(run);
      },
      ask,
      flush: () => void (this.flushed += 1),
      playHere: () => undefined,
      reopen: () => undefined,
      close: () => undefined,
    };
    this.host = {
      storage,
      text: (key) => key,
      autoSort: () => false,
      confirmDiscards: () => false,
      before: vi.fn(),
      after: vi.fn(),
      stopDrag: vi.fn(),
    };
    this.desk = new Desk(store, this.host, "ABC");
    this.step(view, [], "whole");
  }

  step(view: View, events: readonly Event[] = [], how: Step["how"] = "paced"): void {
    const before = this.picture;
    this.picture = { ...before, view, version: before.version + 1 };
    for (const run of this.steps) run({ events, before, after: this.picture, how });
    for (const run of this.listeners) run(this.picture);
  }

  get hand(): string {
    return this.desk
      .get()
      .hand.map((one) => one.card)
      .join(" ");
  }

  /** Select cards of the hand by face, the first of twins first. */
  select(...cards: readonly string[]): readonly string[] {
    const rest = [...this.desk.get().hand];
    const keys = cards.map(
      (card) =>
        rest.splice(
          rest.findIndex((one) => one.card === card),
          1,
        )[0]!.key,
    );
    this.desk.select(keys);
    return keys;
  }

  get acts(): readonly unknown[] {
    return this.asked.filter(([type]) => type === "act").map(([, members]) => members.action);
  }
}

/** Let everything that was asked be answered. */
export const settle = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
};

export const event = (one: Record<string, unknown>): Event => ({ number: 1, ...one }) as unknown as Event;
