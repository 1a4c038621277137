"""What an administrator asks for. The database carries the orders to the running server, which alone may change a
table that is being played; without a running server they wait for the next start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from buraco.server.accounts import people_metadata

__all__ = ["BAN", "DISCONNECT", "END", "UNBAN", "Order", "Orders", "order_table"]

END: Final = "end"
DISCONNECT: Final = "disconnect"
BAN: Final = "ban"
UNBAN: Final = "unban"

order_table: Final = sa.Table(
    "admin_order",
    people_metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("target", sa.String(40), nullable=False),
    sa.Column("created_ms", sa.BigInteger, nullable=False),
    sa.Column("done_ms", sa.BigInteger, nullable=True, index=True),
    sa.Column("outcome", sa.String(40), nullable=True),
)


@dataclass(frozen=True, slots=True)
class Order:
    """An order: ``end`` a table, ``ban`` or ``unban`` a person, ``disconnect`` one from every table.

    ``outcome`` is empty until it is done, then ``done`` or the code of why it cannot be.
    """

    order_id: int
    kind: str
    target: str
    outcome: str = ""


class Orders:
    """The orders in a database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def give(self, kind: str, target: str, now_ms: int) -> int:
        """Write an order; return its number."""
        values = {"kind": kind, "target": target[:40], "created_ms": now_ms}
        async with self._engine.begin() as connection:
            made = await connection.execute(order_table.insert().values(values))
        key = made.inserted_primary_key
        return 0 if key is None else int(key[0])

    async def open(self) -> list[Order]:
        """Return the orders that wait, the oldest first."""
        query = sa.select(order_table).where(order_table.c.done_ms.is_(None)).order_by(order_table.c.id)
        async with self._engine.connect() as connection:
            return [Order(row.id, row.kind, row.target) for row in await connection.execute(query)]

    async def done(self, order_id: int, outcome: str, now_ms: int) -> None:
        """Note that an order is done, or cannot be."""
        # Another process may have done it a moment before, and it counts once.
        waits = sa.and_(order_table.c.id == order_id, order_table.c.done_ms.is_(None))
        change = order_table.update().where(waits).values(done_ms=now_ms, outcome=outcome[:40])
        async with self._engine.begin() as connection:
            await connection.execute(change)

    async def outcome(self, order_id: int) -> str:
        """Return what came of an order; empty while it waits."""
        query = sa.select(order_table.c.outcome).where(order_table.c.id == order_id)
        async with self._engine.connect() as connection:
            return str((await connection.execute(query)).scalar_one_or_none() or "")
