// Two steps of the build: the texts of a language as a module, and the page moved to where it is served.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { gzipAsync } from "@gfx/zopfli";
import type { HtmlTagDescriptor, Plugin } from "vite";

export type Texts = { [key: string]: string | Texts };

/** The sections of the catalogues that the browser shows itself; all else arrives from the server as text. */
const SECTIONS = ["web", "suit", "category", "end_kind", "phrase", "shuffle"];
/** Those that only pages beside home and table show, and parts of `web` of that kind: they come with the first such page. */
const LATER_SECTIONS: ReadonlySet<string> = new Set(["shuffle"]);
const LATER: ReadonlySet<string> = new Set([
  "account",
  "compare",
  "create",
  "fair",
  "games",
  "house",
  "install",
  "learn",
  "replay",
  "report",
  "rules",
  "watching",
]);
const PREFIX = "virtual:texts/";
const LATER_PREFIX = "virtual:later/later-";

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

/** Those words without the ones that later pages alone show, or these. */
export function part(words: Texts, later: boolean): Texts {
  const web = Object.entries(words.web ?? {}).filter(([name]) => LATER.has(name) === later);
  const sections = Object.entries(words).filter(([name]) => LATER_SECTIONS.has(name) === later);
  return { ...Object.fromEntries(sections), web: Object.fromEntries(web) as Texts };
}

/** `virtual:texts/<language>`: the words of home and table as a module; `virtual:later/later-<language>`: those of later pages. */
export function texts(folder: string): Plugin {
  return {
    name: "buraco-texts",
    resolveId: (id) => (id.startsWith(PREFIX) || id.startsWith(LATER_PREFIX) ? `\0${id}` : undefined),
    load(id) {
      const prefix = [PREFIX, LATER_PREFIX].find((one) => id.startsWith(`\0${one}`));
      if (prefix === undefined) return undefined;
      const language = id.slice(prefix.length + 1);
      for (const one of new Set(["en", language])) this.addWatchFile(join(folder, `${one}.json`));
      const words = part(wordsOf(folder, language), prefix === LATER_PREFIX);
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(words))});`;
    },
  };
}

/**
 * A module that begins before the page does: its chunk, which imports nothing, is asked for first and run as soon as it
 * is there. What the page imports beside it is asked for at the same time.
 */
export function begins(module: string): Plugin {
  return {
    name: "buraco-begins",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle = {}, chunk: page }) {
        const first = Object.values(bundle).find((one) => one.type === "chunk" && one.moduleIds.includes(module));
        if (first?.type !== "chunk") throw new Error(`no chunk has ${module}`);
        if (first.imports.length > 0) throw new Error(`${module} waits for ${first.imports.join(", ")}`);
        const others = (page?.imports ?? []).filter((name) => name !== first.fileName);
        const link = (name: string): HtmlTagDescriptor => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: true, href: `/${name}` },
          injectTo: "head",
        });
        const src = `/${first.fileName}`;
        const script = { tag: "script", attrs: { type: "module", async: true, crossorigin: true, src } };
        return [{ ...script, injectTo: "head" }, ...others.map(link)] satisfies HtmlTagDescriptor[];
      },
    },
  };
}

/** The files beside the chunks that the page has without a connection, too. */
const SHELL = ["/", "/icon.svg", "/icon-192.png", "/icon-512.png", "/icon-mask.png", "/manifest.webmanifest"];

/**
 * The service worker: a script of its own, `sw.js`, told which files the page has, and a version that follows from their
 * names, which have digests of what is in them.
 */
export function installs(worker: string): Plugin {
  return {
    name: "buraco-installs",
    apply: "build",
    buildStart() {
      this.emitFile({ type: "chunk", id: worker, fileName: "sw.js" });
    },
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const made = bundle["sw.js"];
        if (made?.type !== "chunk") throw new Error("no service worker was made");
        if (made.imports.length > 0) throw new Error(`the service worker waits for ${made.imports.join(", ")}`);
        const assets = Object.keys(bundle).filter((name) => name.startsWith("assets/"));
        const files = [...SHELL, ...assets.map((name) => `/${name}`).sort()];
        const version = createHash("sha256").update(files.join("\n")).digest("hex").slice(0, 16);
        made.code = made.code
          .replace(/\b__PAGE_FILES__\b/, () => JSON.stringify(files))
          .replace(/\b__PAGE_VERSION__\b/, () => JSON.stringify(version));
      },
    },
  };
}

/** The package that a module of the bundle is of, or undefined for one of our own. */
export function packageOf(module: string): string | undefined {
  const path = module.replaceAll("\\", "/");
  // What the bundler itself adds has no file.
  if (path.startsWith("\0vite/")) return "vite";
  return /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

/** The file with the licences names every package whose code the page has; one without its notice ends the build. */
export function credits(file: string): Plugin {
  return {
    name: "buraco-credits",
    apply: "build",
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((one) => (one.type === "chunk" ? one.moduleIds : []));
      const held = new Set(modules.map(packageOf).filter((name) => name !== undefined));
      const named = new Set([...readFileSync(file, "utf-8").matchAll(/^ {2}(\S+) +Copyright/gm)].map((one) => one[1]));
      const unnamed = [...held].filter((name) => !named.has(name));
      if (unnamed.length > 0) throw new Error(`${file} does not name ${unnamed.join(", ")}`);
    },
  };
}

const WORTH_IT = /\.(?:css|html|js|json|svg|txt|webmanifest)$/;

/** Write a `.gz` beside every text file of a folder, for browsers that take it, as small as gzip can be. */
async function compress(folder: string): Promise<void> {
  for (const name of await filesIn(folder)) {
    if (!WORTH_IT.test(name)) continue;
    const path = join(folder, name);
    const content = await readFile(path);
    const small = await gzipAsync(content, {});
    if (small.length < content.length * 0.9) await writeFile(`${path}.gz`, small);
  }
}

/** The files of a folder and of those in it, by their paths from there; none where there is no folder. */
async function filesIn(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map((one) => relative(folder, join(one.parentPath, one.name)));
}

/**
 * Move a built page to where the server hands it out. A server that runs there misses no file at any moment: what the
 * new page needs comes first, then the page itself, each by one rename; only then what the old one needed goes.
 */
export async function publish(from: string, to: string, move = rename): Promise<void> {
  const isPage = (name: string): boolean => /^index\.html(?:\.gz)?$/.test(name);
  const names = await filesIn(from);
  for (const name of [...names.filter((one) => !isPage(one)), ...names.filter(isPage)]) {
    await mkdir(dirname(join(to, name)), { recursive: true });
    await move(join(from, name), join(to, name));
  }
  const fresh = new Set(names);
  for (const name of await filesIn(to)) if (!fresh.has(name)) await rm(join(to, name));
}

/** The end of a build: the compressed copies, and the page published. A build that fails leaves nothing and changes nothing. */
export function published(to: string): Plugin {
  let built = "";
  return {
    name: "buraco-published",
    apply: "build",
    configResolved(config) {
      built = resolve(config.root, config.build.outDir);
    },
    async writeBundle() {
      await compress(built);
      await publish(built, to);
    },
    // Called at the end of a build that failed, too.
    closeBundle: () => rm(built, { recursive: true, force: true }),
  };
}
