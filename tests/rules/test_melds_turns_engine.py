"""The known cases of turn ends, closed piles, openings and deal scores, asked of the engine by its public door."""

from __future__ import annotations

import pytest

from buraco.engine import Deal
from buraco.errors import IllegalAction
from buraco.rules import RuleSet
from tests.oracle import Table, parse_meld
from tests.oracle.bridge import ADD_BASE, RUN_BASE, TAKE_PILE, add_id, discard_id, new_meld_id
from tests.rules.case_tables import applied, identified
from tests.rules.setups import ended_position_of, position_of, settles
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

LAY_ROWS = [row for row in applied(LAYS) if settles(row[0], row[1].took_morto, row[1].mortos_left)]
DISCARD_ROWS = [row for row in applied(DISCARDS) if settles(row[0], row[1].took_morto, row[1].mortos_left)]
PILE_ROWS = applied(PILES)
OPENING_ROWS = applied(OPENINGS)
SCORE_ROWS = applied(SCORES)

FILL = ("3c", "4d", "6s", "8d", "9c", "Jd", "Qs", "Kh", "5h", "7s")


def refused_unchanged(deal: Deal, action: int) -> None:
    """Assert that a refused action raises and changes nothing."""
    before = deal.dump()
    with pytest.raises(IllegalAction):
        deal.apply(action)
    assert deal.dump() == before


@pytest.mark.parametrize(("rules", "case"), LAY_ROWS, ids=identified(LAY_ROWS))
def test_a_play_is_refused_when_the_turn_could_not_end(rules: RuleSet, case: AddOrLay) -> None:
    deal = Deal.from_position(
        position_of(rules, case.hand.split(), table_of(case.melds, case.took_morto, case.mortos_left, case.barred))
    )
    layout = parse_meld(case.layout)
    if case.index is None:
        action = new_meld_id(layout)
    else:
        action = add_id(case.index, parse_meld(case.melds[case.index]), case.card, layout)
    assert (deal.check(action) == 0) is case.allowed
    assert (action in deal.legal()) is case.allowed
    if not case.allowed:
        refused_unchanged(deal, action)


@pytest.mark.parametrize(("rules", "case"), DISCARD_ROWS, ids=identified(DISCARD_ROWS))
def test_the_last_card_is_discarded_only_for_a_morto_or_a_close(rules: RuleSet, case: Discard) -> None:
    deal = Deal.from_position(
        position_of(rules, case.hand.split(), table_of(case.melds, case.took_morto, case.mortos_left, case.barred))
    )
    action = discard_id(case.card)
    assert (deal.check(action) == 0) is case.allowed
    if not case.allowed:
        refused_unchanged(deal, action)


@pytest.mark.parametrize(("rules", "case"), PILE_ROWS, ids=identified(PILE_ROWS))
def test_a_closed_pile_needs_a_use_for_its_top_card(rules: RuleSet, case: Pile) -> None:
    table = table_of(case.melds, case.took_morto, case.mortos_left)
    pile = [*FILL[: case.below], case.top]
    deal = Deal.from_position(position_of(rules, case.hand.split(), table, phase="draw", pile=pile))
    assert (deal.check(TAKE_PILE) == 0) is case.allowed
    if not case.allowed:
        refused_unchanged(deal, TAKE_PILE)


@pytest.mark.parametrize(("rules", "case"), OPENING_ROWS, ids=identified(OPENING_ROWS))
def test_an_opening_begins_only_if_it_can_reach_its_minimum(rules: RuleSet, case: Opening) -> None:
    deal = Deal.from_position(position_of(rules, case.hand.split(), Table(), opening_need=case.need))
    assert any(RUN_BASE <= action < ADD_BASE for action in deal.legal()) is case.allowed


@pytest.mark.parametrize(("rules", "case"), SCORE_ROWS, ids=identified(SCORE_ROWS))
def test_a_side_scores_its_melds_less_its_hands_and_penalties(rules: RuleSet, case: Score) -> None:
    deal = Deal.from_position(ended_position_of(rules, case.end))
    assert deal.score(0) == case.total
