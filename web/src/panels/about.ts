// A table in words: its options, and what happens when somebody is away.
import { number, t } from "../core/i18n";
import { ruleNumber } from "../core/rule-fields";
import type { TableState } from "../protocol";
import { levelName } from "./names";
import { durationText } from "./words";

export interface OptionRow {
  readonly key: string;
  readonly label: string;
  readonly value: string;
}

const option = (key: string, values: Readonly<Record<string, string | number>> = {}): string =>
  t(`web.panel.option.${key}`, values);

function clockText(table: TableState): string {
  const { kind, turn_ms = 0, bank_ms = 0, increment_ms = 0 } = table.clock;
  if (kind === "turn") return option("clock_turn", { time: durationText(turn_ms) });
  if (kind === "bank") {
    return option("clock_bank", { time: durationText(bank_ms), extra: durationText(increment_ms) });
  }
  return option("clock_none");
}

function spectatorsText(table: TableState): string {
  if (!table.spectators) return option("spectators_off");
  if (table.open_hands) return option("spectators_open", { time: durationText(table.spectator_delay_ms) });
  if (table.spectator_delay_ms > 0) return option("spectators_late", { time: durationText(table.spectator_delay_ms) });
  return option("spectators_on");
}

/** The options of a table, a line each. */
export function optionRows(table: TableState): readonly OptionRow[] {
  const target = ruleNumber(table, "target_points");
  const deals = ruleNumber(table, "deal_count");
  const level = levelName(table.bot_level);
  const hints = table.hints === null ? "hints_bots" : table.hints ? "hints_on" : "hints_off";
  const chat = !table.chat ? "chat_off" : table.spectators && table.spectator_chat ? "chat_all" : "chat_on";
  const values: Readonly<Record<string, string>> = {
    rules: table.rules_title,
    players: option(table.players === 2 ? "players_2" : "players_4"),
    target: target > 0 ? option("target_points", { n: target }) : option("target_none"),
    deals: deals > 0 ? number(deals) : option("deals_free"),
    clock: clockText(table),
    bots: option(table.fill_with_bots ? "bots_fill" : "bots_away", { level }),
    undo: option(table.undo ? "undo_on" : "undo_off"),
    hints: option(hints),
    chat: option(chat),
    spectators: spectatorsText(table),
    public: option(table.public ? "public_on" : "public_off"),
    code: table.code,
  };
  return Object.entries(values)
    .filter(([key]) => key !== "deals" || deals > 0)
    .map(([key, value]) => ({ key, label: option(key), value }));
}

/** The disconnection contract of a table, a sentence each. */
export function contractTexts(table: TableState): readonly string[] {
  const contract = (key: string, values: Readonly<Record<string, string | number>> = {}): string =>
    t(`web.panel.contract.${key}`, values);
  const clock = table.clock.kind !== undefined && table.clock.kind !== "none";
  return [
    contract("away", { time: durationText(table.away_ms), level: levelName(table.bot_level) }),
    ...(clock ? [contract("clock"), contract("timeouts", { n: table.timeouts_max }), contract("time_up")] : []),
    contract("leave"),
    contract("forfeit", { time: durationText(table.forfeit_ms) }),
    contract("all_away"),
    contract("next", { time: durationText(table.next_deal_ms) }),
    contract("once"),
  ];
}
