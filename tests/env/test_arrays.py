"""Observations and masks as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from buraco.engine import ACTION_COUNT, Deal
from buraco.engine.constants import MASK_WORDS, OBSERVATION_SIZE
from buraco.engine.observation import legal_words, observe
from buraco.engine.observation_parts import PARTS
from buraco.env.arrays import action_mask, named, observation_of, observation_row, observation_space, unpacked
from buraco.rules import RULE_SETS


def middle_of(name: str = "aberto", players: int = 4) -> Deal:
    """Return a deal after sixty actions of good players."""
    deal = Deal(RULE_SETS[name], players, seed=7)
    for _ in range(60):
        deal.apply(deal.choose(3))
    return deal


def test_the_named_arrays_are_views_of_the_row_in_the_shapes_of_the_table() -> None:
    row = observation_row(middle_of(), 1)
    parts = named(row)
    assert {name: array.shape for name, array in parts.items()} == {one.name: one.shape for one in PARTS}
    assert all(array.base is not None and np.shares_memory(array, row) for array in parts.values())
    assert np.concatenate([array.ravel() for array in parts.values()]).tolist() == row.tolist()


def test_the_axes_before_the_last_are_kept() -> None:
    deal = middle_of()
    rows = np.stack([[observation_row(deal, seat) for seat in range(4)]] * 3)
    assert named(rows)["melds"].shape[:2] == (3, 4)
    assert np.array_equal(named(rows)["hand"][2, 1], named(observation_row(deal, 1))["hand"])


def test_rows_of_another_length_are_an_error() -> None:
    with pytest.raises(ValueError, match=str(OBSERVATION_SIZE)):
        named(np.zeros(7, np.int16))


def test_a_mask_says_what_is_legal_for_the_seat_to_act_and_nothing_for_the_others() -> None:
    deal = middle_of()
    for seat in range(4):
        mask = action_mask(deal, seat)
        assert (mask.shape, mask.dtype.name) == ((ACTION_COUNT,), "int8")
        assert np.flatnonzero(mask).tolist() == (deal.legal() if seat == deal.seat else [])


def test_several_masks_are_unpacked_at_once() -> None:
    deals = [Deal(RULE_SETS["fechado"], 4, seed=seed) for seed in range(3)]
    words = np.zeros((3, MASK_WORDS), np.uint64)
    for index, deal in enumerate(deals):
        legal_words(deal, words.reshape(-1), index * MASK_WORDS)
    assert [np.flatnonzero(mask).tolist() for mask in unpacked(words)] == [deal.legal() for deal in deals]


@pytest.mark.parametrize("flat", [False, True])
def test_what_is_observed_lies_in_the_space(flat: bool) -> None:
    deal = middle_of("burraco-fibur", 2)
    space = observation_space(flat=flat)
    for seat in range(2):
        assert space.contains(observation_of(deal, seat, flat=flat, over=False))


def test_an_over_episode_has_an_empty_mask() -> None:
    deal = middle_of()
    assert not observation_of(deal, deal.seat, flat=True, over=True)["action_mask"].any()


@pytest.mark.parametrize("buffer", [np.zeros(OBSERVATION_SIZE, np.int32), np.zeros(OBSERVATION_SIZE, np.uint16)])
def test_an_array_of_other_numbers_is_refused(buffer: NDArray[Any]) -> None:
    with pytest.raises(ValueError, match="mismatch"):
        observe(middle_of(), 0, buffer)
    assert not buffer.any()


def test_an_array_that_may_not_be_written_is_refused() -> None:
    buffer = np.zeros(OBSERVATION_SIZE, np.int16)
    buffer.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        observe(middle_of(), 0, buffer)
