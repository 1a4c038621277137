"""All tables of a server: making, finding, listing, restoring and ending them."""

from __future__ import annotations

from buraco.server.messages import TableOptions, TableSummary
from buraco.server.table import Table
from buraco.server.terms import Principal

__all__ = ["TableService"]


class TableService:
    """The tables.

    ``TableService(store, clock, bots, settings, *, entropy=secrets.token_bytes, faults=NoFaults())``.
    """

    async def create(self, principal: Principal, options: TableOptions, *, seat: int | None = 0) -> Table:
        """Make a table of which the principal is the owner, sitting at ``seat`` (None: at none).

        Raises ServerError: ``options`` with every fault in ``reasons`` (rules, players, level of bots), ``stopping``.
        """
        raise NotImplementedError

    async def play_now(self, principal: Principal, options: TableOptions) -> Table:
        """Make a table with bots in all other seats and begin the match. Raises ServerError as `create` does."""
        raise NotImplementedError

    async def get(self, name: str) -> Table:
        """Return the table of an identifier or code. Raises ServerError: ``no_table``, ``table_closed``."""
        raise NotImplementedError

    def lobby(self) -> list[TableSummary]:
        """Return the public tables that wait for players, and the running public ones that may be watched."""
        raise NotImplementedError

    def tables_of(self, principal: Principal) -> list[TableSummary]:
        """Return the unfinished tables at which somebody has a seat, or that they made."""
        raise NotImplementedError

    async def restore(self) -> int:
        """Rebuild every unfinished table from its log, exactly as it was; return how many there are."""
        raise NotImplementedError

    async def close(self) -> None:
        """Stop: tell everyone, end every subscription, write what was accepted, accept nothing more."""
        raise NotImplementedError
