// What the page does before it is drawn: the language, and the settings on the root element.
import { firstLanguage } from "../early/languages";
import { direction, language, setLanguage } from "./i18n";
import { presetLetters, settings, type Settings } from "./settings";
import { listenForUnlock } from "./sound";

/** Show on the root element what the settings say; the styles go by it. */
export function applySettings(root: HTMLElement, chosen: Settings, systemIsLight: boolean): void {
  const theme = chosen.theme === "system" ? (systemIsLight ? "light" : "dark") : chosen.theme;
  root.dataset.theme = theme;
  root.dataset.colours = chosen.fourColours ? "4" : "2";
  root.dataset.print = chosen.largePrint ? "large" : "normal";
  root.dataset.motion = chosen.motion;
  root.dataset.cards = chosen.cardSize;
  root.dataset.hands = chosen.leftHanded ? "left" : "right";
}

/** Fetch the fonts of the cards before the first card is drawn; a card without them is readable all the same. */
function fetchFonts(): void {
  for (const [font, sample] of [
    ["700 20px 'Buraco Index'", "10"],
    ["20px 'Buraco Suits'", "♠"],
  ] as const)
    document.fonts?.load(font, sample).catch(() => undefined);
}

export async function start(): Promise<void> {
  fetchFonts();
  const root = document.documentElement;
  const chosen = settings.get();
  const first = firstLanguage(location.search, chosen.language, navigator.languages ?? []);
  if (chosen.language === "") settings.set({ language: first, indexLetters: presetLetters(first) });
  const light = matchMedia("(prefers-color-scheme: light)");
  const apply = (): void => applySettings(root, settings.get(), light.matches);
  light.addEventListener("change", apply);
  settings.subscribe(apply);
  await setLanguage(first);
  language.subscribe((code) => {
    root.lang = code === "ar-x" ? "ar" : code === "qps" ? "en" : code;
    root.dir = direction.get();
  });
  listenForUnlock();
}
