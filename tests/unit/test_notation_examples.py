"""Examples of rules pages: made from the fields of any rule set, and judged by the engine."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from buraco.cards import parse_cards
from buraco.engine import ordered_pack
from buraco.notation import Example, examples
from buraco.rules import RULE_SETS, RuleSet
from buraco.texts import has_text, languages

_ALL = tuple(RULE_SETS)


def _named(rules: RuleSet | str) -> dict[str, Example]:
    found = examples(RULE_SETS[rules] if isinstance(rules, str) else rules)
    named = {one.name: one for one in found}
    assert len(named) == len(found), "each example is there once"
    return named


def _code(example: Example) -> str:
    assert example.judgement is not None
    return example.judgement.code


@pytest.mark.parametrize("name", _ALL)
def test_every_rule_set_has_examples_of_most_of_its_sections_with_a_caption_each(name: str) -> None:
    found = examples(RULE_SETS[name])
    assert len(found) >= 30
    for one in found:
        assert one.groups, one.name
        for language in languages():
            assert has_text(f"example.{one.name}", language), (one.name, language)


@pytest.mark.parametrize("name", _ALL)
def test_no_example_shows_more_cards_than_the_pack_has(name: str) -> None:
    pack = Counter(ordered_pack(RULE_SETS[name]))
    for one in examples(RULE_SETS[name]):
        words = [word for group in one.groups if group.role not in ("after", "worth") for word in group.words]
        if one.name == "pile_single":
            # The card is drawn where it lay, and where it goes.
            words = words[1:]
        assert not Counter(parse_cards(" ".join(word.partition("=")[0] for word in words))) - pack, one.name


@pytest.mark.parametrize(
    ("field", "base", "to", "example", "before", "after"),
    [
        ("sets", "aberto", True, "set", "sets_not_allowed", ""),
        ("one_set_per_rank", "burraco", True, "set_twice", "", "rank_has_set"),
        ("close_canasta", "aberto", "any", "close_dirty", "close_needs_clean", ""),
        ("close_by_meld", "aberto", True, "close_meld", "close_needs_discard", ""),
        ("closing_discard_wild", "aberto", False, "close_wild", "", "close_wild_discard"),
        ("close_morto", "aberto", "none_left", "close_no_morto", "close_needs_morto", ""),
        ("direct_morto", "aberto", False, "morto_meld", "", "no_direct_morto"),
        ("single_card_barred", "aberto", False, "pile_single", "card_barred", ""),
        ("closed_top_wild", "fechado", "new_meld", "pile_wild", "", "pile_unusable"),
        ("wild_changes_ends", "aberto", True, "wild_changes", "does_not_fit", ""),
        ("natural_two_pressed", "aberto", True, "two_pressed", "does_not_fit", ""),
    ],
)
def test_an_example_follows_the_field_that_it_shows(
    field: str, base: str, to: Any, example: str, before: str, after: str
) -> None:
    rules = RULE_SETS[base]
    assert getattr(rules, field) != to
    changed = rules.replace(**{field: to})
    assert (_code(_named(rules)[example]), _code(_named(changed)[example])) == (before, after)


def test_the_pile_is_taken_by_its_kind() -> None:
    assert _code(_named("aberto")["pile_no_use"]) == ""
    assert _code(_named("fechado")["pile_no_use"]) == "pile_unusable"
    assert _code(_named("fechado")["pile_use"]) == ""


def test_where_the_player_chooses_every_result_is_drawn() -> None:
    def after(rules: str, name: str) -> list[str]:
        return [" ".join(group.words) for group in _named(rules)[name].groups if group.role == "after"]

    assert after("aberto", "wild_moves") == ["X=4 5h 6h 7h", "5h 6h 7h X=8"]
    assert after("fechado-stcl", "wild_moves") == ["5h 6h 7h X=8"]
    assert after("classico", "wild_rests") == ["X=4 5h 6h 7h", "5h 6h 7h X=8"]
    assert after("aberto", "two_home") == ["2h 3h 4h 5h"]


def test_an_opening_that_is_too_small_is_refused_or_comes_back() -> None:
    at_once, over_turn = _named("aberto")["opening_short"], _named("classico")["opening_short"]
    assert (_code(at_once), at_once.returned) == ("opening_short", False)
    assert (_code(over_turn), over_turn.returned) == ("", True)
    enough = _named("aberto")["opening_enough"]
    assert _code(enough) == ""
    assert [group.points for group in enough.groups] == [105]
    assert "opening_enough" not in _named("fechado")


def test_canastas_and_cards_are_drawn_with_what_they_are_worth() -> None:
    def worth(rules: str, name: str) -> tuple[str, int]:
        (group,) = _named(rules)[name].groups
        return group.category, group.points

    assert worth("aberto", "bonus_thirteen") == ("clean_13", 500)
    assert worth("classico", "bonus_thirteen") == ("clean", 200)
    assert worth("burraco-fibur", "bonus_semi_clean") == ("semi_clean", 150)
    assert worth("aberto", "bonus_semi_clean") == ("dirty", 100)
    values = _named("fechado-50")["values"].groups
    assert {group.words: group.points for group in values}[("X",)] == RULE_SETS["fechado-50"].value_joker


@pytest.mark.parametrize(
    "changes",
    [
        {
            "pack_suits": "c",
            "pack_ranks": "345678",
            "joker_count": 0,
            "hand_size": 2,
            "morto_size": 2,
            "canasta_size": 3,
        },
        {"pack_ranks": "789TJQK", "canasta_size": 5, "hand_size": 4, "morto_size": 4},
        {"joker_count": 0},
        {"canasta_size": 14, "bonus_clean_13": None},
        {"opening_vulnerable_minimum": 150},
        {"value_high": 0, "value_low": 0, "opening": "over_turn", "opening_vulnerable_minimum": 200},
    ],
)
def test_strange_house_rules_have_the_examples_that_their_pack_has_the_cards_for(changes: dict[str, Any]) -> None:
    small: dict[str, Any] = {
        "aces_both_ends": False,
        "bonus_clean_13": None,
        "bonus_clean_14": None,
        "player_counts": (2,),
    }
    small |= {"opening": "none", "opening_vulnerable_minimum": 0}
    rules = RULE_SETS["aberto"].replace(**((small if "pack_ranks" in changes else {}) | changes))
    found = _named(rules)
    assert "values" in found
    assert all(one.groups for one in found.values())
