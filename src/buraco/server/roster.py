"""Which processes serve a database: each says so in it once a second, and counts as dead when it does so no longer.

Only the clock of the database is read, so that those of the machines need not agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from buraco.server.accounts import people_metadata
from buraco.server.store import StorageError

__all__ = ["Living", "Roster", "process_table"]

_FORGOTTEN_MS: Final = 3_600_000

process_table: Final = sa.Table(
    "server_process",
    people_metadata,
    sa.Column("process_id", sa.String(32), primary_key=True),
    # Tells whether it signs tokens with the same key as the others.
    sa.Column("key_mark", sa.String(32), nullable=False),
    sa.Column("seen_ms", sa.BigInteger, nullable=False),
)

_NOW_MS: Final[sa.ColumnElement[Any]] = sa.literal_column(
    "(extract(epoch FROM clock_timestamp()) * 1000)::bigint", sa.BigInteger
)


@dataclass(frozen=True, slots=True)
class Living:
    """A process that lives, and the mark of its key."""

    process_id: str
    key_mark: str


class Roster:
    """The entry of one process among those of a database."""

    def __init__(self, engine: AsyncEngine, own: Living, dead_ms: int) -> None:
        self._engine = engine
        self.own = own
        self._dead_ms = dead_ms

    async def beat(self) -> tuple[Living, ...]:
        """Say that this process lives; return the others that do. Raises StorageError."""
        row = {"process_id": self.own.process_id, "key_mark": self.own.key_mark, "seen_ms": _NOW_MS}
        living = insert(process_table).values(row)
        living = living.on_conflict_do_update(index_elements=["process_id"], set_={"seen_ms": _NOW_MS})
        return await self._others(living)

    async def look(self) -> tuple[Living, ...]:
        """Return the processes that live beside this one. Raises StorageError."""
        long_gone = sa.delete(process_table).where(process_table.c.seen_ms < _NOW_MS - _FORGOTTEN_MS)
        return await self._others(long_gone)

    async def leave(self) -> None:
        """Say that this process ends. Raises StorageError."""
        await self._others(sa.delete(process_table).where(process_table.c.process_id == self.own.process_id))

    async def _others(self, first: sa.Executable) -> tuple[Living, ...]:
        columns = process_table.c
        query = sa.select(columns.process_id, columns.key_mark).where(
            columns.seen_ms > _NOW_MS - self._dead_ms,
            columns.process_id != self.own.process_id,
        )
        try:
            async with self._engine.begin() as connection:
                await connection.execute(first)
                found = tuple(Living(*row) for row in await connection.execute(query.order_by(columns.process_id)))
        except (SQLAlchemyError, OSError) as error:
            raise StorageError("storage", "the database does not answer") from error
        return found
