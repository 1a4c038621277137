"""The generated rules page and the difference of two rule sets."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import pytest

from buraco.rules import (
    FIELD_NAMES,
    FIELD_SPECS,
    RULE_SETS,
    SECTIONS,
    TOPIC_SECTIONS,
    VICTORY_DEALS,
    RuleSet,
    diff,
    get_rules,
    outline,
    page,
    plays_a_role,
    problems,
    show_field,
    statements,
    victory_points,
)
from buraco.rules.victory_points import victory_steps
from buraco.texts import texts

# For each field a rule set in which it is alive, and what to change; a triple names what must change before.
ALIVE: dict[str, tuple[str, dict[str, Any], Any]] = {
    "player_counts": ("fechado", {}, (2,)),
    "pack_suits": ("fechado", {"hand_size": 5}, "cdh"),
    "pack_ranks": ("classico", {"hand_size": 5}, "A23456789TJQ"),
    "pack_copies": ("burraco", {"hand_size": 4, "morto_size": 4}, 1),
    "joker_count": ("aberto", {}, 3),
    "hand_size": ("aberto", {}, 12),
    "morto_size": ("aberto", {}, 12),
    "sets": ("fechado", {}, False),
    "one_set_per_rank": ("fechado", {}, True),
    "aces_both_ends": ("classico", {}, False),
    "run_length_max": ("aberto-sujo", {}, 13),
    "wild_changes_ends": ("fechado", {}, True),
    "natural_two_pressed": ("fechado", {}, True),
    "up_card": ("fechado", {}, True),
    "first_turn_option": ("fechado", {}, True),
    "pile_closed": ("aberto", {"single_card_barred": False, "opening": "over_turn"}, True),
    "closed_top_wild": ("fechado", {}, "new_meld"),
    "single_card_barred": ("aberto", {}, False),
    "opening": ("aberto", {}, "over_turn"),
    "opening_minimum": ("classico", {}, 60),
    "opening_vulnerable_minimum": ("classico", {}, 90),
    "opening_vulnerable_from": ("classico", {}, 1000),
    "opening_penalty": ("classico", {}, 0),
    "cut_bonus": ("classico", {}, 0),
    "cut_bonus_count": ("classico", {}, 23),
    "stalemate": ("aberto", {}, "one_card_pile"),
    "turn_cap": ("aberto", {}, 21),
    "bonus_semi_clean": ("aberto", {}, 150),
    "bonus_clean_13": ("aberto", {}, None),
    "bonus_clean_14": ("aberto", {}, None),
    "clean_13_from_ace": ("aberto", {}, True),
    "unplayed_morto_points": ("aberto", {}, 90),
    "target_points": ("aberto", {}, 2500),
    "deal_count": ("aberto", {}, 4),
}


#: Packs and games that nobody plays, by what they lack: what their pages must not speak of.
ODD: dict[str, tuple[str, dict[str, Any]]] = {
    "no jokers, but sets and a closed pile": ("fechado", {"joker_count": 0}),
    "no jokers, top wild in a new meld": ("fechado-50", {"joker_count": 0}),
    "no jokers, no wild to close with": ("burraco", {"joker_count": 0}),
    "no wild cards": (
        "burraco",
        {
            "joker_count": 0,
            "pack_ranks": "3456789TJQK",
            "natural_two_pressed": False,
            "wild_changes_ends": False,
            "closing_discard_wild": True,
        },
    ),
    "no twos": ("burraco", {"pack_ranks": "3456789TJQK", "natural_two_pressed": False}),
    "no twos, closed pile": (
        "fechado",
        {"pack_ranks": "3456789TJQK", "aces_both_ends": False, "bonus_clean_13": None, "bonus_clean_14": None},
    ),
    "no twos, top wild in a new meld": (
        "fechado",
        {
            "pack_ranks": "3456789TJQK",
            "aces_both_ends": False,
            "bonus_clean_13": None,
            "bonus_clean_14": None,
            "closed_top_wild": "new_meld",
        },
    ),
    "one pack for two": (
        "burraco",
        {"pack_copies": 1, "player_counts": (2,), "hand_size": 7, "morto_size": 5},
    ),
    "one suit": ("aberto-104", {"pack_suits": "h", "player_counts": (2,), "hand_size": 3, "morto_size": 3}),
    "no bonus for closing, no penalty": ("fechado", {"bonus_out": 0, "morto_penalty": 0}),
    "no refill": ("aberto", {"stock_refill": False}),
    "no refill, one card left": ("aberto", {"stock_refill": False, "stock_end_count": 1}),
    "one turn is a stalemate": ("aberto", {"turn_cap": 1}),
    "one exchange is a stalemate": ("burraco", {"turn_cap": 1}),
    "a partner who may not be there": ("aberto", {"player_counts": (2,)}),
    "one minimum for all": ("classico", {"opening_minimum": 75}),
    "a draw only after all deals": ("fechado-50", {"target_points": 3000, "deal_count": 4}),
    "a draw after the only deal": ("fechado-50", {"target_points": 3000}),
    "a draw that cannot be": ("fechado-50", {"target_points": 3000, "deal_count": 0}),
    "a canasta of three": ("fechado", {"canasta_size": 3}),
    "a canasta of fourteen": ("aberto", {"canasta_size": 14, "bonus_clean_13": None}),
}


def odd(name: str) -> RuleSet:
    base, changes = ODD[name]
    return RULE_SETS[base].replace(**changes)


def _other_values(field: str, value: Any) -> Iterator[Any]:
    spec = FIELD_SPECS[field]
    if spec.kind == "boolean":
        yield not value
    elif spec.kind == "choice":
        yield from (choice for choice in spec.choices if choice != value)
    elif spec.kind in ("integer", "optional_integer"):
        yield spec.low if value is None or value == spec.high else value + 1
    elif spec.kind == "counts":
        yield from (counts for counts in ((2,), (4,), (2, 4)) if counts != value)
    elif spec.kind == "text":
        yield "another"


def _pair(field: str) -> tuple[RuleSet, RuleSet]:
    base, before, value = ALIVE.get(field, ("fechado", {}, None))
    first = RULE_SETS[base].replace(**before)
    if field not in ALIVE:
        value = next(_other_values(field, getattr(first, field)))
    return first, dataclasses.replace(first, **{field: value})


def _prose(rules: RuleSet) -> dict[str, list[str]]:
    return {section: [one.text for one in said] for section, said in statements(rules).items()}


@pytest.mark.parametrize("field", [field for field in FIELD_NAMES if field not in ("name", "title")])
def test_changing_a_field_changes_the_sentences_of_its_section(field: str) -> None:
    first, second = _pair(field)
    assert [entry.field for entry in diff(first, second)] == [field]
    section = TOPIC_SECTIONS[field]
    assert _prose(first)[section] != _prose(second)[section]


def _changed(rules: RuleSet, field: str) -> list[RuleSet]:
    """Return what a rule set becomes by each other value of a field that it can have alone."""
    values = {entry: getattr(rules, entry) for entry in FIELD_NAMES}
    tried = [values | {field: value} for value in _other_values(field, values[field])]
    return [RuleSet(**other) for other in tried if not problems(other)]


#: The rule sets in which a field can be changed alone.
CHANGEABLE = {field: [name for name in RULE_SETS if _changed(RULE_SETS[name], field)] for field in FIELD_NAMES}


@pytest.mark.parametrize(("field", "name"), [(field, name) for field, names in CHANGEABLE.items() for name in names])
def test_changing_any_field_changes_the_page(field: str, name: str) -> None:
    shown = page(RULE_SETS[name])
    for changed in _changed(RULE_SETS[name], field):
        assert page(changed) != shown
        assert "house rules" in page(changed)


def test_only_the_pack_cannot_be_changed_by_one_field_in_any_rule_set() -> None:
    assert {field for field, names in CHANGEABLE.items() if not names} == {"pack_suits", "pack_ranks", "pack_copies"}


def _sentences(rules: RuleSet) -> str:
    return " ".join(one for said in _prose(rules).values() for one in said)


@pytest.mark.parametrize("rules", [*RULE_SETS.values(), *map(odd, ODD)], ids=[*RULE_SETS, *ODD])
def test_a_page_speaks_only_of_cards_that_the_pack_has(rules: RuleSet) -> None:
    said = _sentences(rules).replace("and no jokers", "").replace("There are no wild cards", "")
    said = said.replace("row A 2 3 4 5 6 7 8 9 10 J Q K A", "")
    wilds = rules.joker_count > 0 or "2" in rules.pack_ranks
    assert ("oker" in said) == (rules.joker_count > 0)
    assert bool(re.search(r"\b[Aa] 2\b|\b[Tt]wos\b", said)) == ("2" in rules.pack_ranks)
    assert bool(re.search(r"\bwilds?\b|dirty", said.replace("no wild cards", ""))) == wilds
    assert ("identical" in said) == (rules.sets and rules.pack_copies == 2)
    assert ("twin" in said) == (rules.single_card_barred and rules.pack_copies == 2)
    assert ("partner" in said) == (4 in rules.player_counts)
    assert ("1 turns" in said, "0 points" in re.sub(r"\d0 points", "", said)) == (False, False)


@pytest.mark.parametrize("rules", [*RULE_SETS.values(), *map(odd, ODD)], ids=[*RULE_SETS, *ODD])
def test_a_field_that_plays_no_part_is_marked_and_said_in_no_sentence(rules: RuleSet) -> None:
    idle = {name for name in FIELD_NAMES if not plays_a_role(rules, name)}
    assert {one.field for one in outline(rules).fields if not one.alive} == idle
    told = re.findall(r"^- [^(\n]+ \((\w+)\): .* \(plays no part in these rules\) \[", page(rules), re.MULTILINE)
    assert set(told) == idle
    for one in outline(rules).fields:
        assert one.value == (rules.title if one.field == "title" else show_field(rules, one.field))
    for name in idle:
        others = {**{entry: getattr(rules, entry) for entry in FIELD_NAMES}}
        for value in _other_values(name, others[name]):
            changed = others | {name: value}
            if not problems(changed) and not plays_a_role(RuleSet(**changed), name):
                assert _prose(RuleSet(**changed)) == _prose(rules), (name, value)


def test_a_name_that_is_no_field_plays_no_part() -> None:
    assert not plays_a_role(get_rules("aberto"), "no_such_field")


def test_the_federation_page_tells_the_victory_points_and_no_other_does() -> None:
    told = [name for name, rules in RULE_SETS.items() if "victory points" in _sentences(rules)]
    assert told == ["burraco-fibur"]
    said = _sentences(get_rules("burraco-fibur"))
    for deals in VICTORY_DEALS:
        for low, high, (more, less) in victory_steps(deals)[:-1]:
            assert f"{low}–{high} {more}:{less}" in said
            assert victory_points(low, deals) == victory_points(high, deals) == (more, less)
    assert ">1500 20:0." in said
    assert ">2000 20:0." in said


def test_no_two_pages_are_equal() -> None:
    assert len({page(rules) for rules in RULE_SETS.values()}) == 10


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_page_has_all_sections_and_a_source_for_every_statement(name: str) -> None:
    shown = page(RULE_SETS[name])
    headings = re.findall(r"^## (\d+)\. ", shown, re.MULTILINE)
    assert headings == [str(number) for number in range(1, len(SECTIONS) + 1)]
    rules_part = shown.partition("## All fields")[0]
    lines = [line for line in rules_part.splitlines() if line.startswith("- ")]
    assert len(lines) == sum(len(said) for said in statements(RULE_SETS[name]).values())
    assert all(re.search(r"\[(our decision beside )?00\d §[\d.]+.*\]$", line) for line in lines)
    assert "house rule" not in shown
    assert "{" not in shown
    assert shown.endswith("\n")


@pytest.mark.parametrize("name", RULE_SETS)
def test_statements_stand_in_the_section_of_their_topics(name: str) -> None:
    stated = set()
    for section, said in statements(RULE_SETS[name]).items():
        for one in said:
            assert TOPIC_SECTIONS[one.topics[0]] == section
            stated |= set(one.topics)
    dead = {"name", "title", "turn_cap", "cut_bonus_count", "closed_top_wild", "clean_13_from_ace", "set_shape"}
    dead |= {field for field in FIELD_NAMES if field.startswith("opening_")}
    dead |= {"unplayed_morto_points", "target_points", "deal_count"}
    assert set(TOPIC_SECTIONS) - stated <= dead


def test_every_rule_text_is_used_by_some_rules() -> None:
    variants = [rules for field in FIELD_NAMES if field not in ("name", "title") for rules in _pair(field)]
    variants += [*RULE_SETS.values(), get_rules("aberto").replace(joker_count=1)]
    variants += [get_rules("fechado").replace(tie_break=word) for word in FIELD_SPECS["tie_break"].choices]
    variants += [get_rules("fechado").replace(wild_move=word) for word in FIELD_SPECS["wild_move"].choices]
    variants += [get_rules("aberto").replace(opening_minimum=50, opening_vulnerable_minimum=0)]
    variants += [get_rules("aberto").replace(deal_count=1), get_rules("burraco").replace(stock_end_count=1)]
    variants += [odd(name) for name in ODD]
    said = [one.text for rules in variants for part in statements(rules).values() for one in part]
    inner = ("rule.deal.stock_count", "rule.deal.stock_joint")
    for key, template in texts().items():
        if key.startswith("rule.") and key not in inner:
            pattern = re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(template)))
            assert any(pattern.fullmatch(sentence) for sentence in said), key


def test_the_page_tells_the_stock_of_each_number_of_players() -> None:
    stocks = {name: _prose(rules)["deal"] for name, rules in RULE_SETS.items()}
    assert "The other cards are the stock: 42 with 4 players." in stocks["aberto"]
    assert "The other cards are the stock: 60 with 2 players, 38 with 4 players." in stocks["aberto-104"]
    assert "The other cards are the stock: 64 with 2 players, 42 with 4 players." in stocks["fechado"]
    assert "The other cards are the stock: 63 with 2 players, 41 with 4 players." in stocks["burraco"]


def test_values_are_shown_in_words() -> None:
    rules = get_rules("aberto")
    assert show_field(rules, "hand_size") == "11 cards"
    assert show_field(rules, "sets") == "no"
    assert show_field(rules, "bonus_semi_clean") == "no such category"
    assert show_field(rules, "player_counts") == "four players"
    assert show_field(rules, "wild_move") == "the player says which end"


def test_the_difference_names_exactly_the_fields_that_differ() -> None:
    fechado, sujo = get_rules("fechado"), get_rules("fechado-sujo")
    assert [entry.field for entry in diff(fechado, sujo)] == ["name", "title", "close_canasta"]
    assert diff(fechado, sujo)[2] == ("close_canasta", "a clean canasta", "any canasta")
    assert diff(fechado, fechado) == ()


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_difference_to_any_rule_set_has_two_texts_that_differ(name: str) -> None:
    for other in RULE_SETS.values():
        assert all(left != right for _, left, right in diff(RULE_SETS[name], other))
