"""The database goes and comes back, and everybody comes back at once. ``python -m tests.server.net.cutting`` and
``python -m tests.server.net.returning`` do more of it.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.server.databases import on_both, on_postgresql
from tests.server.net.cutting import cut_again_and_again
from tests.server.net.returning import return_at_once

pytestmark = pytest.mark.anyio

CUTS = 10
CLIENTS = 48


@on_postgresql
async def test_a_database_that_goes_and_comes_back_loses_no_acked_action_and_doubles_none(tmp_path: Path) -> None:
    tally = await cut_again_and_again(tmp_path, CUTS, random.Random(1))
    assert tally.total() == CUTS
    assert len(tally) > 2


@on_both
async def test_who_comes_back_with_everybody_else_hears_what_was_missed_and_plays_on(tmp_path: Path) -> None:
    assert await return_at_once(tmp_path, CLIENTS, random.Random(1)) == 2 * CLIENTS
