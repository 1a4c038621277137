// What the player's side of the table holds at a moment, and what it needs of the page.
import type { HintResult, ProbeOption, RulePlace } from "../protocol";
import type { HandMemory, SortBy } from "./hand";
import type { Keyed, Zones } from "./identity";
import type { Answers } from "./probes";
import type { Sending, Zone, journeysOf } from "./scene";

export interface Notice {
  readonly key: number;
  readonly text: string;
  /** The rule that says so, or empty, and where it is written. */
  readonly citation: string;
  readonly rule: RulePlace | null;
}

/** Cards may lie in several ways: the player says which. */
interface Choices {
  readonly zone: Zone;
  readonly keys: readonly string[];
  readonly options: readonly ProbeOption[];
}

/** Something costly is asked for: the player confirms it. */
export interface Question {
  readonly kind: "pile" | "discard" | "out";
  readonly count: number;
  readonly card: string;
}

export interface DeskState {
  readonly zones: Zones;
  /** The own hand in the player's order, without the cards that are on their way. */
  readonly hand: readonly Keyed[];
  readonly selected: ReadonlySet<string>;
  /** The next card that is tapped is the one before which the selected cards go. */
  readonly moving: boolean;
  readonly fresh: ReadonlySet<string>;
  readonly last: ReadonlySet<string>;
  /** Zones that would take the selected or dragged cards. */
  readonly can: ReadonlySet<string>;
  /** What the server said of the selection. */
  readonly answers: Answers;
  readonly dragged: ReadonlySet<string>;
  readonly sending: Sending | null;
  readonly choices: Choices | null;
  readonly question: Question | null;
  readonly notice: Notice | null;
  readonly hint: HintResult | null;
  readonly sortedBy: SortBy | null;
  /** A command is on its way. */
  readonly acting: boolean;
}

/** What a desk needs of the page. */
export interface DeskHost {
  readonly storage: ConstructorParameters<typeof HandMemory>[0];
  text(key: string): string;
  autoSort(): boolean;
  confirmDiscards(): boolean;
  /** Called right before and right after cards change places. */
  before(journeys: ReturnType<typeof journeysOf>): void;
  after(): void;
  /** The table changed under a drag in such a way that it cannot go on. */
  stopDrag(): void;
}

export const EMPTY: DeskState = {
  zones: new Map(),
  hand: [],
  selected: new Set(),
  moving: false,
  fresh: new Set(),
  last: new Set(),
  can: new Set(),
  answers: new Map(),
  dragged: new Set(),
  sending: null,
  choices: null,
  question: null,
  notice: null,
  hint: null,
  sortedBy: null,
  acting: false,
};
