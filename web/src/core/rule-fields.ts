// Fields of the rules of a table, as the table shows them to read; what follows from them the server says.
import type { TableState } from "../protocol";

/** A field of the rules that is a whole number, 0 where it is none. */
export function ruleNumber(table: Pick<TableState, "rules">, field: string): number {
  const value = table.rules[field];
  return typeof value === "number" ? value : 0;
}
