"""The connections that HTTP comes by, bounded: how many there are, how long a request may take to come, how long a
client may leave an answer unread. A connection that has become a socket is `buraco.server.ws`'s.

Nothing of it needs the application: a client that sends its request a byte a minute, or no request at all, costs a
connection for a stated time and no more.
"""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, cast

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from buraco.server.limits import network_of
from buraco.server.security import within
from buraco.server.settings import Settings

__all__ = ["Doors", "SocketProtocol", "http_protocol", "raise_file_limit"]

_HEAD_BYTES_MAX: Final = 65_536
# The application answers a slow body first, and more kindly.
_SLACK_S: Final = 2
_FILES_BESIDE: Final = 200
_FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 26\r\n"
    b"retry-after: 5\r\nconnection: close\r\n\r\nToo many open connections."
)


@dataclass
class Doors:
    """Counts the open connections of a server, and of each address (of IPv6: of each network); those of trusted proxies
    carry many people's."""

    settings: Settings
    total: int = 0
    addresses: Counter[str] = field(default_factory=Counter)

    def enter(self, address: str) -> bool:
        """Count one more; say whether it may be."""
        settings, network = self.settings, network_of(address)
        crowded = self.addresses[network] >= settings.http_connections_per_address
        if self.total >= settings.http_connections_max or (crowded and not within(address, settings.proxies)):
            return False
        self.total += 1
        self.addresses[network] += 1
        return True

    def leave(self, address: str) -> None:
        """Count one less."""
        self.total -= 1
        network = network_of(address)
        self.addresses[network] -= 1
        if self.addresses[network] <= 0:
            del self.addresses[network]


class _Inbox:
    """What came over a socket and was not taken yet. It does what uvicorn asks of asyncio's queue for one taker, in a
    tenth of the memory."""

    __slots__ = ("_loop", "_messages", "_taker")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._messages: list[ASGIReceiveEvent] = []
        self._taker: asyncio.Future[None] | None = None

    def put_nowait(self, message: ASGIReceiveEvent) -> None:
        """Add a message."""
        self._messages.append(message)
        if self._taker is not None and not self._taker.done():
            self._taker.set_result(None)

    async def get(self) -> ASGIReceiveEvent:
        """Take the next message, when there is one."""
        while not self._messages:
            self._taker = self._loop.create_future()
            await self._taker
        self._taker = None
        return self._messages.pop(0)

    def empty(self) -> bool:
        """Say whether nothing waits to be taken."""
        return not self._messages


class _Outlet:
    """Whether a socket takes more. It does what uvicorn asks of an event, and needs one only while the client does not
    read."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event: asyncio.Event | None = None

    def set(self) -> None:
        """Let everybody write who waits for it."""
        if self._event is not None:
            self._event.set()
            self._event = None

    def clear(self) -> None:
        """Let nobody write."""
        if self._event is None:
            self._event = asyncio.Event()

    async def wait(self) -> None:
        """Wait until it may be written."""
        if self._event is not None:
            await self._event.wait()


class SocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's sockets, of which many are open for long: they keep little. And they take a handshake that was refused
    with a status of ours for one that is done; they would write an error without a word of it otherwise."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        # Attributes that come one by one leave a dictionary that is twice as large.
        self.__dict__ = dict(self.__dict__)
        self.queue = cast("asyncio.Queue[ASGIReceiveEvent]", _Inbox(self.loop))
        self.writable = cast(asyncio.Event, _Outlet())

    async def send(self, message: ASGISendEvent) -> None:
        """Send an event of the application."""
        await super().send(message)
        if message["type"] == "websocket.accept":
            # Whoever accepts has read what was asked, which would be held until the end.
            self.scope.clear()  # type: ignore[attr-defined]
            self.request.headers.clear()
            self.response.headers.clear()
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True


class _Http(HttpToolsProtocol):
    """Uvicorn's HTTP with bounds. A timer runs from the first moment of a connection, or the first byte of a further
    request, until its head is there, then until its body is, and whenever the client does not take what it is sent."""

    doors: Doors

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._reading: asyncio.TimerHandle | None = None
        self._writing: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._in_head = True
        self._counted: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a new connection, or send it away when there are too many."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if not self.doors.enter(address):
            transport.write(_FULL)
            transport.close()
            return
        self._counted = address
        self._wait_to_read(self.doors.settings.header_s)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._let_go()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on."""
        if self.transport.is_closing():
            return
        if self._reading is None and self._in_head:
            self._wait_to_read(self.doors.settings.header_s)
        self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > _HEAD_BYTES_MAX and not self.transport.is_closing():
            self.send_400_response("The head of the request is too long.")

    def on_message_begin(self) -> None:
        """Begin to read a request, which may have come together with the one before."""
        if self._reading is None:
            self._wait_to_read(self.doors.settings.header_s)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Begin to answer; the body may still have to come."""
        self._in_head, self._head_bytes = False, 0
        self._wait_to_read(self.doors.settings.body_s + _SLACK_S)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Wait for nothing more: the request is there."""
        self._in_head, self._head_bytes = True, 0
        self._stop_waiting()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over."""
        self._let_go()
        super().handle_websocket_upgrade()
        # They hold each other, and would stay until somebody looks for such.
        self.parser = None  # type: ignore[assignment]

    def pause_writing(self) -> None:
        """Begin to wait for a client that does not read."""
        super().pause_writing()
        self._writing = self.loop.call_later(self.doors.settings.send_s, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: the client reads."""
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None
        super().resume_writing()

    def _wait_to_read(self, seconds: float) -> None:
        self._stop_waiting()
        self._reading = self.loop.call_later(seconds, self._waited, seconds)

    def _waited(self, seconds: float) -> None:
        self._reading = None
        if self.flow.read_paused:
            # It is us who do not read.
            self._wait_to_read(seconds)
        else:
            self.transport.abort()

    def _stop_waiting(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _let_go(self) -> None:
        self._stop_waiting()
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None
        if self._counted is not None:
            self.doors.leave(self._counted)
            self._counted = None


def http_protocol(doors: Doors) -> type[asyncio.Protocol]:
    """Return the protocol class of the connections that these doors count, for uvicorn."""
    return type("Http", (_Http,), {"doors": doors})


def raise_file_limit(settings: Settings) -> int:
    """Let this process hold as many files open as the settings allow connections, where the system lets it; return how
    many it may."""
    wanted = settings.connections_max + settings.http_connections_max + _FILES_BESIDE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY != soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
