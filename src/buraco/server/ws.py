"""The socket of a table: JSON messages of `buraco.server.messages` over WebSocket.

One socket is one person at one table. What is sent is what the table's subscription gives, in order; beside it only
the refusal of a message that could not be read, and the close. docs/protocol.md lists the codes of a close.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final, NoReturn

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import HTTPConnection
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from buraco.server.accounts import Person
from buraco.server.forgetting import principal_of
from buraco.server.identity import token_of
from buraco.server.language import language_of
from buraco.server.limits import Rate
from buraco.server.messages import PROTOCOL_VERSION, Ack, ClientMessage, Refused, encode
from buraco.server.parts import Parts
from buraco.server.reading import NoMessage, NotJson, read_client
from buraco.server.sockets import Kick
from buraco.server.store import StorageError
from buraco.server.table import Subscription, Table
from buraco.server.terms import (
    CLOSE_GONE,
    CLOSE_NOT_ALLOWED,
    CLOSE_SLOW,
    CLOSE_STOPPING,
    Principal,
    ServerError,
    SubscriptionClosed,
)

__all__ = ["CLOSE_CODES", "SUBPROTOCOL", "serve_socket"]

SUBPROTOCOL: Final = f"buraco.{PROTOCOL_VERSION}"

CLOSE_BAD_FRAME: Final = 1002
CLOSE_BINARY: Final = 1003
CLOSE_NO_JSON: Final = 1007
CLOSE_TOO_LONG: Final = 1009
CLOSE_FAULT: Final = 1011
CLOSE_NO_DATABASE: Final = 1013
CLOSE_BAD_MESSAGE: Final = 4000
CLOSE_NO_TOKEN: Final = 4001
CLOSE_FULL: Final = 4028
CLOSE_RATE: Final = 4029

CLOSE_CODES: Final[Mapping[int, str]] = MappingProxyType(
    {
        CLOSE_BAD_FRAME: "the frames of the socket were broken",
        CLOSE_BINARY: "a message was not text",
        CLOSE_NO_JSON: "a message was not JSON",
        CLOSE_TOO_LONG: "a message was too long",
        CLOSE_FAULT: "a fault of the server; it has been noted",
        CLOSE_STOPPING: "the server stops; come back soon",
        CLOSE_NO_DATABASE: "the database does not answer; come back soon",
        CLOSE_BAD_MESSAGE: "a message had no id to answer to, or the address of the socket is wrong",
        CLOSE_NO_TOKEN: "no token, or one that no longer holds",
        CLOSE_NOT_ALLOWED: "this person may not see the table, or is barred",
        CLOSE_GONE: "there is no such table, or it is closed",
        CLOSE_SLOW: "the client reads too slowly",
        CLOSE_FULL: "too many sockets are open",
        CLOSE_RATE: "messages came too fast",
    }
)
"""Every code with which the server closes a socket, and why; 1000 and 1001 aside."""

_SINCE: Final = re.compile(r"\d{1,15}")


class _Close(Exception):
    """The socket has to be closed."""

    def __init__(self, code: int, reason: str = "") -> None:
        self.code = code
        self.reason = reason or CLOSE_CODES.get(code, "")
        super().__init__(self.reason)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a client asked for when it opened the socket: all that is kept of its request."""

    name: str
    token: str
    since: str
    language: str
    address: str
    network: str


async def serve_socket(socket: WebSocket, parts: Parts, name: str) -> None:
    """Serve a socket to the table of an identifier or code until it closes."""
    offered = socket.scope.get("subprotocols", [])
    asked = _asked(socket, parts, name)
    await socket.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
    try:
        if offered and SUBPROTOCOL not in offered:
            raise _Close(CLOSE_BAD_MESSAGE, f"this server speaks {SUBPROTOCOL}")
        person = await _person(parts, asked)
        if not parts.sockets.counts.enter(asked.network, person.person_id):
            raise _Close(CLOSE_FULL)
        kick = parts.sockets.open(person.person_id, partial(_judge, parts, asked))
        try:
            # Whoever was barred or whose token ended since it was looked at had no socket yet that could be closed.
            person = await _person(parts, asked)
            line = await _open(socket, parts, person, asked)
            await line.converse(kick)
        finally:
            parts.sockets.closed(person.person_id, kick)
            parts.sockets.counts.leave(asked.network, person.person_id)
    except _Close as close:
        await _end(socket, parts, asked, close)
    except WebSocketDisconnect:
        pass
    except (SQLAlchemyError, StorageError) as error:
        # No fault of ours, and it passes: the client comes back by itself.
        parts.metrics.errors.labels(type(error).__name__).inc()
        parts.log.error("storage_failed", exc_info=error, route="socket")
        await _end(socket, parts, asked, _Close(CLOSE_NO_DATABASE))
    except Exception as error:
        parts.metrics.errors.labels(type(error).__name__).inc()
        parts.log.error("fault", exc_info=error, route="socket")
        await _end(socket, parts, asked, _Close(CLOSE_FAULT))


def _asked(socket: WebSocket, parts: Parts, name: str) -> _Asked:
    """Take what is needed out of a request. The rest is forgotten with the acceptance: it would be kept as long as the
    socket is open."""
    scope = socket.scope
    # Not the socket itself, which would keep what it has read.
    request = HTTPConnection(scope)
    token, _ = token_of(request.headers, request.cookies, secure=parts.settings.secure)
    return _Asked(
        name=name,
        token=token,
        since=request.query_params.get("since", ""),
        language=language_of(scope),
        address=str(scope.get("buraco.address", "unknown")),
        network=str(scope.get("buraco.network", "unknown")),
    )


async def _end(socket: WebSocket, parts: Parts, asked: _Asked, close: _Close) -> None:
    """Close a socket with a stated code, if somebody is still there."""
    parts.metrics.closes.labels(str(close.code)).inc()
    parts.log.info("socket_closed", close_code=close.code, address=asked.address)
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(close.code, close.reason[:100])


async def _person(parts: Parts, asked: _Asked) -> Person:
    person = await parts.people.of_token(asked.token) if asked.token else None
    if person is None:
        # Nobody shall be asked who they are for a table that there is not.
        raise _Close(CLOSE_NO_TOKEN if await _is_there(parts, asked.name) else CLOSE_GONE)
    if person.banned:
        raise _Close(CLOSE_NOT_ALLOWED)
    return person


async def _judge(parts: Parts, asked: _Asked) -> tuple[int, str] | None:
    """Return why the person of an open socket may no longer be there, None if they may."""
    try:
        await _person(parts, asked)
    except _Close as close:
        return close.code, close.reason
    return None


async def _is_there(parts: Parts, name: str) -> bool:
    try:
        await parts.service.get(name)
    except ServerError as error:
        return error.code not in ("no_table", "table_closed")
    return True


async def _open(socket: WebSocket, parts: Parts, person: Person, asked: _Asked) -> _Line:
    if asked.since and not _SINCE.fullmatch(asked.since):
        raise _Close(CLOSE_BAD_MESSAGE, "since is a version")
    principal = principal_of(person, asked.language)
    try:
        table = await parts.service.get(asked.name)
        subscription = table.subscribe(principal, int(asked.since) if asked.since else None)
    except ServerError as error:
        codes = {"not_allowed": CLOSE_NOT_ALLOWED, "stopping": CLOSE_STOPPING}
        raise _Close(codes.get(error.code, CLOSE_GONE), error.message) from None
    return _Line(socket, parts, principal, table, subscription)


class _Line:
    """One open socket. What waits for its client's next message is one task; another writes while there is something
    to be written."""

    __slots__ = ("_over", "_parts", "_principal", "_rate", "_socket", "_subscription", "_table", "_writing")

    def __init__(
        self, socket: WebSocket, parts: Parts, principal: Principal, table: Table, subscription: Subscription
    ) -> None:
        settings = parts.settings
        self._socket = socket
        self._parts = parts
        self._principal = principal
        self._table = table
        self._subscription = subscription
        self._rate = Rate(settings.messages_per_s, settings.messages_burst, parts.steady())
        self._over: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()
        self._writing: asyncio.Task[None] | None = None

    async def converse(self, kick: Kick) -> NoReturn:
        """Read and write until one of them ends, or somebody asks for the end. Raises what ended it: _Close,
        WebSocketDisconnect, or a fault."""
        reading = asyncio.create_task(self._read())
        try:
            self._subscription.listen(self._hear)
            kick.listen(lambda code, reason: self._stop(_Close(code, reason)))
            raise await self._over
        finally:
            self._subscription.close()
            tasks = [reading] if self._writing is None else [reading, self._writing]
            for task in tasks:
                task.cancel()
            # Nothing here may raise: what a task says is in `_over`.
            await asyncio.gather(*tasks, return_exceptions=True)

    def _stop(self, reason: Exception) -> None:
        """End it; the first who asks for it says why."""
        if not self._over.done():
            self._over.set_result(reason)

    def _hear(self) -> None:
        """Write what is new, unless that is being done."""
        if self._writing is None and not self._over.done():
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        """Send what the subscription gives, as long as there is more."""
        limit = self._parts.settings.send_s
        try:
            while (message := self._subscription.next_now()) is not None:
                async with asyncio.timeout(limit):
                    await self._socket.send_text(encode(message).decode())
                self._parts.metrics.sent.inc()
        except SubscriptionClosed as closed:
            self._stop(_Close(closed.code, closed.reason))
        except TimeoutError:
            # Nothing more can be sent, not even the close; the connection is dropped as it is.
            self._stop(WebSocketDisconnect(CLOSE_SLOW))
        except Exception as error:  # noqa: BLE001 it ends the socket, and is told there
            self._stop(error)
        finally:
            self._writing = None

    async def _read(self) -> None:
        """Take messages one by one until it ends."""
        try:
            while True:
                await self._take(await self._socket.receive())
        except Exception as error:  # noqa: BLE001 it ends the socket, and is told there
            self._stop(error)

    async def _take(self, received: Message) -> None:
        """Answer what was received. Raises _Close for what gets no reply, WebSocketDisconnect."""
        parts = self._parts
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received.get("code", 1005))
        text = received.get("text")
        if text is None:
            raise _Close(CLOSE_BINARY)
        if len(text.encode()) > parts.settings.message_bytes_max:
            raise _Close(CLOSE_TOO_LONG)
        if not self._rate.take(parts.steady()) or not parts.limiters.messages.allow(self._principal.token_id):
            raise _Close(CLOSE_RATE)
        await self._answer(text)

    async def _answer(self, text: str) -> None:
        parts = self._parts
        began = parts.steady()
        try:
            message = read_client(text)
        except NotJson:
            raise _Close(CLOSE_NO_JSON) from None
        except NoMessage as error:
            if not error.message_id:
                raise _Close(CLOSE_BAD_MESSAGE) from None
            refusal = self._table.bad_message(self._principal, error.message_id, error.reason)
            parts.metrics.refusals.labels(refusal.code).inc()
            await self._socket.send_text(encode(refusal).decode())
            return
        kind = type(message).__struct_config__.tag
        parts.metrics.messages.labels(str(kind)).inc()
        reply = await self._handle(message)
        parts.metrics.reply_seconds.observe(max(0.0, parts.steady() - began))
        if isinstance(reply, Refused):
            parts.metrics.refusals.labels(reply.code).inc()

    async def _handle(self, message: ClientMessage) -> Ack | Refused:
        """Let the table answer; once it has begun it finishes, even when the socket closes meanwhile."""
        handling = asyncio.ensure_future(self._table.handle(self._principal, message, self._subscription))
        try:
            return await asyncio.shield(handling)
        except asyncio.CancelledError:
            await asyncio.gather(handling, return_exceptions=True)
            raise
