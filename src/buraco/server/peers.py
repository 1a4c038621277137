"""What the tables of one process know of the other processes that serve the same tables, and tell them."""

from __future__ import annotations

from typing import Final, Protocol

from msgspec import Struct

__all__ = ["Alone", "Peers", "Someone"]


_DAY_S: Final = 86_400.0


class Someone(Struct, frozen=True, array_like=True):
    """Who is connected to a table: the identifiers of their token and, if they have one, of their account."""

    token_id: str
    account_id: str | None = None


class Peers(Protocol):
    """The other processes, as this one knows them. What is told them here may be lost: nothing that a player did
    depends on it, since the database has that."""

    @property
    def several(self) -> bool:
        """Whether there may be others, so that a table may have changed without this process."""

    @property
    def living_count(self) -> int:
        """How many processes live, this one among them."""

    def alone(self) -> bool:
        """Say whether no other process lives now."""

    def certain(self) -> bool:
        """Say whether it is known who is connected to the others."""

    def look_s(self) -> float:
        """Return after how many seconds the database is to be looked at for what nobody has told."""

    def people_at(self, table_id: str) -> tuple[Someone, ...]:
        """Return who is connected to a table at other processes, as far as it is known."""

    def drives(self, table_id: str) -> bool:
        """Say whether this process does what a table does by itself: bots, clocks, deals.

        It may hold for two processes at once, for a while: then the database takes what one of them writes.
        """

    def leads(self) -> bool:
        """Say whether this process does what is to be done once for all: orders of an administrator, tidying up."""

    def changed(self, table_id: str, version: int) -> None:
        """Tell the others that a table has changed."""

    def here(self, table_id: str, people: tuple[Someone, ...]) -> None:
        """Tell the others who is connected to a table at this process."""

    def kick(self, person_id: str, code: int, reason: str) -> None:
        """Ask the others to close the sockets of a person."""

    def forgotten(self, person_id: str) -> None:
        """Tell the others that a person was deleted."""

    async def leave(self) -> None:
        """Tell the others that this process ends; they do from now on what its tables do by themselves."""


class Alone:
    """There are no other processes."""

    several = False
    living_count = 1

    def alone(self) -> bool:
        """Say so."""
        return True

    def certain(self) -> bool:
        """Say that everybody is known."""
        return True

    def look_s(self) -> float:
        """Return a time that nobody waits for."""
        return _DAY_S

    def people_at(self, table_id: str) -> tuple[Someone, ...]:  # noqa: ARG002
        """Return nobody."""
        return ()

    def drives(self, table_id: str) -> bool:  # noqa: ARG002
        """Say that this process does everything."""
        return True

    def leads(self) -> bool:
        """Say so."""
        return True

    def changed(self, table_id: str, version: int) -> None:
        """Tell nobody."""

    def here(self, table_id: str, people: tuple[Someone, ...]) -> None:
        """Tell nobody."""

    def kick(self, person_id: str, code: int, reason: str) -> None:
        """Tell nobody."""

    def forgotten(self, person_id: str) -> None:
        """Tell nobody."""

    async def leave(self) -> None:
        """Tell nobody."""
