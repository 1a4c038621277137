"""A line to a database that can be cut: between a client and PostgreSQL, on a loopback port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import Enum
from typing import Final
from urllib.parse import urlsplit, urlunsplit

__all__ = ["Cut", "Relay", "relay"]

_CHUNK: Final = 65_536
_COMMIT: Final = b"COMMIT"


class Cut(Enum):
    """When a line is cut: not at all, before a commit reaches the database, or before its answer comes back."""

    NEVER = "never"
    BEFORE_COMMIT = "before commit"
    AFTER_COMMIT = "after commit"


class Relay:
    """The line. ``cut`` holds for one commit; `down` and `up` cut every connection and let new ones in again.

    ``down_then``: the line goes down when a commit is cut.
    """

    def __init__(self, port: int) -> None:
        self.cut = Cut.NEVER
        self.down_then = False
        self.cuts = 0
        self._port = port
        self._is_down = False
        self._open: set[asyncio.StreamWriter] = set()
        self._carrying: set[asyncio.Task[None]] = set()

    def down(self) -> None:
        """Cut every connection and refuse new ones."""
        self._is_down = True
        for writer in self._open:
            writer.transport.abort()

    def up(self) -> None:
        """Let connections in again."""
        self._is_down = False

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection until it ends."""
        task = asyncio.current_task()
        assert task is not None
        self._carrying.add(task)
        self._open.add(writer)
        try:
            await self._carry(reader, writer)
        except OSError:
            pass
        finally:
            writer.transport.abort()
            self._open.discard(writer)
            self._carrying.discard(task)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._port)
        self._open.add(to_server)
        answers = asyncio.create_task(self._pass_on(from_server, writer))
        try:
            while not self._is_down and (data := await reader.read(_CHUNK)):
                if _COMMIT in data and self.cut is not Cut.NEVER:
                    await self._cut(data, from_server, to_server, answers)
                    break
                to_server.write(data)
                await to_server.drain()
        finally:
            answers.cancel()
            to_server.transport.abort()
            self._open.discard(to_server)

    async def end(self) -> None:
        """End every connection."""
        self.down()
        for task in tuple(self._carrying):
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)

    async def _cut(
        self,
        data: bytes,
        from_server: asyncio.StreamReader,
        to_server: asyncio.StreamWriter,
        answers: asyncio.Task[None],
    ) -> None:
        self.cuts += 1
        if self.cut is Cut.AFTER_COMMIT:
            answers.cancel()
            await asyncio.wait({answers})
            to_server.write(data)
            assert await from_server.read(_CHUNK), "the database answers"
        self.cut = Cut.NEVER
        if self.down_then:
            self.down()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(_CHUNK):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.transport.abort()


@asynccontextmanager
async def relay(url: str) -> AsyncIterator[tuple[Relay, str]]:
    """Give a line to the database of an address, and the address at which it is reached through the line."""
    parts = urlsplit(url)
    assert parts.port is not None
    line = Relay(parts.port)
    server = await asyncio.start_server(line.carry, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    through = urlunsplit(parts._replace(netloc=f"{parts.username}:{parts.password}@127.0.0.1:{port}"))
    try:
        yield line, through
    finally:
        server.close()
        await line.end()
        await server.wait_closed()
