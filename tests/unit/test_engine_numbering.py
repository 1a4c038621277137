"""The numbering of actions: every number is one action, every action one number, in the documented order."""

from __future__ import annotations

from collections import Counter

from buraco.cards import NO_CARD, parse_card
from buraco.engine.constants import (
    ACTION_ADD,
    ACTION_COUNT,
    ACTION_RUN,
    ACTION_SET,
    ADDS_PER_MELD,
    MELD_SLOTS,
    RUNS_PER_SUIT,
    SETS_PER_RANK,
)
from buraco.engine.numbering import action_meld, add_action, decode_add, meld_action
from buraco.engine.shapes import unpack
from tests.unit.making import MELDS


def run_of(suit: int, low: int, high: int, slot: int = 0, wild: int = NO_CARD) -> int:
    """A packed run."""
    return low | high << 4 | slot << 8 | wild << 12 | suit << 18


def test_the_parts_of_the_numbering_join_without_a_gap() -> None:
    assert ACTION_RUN + 4 * RUNS_PER_SUIT == ACTION_SET
    assert ACTION_SET + 12 * SETS_PER_RANK == ACTION_ADD
    assert ACTION_ADD + MELD_SLOTS * ADDS_PER_MELD == ACTION_COUNT


def test_every_number_of_a_meld_is_a_meld_of_its_own() -> None:
    melds = [action_meld(action) for action in MELDS]
    assert len(set(melds)) == len(MELDS)
    assert [meld_action(meld) for meld in melds] == list(MELDS)


def test_every_number_of_an_addition_is_an_addition_of_its_own() -> None:
    numbers = range(ACTION_ADD, ACTION_COUNT)
    parts = [decode_add(action) for action in numbers]
    assert len(set(parts)) == len(numbers)
    assert [add_action(*part) for part in parts] == list(numbers)
    assert {slot for slot, *_ in parts} == set(range(MELD_SLOTS))
    assert {how for _, _, how, _ in parts} == {0, 1, 2}
    assert {card for _, card, _, high in parts if high} == {suit * 13 for suit in range(4)}


def test_runs_come_by_suit_then_by_their_ends_then_by_the_wild() -> None:
    shapes = [unpack(action_meld(action)) for action in range(ACTION_RUN, ACTION_SET)]
    order = [(shape.suit, shape.low, shape.high, shape.wild_slot) for shape in shapes]
    assert order == sorted(order)
    assert all(shape.is_run and 3 <= shape.size <= 14 for shape in shapes)


def test_the_own_two_in_its_slot_is_no_wild() -> None:
    for action in range(ACTION_RUN, ACTION_SET):
        shape = unpack(action_meld(action))
        assert not (shape.wild_slot == 2 and shape.wild_card == shape.suit * 13 + 1)


def test_sets_come_by_rank_and_twos_have_none() -> None:
    shapes = [unpack(action_meld(action)) for action in range(ACTION_SET, ACTION_ADD)]
    ranks = [shape.rank for shape in shapes]
    assert ranks == sorted(ranks)
    assert Counter(ranks) == {rank: SETS_PER_RANK for rank in range(13) if rank != 1}
    assert all(3 <= shape.size <= 9 for shape in shapes)


def test_the_first_numbers_of_each_part_are_as_documented() -> None:
    assert action_meld(ACTION_RUN) == run_of(0, 1, 3)
    # The next two are the own suit's 2 and the 2 of the next suit as the low ace.
    assert action_meld(ACTION_RUN + 1) == run_of(0, 1, 3, 1, parse_card("2c"))
    assert action_meld(ACTION_RUN + 2) == run_of(0, 1, 3, 1, parse_card("2d"))
    assert decode_add(ACTION_ADD) == (0, 0, 0, 0)
    assert decode_add(ACTION_ADD + 159) == (0, 0, 0, 1)
    assert decode_add(ACTION_COUNT - 1) == (MELD_SLOTS - 1, 39, 2, 1)
