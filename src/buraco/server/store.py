"""The database of the tables: logs are written in batches, one commit for each, and read to rebuild tables."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from buraco.errors import BuracoError
from buraco.server.entries import Logged, decode_entry
from buraco.server.postgres import is_postgres
from buraco.server.replaying import Person
from buraco.server.schema import entry_table, game_table, member_table, result_seat_table, result_table
from buraco.server.terms import Faults, NoFaults
from buraco.server.upgrade import check_schema, is_sqlite, make_engine, upgrade_schema

__all__ = [
    "Append",
    "NewTable",
    "ResultSeat",
    "Row",
    "SavedResult",
    "SeqTaken",
    "StorageError",
    "Store",
    "TableClosed",
]

_T = TypeVar("_T")

# Requests that are being answered end sooner; whoever never ends is not waited for.
_CLOSE_S: Final = 5.0
_LOOK_S: Final = 0.01

# Whatever the number of tables, it is the same statement, which the database has prepared.
_ROWS_OF_MANY: Final = sa.text("""
SELECT entry.table_id, entry.seq, entry.at_ms, entry.body
FROM unnest(CAST(:tables AS varchar[]), CAST(:afters AS bigint[])) AS asked (table_id, after)
JOIN entry ON entry.table_id = asked.table_id AND entry.seq > asked.after
ORDER BY entry.table_id, entry.seq
""")


class StorageError(BuracoError):
    """The database did not take what was to be written (code ``storage``); it is not there."""


class SeqTaken(BuracoError):
    """Somebody else has written the next entry of this table (code ``seq_taken``), or has this code for a table."""


class TableClosed(SeqTaken):
    """Somebody else has closed this table for good, and its log may be gone (code ``table_closed``)."""


@dataclass(frozen=True, slots=True)
class Row:
    """An entry of a table as it stands in the database."""

    seq: int
    at_ms: int
    body: str

    def logged(self) -> Logged:
        """Return it as it is applied. Raises msgspec.DecodeError where it cannot be read."""
        return Logged(self.seq, self.at_ms, decode_entry(self.body))


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table as it stands in the database."""

    table_id: str
    code: str
    created_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSeat:
    """Who played a seat of a finished match; ``bot`` is the level of the one that played it at the end, or empty."""

    seat: int
    token_id: str | None
    account_id: str | None
    name: str
    bot: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedResult:
    """The result of a match; saving it again changes nothing, so that it counts once."""

    match: int
    ended_ms: int
    kind: str
    winner: int | None
    totals: tuple[int, int]
    players: int
    rules_name: str
    public: bool
    record: str
    seats: tuple[ResultSeat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """What is written of one table in one piece: an entry (``body``; empty: none), and what comes with it."""

    table_id: str
    seq: int = 0
    at_ms: int = 0
    body: str = ""
    table: NewTable | None = None
    person: Person | None = None
    closed_ms: int | None = None
    result: SavedResult | None = field(default=None, repr=False)


class Store:
    """A database of tables; ``engine`` is SQLAlchemy's, for whoever keeps other things beside them."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._postgres = is_postgres(engine)
        # To read one statement's worth needs no transaction around it; each of its ends would be an answer more.
        self._reads = engine.execution_options(isolation_level="AUTOCOMMIT") if self._postgres else engine

    @classmethod
    async def open(cls, url: str) -> Store:
        """Return the store at an address.

        The schema of SQLite is brought up to date; another database has to be already. Raises BuracoError:
        ``database_url``, ``database`` (it cannot be reached or used), ``schema_old``, ``schema_new``.
        """
        engine = make_engine(url)
        try:
            if is_sqlite(url):
                await upgrade_schema(engine)
            else:
                await check_schema(engine)
        except BuracoError:
            await engine.dispose()
            raise
        return cls(engine)

    async def close(self) -> None:
        """Close all connections. One that somebody still uses is waited for: given back later it would stay open."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_S):
                while _in_use(self.engine):
                    await asyncio.sleep(_LOOK_S)
        await self.engine.dispose()

    # Writing.

    async def write(self, batch: Sequence[Append], faults: Faults | None = None) -> None:
        """Write everything in one transaction, or nothing.

        When this returns it is durable. Raises SeqTaken (an entry, or a code of a table, is there already), TableClosed
        (an entry or a member is for a table that is closed or not there), StorageError. Where the connection is lost
        in the very moment of the commit, it is looked up whether it is there; if nobody answers then, a StorageError
        may be one of a batch that is there, and writing it once more raises SeqTaken.
        """
        points = NoFaults() if faults is None else faults
        # Otherwise two processes that write entries of the same tables could wait for each other.
        ordered = sorted(batch, key=lambda one: one.table_id)
        committing = False
        try:
            async with self.engine.connect() as connection:
                await _again_if_lost(connection, lambda: _write_all(connection, ordered))
                await points.at("before_commit")
                committing = True
                await connection.commit()
        except IntegrityError as error:
            raise SeqTaken("seq_taken", "this has been written by somebody else") from error
        except (SQLAlchemyError, OSError) as error:
            if not (committing and await self._is_there(ordered)):
                raise StorageError("storage", "the database did not take it") from error
        await points.at("after_commit")

    async def _is_there(self, batch: Sequence[Append]) -> bool:
        """Say whether all entries and results of a batch can be read."""
        try:
            for one in batch:
                if one.body and await self._body_of(one.table_id, one.seq) != one.body:
                    return False
                if one.result is not None and not await self.has_result(one.table_id, one.result.match):
                    return False
        except StorageError:
            return False
        return True

    async def _body_of(self, table_id: str, seq: int) -> str | None:
        query = sa.select(entry_table.c.body).where(entry_table.c.table_id == table_id, entry_table.c.seq == seq)
        return next((row.body for row in await self._read(query)), None)

    async def _read(
        self, query: sa.Executable, values: Mapping[str, object] | None = None
    ) -> Sequence[sa.Row[*tuple[Any, ...]]]:
        """Return what one statement finds. Raises StorageError."""
        try:
            async with self._reads.connect() as connection:
                return (await _again_if_lost(connection, lambda: connection.execute(query, values))).all()
        except (SQLAlchemyError, OSError) as error:
            raise StorageError("storage", "the database does not answer") from error

    # Reading. All of it raises StorageError where the database does not answer.

    async def unfinished(self) -> list[NewTable]:
        """Return the tables that are not closed, in the order of their making."""
        query = sa.select(game_table.c.table_id, game_table.c.code, game_table.c.created_ms)
        query = query.where(game_table.c.closed_ms.is_(None)).order_by(game_table.c.created_ms, game_table.c.table_id)
        return [NewTable(*row) for row in await self._read(query)]

    async def heads(self) -> list[tuple[NewTable, int]]:
        """Return the tables that are not closed, each with the number of its last entry, in the order of making."""
        last = sa.select(sa.func.max(entry_table.c.seq)).where(entry_table.c.table_id == game_table.c.table_id)
        query = sa.select(game_table.c.table_id, game_table.c.code, game_table.c.created_ms, last.scalar_subquery())
        query = query.where(game_table.c.closed_ms.is_(None)).order_by(game_table.c.created_ms, game_table.c.table_id)
        return [(NewTable(*row[:3]), row[3] or 0) for row in await self._read(query)]

    async def find_unfinished(self, name: str) -> NewTable | None:
        """Return the table of this identifier or code, unless there is none or it is closed."""
        query = sa.select(game_table.c.table_id, game_table.c.code, game_table.c.created_ms)
        query = query.where(game_table.c.closed_ms.is_(None), _is_named(name))
        return next((NewTable(*row) for row in await self._read(query.limit(1))), None)

    async def forgotten_members(self) -> list[tuple[str, int]]:
        """Return the members of unfinished tables who were deleted: the table and the number of each."""
        query = sa.select(member_table.c.table_id, member_table.c.member).join(
            game_table, game_table.c.table_id == member_table.c.table_id
        )
        query = query.where(game_table.c.closed_ms.is_(None), member_table.c.token_id == "")
        return [(row.table_id, row.member) for row in await self._read(query)]

    async def is_known(self, name: str) -> bool:
        """Say whether there is, or was, a table of this identifier or code."""
        query = sa.select(game_table.c.table_id).where(_is_named(name))
        return bool(await self._read(query.limit(1)))

    async def log_of(self, table_id: str, after: int = 0) -> list[Logged]:
        """Return the entries of a table with a number above ``after``, in order."""
        return [row.logged() for row in await self._rows_of(table_id, after)]

    async def rows_of(self, afters: Mapping[str, int]) -> dict[str, list[Row]]:
        """Return the entries of several tables with a number above the one given for each, in order; all at once, where
        the database can."""
        if not self._postgres:
            return {table_id: await self._rows_of(table_id, after) for table_id, after in afters.items()}
        found: dict[str, list[Row]] = {}
        asked = {"tables": list(afters), "afters": list(afters.values())}
        for table_id, *row in await self._read(_ROWS_OF_MANY, asked):
            found.setdefault(table_id, []).append(Row(*row))
        return found

    async def _rows_of(self, table_id: str, after: int) -> list[Row]:
        columns = entry_table.c
        query = sa.select(columns.seq, columns.at_ms, columns.body)
        query = query.where(columns.table_id == table_id, columns.seq > after).order_by(columns.seq)
        return [Row(*row) for row in await self._read(query)]

    async def people_of(self, table_id: str) -> list[Person]:
        """Return the members of a table."""
        columns = member_table.c
        query = sa.select(columns.member, columns.token_id, columns.account_id, columns.name, columns.bot_of)
        query = query.where(columns.table_id == table_id).order_by(columns.member)
        return [Person(*row) for row in await self._read(query)]

    async def has_result(self, table_id: str, match: int) -> bool:
        """Say whether the result of a match is saved."""
        query = sa.select(result_table.c.match)
        query = query.where(result_table.c.table_id == table_id, result_table.c.match == match)
        return bool(await self._read(query))


def _in_use(engine: AsyncEngine) -> int:
    """Return how many connections somebody uses."""
    pool = engine.pool
    return pool.checkedout() if isinstance(pool, sa.QueuePool) else 0


def _is_named(name: str) -> sa.ColumnElement[bool]:
    return sa.or_(game_table.c.table_id == name, game_table.c.code == name)


async def _again_if_lost(connection: AsyncConnection, work: Callable[[], Awaitable[_T]]) -> _T:
    """Do something that changes nothing before a commit; once more, with another line to the database, where this one
    turns out to be lost: it may have been so since it was used last."""
    try:
        return await work()
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
    await connection.rollback()
    return await work()


async def _write_all(connection: AsyncConnection, batch: Sequence[Append]) -> None:
    await _check_open(connection, batch)
    tables = [{"table_id": one.table_id, "code": one.table.code, "created_ms": one.table.created_ms}
              for one in batch if one.table is not None]  # fmt: skip
    await _insert(connection, game_table, tables)
    await _insert(connection, member_table, [_person_row(one) for one in batch if one.person is not None])
    rows = [{"table_id": one.table_id, "seq": one.seq, "at_ms": one.at_ms, "body": one.body}
            for one in batch if one.body]  # fmt: skip
    await _insert(connection, entry_table, rows)
    for one in batch:
        if one.closed_ms is not None:
            closing = sa.update(game_table).where(game_table.c.table_id == one.table_id)
            await connection.execute(closing.values(closed_ms=one.closed_ms))
        if one.result is not None:
            await _save_result(connection, one.table_id, one.result)


async def _check_open(connection: AsyncConnection, batch: Sequence[Append]) -> None:
    """Raise TableClosed unless every table that gets an entry or a member is open, and stays so until the commit."""
    made = {one.table_id for one in batch if one.table is not None}
    wanted = {one.table_id for one in batch if one.body or one.person is not None} - made
    if not wanted:
        return
    query = sa.select(game_table.c.table_id)
    query = query.where(_is_one_of(connection, sorted(wanted)), game_table.c.closed_ms.is_(None))
    # The lock is against another process that closes one of them meanwhile; all lock in the same order.
    query = query.order_by(game_table.c.table_id).with_for_update(key_share=True)
    if wanted - set((await connection.execute(query)).scalars()):
        raise TableClosed("table_closed", "this table has been closed by somebody else")


def _is_one_of(connection: AsyncConnection, names: list[str]) -> sa.ColumnElement[bool]:
    column = game_table.c.table_id
    if connection.dialect.name != "postgresql":
        return column.in_(names)
    # Else it would be another statement for each number of names, to be prepared anew.
    return column == sa.any_(sa.cast(names, ARRAY(column.type)))


async def _insert(connection: AsyncConnection, table: sa.Table, rows: Iterable[dict[str, Any]]) -> None:
    listed = list(rows)
    if listed:
        await connection.execute(sa.insert(table), listed)


def _person_row(one: Append) -> dict[str, Any]:
    person = one.person
    assert person is not None, "only called for an append with a person"
    return {
        "table_id": one.table_id,
        "member": person.number,
        "token_id": person.token_id,
        "account_id": person.account_id,
        "name": person.name,
        "bot_of": person.bot_of,
    }


async def _save_result(connection: AsyncConnection, table_id: str, result: SavedResult) -> None:
    columns = result_table.c
    there = sa.select(columns.match).where(columns.table_id == table_id, columns.match == result.match)
    if (await connection.execute(there)).first() is not None:
        return
    row = {
        "table_id": table_id,
        "match": result.match,
        "ended_ms": result.ended_ms,
        "kind": result.kind,
        "winner": result.winner,
        "total_0": result.totals[0],
        "total_1": result.totals[1],
        "players": result.players,
        "rules_name": result.rules_name,
        "public": result.public,
        "record": result.record,
    }
    await connection.execute(sa.insert(result_table), row)
    seats = [
        {
            "table_id": table_id,
            "match": result.match,
            "seat": seat.seat,
            "token_id": seat.token_id,
            "account_id": seat.account_id,
            "name": seat.name,
            "bot": seat.bot,
        }
        for seat in result.seats
    ]
    await connection.execute(sa.insert(result_seat_table), seats)
