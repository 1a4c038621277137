"""Full states for views: exactly the view, everything public respected, the same for the same seed."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from buraco.engine.constants import PHASE_CHOICE, PHASE_PLAY, PHASE_TOP
from buraco.engine.determinize import determinize, fill
from buraco.engine.position import hide, public_hand, sees_everything, validate
from buraco.engine.shuffle import ordered_pack
from buraco.engine.view import view_of
from buraco.errors import PositionError
from tests.unit.making import fresh, game_sets, table
from tests.unit.walking import deal_states

STATES_WANTED = 12


@pytest.mark.parametrize(("name", "players"), game_sets())
def test_filled_view_looks_to_its_seat_like_the_view(name: str, players: int) -> None:
    states = list(deal_states(name, players, 11))
    for index, deal in enumerate(random.Random(1).sample(states, min(STATES_WANTED, len(states)))):
        for seat in (None, *range(players)):
            view = view_of(deal, seat)
            filled = determinize(view, index)
            assert hide(filled.position(), seat) == view.position
            assert view_of(filled, seat).legal == view.legal
            assert validate(filled.position()) == ()
            assert sees_everything(filled.position())


def test_the_same_seed_gives_the_same_state_and_another_one_another() -> None:
    view = view_of(next(deal_states("aberto", 4, 1)), 2)
    assert determinize(view, 7).dump() == determinize(view, 7).dump()
    assert determinize(view, 7).dump() != determinize(view, 8).dump()


def test_known_cards_stay_in_their_hands() -> None:
    position = table("aberto", "7h 8c Kd", "7c 7c 9s", "8h 9h Td", "Qd Ks", pile="4c", owners=(0, -1))
    known = replace(position, known=((), public_hand(position, 1)[:2], (), ()))
    for seed in range(20):
        filled = determinize(hide(known, 0), seed).position()
        assert not Counter(known.known[1]) - Counter(filled.hands[1])
        assert filled.known == known.known


def test_every_hidden_place_gets_every_card_sometimes() -> None:
    position = hide(fresh("aberto-104"), 0)
    seen: Counter[int] = Counter()
    for seed in range(300):
        hand = fill(position, random.Random(seed)).hands[1]
        assert hand is not None
        seen.update(hand)
    unseen = Counter(ordered_pack(position.rules)) - Counter(position.hands[0])
    assert set(seen) == set(unseen)
    # 93 hidden cards, 11 places: each copy of a card should come about 35 times in 300.
    assert all(10 * copies < seen[card] < 70 * copies for card, copies in unseen.items())


def test_a_complete_position_is_only_set_up() -> None:
    position = fresh("burraco")
    assert determinize(position, 1).position() == position


def test_a_position_with_the_wrong_number_of_cards_is_refused() -> None:
    position = replace(hide(fresh("aberto"), 0), stock_count=10)
    with pytest.raises(PositionError):
        determinize(position, 1)


def test_someone_in_the_middle_of_a_turn_can_go_on() -> None:
    # Seat 1 has one card left and may not close: it must hold one that it can add, or the position could not be.
    going_on = [
        bool(determinize(view_of(deal, 0), 5).legal())
        for deal in deal_states("fechado", 4, 3)
        if deal.phase in (PHASE_CHOICE, PHASE_PLAY, PHASE_TOP) and deal.seat == 1
    ]
    assert set(going_on) == {True}
