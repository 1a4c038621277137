"""``python -m benchmarks.server [--tables N] [--seconds S]``: the table server under load; writes results.md.

The server is a process of its own, this one is its clients; each has a processor to itself where there are two. Then
two processes of it with PostgreSQL and Redis, which share all processors with the clients. Beside them, in the same run
and under the same clients, a boardgame.io server in memory with a small card game of like size:
``sh scripts/setup.sh bench`` installs it.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import resource
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

import httpx
import uvloop

from benchmarks import own_tables, yardstick_tables
from benchmarks.load import Figures, Table, Usage, drive
from benchmarks.processes import YARDSTICK, Served, own_server, own_site, yardstick_server
from benchmarks.report import SERVER_TITLE, with_part
from benchmarks.timing import machine

RESULTS: Final = Path(__file__).parent / "results.md"
_AT_ONCE: Final = 8
_FASTER: Final = 1.2
_STEPS_MAX: Final = 16
_STEPS_DOWN: Final = 6
_SitDown = Callable[[httpx.AsyncClient, Sequence[str], int], Awaitable[Table]]
#: What is measured, in the order of the columns: how it is run, where it says that it is ready, how its tables begin.
_SUBJECTS: Final[Mapping[str, tuple[Callable[[], AbstractContextManager[Served]], str, _SitDown]]] = MappingProxyType(
    {
        "ours": (own_server, "/readyz", own_tables.sit_down),
        "two processes, PostgreSQL + Redis": (own_site, "/readyz", own_tables.sit_down),
        "yardstick": (yardstick_server, "/games", yardstick_tables.sit_down),
    }
)
OURS, SITE, OTHER = _SUBJECTS


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured: so many ``tables``, for ``seconds`` at one action a second; ``step_s`` for each faster
    pace."""

    tables: int
    seconds: float
    warm_s: float
    step_s: float

    @property
    def bound_s(self) -> float:
        """How long each column may take at most: longer, and something stands still."""
        steps = _STEPS_MAX * (self.step_s * 4 / 3 + 2)
        return 60 + self.tables + self.warm_s + self.seconds + steps


@dataclass(frozen=True, slots=True)
class Measured:
    """What a server did: at one action a table and second, and at most; its memory for a table with its sockets,
    when it begins and when it was played."""

    steady: Figures
    most: Figures | None
    begun_kib: float
    played_kib: float


async def answers(client: httpx.AsyncClient, address: str) -> None:
    """Wait until a server answers. Raises TimeoutError."""
    async with asyncio.timeout(60):
        while True:
            try:
                (await client.get(address)).raise_for_status()
            except (httpx.TransportError, httpx.HTTPStatusError):
                await asyncio.sleep(0.1)
            else:
                return


async def _measure(plan: Plan, served: Served, path: str, sit_down: _SitDown) -> Measured:
    """Fill servers with tables and let them be played."""
    async with own_tables.http_client() as client:
        for address in served.addresses:
            await answers(client, f"{address}{path}")
        # What the first table makes a server load is no part of what a table takes.
        tables = [await sit_down(client, served.addresses, 0)]
        await asyncio.sleep(1)
        empty = served.resident_kib()
        for first in range(1, plan.tables, _AT_ONCE):
            numbers = range(first, min(first + _AT_ONCE, plan.tables))
            tables += await asyncio.gather(*(sit_down(client, served.addresses, number) for number in numbers))
        await asyncio.sleep(2)
        full = served.resident_kib()
    try:
        steady = await drive(tables, 1.0, plan.warm_s, plan.seconds, served.usage)
        print(f"benchmarks: {steady}", flush=True)
        played = served.resident_kib()
        most = await _most(plan, tables, steady, served.usage)
    finally:
        for table in tables:
            table.close()
    others = max(1, plan.tables - 1)
    return Measured(steady, most, (full - empty) / others, (played - empty) / others)


async def _most(plan: Plan, tables: list[Table], steady: Figures, usage: Callable[[], Usage]) -> Figures | None:
    """Return the figures of the fastest pace that the server can follow."""
    best, per_s = (steady if steady.holds else None), 1.0
    for step in range(_STEPS_MAX):
        if best is None and step == _STEPS_DOWN:
            break
        per_s = per_s * _FASTER if best is not None else per_s / _FASTER
        figures = await drive(tables, per_s, plan.step_s / 3, plan.step_s, usage)
        print(f"benchmarks: {figures}", flush=True)
        if figures.holds:
            going_down, best = best is None, figures
            if going_down:
                return best
        elif best is not None:
            return best
    return best


async def _within(plan: Plan, name: str, served: Served, path: str, sit_down: _SitDown) -> Measured:
    try:
        async with asyncio.timeout(plan.bound_s):
            return await _measure(plan, served, path, sit_down)
    except TimeoutError:
        raise SystemExit(f"benchmarks: {name}: it stood still, or took longer than {plan.bound_s:.0f} s") from None


def _measured(plan: Plan, name: str) -> Measured:
    run, path, sit_down = _SUBJECTS[name]
    print(f"benchmarks: {name}", flush=True)
    with run() as served:
        return uvloop.run(_within(plan, name, served, path, sit_down))


# What is told.


def _row(name: str, figures: Sequence[str], aim: str = "", reached: bool | None = None) -> str:
    verdict = "" if reached is None else "reached" if reached else "**missed**"
    return f"| {' | '.join((name, *figures, aim, verdict))} |"


def _most_per_s(one: Measured) -> float:
    return 0.0 if one.most is None else one.most.actions_per_s


def table_lines(tables: int, measured: Mapping[str, Measured]) -> list[str]:
    """Return the lines of the table of results, with a column for each server that was measured."""
    own, other = measured.get(OURS), measured.get(OTHER)

    def row(
        name: str,
        value: Callable[[Measured], float],
        form: str = ",.1f",
        aim: str = "",
        reaches: Callable[[Measured], bool] | None = None,
    ) -> str:
        # Of what there is none, nothing is told.
        told = [format(value(one), form) if value(one) else "–" for one in measured.values()]
        return _row(name, told, aim, None if own is None or reaches is None else reaches(own))

    kib = "memory for a table with four sockets, KiB"
    return [
        _row("figure", tuple(measured), "aim for ours"),
        f"|---|{'---:|' * (len(measured) + 1)}---|",
        row("actions a second, one a table", lambda one: one.steady.actions_per_s, ",.0f", f"{tables}",
            lambda one: one.steady.actions_per_s >= 0.97 * tables),
        row("action to event, median, ms", lambda one: one.steady.median_ms, aim="≤ 10",
            reaches=lambda one: one.steady.median_ms <= 10),
        row("action to event, 99th percentile, ms", lambda one: one.steady.p99_ms, aim="≤ 100",
            reaches=lambda one: one.steady.p99_ms <= 100),
        row("action to event, worst, ms", lambda one: one.steady.worst_ms),
        row("events that arrived for an action", lambda one: one.steady.events_per_action, aim="4.0"),
        row("processor time of the servers for an action, ms", lambda one: one.steady.cpu_ms_per_action, ",.2f"),
        row("… of PostgreSQL", lambda one: one.steady.database_ms_per_action, ",.2f"),
        row("… of Redis", lambda one: one.steady.redis_ms_per_action, ",.2f"),
        row("processors that the clients took", lambda one: one.steady.clients_processors, ",.2f"),
        row(f"{kib}, at its beginning", lambda one: one.begun_kib, ",.0f"),
        row(f"{kib}, played", lambda one: one.played_kib, ",.0f", "≤ 200", lambda one: one.played_kib <= 200),
        row("most actions a second with a 99th percentile ≤ 100 ms", _most_per_s, ",.0f", "more than the yardstick",
            None if other is None else lambda one: _most_per_s(one) > _most_per_s(other)),
    ]  # fmt: skip


def _text(plan: Plan, measured: Mapping[str, Measured]) -> list[str]:
    lines = [
        f"{plan.tables} tables of `aberto` with four clients each ({plan.tables * 4} sockets) on one process with",
        "SQLite, every action on the disk before its ack; clients in another process on the same machine, random",
        "legal steps, piles and melds among them. Measured for",
        f"{plan.seconds:g} seconds after {plan.warm_s:g} of warming up, then {plan.step_s:g} at each faster pace. A",
        "time runs from the moment at which an action is to be sent until one of the four clients has its event.",
    ]
    if SITE in measured:
        lines += [
            "",
            "The same on two processes with PostgreSQL, as durable as it is by default, and Redis: two of the four",
            "clients of every table are connected to the one, two to the other, so that each action goes through",
            "the database and Redis, and each turn begins at another process. One process and the yardstick have one",
            "core, the clients another. The two processes, PostgreSQL and Redis use all cores, together with the",
            "clients, which leave most of theirs unused. The memory is that of both processes together: each holds",
            "every table, with two of its sockets.",
        ]
    if OTHER in measured:
        lines += [
            "",
            "The yardstick is a boardgame.io server in memory, which saves nothing, with a card game of like size",
            "(`benchmarks/yardstick`) under the same clients.",
        ]
    return lines


def _part(plan: Plan, command: str, where: str, measured: Mapping[str, Measured]) -> str:
    lines = [
        SERVER_TITLE,
        "",
        f"Written by `{command}`; change no figure by hand.",
        *_text(plan, measured),
        "",
        f"Machine: {where}. Date: {datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}.",
        "",
        *table_lines(plan.tables, measured),
    ]
    for name, one in measured.items():
        if one.steady.refused:
            codes = ", ".join(f"{count} `{code}`" for code, count in sorted(one.steady.refused.items()))
            lines += ["", f"Refused ({name}): {codes}."]
    return "\n".join(lines) + "\n"


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description="Measure the server under load.")
    parser.add_argument("--tables", type=int, default=500, help="four-player tables (default 500)")
    parser.add_argument("--seconds", type=float, default=120, help="seconds that are measured (default 120)")
    parser.add_argument("--step-seconds", type=float, default=15, help="seconds at each faster pace (default 15)")
    parser.add_argument("--no-site", action="store_true", help="no two processes with PostgreSQL and Redis")
    parser.add_argument("--site-only", action="store_true", help="only those; results.md stays as it is")
    parser.add_argument("--no-yardstick", action="store_true", help="no other server")
    parser.add_argument("--dry", action="store_true", help="print the figures and leave results.md as it is")
    return parser.parse_args()


def main() -> None:
    """Measure the servers and write their part of the results."""
    asked = _asked()
    left_out = {SITE: asked.no_site, OTHER: asked.no_yardstick}
    names = [SITE] if asked.site_only else [name for name in _SUBJECTS if not left_out.get(name)]
    if OTHER in names and not (YARDSTICK / "node_modules").is_dir():
        raise SystemExit("benchmarks: the yardstick is not installed; `sh scripts/setup.sh bench` does it")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    plan = Plan(asked.tables, asked.seconds, min(15.0, asked.seconds / 4), asked.step_seconds)
    where = machine()
    print(f"benchmarks: each of {len(names)} columns takes {plan.bound_s:.0f} s at most", flush=True)
    measured = {name: _measured(plan, name) for name in names}
    command = f".venv/bin/python -m benchmarks.server --tables {plan.tables} --seconds {plan.seconds:g}"
    part = _part(plan, f"{command} --step-seconds {plan.step_s:g}", where, measured)
    if not (asked.dry or asked.site_only):
        RESULTS.write_text(with_part(RESULTS, SERVER_TITLE, part), encoding="utf-8")
    print(part)


if __name__ == "__main__":
    main()
