"""Views: nothing hidden, and legal actions for the seat to act only."""

from __future__ import annotations

import random

import pytest

from buraco.engine.determinize import determinize
from buraco.engine.view import view_of
from buraco.errors import PositionError
from tests.unit.making import game_sets
from tests.unit.walking import deal_states


@pytest.mark.parametrize(("name", "players"), game_sets())
def test_what_a_seat_cannot_see_changes_nothing_in_its_view(name: str, players: int) -> None:
    states = list(deal_states(name, players, 23))
    for deal in random.Random(2).sample(states, min(8, len(states))):
        for seat in (None, *range(players)):
            view = view_of(deal, seat, 5)
            # The same view with the hidden cards in other places.
            assert view_of(determinize(view, 99), seat, 5) == view


def test_only_the_seat_to_act_has_legal_actions() -> None:
    deal = next(deal_states("aberto", 4, 0))
    acting = deal.seat
    assert view_of(deal, acting).legal == tuple(deal.legal())
    assert view_of(deal, acting).to_act
    for seat in (None, *(seat for seat in range(4) if seat != acting)):
        assert view_of(deal, seat).legal == ()


def test_nobody_acts_when_the_deal_is_over() -> None:
    *_, last = deal_states("aberto", 4, 0)
    assert [view_of(last, seat).legal for seat in (None, 0, 1, 2, 3)] == [()] * 5


def test_a_seat_has_its_hand_and_a_spectator_none() -> None:
    deal = next(deal_states("burraco", 4, 0))
    assert view_of(deal, 2).hand == deal.hand(2)
    assert view_of(deal, None).hand == ()


def test_a_seat_that_is_not_there_has_no_view() -> None:
    with pytest.raises(PositionError) as caught:
        view_of(next(deal_states("aberto", 4, 0)), 4)
    assert caught.value.code == "no_seat"
