// Two rule sets side by side: nothing but what their pages say.
import type { RuleDifference, RuleExample, RulesDocument } from "../protocol";

interface ExamplePair {
  readonly left: RuleExample;
  readonly right: RuleExample;
}

interface SectionPair {
  readonly name: string;
  readonly heading: string;
  /** The sentences that stand in one of them only. */
  readonly left: readonly string[];
  readonly right: readonly string[];
  /** Examples that come out differently. */
  readonly examples: readonly ExamplePair[];
}

export interface Comparison {
  readonly fields: readonly RuleDifference[];
  readonly sections: readonly SectionPair[];
  /** The headings of the sections in which both say the same. */
  readonly alike: readonly string[];
}

/** Fields that say what rules are called: they differ always. */
const CALLED: ReadonlySet<string> = new Set(["name", "title"]);

function examplesOf(document: RulesDocument): Map<string, RuleExample> {
  const all = document.sections.flatMap((section) => section.statements.flatMap((one) => one.examples));
  return new Map(all.map((one) => [one.name, one]));
}

/** What is seen of an example, but for the sentence about it. */
function outcome(example: RuleExample): string {
  return JSON.stringify([
    example.verdict,
    example.groups.map((one) => [one.role, one.cards, one.category, one.points]),
  ]);
}

export function compare(left: RulesDocument, right: RulesDocument): Comparison {
  const others = new Map(right.fields.map((one) => [one.field, one.value]));
  const fields = left.fields.flatMap(({ field, label, value }) => {
    const other = others.get(field) ?? "";
    return CALLED.has(field) || value === other ? [] : [{ field, label, left: value, right: other }];
  });
  const rightExamples = examplesOf(right);
  const pairs = left.sections.map((section, index): SectionPair => {
    const here = section.statements.map((one) => one.text);
    const there = right.sections[index]?.statements.map((one) => one.text) ?? [];
    const examples = section.statements
      .flatMap((one) => one.examples)
      .flatMap((one) => {
        const other = rightExamples.get(one.name);
        return other !== undefined && outcome(one) !== outcome(other) ? [{ left: one, right: other }] : [];
      });
    return {
      name: section.name,
      heading: section.heading,
      left: here.filter((text) => !there.includes(text)),
      right: there.filter((text) => !here.includes(text)),
      examples,
    };
  });
  const differs = (pair: SectionPair): boolean => pair.left.length + pair.right.length > 0;
  return {
    fields,
    sections: pairs.filter(differs),
    alike: pairs.filter((pair) => !differs(pair)).map((pair) => pair.heading),
  };
}
