"""The known cases of turn ends, closed piles, openings and deal scores, asked of the oracle."""

from __future__ import annotations

import pytest

from buraco.rules import RuleSet
from tests.oracle import (
    add_allowed,
    deal_score,
    discard_allowed,
    lay_allowed,
    opening_possible,
    parse_meld,
    pile_takeable,
)
from tests.rules.case_tables import applied, identified
from tests.rules.turn_tables import (
    DISCARDS,
    LAYS,
    OPENINGS,
    PILES,
    SCORES,
    AddOrLay,
    Discard,
    Opening,
    Pile,
    Score,
    table_of,
)

LAY_ROWS = applied(LAYS)
DISCARD_ROWS = applied(DISCARDS)
PILE_ROWS = applied(PILES)
OPENING_ROWS = applied(OPENINGS)
SCORE_ROWS = applied(SCORES)


@pytest.mark.parametrize(("rules", "case"), LAY_ROWS, ids=identified(LAY_ROWS))
def test_a_play_is_allowed_only_if_the_turn_can_end(rules: RuleSet, case: AddOrLay) -> None:
    table = table_of(case.melds, case.took_morto, case.mortos_left, case.barred)
    layout = parse_meld(case.layout)
    if case.index is None:
        allowed = lay_allowed(case.hand.split(), layout, table, rules)
    else:
        allowed = add_allowed(case.hand.split(), case.index, case.card, layout, table, rules)
    assert allowed is case.allowed


@pytest.mark.parametrize(("rules", "case"), DISCARD_ROWS, ids=identified(DISCARD_ROWS))
def test_a_last_card_goes_only_for_a_morto_or_a_close(rules: RuleSet, case: Discard) -> None:
    table = table_of(case.melds, case.took_morto, case.mortos_left, case.barred)
    assert discard_allowed(case.hand.split(), case.card, table, rules) is case.allowed


@pytest.mark.parametrize(("rules", "case"), PILE_ROWS, ids=identified(PILE_ROWS))
def test_a_closed_pile_is_taken_only_with_a_use_for_its_top_card(rules: RuleSet, case: Pile) -> None:
    table = table_of(case.melds, case.took_morto, case.mortos_left)
    assert pile_takeable(case.hand.split(), case.top, case.below, table, rules) is case.allowed


@pytest.mark.parametrize(("rules", "case"), OPENING_ROWS, ids=identified(OPENING_ROWS))
def test_an_opening_needs_its_minimum_in_card_values(rules: RuleSet, case: Opening) -> None:
    assert opening_possible(case.hand.split(), case.need, table_of((), False, 2), rules) is case.allowed


@pytest.mark.parametrize(("rules", "case"), SCORE_ROWS, ids=identified(SCORE_ROWS))
def test_a_side_scores_its_melds_less_its_hands_and_penalties(rules: RuleSet, case: Score) -> None:
    assert deal_score(case.end, 0, rules) == case.total
