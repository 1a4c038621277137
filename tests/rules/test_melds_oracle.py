"""The known cases of melds, additions and points, asked of the oracle."""

from __future__ import annotations

import pytest

from buraco.rules import RULE_SETS, RuleSet
from tests.oracle import additions, best_reading, meld_points, parse_meld, readings, text_of
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
