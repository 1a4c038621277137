"""The line to Redis where more is to be sent than goes: the others hear everything anew.

Redis is in memory here: it takes what is shouted when the test lets it.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from buraco.server import wire
from buraco.server.logs import make_log
from tests.server.core.playing import run

MORE_THAN_WAITS = 10_003


class _Redis:
    """Takes nothing before ``open`` is set."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.taken: list[bytes] = []
        self._subscribed = False

    async def publish(self, _: str, data: bytes) -> None:
        await self.open.wait()
        self.taken.append(data)

    def pubsub(self) -> _Redis:
        return self

    async def __aenter__(self) -> _Redis:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def subscribe(self, _: str) -> None:
        pass

    async def get_message(self, timeout: float | None) -> dict[str, Any]:  # noqa: ARG002
        if self._subscribed:
            await asyncio.Event().wait()
        self._subscribed = True
        return {"type": "subscribe"}

    async def aclose(self) -> None:
        pass


def test_everything_is_said_anew_when_more_was_to_be_sent_than_can_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        redis = _Redis()
        monkeypatch.setattr("redis.asyncio.Redis.from_url", lambda *_, **__: redis)

        def joined() -> None:
            for part in (b"everybody", b"hello", b"beat"):
                line.send(part)

        line = wire.Wire("redis://nowhere", "channel", lambda _: None, joined, make_log(), 0.001, 0.25)
        line.start()
        await line.connected.wait()
        for number in range(MORE_THAN_WAITS):
            line.send(b"%d" % number)
        redis.open.set()
        await line.close()
        told = redis.taken
        assert len(told) < MORE_THAN_WAITS + 6, "some of it was dropped"
        assert told[-3:] == [b"everybody", b"hello", b"beat"]
        assert told.count(b"hello") == 2

    run(go)
