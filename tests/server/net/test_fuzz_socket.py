"""Hostile messages over the socket change nothing, and each gets one reply or one documented close."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.databases import only_site
from tests.server.net.fuzzing import Tally, run

pytestmark = pytest.mark.anyio

#: Two halves, for two workers; more by ``python -m tests.server.net.fuzzing``.
COUNT = 10_000
#: So many go to two servers that have the same table.
SITE_COUNT = 1_000


def check(tally: Tally, count: int) -> None:
    assert tally.total >= count
    # Every kind of answer occurs, or the messages are not as hostile as they should be.
    assert {"refused bad_message", "refused stale_version", "refused future_version"} <= set(tally.replies)
    assert {"refused not_your_turn", "refused not_seated", "ack"} <= set(tally.replies)


@pytest.mark.parametrize("seed", [1, 2])
async def test_hostile_messages_change_nothing_and_get_one_answer_each(seed: int, tmp_path: Path) -> None:
    tally = await run(COUNT, seed, tmp_path)
    check(tally, COUNT)
    assert {1003, 1007, 1009, 4000} <= set(tally.closes)


@only_site
async def test_hostile_messages_to_two_servers_change_nothing_while_their_senders_move(tmp_path: Path) -> None:
    tally = await run(SITE_COUNT, 1, tmp_path)
    check(tally, SITE_COUNT)
    assert tally.moves > 5
    assert tally.closes
