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

const marked = (what: readonly string[], colour: string, offsets: readonly [number, number], name: string): string => {
  if (what.length === 0) return "";
  // What has the focus shows that instead; what the table itself draws there gives way.
  const all = what.map((one) => `:root:root:root:root ${one}:not(:focus-visible)`).join(",");
  const [from, to] = offsets;
  return [
    `${all}{outline:4px solid ${colour};outline-offset:${from}px;animation:${name} 1.6s ease-in-out infinite}`,
    `@keyframes ${name}{50%{outline-offset:${to}px}}`,
    `:root[data-motion="reduced"] :is(${what.join(",")}){animation:none!important}`,
    `@media (prefers-reduced-motion:reduce){${all}{animation:none}}`,
  ].join("");
};

/** The style sheet that marks them; empty where there is nothing to mark. */
export function marksOf(lesson: Pick<LessonState, "cards" | "zones">): string {
  const { cards, places } = selectorsOf(lesson);
  // Cards are of paper in every light; what lies on the cloth is not.
  const marks = marked(cards, "#7b2fd0", [-4, -6], "mark-card") + marked(places, "var(--mark)", [1, 3], "mark-place");
  return marks === "" ? "" : `:root{--mark:#cfa5ff}:root[data-theme="light"]{--mark:#7b2fd0}${marks}`;
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
