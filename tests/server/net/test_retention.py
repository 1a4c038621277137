"""What is kept for a stated time only; the clock is in the test's hand."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from buraco.server.accounts import People
from buraco.server.app import Ground
from buraco.server.clocks import ManualClock
from buraco.server.retention import tidy
from tests.server.databases import on_both
from tests.server.net.clients import Guest
from tests.server.net.serving import Running, cheap_hasher, running_server

pytestmark = pytest.mark.anyio

DAY_MS = 86_400_000
FLAGS: dict[str, int] = {"keep_tables_days": 10, "keep_guests_days": 20, "abandon_open_s": 10**6}


async def closed_table(guest: Guest, running: Running) -> str:
    """Make a table and close it; return its identifier."""
    made = (await guest.ask("POST", "/api/tables", {})).json()
    table = await running.parts.service.get(made["table"])
    await table.admin_close()
    return str(made["table"])


@on_both
async def test_closed_tables_and_old_guests_go_after_the_stated_time(tmp_path: Path) -> None:
    clock = ManualClock(1_700_000_000_000)
    ground = Ground(clock=clock, bots="inline", hasher=cheap_hasher())
    async with running_server(tmp_path, ground, **FLAGS) as running:
        old = await Guest.make(running, "old")
        owner = await Guest.make(running, "owner")
        async with running.client() as account:
            await account.post("/api/guests", json={"name": "Eva"})
            await account.post("/api/accounts", json={"login": "Eva", "password": "correct horse"})
        closed = await closed_table(old, running)
        made = (await owner.ask("POST", "/api/tables", {})).json()
        archive, people = running.parts.archive, running.parts.people
        clock.turn_to(clock.now_ms() + 10 * DAY_MS)
        assert await tidy(running.parts) == (0, 0)
        clock.turn_to(clock.now_ms() + 1)
        assert await tidy(running.parts) == (1, 0)
        assert closed not in [one[0] for one in await archive.open_tables()]
        assert made["table"] in [one[0] for one in await archive.open_tables()]
        # Whoever comes back within the time stays.
        assert (await owner.ask("GET", "/api/me")).status_code == 200
        clock.turn_to(clock.now_ms() + 10 * DAY_MS)
        assert await tidy(running.parts) == (0, 1)
        assert await people.find(old.person["person"]) is None
        assert await people.find(owner.person["person"]) is not None
        assert await people.find_login("Eva") is not None, "an account is kept"


@on_both
async def test_housekeeping_looks_every_second_and_tidies_by_itself(tmp_path: Path) -> None:
    clock = ManualClock(1_700_000_000_000)
    ground = Ground(clock=clock, bots="inline", hasher=cheap_hasher())
    async with running_server(tmp_path, ground, **FLAGS) as running:
        guest = await Guest.make(running, "old")
        async with asyncio.timeout(30):
            while await running.parts.people.find(guest.person["person"]) is not None:
                clock.turn_to(clock.now_ms() + DAY_MS)
                await asyncio.sleep(0)


@on_both
async def test_a_fault_of_the_database_does_not_end_the_housekeeping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock(1_700_000_000_000)
    ground = Ground(clock=clock, bots="inline", hasher=cheap_hasher())
    async with running_server(tmp_path, ground, **FLAGS) as running:
        asked = 0

        async def broken(_: People, __: int, limit: int = 500) -> list[str]:
            nonlocal asked
            asked += 1
            raise OperationalError("select", {}, Exception(str(limit)))

        monkeypatch.setattr(People, "old_guests", broken)
        async with asyncio.timeout(30):
            while asked < 3:
                clock.turn_to(clock.now_ms() + 3_600_000)
                await asyncio.sleep(0)
        assert 'buraco_errors_total{kind="OperationalError"}' in running.parts.metrics.text().decode()
