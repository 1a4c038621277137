"""The numbering for callers from outside: every number is answered or refused, and none reads where nothing is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from buraco import engine
from buraco.engine import numbering
from buraco.engine.constants import ACTION_ADD, ACTION_COUNT, ACTION_RUN, MELD_SLOTS, SET_FLAG

ANY = st.one_of(st.integers(-2, 2 * SET_FLAG + 2), st.integers())
WRONG = (-1, 0, 56, 16_029, 22_184, 22_185, 10**9, -(10**9), 2**63, 2**64, -(2**70))


@pytest.mark.parametrize("action", [number for number in WRONG if not ACTION_RUN <= number < ACTION_ADD])
def test_an_action_that_lays_no_meld_is_refused(action: int) -> None:
    with pytest.raises(ValueError, match="lays no meld"):
        engine.action_meld(action)


@pytest.mark.parametrize("action", [number for number in WRONG if not ACTION_ADD <= number < ACTION_COUNT])
def test_an_action_that_adds_nothing_is_refused(action: int) -> None:
    with pytest.raises(ValueError, match="adds no card"):
        engine.decode_add(action)


@pytest.mark.parametrize("meld", [*WRONG, 0xFF, 15 | 3 << 4, 1 | 15 << 4, SET_FLAG, 2 * SET_FLAG - 1, 1 << 21])
def test_a_number_that_is_no_meld_is_refused(meld: int) -> None:
    with pytest.raises(ValueError, match="no packed meld"):
        engine.meld_action(meld)


@given(ANY)
def test_a_meld_is_refused_unless_its_action_lays_that_very_meld(meld: int) -> None:
    try:
        action = engine.meld_action(meld)
    except ValueError:
        return
    assert engine.action_meld(action) == meld


def test_every_meld_and_addition_of_the_numbering_comes_in() -> None:
    assert [engine.meld_action(engine.action_meld(action)) for action in range(ACTION_RUN, ACTION_ADD)] == list(
        range(ACTION_RUN, ACTION_ADD)
    )
    additions = range(ACTION_ADD, ACTION_COUNT)
    assert [engine.add_action(*engine.decode_add(action)) for action in additions] == list(additions)
    assert engine.action_meld(ACTION_RUN) == numbering.action_meld(ACTION_RUN)


@pytest.mark.parametrize(
    "parts",
    [
        (-1, 0, 0, 0),
        (MELD_SLOTS, 0, 0, 0),
        (0, 53, 0, 0),
        (0, -1, 0, 0),
        (0, 0, 3, 0),
        (0, 0, 0, 2),
        (0, 1, 0, 1),
        (0, 52, 0, 1),
    ],
)
def test_an_addition_that_cannot_be_is_refused(parts: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="no addition"):
        engine.add_action(*parts)
