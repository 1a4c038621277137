// Two steps of the build: the texts of a language as a module, and compressed copies of what is served.
import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

export type Texts = { [key: string]: string | Texts };

/** The sections of the catalogues that the browser shows itself; all else arrives from the server as text. */
const SECTIONS = ["web", "suit", "category", "end_kind", "phrase"];
const PREFIX = "virtual:texts/";

/** Lay a catalogue over another one: what it lacks stays as it was. */
export function over(base: Texts, top: Texts): Texts {
  const merged: Texts = { ...base };
  for (const [key, value] of Object.entries(top)) {
    const below = merged[key];
    const plural = typeof value === "object" && "other" in value;
    merged[key] = typeof value === "object" && typeof below === "object" && !plural ? over(below, value) : value;
  }
  return merged;
}

function read(folder: string, language: string): Texts {
  const path = join(folder, `${language}.json`);
  if (!existsSync(path)) return {};
  const all = JSON.parse(readFileSync(path, "utf-8")) as Texts;
  return Object.fromEntries(SECTIONS.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
}

/** The words of the browser table in a language, in English where it lacks one. */
export function wordsOf(folder: string, language: string): Texts {
  return over(read(folder, "en"), read(folder, language));
}

/** `virtual:texts/<language>`: those words as a module. */
export function texts(folder: string): Plugin {
  return {
    name: "buraco-texts",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const language = id.slice(PREFIX.length + 1);
      for (const one of new Set(["en", language])) this.addWatchFile(join(folder, `${one}.json`));
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(wordsOf(folder, language)))});`;
    },
  };
}

const WORTH_IT = /\.(?:css|html|js|json|svg|txt|webmanifest)$/;

/** Write a `.gz` beside every text file of the build, for browsers that take it. */
export function compressed(): Plugin {
  return {
    name: "buraco-compressed",
    apply: "build",
    async writeBundle({ dir }) {
      if (dir === undefined) return;
      for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !WORTH_IT.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const content = await readFile(path);
        const small = gzipSync(content, { level: 9 });
        if (small.length < content.length * 0.9) await writeFile(`${path}.gz`, small);
      }
    },
  };
}
