// Places on a rules page that an address or the citation of a refusal names.
import type { RulePlace, RulesDocument } from "../protocol";

function idOf(document: RulesDocument, place: string): string {
  const topic = place.replace(/^r-/, "");
  for (const section of document.sections) {
    if (place === `s${section.number}`) return place;
    const stated = section.statements.find((one) => one.topics.includes(topic));
    if (stated?.topics[0] !== undefined) return `r-${stated.topics[0]}`;
  }
  return "";
}

/** The places that an address names, the first of them that there is being meant: `#r-pile_closed,s6`. */
export function placesIn(hash: string): readonly string[] {
  return hash.replace(/^#/, "").split(",").filter(Boolean);
}

/** The places of a rule that is cited: what states it, else its section. */
export function placesOf(rule: RulePlace): readonly string[] {
  return [rule.topic, `s${rule.number}`];
}

/** The id of the element for the first of some places that the page has: a section (`s6`), or a topic (`pile_closed`, in
 * an address `r-pile_closed`) in whatever sentence states it. Empty where it has none of them. */
export function placeOf(document: RulesDocument, places: readonly string[]): string {
  return places.map((place) => idOf(document, place)).find((id) => id !== "") ?? "";
}
