"""Observations and masks as NumPy arrays, and the spaces that they lie in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from buraco.engine.constants import ACTION_COUNT, MASK_WORDS, OBSERVATION_SIZE
from buraco.engine.observation import legal_words, observe
from buraco.engine.observation_parts import NUMBER_MAX, PARTS

if TYPE_CHECKING:
    from buraco.engine.deal import Deal

__all__ = ["action_mask", "named", "observation_of", "observation_row", "observation_space", "unpacked"]


def named(rows: NDArray[np.int16]) -> dict[str, NDArray[np.int16]]:
    """Return the parts of observations by their names: views of ``rows``, whose axes before the last are kept.

    ``rows`` has `OBSERVATION_SIZE` numbers in its last axis. Raises ValueError for another number.
    """
    if rows.shape[-1] != OBSERVATION_SIZE:
        raise ValueError(f"an observation has {OBSERVATION_SIZE} numbers, not {rows.shape[-1]}")
    before = rows.shape[:-1]
    return {one.name: rows[..., one.first : one.first + one.size].reshape(*before, *one.shape) for one in PARTS}


def observation_row(deal: Deal, seat: int) -> NDArray[np.int16]:
    """Return what a seat may see as one row, `OBSERVATION_SIZE` numbers. Raises ValueError for a seat not there."""
    row = np.empty(OBSERVATION_SIZE, np.int16)
    observe(deal, seat, row)
    return row


def unpacked(words: NDArray[np.uint64]) -> NDArray[np.int8]:
    """Return masks of bits, `MASK_WORDS` words in the last axis, as 0 and 1 for each of the `ACTION_COUNT` actions."""
    octets = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=-1, count=ACTION_COUNT, bitorder="little").view(np.int8)


def action_mask(deal: Deal, seat: int) -> NDArray[np.int8]:
    """Return 1 for each action that is legal for a seat now, `ACTION_COUNT` numbers; all 0 when it is not to act."""
    if deal.over or deal.seat != seat:
        return np.zeros(ACTION_COUNT, np.int8)
    words = np.empty(MASK_WORDS, np.uint64)
    legal_words(deal, words)
    return unpacked(words)


def observation_of(deal: Deal, seat: int, *, flat: bool, over: bool) -> dict[str, Any]:
    """Return what an environment gives an agent: its observation and its mask, all 0 when the episode is ``over``."""
    row = observation_row(deal, seat)
    mask = np.zeros(ACTION_COUNT, np.int8) if over else action_mask(deal, seat)
    return {"observation": row if flat else named(row), "action_mask": mask}


def observation_space(*, flat: bool) -> spaces.Dict:
    """Return the space of an observation with its mask; ``flat`` as in `buraco.env.aec`."""
    inner: spaces.Space[Any]
    if flat:
        inner = spaces.Box(-NUMBER_MAX, NUMBER_MAX, (OBSERVATION_SIZE,), np.int16)
    else:
        inner = spaces.Dict({one.name: spaces.Box(one.low, one.high, one.shape, np.int16) for one in PARTS})
    return spaces.Dict({"observation": inner, "action_mask": spaces.Box(0, 1, (ACTION_COUNT,), np.int8)})
