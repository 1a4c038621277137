// Which key does what at the table.

export type Command =
  | "draw"
  | "pile"
  | "sort"
  | "lay"
  | "discard"
  | "undo"
  | "undo-all"
  | "keep"
  | "reject"
  | "hint"
  | "chat"
  | "shortcuts"
  | "clear"
  | `meld-${number}`;

const COMMANDS: Readonly<Record<string, Command>> = {
  d: "draw",
  p: "pile",
  s: "sort",
  m: "lay",
  x: "discard",
  u: "undo",
  k: "keep",
  r: "reject",
  h: "hint",
  c: "chat",
};

/** Where a key is a letter that is being written, it is no command. */
export function writes(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable='true']") !== null;
}

/** The command of a key, null for none. `code` is asked too, so that the keys work on every keyboard's letters. */
export function commandOf(
  event: Pick<KeyboardEvent, "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey"> &
    Partial<Pick<KeyboardEvent, "repeat">>,
): Command | null {
  // A key that is held is pressed once: each command is meant for what lies there when it is pressed.
  if (event.repeat) return null;
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === "?") return "shortcuts";
  if (event.key === "Escape") return "clear";
  if (/^[1-9]$/.test(event.key)) return `meld-${Number(event.key)}`;
  const latin = /^[a-z]$/i.test(event.key)
    ? event.key.toLowerCase()
    : /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase();
  const command = COMMANDS[latin ?? ""] ?? null;
  return command === "undo" && event.shiftKey ? "undo-all" : command;
}
