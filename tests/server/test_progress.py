"""A long run tells how far it is, and ends when its time is up."""

from __future__ import annotations

from io import StringIO

from tests.server.progress import Progress


def test_every_part_is_told_once_and_the_time_has_an_end() -> None:
    now, out = [100.0], StringIO()
    go_on = Progress("kills", 40, 1, clock=lambda: now[0], out=out)
    for done in range(4):
        now[0] += 10
        assert go_on(done)
    assert out.getvalue().splitlines() == ["0 of 40 kills, 10 s", "2 of 40 kills, 30 s"]
    often = StringIO()
    tells = Progress("rounds", 1000, 1, every=2, clock=lambda: now[0], out=often)
    assert all(tells(done) for done in range(4))
    assert [line.split()[0] for line in often.getvalue().splitlines()] == ["0", "2"]
    now[0] = 160.0
    assert not go_on(4)
    assert out.getvalue().splitlines()[2:] == ["4 of 40 kills, 60 s", "the time is up after 4 of 40 kills"]
