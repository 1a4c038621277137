"""What the server tells of rules for reading and for making them: pages in parts, fields, faults by field."""

from __future__ import annotations

from typing import Any

import pytest

from buraco.rules import FIELD_NAMES, RULE_SETS, SECTIONS, TOPIC_SECTIONS, page
from buraco.server.house_rules import field_specs, report, rules_document
from buraco.server.http.referee_forms import RulesForm
from buraco.texts import languages, text
from tests.rules.test_ruleset_problems import MIXES
from tests.server.net.serving import Running

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_page_in_parts_says_what_the_page_says_and_draws_its_examples(name: str) -> None:
    rules = RULE_SETS[name]
    told, written = rules_document(rules, "en"), page(rules)
    assert [one.name for one in told.sections] == list(SECTIONS)
    assert [one.number for one in told.sections] == list(range(1, 13))
    statements = [one for section in told.sections for one in section.statements]
    for one in statements:
        assert f"- {one.text} [{one.sources}]" in written
    assert [one.field for one in told.fields] == list(FIELD_NAMES)
    examples = [example for one in statements for example in one.examples]
    assert len(examples) >= 30
    for section in told.sections:
        for example in (example for one in section.statements for example in one.examples):
            assert TOPIC_SECTIONS[example.topic] == section.name
    assert {example.verdict for example in examples} >= {"legal", "refused", "none"}
    assert all(bool(example.text) == bool(example.code) == (example.verdict == "refused") for example in examples)
    assert told.base == ""


@pytest.mark.parametrize("language", languages())
def test_examples_and_fields_are_told_in_each_language(language: str) -> None:
    told = rules_document(RULE_SETS["classico"], language)
    examples = {one.name: one for section in told.sections for said in section.statements for one in said.examples}
    assert examples["run"].caption == text("example.run", language)
    assert examples["run_gap"].text == text("error.no_meld", language)
    assert examples["opening_short"].verdict == "returned"
    assert examples["bonus_clean"].groups[0].words == text("category.clean", language)
    specs = [one for group in field_specs(language).groups for one in group.fields]
    assert sorted(one.field for one in specs) == sorted(FIELD_NAMES)
    for one in specs:
        assert one.label == text(f"field.{one.field}.label", language)
        assert bool(one.choices) == (one.kind in ("choice", "counts"))


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(("code", "base", "changes"), MIXES)
def test_an_impossible_mix_names_its_fields_by_their_labels(
    code: str, base: str, changes: dict[str, Any], language: str
) -> None:
    given = {name: list(value) if isinstance(value, tuple) else value for name, value in changes.items()}
    told = report(RulesForm(rules={"base": base, **given}), language)
    assert not told.possible
    assert told.rules is None
    (fault,) = [one for one in told.faults if one.code == code]
    assert not [name for name in FIELD_NAMES if "_" in name and name in fault.text], fault.text
    labels = [text(f"field.{name}.label", language) for name in fault.fields]
    assert any(text("page.quoted", language, text=label) in fault.text for label in labels), fault.text


def test_faults_of_toml_are_told_by_field_too() -> None:
    told = report(RulesForm(toml='base = "aberto"\n[fields]\nhand_size = 50\nsets = 3\n'), "en")
    assert [(one.code, one.fields) for one in told.faults] == [("range", ("hand_size",)), ("type", ("sets",))]
    assert told.faults[0].text == "“Hand” must be from 2 to 40, not 50."
    assert len(told.reasons) == 2
    for broken in ("base = ", "\0", 'base = "nonsense"\n'):
        assert report(RulesForm(toml=broken), "en").faults == ()


def test_possible_rules_come_with_what_differs_and_toml_that_makes_them_again() -> None:
    told = report(RulesForm(toml='base = "aberto"\n[fields]\nsets = true\nbonus_clean_13 = "none"\n'), "en")
    assert (told.possible, told.base, told.title) == (True, "aberto", "Buraco Aberto, house rules")
    differing = {one.field: (one.left, one.right) for one in told.differences}
    assert differing["sets"] == ("no", "yes")
    assert differing["bonus_clean_13"] == ("500 points", "no such category")
    assert report(RulesForm(toml=told.toml), "en").rules == told.rules
    assert told.document is None


def test_rules_are_told_apart_from_the_base_that_they_name_also_where_another_is_nearer() -> None:
    without_sets = {name: getattr(RULE_SETS["fechado-stcl"], name) for name in ("sets", "one_set_per_rank")}
    told = report(RulesForm(rules={"base": "fechado", "name": "ours", **without_sets}), "en")
    toml = report(RulesForm(toml='base = "fechado"\n[fields]\nsets = false\n'), "en")
    assert told.base == toml.base == "fechado"
    assert "sets" in {one.field for one in told.differences} & {one.field for one in toml.differences}


async def test_the_page_in_parts_comes_when_it_is_asked_for(running: Running) -> None:
    body = {"toml": 'base = "aberto"\n[fields]\nsets = true\n', "document": True}
    async with running.client() as client:
        told = (await client.post("/api/rules/check", json=body)).json()
        fields = (await client.get("/api/rules/fields", params={"language": "it"})).json()
    assert told["document"]["base"] == "aberto"
    statements = [one for section in told["document"]["sections"] for one in section["statements"]]
    verdicts = {example["name"]: example["verdict"] for one in statements for example in one["examples"]}
    assert verdicts["set"] == "legal"
    assert fields["groups"][0]["fields"][0]["label"] == text("field.name.label", "it")
