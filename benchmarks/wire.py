"""A WebSocket client for a load: thousands in one event loop, with little between the bytes and the message."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import cast
from urllib.parse import urlsplit

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

__all__ = ["Wire", "connect"]


class Wire(asyncio.Protocol):
    """An open socket; every text message goes to ``hear`` at once, the first before `connect` returns."""

    def __init__(self, address: str, headers: Mapping[str, str], hear: Callable[[Wire, bytes], None]) -> None:
        self.address = address
        self._frames = ClientProtocol(parse_uri(address), max_size=None)
        self._headers = headers
        self._hear = hear
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the socket."""
        # That of uvloop is none by its class.
        self._transport = cast(asyncio.Transport, transport)
        request = self._frames.connect()
        for name, value in self._headers.items():
            request.headers[name] = value
        self._frames.send_request(request)
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Take bytes in."""
        self._frames.receive_data(data)
        for event in self._frames.events_received():
            if isinstance(event, Frame):
                if event.opcode is Opcode.TEXT:
                    self._hear(self, bytes(event.data))
            elif isinstance(event, Response) and not self.opened.done():
                self._answered()
        self._flush()

    def _answered(self) -> None:
        failure = self._frames.handshake_exc
        if failure is None:
            self.opened.set_result(None)
        else:
            self.opened.set_exception(failure)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end."""
        self.closed = True
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("the connection ended"))

    def say(self, text: bytes) -> None:
        """Send a text message."""
        self._frames.send_text(text)
        self._flush()

    def close(self) -> None:
        """End the connection."""
        if self._transport is not None:
            self._transport.abort()

    def _flush(self) -> None:
        assert self._transport is not None
        self._transport.writelines(self._frames.data_to_send())


async def connect(address: str, headers: Mapping[str, str], hear: Callable[[Wire, bytes], None]) -> Wire:
    """Open a socket. Raises OSError, and what websockets raises for a refused handshake."""
    parts = urlsplit(address)
    host, port = parts.hostname or "", parts.port or 80
    _, wire = await asyncio.get_running_loop().create_connection(lambda: Wire(address, headers, hear), host, port)
    await wire.opened
    return wire
