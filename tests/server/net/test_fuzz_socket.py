"""Hostile messages over the socket change nothing, and each gets one reply or one documented close."""

from __future__ import annotations

import pytest

from tests.server.net.fuzzing import run

pytestmark = pytest.mark.anyio

#: Two halves, for two workers; more by ``python -m tests.server.net.fuzzing``.
COUNT = 10_000


@pytest.mark.parametrize("seed", [1, 2])
async def test_hostile_messages_change_nothing_and_get_one_answer_each(seed: int) -> None:
    tally = await run(COUNT, seed)
    assert tally.total >= COUNT
    # Every kind of answer occurs, or the messages are not as hostile as they should be.
    assert {"refused bad_message", "refused stale_version", "refused future_version"} <= set(tally.replies)
    assert {"refused not_your_turn", "refused not_seated", "ack"} <= set(tally.replies)
    assert {1003, 1007, 1009, 4000} <= set(tally.closes)
