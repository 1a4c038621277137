"""The ten rule sets, cell by cell, and the value that holds them."""

from __future__ import annotations

import dataclasses
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from buraco.errors import RulesError
from buraco.rules import FIELD_NAMES, FIELD_SPECS, RULE_SETS, RuleSet, get_rules, pack_points, pack_size
from tests.toy import TOYS

NAMES = (
    "aberto",
    "classico",
    "aberto-104",
    "aberto-sujo",
    "fechado",
    "fechado-stcl",
    "fechado-sujo",
    "burraco",
    "fechado-50",
    "burraco-fibur",
)

# The table of rules, written down once more: one row a field, one column a rule set in the order of NAMES.
_VALUE_ROWS: dict[str, tuple[Any, ...]] = {
    "value_joker": (20, 20, 20, 30, 20, 20, 20, 30, 50, 30),
    "value_two": (10, 10, 10, 20, 10, 10, 10, 20, 10, 20),
    "value_ace": (15,) * 10,
    "value_high": (10,) * 10,
    "value_low": (5,) * 10,
}
_PLAY_ROWS: dict[str, tuple[Any, ...]] = {
    "player_counts": ((4,), (4,), *(((2, 4),) * 8)),
    "pack_suits": ("cdhs",) * 10,
    "pack_ranks": ("A23456789TJQK",) * 10,
    "pack_copies": (2,) * 10,
    "joker_count": (4, 4, 0, 4, 4, 4, 4, 4, 4, 4),
    "hand_size": (11,) * 10,
    "morto_size": (11,) * 10,
    "sets": (False, True, False, True, True, False, True, True, False, True),
    "one_set_per_rank": (*((False,) * 9), True),
    "aces_both_ends": (True, True, True, False, True, True, True, False, True, False),
    "run_length_max": (14, 14, 14, 14, 14, 14, 14, 13, 14, 14),
    "wild_move": ("player", "free", "high", "high", "high", "high", "high", "low", "low", "low"),
    "wild_changes_ends": (False, False, False, False, False, False, False, True, False, True),
    "natural_two_pressed": (False, True, False, False, False, False, False, True, False, True),
    "up_card": (False, False, False, False, False, False, False, True, False, True),
    "first_turn_option": (True, True, *((False,) * 8)),
    "pile_closed": (False, False, False, False, True, True, True, False, True, False),
    "closed_top_wild": ("any", "any", "any", "any", "any", "any", "any", "any", "new_meld", "any"),
    "single_card_barred": (True, False, False, False, False, False, False, True, False, True),
    "opening": ("at_once", "over_turn", *(("none",) * 8)),
    "opening_minimum": (0, 50, *((0,) * 8)),
    "opening_vulnerable_minimum": (75, 75, *((0,) * 8)),
    "opening_vulnerable_from": (1500,) * 10,
    "opening_penalty": (0, 15, *((0,) * 8)),
    "cut_bonus": (0, 100, *((0,) * 8)),
    "cut_bonus_count": (22,) * 10,
    "direct_morto": (True, True, True, False, True, True, True, True, True, True),
}
_END_ROWS: dict[str, tuple[Any, ...]] = {
    "close_morto": ("taken", "taken", *(("none_left",) * 5), "taken", "taken", "taken"),
    "close_canasta": ("clean", "clean", "clean", "any", "clean", "clean", "any", "any", "clean", "any"),
    "close_by_meld": (False, True, True, False, True, True, True, False, True, False),
    "closing_discard_wild": (True, True, True, True, True, True, True, False, True, False),
    "stock_refill": (*((True,) * 9), False),
    "stock_end_count": (0, 0, 0, 0, 0, 0, 0, 2, 0, 2),
    "stalemate": (*(("turn_cap",) * 4), "none", "none", "none", "one_card_pile", "none", "one_card_pile"),
    "canasta_size": (7,) * 10,
    "bonus_dirty": (100,) * 10,
    "bonus_clean": (200,) * 10,
    "bonus_semi_clean": (*((None,) * 9), 150),
    "bonus_out": (100,) * 10,
    "morto_penalty": (100,) * 10,
    "morto_penalty_waived": (True, *((False,) * 9)),
    "unplayed_morto": (
        "penalty_unless_partner_out",
        "smaller",
        "penalty",
        "cards",
        "penalty",
        "penalty",
        "penalty",
        "cards",
        "cards",
        "cards",
    ),
    "unplayed_morto_points": (100,) * 10,
    "target_points": (3000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 0, 2005),
    "deal_count": (0, 0, 0, 0, 0, 0, 0, 0, 1, 0),
    "tie_break": ("another_deal", "another_deal", *(("starter",) * 5), "another_deal", "draw", "another_deal"),
    "first_dealer": ("random", "cut", *(("random",) * 5), "lowest_card", "random", "lowest_card"),
}
# What counts in the end: a missing category scores what an ordinary clean canasta scores.
_CLEAN_13 = (500, 200, 500, 500, 500, 500, 500, 200, 500, 200)
_CLEAN_14 = (1000, 200, 1000, None, 1000, 1000, 1000, None, 1000, None)
_ROWS = _VALUE_ROWS | _PLAY_ROWS | _END_ROWS


def test_the_ten_rule_sets_have_their_names_in_order() -> None:
    assert tuple(RULE_SETS) == NAMES
    assert all(get_rules(name).name == name for name in NAMES)
    assert len({rules.title for rules in RULE_SETS.values()}) == 10


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("field", sorted(_ROWS))
def test_each_cell_of_the_table(field: str, name: str) -> None:
    assert getattr(RULE_SETS[name], field) == _ROWS[field][NAMES.index(name)]


@pytest.mark.parametrize("name", NAMES)
def test_big_canastas_score_what_the_table_says(name: str) -> None:
    rules = RULE_SETS[name]
    thirteen = rules.bonus_clean if rules.bonus_clean_13 is None else rules.bonus_clean_13
    fourteen = rules.bonus_clean if rules.bonus_clean_14 is None else rules.bonus_clean_14
    assert thirteen == _CLEAN_13[NAMES.index(name)]
    expected = _CLEAN_14[NAMES.index(name)]
    assert (fourteen if rules.aces_both_ends else None) == expected
    assert rules.clean_13_from_ace == rules.big_canasta_at_once == (name == "fechado-50")


@pytest.mark.parametrize("name", NAMES)
def test_the_turns_of_a_stalemate(name: str) -> None:
    expected = {"turn_cap": 20, "one_card_pile": 4}
    rules = RULE_SETS[name]
    assert rules.stalemate == "none" or rules.turn_cap == expected[rules.stalemate]


def test_every_field_is_in_the_table() -> None:
    apart = {
        "name",
        "title",
        "bonus_clean_13",
        "bonus_clean_14",
        "clean_13_from_ace",
        "big_canasta_at_once",
        "turn_cap",
    }
    assert set(_ROWS) | apart == set(FIELD_NAMES)


def test_whole_packs_are_worth_their_scale() -> None:
    worth = [pack_points(RULE_SETS[name]) for name in NAMES]
    assert worth == [960, 960, 880, 1080, 960, 960, 960, 1080, 1080, 1080]
    assert [pack_size(RULE_SETS[name]) for name in NAMES] == [108, 108, 104, *([108] * 7)]


def test_the_architecture_page_lists_the_fields_and_their_defaults() -> None:
    page = Path(__file__).parents[2] / "docs" / "architecture.md"
    table = page.read_text(encoding="utf-8").split("## The rule set")[1].split("\n\n`buraco.rules.RULE_SETS")[0]
    rows = [line.split("|")[1:3] for line in table.splitlines() if line.startswith("| `")]
    assert [name for row in rows for name in re.findall(r"`(\w+)`", row[0])] == list(FIELD_NAMES)
    defaults = {entry.name: entry.default for entry in dataclasses.fields(RuleSet)}
    for first, second in rows:
        names = re.findall(r"`(\w+)`", first)
        _, equals, told = second.partition("=")
        given = [part.strip().strip('"') for part in told.split(", ")] if equals else []
        if equals and names != ["player_counts"]:
            shown = [str(defaults[name]) for name in names]
            assert shown == (given * len(names) if len(given) == 1 else given), names


def test_a_rule_set_is_frozen_hashable_and_survives_pickling() -> None:
    rules = get_rules("aberto")
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.hand_size = 12  # type: ignore[misc]
    assert hash(rules) == hash(rules.replace())
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_the_table_of_rule_sets_is_read_only() -> None:
    with pytest.raises(TypeError):
        RULE_SETS["mine"] = get_rules("aberto")  # type: ignore[index]


def test_house_rules_by_replace_differ_in_the_given_fields_only() -> None:
    base = get_rules("aberto")
    house = base.replace(name="home", target_points=1500)
    assert (house.name, house.target_points) == ("home", 1500)
    assert house.replace(name="aberto", target_points=3000) == base
    assert dataclasses.replace(base, target_points=1500) == base.replace(target_points=1500)


def test_replacing_an_unknown_field_names_the_near_one() -> None:
    with pytest.raises(RulesError, match="hand_size") as caught:
        get_rules("aberto").replace(hand_sise=12, zzzzzz=1)
    assert caught.value.code == "unknown_field"
    assert len(caught.value.reasons) == 2


def test_an_unknown_name_names_the_near_ones() -> None:
    with pytest.raises(RulesError, match="burraco") as caught:
        get_rules("buraco")
    assert caught.value.code == "unknown_rules"
    with pytest.raises(RulesError) as caught:
        get_rules("7")
    assert "?" not in caught.value.message


def test_every_field_has_a_spec_that_its_default_meets() -> None:
    for entry in dataclasses.fields(RuleSet):
        spec = FIELD_SPECS[entry.name]
        counted = spec.kind in ("integer", "optional_integer", "counts")
        assert bool(spec.unit) == counted, entry.name
        if spec.kind == "choice":
            assert entry.default in spec.choices
        if spec.kind == "integer":
            assert isinstance(entry.default, int)
            assert spec.low <= entry.default <= spec.high


@pytest.mark.parametrize("name", sorted(TOYS))
def test_the_toys_are_small(name: str) -> None:
    assert TOYS[name].name == name
    assert 13 <= pack_size(TOYS[name]) <= 15
