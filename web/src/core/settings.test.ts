import { describe, expect, it } from "vitest";
import { createSettings, DEFAULTS, presetLetters, readSettings, SETTINGS_KEY } from "./settings";

function memory(kept: Record<string, string> = {}): Pick<Storage, "getItem" | "setItem"> & { kept: typeof kept } {
  return { kept, getItem: (key) => kept[key] ?? null, setItem: (key, value) => void (kept[key] = value) };
}

describe("settings", () => {
  it("are the defaults at first", () => {
    expect(createSettings(memory()).get()).toEqual(DEFAULTS);
  });

  it("survive a reload", () => {
    const storage = memory();
    createSettings(storage).set({ pace: "fast", volume: 0.25, playNow: { rules: "x", players: 2, level: "y" } });
    expect(createSettings(storage).get()).toEqual({
      ...DEFAULTS,
      pace: "fast",
      volume: 0.25,
      playNow: { rules: "x", players: 2, level: "y" },
    });
  });

  it("work without a storage, and with one that refuses", () => {
    const refusing = {
      getItem: (): string => {
        throw new Error("denied");
      },
      setItem: (): void => {
        throw new Error("full");
      },
    };
    for (const storage of [undefined, refusing]) {
      const settings = createSettings(storage);
      settings.set({ sound: false });
      expect(settings.get().sound).toBe(false);
    }
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "7"],
    ["null", "null"],
    ["values of the wrong kind", '{"pace": "warp", "volume": 7, "sound": "yes", "playNow": {"players": 3}}'],
    ["names that are none", '{"constructor": 1, "toString": 2, "__proto__": {"sound": false}}'],
  ])("read %s as the defaults", (_, text) => {
    expect(readSettings(text)).toEqual(DEFAULTS);
  });

  it("keep what makes sense beside what makes none", () => {
    expect(readSettings('{"pace": "warp", "theme": "light"}')).toEqual({ ...DEFAULTS, theme: "light" });
  });

  it("tell who listens, until they do no more", () => {
    const settings = createSettings(undefined);
    const heard: string[] = [];
    const stop = settings.subscribe((now) => heard.push(now.theme));
    settings.set({ theme: "light" });
    stop();
    settings.set({ theme: "system" });
    expect(heard).toEqual(["dark", "light"]);
  });

  it("are kept under one key", () => {
    const storage = memory();
    createSettings(storage).set({ sound: false });
    expect(Object.keys(storage.kept)).toEqual([SETTINGS_KEY]);
  });
});

describe("index letters", () => {
  it("go with the language where its players have their own", () => {
    expect(["en", "pt-BR", "it", "es", "ru", "bg"].map(presetLetters)).toEqual([
      "int",
      "int",
      "int",
      "int",
      "ru",
      "int",
    ]);
  });
});
