"""kill -9 in the midst of matches: at named points, and at any moment whatever; then everything goes on.

``python -m tests.server.net.killing --kills 200`` kills a server so often, on SQLite and on PostgreSQL.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from buraco.server.terms import FAULT_POINTS
from tests.server.databases import KINDS, place_for
from tests.server.net.serving import Place, child
from tests.server.net.trials import Trial, count_down, lost, written
from tests.server.progress import GoOn, Progress, add_minutes, always

__all__ = ["Death", "deaths", "kill_again_and_again"]

_MATCHES: Final = 2
"""Matches that are played at once, so that one commit carries the actions of both."""
_ACTIONS_AFTER: Final = 4


@dataclass(frozen=True, slots=True)
class Death:
    """When a server dies: when it comes by a ``point`` for the ``nth`` time, or, without one, when so many things that
    people did were ``answered``, or, without that too, ``delay_s`` after the match was begun."""

    point: str
    nth: int
    delay_s: float
    answered: int = 0


def deaths(kills: int, rng: random.Random, *, counted: bool = False) -> list[Death]:
    """Return so many deaths: at every named point in turn, and after each one at any moment, or with ``counted`` after
    a number of actions, however fast they are."""
    found = []
    for number in range(kills):
        point = "" if number % 2 else FAULT_POINTS[number // 2 % len(FAULT_POINTS)]
        # The making of a table takes a few commits; what comes later is more interesting.
        found.append(Death(point, rng.choice([rng.randint(1, 8), rng.randint(8, 60)]), rng.uniform(0.0, 0.5)))
        if counted and not point:
            found[-1] = replace(found[-1], answered=rng.randint(1, 20))
    return found


async def kill_again_and_again(data: Path, plan: list[Death], rng: random.Random, go_on: GoOn = always) -> Counter[str]:
    """Kill a server so often, and bring it back each time; return what it died of. Raises AssertionError.

    After each return the earlier matches go on for a few actions and are given up; then others begin.
    """
    tally, trials = Counter[str](), list[Trial]()
    for number, death in enumerate(plan):
        if not go_on(number):
            break
        async with asyncio.timeout(120), child(data) as (place, process):
            ended = await _go_on(data, place, trials)
            trials = [Trial(rng) for _ in range(_MATCHES)]
            await _die(place, process, death, trials)
        assert process.returncode == -signal.SIGKILL
        await _judge(data, trials, ended)
        tally[death.point or "any moment"] += 1
    async with asyncio.timeout(120), child(data) as (place, _):
        ended = await _go_on(data, place, trials)
    await _judge(data, [], ended)
    return tally


async def _go_on(data: Path, place: Place, trials: list[Trial]) -> list[Trial]:
    """Bring the people of the last matches back, let them play on and give up; return those matches."""
    # Of a table that was never heard of there is nothing to come back to.
    known = [trial for trial in trials if trial.table]
    for trial, found in zip(known, await written(data, (trial.table for trial in known)), strict=True):
        await trial.come_back(place, found)
        if trial.begun:
            await trial.play(_ACTIONS_AFTER)
        await trial.end()
    return known


async def _die(place: Place, process: asyncio.subprocess.Process, death: Death, trials: list[Trial]) -> None:
    """Begin matches and play them until the server is gone."""
    assert process.stdin is not None
    if death.point:
        process.stdin.write(f"{death.point} {death.nth}\n".encode())
    elif death.answered:
        count_down(trials, death.answered, process.kill)
    else:
        asyncio.get_running_loop().call_later(death.delay_s, process.kill)

    async def play(trial: Trial) -> None:
        await trial.begin(place)
        await trial.play()

    assert all(await asyncio.gather(*(lost(play(trial)) for trial in trials))), "the server lived on"
    await asyncio.wait_for(process.wait(), 30)
    for trial in trials:
        await trial.leave()


async def _judge(data: Path, trials: list[Trial], ended: list[Trial]) -> None:
    known = [trial for trial in trials if trial.table]
    for trial, found in zip(known, await written(data, (trial.table for trial in known)), strict=True):
        trial.check(found)
    for trial, found in zip(ended, await written(data, (trial.table for trial in ended)), strict=True):
        trial.check_ended(found)


def main() -> None:
    """Read the command line and kill."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="how often on each database (default 200)")
    parser.add_argument("--database", choices=KINDS, help="on one database only")
    parser.add_argument("--seed", type=int, default=1)
    add_minutes(parser, 60)
    arguments = parser.parse_args()
    for kind in (arguments.database,) if arguments.database else KINDS:
        rng = random.Random(arguments.seed)
        with place_for(kind) as data:
            plan = deaths(arguments.kills, rng)
            go_on = Progress(f"kills on {kind}", len(plan), arguments.minutes)
            tally = asyncio.run(kill_again_and_again(data, plan, rng, go_on))
        for cause, count in tally.most_common():
            sys.stdout.write(f"{kind:12} {count:5} {cause}\n")


if __name__ == "__main__":
    main()
