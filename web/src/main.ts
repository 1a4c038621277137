import { mount } from "svelte";
import { createSubscriber } from "svelte/reactivity";
import App from "./App.svelte";
import { start } from "./core/start";
import { words } from "./core/i18n";
import "./ui/app.css";

// A text that a component reads follows the language by itself.
words.onRead(createSubscriber((update) => words.language.subscribe(() => update())));

await start();
const target = document.getElementById("app");
if (target !== null) mount(App, { target });
