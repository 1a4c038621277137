// The panels with made-up tables, to be looked at while they are made: `/src/dev/panels.html?panel=room&lang=qps`.
import { mount } from "svelte";
import { createSubscriber } from "svelte/reactivity";
import { words } from "../core/i18n";
import { settings } from "../core/settings";
import { start } from "../core/start";
import "../ui/app.css";
import Story from "./panels.svelte";

words.onRead(createSubscriber((update) => words.language.subscribe(() => update())));
const query = new URLSearchParams(location.search);
const theme = query.get("theme");
if (theme === "light" || theme === "dark") settings.set({ theme });
await start();
const target = document.getElementById("app");
if (target !== null) mount(Story, { target, props: { panel: query.get("panel") ?? "" } });
