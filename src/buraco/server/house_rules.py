"""Rules for people who read or change them: a rules page in its parts with its examples, what fields may be, faults.

Plain functions of plain values, so that another process can run them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from buraco.cards import card_text
from buraco.errors import ParseError, RulesError
from buraco.notation import Example, ExampleGroup, placed_examples
from buraco.notation import examples as examples_of
from buraco.notation.house import rules_from_form
from buraco.notation.melds import parse_word
from buraco.rules import (
    FIELD_NAMES,
    FIELD_SPECS,
    RULE_SETS,
    SECTIONS,
    TOPIC_SECTIONS,
    Fault,
    PageSection,
    RuleSet,
    basis,
    cite,
    diff,
    faults,
    load_toml,
    outline,
    page,
    title_in,
    to_json,
    to_toml,
    toml_base,
    toml_faults,
)
from buraco.server.http.referee_forms import (
    ExampleCards,
    RuleChoice,
    RuleDifference,
    RuleExample,
    RuleFault,
    RuleField,
    RuleFieldGroup,
    RuleFieldSpec,
    RuleFieldSpecs,
    RuleNote,
    RulesDocument,
    RuleSection,
    RuleSetPage,
    RulesForm,
    RulesReport,
    RuleStatement,
)
from buraco.server.probe import rule_place
from buraco.texts import in_language, text

__all__ = ["field_specs", "report", "rule_set_page", "rules_document"]


# The page.


def rules_document(rules: RuleSet, language: str) -> RulesDocument:
    """Return the page of rules in its parts, with the examples that the engine judged."""
    parts = outline(rules, language)
    shown = examples_of(rules)
    return RulesDocument(
        title=parts.title,
        base=parts.base,
        notes=parts.notes,
        sections=tuple(_section(section, shown, language) for section in parts.sections),
        headings={name: text(f"section.{name}", language) for name in ("fields", "decisions", "sources")},
        fields=tuple(
            RuleField(field=one.field, label=one.label, value=one.value, source=one.source) for one in parts.fields
        ),
        decisions=tuple(RuleNote(topic=one.topic, text=one.reason) for one in parts.decisions),
        sources=tuple(RuleNote(topic=number, text=said) for number, said in parts.sources),
    )


def _section(section: PageSection, shown: Iterable[Example], language: str) -> RuleSection:
    statements = tuple(
        RuleStatement(
            text=one.text,
            topics=one.topics,
            sources=one.sources,
            examples=tuple(_example(example, language) for example in placed),
        )
        for one, placed in zip(section.statements, placed_examples(section, shown), strict=True)
    )
    number = SECTIONS.index(section.name) + 1
    return RuleSection(name=section.name, number=number, heading=section.heading, statements=statements)


def _example(example: Example, language: str) -> RuleExample:
    judged = example.judgement
    verdict, code, told, citation, rule = "none", "", "", "", None
    if judged is not None and not judged.legal:
        verdict, code, told = "refused", judged.code, in_language(judged.text, language)
        citation, rule = in_language(judged.citation, language), rule_place(judged.rule)
    elif judged is not None:
        verdict = "returned" if example.returned else "legal"
    return RuleExample(
        name=example.name,
        topic=example.topic,
        caption=text(f"example.{example.name}", language),
        groups=tuple(_cards(group, language) for group in example.groups),
        verdict=verdict,
        code=code,
        text=told,
        citation=citation,
        rule=rule,
    )


def _cards(group: ExampleGroup, language: str) -> ExampleCards:
    words = [parse_word(word) for word in group.words]
    wilds = [index for index, word in enumerate(words) if word.stands >= 0]
    return ExampleCards(
        role=group.role,
        cards=tuple(card_text(word.card) for word in words),
        wild=wilds[0] if wilds else -1,
        category=group.category,
        words=text(f"category.{group.category}", language) if group.category else "",
        points=group.points if group.points >= 0 else None,
    )


def rule_set_page(rules: RuleSet, language: str) -> RuleSetPage:
    """Return rules in full, their page in a language."""
    return RuleSetPage(
        name=rules.name,
        title=title_in(rules, language),
        players=rules.player_counts,
        rules=to_json(rules),
        page=page(rules, language),
        toml=to_toml(rules),
        document=rules_document(rules, language),
    )


# What fields may be.


def field_specs(language: str) -> RuleFieldSpecs:
    """Return every field of house rules, by section, in a language."""
    groups = []
    for section in SECTIONS:
        fields = tuple(_field_spec(name, language) for name in FIELD_NAMES if TOPIC_SECTIONS[name] == section)
        if fields:
            groups.append(RuleFieldGroup(section=section, heading=text(f"section.{section}", language), fields=fields))
    return RuleFieldSpecs(groups=tuple(groups))


def _field_spec(name: str, language: str) -> RuleFieldSpec:
    spec = FIELD_SPECS[name]
    return RuleFieldSpec(
        field=name,
        section=TOPIC_SECTIONS[name],
        kind=spec.kind,
        label=text(f"field.{name}.label", language),
        text=text(f"field.{name}.text", language),
        unit=spec.unit,
        low=spec.low,
        high=spec.high,
        choices=tuple(
            RuleChoice(value=value, text=text(f"value.{name}.{key}", language)) for value, key in _choices(name)
        ),
        absent=text("value.none", language) if spec.kind == "optional_integer" else "",
    )


def _choices(name: str) -> list[tuple[object, str]]:
    spec = FIELD_SPECS[name]
    if spec.kind == "counts":
        return [((2,), "2"), ((4,), "4"), ((2, 4), "2-4")]
    return [(choice, choice) for choice in spec.choices]


# House rules that somebody is making.


def report(form: RulesForm, language: str) -> RulesReport:
    """Say whether house rules can be played; else every fault at once."""
    try:
        rules = load_toml(form.toml) if form.toml is not None else rules_from_form(form.rules)
    except (RulesError, ParseError) as error:
        told = tuple(in_language(reason, language) for reason in error.reasons)
        written = _written_base(form)
        found = tuple(_fault(one, written, language) for one in _faults(form))
        return RulesReport(possible=False, rules=None, reasons=told, faults=found)
    base = RULE_SETS[_written_base(form) or basis(rules).name]
    changes = tuple(
        RuleDifference(
            field=one.field, label=text(f"field.{one.field}.label", language), left=one.left, right=one.right
        )
        for one in diff(base, rules, language)
    )
    return RulesReport(
        possible=True,
        rules=to_json(rules),
        reasons=(),
        page=page(rules, language),
        title=title_in(rules, language),
        base=base.name,
        toml=to_toml(rules),
        differences=changes,
        document=rules_document(rules, language) if form.document else None,
    )


def _written_base(form: RulesForm) -> str:
    """Return the rule set of ours that house rules name as their base; empty without one."""
    return toml_base(form.toml) if form.toml is not None else _base(form.rules)


def _base(form: object) -> str:
    """Return the rule set of ours that a form of house rules names as its base; empty without one."""
    name = form.get("base") if isinstance(form, Mapping) else None
    return name if isinstance(name, str) and name in RULE_SETS else ""


def _faults(form: RulesForm) -> tuple[Fault, ...]:
    """Return the faults of TOML, or of a JSON form that names a base and the fields that differ from it; nothing of any
    other form."""
    if form.toml is not None:
        return toml_faults(form.toml)
    name = _base(form.rules)
    if not name or not isinstance(form.rules, Mapping):
        return ()
    values: dict[str, Any] = {field: getattr(RULE_SETS[name], field) for field in FIELD_NAMES}
    for field, value in form.rules.items():
        if field in FIELD_NAMES:
            values[field] = tuple(value) if isinstance(value, list) else value
    return faults(values)


#: Words that may be the name of a field or of a choice, a choice perhaps in the quotes of a value.
_WORDS: Final = re.compile(r"'?(?<!\w)([a-z]+(?:_[a-z0-9]+)*)(?!\w)'?")


def _fault(fault: Fault, base: str, language: str) -> RuleFault:
    """Return a fault in which fields have their labels instead of their names, and choices their words; with the place
    of its first field in the rule set of ours that is called ``base``, if there is one."""

    def replaced(match: re.Match[str]) -> str:
        word = match.group(1)
        # A name of one word may be just that word: "an opening".
        plain = "_" not in word and (word not in fault.fields or match.string[: match.start()].endswith("an "))
        if word in FIELD_NAMES:
            return match.group() if plain else text("page.quoted", language, text=text(f"field.{word}.label", language))
        # No sentence of a fault has the word "none" but for the choice.
        coded = "_" in word or word == "none"
        chosen = [field for field in fault.fields if coded and word in FIELD_SPECS[field].choices]
        if not chosen:
            return match.group()
        return text("page.quoted", language, text=text(f"value.{chosen[0]}.{word}", language))

    known = [field for field in fault.fields if field in FIELD_NAMES]
    place = cite(RULE_SETS[base], known[0]) if base and known else None
    return RuleFault(
        code=fault.code,
        fields=fault.fields,
        text=_WORDS.sub(replaced, in_language(fault.message, language)),
        citation="" if place is None else place.text(language),
        rule=rule_place(place),
    )
