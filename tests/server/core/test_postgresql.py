"""What only PostgreSQL does: it can be away, come back, and lose the line in the very moment of a commit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from buraco.errors import BuracoError
from buraco.server import messages as msg
from buraco.server.admin import order_table
from buraco.server.schema import metadata
from buraco.server.store import SeqTaken, StorageError, Store
from buraco.server.table import Table
from buraco.server.terms import ServerError
from buraco.server.upgrade import check_schema, make_engine, schema_state, upgrade_schema
from buraco.server.writer import Writer
from tests.server.core.playing import Club, Player, club, run
from tests.server.core.test_store import differences, first, following
from tests.server.databases import Cluster, database_url, on_postgresql, use_database
from tests.server.relay import Cut, Relay, relay

pytestmark = on_postgresql


@asynccontextmanager
async def line_to(folder: Path) -> AsyncIterator[Relay]:
    """Let everything that gets the folder reach its database through a line that can be cut."""
    url = database_url(folder)
    async with relay(url) as (line, through):
        use_database(folder, through)
        try:
            yield line
        finally:
            use_database(folder, url)


async def at_turn(here: Club) -> tuple[Table, Player]:
    """Begin a match for two; return the table, and the player who is to act."""
    table, people = await here.match_of("ana", "bob", rules="burraco", players=2)
    host = table.fold.host
    assert host is not None
    return table, people[host.seat or 0]


def test_a_commit_whose_answer_is_lost_has_been_written(tmp_path: Path) -> None:
    async def case() -> None:
        async with line_to(tmp_path) as line:
            store = await Store.open(database_url(tmp_path))
            await store.write([first("b"), first("a")])
            line.cut = Cut.AFTER_COMMIT
            await store.write([following("b", 2), following("a", 2), following("a", 3)])
            assert line.cuts == 1
            assert [one.seq for one in await store.log_of("a")] == [1, 2, 3]
            await store.close()

    run(case)


def test_a_commit_that_did_not_arrive_is_told_and_the_next_one_works(tmp_path: Path) -> None:
    async def case() -> None:
        async with line_to(tmp_path) as line:
            store = await Store.open(database_url(tmp_path))
            writer = Writer(store)
            writer.start()
            await writer.append(first("a"))
            line.cut = Cut.BEFORE_COMMIT
            with pytest.raises(StorageError):
                await writer.append(following("a", 2))
            assert line.cuts == 1
            assert [one.seq for one in await store.log_of("a")] == [1]
            await writer.append(following("a", 2))
            assert [one.seq for one in await store.log_of("a")] == [1, 2]
            await writer.close()
            await store.close()

    run(case)


def test_a_commit_of_which_nobody_can_tell_is_found_by_who_writes_it_again(tmp_path: Path) -> None:
    async def case() -> None:
        async with line_to(tmp_path) as line:
            store = await Store.open(database_url(tmp_path))
            await store.write([first("a")])
            line.cut, line.down_then = Cut.AFTER_COMMIT, True
            with pytest.raises(StorageError):
                await store.write([following("a", 2)])
            line.up()
            with pytest.raises(SeqTaken):
                await store.write([following("a", 2)])
            await store.close()

    run(case)


def test_an_action_of_which_nobody_could_tell_counts_once(tmp_path: Path) -> None:
    async def case() -> None:
        async with line_to(tmp_path) as line, club(tmp_path) as here:
            table, player = await at_turn(here)
            version = table.version
            line.cut, line.down_then = Cut.AFTER_COMMIT, True
            reply = await player.say(msg.Act, action=0, message_id="draw", version=version)
            assert isinstance(reply, msg.Refused)
            assert (reply.code, table.version) == ("storage", version)
            # Nobody can look it up either.
            reply = await player.say(msg.Act, action=0, message_id="draw", version=version)
            assert isinstance(reply, msg.Refused)
            assert reply.code == "storage"
            line.up()
            assert await player.say(msg.Act, action=0, message_id="draw", version=version) == msg.Ack(
                id="draw", version=version + 1
            )
            assert table.version == version + 1
            assert [one.seq for one in await here.service.store.log_of(table.table_id)] == list(range(1, version + 2))

    run(case)


def test_while_the_database_is_away_nothing_is_taken_and_then_everything_goes_on(tmp_path: Path) -> None:
    async def case() -> None:
        async with line_to(tmp_path) as line, club(tmp_path) as here:
            table, player = await at_turn(here)
            version = table.version
            line.down()
            for _ in range(3):
                reply = await player.say(msg.Act, action=0, message_id="draw")
                assert isinstance(reply, msg.Refused)
                assert (reply.code, table.version) == ("storage", version)
            for ask in (here.service.store.unfinished(), here.service.store.log_of(table.table_id)):
                with pytest.raises(StorageError):
                    await ask
            line.up()
            await player.done(msg.Act, action=0, message_id="draw")
            assert table.version == version + 1

    run(case)


def test_what_a_table_does_by_itself_waits_for_the_database(tmp_path: Path) -> None:
    async def case() -> None:
        async with line_to(tmp_path) as line, club(tmp_path) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2)
            people[1].subscription.close()
            line.down()
            await here.turn(30_500)
            assert table.fold.seats[1].cause == ""
            line.up()
            await here.turn(1_000)
            assert table.fold.seats[1].cause == "away"

    run(case)


def test_a_table_of_which_nobody_can_tell_what_it_did_by_itself_goes_on(tmp_path: Path) -> None:
    async def case() -> None:
        async with line_to(tmp_path) as line, club(tmp_path) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2)
            people[1].subscription.close()
            line.cut, line.down_then = Cut.AFTER_COMMIT, True
            await here.turn(30_500)
            await here.turn(3_000)
            assert table.fold.seats[1].cause == ""
            line.up()
            await here.turn(1_000)
            assert table.fold.seats[1].cause == "away"
            entries = await here.service.store.log_of(table.table_id)
            assert [one.seq for one in entries] == list(range(1, table.version + 1))

    run(case)


def test_a_table_that_cannot_be_read_for_now_is_not_given_up(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            name = (await here.match_of("ana", rules="burraco", players=2))[0].table_id
        async with line_to(tmp_path) as line, club(tmp_path, wait=False) as here:
            line.down()
            for _ in range(2):
                with pytest.raises(StorageError):
                    await here.service.get(name)
            line.up()
            assert (await here.service.get(name)).table_id == name
            with pytest.raises(ServerError):
                await here.service.get("nothing")

    run(case)


def test_a_write_of_a_lost_connection_is_tried_with_another_one(tmp_path: Path) -> None:
    async def case() -> None:
        async with line_to(tmp_path) as line:
            store = await Store.open(database_url(tmp_path))
            await store.write([first("a")])
            line.down()
            line.up()
            await store.write([following("a", 2)])
            line.down()
            line.up()
            assert [one.seq for one in await store.log_of("a")] == [1, 2]
            await store.close()

    run(case)


def test_a_connection_that_was_in_use_at_the_close_is_closed_when_its_work_is_done(tmp_path: Path) -> None:
    async def case() -> None:
        store = await Store.open(database_url(tmp_path))
        async with store.engine.connect() as connection:
            await connection.execute(sa.text("select 1"))
            line = (await connection.get_raw_connection()).driver_connection
            assert line is not None
            await store.close()
            assert not line.is_closed()
            await connection.execute(sa.text("select 1"))
        assert line.is_closed()

    run(case)


def test_two_who_write_the_same_tables_in_different_orders_do_not_wait_for_each_other(tmp_path: Path) -> None:
    async def case() -> None:
        stores = [await Store.open(database_url(tmp_path)) for _ in range(2)]
        await stores[0].write([first("a"), first("b")])

        async def write(store: Store, names: tuple[str, ...], seq: int) -> bool:
            try:
                await store.write([following(name, seq) for name in names])
            except SeqTaken:
                return False
            return True

        for seq in range(2, 42):
            done = await asyncio.gather(write(stores[0], ("a", "b"), seq), write(stores[1], ("b", "a"), seq))
            assert sorted(done) == [False, True]
        for store in stores:
            await store.close()

    run(case)


def test_a_commit_waits_for_the_disk_whatever_is_usual_in_the_database(tmp_path: Path) -> None:
    async def case() -> None:
        engine = make_engine(database_url(tmp_path))
        async with engine.begin() as connection:
            name = (await connection.execute(sa.text("select current_database()"))).scalar()
            await connection.execute(sa.text(f"alter database {name} set synchronous_commit = off"))
        await engine.dispose()
        store = await Store.open(database_url(tmp_path))
        async with store.engine.connect() as connection:
            assert (await connection.execute(sa.text("show synchronous_commit"))).scalar() == "on"
        await store.close()

    run(case)


def test_the_migrations_make_what_the_code_expects(cluster: Cluster) -> None:
    async def case(url: str) -> None:
        engine = make_engine(url)
        before, newest = await schema_state(engine)
        assert (before, bool(newest)) == ("", True)
        # Two who upgrade at once do it one after the other.
        other = make_engine(url)
        await asyncio.gather(upgrade_schema(engine), upgrade_schema(other))
        await other.dispose()
        assert await schema_state(engine) == (newest, newest)
        async with engine.connect() as connection:
            for known in (metadata, order_table.metadata):
                assert await connection.run_sync(differences, known) == []
        await engine.dispose()

    with cluster.database(empty=True) as url:
        run(lambda: case(url))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("drop table alembic_version", "schema_old"),
        ("update alembic_version set version_num = '0001'", "schema_old"),
        ("update alembic_version set version_num = 'z999'", "schema_new"),
    ],
)
def test_a_schema_of_another_version_is_named_with_what_to_do(change: str, code: str, tmp_path: Path) -> None:
    async def case() -> None:
        engine = make_engine(database_url(tmp_path))
        async with engine.begin() as connection:
            await connection.execute(sa.text(change))
        with pytest.raises(BuracoError) as error:
            await Store.open(database_url(tmp_path))
        assert error.value.code == code
        assert ("buraco db upgrade" if code == "schema_old" else "update buraco") in error.value.message
        if code == "schema_new":
            with pytest.raises(BuracoError) as refused:
                await upgrade_schema(engine)
            assert refused.value.code == "schema_new"
        await engine.dispose()

    run(case)


def test_a_database_without_room_for_every_letter_is_refused(cluster: Cluster) -> None:
    async def case(url: str) -> None:
        engine = make_engine(url)
        for work in (upgrade_schema(engine), check_schema(engine)):
            with pytest.raises(BuracoError) as error:
                await work
            assert error.value.code == "database"
            assert "SQL_ASCII" in error.value.message
        await engine.dispose()

    with cluster.database(empty=True, options="ENCODING 'SQL_ASCII'") as url:
        run(lambda: case(url))


@pytest.mark.parametrize(
    ("plain", "other"),
    [
        ("postgresql://", "postgres://"),
        ("postgresql://", "postgresql+asyncpg://"),
        ("@127.0.0.1:", "@127.0.0.1:9,127.0.0.1:"),
        ("@127.0.0.1:", "@localhost:"),
        ("", ""),
    ],
)
def test_every_form_of_the_address_is_taken(plain: str, other: str, tmp_path: Path) -> None:
    async def case() -> None:
        url = database_url(tmp_path).replace(plain, other, 1)
        store = await Store.open(f"{url}?sslmode=prefer")
        await store.write([first("a")])
        await store.close()

    run(case)


SECRET = "Sesame0pen"


@pytest.mark.parametrize(
    ("address", "says"),
    [
        (f"buraco:{SECRET}@127.0.0.1:{{port}}/postgres", "password authentication failed"),
        (f"nobody:{SECRET}@127.0.0.1:{{port}}/postgres", "password authentication failed"),
        ("buraco:{password}@127.0.0.1:{port}/nowhere", 'database "nowhere" does not exist'),
        (f"buraco:{SECRET}@127.0.0.1:9/postgres", "cannot be reached"),
        (f"buraco:{SECRET}@127.0.0.1:{{port}}/postgres?sslmode=require", "cannot be"),
        (f"buraco:{SECRET}@127.0.0.1:{{port}}/postgres?sslmode={SECRET}", "cannot be read"),
        (f"buraco:{SECRET}/x@127.0.0.1:{{port}}/postgres", ""),
        (f"buraco:x/{SECRET}@127.0.0.1:{{port}}/postgres", ""),
        (f"buraco:x@{SECRET}@127.0.0.1:{{port}}/postgres", ""),
        (f"buraco:x#{SECRET}@127.0.0.1:{{port}}/postgres", ""),
        (f"buraco:{SECRET}?@127.0.0.1:{{port}}/postgres", ""),
        (f"buraco:{SECRET}:y@127.0.0.1:{{port}}/postgres", ""),
        (f"buraco:%{SECRET}@127.0.0.1:{{port}}/postgres", ""),
        (f"buraco:{SECRET}@[127.0.0.1:{{port}}/postgres", ""),
        (f"buraco:{SECRET}@127.0.0.1:{SECRET}/postgres", ""),
        (f"buraco:{SECRET}@127.0.0.1:99999/postgres", "cannot be read"),
    ],
)
def test_an_address_that_does_not_work_is_told_without_the_password(
    address: str, says: str, cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    async def case() -> None:
        url = f"postgresql://{address.format(port=cluster.port, password=cluster.password)}"
        with pytest.raises(BuracoError) as error:
            await Store.open(url)
        assert error.value.code in ("database", "database_url")
        assert says in error.value.message
        chain: list[str] = []
        cause: BaseException | None = error.value
        while cause is not None:
            chain.append(f"{cause!r} {cause}")
            cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
        told = "\n".join([*chain, caplog.text])
        assert SECRET not in told
        assert cluster.password not in told

    run(case)
