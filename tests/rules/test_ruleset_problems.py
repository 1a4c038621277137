"""Impossible rule sets: every reason, and all reasons at once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from buraco.errors import RulesError
from buraco.rules import FIELD_NAMES, FIELD_SPECS, RULE_SETS, RuleSet, faults, get_rules, problems
from buraco.texts import texts

Values = dict[str, Any]


def _values(base: str, **changes: Any) -> Values:
    values: Values = {name: getattr(RULE_SETS[base], name) for name in FIELD_NAMES}
    return values | changes


def _codes(base: str, **changes: Any) -> set[str]:
    return {fault.code for fault in faults(_values(base, **changes))}


SMALL: Values = {"aces_both_ends": False, "bonus_clean_13": None, "bonus_clean_14": None}

# Each impossible mix: its code, a rule set that is possible, the change that makes it impossible.
MIXES: list[tuple[str, str, Values]] = [
    ("pack_too_small", "aberto", {"hand_size": 21}),
    ("pack_too_small", "burraco", {"stock_end_count": 39}),
    ("pack_too_small", "aberto-104", {"morto_size": 30}),
    ("sets_out_of_reach", "fechado", SMALL | {"pack_suits": "c", "pack_copies": 1, "hand_size": 2}),
    ("sets_out_of_reach", "fechado", SMALL | {"pack_suits": "c", "pack_ranks": "345", "joker_count": 0}),
    ("one_set_without_sets", "aberto", {"one_set_per_rank": True}),
    ("one_set_without_sets", "burraco-fibur", {"sets": False}),
    ("aces_need_fourteen", "aberto", {"run_length_max": 13}),
    ("aces_need_fourteen", "burraco", {"aces_both_ends": True}),
    ("aces_pack_short", "aberto", {"pack_copies": 1, "hand_size": 5, "morto_size": 5}),
    ("aces_pack_short", "classico", {"pack_ranks": "23456789TJQK", "hand_size": 5}),
    ("aces_pack_short", "classico", {"pack_ranks": "A23456789TJ", "hand_size": 5}),
    ("two_pressed_without_twos", "classico", {"pack_ranks": "3456789TJQK", "aces_both_ends": False}),
    ("wild_rule_without_wilds", "fechado-50", SMALL | {"pack_ranks": "3456789TJQK", "joker_count": 0}),
    ("wild_rule_without_wilds", "burraco", {"pack_ranks": "3456789TJQK", "joker_count": 0}),
    ("single_card_closed", "fechado", {"single_card_barred": True}),
    ("single_card_closed", "aberto", {"pile_closed": True}),
    ("top_wild_open", "aberto", {"closed_top_wild": "new_meld"}),
    ("endless_deal", "aberto", {"stalemate": "none"}),
    ("endless_deal", "fechado", {"pile_closed": False}),
    ("endless_openings", "fechado", {"opening": "over_turn", "opening_minimum": 50}),
    ("stalemate_closed", "fechado", {"stalemate": "turn_cap"}),
    ("stalemate_closed", "fechado", {"stalemate": "one_card_pile"}),
    ("minimum_without_opening", "fechado", {"opening_minimum": 50}),
    ("minimum_without_opening", "fechado", {"opening_vulnerable_minimum": 50}),
    ("minimum_without_opening", "fechado", {"opening_penalty": 15}),
    ("opening_without_minimum", "fechado", {"opening": "at_once"}),
    ("opening_without_minimum", "aberto", {"opening_vulnerable_minimum": 0}),
    ("opening_penalty_at_once", "aberto", {"opening_penalty": 15}),
    ("opening_too_high", "aberto", {"opening_minimum": 152}),
    # Dear twos do not make a minimum small: what counts is how many plain cards it takes.
    ("opening_too_high", "aberto", {"opening_minimum": 6000, "value_two": 8795, "value_low": 52}),
    ("opening_too_high", "aberto", {"value_low": 1}),
    ("opening_too_high", "aberto", {"opening_vulnerable_minimum": 152}),
    ("opening_out_of_reach", "aberto", {"opening_minimum": 961}),
    ("opening_out_of_reach", "classico", {"opening_vulnerable_minimum": 961}),
    ("cut_out_of_reach", "aberto-104", {"cut_bonus": 100, "cut_bonus_count": 104}),
    ("canasta_out_of_reach", "aberto-sujo", {"canasta_size": 14, "bonus_clean_13": None, "run_length_max": 13}),
    ("canasta_out_of_reach", "aberto", SMALL | {"canasta_size": 14}),
    ("semi_clean_out_of_reach", "aberto-sujo", {"bonus_semi_clean": 150, "canasta_size": 14}),
    ("semi_clean_out_of_reach", "aberto", SMALL | {"bonus_semi_clean": 150, "pack_ranks": "345678"}),
    ("clean_13_out_of_reach", "aberto", {"pack_ranks": "A23456789TJQ", "aces_both_ends": False}),
    ("clean_13_out_of_reach", "aberto", {"canasta_size": 14}),
    ("clean_14_out_of_reach", "aberto", {"aces_both_ends": False}),
    ("from_ace_without_bonus", "classico", {"clean_13_from_ace": True}),
    ("at_once_without_bonus", "classico", {"big_canasta_at_once": True}),
    ("match_without_end", "aberto", {"target_points": 0}),
    ("match_without_end", "fechado-50", {"deal_count": 0}),
]

# Each wrong value: its code, the field, the value.
WRONG: list[tuple[str, str, object]] = [
    ("type", "hand_size", True),
    ("type", "hand_size", 11.0),
    ("type", "hand_size", "11"),
    ("type", "hand_size", None),
    ("type", "sets", 1),
    ("type", "sets", "yes"),
    ("type", "opening", 3),
    ("type", "opening", None),
    ("type", "player_counts", [2, 4]),
    ("type", "player_counts", (True,)),
    ("type", "player_counts", 4),
    ("type", "bonus_clean_13", False),
    ("type", "pack_suits", ("c", "d")),
    ("type", "pack_ranks", None),
    ("type", "title", 5),
    ("missing", "name", None),
    ("missing", "title", None),
    ("range", "hand_size", 1),
    ("range", "hand_size", -11),
    ("range", "hand_size", 10**5000),
    ("range", "morto_size", 1),
    ("range", "run_length_max", 12),
    ("range", "run_length_max", 15),
    ("range", "turn_cap", 0),
    ("range", "canasta_size", 2),
    ("range", "canasta_size", 15),
    ("range", "pack_copies", 0),
    ("range", "pack_copies", 3),
    ("range", "joker_count", 5),
    ("range", "joker_count", -1),
    ("range", "bonus_dirty", -1),
    ("range", "bonus_semi_clean", 10_001),
    ("range", "cut_bonus_count", 0),
    ("counts", "player_counts", (3,)),
    ("counts", "player_counts", (4, 2)),
    ("counts", "player_counts", ()),
    ("counts", "player_counts", (2, 2)),
    ("choice", "opening", "never"),
    ("choice", "wild_move", "High"),
    ("suits", "pack_suits", ""),
    ("suits", "pack_suits", "dc"),
    ("suits", "pack_suits", "cc"),
    ("suits", "pack_suits", "cx"),
    ("ranks", "pack_ranks", "A3456"),
    ("ranks", "pack_ranks", "JQKA"),
    ("ranks", "pack_ranks", "A2"),
    ("ranks", "pack_ranks", "A23456789TJQKA"),
    ("name", "name", "My rules"),
    ("name", "name", "-rules"),
    ("name", "name", "é"),
    ("text", "name", ""),
    ("text", "name", "a" * 41),
    ("text", "title", "two\nlines"),
    ("text", "title", " blank"),
    ("text", "title", "\ud800"),
    ("text", "title", "t" * 81),
]


@pytest.mark.parametrize(("code", "base", "changes"), MIXES)
def test_an_impossible_mix_is_named(code: str, base: str, changes: Values) -> None:
    found = [fault for fault in faults(_values(base, **changes)) if fault.code == code]
    assert len(found) == 1
    assert set(changes) & set(found[0].fields)
    assert found[0].message in problems(_values(base, **changes))
    with pytest.raises(RulesError) as caught:
        RULE_SETS[base].replace(**changes)
    assert found[0].message in caught.value.reasons


@pytest.mark.parametrize(("code", "field", "value"), WRONG, ids=[f"{code}-{field}" for code, field, _ in WRONG])
def test_a_wrong_value_is_named_with_its_field(code: str, field: str, value: object) -> None:
    found = [fault for fault in faults(_values("classico", **{field: value})) if field in fault.fields]
    assert [(fault.code, fault.fields) for fault in found] == [(code, (field,))]
    assert found[0].message.startswith(field)
    assert len(found[0].message) < 300


def test_every_problem_text_is_shown_by_a_case() -> None:
    told = {key.removeprefix("problem.") for key in texts() if key.startswith("problem.")}
    assert told == {code for code, _, _ in MIXES} | {code for code, _, _ in WRONG}


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_ten_rule_sets_have_no_problems(name: str) -> None:
    assert problems(RULE_SETS[name]) == ()


def test_all_reasons_come_at_once() -> None:
    changes = {"hand_size": True, "opening": "nver", "pile_closed": True, "target_points": 0}
    codes = _codes("aberto", **changes)
    assert codes == {"type", "choice", "single_card_closed", "match_without_end"}
    with pytest.raises(RulesError) as caught:
        get_rules("aberto").replace(**changes)
    assert caught.value.code == "impossible_rules"
    assert len(caught.value.reasons) == 4
    assert any("never" in reason or "none" in reason for reason in caught.value.reasons)


def test_a_closed_pile_may_have_an_opening_over_the_turn_with_a_cap_on_turns() -> None:
    changes = {"opening": "over_turn", "opening_minimum": 50, "stalemate": "turn_cap"}
    assert _codes("fechado", **changes) == set()


def test_a_wild_king_lets_a_pack_without_kings_have_both_aces() -> None:
    changes: Values = {"pack_ranks": "A23456789TJQ", "hand_size": 9, "morto_size": 9}
    assert _codes("classico", **changes) == set()
    assert _codes("classico", **changes | {"pack_copies": 1}) >= {"aces_pack_short"}


def test_bonuses_and_values_of_zero_are_allowed() -> None:
    points = [name for name, spec in FIELD_SPECS.items() if spec.unit == "points" and not name.startswith("opening")]
    zero = {name: 0 for name in points if name != "target_points"}
    assert _codes("fechado", **zero) == set()


def test_a_mapping_may_leave_fields_to_their_defaults_but_not_the_name() -> None:
    assert problems({"name": "mine", "title": "Mine"}) == ()
    assert len(problems({})) == 2


_JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.tuples(st.integers(), st.integers())
)


@given(st.dictionaries(st.sampled_from(FIELD_NAMES), _JUNK, max_size=8), st.sampled_from(sorted(RULE_SETS)))
def test_construction_fails_exactly_where_problems_are_named(changes: Values, base: str) -> None:
    values = _values(base, **changes)
    named = problems(values)
    if named:
        with pytest.raises(RulesError) as caught:
            RuleSet(**values)
        assert caught.value.reasons == named
    else:
        assert problems(RuleSet(**values)) == ()


@given(st.data(), st.sampled_from(sorted(RULE_SETS)))
def test_values_within_bounds_are_no_wrong_values(data: st.DataObject, base: str) -> None:
    wrong = {code for code, _, _ in WRONG}
    name = data.draw(st.sampled_from([name for name, spec in FIELD_SPECS.items() if spec.kind != "text"]))
    spec = FIELD_SPECS[name]
    options: dict[str, st.SearchStrategy[Any]] = {
        "boolean": st.booleans(),
        "integer": st.integers(spec.low, max(spec.low, spec.high)),
        "optional_integer": st.none() | st.integers(spec.low, max(spec.low, spec.high)),
        "choice": st.sampled_from(spec.choices or ("",)),
        "counts": st.sampled_from([(2,), (4,), (2, 4)]),
        "suits": st.sampled_from(["c", "ds", "cdh", "cdhs"]),
        "ranks": st.sampled_from(["A23", "JQK", "789TJ", "A23456789TJQK"]),
    }
    value = data.draw(options[spec.kind])
    assert _codes(base, **{name: value}).isdisjoint(wrong)
