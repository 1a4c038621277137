"""Group reading: what several tables want to know of what others have written is read in one statement."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from buraco.server.entries import Logged
from buraco.server.store import Row, StorageError, Store

__all__ = ["READ_MAX", "Reader"]

READ_MAX: Final = 500
"""The most tables that one statement reads."""


@dataclass(slots=True)
class _Asked:
    """A table to be read after an entry, by all who wait for it."""

    after: int
    waiting: list[asyncio.Future[list[Row]]] = field(default_factory=list)


class Reader:
    """Reads the logs of tables in a store: what is asked while the database is busy with a statement goes into the next
    one, so that it answers once for all of them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asked: dict[str, _Asked] = {}
        self._task: asyncio.Task[None] | None = None

    async def log_of(self, table_id: str, after: int) -> list[Logged]:
        """Return the entries of a table with a number above ``after``, in order, as they are from now on.

        Raises StorageError; msgspec.DecodeError where one cannot be read.
        """
        done: asyncio.Future[list[Row]] = asyncio.get_running_loop().create_future()
        asked = self._asked.setdefault(table_id, _Asked(after))
        asked.after = min(asked.after, after)
        asked.waiting.append(done)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="reader")
        return [row.logged() for row in await done if row.seq > after]

    async def _run(self) -> None:
        # Whatever else is asked in this round of the loop comes along.
        await asyncio.sleep(0)
        while self._asked:
            names = list(self._asked)[:READ_MAX]
            await self._read({name: self._asked.pop(name) for name in names})

    async def _read(self, batch: dict[str, _Asked]) -> None:
        try:
            found = await self._store.rows_of({name: one.after for name, one in batch.items()})
        except StorageError as error:
            _refuse(batch, error)
            return
        except BaseException:
            # A fault of ours, or the end of the process: it is raised here, and nobody waits for ever.
            _refuse(batch, StorageError("storage", "the database could not be read"))
            raise
        for name, asked in batch.items():
            for done in _open(asked.waiting):
                done.set_result(found.get(name, []))


def _refuse(batch: dict[str, _Asked], error: StorageError) -> None:
    for done in _open(one for asked in batch.values() for one in asked.waiting):
        done.set_exception(StorageError(error.code, error.message))


def _open(waiting: Iterable[asyncio.Future[list[Row]]]) -> Iterator[asyncio.Future[list[Row]]]:
    """Give those for which somebody still waits."""
    return (one for one in waiting if not one.done())
