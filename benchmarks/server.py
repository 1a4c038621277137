"""``python -m benchmarks.server [--tables N] [--seconds S]``: the table server under load; writes results.md.

The server is a process of its own, this one is its clients; each has a processor to itself where there are two. Beside
it, in the same run and under the same clients, a boardgame.io server in memory with a small card game of like size:
``sh scripts/setup.sh bench`` installs it.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
import uvloop

from benchmarks import own_tables, yardstick_tables
from benchmarks.load import Figures, Table, drive, resident_kib
from benchmarks.report import SERVER_TITLE, with_part
from benchmarks.timing import machine
from tests.server.keeper import free_port

RESULTS: Final = Path(__file__).parent / "results.md"
YARDSTICK: Final = Path(__file__).parent / "yardstick"
_AT_ONCE: Final = 8
_FASTER: Final = 1.2
_STEPS_MAX: Final = 16
_STEPS_DOWN: Final = 6
_SitDown = Callable[[httpx.AsyncClient, str, int], Awaitable[Table]]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured: so many ``tables``, for ``seconds`` at one action a second; ``step_s`` for each faster
    pace."""

    tables: int
    seconds: float
    warm_s: float
    step_s: float


@dataclass(frozen=True, slots=True)
class Measured:
    """What a server did: at one action a table and second, and at most; its memory for a table with its sockets,
    when it begins and when it was played."""

    steady: Figures
    most: Figures | None
    begun_kib: float
    played_kib: float


@contextmanager
def _process(command: list[str], *, cwd: Path | None = None) -> Iterator[int]:
    """Run a server on the first processor, and this process on the others; give its number."""
    cores = sorted(os.sched_getaffinity(0))

    def alone() -> None:
        if len(cores) > 1:
            os.sched_setaffinity(0, cores[:1])

    environment = {**os.environ, "NODE_ENV": "production"}
    process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=subprocess.DEVNULL, preexec_fn=alone)
    try:
        if len(cores) > 1:
            os.sched_setaffinity(0, cores[1:])
        yield process.pid
    finally:
        os.sched_setaffinity(0, cores)
        process.terminate()
        process.wait()


def _own(data: str, port: int) -> list[str]:
    command = [str(Path(sys.executable).with_name("buraco")), "serve", "--data", data, "--port", str(port)]
    command += ["--log-level", "error", "--log-file", str(Path(data) / "log")]
    for name, value in own_tables.FLAGS.items():
        command += [f"--{name}", str(value)]
    return command


def _yardstick(port: int) -> list[str]:
    node = Path(sys.executable).with_name("node")
    return [str(node) if node.exists() else "node", "server.cjs", str(port)]


async def _answers(client: httpx.AsyncClient, path: str) -> None:
    """Wait until a server answers. Raises TimeoutError."""
    async with asyncio.timeout(60):
        while True:
            try:
                (await client.get(path)).raise_for_status()
            except (httpx.TransportError, httpx.HTTPStatusError):
                await asyncio.sleep(0.1)
            else:
                return


async def _measure(plan: Plan, address: str, path: str, pid: int, sit_down: _SitDown) -> Measured:
    """Fill a server with tables and let them be played."""
    async with own_tables.http_client(address) as client:
        await _answers(client, path)
        # What the first table makes a server load is no part of what a table takes.
        tables = [await sit_down(client, address, 0)]
        await asyncio.sleep(1)
        empty = resident_kib(pid)
        for first in range(1, plan.tables, _AT_ONCE):
            numbers = range(first, min(first + _AT_ONCE, plan.tables))
            tables += await asyncio.gather(*(sit_down(client, address, number) for number in numbers))
        await asyncio.sleep(2)
        full = resident_kib(pid)
    try:
        steady = await drive(tables, 1.0, plan.warm_s, plan.seconds, pid)
        played = resident_kib(pid)
        most = await _most(plan, tables, steady, pid)
    finally:
        for table in tables:
            table.close()
    others = max(1, plan.tables - 1)
    return Measured(steady, most, (full - empty) / others, (played - empty) / others)


async def _most(plan: Plan, tables: list[Table], steady: Figures, pid: int) -> Figures | None:
    """Return the figures of the fastest pace that the server can follow."""
    best, per_s = (steady if steady.holds else None), 1.0
    for step in range(_STEPS_MAX):
        if best is None and step == _STEPS_DOWN:
            break
        per_s = per_s * _FASTER if best is not None else per_s / _FASTER
        figures = await drive(tables, per_s, plan.step_s / 3, plan.step_s, pid)
        print(f"benchmarks: {figures}", flush=True)
        if figures.holds:
            going_down, best = best is None, figures
            if going_down:
                return best
        elif best is not None:
            return best
    return best


async def _own_measured(plan: Plan) -> Measured:
    port = free_port()
    with tempfile.TemporaryDirectory() as data, _process(_own(data, port)) as pid:
        return await _measure(plan, f"http://127.0.0.1:{port}", "/readyz", pid, own_tables.sit_down)


async def _yardstick_measured(plan: Plan) -> Measured:
    port = free_port()
    with _process(_yardstick(port), cwd=YARDSTICK) as pid:
        return await _measure(plan, f"http://127.0.0.1:{port}", "/games", pid, yardstick_tables.sit_down)


# What is told.


def _row(name: str, figures: tuple[str, str], aim: str = "", reached: bool | None = None) -> str:
    verdict = "" if reached is None else "reached" if reached else "**missed**"
    return f"| {name} | {figures[0]} | {figures[1]} | {aim} | {verdict} |"


def _rows(tables: int, own: Measured, other: Measured | None) -> list[str]:
    def told(value: Callable[[Measured], float], form: str = ",.1f") -> tuple[str, str]:
        return format(value(own), form), "–" if other is None else format(value(other), form)

    def most(one: Measured) -> float:
        return 0.0 if one.most is None else one.most.actions_per_s

    steady = own.steady
    done = steady.actions_per_s >= 0.97 * tables
    kib = "memory for a table with four sockets, KiB"
    return [
        "| figure | ours | yardstick | aim | |",
        "|---|---:|---:|---:|---|",
        _row("actions a second, one a table", told(lambda one: one.steady.actions_per_s, ",.0f"), f"{tables}", done),
        _row("action to event, median, ms", told(lambda one: one.steady.median_ms), "≤ 10", steady.median_ms <= 10),
        _row(
            "action to event, 99th percentile, ms", told(lambda one: one.steady.p99_ms), "≤ 100", steady.p99_ms <= 100
        ),
        _row("action to event, worst, ms", told(lambda one: one.steady.worst_ms)),
        _row("events that arrived for an action", told(lambda one: one.steady.events_per_action), "4.0"),
        _row("processor time for an action, ms", told(lambda one: one.steady.cpu_ms_per_action, ",.2f")),
        _row(f"{kib}, at its beginning", told(lambda one: one.begun_kib, ",.0f")),
        _row(f"{kib}, played", told(lambda one: one.played_kib, ",.0f"), "≤ 200", own.played_kib <= 200),
        _row(
            "most actions a second with a 99th percentile ≤ 100 ms",
            told(most, ",.0f"),
            "more than the yardstick",
            None if other is None else most(own) > most(other),
        ),
    ]


def _part(plan: Plan, command: str, where: str, own: Measured, other: Measured | None) -> str:
    lines = [
        SERVER_TITLE,
        "",
        f"Written by `{command}`; change no figure by hand.",
        f"{plan.tables} tables of `aberto` with four clients each ({plan.tables * 4} sockets) on one process with",
        "SQLite, every action on the disk before its ack; clients in another process on the same machine, random",
        "legal steps, piles and melds among them. Measured for",
        f"{plan.seconds:g} seconds after {plan.warm_s:g} of warming up, then {plan.step_s:g} at each faster pace. A",
        "time runs from the moment at which an action is to be sent until one of the four clients has its event. The",
        "yardstick is a boardgame.io server in memory, which saves nothing, with a card game of like size",
        "(`benchmarks/yardstick`) under the same clients.",
        "",
        f"Machine: {where}. Date: {datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}.",
        "",
        *_rows(plan.tables, own, other),
    ]
    refused = own.steady.refused + (0 if other is None else other.steady.refused)
    if refused:
        lines += ["", f"{refused} actions were refused."]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure both servers and write their part of the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description="Measure the server under load.")
    parser.add_argument("--tables", type=int, default=500, help="four-player tables (default 500)")
    parser.add_argument("--seconds", type=float, default=120, help="seconds that are measured (default 120)")
    parser.add_argument("--step-seconds", type=float, default=15, help="seconds at each faster pace (default 15)")
    parser.add_argument("--no-yardstick", action="store_true", help="only our server")
    parser.add_argument("--dry", action="store_true", help="print the figures and leave results.md as it is")
    asked = parser.parse_args()
    if not asked.no_yardstick and not (YARDSTICK / "node_modules").is_dir():
        raise SystemExit("benchmarks: the yardstick is not installed; `sh scripts/setup.sh bench` does it")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    plan = Plan(asked.tables, asked.seconds, min(15.0, asked.seconds / 4), asked.step_seconds)
    where = machine()
    own = uvloop.run(_own_measured(plan))
    other = None if asked.no_yardstick else uvloop.run(_yardstick_measured(plan))
    command = f".venv/bin/python -m benchmarks.server --tables {plan.tables} --seconds {plan.seconds:g}"
    part = _part(plan, f"{command} --step-seconds {plan.step_s:g}", where, own, other)
    if not asked.dry:
        RESULTS.write_text(with_part(RESULTS, SERVER_TITLE, part), encoding="utf-8")
    print(part)


if __name__ == "__main__":
    main()
