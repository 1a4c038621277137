"""The rules in every language: pages, values of fields, differences, citations, faults of house rules."""

from __future__ import annotations

import dataclasses
import re

import pytest

from buraco.errors import ParseError, RulesError
from buraco.rules import (
    CODE_TOPICS,
    FIELD_NAMES,
    RULE_SETS,
    SECTIONS,
    RuleSet,
    cite,
    diff,
    from_json,
    get_rules,
    load_toml,
    page,
    show_field,
    statements,
    title_in,
)
from buraco.rules.near import near_hint
from buraco.texts import in_language, languages, text

OTHERS = [language for language in languages() if language != "en"]
NUMBERS = re.compile(r"\d+")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", RULE_SETS)
def test_a_page_is_complete_in_every_language(name: str, language: str) -> None:
    told = page(RULE_SETS[name], language)
    assert "{" not in told
    assert "}" not in told
    assert told.count("\n## ") == len(SECTIONS) + 2 + ("\n## Our decisions" in page(RULE_SETS[name]))
    assert told.endswith("\n")
    assert not told.endswith("\n\n")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", RULE_SETS)
def test_a_page_states_the_same_topics_in_every_language(name: str, language: str) -> None:
    def topics(spoken: str) -> list[tuple[str, ...]]:
        return [one.topics for said in statements(RULE_SETS[name], spoken).values() for one in said]

    assert topics(language) == topics("en")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", RULE_SETS)
def test_the_numbers_of_the_fields_are_the_same_in_every_language(name: str, language: str) -> None:
    rules = RULE_SETS[name]
    for field in FIELD_NAMES:
        if isinstance(getattr(rules, field), int) and not isinstance(getattr(rules, field), bool):
            assert NUMBERS.findall(show_field(rules, field, language)) == [str(getattr(rules, field))], field


@pytest.mark.parametrize("language", OTHERS)
def test_a_page_is_not_the_english_one(language: str) -> None:
    assert page(RULE_SETS["aberto"], language) != page(RULE_SETS["aberto"])


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_english_title_is_the_one_of_the_rule_set(name: str) -> None:
    assert title_in(RULE_SETS[name]) == RULE_SETS[name].title


@pytest.mark.parametrize("language", languages())
def test_house_rules_keep_a_title_of_their_own_and_are_else_called_after_their_base(language: str) -> None:
    own = load_toml('base = "fechado"\nname = "home"\ntitle = "Fechado"\n[fields]\nhand_size = 12')
    unnamed = load_toml('base = "fechado"\n[fields]\nhand_size = 12')
    base = title_in(get_rules("fechado"), language)
    assert title_in(own, language) == "Fechado"
    assert title_in(unnamed, language) == text("page.house_title", language, title=base)
    assert title_in(unnamed) == unnamed.title == "Fechado, house rules"


@pytest.mark.parametrize("language", languages())
def test_differences_are_in_words_of_the_language(language: str) -> None:
    found = diff(get_rules("aberto"), get_rules("fechado"), language)
    assert [one.field for one in found] == [one.field for one in diff(get_rules("aberto"), get_rules("fechado"))]
    closed = next(one for one in found if one.field == "pile_closed")
    assert (closed.left, closed.right) == (text("value.no", language), text("value.yes", language))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", RULE_SETS)
def test_a_citation_has_the_words_of_the_language_and_the_same_numbers(name: str, language: str) -> None:
    for code in CODE_TOPICS:
        citation = cite(RULE_SETS[name], code)
        told = citation.text(language)
        assert told.startswith(
            text("citation.full", language, rule_set=name, section="\0", source="").partition("\0")[0]
        )
        assert f"{citation.source} §{citation.paragraph}" in told
        assert in_language(citation.section, language) in told
        assert in_language(citation.decision, language) in told
        assert citation.section_name in SECTIONS
    assert str(cite(RULE_SETS[name], "runs")) == cite(RULE_SETS[name], "runs").text()


@pytest.mark.parametrize("language", languages())
def test_the_section_of_a_citation_is_a_heading_of_the_page_in_every_language(language: str) -> None:
    told = page(get_rules("fechado"), language)
    for code in CODE_TOPICS:
        assert f"## {in_language(cite(get_rules('fechado'), code).section, language)}\n" in told


HOUSE_FAULTS = """
base = "abertto"
colour = "red"
name = "Home Rules"

[fields]
hand_sice = 11
hand_size = 1000000000000000000000
sets = "yes"
opening = "at_onse"
player_counts = [3]
pack_suits = "zz"
canasta_size = 0
"""


def faults_of_toml(content: str) -> RulesError:
    with pytest.raises(RulesError) as caught:
        load_toml(content)
    return caught.value


@pytest.mark.parametrize("language", languages())
def test_every_fault_of_house_rules_says_itself_in_every_language(language: str) -> None:
    error = faults_of_toml(HOUSE_FAULTS)
    told = [in_language(reason, language) for reason in error.reasons]
    assert in_language(error.message, language) == text("error.impossible_rules", language, reasons=" ".join(told))
    hint = in_language(near_hint("hand_sice", FIELD_NAMES), language)
    assert text("error.unknown_field", language, name="'hand_sice'", near=hint) in told
    huge = text("error.huge_number", language)
    assert any(huge in reason for reason in told)
    assert len(told) == len(error.reasons) == 10
    assert all(type(reason) is str for reason in told)


@pytest.mark.parametrize("language", OTHERS)
def test_no_fault_of_house_rules_is_left_in_english(language: str) -> None:
    error = faults_of_toml(HOUSE_FAULTS)
    assert [reason for reason in error.reasons if in_language(reason, language) == reason] == []


@pytest.mark.parametrize("language", languages())
def test_impossible_mixes_say_themselves_in_every_language(language: str) -> None:
    with pytest.raises(RulesError) as caught:
        get_rules("aberto").replace(target_points=0, deal_count=0)
    told = text("problem.match_without_end", language)
    assert in_language(caught.value.message, language) == text("error.impossible_rules", language, reasons=told)
    with pytest.raises(RulesError) as caught:
        get_rules("aberto").replace(hand_sise=2)
    hint = in_language(near_hint("hand_sise", FIELD_NAMES), language)
    assert in_language(caught.value.message, language) == text(
        "error.unknown_field", language, name="hand_sise", near=hint
    )


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("content", "key"),
    [
        ("[" * 12_000, "error.too_nested"),
        ('{"name": 1, "name": 2}', "error.member_twice"),
        ('{"hand_size": NaN}', "error.no_json_number"),
        ('{"hand_size": ' + "9" * 6000 + "}", "error.huge_number"),
    ],
)
def test_what_is_wrong_with_a_json_text_is_said_in_every_language(content: str, key: str, language: str) -> None:
    with pytest.raises(ParseError) as caught:
        from_json(content)
    detail = text(key, language, name="'name'", word="NaN")
    assert in_language(caught.value.message, language) == text("error.json_syntax", language, detail=detail)


@pytest.mark.parametrize("language", languages())
def test_an_unknown_rule_set_is_named_with_near_ones_in_every_language(language: str) -> None:
    with pytest.raises(RulesError) as caught:
        get_rules("fechadoo")
    assert "fechado" in in_language(caught.value.message, language)
    assert in_language(caught.value.message, language).startswith(
        text("error.unknown_rules", language, name="fechadoo", near="")
    )


def test_a_rule_set_made_in_code_names_its_faults_as_messages() -> None:
    with pytest.raises(RulesError) as caught:
        RuleSet(name="x", title="X", hand_size=0)
    assert all(in_language(reason, "en") == reason for reason in caught.value.reasons)


@pytest.mark.parametrize("name", list(RULE_SETS))
@pytest.mark.parametrize("language", languages())
def test_the_end_of_a_page_says_what_each_source_is(name: str, language: str) -> None:
    told, _, sources = page(RULE_SETS[name], language).rpartition("\n## ")
    cited = set(re.findall(r"\[[^\]]*?(\d{3}) §", told))
    assert cited == set(re.findall(r"^- \*\*(\d{3})\*\*: .", sources, re.MULTILINE))


@pytest.mark.parametrize("language", languages())
def test_a_page_names_no_file_and_writes_ten_as_on_the_cards(language: str) -> None:
    told = page(RULE_SETS["aberto"], language)
    assert ".md" not in told
    assert "8 9 10 J" in told
    assert not re.search(r"\bT\b", told)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("count", [1, 2, 5, 21])
def test_the_number_of_deals_has_its_plural_form(language: str, count: int) -> None:
    rules = dataclasses.replace(RULE_SETS["aberto"], deal_count=count, target_points=0)
    assert text("rule.match.deals", language, n=count) in page(rules, language)
    assert text("unit.deals", language, n=count) in page(rules, language)


def test_one_deal_and_one_card_are_said_in_the_singular() -> None:
    assert text("rule.match.deals", "en", n=1) == "The match ends after 1 deal."
    assert text("rule.match.deals", "ru", n=21) == "Партия кончается после 21 раздачи."
    assert text("unit.cards", "bg", n=1) == "1 карта"
    assert text("cli.play.lifts_points_me", "en", n=22, points=100) == "You lift 22 cards and win 100 points."
