"""Group commit: what several tables want written goes into one transaction, and each hears when it is durable."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from buraco.server.store import Append, SeqTaken, StorageError, Store
from buraco.server.terms import Faults, NoFaults

__all__ = ["BATCH_MAX", "Writer", "WriterWatch"]

BATCH_MAX: Final = 500
"""The most appends that one transaction carries."""


class WriterWatch(Protocol):
    """Hears of every transaction, for metrics."""

    def committed(self, appends: int) -> None:
        """Hear that so many appends were committed at once."""

    def failed(self, appends: int) -> None:
        """Hear that the database did not take so many appends; who only came second to another process is none."""


class Writer:
    """The one task that writes to a store. `start` it, `close` it; `append` returns when what it was given is durable.

    The appends of one table are written in the order in which they are given.
    """

    def __init__(self, store: Store, faults: Faults | None = None, watch: WriterWatch | None = None) -> None:
        self._store = store
        self._faults: Faults = NoFaults() if faults is None else faults
        self._watch = watch
        self._waiting: list[tuple[Append, asyncio.Future[None]]] = []
        self._wanted = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to write."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="writer")

    async def close(self) -> None:
        """Write what was given, then end; later appends are refused."""
        self._closing = True
        self._wanted.set()
        if self._task is not None:
            await self._task

    async def append(self, one: Append) -> None:
        """Write an append. Raises SeqTaken, StorageError (also once it is closed): then nothing of it is there."""
        if self._closing or self._task is None:
            raise StorageError("storage", "the writer is closed")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((one, done))
        self._wanted.set()
        await done

    async def _run(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            while self._waiting:
                batch, self._waiting = self._waiting[:BATCH_MAX], self._waiting[BATCH_MAX:]
                await self._write(batch)
            if self._closing:
                return

    async def _write(self, batch: list[tuple[Append, asyncio.Future[None]]]) -> None:
        try:
            await self._store.write([one for one, _ in batch], self._faults)
        except SeqTaken as error:
            if len(batch) == 1:
                self._fail(batch, error)
                return
            # One of them spoils the transaction of all: find out which.
            for pair in batch:
                await self._write([pair])
            return
        except StorageError as error:
            self._fail(batch, error)
            return
        for _, done in batch:
            if not done.done():
                done.set_result(None)
        if self._watch is not None:
            self._watch.committed(len(batch))

    def _fail(self, batch: list[tuple[Append, asyncio.Future[None]]], error: SeqTaken | StorageError) -> None:
        for _, done in batch:
            if not done.done():
                done.set_exception(type(error)(error.code, error.message))
        if self._watch is not None and not isinstance(error, SeqTaken):
            self._watch.failed(len(batch))
