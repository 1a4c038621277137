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
from typing import Final

from sqlalchemy.exc import SQLAlchemyError
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


@dataclass(slots=True)
class _Line:
    """One open socket."""

    socket: WebSocket
    principal: Principal
    table: Table
    subscription: Subscription


async def serve_socket(socket: WebSocket, parts: Parts, name: str) -> None:
    """Serve a socket to the table of an identifier or code until it closes."""
    offered = socket.scope.get("subprotocols", [])
    await socket.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
    address = str(socket.scope.get("buraco.address", "unknown"))
    try:
        if offered and SUBPROTOCOL not in offered:
            raise _Close(CLOSE_BAD_MESSAGE, f"this server speaks {SUBPROTOCOL}")
        person = await _person(socket, parts, name)
        if not parts.sockets.counts.enter(address, person.person_id):
            raise _Close(CLOSE_FULL)
        kick = parts.sockets.open(person.person_id, partial(_judge, socket, parts, name))
        try:
            # Whoever was barred or whose token ended since it was looked at had no socket yet that could be closed.
            person = await _person(socket, parts, name)
            line = await _open(socket, parts, person, name)
            await _converse(line, parts, kick)
        finally:
            parts.sockets.closed(person.person_id, kick)
            parts.sockets.counts.leave(address, person.person_id)
    except _Close as close:
        await _end(socket, parts, close)
    except WebSocketDisconnect:
        pass
    except (SQLAlchemyError, StorageError) as error:
        # No fault of ours, and it passes: the client comes back by itself.
        parts.metrics.errors.labels(type(error).__name__).inc()
        parts.log.error("storage_failed", exc_info=error, route="socket")
        await _end(socket, parts, _Close(CLOSE_NO_DATABASE))
    except Exception as error:
        parts.metrics.errors.labels(type(error).__name__).inc()
        parts.log.error("fault", exc_info=error, route="socket")
        await _end(socket, parts, _Close(CLOSE_FAULT))


async def _end(socket: WebSocket, parts: Parts, close: _Close) -> None:
    """Close a socket with a stated code, if somebody is still there."""
    parts.metrics.closes.labels(str(close.code)).inc()
    parts.log.info("socket_closed", close_code=close.code, address=str(socket.scope.get("buraco.address", "unknown")))
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(close.code, close.reason[:100])


async def _person(socket: WebSocket, parts: Parts, name: str) -> Person:
    token, _ = token_of(socket.headers, socket.cookies, secure=parts.settings.secure)
    person = await parts.people.of_token(token) if token else None
    if person is None:
        # Nobody shall be asked who they are for a table that there is not.
        raise _Close(CLOSE_NO_TOKEN if await _is_there(parts, name) else CLOSE_GONE)
    if person.banned:
        raise _Close(CLOSE_NOT_ALLOWED)
    return person


async def _judge(socket: WebSocket, parts: Parts, name: str) -> tuple[int, str] | None:
    """Return why the person of an open socket may no longer be there, None if they may."""
    try:
        await _person(socket, parts, name)
    except _Close as close:
        return close.code, close.reason
    return None


async def _is_there(parts: Parts, name: str) -> bool:
    try:
        await parts.service.get(name)
    except ServerError as error:
        return error.code not in ("no_table", "table_closed")
    return True


async def _open(socket: WebSocket, parts: Parts, person: Person, name: str) -> _Line:
    since_text = socket.query_params.get("since", "")
    if since_text and not _SINCE.fullmatch(since_text):
        raise _Close(CLOSE_BAD_MESSAGE, "since is a version")
    principal = principal_of(person, language_of(socket.scope))
    try:
        table = await parts.service.get(name)
        subscription = table.subscribe(principal, int(since_text) if since_text else None)
    except ServerError as error:
        codes = {"not_allowed": CLOSE_NOT_ALLOWED, "stopping": CLOSE_STOPPING}
        raise _Close(codes.get(error.code, CLOSE_GONE), error.message) from None
    return _Line(socket, principal, table, subscription)


async def _converse(line: _Line, parts: Parts, kick: Kick) -> None:
    """Read and write until one of them ends, or somebody asks for the end."""
    reading = asyncio.create_task(_read(line, parts))
    writing = asyncio.create_task(_write(line, parts))
    kicked = asyncio.create_task(kick.wait())
    tasks = (reading, writing, kicked)
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        line.subscription.close()
        for task in tasks:
            task.cancel()
        # Nothing here may raise: what a task says is read below.
        await asyncio.gather(*tasks, return_exceptions=True)
    if not kicked.cancelled() and kicked.exception() is None:
        raise _Close(*kicked.result())
    for task in (writing, reading):
        error = None if task.cancelled() else task.exception()
        if error is not None:
            raise error


async def _write(line: _Line, parts: Parts) -> None:
    """Send what the subscription gives. Raises _Close when it ends, or when the client does not take it."""
    limit = parts.settings.send_s
    try:
        while True:
            message = await line.subscription.next()
            async with asyncio.timeout(limit):
                await line.socket.send_text(encode(message).decode())
            parts.metrics.sent.inc()
    except SubscriptionClosed as closed:
        raise _Close(closed.code, closed.reason) from None
    except TimeoutError:
        # Nothing more can be sent, not even the close; the connection is dropped as it is.
        raise WebSocketDisconnect(CLOSE_SLOW) from None


async def _read(line: _Line, parts: Parts) -> None:
    """Take messages one by one. Raises _Close for what gets no reply, WebSocketDisconnect."""
    settings = parts.settings
    rate = Rate(settings.messages_per_s, settings.messages_burst, parts.steady())
    while True:
        received = await line.socket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received.get("code", 1005))
        text = received.get("text")
        if text is None:
            raise _Close(CLOSE_BINARY)
        if len(text.encode()) > settings.message_bytes_max:
            raise _Close(CLOSE_TOO_LONG)
        if not rate.take(parts.steady()) or not parts.limiters.messages.allow(line.principal.token_id):
            raise _Close(CLOSE_RATE)
        await _answer(line, parts, text)


async def _answer(line: _Line, parts: Parts, text: str) -> None:
    began = parts.steady()
    try:
        message = read_client(text)
    except NotJson:
        raise _Close(CLOSE_NO_JSON) from None
    except NoMessage as error:
        if not error.message_id:
            raise _Close(CLOSE_BAD_MESSAGE) from None
        refusal = line.table.bad_message(line.principal, error.message_id, error.reason)
        parts.metrics.refusals.labels(refusal.code).inc()
        await line.socket.send_text(encode(refusal).decode())
        return
    kind = type(message).__struct_config__.tag
    parts.metrics.messages.labels(str(kind)).inc()
    reply = await _handle(line, message)
    parts.metrics.reply_seconds.observe(max(0.0, parts.steady() - began))
    if isinstance(reply, Refused):
        parts.metrics.refusals.labels(reply.code).inc()


async def _handle(line: _Line, message: ClientMessage) -> Ack | Refused:
    """Let the table answer; once it has begun it finishes, even when the socket closes meanwhile."""
    handling = asyncio.ensure_future(line.table.handle(line.principal, message, line.subscription))
    try:
        return await asyncio.shield(handling)
    except asyncio.CancelledError:
        await asyncio.gather(handling, return_exceptions=True)
        raise
