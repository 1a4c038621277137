"""The servers that the benchmark runs end with it, its tables are played at both of them, and what it tells."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from benchmarks import own_tables
from benchmarks.load import SEATS, Figures, Usage
from benchmarks.processes import Served, own_site
from benchmarks.server import OTHER, OURS, SITE, Measured, Plan, answers, table_lines
from tests.server.test_keeper import assert_over

FIGURES = Figures(
    wanted_per_s=500,
    actions_per_s=499,
    median_ms=5,
    p99_ms=50,
    worst_ms=120,
    cpu_ms_per_action=1.5,
    database_ms_per_action=0,
    redis_ms_per_action=0,
    clients_processors=0.2,
    events_per_action=4,
    refused=Counter(),
)
ACTIONS = 12


async def play(served: Served) -> own_tables.OwnTable:
    """Play a table of the site until every client has heard of some actions."""
    async with asyncio.timeout(120), own_tables.http_client() as client:
        for address in served.addresses:
            await answers(client, f"{address}/readyz")
        table = await own_tables.sit_down(client, served.addresses, 1)
        table.start(0.001, asyncio.get_running_loop().time())
        while len(table.times_ms) < ACTIONS * SEATS:
            await asyncio.sleep(0)
    table.stop()
    table.close()
    return table


def measure_and_fail(handles: list[int]) -> None:
    """Play a table of a site, note its processes, and break off."""
    with own_site() as served:
        assert served.database is not None
        assert served.redis is not None
        handles += [os.pidfd_open(pid) for pid in (*served.servers, served.database, served.redis)]
        table = asyncio.run(play(served))
        assert table.refused == {}
        places = Counter(urlsplit(wire.address).netloc for wire in table.wires.values())
        assert places == {urlsplit(address).netloc: 2 for address in served.addresses}
        assert served.usage().servers_s > 0
        assert served.usage().database_s > 0
        assert served.resident_kib() > 0
        raise RuntimeError("planned")


def test_a_site_is_played_at_both_processes_and_ends_after_a_failure_too() -> None:
    handles: list[int] = []
    with pytest.raises(RuntimeError, match="planned"):
        measure_and_fail(handles)
    assert len(handles) == 4
    assert_over(*handles)


def test_what_is_used_is_told_apart() -> None:
    assert Usage(5, 3, 1).since(Usage(2, 1, 1)) == Usage(3, 2, 0)


def test_each_server_has_a_column_and_only_ours_has_aims() -> None:
    own = Measured(FIGURES, FIGURES, 90, 180)
    slow = Measured(replace(FIGURES, p99_ms=300, median_ms=40, redis_ms_per_action=0.02), None, 200, 400)
    lines = table_lines(500, {OURS: own, SITE: slow, OTHER: own})
    assert {line.count("|") for line in lines} == {7}
    assert lines[0] == f"| figure | {OURS} | {SITE} | {OTHER} | aim for ours |  |"
    assert "| action to event, 99th percentile, ms | 50.0 | 300.0 | 50.0 | ≤ 100 | reached |" in lines
    assert any(line.endswith("| 499 | – | 499 | more than the yardstick | **missed** |") for line in lines)
    assert "| … of Redis | – | 0.02 | – |  |  |" in lines
    assert not [line for line in table_lines(500, {SITE: slow}) if "reached" in line or "missed" in line]


def test_a_run_ends_by_itself() -> None:
    assert Plan(500, 120, 15, 15).bound_s < 1_100
