"""Greedy play keeps the hand able to close: it spoils no clean canasta, and keeps a card that may close."""

from __future__ import annotations

import pytest

from buraco.cards import is_wild_card
from buraco.engine import Deal, unpack
from buraco.engine.constants import ACTION_RUN, PHASE_PLAY, POLICY_GREEDY
from buraco.rules import RULE_SETS

DEALS = 12


def clean_canastas(deal: Deal, side: int) -> int:
    """Return how many clean canastas a side has on the table."""
    shapes = [unpack(packed) for packed in deal.meld_list(side)]
    return sum(not shape.has_wild and shape.size >= deal.rules.canasta_size for shape in shapes)


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_greedy_spoils_no_clean_canasta_and_keeps_a_card_to_close_with(name: str) -> None:
    rules, plays = RULE_SETS[name], 0
    for seed in range(DEALS):
        deal = Deal(rules, max(rules.player_counts), seed=seed)
        while not deal.over:
            seat, action = deal.seat, deal.choose(POLICY_GREEDY)
            before, free = clean_canastas(deal, seat & 1), deal.phase == PHASE_PLAY
            deal.apply(action)
            # A top card that must be used may leave no better use.
            assert clean_canastas(deal, seat & 1) >= before or not free
            position = deal.position()
            if action < ACTION_RUN or position.phase != "play":
                continue
            plays += 1
            if seat & 1 in position.morto_owner and not rules.closing_discard_wild:
                # The hand can only be closed by a card that is neither a 2 nor a joker.
                assert not all(is_wild_card(card) for card in deal.hand(seat))
    assert plays > DEALS
