"""No message, however odd, changes what it may not: more of them by ``python -m tests.server.core.fuzzing``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.core.fuzzing import fuzz
from tests.server.core.playing import run

COUNT = 1_000
"""Messages of one test; there is one on each database."""


@pytest.mark.parametrize(
    ("seed", "database_kind"), [(1, "sqlite"), (2, "postgresql")], indirect=["database_kind"], scope="module"
)
def test_odd_messages_get_one_reply_each_and_change_nothing(seed: int, tmp_path: Path) -> None:
    async def case() -> None:
        tally = await fuzz(COUNT, seed, tmp_path)
        assert tally.total() >= COUNT
        assert {"ack", "stale_version", "future_version", "not_seated", "not_your_turn"} <= set(tally)
        assert len(tally) > 15

    run(case)
