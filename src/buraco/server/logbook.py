"""The log of one table in the database: writing to it, and reading what other processes have written to it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from buraco.server import entries as log
from buraco.server.logs import Log
from buraco.server.peers import Peers
from buraco.server.reader import Reader
from buraco.server.records import saved_result
from buraco.server.replaying import Fold, Person
from buraco.server.spectating import Change, Teller
from buraco.server.store import Append, SeqTaken, StorageError, Store, TableClosed
from buraco.server.writer import Writer

__all__ = ["Logbook", "Made"]

Made = tuple[log.Logged, Change]
"""An entry that is durable and applied, with what it changed."""


class Logbook:
    """Writes entries and applies them, one at a time: whoever calls holds the lock of the table. ``folds`` gives every
    fold that knows the people of the table."""

    def __init__(
        self,
        teller: Teller,
        folds: Callable[[], list[Fold]],
        store: Store,
        writer: Writer,
        reader: Reader,
        peers: Peers,
        logger: Log,
    ) -> None:
        self._teller = teller
        self._folds = folds
        self._store = store
        self._writer = writer
        self._reader = reader
        self._peers = peers
        self._logger = logger
        self.result_waits = False
        self.gone = False
        """Whether an entry was refused because the table is closed in the database."""

    @property
    def _fold(self) -> Fold:
        return self._teller.fold

    @property
    def _table_id(self) -> str:
        return self._fold.options.table

    async def write(self, entry: log.Entry, at_ms: int, person: Person | None = None) -> Made:
        """Write an entry and, once it is durable, apply it. Raises SeqTaken, StorageError: then nothing changed."""
        logged = log.Logged(self._fold.version + 1, at_ms, entry)
        append = Append(
            table_id=self._table_id,
            seq=logged.seq,
            at_ms=logged.at_ms,
            body=log.encode_entry(entry),
            person=person,
            closed_ms=logged.at_ms if isinstance(entry, log.Closed) else None,
            result=saved_result(self._fold) if self.result_waits else None,
        )
        try:
            await self._writer.append(append)
        except TableClosed:
            self.gone = True
            raise
        self._peers.changed(self._table_id, logged.seq)
        self.result_waits = False
        return logged, await self._apply(logged, person)

    async def _apply(self, logged: log.Logged, person: Person | None) -> Change:
        if person is not None:
            for fold in self._folds():
                fold.add_person(replace(person))
        before = self._fold.result
        change = self._teller.apply(logged)
        if self._fold.result is not None and self._fold.result is not before:
            self.result_waits = True
            await self.save_result()
        return change

    async def save_result(self) -> None:
        """Save the result of the match that has ended; the database keeps the first that it gets."""
        result = saved_result(self._fold)
        try:
            if result is not None:
                await self._writer.append(Append(table_id=self._table_id, result=result))
        except StorageError as error:
            self._logger.error("result_not_saved", code=error.code)
            return
        except SeqTaken:
            # Another process has saved it, and it counts once.
            self._logger.info("result_saved_already")
        self.result_waits = False

    async def has_result(self) -> bool:
        """Say whether the result of the last match is in the database. Raises StorageError."""
        return await self._store.has_result(self._table_id, self._fold.match)

    async def missed(self) -> AsyncIterator[Made]:
        """Apply what somebody else has written, as another process may, and give each. Raises StorageError."""
        entries = await self._reader.log_of(self._table_id, self._fold.version)
        people: dict[int, Person] = {}
        # Whoever acts in an entry was written with it or before, so they are read after it.
        if any(logged.entry.by not in (0, *self._fold.people) for logged in entries):
            people = {person.number: person for person in await self._store.people_of(self._table_id)}
        for logged in entries:
            new = None if logged.entry.by in self._fold.people else people.get(logged.entry.by)
            yield logged, await self._apply(logged, new)
