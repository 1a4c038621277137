import { mount } from "svelte";
import { createSubscriber } from "svelte/reactivity";
import App from "./App.svelte";
import { words } from "./core/i18n";
import { app } from "./core/installing";
import { people } from "./core/person";
import { router } from "./core/router";
import { start } from "./core/start";
import "./ui/app.css";

/** So long an empty page waits until it is loaded again. */
const AGAIN_MS = 3000;

// A text that a component reads follows the language by itself.
words.onRead(createSubscriber((update) => words.language.subscribe(() => update())));

// The table is the largest part: it comes along with the words where it is wanted at once, else while nothing else does.
const fetchTable = (): void => void import("./table/Table.svelte").catch(() => undefined);
if (router.get().name === "table") {
  fetchTable();
  void people.load().catch(() => undefined);
}
const target = document.getElementById("app");
try {
  await start();
  if (target !== null) mount(App, { target });
} catch {
  // Words that did not come are asked for again: a page without them would stay empty.
  setTimeout(() => location.reload(), AGAIN_MS);
}
if (router.get().name !== "table") setTimeout(fetchTable, 600);
if (import.meta.env.PROD) app.start();
