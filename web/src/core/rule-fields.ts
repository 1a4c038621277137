// Fields of the rules of a table, as the table shows them to read; what follows from them the server says.
import type { TableState } from "../protocol";

/** A field of the rules that is a whole number, 0 where it is none. */
export function ruleNumber(table: Pick<TableState, "rules">, field: string): number {
  const value = table.rules[field];
  return typeof value === "number" ? value : 0;
}

/** A field of the rules that is a text, empty where it is none. */
export function ruleText(table: Pick<TableState, "rules">, field: string): string {
  const value = table.rules[field];
  return typeof value === "string" ? value : "";
}
