"""The database goes away in the midst of matches, also in the very moment of a commit, and comes back.

``python -m tests.server.net.cutting --cuts 200`` cuts the line to a PostgreSQL so often.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from buraco.server.app import Ground
from buraco.server.logs import set_up_logging
from tests.server.databases import database_url, running_cluster, use_database
from tests.server.net.serving import Running, cheap_hasher, running_server
from tests.server.net.trials import Trial, written
from tests.server.progress import GoOn, Progress, add_minutes, always
from tests.server.relay import Cut, Relay, relay

__all__ = ["cut_again_and_again"]

_LOOK_S: Final = 0.002
_MATCHES: Final = 2
_ACTIONS: Final = 6
"""So many actions of a match lie between two cuts."""


@dataclass(frozen=True, slots=True)
class _Break:
    """How the line breaks: at a commit, and with ``down_then`` it is down afterwards too, or it just goes down (never
    at a commit); and how long it is down."""

    cut: Cut
    down_then: bool
    away_s: float

    @classmethod
    def draw(cls, rng: random.Random) -> _Break:
        """Draw one."""
        cut = rng.choice([Cut.BEFORE_COMMIT, Cut.AFTER_COMMIT, Cut.NEVER])
        return cls(cut, rng.random() < 0.5, rng.uniform(0.0, 0.05))

    @property
    def name(self) -> str:
        """What it is called in the count."""
        return "away" if self.cut is Cut.NEVER else f"{self.cut.value}{', then away' if self.down_then else ''}"


async def cut_again_and_again(data: Path, cuts: int, rng: random.Random, go_on: GoOn = always) -> Counter[str]:
    """Cut the line to the database so often while matches are played; return how. Raises AssertionError."""
    tally, url = Counter[str](), database_url(data)
    # Drawn before anybody plays: how much is drawn then goes by how fast everything is.
    plan = [_Break.draw(rng) for _ in range(cuts)]
    trials = [Trial(rng) for _ in range(_MATCHES)]
    async with relay(url) as (line, through):
        use_database(data, through)
        async with running_server(data, Ground(bots="thread", hasher=cheap_hasher())) as running:
            for trial in trials:
                await trial.begin(running)
            for number, one in enumerate(plan):
                if not go_on(number):
                    break
                async with asyncio.timeout(120):
                    await _cut(line, trials, one)
                    await _still_there(running, trials)
                tally[one.name] += 1
            for trial in trials:
                await trial.leave()
    use_database(data, url)
    for trial, found in zip(trials, await written(data, (trial.table for trial in trials)), strict=True):
        trial.check(found)
    return tally


async def _cut(line: Relay, trials: list[Trial], one: _Break) -> None:
    """Let the line be cut while everybody plays."""
    before = line.cuts
    playing = asyncio.gather(*(trial.play(_ACTIONS) for trial in trials))
    if one.cut is Cut.NEVER:
        line.down()
    else:
        line.cut, line.down_then = one.cut, one.down_then
        while line.cuts == before and not playing.done():
            await asyncio.wait({playing}, timeout=_LOOK_S)
    # For a moment nobody answers: whoever asks meanwhile is refused, and asks again.
    asyncio.get_running_loop().call_later(one.away_s, line.up)
    await playing
    line.up()
    assert one.cut is Cut.NEVER or line.cuts == before + 1, "nothing was cut"


async def _still_there(running: Running, trials: list[Trial]) -> None:
    """Nobody lost their socket: the database was away, not the server."""
    for trial in trials:
        table = await running.parts.service.get(trial.table)
        assert all(table.fold.seats[seat].by_person for seat in range(trial.people)), "a bot took over"


def main() -> None:
    """Read the command line and cut."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    add_minutes(parser, 30)
    arguments = parser.parse_args()
    # That the database is away is what the log would tell.
    set_up_logging("error")
    logging.disable()
    with running_cluster() as cluster, cluster.database() as url, tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        use_database(data, url)
        rng = random.Random(arguments.seed)
        go_on = Progress("cuts", arguments.cuts, arguments.minutes)
        tally = asyncio.run(cut_again_and_again(data, arguments.cuts, rng, go_on))
    for how, count in tally.most_common():
        sys.stdout.write(f"{count:5} {how}\n")


if __name__ == "__main__":
    main()
