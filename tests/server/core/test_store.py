"""The database: whole or not at all, in order, once; the migrations make what the code expects."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from buraco.errors import BuracoError
from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server import upgrade
from buraco.server.admin import order_table
from buraco.server.archive import Archive
from buraco.server.replaying import Person
from buraco.server.schema import metadata
from buraco.server.store import (
    Append,
    NewTable,
    ResultSeat,
    Row,
    SavedResult,
    SeqTaken,
    StorageError,
    Store,
    TableClosed,
)
from buraco.server.terms import CLOSE_GONE
from buraco.server.upgrade import make_engine, schema_state, upgrade_schema
from buraco.server.writer import Writer
from tests.server.core.playing import Player, club, play_match, quick_store, run
from tests.server.databases import database_url, on_both

BODY = log.encode_entry(log.Sat(by=1, seat=0))
OWNER = Person(1, "token", None, "ana")
SEATS = (ResultSeat(seat=0, token_id="token", account_id=None, name="ana", bot=""),)
RESULT = SavedResult(
    match=1,
    ended_ms=9,
    kind="played",
    winner=0,
    totals=(10, 20),
    players=2,
    rules_name="burraco",
    public=False,
    record="{}",
    seats=SEATS,
)


def first(table: str, code: str = "") -> Append:
    new = NewTable(table, code or table.upper(), 5)
    return Append(table_id=table, seq=1, at_ms=5, body=BODY, table=new, person=OWNER)


def following(table: str, seq: int) -> Append:
    return Append(table_id=table, seq=seq, at_ms=5 + seq, body=BODY)


def differences(raw: sa.Connection, known: sa.MetaData) -> list[object]:
    """Return in what a database differs from the tables that the code knows."""
    own = {table.name for table in known.sorted_tables}
    options = {"include_name": lambda name, kind, _: kind != "table" or name in own}
    return list(compare_metadata(MigrationContext.configure(raw, opts=options), known))


class Watch:
    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.failures = 0

    def committed(self, appends: int) -> None:
        self.sizes.append(appends)

    def failed(self, appends: int) -> None:
        self.failures += appends


@on_both
def test_what_is_written_is_read_in_order(tmp_path: Path) -> None:
    async def case() -> None:
        store = await quick_store(tmp_path)
        await store.write([first("a"), first("b"), following("a", 2), following("a", 3)])
        assert [one.seq for one in await store.log_of("a")] == [1, 2, 3]
        assert [one.seq for one in await store.log_of("a", after=2)] == [3]
        assert await store.people_of("b") == [OWNER]
        assert [one.code for one in await store.unfinished()] == ["A", "B"]
        assert await store.is_known("a")
        assert await store.is_known("B")
        assert not await store.is_known("c")
        await store.write([replace(following("a", 4), closed_ms=7)])
        assert [one.table_id for one in await store.unfinished()] == ["b"]
        await store.close()

    run(case)


@on_both
def test_an_entry_has_its_place_once_and_a_batch_is_whole(tmp_path: Path) -> None:
    async def case() -> None:
        store = await quick_store(tmp_path)
        await store.write([first("a")])
        for batch in ([following("a", 2), following("a", 2)], [following("a", 2), first("b", "A")], [first("a")]):
            with pytest.raises(SeqTaken):
                await store.write(batch)
        assert [one.seq for one in await store.log_of("a")] == [1]
        assert not await store.is_known("b")
        await store.close()

    run(case)


@on_both
@pytest.mark.parametrize("removed", [False, True])
def test_nothing_is_added_to_a_closed_table_whether_its_log_is_still_there_or_not(
    tmp_path: Path, *, removed: bool
) -> None:
    async def case() -> None:
        store = await quick_store(tmp_path)
        await store.write([first("a"), first("b"), Append(table_id="a", result=RESULT)])
        await store.write([replace(following("a", 2), closed_ms=7)])
        if removed:
            assert await Archive(store.engine).remove_logs(8) == 1
        left = await store.log_of("a")
        newcomer = Person(2, "other", None, "bob")
        for late in (following("a", 2), following("a", 3), replace(following("a", 3), person=newcomer)):
            with pytest.raises(TableClosed):
                await store.write([following("b", 2), late])
        assert await store.log_of("a") == left
        assert newcomer not in await store.people_of("a")
        assert [one.seq for one in await store.log_of("b")] == [1]
        await store.close()

    run(case)


@on_both
def test_one_table_that_is_closed_spoils_no_other_of_its_batch(tmp_path: Path) -> None:
    async def case() -> None:
        store = await quick_store(tmp_path)
        await store.write([first("a"), first("b"), replace(following("b", 2), closed_ms=7)])
        writer = Writer(store)
        writer.start()
        done = await asyncio.gather(
            writer.append(following("a", 2)), writer.append(following("b", 3)), return_exceptions=True
        )
        assert [type(one) for one in done] == [type(None), TableClosed]
        assert [one.seq for one in await store.log_of("a")] == [1, 2]
        await writer.close()
        await store.close()

    run(case)


@on_both
def test_a_server_that_lags_behind_closes_its_copy_of_a_table_that_is_gone(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as one, club(tmp_path, seed=2) as two:
            table, (ana,) = await one.table_of("ana", rules="burraco", players=2)
            assert await two.service.restore() == 1
            copy = await two.service.get(table.table_id)
            other = two.join(copy, "ana")
            await ana.done(msg.CloseTable)
            assert await Archive(one.service.store.engine).remove_logs(one.clock.now_ms() + 1) == 1
            reply = await other.say(msg.Chat, text="is anybody here?")
            assert isinstance(reply, msg.Refused)
            assert reply.code == "table_closed"
            assert copy.closed
            assert other.rest().code == CLOSE_GONE
            assert two.service.tables == ()
            assert await one.service.store.log_of(table.table_id) == []
            again = await copy.handle(other.principal, msg.Chat(id="again", version=copy.version, text="hello?"))
            assert isinstance(again, msg.Refused)
            assert again.code == "table_closed"

    run(case)


@on_both
def test_what_a_table_does_by_itself_ends_with_a_table_that_is_gone(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as one, club(tmp_path, seed=2) as two:
            table, (ana,) = await one.table_of("ana", rules="burraco", players=2)
            await two.service.restore()
            copy = await two.service.get(table.table_id)
            await ana.done(msg.CloseTable)
            await Archive(one.service.store.engine).remove_logs(one.clock.now_ms() + 1)
            # Nobody is at the copy, which therefore wants to end by itself.
            await two.turn(two.service._settings.abandon_open_ms + 1, copy)
            assert copy.closed
            assert two.service.tables == ()
            assert await one.service.store.log_of(table.table_id) == []

    run(case)


@on_both
def test_a_result_counts_once(tmp_path: Path) -> None:
    async def case() -> None:
        store = await quick_store(tmp_path)
        await store.write([first("a"), Append(table_id="a", result=RESULT)])
        await store.write([Append(table_id="a", result=replace(RESULT, winner=1, record="other"))])
        assert await Archive(store.engine).record("a", 1) == "{}"
        assert (await store.has_result("a", 1), await store.has_result("a", 2)) == (True, False)
        async with store.engine.connect() as connection:
            rows = (await connection.execute(sa.text("select winner from result"))).all()
            seats = (await connection.execute(sa.text("select name, bot from result_seat"))).all()
        assert ([tuple(row) for row in rows], [tuple(row) for row in seats]) == ([(0,)], [("ana", "")])
        await store.close()

    run(case)


@on_both
def test_many_tables_share_a_commit_and_one_that_fails_spoils_no_other(tmp_path: Path) -> None:
    async def case() -> None:
        store, watch = await quick_store(tmp_path), Watch()
        writer = Writer(store, watch=watch)
        with pytest.raises(StorageError):
            await writer.append(first("early"))
        writer.start()
        writer.start()
        names = [f"t{number}" for number in range(20)]
        await asyncio.gather(*(writer.append(first(name)) for name in names))
        assert watch.sizes == [20]
        batch = [writer.append(following(name, 2)) for name in names]
        batch.insert(7, writer.append(following("t3", 1)))
        done = await asyncio.gather(*batch, return_exceptions=True)
        assert [type(one) for one in done if one is not None] == [SeqTaken]
        assert watch.failures == 0, "who came second is no fault of the database"
        for name in names:
            assert [one.seq for one in await store.log_of(name)] == [1, 2]
        last = asyncio.create_task(writer.append(following("t1", 3)))
        await asyncio.sleep(0)
        await writer.close()
        await last
        with pytest.raises(StorageError):
            await writer.append(following("t1", 4))
        await store.close()

    run(case)


@on_both
def test_a_database_that_fails_is_told_to_who_waits_and_the_writer_goes_on(tmp_path: Path) -> None:
    async def case() -> None:
        store, watch = await quick_store(tmp_path), Watch()
        writer = Writer(store, watch=watch)
        writer.start()
        await writer.append(first("a"))
        async with store.engine.begin() as connection:
            await connection.execute(sa.text("alter table entry rename to away"))
        with pytest.raises(StorageError):
            await writer.append(following("a", 2))
        async with store.engine.begin() as connection:
            await connection.execute(sa.text("alter table away rename to entry"))
        assert watch.failures == 1
        await writer.append(following("a", 2))
        await writer.close()
        await store.close()

    run(case)


@on_both
def test_what_could_not_be_saved_did_not_happen_and_may_be_said_again(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            host = table.fold.host
            assert host is not None
            player: Player = (ana, bob)[host.seat or 0]
            engine, version = here.service.store.engine, table.version
            async with engine.begin() as connection:
                await connection.execute(sa.text("alter table entry rename to away"))
            reply = await player.say(msg.Act, action=0, message_id="draw")
            assert isinstance(reply, msg.Refused)
            assert (reply.code, table.version) == ("storage", version)
            # What the table does by itself waits too, and is tried again.
            await player.say(msg.Leave)
            assert table.version == version
            async with engine.begin() as connection:
                await connection.execute(sa.text("alter table away rename to entry"))
            await player.done(msg.Act, action=0, message_id="draw")
            assert table.version == version + 1

    run(case)


@on_both
def test_what_a_table_does_by_itself_is_tried_again(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2)
            engine = here.service.store.engine
            people[1].subscription.close()
            async with engine.begin() as connection:
                await connection.execute(sa.text("alter table entry rename to away"))
            await here.turn(30_500)
            assert [table.fold.seats[1].cause] == [""]
            async with engine.begin() as connection:
                await connection.execute(sa.text("alter table away rename to entry"))
            await here.turn(1_000)
            assert table.fold.seats[1].cause == "away"

    run(case)


@on_both
def test_a_message_waits_for_a_database_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def case() -> None:
        async with club(tmp_path) as one, club(tmp_path, seed=2) as two:
            table, (ana, _) = await one.table_of("ana", "bob", rules="burraco", players=2)
            await two.service.restore()
            copy = await two.service.get(table.table_id)
            other = two.join(copy, "bob")
            await ana.done(msg.Chat, text="first")

            async def fails(_: Store, __: Mapping[str, int]) -> dict[str, list[Row]]:
                raise StorageError("storage", "away")

            with monkeypatch.context() as patch:
                patch.setattr(Store, "rows_of", fails)
                # It learns that somebody else has written, but not what.
                reply = await other.say(msg.Chat, text="second", message_id="m")
            assert isinstance(reply, msg.Refused)
            assert reply.code == "storage"
            assert isinstance(await other.say(msg.Chat, text="second", message_id="m"), msg.Ack)
            assert [line.text for line in copy.fold.chat] == ["first", "second"]

    run(case)


@on_both
def test_two_servers_on_one_database_do_not_overwrite_each_other(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as one, club(tmp_path, seed=2) as two:
            table, (ana, bob) = await one.table_of("ana", "bob", rules="burraco", players=2)
            assert await two.service.restore() == 1
            copy = await two.service.get(table.table_id)
            other = two.join(copy, "bob")
            await ana.done(msg.Chat, text="first")
            assert copy.version == table.version - 1
            reply = await other.say(msg.Chat, text="second")
            assert isinstance(reply, msg.Ack)
            assert copy.version == table.version + 1
            assert [line.text for line in copy.fold.chat] == ["first", "second"]
            assert isinstance(await ana.say(msg.Chat, text="third"), msg.Ack)
            assert [line.text for line in table.fold.chat] == ["first", "second", "third"]
            assert bob.seat == 1

    run(case)


def test_the_migrations_make_what_the_code_expects(tmp_path: Path) -> None:
    async def case() -> None:
        engine = make_engine(f"sqlite+aiosqlite:///{tmp_path / 'deep' / 'new.db'}")
        before, newest = await schema_state(engine)
        assert (before, bool(newest)) == ("", True)
        await upgrade_schema(engine)
        await upgrade_schema(engine)
        assert await schema_state(engine) == (newest, newest)
        async with engine.connect() as connection:
            for known in (metadata, order_table.metadata):
                assert await connection.run_sync(differences, known) == []
            for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
                assert (await connection.execute(sa.text(f"pragma {pragma}"))).scalar() == value
        await engine.dispose()

    run(case)


def downgrade(connection: sa.Connection, revision: str) -> None:
    config = upgrade._config()
    config.attributes["connection"] = connection
    command.downgrade(config, revision)


async def rows_of(url: str) -> dict[str, list[Any]]:
    """Return the rows of the tables that every step of the schema has."""
    engine = make_engine(url)
    async with engine.connect() as connection:
        found = {
            table.name: [tuple(row) for row in (await connection.execute(sa.select(table))).all()]
            for table in metadata.sorted_tables
        }
    await engine.dispose()
    return found


@on_both
@pytest.mark.parametrize("revision", ["0001", "0002", "0003"])
def test_a_database_of_every_earlier_step_is_upgraded_with_all_that_is_in_it(tmp_path: Path, revision: str) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            finished, people = await here.match_of("ana", "bob", rules="burraco", players=2, deal_count=1)
            await play_match(here, finished, people, random.Random(2))
            running, (eva,) = await here.match_of("eva", rules="fechado", players=2)
            await eva.done(msg.Chat, text="still here")
        async with club(tmp_path) as before_it:
            tables = [await before_it.service.get(one.table_id) for one in (finished, running)]
            pictures = [msg.encode(one.snapshot(eva.principal)) for one in tables]
        url = database_url(tmp_path, "club.db")
        before = await rows_of(url)
        engine = make_engine(url)
        async with engine.begin() as connection:
            await connection.run_sync(downgrade, revision)
        assert (await schema_state(engine))[0] == revision
        await upgrade_schema(engine)
        await engine.dispose()
        async with club(tmp_path) as again:
            assert await rows_of(url) == before
            tables = [await again.service.get(one.table_id) for one in (finished, running)]
            assert [msg.encode(one.snapshot(eva.principal)) for one in tables] == pictures
            here_again = again.join(tables[1], "eva")
            await tables[1].settled()
            assert tables[1].fold.awake
            assert here_again.seat == 0

    run(case)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("nonsense", "database_url"),
        ("sqlite+nothing:///x", "database_url"),
        ("sqlite:///x.db", "database_url"),
        ("sqlite+aiosqlite:////proc/x/y", "database"),
    ],
)
def test_a_database_that_cannot_be_used_is_a_clear_error(url: str, code: str) -> None:
    async def case() -> None:
        with pytest.raises(BuracoError) as error:
            await Store.open(url)
        assert error.value.code == code

    run(case)


def test_a_file_that_is_no_database_is_a_clear_error(tmp_path: Path) -> None:
    async def case() -> None:
        path = tmp_path / "text.db"
        path.write_text("this is no database, but it is long enough to look like something else " * 40)
        with pytest.raises(BuracoError) as error:
            await Store.open(f"sqlite+aiosqlite:///{path}")
        assert error.value.code == "database"

    run(case)


class Opened:
    """Every connection that an engine opens."""

    def __init__(self, store: Store) -> None:
        self.connections: list[Any] = []
        sa.event.listen(store.engine.sync_engine, "connect", self._note, insert=True)

    def _note(self, connection: Any, _record: Any) -> None:
        self.connections.append(connection.driver_connection)

    def open_count(self) -> int:
        """Return how many of them are open."""
        return sum(1 for one in self.connections if _is_open(one))


def _is_open(connection: aiosqlite.Connection) -> bool:
    try:
        return isinstance(connection.in_transaction, bool)
    except ValueError:
        return False


def test_a_connection_that_is_still_used_while_the_store_is_closed_is_closed_too(tmp_path: Path) -> None:
    async def case() -> None:
        store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'club.db'}")
        await store.engine.dispose()
        opened = Opened(store)
        # A request whose answer is still being made.
        connection = await store.engine.connect()
        await connection.execute(sa.text("select 1"))
        closing = asyncio.create_task(store.close())
        for _ in range(100):
            await asyncio.sleep(0)
        await connection.close()
        await closing
        assert (len(opened.connections), opened.open_count()) == (1, 0)

    run(case)
