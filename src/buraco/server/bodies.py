"""The body of a request as it comes: within a stated length and a stated time."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final, NoReturn

from starlette.datastructures import Headers
from starlette.types import Message, Receive

from buraco.server.problems import ProblemError
from buraco.texts import message as text_of

__all__ = ["Body"]

_DRAIN_BYTES: Final = 8_000_000


class Body:
    """Receives the body of a request for the application.

    Raises ProblemError: ``too_long``, ``too_slow``.
    """

    def __init__(self, receive: Receive, headers: Headers, limit: int, seconds: float) -> None:
        self._receive = receive
        self._limit = limit
        self._until = asyncio.get_running_loop().time() + seconds
        self._asks_first = headers.get("expect", "").lower() == "100-continue"
        self._got = 0
        self._ended = False
        declared = headers.get("content-length", "0")
        self._known = declared.isdecimal() and len(declared) <= 15
        self._declared = int(declared) if self._known else 0

    async def check(self) -> None:
        """Look at the length that the request declares."""
        if not self._known or self._declared > self._limit:
            await self._refuse()

    async def __call__(self) -> Message:
        """Return the next piece, or that the client has gone."""
        if self._ended:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise ProblemError("too_slow", text_of("http.too_slow"), headers={"Connection": "close"}) from None
        self._got += len(message.get("body", b""))
        self._ended = not message.get("more_body", False)
        if self._got > self._limit:
            await self._refuse()
        return message

    async def _refuse(self) -> NoReturn:
        """Read on to the end of the body, if that is not far: whoever still sends hears no answer. Then refuse it."""
        if self._known and self._declared <= _DRAIN_BYTES and not self._asks_first:
            await self._drain()
        raise ProblemError("too_long", text_of("http.too_long", limit=self._limit), headers={"Connection": "close"})

    async def _drain(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self._until):
                while not self._ended and self._got <= _DRAIN_BYTES:
                    message = await self._receive()
                    self._got += len(message.get("body", b""))
                    self._ended = not message.get("more_body", False)
