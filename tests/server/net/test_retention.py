"""What is kept for a stated time only; the clock is in the test's hand."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from buraco.server import app
from buraco.server.accounts import People
from buraco.server.admin import Orders
from buraco.server.app import Ground
from buraco.server.clocks import ManualClock
from buraco.server.forgetting import forget_person, principal_of
from buraco.server.messages import Ack, Sit, TableOptions
from buraco.server.retention import Tidied, housekeeping, tidy
from buraco.server.schema import member_table, result_seat_table, result_table
from buraco.server.store import StorageError
from tests.server.databases import on_site
from tests.server.net.clients import Guest
from tests.server.net.serving import Running, cheap_hasher, running_server

pytestmark = pytest.mark.anyio

DAY_MS = 86_400_000
FLAGS: dict[str, int] = {"keep_tables_days": 10, "keep_guests_days": 20, "abandon_open_s": 10**6}


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be tidied but by the test."""

    async def idle(_: object, __: object) -> None:
        return

    monkeypatch.setattr(app, "housekeeping", idle)


async def closed_table(guest: Guest, running: Running) -> str:
    """Make a table and close it; return its identifier."""
    made = (await guest.ask("POST", "/api/tables", {})).json()
    await close(running, made["table"])
    return str(made["table"])


async def close(running: Running, name: str) -> None:
    """Close a table and let every server hear of it, before the clock jumps further than any could lag behind."""
    await (await running.parts.service.get(name)).admin_close()
    for parts in running.others:
        await parts.service.refresh()
        assert name not in {table.table_id for table in parts.service.tables}


@on_site
@pytest.mark.usefixtures("by_hand")
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
        assert await tidy(running.parts) == Tidied()
        clock.turn_to(clock.now_ms() + 1)
        assert await tidy(running.parts) == Tidied(logs=1)
        assert closed not in [one[0] for one in await archive.open_tables()]
        assert made["table"] in [one[0] for one in await archive.open_tables()]
        # Whoever comes back within the time stays.
        assert (await owner.ask("GET", "/api/me")).status_code == 200
        clock.turn_to(clock.now_ms() + 10 * DAY_MS)
        assert await tidy(running.parts) == Tidied(guests=1)
        assert await people.find(old.person["person"]) is None
        assert await people.find(owner.person["person"]) is not None
        assert await people.find_login("Eva") is not None, "an account is kept"


async def finished_match(running: Running, *people: Guest) -> str:
    """Let people begin a match, one of whom resigns at once; close the table; return its identifier."""
    owner, *others = people
    made = (
        await owner.ask("POST", "/api/tables", {"options": {"rules": "burraco", "players": 2, "public": True}})
    ).json()
    for other in others:
        assert (await other.ask("POST", f"/api/tables/{made['table']}/join", {})).status_code == 200
    for other in others:
        seat = await other.open(made["table"])
        await seat.hear()
        assert (await seat.ask("ready"))["type"] == "ack"
        await seat.close()
    seat = await owner.open(made["table"])
    await seat.hear()
    assert (await seat.ask("start"))["type"] == "ack"
    await seat.until(lambda: seat.view is not None)
    assert (await seat.ask("resign"))["type"] == "ack"
    await seat.close()
    await close(running, made["table"])
    return str(made["table"])


async def account(running: Running, login: str) -> Guest:
    """Make a person with an account."""
    made = await Guest.make(running, login)
    answer = await made.ask("POST", "/api/accounts", {"login": login, "password": "correct horse"})
    assert answer.status_code == 201
    return made


async def shown(running: Running, table: str) -> tuple[int, int]:
    """Return how many results of a table are shown, and the status of its record."""
    async with running.client() as client:
        results = (await client.get(f"/api/tables/{table}/results")).json()["results"]
        return len(results), (await client.get(f"/api/tables/{table}/records/1")).status_code


@pytest.mark.usefixtures("by_hand")
async def test_what_somebody_began_in_the_moment_of_their_deletion_goes_with_the_next_tidying(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        parts = running.parts
        ana, bob = await Guest.make(running, "Ana to delete"), await Guest.make(running, "Bob")
        made = (await bob.ask("POST", "/api/tables", {})).json()
        person = await parts.people.find(ana.person["person"])
        assert person is not None
        await forget_person(parts, person)
        # So a request goes on that had been looked up before.
        own = await parts.service.create(principal_of(person), TableOptions(rules="aberto"))
        his = await parts.service.get(made["table"])
        reply = await his.handle(principal_of(person), Sit(id="late", version=his.version, seat=1))
        assert isinstance(reply, Ack)
        assert await parts.archive.strays() == [person.person_id]
        await tidy(parts)
        assert await parts.archive.strays() == []
        assert own.closed
        assert [seat.kind for seat in his.fold.seats] == ["person", "empty", "empty", "empty"]
        assert {one.name for one in his.fold.people.values()} == {"Bob", "(deleted)"}
        async with parts.service.store.engine.connect() as connection:
            rows = (await connection.execute(sa.select(member_table))).all()
        assert {row.name for row in rows} == {"Bob", "(deleted)"}


@on_site
@pytest.mark.usefixtures("by_hand")
async def test_results_stay_with_the_accounts_and_go_with_the_guests(tmp_path: Path) -> None:
    clock = ManualClock(1_700_000_000_000)
    ground = Ground(clock=clock, bots="inline", hasher=cheap_hasher())
    async with running_server(tmp_path, ground, **FLAGS) as running:
        eva, guest, other = await account(running, "Eva"), await Guest.make(running, "Bob"), await Guest.make(running)
        kept = await finished_match(running, eva, guest)
        guests_only = await finished_match(running, guest, other)
        assert await shown(running, kept) == await shown(running, guests_only) == (1, 200)
        clock.turn_to(clock.now_ms() + 11 * DAY_MS)
        assert await tidy(running.parts) == Tidied(logs=2)
        assert await running.parts.service.store.log_of(kept) == []
        assert await shown(running, kept) == await shown(running, guests_only) == (1, 200)
        clock.turn_to(clock.now_ms() + 10 * DAY_MS)
        assert await tidy(running.parts) == Tidied(guests=2, results=1)
        assert await shown(running, guests_only) == (0, 404)
        clock.turn_to(clock.now_ms() + 5000 * DAY_MS)
        assert await tidy(running.parts) == Tidied()
        (result,) = (await eva.ask("GET", "/api/me/history")).json()["results"]
        assert (result["table"], result["names"]) == (kept, ["Eva", "(deleted)"])
        assert await shown(running, kept) == (1, 200)
        # Of a table nothing is left once its last result has gone.
        assert (await eva.ask("GET", f"/api/tables/{kept}")).status_code == 410
        assert (await eva.ask("DELETE", "/api/me")).status_code == 204
        assert await tidy(running.parts) == Tidied(results=1)
        assert await shown(running, kept) == (0, 404)
        assert not await running.parts.service.store.is_known(kept)


@on_site
@pytest.mark.usefixtures("by_hand")
async def test_results_go_after_a_time_where_the_settings_say_so(tmp_path: Path) -> None:
    clock = ManualClock(1_700_000_000_000)
    ground = Ground(clock=clock, bots="inline", hasher=cheap_hasher())
    async with running_server(tmp_path, ground, **FLAGS, keep_results_days=100) as running:
        eva = await account(running, "Eva")
        table = await finished_match(running, eva, await account(running, "Bob"))
        clock.turn_to(clock.now_ms() + 100 * DAY_MS)
        assert await tidy(running.parts) == Tidied(logs=1)
        clock.turn_to(clock.now_ms() + 1)
        assert await tidy(running.parts) == Tidied(results=1)
        assert await shown(running, table) == (0, 404)
        assert not await running.parts.service.store.is_known(table)


@pytest.mark.usefixtures("by_hand")
async def test_a_history_is_read_page_by_page_and_exported_whole(tmp_path: Path) -> None:
    clock = ManualClock(1_700_000_000_000)
    ground = Ground(clock=clock, bots="inline", hasher=cheap_hasher())
    async with running_server(tmp_path, ground) as running:
        eva, bob = await account(running, "Eva"), await Guest.make(running, "Bob")
        tables = []
        for _ in range(3):
            clock.turn_to(clock.now_ms() + 1000)
            tables.append(await finished_match(running, eva, bob))
        await copied_results(running, tables[0], 450)
        first = (await eva.ask("GET", "/api/me/history?limit=2")).json()["results"]
        assert [one["table"] for one in first] == [tables[2], tables[1]]
        before = first[-1]["ended_ms"]
        person = eva.person["person"]
        for path in ("/api/me/history", f"/api/people/{person}/history"):
            rest = (await eva.ask("GET", f"{path}?before_ms={before}&limit=200")).json()["results"]
            assert len(rest) == 200
            assert rest[0]["table"] == tables[0]
        export = (await eva.ask("GET", "/api/me/export")).json()
        assert len(export["results"]) == 453
        assert all(one["names"] == ["Eva", "Bob"] for one in export["results"])


async def copied_results(running: Running, table: str, count: int) -> None:
    """Write so many earlier results like the first of a table."""
    async with running.parts.service.store.engine.begin() as connection:
        for kept in (result_table, result_seat_table):
            rows = [
                dict(row._mapping) for row in await connection.execute(kept.select().where(kept.c.table_id == table))
            ]
            for number in range(count):
                for row in rows:
                    changed = {**row, "match": 2 + number}
                    if "ended_ms" in row:
                        changed["ended_ms"] = row["ended_ms"] - 1 - number
                    await connection.execute(kept.insert().values(changed))


@on_site
async def test_housekeeping_looks_every_second_and_tidies_by_itself(tmp_path: Path) -> None:
    clock = ManualClock(1_700_000_000_000)
    ground = Ground(clock=clock, bots="inline", hasher=cheap_hasher())
    async with running_server(tmp_path, ground, **FLAGS) as running:
        guest = await Guest.make(running, "old")
        async with asyncio.timeout(30):
            while await running.parts.people.find(guest.person["person"]) is not None:
                clock.turn_to(clock.now_ms() + DAY_MS)
                await asyncio.sleep(0)


@on_site
@pytest.mark.parametrize(
    "fault",
    [OperationalError("select", {}, Exception("gone")), StorageError("storage", "not written"), OSError("full")],
    ids=lambda fault: type(fault).__name__,
)
async def test_a_fault_of_the_database_does_not_end_the_housekeeping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    clock = ManualClock(1_700_000_000_000)
    ground = Ground(clock=clock, bots="inline", hasher=cheap_hasher())
    async with running_server(tmp_path, ground, **FLAGS) as running:
        asked = 0

        async def broken(_: People, __: int, limit: int = 500) -> list[str]:
            nonlocal asked
            asked += 1
            assert limit
            raise fault

        monkeypatch.setattr(People, "old_guests", broken)
        async with asyncio.timeout(30):
            while asked < 3:
                clock.turn_to(clock.now_ms() + 3_600_000)
                await asyncio.sleep(0)
        assert f'buraco_errors_total{{kind="{type(fault).__name__}"}}' in running.parts.metrics.text().decode()


async def test_the_housekeeping_ends_before_the_database_is_closed(tmp_path: Path) -> None:
    began = asyncio.Event()
    async with running_server(tmp_path) as running:
        parts = running.parts
        closed_before = parts.service.store.close
        order: list[str] = []

        async def slow() -> list[object]:
            began.set()
            await parts.state.ending.wait()
            for _ in range(100):
                await asyncio.sleep(0)
            order.append("looked")
            return []

        async def close() -> None:
            order.append("closed")
            await closed_before()

        orders = Orders(parts.service.store.engine)
        orders.open = slow  # type: ignore[assignment,method-assign]
        parts.service.store.close = close  # type: ignore[method-assign]
        task = parts.state.housekeeping
        assert task is not None
        parts.state.housekeeping = asyncio.create_task(housekeeping(parts, orders))
        await began.wait()
    assert order[0] == "looked"
    assert "closed" in order
    await asyncio.wait({task})
