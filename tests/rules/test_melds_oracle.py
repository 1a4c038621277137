"""The known cases of melds, additions and points, asked of the oracle."""

from __future__ import annotations

import pytest

from buraco.rules import RULE_SETS, RuleSet
from tests.oracle import additions, best_reading, card_points, meld_points, parse_meld, readings, text_of
from tests.oracle.points import is_clean
from tests.rules.case_tables import (
    ADDITIONS,
    BEST,
    POINTS,
    READINGS,
    AdditionCase,
    BestCase,
    PointCase,
    ReadingCase,
    applied,
    identified,
)
from tests.rules.setups import pack_of

READING_ROWS = applied(READINGS)
ADDITION_ROWS = applied(ADDITIONS)
POINT_ROWS = applied(POINTS)
BEST_ROWS = applied(BEST)


@pytest.mark.parametrize(("rules", "case"), READING_ROWS, ids=identified(READING_ROWS))
def test_cards_have_exactly_the_stated_readings(rules: RuleSet, case: ReadingCase) -> None:
    assert readings(case.cards.split(), rules) == {parse_meld(layout) for layout in case.layouts}


@pytest.mark.parametrize(("rules", "case"), ADDITION_ROWS, ids=identified(ADDITION_ROWS))
def test_addition_gives_exactly_the_stated_melds(rules: RuleSet, case: AdditionCase) -> None:
    expected = {parse_meld(layout) for layout in case.layouts}
    assert additions(parse_meld(case.meld), case.card, rules) == expected


@pytest.mark.parametrize(("rules", "case"), POINT_ROWS, ids=identified(POINT_ROWS))
def test_meld_scores_the_stated_cards_and_bonus(rules: RuleSet, case: PointCase) -> None:
    meld = parse_meld(case.meld)
    assert meld in readings(meld.cards, rules) or not rules.sets
    points = meld_points(meld, rules, case.at_once)
    assert (points.cards, points.bonus) == (case.cards, case.bonus)


@pytest.mark.parametrize(("rules", "case"), BEST_ROWS, ids=identified(BEST_ROWS))
def test_loose_cards_score_by_their_best_reading(rules: RuleSet, case: BestCase) -> None:
    best = best_reading(case.cards.split(), rules)
    assert best is not None
    assert best[1].total == case.total
    assert text_of(best[0]) in case.layouts


def test_a_bonus_of_zero_is_zero() -> None:
    """C5: no default takes the place of a zero."""
    rules = RULE_SETS["aberto"].replace(bonus_dirty=0)
    points = meld_points(parse_meld("2h 4h 5h 6h 7h 8h 9h"), rules)
    assert (points.cards, points.bonus, points.category) == (50, 0, "dirty")


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_two_in_the_middle_of_its_own_suit_is_dirty(name: str) -> None:
    """X8."""
    assert [is_clean(meld) for meld in readings(["3h", "4h", "2h", "6h"], RULE_SETS[name])] == [False]


WHOLE_PACK = {"BR": 960, "IT": 1080, "GD": 1080}


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_whole_pack_is_worth_what_the_scale_says(name: str) -> None:
    """C4, C9: 960, 1080 or 1080 points with four jokers, less their value where there are none."""
    rules = RULE_SETS[name]
    scale = {(20, 10): "BR", (30, 20): "IT", (50, 10): "GD"}[rules.value_joker, rules.value_two]
    missing = (4 - rules.joker_count) * rules.value_joker
    assert card_points(sorted(pack_of(rules).elements()), rules) == WHOLE_PACK[scale] - missing


CASES_EVERYWHERE = ("M1", "M3", "M7", "M9", "M10b", "M14-two", "M15a", "M15b", "M17", "M18", "M19", "M23", "M25", "M27")
CASES_WITH_JOKERS = ("M2", "M4", "M10a", "M10c", "M14", "M22a", "M22b", "C1", "X4", "X10-joker", "X10-nine", "X10-ace")
ADDITIONS_EVERYWHERE = ("M12", "M20", "M24", "X1", "X7-three", "X7-two", "S5.1", "S5.2", "S5.3-high-shut-two")
POINTS_EVERYWHERE = ("C4", "C10-A-K", "C10-2-A", "C10-twelve", "S5.1-clean")


@pytest.mark.parametrize("case", [*CASES_EVERYWHERE, *ADDITIONS_EVERYWHERE, *POINTS_EVERYWHERE])
def test_a_case_of_all_rule_sets_is_asked_of_all(case: str) -> None:
    assert rule_sets_of(case) == set(RULE_SETS)


@pytest.mark.parametrize("case", CASES_WITH_JOKERS)
def test_a_case_with_a_joker_is_asked_wherever_there_are_jokers(case: str) -> None:
    assert rule_sets_of(case) >= {name for name, rules in RULE_SETS.items() if rules.joker_count}


def rule_sets_of(case: str) -> set[str]:
    """Return the rule sets that a case is asked of, in whichever table it stands."""
    asked = [(rules.name, row.case) for rules, row in READING_ROWS]
    asked += [(rules.name, row.case) for rules, row in ADDITION_ROWS]
    asked += [(rules.name, row.case) for rules, row in POINT_ROWS]
    asked += [(rules.name, row.case) for rules, row in BEST_ROWS]
    return {name for name, asked_case in asked if asked_case == case}
