"""Where each rule is written: every field, shared rule and refusal code of every rule set."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from buraco.engine.codes import CODES
from buraco.errors import RulesError
from buraco.rules import (
    CODE_TOPICS,
    FIELD_NAMES,
    RULE_SETS,
    SECTIONS,
    SHARED_TOPICS,
    TOPIC_SECTIONS,
    basis,
    cite,
    get_rules,
    page,
)
from buraco.texts import text, texts

SOURCES = {
    "aberto": "000",
    "classico": "001",
    "aberto-104": "002",
    "aberto-sujo": "002",
    "fechado": "002",
    "fechado-stcl": "002",
    "fechado-sujo": "002",
    "burraco": "003",
    "fechado-50": "004",
    "burraco-fibur": "005",
}
PAGE = Path(__file__).parents[2] / "docs" / "rules-sources.md"

# Cells that the rules mark as decided, field by field.
DECIDED = {
    "player_counts": {"burraco", "burraco-fibur"},
    "value_joker": {"classico"},
    "run_length_max": {"burraco"},
    "up_card": {"classico", "burraco"},
    "pile_closed": {"classico", "burraco"},
    "single_card_barred": {"classico", "aberto-104", "aberto-sujo", "burraco"},
    "wild_move": {"aberto", "classico", "burraco"},
    "natural_two_pressed": {"classico", "burraco"},
    "direct_morto": {"classico", "fechado-50"},
    "close_by_meld": {"classico", "fechado-50"},
    "closing_discard_wild": set(SOURCES) - {"burraco-fibur"},
    "stock_refill": {"aberto-104", "aberto-sujo", "fechado", "fechado-stcl", "fechado-sujo"},
    "bonus_dirty": {"classico", "fechado-50"},
    "bonus_clean": {"classico", "fechado-50"},
    "unplayed_morto": set(SOURCES) - {"aberto-sujo", "burraco-fibur"},
    "target_points": {"aberto-104", "aberto-sujo", "fechado", "fechado-stcl", "fechado-sujo", "fechado-50"},
    "tie_break": {"classico", "burraco", "fechado-50"},
    "first_dealer": {"aberto-104", "aberto-sujo", "fechado", "fechado-stcl", "fechado-sujo", "fechado-50"},
}


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_topic_of_every_rule_set_is_cited(name: str) -> None:
    for topic in (*FIELD_NAMES, *SHARED_TOPICS):
        citation = cite(RULE_SETS[name], topic)
        assert (citation.rule_set, citation.topic, citation.source) == (name, topic, SOURCES[name])
        assert re.fullmatch(r"\d+(\.\d)?", citation.paragraph)
        assert citation.section in page(RULE_SETS[name])
        assert not citation.decision or citation.decision.endswith(".")


@pytest.mark.parametrize("field", DECIDED)
def test_our_decisions_are_told_from_the_sources(field: str) -> None:
    assert {name for name in RULE_SETS if cite(RULE_SETS[name], field).decision} == DECIDED[field]


@pytest.mark.parametrize("code", [code for code in CODES if code != "legal"])
def test_every_refusal_code_is_cited(code: str) -> None:
    for name, rules in RULE_SETS.items():
        citation = cite(rules, code)
        assert citation.topic == CODE_TOPICS[code]
        assert SOURCES[name] in str(citation)


def test_each_topic_stands_in_one_section() -> None:
    assert set(TOPIC_SECTIONS) == {*FIELD_NAMES, *SHARED_TOPICS}
    assert set(TOPIC_SECTIONS.values()) == set(SECTIONS)


def test_a_citation_reads_well() -> None:
    sourced = cite(get_rules("aberto"), "card_barred")
    assert str(sourced) == "aberto, section 6. The pile (000 §3)"
    assert sourced.short == "000 §3"
    decided = cite(get_rules("classico"), "card_barred")
    assert str(decided) == ("classico, section 6. The pile (our decision beside 001 §17): The text has no such ban.")
    mode = cite(get_rules("fechado-sujo"), "close_canasta")
    assert mode.short == "002 §12.5"


def test_a_changed_field_is_a_house_rule_and_the_others_keep_their_source() -> None:
    house = get_rules("aberto").replace(name="home", single_card_barred=False)
    assert cite(house, "card_barred").short == "house rule"
    assert str(cite(house, "card_barred")) == "home, section 6. The pile (house rule)"
    assert cite(house, "close_morto").short == "000 §6"
    assert cite(house, "turn").short == "000 §3"


def test_house_rules_rest_on_their_name_or_on_the_nearest_rule_set() -> None:
    for rules in RULE_SETS.values():
        assert basis(rules) is rules
        assert basis(rules.replace(name="home", canasta_size=8)).name == rules.name
        assert basis(rules.replace(title="Same name", canasta_size=8)).name == rules.name


def test_an_unknown_topic_is_refused_with_near_ones() -> None:
    with pytest.raises(RulesError, match="must_draw") as caught:
        cite(get_rules("aberto"), "must_drew")
    assert caught.value.code == "unknown_topic"


def test_no_decision_is_left_without_use() -> None:
    used = {cite(rules, topic).decision for rules in RULE_SETS.values() for topic in (*FIELD_NAMES, *SHARED_TOPICS)}
    assert {text(key) for key in texts() if key.startswith("decision.")} == used - {""}


def test_the_page_of_sources_tells_every_cited_paragraph() -> None:
    told = PAGE.read_text(encoding="utf-8")
    for rules in RULE_SETS.values():
        for topic in (*FIELD_NAMES, *SHARED_TOPICS):
            citation = cite(rules, topic)
            _, found, rest = told.partition(f"\n## {citation.source} ")
            assert found, citation.source
            section = rest.partition("\n## ")[0]
            assert f"| {citation.paragraph} |" in section, str(citation)
