// The player's side of the table: the own hand and its order, what is selected, where it may go, and the commands. It
// knows no rule: what is legal the server says with the view, or answers when it is asked.
import type { ProbeOption, ProbeResult, View } from "../protocol";
import { EMPTY, type DeskHost, type DeskState, type Notice, type Question } from "./desk-state";
import { DRAW, KEEP, REJECT, TAKE_PILE, discardAction } from "./actions";
import { HandMemory, arrange, inKeptOrder, indexBefore, moved, sorted, type SortBy } from "./hand";
import { follow, type Keyed, type Zones } from "./identity";
import { Probes, type Answers } from "./probes";
import {
  NO_MOVE,
  freshAfter,
  journeysOf,
  lastMove,
  meldOf,
  placesOf,
  type LastMove,
  type Sending,
  type Zone,
} from "./scene";
import type { Picture, Step, TableStore } from "./table-store";
import type { Reply } from "./socket";

/** From this many cards on, taking the pile is confirmed. */
export const PILE_LARGE = 12;

const UNCITED = { citation: "", rule: null };
const NO_JOURNEYS = { from: new Map<string, string>(), to: new Map<string, string>() };

type Command = (view: View) => Promise<void> | void;

export class Desk {
  private state = EMPTY;
  private order: readonly string[] = [];
  private sortBy: SortBy = "suit";
  private move: LastMove = NO_MOVE;
  private deal = "";
  private keys = 0;
  private notices = 0;
  private wanted: (() => void) | null = null;
  private running = "";
  private next: { readonly name: string; readonly run: Command } | null = null;
  private readonly listeners = new Set<(state: DeskState) => void>();
  private readonly probes: Probes;
  private readonly memory: HandMemory;
  private readonly stopped: () => void;

  constructor(
    private readonly store: TableStore,
    private readonly host: DeskHost,
    name: string,
  ) {
    this.memory = new HandMemory(host.storage, name);
    this.probes = new Probes(store.ask, (answers) => this.answered(answers));
    this.stopped = store.onStep((step) => this.step(step));
  }

  get(): DeskState {
    return this.state;
  }

  subscribe(run: (state: DeskState) => void): () => void {
    this.listeners.add(run);
    run(this.state);
    return () => this.listeners.delete(run);
  }

  stop(): void {
    this.probes.want(null);
    this.stopped();
    this.listeners.clear();
  }

  // What the table told.

  private step({ events, before, after, how }: Step): void {
    const view = after.view;
    const deal = view ? `${after.table?.match ?? 0}.${view.deal}` : "";
    const anew = deal !== this.deal;
    this.deal = deal;
    const old: Zones = anew ? new Map() : this.state.zones;
    // What is seen for the first time comes from nowhere: nothing is measured.
    const shown = this.state.zones.size > 0;
    const preferred = new Set([...(this.state.sending?.keys ?? []), ...this.state.selected]);
    const followed = follow(old, placesOf(view), preferred, () => this.newKey());
    const { zones } = followed;
    if (shown)
      this.host.before(how === "whole" ? NO_JOURNEYS : journeysOf(followed, zones, events, view?.seat ?? null));
    const was = new Set(old.get("hand")?.map((one) => one.key));
    const hand = zones.get("hand") ?? [];
    const entered = hand.filter((one) => !was.has(one.key)).map((one) => one.key);
    this.move = how === "whole" ? beginning(view, zones) : lastMove(this.move, events, old, zones);
    const kept = (keys: ReadonlySet<string>): ReadonlySet<string> => only(keys, hand);
    this.setOrder(hand, anew);
    const { sending } = this.state;
    const sent = sending !== null && !hand.some((one) => sending.keys.has(one.key));
    const changed = before.view?.state_number !== view?.state_number || anew;
    // What is held back was meant for the turn that it was said in.
    if (anew || before.view?.turn_count !== view?.turn_count) this.next = null;
    this.set({
      zones,
      selected: anew ? new Set() : kept(this.state.selected),
      fresh: kept(anew ? new Set() : freshAfter(this.state.fresh, events, view?.seat ?? null, entered)),
      last: this.move.keys,
      ...(sent ? { sending: null } : {}),
      ...(changed ? { choices: null, hint: null, answers: new Map(), can: new Set() } : {}),
      ...(changed && !this.state.acting ? { question: null } : {}),
    });
    if (this.state.dragged.size > 0 && (anew || turnOf(before) !== turnOf(after))) this.host.stopDrag();
    if (shown) this.host.after();
    this.aim();
  }

  private newKey(): string {
    this.keys += 1;
    return `k${this.keys}`;
  }

  private setOrder(hand: readonly Keyed[], anew: boolean): void {
    let ordered = arrange(anew ? [] : this.order, hand);
    const kept = anew && hand.length > 0 ? this.memory.load(this.deal) : null;
    if (kept) {
      ordered = inKeptOrder(kept.cards, hand);
      this.sortBy = kept.by;
    } else if (anew || this.host.autoSort()) ordered = sorted(ordered, this.sortBy);
    this.reorder(ordered);
  }

  private reorder(ordered: readonly Keyed[]): void {
    this.order = ordered.map((one) => one.key);
    if (ordered.length > 0)
      this.memory.save(
        this.deal,
        ordered.map((one) => one.card),
        this.sortBy,
      );
  }

  // The hand.

  /** Select a card, or no longer; while cards are being moved it is the card before which they go. */
  toggle(key: string): void {
    if (this.state.moving) return this.place(key);
    const selected = new Set(this.state.selected);
    if (!selected.delete(key)) selected.add(key);
    this.select(selected);
  }

  select(keys: Iterable<string>): void {
    this.set({ selected: only(new Set(keys), this.state.hand) });
    this.aim();
  }

  /** Select one more card, also while cards are being moved. */
  extend(key: string): void {
    const selected = new Set(this.state.selected);
    if (!this.state.moving && selected.delete(key)) return this.select(selected);
    this.select(selected.add(key));
  }

  /** Leave off moving; if nothing was being moved, select nothing and close what is said. What is held back is not done. */
  clear(): void {
    this.next = null;
    if (this.state.moving) return this.set({ moving: false });
    this.set({ choices: null, notice: null, hint: null });
    this.select([]);
  }

  /** Sort by suit, and by rank if it is so already. */
  sort(): void {
    if (this.state.sortedBy === this.sortBy) this.sortBy = this.sortBy === "suit" ? "rank" : "suit";
    this.arranged(sorted(this.ordered(), this.sortBy));
  }

  /** What the next `sort` sorts by. */
  get nextSort(): SortBy {
    if (this.state.sortedBy !== this.sortBy) return this.sortBy;
    return this.sortBy === "suit" ? "rank" : "suit";
  }

  /** Move cards within the hand, the first of them to an index among the others. */
  moveTo(keys: Iterable<string>, index: number): void {
    this.arranged(moved(this.ordered(), new Set(keys), index));
  }

  /** Begin to move the selected cards by taps, or leave it off. */
  toggleMoving(): void {
    this.set({ moving: !this.state.moving });
  }

  /** Put the selected cards before one of the hand, or with null at its end. */
  place(before: string | null): void {
    const { selected } = this.state;
    this.set({ moving: false });
    this.moveTo(selected, indexBefore(this.ordered(), selected, before));
  }

  private ordered(): readonly Keyed[] {
    return arrange(this.order, this.state.zones.get("hand") ?? []);
  }

  private arranged(ordered: readonly Keyed[]): void {
    if (ordered.every((one, index) => one.key === this.order[index])) return this.set({});
    this.host.before(NO_JOURNEYS);
    this.reorder(ordered);
    this.set({});
    this.host.after();
  }

  // Dragging.

  /** The cards that travel with a dragged one: the selection if it is selected, else itself. */
  group(key: string): readonly string[] {
    const { selected, hand } = this.state;
    return selected.has(key) ? hand.filter((one) => selected.has(one.key)).map((one) => one.key) : [key];
  }

  dragStart(keys: readonly string[]): void {
    this.set({ dragged: new Set(keys), moving: false });
    this.aim();
  }

  dragCancel(): void {
    this.host.before(NO_JOURNEYS);
    this.set({ dragged: new Set() });
    this.host.after();
    this.aim();
  }

  /** Let cards go over a zone; over the hand the first of them comes to stand at an index among the others. */
  drop(zone: string, keys: readonly string[], index: number | null = null): void {
    this.host.before(NO_JOURNEYS);
    if (zone === "hand" && index !== null) this.reorder(moved(this.ordered(), new Set(keys), index));
    this.set({ dragged: new Set() });
    this.host.after();
    if (zone === "pile") this.discard(keys);
    else if (meldOf(zone) !== undefined) void this.lay(zone as Zone, keys);
    this.aim();
  }

  // Where cards may go.

  /** The cards that are about to go somewhere. */
  private held(): readonly Keyed[] {
    const { dragged, selected, hand } = this.state;
    const keys = dragged.size > 0 ? dragged : selected;
    return hand.filter((one) => keys.has(one.key));
  }

  /** Find out which places would take the held cards. */
  private aim(): void {
    const view = this.store.get().view;
    const legal = view?.legal;
    const held = this.held();
    const [first] = held;
    if (!view || !legal || !first || this.state.acting) {
      this.probes.want(null);
      this.set({ can: new Set(), answers: new Map() });
      return;
    }
    const faces = new Set(held.map((one) => one.card));
    const melds = new Set(legal.adds.filter((add) => faces.has(add.card)).map((add) => add.meld));
    if (held.length === 1) {
      const can = new Set([...melds].map((meld) => `meld-${meld}`));
      if (legal.discards.some((one) => one.card === first.card)) can.add("pile");
      this.probes.want(null);
      this.set({ can, answers: new Map() });
      return;
    }
    this.set({ can: new Set(), answers: new Map() });
    // Several cards are added one after the other, so one of them can be added to the meld as it lies.
    const asked = [...(legal.melds > 0 ? [null] : []), ...melds];
    const state = `${this.deal}.${view.state_number}`;
    this.probes.want({ state, cards: held.map((one) => one.card), melds: asked });
  }

  private answered(answers: Answers): void {
    const can = new Set<string>();
    for (const [meld, answer] of answers) {
      if (answer.options.some((option) => option.legal)) can.add(meld === null ? "new-meld" : `meld-${meld}`);
    }
    this.set({ answers, can });
  }

  // Commands. Each first shows all that waits to be shown, so that it is about what really lies there.

  draw(): void {
    void this.command("draw", (view) => (view.legal?.draw ? this.act(DRAW) : this.why(DRAW)));
  }

  /** Take the pile; `sure` where the player has just seen all of it. */
  takePile(sure = false): void {
    void this.command("pile", (view) => {
      if (!view.legal?.pile) return this.why(TAKE_PILE);
      if (sure || view.pile_count < PILE_LARGE) return this.act(TAKE_PILE);
      return this.confirm({ kind: "pile", count: view.pile_count, card: "" }, () => this.act(TAKE_PILE));
    });
  }

  keep(): void {
    void this.command("keep", (view) => (view.legal?.keep ? this.act(KEEP) : this.why(KEEP)));
  }

  reject(): void {
    void this.command("reject", (view) => (view.legal?.reject ? this.act(REJECT) : this.why(REJECT)));
  }

  /** Discard one card, by default the selected one. */
  discard(keys: Iterable<string> = this.state.selected): void {
    const wanted = [...keys];
    void this.command(`discard ${wanted.join()}`, (view) => {
      const cards = this.state.hand.filter((one) => wanted.includes(one.key));
      const [one] = cards;
      if (!one || cards.length > 1) return this.say("web.table.say.select_one");
      const option = view.legal?.discards.find((discard) => discard.card === one.card);
      if (!option) return this.why(discardAction(one.card));
      const go = (): Promise<void> =>
        this.perform([option.action], { zone: "pile", keys: new Set([one.key]), words: [], kind: "run" });
      if (option.ends_deal) return this.confirm({ kind: "out", count: 1, card: one.card }, go);
      return this.host.confirmDiscards() ? this.confirm({ kind: "discard", count: 1, card: one.card }, go) : go();
    });
  }

  /** Lay cards as a new meld, or add them to one of the own melds; by default the selected ones. */
  lay(zone: Zone, keys: Iterable<string> = this.state.selected): Promise<void> {
    const wanted = new Set(keys);
    return this.command(`${zone} ${[...wanted].join()}`, async (view) => {
      const held = this.state.hand.filter((one) => wanted.has(one.key));
      if (held.length === 0) return this.say("web.table.say.select_cards");
      const number = view.state_number;
      const reply = await this.store.ask("probe", { cards: held.map((one) => one.card), meld: meldOf(zone) ?? null });
      const result = reply.type === "ack" && reply.result?.result === "probe" ? reply.result : null;
      const now = this.store.get().view?.state_number;
      if (result === null || (now !== number && !result.options.some((one) => one.legal))) {
        return this.refused(reply, now !== number);
      }
      return this.chosenOf(
        result,
        zone,
        held.map((one) => one.key),
      );
    });
  }

  /** The player chose one of several ways. */
  choose(option: ProbeOption): void {
    const { choices } = this.state;
    if (!choices) return;
    this.set({ choices: null });
    void this.command("choose", () => this.layAs(option, choices.zone, choices.keys));
  }

  undo(all = false): void {
    void this.command("undo", async (view) => {
      if (view.can_undo === 0) return this.say("web.table.say.nothing_to_undo");
      const reply = await this.store.ask("undo", { count: all ? null : 1 });
      if (reply.type === "refused") this.refused(reply);
    });
  }

  askHint(): void {
    void this.command("hint", async ({ state_number }) => {
      const reply = await this.store.ask("hint");
      if (reply.type === "refused") return this.refused(reply);
      // What it advises may be over: a bot played meanwhile for someone who took too long.
      const same = this.store.get().view?.state_number === state_number;
      if (same && reply.result?.result === "hint") this.set({ hint: reply.result });
    });
  }

  /** Do what the hint says. */
  followHint(): void {
    const { hint } = this.state;
    if (!hint) return;
    this.set({ hint: null });
    void this.command("advice", () => this.act(hint.action));
  }

  /** Say why an action would be refused. */
  explain(action: number): void {
    void this.command(`why ${action}`, () => this.why(action));
  }

  answer(yes: boolean): void {
    const { wanted } = this;
    this.wanted = null;
    this.set({ question: null });
    if (yes && wanted) wanted();
  }

  closeNotice(): void {
    this.set({ notice: null });
  }

  closeHint(): void {
    this.set({ hint: null });
  }

  closeChoices(): void {
    this.set({ choices: null });
  }

  /** Tell the player something by the key of its text. */
  say(key: string): void {
    this.tell({ ...UNCITED, text: this.host.text(key) });
  }

  /** Run a command, or hold it back while another is under way: a hasty one is not lost, the same one twice is one. */
  private async command(name: string, run: Command): Promise<void> {
    this.store.flush();
    const { view, line, lineText } = this.store.get();
    // What does not come back by itself tells the way out.
    if (line === "elsewhere" || line === "ended") return this.tell({ ...UNCITED, text: lineText });
    if (line !== "open") return this.say("web.table.say.no_line");
    if (!view || view.seat === null) return;
    if (this.state.acting) {
      if (name !== this.running) this.next = { name, run };
      return;
    }
    if (!view.legal)
      return this.say(view.end_kind === "none" ? "web.table.say.not_your_turn" : "web.table.say.deal_over");
    this.running = name;
    this.set({ acting: true, notice: null, moving: false });
    this.aim();
    try {
      await run(view);
    } finally {
      this.set({ acting: false });
      this.aim();
      this.goOn();
    }
  }

  /** Run what was held back, unless something else came of the command before: a refusal, a question, the end. */
  private goOn(): void {
    const { next } = this;
    this.next = null;
    const { notice, choices, question } = this.state;
    if (!next || notice || choices || question || !this.store.get().view?.legal) return;
    void this.command(next.name, next.run);
  }

  private act(action: number): Promise<void> {
    return this.perform([action], null);
  }

  /** Take actions in order. If one is refused, those before it are taken back, and the picture is as it was. */
  private async perform(actions: readonly number[], sending: Sending | null): Promise<void> {
    if (sending) this.send(sending);
    let taken = 0;
    for (const action of actions) {
      const reply = await this.store.ask("act", { action });
      if (reply.type === "refused") {
        if (taken > 0) await this.store.ask("undo", { count: taken });
        this.send(null);
        return this.refused(reply);
      }
      taken += 1;
      await this.reached(reply.version);
    }
    this.send(null);
    this.select([...this.state.selected].filter((key) => !sending?.keys.has(key)));
  }

  /** Wait until a version is shown: its update comes right after its reply. */
  private reached(version: number): Promise<void> {
    return new Promise((resolve) => {
      let stop: (() => void) | null = null;
      let done = false;
      stop = this.store.subscribe(({ version: shown, line }) => {
        if (done || (shown < version && line !== "ended" && line !== "elsewhere")) return;
        done = true;
        stop?.();
        resolve();
      });
      if (done) stop();
    });
  }

  private send(sending: Sending | null): void {
    if (this.state.sending === sending) return;
    this.host.before(NO_JOURNEYS);
    this.set({ sending });
    this.host.after();
  }

  private chosenOf(result: ProbeResult, zone: Zone, keys: readonly string[]): Promise<void> | void {
    const legal = result.options.filter((option) => option.legal);
    const [only] = legal;
    if (!only) {
      return this.tell(result.options[0] ?? result);
    }
    if (legal.length === 1) return this.layAs(only, zone, keys);
    this.set({ choices: { zone, keys, options: legal } });
  }

  private layAs(option: ProbeOption, zone: Zone, keys: readonly string[]): Promise<void> | void {
    const sending: Sending = { zone, keys: new Set(keys), words: option.words, kind: option.kind };
    const go = (): Promise<void> => this.perform(option.actions, sending);
    if (option.ends_deal) {
      return this.confirm({ kind: "out", count: keys.length, card: "" }, go);
    }
    return go();
  }

  private confirm(question: Question, run: () => Promise<void>): void {
    this.wanted = () => void this.command("sure", run);
    this.set({ question });
  }

  private async why(action: number): Promise<void> {
    const reply = await this.store.ask("why", { action });
    if (reply.type === "refused") this.refused(reply);
    else if (reply.result?.result === "why" && !reply.result.legal) this.tell(reply.result);
  }

  private refused(reply: Reply, changed = false): void {
    if (changed || (reply.type === "refused" && reply.code === "stale_version")) this.say("web.table.say.changed");
    else if (reply.type === "refused") this.tell(reply);
  }

  private tell({ text, citation, rule }: Omit<Notice, "key">): void {
    if (!text) return;
    this.notices += 1;
    this.set({ notice: { key: this.notices, text, citation, rule } });
  }

  private set(change: Partial<DeskState>): void {
    const state = { ...this.state, ...change };
    const all = arrange(this.order, state.zones.get("hand") ?? []);
    const hand = state.sending ? all.filter((one) => !state.sending?.keys.has(one.key)) : all;
    const bySort = sorted(all, this.sortBy).every((one, index) => one.key === all[index]?.key);
    const moving = state.moving && state.selected.size > 0;
    this.state = { ...state, hand, moving, sortedBy: bySort ? this.sortBy : null };
    for (const run of this.listeners) run(this.state);
  }
}

function only(keys: ReadonlySet<string>, hand: readonly Keyed[]): ReadonlySet<string> {
  const held = new Set(hand.map((one) => one.key));
  return new Set([...keys].filter((key) => held.has(key)));
}

function turnOf(picture: Picture): number | null {
  return picture.view?.turn_seat ?? null;
}

/** After a snapshot the last discard is the last move, as long as nobody has acted since. */
function beginning(view: View | null, zones: Zones): LastMove {
  const seat = view?.pile.at(-1)?.seat ?? null;
  const top = zones.get("pile")?.at(-1);
  if (!view || seat === null || !top || view.phase !== "draw") return NO_MOVE;
  return { seat, keys: new Set([top.key]) };
}
