import { describe, expect, it } from "vitest";
import { commandOf, writes } from "./keys";

interface Shortcut {
  readonly name: string;
  readonly keys: readonly (readonly string[])[];
}

const press = (key: string, more: Partial<KeyboardEvent> = {}): Parameters<typeof commandOf>[0] => ({
  key,
  code: "",
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

describe("keys", () => {
  it.each([
    ["d", "draw"],
    ["P", "pile"],
    ["s", "sort"],
    ["m", "lay"],
    ["x", "discard"],
    ["u", "undo"],
    ["k", "keep"],
    ["r", "reject"],
    ["h", "hint"],
    ["c", "chat"],
    ["?", "shortcuts"],
    ["Escape", "clear"],
    ["1", "meld-1"],
    ["9", "meld-9"],
  ])("%s: %s", (key, command) => {
    expect(commandOf(press(key))).toBe(command);
  });

  it("take everything back with shift", () => {
    expect(commandOf(press("U", { shiftKey: true }))).toBe("undo-all");
  });

  it("work where the keyboard writes other letters", () => {
    expect(commandOf(press("в", { code: "KeyD" }))).toBe("draw");
  });

  it.each(["0", "Tab", "Enter", "F5", "ArrowLeft", "ß", "q"])("%s is no command", (key) => {
    expect(commandOf(press(key))).toBeNull();
  });

  it.each(["ctrlKey", "metaKey", "altKey"])("belong to the browser with %s", (held) => {
    expect(commandOf(press("d", { [held]: true }))).toBeNull();
  });

  it("act once, however long a key is held", () => {
    expect(commandOf({ ...press("d"), key: "d", code: "KeyD", repeat: true })).toBeNull();
  });

  it("are letters in a field", () => {
    document.body.innerHTML = "<input /><button></button><div contenteditable='true'><b></b></div>";
    const found = (query: string): Element | null => document.querySelector(query);
    expect([writes(found("input")), writes(found("b")), writes(found("button"))]).toEqual([true, true, false]);
  });

  it("do what the list of shortcuts says", async () => {
    const { SHORTCUTS } = (await import("../panels/Shortcuts.svelte")) as unknown as { SHORTCUTS: readonly Shortcut[] };
    const names: Readonly<Record<string, string>> = { meld: "lay", undo_all: "undo-all", list: "shortcuts" };
    const single = SHORTCUTS.filter(({ keys }) => /^[A-Z?]$/.test(keys[0]?.[0] ?? "") && keys[0]?.length === 1);
    expect(single.length).toBeGreaterThan(9);
    for (const { name, keys } of single) {
      expect(commandOf(press((keys[0]?.[0] ?? "").toLowerCase()))).toBe(names[name] ?? name);
    }
  });
});
