"""The clients of these tests: who is called off does not wait for one more message."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from tests.server.net.clients import Seat

pytestmark = pytest.mark.anyio


class Line:
    """A connection on which one message comes when the test says so."""

    def __init__(self) -> None:
        self.message: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.heard = asyncio.Event()

    async def recv(self) -> str:
        self.heard.set()
        return await self.message


async def test_who_is_called_off_while_a_message_comes_stays_called_off() -> None:
    line = Line()
    hearing = asyncio.create_task(Seat(cast(Any, line)).hear())
    await line.heard.wait()
    line.message.set_result('{"type": "pong"}')
    hearing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await hearing
