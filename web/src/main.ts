import { mount } from "svelte";
import { createSubscriber } from "svelte/reactivity";
import App from "./App.svelte";
import { words } from "./core/i18n";
import { people } from "./core/person";
import { router } from "./core/router";
import { start } from "./core/start";
import "./ui/app.css";

// A text that a component reads follows the language by itself.
words.onRead(createSubscriber((update) => words.language.subscribe(() => update())));

// The table is the largest part: it comes along with the words where it is wanted at once, else while nothing else does.
const fetchTable = (): void => void import("./table/Table.svelte").catch(() => undefined);
if (router.get().name === "table") {
  fetchTable();
  void people.load().catch(() => undefined);
}
await start();
const target = document.getElementById("app");
if (target !== null) mount(App, { target });
if (router.get().name !== "table") setTimeout(fetchTable, 600);
