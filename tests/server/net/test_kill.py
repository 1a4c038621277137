"""kill -9 during matches, at the named points and at any moment: no acked action is lost, none is doubled, every card
is there. ``python -m tests.server.net.killing`` kills far more often.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from buraco.server.entries import Logged
from buraco.server.terms import FAULT_POINTS
from tests.server.databases import on_both
from tests.server.net.killing import deaths, kill_again_and_again
from tests.server.net.serving import running_server
from tests.server.net.trials import Trial, written

pytestmark = pytest.mark.anyio

KILLS = 8
"""So often a server is killed on each database."""


def test_half_of_the_deaths_are_at_the_named_points_and_each_point_has_its_turn() -> None:
    plan = deaths(KILLS, random.Random(1), counted=True)
    assert [death.point for death in plan[::2]] == [*FAULT_POINTS, FAULT_POINTS[0]]
    assert {death.point for death in plan[1::2]} == {""}
    # The small run goes by no clock; the long one hits every moment.
    assert all(death.answered for death in plan[1::2])
    assert not any(death.answered for death in deaths(KILLS, random.Random(1)))


@on_both
async def test_a_killed_server_has_lost_no_acked_action_and_doubled_none(tmp_path: Path) -> None:
    rng = random.Random(1)
    tally = await kill_again_and_again(tmp_path, deaths(KILLS, rng, counted=True), rng)
    assert tally.total() == KILLS


async def test_a_log_that_breaks_what_was_acked_is_found_out(tmp_path: Path) -> None:
    trial = Trial(random.Random(1))
    async with running_server(tmp_path) as running:
        await trial.begin(running)
        await trial.play(5)
        await trial.leave()
    (found,) = await written(tmp_path, [trial.table])
    trial.check(found)
    last = max(max(line.acked.values()) for line in trial.lines)
    again = Logged(len(found.entries) + 1, found.entries[-1].at_ms, found.entries[last - 1].entry)
    for entries, says in (
        (found.entries[: last - 1], "an acked action was lost"),
        ([*found.entries, again], "an action was doubled"),
        (found.entries[1:], "the log has gaps"),
    ):
        with pytest.raises(AssertionError, match=says):
            trial.check(replace(found, entries=entries))
