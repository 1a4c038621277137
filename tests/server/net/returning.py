"""Everybody comes back at once: after every line broke in the same moment, and after the server was killed.

``python -m tests.server.net.returning --clients 500`` brings so many back.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from tests.server.net.serving import Place, child
from tests.server.net.trials import Line, Trial, written
from tests.server.progress import GoOn, Progress, add_minutes, always

__all__ = ["return_at_once"]

_SEATS: Final = 4
# All come from one address, and a busy computer has many of them at its door at once.
_SETTINGS: Final = {
    "connections_per_address": 2_000,
    "http_connections_per_address": 2_000,
    "http_connections_max": 2_000,
    "bot_after_s": 3_000,
}
_AT_ONCE: Final = 25
"""So many tables are made, or play, at once: only the return is a rush."""


async def return_at_once(data: Path, clients: int, rng: random.Random, go_on: GoOn = always) -> int:
    """Let so many clients come back at once, twice; return how many sockets that were. Raises AssertionError."""
    trials = [Trial(rng, (_SEATS, _SEATS)) for _ in range(clients // _SEATS)]
    async with child(data, **_SETTINGS) as (place, process):
        await _each(trials, lambda trial: trial.begin(place))
        await _each(trials, lambda trial: trial.play(2))
        go_on(0)
        count = await _break_and_return(place, trials)
        go_on(count)
        process.kill()
        await process.wait()
    async with child(data, **_SETTINGS) as (place, _):
        for trial in trials:
            for line in trial.lines:
                line.guest.running = place
        count += await _break_and_return(place, trials)
        await _each(trials, lambda trial: trial.leave())
    for trial, found in zip(trials, await written(data, (trial.table for trial in trials)), strict=True):
        trial.check(found)
    return count


async def _each(trials: list[Trial], work: Callable[[Trial], Awaitable[None]]) -> None:
    for first in range(0, len(trials), _AT_ONCE):
        await asyncio.gather(*(work(trial) for trial in trials[first : first + _AT_ONCE]))


async def _break_and_return(place: Place, trials: list[Trial]) -> int:
    """Break every line, let something be missed, and bring everybody back in the same moment."""
    lines = [(trial, line) for trial in trials for line in trial.lines]
    for _, line in lines:
        assert line.seat is not None
        line.seat.connection.transport.abort()
    said = {trial.table: await _say(trial.lines[0], trial.table) for trial in trials}
    await asyncio.gather(*(_come_back(trial, line, said[trial.table]) for trial, line in lines))
    async with place.client() as client:
        assert (await client.get("/readyz")).text == "ready"
    await _each(trials, lambda trial: trial.play(2))
    return len(lines)


async def _say(line: Line, table: str) -> int:
    """Say something without a socket; return the version that it made."""
    line.sent += 1
    message = {"type": "chat", "id": f"said-{line.sent}", "version": line.version, "text": "boa!"}
    reply = (await line.guest.ask("POST", f"/api/tables/{table}/messages", message)).json()
    assert reply["type"] == "ack", reply
    return int(reply["version"])


async def _come_back(trial: Trial, line: Line, said: int) -> None:
    """Open the socket of a seat again, and hear what was missed, in order and without a gap."""
    since = line.version
    seat = await line.open(trial.table, since)
    await seat.until(lambda: seat.version >= said)
    news: list[dict[str, Any]] = [one for one in seat.heard if one["type"] in ("snapshot", "update")]
    if news[0]["type"] == "update":
        assert [one["version"] for one in news] == list(range(since + 1, since + 1 + len(news)))
        told = [event for one in news for event in one["events"]]
    else:
        told = news[0]["chat"]
    assert any("boa!" in str(one) for one in told), "what was said meanwhile is heard"
    line.version = seat.version


def main() -> None:
    """Read the command line, and bring them back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    add_minutes(parser, 30)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        go_on = Progress("sockets came back", 2 * arguments.clients, arguments.minutes)
        work = return_at_once(Path(folder), arguments.clients, random.Random(arguments.seed), go_on)
        count = asyncio.run(asyncio.wait_for(work, arguments.minutes * 60))
    sys.stdout.write(f"{count} sockets came back\n")


if __name__ == "__main__":
    main()
