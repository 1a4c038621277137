// What the panels are given: parts of the picture of the table, and a way to ask the server for something.
export type { LogEntry, Picture } from "../core/table-store";
export type { Ask, Reply } from "../core/socket";

export type Side = 0 | 1;

/** What the menu and the table can open. */
export type Sheet =
  | "about"
  | "chat"
  | "home"
  | "invite"
  | "log"
  | "match"
  | "pile"
  | "report"
  | "rules"
  | "score"
  | "settings"
  | "shortcuts"
  | "text";
