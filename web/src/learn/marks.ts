// What a step needs of the table is marked there by a style sheet of its own: nothing that draws the table has to know.
import type { LessonState } from "../protocol";

/** Words of the protocol, and nothing that could end a selector. */
const PLAIN = /^[A-Za-z0-9-]{1,12}$/;

/** The parts of the table that a step needs, as selectors: cards of the hand, and places. */
export function selectorsOf(lesson: Pick<LessonState, "cards" | "zones">): {
  readonly cards: readonly string[];
  readonly places: readonly string[];
} {
  const cards = [...new Set(lesson.cards)].filter((card) => PLAIN.test(card));
  const zones = lesson.zones.filter((zone) => PLAIN.test(zone));
  return {
    cards: cards.map((card) => `[data-zone="hand"] [data-card="${card}"]`),
    places: zones.map((zone) => (zone === "keep" ? '[data-action="keep"]' : `[data-zone="${zone}"]`)),
  };
}

/** The style sheet that marks them. */
export function marksOf(lesson: Pick<LessonState, "cards" | "zones">): string {
  const { cards, places } = selectorsOf(lesson);
  const all = [...cards, ...places];
  if (all.length === 0) return "";
  const outline = "{outline:3px solid var(--mark);outline-offset:-3px;animation:mark 1.6s ease-in-out infinite}";
  return [
    ":root{--mark:#a04dff}",
    "@keyframes mark{50%{outline-color:color-mix(in srgb,var(--mark) 45%,#fff)}}",
    `${all.join(",")}${outline}`,
    `:root[data-motion="reduced"] :is(${all.join(",")}){animation:none}`,
    `@media (prefers-reduced-motion:reduce){${all.join(",")}{animation:none}}`,
  ].join("");
}

/** Marks on a page, as long as a lesson is on. */
export class Marks {
  private readonly sheet = "adoptedStyleSheets" in document ? new CSSStyleSheet() : null;

  constructor() {
    if (this.sheet !== null) document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.sheet];
  }

  show(lesson: Pick<LessonState, "cards" | "zones">): void {
    this.sheet?.replaceSync(marksOf(lesson));
  }

  stop(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== this.sheet);
  }
}
