"""People in tests: guests with a token, and sockets that await replies and news."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from tests.server.net.serving import Place

__all__ = ["Guest", "Seat", "open_seat", "play_now"]


class Guest:
    """A guest with a bearer token."""

    def __init__(self, running: Place, token: str, person: dict[str, Any]) -> None:
        self.running = running
        self.token = token
        self.person = person

    @classmethod
    async def make(cls, running: Place, name: str = "Ana") -> Guest:
        """Make a guest."""
        async with running.client() as client:
            response = await client.post("/api/guests", json={"name": name, "bearer": True})
        assert response.status_code == 201, response.text
        made = response.json()
        return cls(running, made["token"], made["person"])

    @property
    def headers(self) -> dict[str, str]:
        """What makes a request theirs."""
        return {"Authorization": f"Bearer {self.token}"}

    async def ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        """Send a request."""
        async with self.running.client(headers=self.headers) as client:
            return await client.request(method, path, json=body)

    async def open(self, table: str, since: int | None = None) -> Seat:
        """Open a socket to a table."""
        return await open_seat(self.running, table, self.headers, since)

    async def reopen(self, table: str, before: Seat, since: int) -> Seat:
        """Open a socket that goes on from a version that another one of this seat knew, and hear what was missed."""
        seat = await self.open(table, since)
        seat.go_on_from(before)
        await seat.hear()
        # Of a series the last message alone has the deal as it is now, and says so by whom it is told.
        await seat.until(lambda: seat.heard[-1]["type"] != "update" or seat.heard[-1].get("you") is not None)
        return seat


class Seat:
    """An open socket: what comes is kept in order; `ask` sends and awaits the reply."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.heard: list[dict[str, Any]] = []
        self.raw: list[str] = []
        self.view: dict[str, Any] | None = None
        self.table: dict[str, Any] | None = None
        self.you: dict[str, Any] | None = None
        self.version = 0
        self._ids = itertools.count()

    async def hear(self) -> dict[str, Any]:
        """Await the next message and take it in."""
        # Before Python 3.12 `wait_for` forgets a cancellation that comes together with the message: who was called off
        # would wait here for the next one.
        async with asyncio.timeout(60):
            text = await self.connection.recv()
        assert isinstance(text, str)
        self.raw.append(text)
        message: dict[str, Any] = json.loads(text)
        self.heard.append(message)
        if message["type"] in ("snapshot", "update"):
            self.version = message["version"]
            for name in ("table", "view", "you"):
                if message.get(name) is not None:
                    setattr(self, name, message[name])
        return message

    def go_on_from(self, before: Seat) -> None:
        """Know what another socket of the same seat knew."""
        self.version, self.view, self.table, self.you = before.version, before.view, before.table, before.you
        self._ids = before._ids

    async def until(self, holds: Callable[[], bool]) -> None:
        """Take messages in until something holds."""
        while not holds():
            await self.hear()

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message as it is."""
        await self.connection.send(json.dumps(message))

    async def ask(self, kind: str, **members: Any) -> dict[str, Any]:
        """Send a message with a fresh id and await its reply."""
        members = {"id": f"m{next(self._ids)}", "version": self.version, **members}
        await self.send({"type": kind, **members})
        return await self.reply_to(members["id"])

    async def reply_to(self, message_id: str) -> dict[str, Any]:
        """Await the reply of a message."""
        while True:
            message = await self.hear()
            if message["type"] in ("ack", "refused") and message["id"] == message_id:
                return message

    async def close(self) -> None:
        """Close the socket."""
        await self.connection.close()


async def open_seat(running: Place, table: str, headers: dict[str, str], since: int | None = None) -> Seat:
    """Open a socket to a table."""
    query = "" if since is None else f"?since={since}"
    address = f"{running.socket_address}/api/tables/{table}/socket{query}"
    return Seat(await connect(address, additional_headers=headers, max_size=None, compression=None, proxy=None))


async def play_now(guest: Guest, **options: object) -> dict[str, Any]:
    """Begin a match against bots; return the invitation."""
    response = await guest.ask("POST", "/api/play-now", {"options": {"rules": "aberto", **options}})
    assert response.status_code == 201, response.text
    made: dict[str, Any] = response.json()
    return made
