// The form by which a table is made, and the options that come of it.
import { OPEN_HANDS_DELAY_MS, type ClockOptions, type TableOptions } from "../protocol";

type TargetKind = "rules" | "points" | "deals";
type HintsKind = "auto" | "on" | "off";

export interface TableForm {
  /** The name of a rule set; empty for house rules. */
  rules: string;
  /** House rules as TOML, or as JSON where the text begins with a brace. */
  house: string;
  players: 2 | 4;
  target: TargetKind;
  targetPoints: number;
  dealCount: number;
  clock: "none" | "turn" | "bank";
  /** In seconds. */
  turnTime: number;
  bankTime: number;
  increment: number;
  level: string;
  fillWithBots: boolean;
  isPublic: boolean;
  spectators: boolean;
  /** In seconds. */
  spectatorDelay: number;
  spectatorChat: boolean;
  openHands: boolean;
  chat: boolean;
  undo: boolean;
  hints: HintsKind;
}

/** How much later spectators who see the hands see them at least, in seconds. */
export const OPEN_HANDS_DELAY = OPEN_HANDS_DELAY_MS / 1000;

export function newTableForm(rules: string, level: string): TableForm {
  return {
    rules,
    house: "",
    players: 4,
    target: "rules",
    targetPoints: 3000,
    dealCount: 1,
    clock: "none",
    turnTime: 60,
    bankTime: 300,
    increment: 10,
    level,
    fillWithBots: true,
    isPublic: false,
    spectators: true,
    spectatorDelay: 0,
    spectatorChat: false,
    openHands: false,
    chat: true,
    undo: true,
    hints: "auto",
  };
}

function clockOf(form: TableForm): ClockOptions {
  if (form.clock === "turn") return { kind: "turn", turn_ms: form.turnTime * 1000 };
  if (form.clock === "bank")
    return { kind: "bank", bank_ms: form.bankTime * 1000, increment_ms: form.increment * 1000 };
  return { kind: "none" };
}

/** Whether pasted house rules are JSON; else they are TOML. */
export function isJson(text: string): boolean {
  return text.trimStart().startsWith("{");
}

function rulesOf(form: TableForm): Pick<TableOptions, "rules" | "rules_toml"> {
  if (form.rules !== "") return { rules: form.rules };
  if (!isJson(form.house)) return { rules_toml: form.house };
  // What is no JSON after all goes as TOML: the server then says where it breaks.
  try {
    return { rules: JSON.parse(form.house) as Readonly<Record<string, unknown>> };
  } catch {
    return { rules_toml: form.house };
  }
}

/** The options of the table that the form describes. */
export function optionsOf(form: TableForm): TableOptions {
  return {
    ...rulesOf(form),
    players: form.players,
    ...(form.target === "points" ? { target_points: form.targetPoints } : {}),
    ...(form.target === "deals" ? { deal_count: form.dealCount, target_points: 0 } : {}),
    clock: clockOf(form),
    bot_level: form.level,
    fill_with_bots: form.fillWithBots,
    public: form.isPublic,
    spectators: form.spectators,
    spectator_delay_ms: form.spectators ? form.spectatorDelay * 1000 : 0,
    spectator_chat: form.spectators && form.chat && form.spectatorChat,
    open_hands: form.spectators && form.openHands,
    chat: form.chat,
    undo: form.undo,
    hints: form.hints === "auto" ? null : form.hints === "on",
  };
}
