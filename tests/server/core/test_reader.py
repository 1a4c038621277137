"""Reading what others have written: for many tables at once, and with few answers of the database."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
import sqlalchemy as sa

from buraco.server import postgres
from buraco.server.reader import READ_MAX, Reader
from buraco.server.store import Row, StorageError, Store
from tests.server.core.playing import run
from tests.server.core.test_store import first, following
from tests.server.databases import database_url, on_both, on_postgresql

MANY = tuple(f"t{number}" for number in range(40))


@dataclass(slots=True)
class Work:
    """What a database was asked, and how many lines were made to it."""

    asked: list[str] = field(default_factory=list)
    lines: int = 0

    def kinds(self) -> dict[str, int]:
        """Return how often each kind of thing was asked, and forget it."""
        asked, self.asked = self.asked, []
        return Counter(map(_kind, asked))


def _kind(asked: str) -> str:
    return asked.split(maxsplit=1)[0].strip(";") or "ping"


@asynccontextmanager
async def watched(folder: Path) -> AsyncIterator[tuple[Store, Work]]:
    """Give a store on PostgreSQL of which everything is noted that waits for an answer of the database."""
    store, work = await Store.open(database_url(folder)), Work()
    await store.engine.dispose()

    def heard(told: Any) -> None:
        # The driver's logger hears no prepared statement.
        if _kind(told.query) in ("BEGIN", "COMMIT", "ROLLBACK", "ping"):
            work.asked.append(told.query)

    def connected(connection: Any, _: Any) -> None:
        work.lines += 1
        connection.driver_connection.add_query_logger(heard)

    def executed(_: Any, __: Any, statement: str, *___: Any) -> None:
        work.asked.append(statement)

    sa.event.listen(store.engine.sync_engine, "connect", connected)
    sa.event.listen(store.engine.sync_engine, "before_cursor_execute", executed)
    yield store, work
    await store.close()


@asynccontextmanager
async def with_tables(folder: Path) -> AsyncIterator[Store]:
    """Give a store with two entries of each of many tables."""
    store = await Store.open(database_url(folder))
    await store.write([one for name in MANY for one in (first(name), following(name, 2))])
    yield store
    await store.close()


@on_both
def test_each_table_gets_what_it_asked_for(tmp_path: Path) -> None:
    async def case() -> None:
        async with with_tables(tmp_path) as store:
            reader = Reader(store)
            asked = [(name, number % 4) for number, name in enumerate(MANY)]
            found = await asyncio.gather(*(reader.log_of(*one) for one in asked))
            assert [[one.seq for one in each] for each in found] == [[1, 2][after:] for _, after in asked]
            assert [one.seq for one in await reader.log_of("t0", 1)] == [2]
            assert await reader.log_of("nobody", 0) == []

    run(case)


@on_both
def test_two_who_ask_for_one_table_each_get_what_they_lack(tmp_path: Path) -> None:
    async def case() -> None:
        async with with_tables(tmp_path) as store:
            reader = Reader(store)
            found = await asyncio.gather(*(reader.log_of("t1", after) for after in (1, 0, 2)))
            assert [[one.seq for one in each] for each in found] == [[2], [1, 2], []]

    run(case)


def test_what_is_asked_while_it_reads_goes_into_the_next_statement(tmp_path: Path) -> None:
    async def case() -> None:
        async with with_tables(tmp_path) as store:
            batches: list[list[str]] = []
            begun, go_on = asyncio.Event(), asyncio.Event()
            real = store.rows_of

            class Slow(Store):
                async def rows_of(self, afters: Mapping[str, int]) -> dict[str, list[Row]]:
                    batches.append(list(afters))
                    begun.set()
                    await go_on.wait()
                    return await real(afters)

            reader = Reader(Slow(store.engine))
            asking = [asyncio.create_task(reader.log_of("t0", 0))]
            await begun.wait()
            # What t0 lacks now may be written after the statement has begun, so it is read again.
            asking += [asyncio.create_task(reader.log_of(name, 0)) for name in MANY]
            await asyncio.sleep(0)
            go_on.set()
            assert [len(each) for each in await asyncio.gather(*asking)] == [2] * 41
            assert batches == [["t0"], list(MANY)]
            await asyncio.gather(*(reader.log_of(f"n{number}", 0) for number in range(READ_MAX + 1)))
            assert [len(each) for each in batches[2:]] == [READ_MAX, 1]

    run(case)


@on_both
def test_one_who_waits_no_longer_keeps_nobody_from_an_answer(tmp_path: Path) -> None:
    async def case() -> None:
        async with with_tables(tmp_path) as store:
            reader = Reader(store)
            asking = [asyncio.create_task(reader.log_of(name, 0)) for name in MANY]
            await asyncio.sleep(0)
            asking[0].cancel()
            assert [len(each) for each in await asyncio.gather(*asking[1:])] == [2] * 39
            assert len(await reader.log_of("t0", 0)) == 2

    run(case)


@on_both
def test_an_entry_that_cannot_be_read_is_the_fault_of_its_table_only(tmp_path: Path) -> None:
    async def case() -> None:
        async with with_tables(tmp_path) as store:
            await store.write([replace(following("t1", 3), body="{")])
            reader = Reader(store)
            bad, good = await asyncio.gather(reader.log_of("t1", 2), reader.log_of("t2", 1), return_exceptions=True)
            assert isinstance(bad, msgspec.DecodeError)
            assert isinstance(good, list)
            assert len(good) == 1

    run(case)


@on_both
def test_everybody_who_asked_hears_that_the_database_is_away(tmp_path: Path) -> None:
    async def case() -> None:
        async with with_tables(tmp_path) as store:
            reader = Reader(store)
            async with store.engine.begin() as connection:
                await connection.execute(sa.text("alter table entry rename to away"))
            found = await asyncio.gather(*(reader.log_of(name, 0) for name in MANY), return_exceptions=True)
            assert [type(one) for one in found] == [StorageError] * 40
            async with store.engine.begin() as connection:
                await connection.execute(sa.text("alter table away rename to entry"))
            assert len(await reader.log_of("t0", 0)) == 2

    run(case)


@on_postgresql
def test_a_database_is_asked_once_for_what_many_tables_lack(tmp_path: Path) -> None:
    async def case() -> None:
        async with with_tables(tmp_path), watched(tmp_path) as (store, work):
            reader = Reader(store)
            await asyncio.gather(*(reader.log_of(name, 1) for name in MANY))
            assert work.kinds() == {"SELECT": 1}
            await reader.log_of("t0", 1)
            assert work.kinds() == {"SELECT": 1}
            assert work.lines == 1

    run(case)


@on_postgresql
def test_a_batch_of_many_tables_is_written_with_four_answers(tmp_path: Path) -> None:
    async def case() -> None:
        async with with_tables(tmp_path), watched(tmp_path) as (store, work):
            for seq in (3, 4):
                await store.write([following(name, seq) for name in MANY[:seq]])
                assert work.kinds() == dict.fromkeys(("BEGIN", "SELECT", "INSERT", "COMMIT"), 1)
            assert work.lines == 1

    run(case)


@on_postgresql
def test_the_statements_are_the_same_for_any_number_of_tables(tmp_path: Path) -> None:
    async def case() -> None:
        async with with_tables(tmp_path), watched(tmp_path) as (store, work):
            for seq in (3, 4):
                await store.write([following(name, seq) for name in MANY[:seq]])
                await store.rows_of(dict.fromkeys(MANY[:seq], 1))
            # Each is prepared once, then.
            assert len({one for one in work.asked if _kind(one) in ("SELECT", "INSERT")}) == 3

    run(case)


@on_postgresql
def test_no_line_is_closed_after_a_rush(tmp_path: Path) -> None:
    async def case() -> None:
        async with with_tables(tmp_path), watched(tmp_path) as (store, work):
            for _ in range(3):
                await asyncio.gather(*(store.is_known(name) for name in MANY))
            assert 1 <= work.lines <= 15
            assert work.kinds() == {"SELECT": 120}

    run(case)


@on_postgresql
def test_a_line_that_was_idle_is_tried_before_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def case() -> None:
        async with with_tables(tmp_path), watched(tmp_path) as (store, work):
            await store.is_known("t0")
            monkeypatch.setattr(postgres, "_IDLE_S", -1.0)
            assert await store.is_known("t0")
            assert work.kinds() == {"SELECT": 2, "BEGIN": 1, "ping": 1, "ROLLBACK": 1}
            assert work.lines == 1

    run(case)


def test_a_fault_in_reading_leaves_nobody_waiting() -> None:
    class Broken:
        async def rows_of(self, _: Mapping[str, int]) -> dict[str, list[Row]]:
            raise ZeroDivisionError

    async def case() -> None:
        reader = Reader(cast(Store, Broken()))
        asking = [asyncio.create_task(reader.log_of(name, 0)) for name in MANY]
        await asyncio.sleep(0)
        (task,) = (one for one in asyncio.all_tasks() if one.get_name() == "reader")
        assert [type(one) for one in await asyncio.gather(*asking, return_exceptions=True)] == [StorageError] * len(
            MANY
        )
        with pytest.raises(ZeroDivisionError):
            await task

    run(case)
