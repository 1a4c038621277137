"""What is kept of finished matches: results, records, the history of a person; and how it is forgotten again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from buraco.notation import parse_record, record_json_text
from buraco.server.accounts import person_table
from buraco.server.entries import Chatted, decode_entry, encode_entry
from buraco.server.schema import entry_table, game_table, member_table, result_seat_table, result_table

__all__ = ["DELETED", "Archive", "StoredResult", "Tally"]

DELETED: Final = "(deleted)"
"""The name of somebody whose data was deleted."""

_SHOWN_MAX: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResult:
    """A finished match: ``names`` are those of the seats, bots by their level; ``bots`` the levels of the bots, empty
    where a person sat; ``own_seat`` the seat of the person whose history it is, or None."""

    table: str
    match: int
    ended_ms: int
    rules_name: str
    kind: str
    winner: int | None
    totals: tuple[int, int]
    names: tuple[str, ...]
    bots: tuple[str, ...]
    own_seat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What somebody has done under the rules of a name: how many matches, how many of them won and lost (the others
    have no winner), the points of the own side and of the other one."""

    rules_name: str
    played: int
    won: int
    lost: int
    points: int
    points_against: int


class Archive:
    """The finished matches in a database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def results(self, limit: int) -> list[StoredResult]:
        """Return the last results of public tables, the newest first."""
        query = sa.select(result_table).where(result_table.c.public).order_by(result_table.c.ended_ms.desc())
        return await self._results(query.limit(min(limit, _SHOWN_MAX)))

    async def results_of_table(self, table_id: str) -> list[StoredResult]:
        """Return the results of a table, the newest first."""
        query = sa.select(result_table).where(result_table.c.table_id == table_id)
        return await self._results(query.order_by(result_table.c.match.desc()).limit(_SHOWN_MAX))

    async def history(
        self, person_id: str, limit: int | None, *, public_only: bool, before_ms: int | None = None
    ) -> list[StoredResult]:
        """Return the results of a person, the newest first; without a limit all of them. ``before_ms``: those of
        matches that ended before a moment."""
        played = sa.select(result_seat_table).where(_is_person(result_seat_table, person_id)).subquery()
        query = sa.select(result_table, played.c.seat.label("own_seat")).join(
            played, sa.and_(played.c.table_id == result_table.c.table_id, played.c.match == result_table.c.match)
        )
        if public_only:
            query = query.where(result_table.c.public)
        if before_ms is not None:
            query = query.where(result_table.c.ended_ms < before_ms)
        query = query.order_by(result_table.c.ended_ms.desc(), result_table.c.table_id, result_table.c.match)
        return await self._results(query if limit is None else query.limit(min(limit, _SHOWN_MAX)))

    async def tallies(self, person_id: str) -> list[Tally]:
        """Return what a person has done under the rules of each name, those of the most matches first."""
        result, seat = result_table.c, result_seat_table.c
        side = seat.seat % 2
        own = sa.case((side == 0, result.total_0), else_=result.total_1)
        played = sa.func.count().label("played")
        query = (
            sa.select(
                result.rules_name,
                played,
                _count(result.winner == side).label("won"),
                _count(result.winner == 1 - side).label("lost"),
                sa.func.sum(own).label("points"),
                sa.func.sum(result.total_0 + result.total_1 - own).label("points_against"),
            )
            .join(result_seat_table, sa.and_(seat.table_id == result.table_id, seat.match == result.match))
            .where(_is_person(result_seat_table, person_id))
            .group_by(result.rules_name)
            .order_by(played.desc(), result.rules_name)
        )
        async with self._engine.connect() as connection:
            return [_tally(row) for row in await connection.execute(query)]

    async def record(self, table_id: str, match: int) -> str | None:
        """Return the record of a finished match as it is stored, or None."""
        query = sa.select(result_table.c.record).where(
            result_table.c.table_id == table_id, result_table.c.match == match
        )
        async with self._engine.connect() as connection:
            found = (await connection.execute(query)).scalar_one_or_none()
        return None if found is None else str(found)

    async def said(self, person_id: str) -> list[str]:
        """Return what a person said at tables that are still kept, the oldest first."""
        lines: list[str] = []
        async with self._engine.connect() as connection:
            for row in await self._memberships(connection, person_id):
                entries = await connection.execute(_entries(row.table_id))
                lines += [text for one in entries if (text := _said(one.body, row.member)) is not None]
        return lines

    async def forget(self, person_id: str) -> None:
        """Take a person's name, identifier and words out of everything that is kept.

        Matches stay, since they are the others' too: there the person is `DELETED`.
        """
        async with self._engine.begin() as connection:
            for row in await self._memberships(connection, person_id):
                await self._forget_words(connection, row.table_id, row.member)
            await self._forget_results(connection, person_id)
            await connection.execute(
                member_table.update()
                .where(_is_person(member_table, person_id))
                .values(token_id="", account_id=None, name=DELETED, bot_of="")
            )

    async def strays(self, limit: int = 500) -> list[str]:
        """Return the identifiers of people who are at tables, and nowhere else: they were deleted in that moment."""
        member = member_table.c
        there = sa.exists().where(person_table.c.id == member.token_id)
        query = sa.select(member.token_id).where(member.token_id != "", ~there).distinct().limit(limit)
        async with self._engine.connect() as connection:
            return [str(row.token_id) for row in await connection.execute(query)]

    async def remove_logs(self, before_ms: int, limit: int = 200) -> int:
        """Remove the logs of tables that were closed before a moment, with who was there; return how many.

        Results and records stay, and of the table itself what they hang on.
        """
        table = game_table.c
        logged = sa.exists().where(entry_table.c.table_id == table.table_id)
        query = sa.select(table.table_id).where(table.closed_ms < before_ms, logged).limit(limit)
        async with self._engine.begin() as connection:
            names = [row.table_id for row in await connection.execute(query)]
            for gone in (member_table, entry_table):
                await connection.execute(gone.delete().where(gone.c.table_id.in_(names)))
            await _remove_empty(connection, names)
        return len(names)

    async def remove_results(self, before_ms: int | None = None, limit: int = 200) -> int:
        """Remove the results and records of matches of which nobody is known any more, or that ended before a moment;
        return how many."""
        result, seat = result_table.c, result_seat_table.c
        here = sa.or_(seat.account_id.is_not(None), seat.token_id != "")
        known = sa.exists().where(seat.table_id == result.table_id, seat.match == result.match, here)
        gone = ~known if before_ms is None else sa.or_(~known, result.ended_ms < before_ms)
        query = sa.select(result.table_id, result.match).where(gone).limit(limit)
        async with self._engine.begin() as connection:
            matches = [(row.table_id, row.match) for row in await connection.execute(query)]
            for kept in (result_seat_table, result_table):
                await connection.execute(kept.delete().where(sa.tuple_(kept.c.table_id, kept.c.match).in_(matches)))
            await _remove_empty(connection, sorted({table_id for table_id, _ in matches}))
        return len(matches)

    async def open_tables(self, limit: int = 500) -> list[tuple[str, str, int, int]]:
        """Return identifier, code, moment of creation and number of people of the unfinished tables, newest first."""
        people = sa.select(sa.func.count()).where(member_table.c.table_id == game_table.c.table_id).scalar_subquery()
        query = (
            sa.select(game_table, people.label("people"))
            .where(game_table.c.closed_ms.is_(None))
            .order_by(game_table.c.created_ms.desc())
            .limit(limit)
        )
        async with self._engine.connect() as connection:
            rows = await connection.execute(query)
            return [(row.table_id, row.code, row.created_ms, row.people) for row in rows]

    async def find_table(self, name: str) -> tuple[str, bool] | None:
        """Return the identifier of a table by its identifier or code, and whether it is closed; None if there is none.
        Unfinished ones come first."""
        table = game_table.c
        query = sa.select(table.table_id, table.closed_ms).where(
            sa.or_(table.table_id == name, table.code == name.upper())
        )
        async with self._engine.connect() as connection:
            row = (await connection.execute(query.order_by(table.closed_ms.is_not(None)).limit(1))).first()
        return None if row is None else (str(row.table_id), row.closed_ms is not None)

    async def ping(self) -> None:
        """Ask the database for an answer. Raises sqlalchemy.exc.SQLAlchemyError if there is none."""
        async with self._engine.connect() as connection:
            await connection.execute(sa.select(1))

    # Inside.

    async def _results(self, query: sa.Select[Any]) -> list[StoredResult]:
        async with self._engine.connect() as connection:
            rows = list(await connection.execute(query))
            seats = await self._seats(connection, [(row.table_id, row.match) for row in rows])
        return [
            StoredResult(
                table=row.table_id,
                match=row.match,
                ended_ms=row.ended_ms,
                rules_name=row.rules_name,
                kind=row.kind,
                winner=row.winner,
                totals=(row.total_0, row.total_1),
                names=tuple(one.name for one in seats.get((row.table_id, row.match), ())),
                bots=tuple(_bot(one) for one in seats.get((row.table_id, row.match), ())),
                own_seat=getattr(row, "own_seat", None),
            )
            for row in rows
        ]

    async def _seats(
        self, connection: AsyncConnection, matches: list[tuple[str, int]]
    ) -> dict[tuple[str, int], tuple[Any, ...]]:
        seats = result_seat_table.c
        query = sa.select(result_seat_table).order_by(seats.seat)
        found: dict[tuple[str, int], tuple[Any, ...]] = {}
        for first in range(0, len(matches), _SHOWN_MAX):
            wanted = sa.tuple_(seats.table_id, seats.match).in_(matches[first : first + _SHOWN_MAX])
            for row in await connection.execute(query.where(wanted)):
                key = (row.table_id, row.match)
                found[key] = (*found.get(key, ()), row)
        return found

    async def _memberships(self, connection: AsyncConnection, person_id: str) -> list[Any]:
        query = sa.select(member_table.c.table_id, member_table.c.member)
        return list(await connection.execute(query.where(_is_person(member_table, person_id))))

    async def _forget_words(self, connection: AsyncConnection, table_id: str, member: int) -> None:
        for row in list(await connection.execute(_entries(table_id))):
            if _said(row.body, member) is not None:
                empty = encode_entry(Chatted(by=member))
                change = entry_table.update().where(entry_table.c.table_id == table_id, entry_table.c.seq == row.seq)
                await connection.execute(change.values(body=empty))

    async def _forget_results(self, connection: AsyncConnection, person_id: str) -> None:
        query = sa.select(result_seat_table).where(_is_person(result_seat_table, person_id))
        for row in list(await connection.execute(query)):
            where = sa.and_(result_table.c.table_id == row.table_id, result_table.c.match == row.match)
            stored = (await connection.execute(sa.select(result_table.c.record).where(where))).scalar_one_or_none()
            if stored is not None:
                changed = _without_name(str(stored), row.seat)
                await connection.execute(result_table.update().where(where).values(record=changed))
        await connection.execute(
            result_seat_table.update()
            .where(_is_person(result_seat_table, person_id))
            .values(token_id=None, account_id=None, name=DELETED)
        )


async def _remove_empty(connection: AsyncConnection, names: Sequence[str]) -> None:
    """Remove what is left of closed tables that have neither a log nor a result."""
    table = game_table.c
    empty = game_table.delete().where(table.table_id.in_(names), table.closed_ms.is_not(None))
    for kept in (entry_table, result_table):
        empty = empty.where(~sa.exists().where(kept.c.table_id == table.table_id))
    await connection.execute(empty)


def _bot(seat: Any) -> str:
    """Return the level of the bot that had a seat from the beginning; empty where a person sat."""
    nobody = seat.token_id is None and seat.account_id is None
    return str(seat.bot) if nobody and seat.bot == seat.name else ""


def _count(holds: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    return sa.func.sum(sa.case((holds, 1), else_=0))


def _tally(row: Any) -> Tally:
    return Tally(
        rules_name=row.rules_name,
        played=row.played,
        won=int(row.won),
        lost=int(row.lost),
        points=int(row.points),
        points_against=int(row.points_against),
    )


def _is_person(table: sa.Table, person_id: str) -> sa.ColumnElement[bool]:
    return sa.or_(table.c.token_id == person_id, table.c.account_id == person_id)


def _entries(table_id: str) -> sa.Select[Any]:
    return sa.select(entry_table).where(entry_table.c.table_id == table_id).order_by(entry_table.c.seq)


def _said(body: str, member: int) -> str | None:
    """Return what a member said in an entry, or None if it is no such entry."""
    entry = decode_entry(body)
    return entry.text or entry.phrase if isinstance(entry, Chatted) and entry.by == member else None


def _without_name(record: str, seat: int) -> str:
    """Return a record in which the player of a seat is nobody."""
    read = parse_record(record)
    seats = tuple(replace(one, name=DELETED) if index == seat else one for index, one in enumerate(read.seats))
    return record_json_text(replace(read, seats=seats))
