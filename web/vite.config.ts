import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { begins, credits, installs, published, texts } from "./vite/plugins.ts";

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [
    texts(folder("../src/buraco/texts")),
    svelte(),
    begins(folder("src/early/begin.ts")),
    installs(folder("src/worker/sw.ts")),
    credits(folder("public/licences.txt")),
    published(folder("../src/buraco/server/static")),
  ],
  build: {
    // Not where it is served: a server that runs has the old page until the new one is whole.
    outDir: folder("../build/page"),
    emptyOutDir: true,
    target: "es2022",
    // Nothing as data: address: the Content-Security-Policy allows files of our own origin only.
    assetsInlineLimit: 0,
    // `begins` names what the page needs at once.
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What home and table share is one file: few requests, and it compresses better.
        // What begins before it knows nothing of it.
        codeSplitting: {
          groups: [
            { name: "begin", test: /src\/(?:early\/|protocol\.ts)|vite\/preload-helper/, priority: 2 },
            {
              name: "shared",
              test: /node_modules|src\/(?:ui|pages)\/|src\/core\/(?!fair|record-text|replay|sha256)/,
              minShareCount: 2,
              priority: 1,
            },
            // What only some pages show comes with them, and at the table with the sheet that needs it.
            { name: "Table", test: /src\/(?:table|panels)\// },
            // What several later pages share comes with the first of them.
            { name: "replay", test: /src\/(?:replay\/|core\/(?:fair|record-text|replay|sha256))/ },
          ],
        },
      },
    },
  },
  server: {
    // A table server of your own: `buraco serve`. It sees the address of this page as its own, so its checks of origin hold.
    proxy: {
      "/api": { target: process.env.BURACO_SERVER ?? "http://127.0.0.1:8321", changeOrigin: false, ws: true },
    },
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.ts", "vite/**/*.test.ts"],
    // The first test that imports a component waits for its making: on a busy computer longer than the usual 5 s.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
