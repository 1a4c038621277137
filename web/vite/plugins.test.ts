import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "vite";
import { describe, expect, it } from "vitest";
import { begins, credits, installs, over, packageOf, part, publish, published, wordsOf } from "./plugins";

describe("a catalogue over the English one", () => {
  it("keeps English where it lacks a text, and takes plural forms whole", () => {
    const base = { web: { a: "a", n: { one: "{n} x", other: "{n} xs" } } };
    const top = { web: { n: { few: "{n} y", other: "{n} ys" } } };
    expect(over(base, top)).toEqual({ web: { a: "a", n: { few: "{n} y", other: "{n} ys" } } });
  });
});

describe("the words of a language", () => {
  it("are the sections that the page shows and no others", () => {
    const folder = mkdtempSync(join(tmpdir(), "buraco-texts-"));
    writeFileSync(join(folder, "en.json"), JSON.stringify({ web: { a: "a", b: "b" }, code: { x: "y" } }));
    writeFileSync(join(folder, "it.json"), JSON.stringify({ web: { a: "á" } }));
    expect(wordsOf(folder, "it")).toEqual({ web: { a: "á", b: "b" } });
    expect(wordsOf(folder, "bg")).toEqual({ web: { a: "a", b: "b" } });
  });
});

describe("the words of home and table", () => {
  it("and those of later pages are the whole, each once", () => {
    const words = {
      suit: { c: "Clubs" },
      shuffle: { x: "y" },
      web: { word: { home: "Home" }, replay: { title: "Replay" } },
    };
    expect(part(words, false)).toEqual({ suit: { c: "Clubs" }, web: { word: { home: "Home" } } });
    expect(part(words, true)).toEqual({ shuffle: { x: "y" }, web: { replay: { title: "Replay" } } });
  });
});

describe("a built page", () => {
  function folderOf(...names: readonly string[]): string {
    const folder = mkdtempSync(join(tmpdir(), "buraco-page-"));
    mkdirSync(join(folder, "assets"));
    for (const name of names) writeFileSync(join(folder, name), `${name} of ${names.length}`);
    return folder;
  }
  const namesIn = (folder: string): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: "utf-8" }).sort();

  it("comes after all that it needs, and what the old one needed goes last", async () => {
    const to = folderOf("index.html", "assets/old.js", "icon.svg");
    const from = folderOf("index.html", "index.html.gz", "assets/new.js", "icon.svg");
    const seen: (readonly string[])[] = [];
    await publish(from, to, async (old, name) => {
      seen.push(namesIn(to));
      await rename(old, name);
    });
    expect(seen.every((names) => names.includes("index.html") && names.includes("assets/old.js"))).toBe(true);
    expect(seen.at(-2)).toContain("assets/new.js");
    expect(namesIn(to)).toEqual(["assets", "assets/new.js", "icon.svg", "index.html", "index.html.gz"]);
    expect(readFileSync(join(to, "index.html"), "utf-8")).toBe("index.html of 4");
  });

  async function builtFrom(
    script: string,
    to = folderOf("index.html", "assets/old.js"),
    other: Plugin | null = null,
  ): Promise<{ built: string; to: string; failed: boolean }> {
    const root = mkdtempSync(join(tmpdir(), "buraco-build-"));
    const built = join(root, "built");
    mkdirSync(join(root, "public"));
    writeFileSync(join(root, "public", "icon.svg"), "<svg/>");
    writeFileSync(join(root, "index.html"), '<script type="module" src="/main.js"></script>');
    writeFileSync(join(root, "main.js"), script);
    const options = { outDir: built, emptyOutDir: true };
    const done = build({
      root,
      configFile: false,
      logLevel: "silent",
      build: options,
      plugins: [published(to), other],
    });
    const failed = await done.then(
      () => false,
      () => true,
    );
    return { built, to, failed };
  }

  it("takes the place of the old one", async () => {
    const { built, to, failed } = await builtFrom("document.title = 'a';");
    expect([failed, existsSync(built)]).toEqual([false, false]);
    expect(namesIn(to)).toContain("icon.svg");
    expect(namesIn(to)).not.toContain("assets/old.js");
    expect(readFileSync(join(to, "index.html"), "utf-8")).toContain("/assets/index-");
  });

  it.each([
    ["while it is read", "this is no script", {}],
    ["while it is written", "document.title = 'a';", { generateBundle: () => Promise.reject(new Error("no")) }],
  ])("that fails %s leaves the old one, and nothing behind", async (_, script, hooks) => {
    const { built, to, failed } = await builtFrom(script, undefined, { name: "fails", ...hooks });
    expect([failed, existsSync(built)]).toEqual([true, false]);
    expect(namesIn(to)).toEqual(["assets", "assets/old.js", "index.html"]);
  });

  it("that cannot be moved leaves the old one, and nothing behind", async () => {
    const blocked = mkdtempSync(join(tmpdir(), "buraco-page-"));
    for (const name of ["assets", "index.html"]) writeFileSync(join(blocked, name), "old");
    const { built, to, failed } = await builtFrom("document.title = 'a';", blocked);
    expect([failed, existsSync(built)]).toEqual([true, false]);
    expect(readFileSync(join(to, "index.html"), "utf-8")).toBe("old");
  });
});

describe("what begins before the page", () => {
  async function pageOf(first: string): Promise<string> {
    const root = mkdtempSync(join(tmpdir(), "buraco-begins-"));
    const files = {
      "index.html": '<html><head></head><body><script type="module" src="/main.js"></script></body></html>',
      "main.js": 'import { one } from "./first.js"; import { two } from "./other.js"; document.title = one + two;',
      "first.js": first,
      "other.js": "export const two = String(Math.random());",
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
    const groups = [
      { name: "first", test: /first\.js/ },
      { name: "other", test: /other\.js/, priority: 1 },
    ];
    await build({
      root,
      configFile: false,
      logLevel: "silent",
      build: { outDir: "built", modulePreload: false, rolldownOptions: { output: { codeSplitting: { groups } } } },
      plugins: [begins(join(root, "first.js"))],
    });
    return readFileSync(join(root, "built", "index.html"), "utf-8");
  }

  it("is a script of its own, and what the page needs beside it is asked for at once", async () => {
    const page = await pageOf("export const one = String(Date.now());");
    expect(page).toMatch(/<script type="module" async crossorigin src="\/assets\/first-[^"]+"><\/script>/);
    expect(page).toMatch(/<link rel="modulepreload" crossorigin href="\/assets\/other-[^"]+">/);
    expect(page).not.toMatch(/modulepreload[^>]*first/);
  });

  it("may wait for nothing else", async () => {
    await expect(pageOf('import { two } from "./other.js"; export const one = two;')).rejects.toThrow("waits for");
  });
});

describe("the service worker", () => {
  async function workerOf(script: string, page = "document.title = 'a';"): Promise<string> {
    const root = mkdtempSync(join(tmpdir(), "buraco-worker-"));
    writeFileSync(join(root, "index.html"), '<script type="module" src="/main.js"></script>');
    writeFileSync(join(root, "main.js"), page);
    writeFileSync(join(root, "worker.js"), script);
    writeFileSync(join(root, "other.js"), "export const other = String(Math.random());");
    const codeSplitting = { groups: [{ name: "other", test: /other\.js/ }] };
    await build({
      root,
      configFile: false,
      logLevel: "silent",
      build: { outDir: "built", rolldownOptions: { output: { codeSplitting } } },
      plugins: [installs(join(root, "worker.js"))],
    });
    return readFileSync(join(root, "built", "sw.js"), "utf-8");
  }
  const SCRIPT = "self.addEventListener('install', () => console.log(__PAGE_FILES__, __PAGE_VERSION__));";

  it("is a plain script that knows every file of the page, and a version that follows from them", async () => {
    const worker = await workerOf(SCRIPT);
    expect(worker).toMatch(/"\/","\/icon\.svg",.*"\/assets\/index-[^"]+\.js"/);
    expect(worker).not.toMatch(/\b(?:import|export)\b|__PAGE_/);
    const version = (text: string): string | undefined => /"([0-9a-f]{16})"/.exec(text)?.[1];
    expect(version(worker)).toBeDefined();
    expect(version(await workerOf(SCRIPT))).toBe(version(worker));
    expect(version(await workerOf(SCRIPT, "document.title = 'b';"))).not.toBe(version(worker));
  });

  it("may wait for nothing else", async () => {
    const both = "import { other } from './other.js'; document.title = other;";
    await expect(workerOf(`import { other } from "./other.js"; ${SCRIPT} self.name = other;`, both)).rejects.toThrow(
      "waits for",
    );
  });
});

describe("the licences of what the page has of others", () => {
  async function builtWith(notices: string): Promise<unknown> {
    const root = mkdtempSync(join(tmpdir(), "buraco-credits-"));
    const other = join(root, "node_modules", "@them", "other");
    mkdirSync(other, { recursive: true });
    writeFileSync(join(root, "index.html"), '<script type="module" src="/main.js"></script>');
    writeFileSync(join(root, "main.js"), "import { other } from '@them/other'; document.title = other();");
    writeFileSync(join(other, "package.json"), '{"name": "@them/other", "type": "module", "main": "other.js"}');
    writeFileSync(join(other, "other.js"), "export const other = () => String(Math.random());");
    writeFileSync(join(root, "licences.txt"), notices);
    const plugins = [credits(join(root, "licences.txt"))];
    return build({ root, configFile: false, logLevel: "silent", build: { outDir: "built" }, plugins });
  }

  it("name every package that the page has", async () => {
    await expect(builtWith("  vite  Copyright\n  @them/other  Copyright them\n")).resolves.toBeDefined();
    await expect(builtWith("  vite  Copyright\n  @them/another  Copyright them\n")).rejects.toThrow(
      "does not name @them/other",
    );
  });

  it.each([
    ["/a/node_modules/svelte/src/index.js", "svelte"],
    ["C:\\a\\node_modules\\@them\\other\\a.js", "@them/other"],
    ["/a/node_modules/one/node_modules/two/a.js", "two"],
    ["\0vite/preload-helper.js", "vite"],
    ["/a/src/main.ts", undefined],
    ["\0virtual:texts/en", undefined],
  ])("know whose %j is", (module, name) => {
    expect(packageOf(module)).toBe(name);
  });
});
