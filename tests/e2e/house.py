"""A server in a thread of the test's process, whose tables tests may set up as they need them."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final, TypeVar

from buraco.engine import Deal, Position
from buraco.server.app import Ground
from buraco.server.logs import make_log
from buraco.server.serving import Serving, serve
from buraco.server.settings import load_settings
from buraco.server.table import Table
from buraco.server.terms import Principal
from tests.server.net.serving import QUICK, cheap_hasher

__all__ = ["House"]

#: Where a test names no level: bots think in threads of the test's own process here, and no test looks at how well they
#: play. Which level sits down where nobody names one, the tests of the server hold.
BOT_LEVEL: Final = "greedy"

_Value = TypeVar("_Value")
_START_S = 60
_ANSWER_S = 60


class House:
    """A server on a loopback port, which can be stopped and started again on the same port and data."""

    def __init__(self, data: Path, **flags: object) -> None:
        self._data = data
        self._flags = flags
        self._port = 0
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._serving: Serving | None = None
        self.start()

    @property
    def address(self) -> str:
        """The address of its pages."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def runs(self) -> bool:
        """Whether it is running."""
        return self._serving is not None

    def start(self) -> None:
        """Start serving; return once it answers."""
        ready: Future[Serving] = Future()
        listening = socket.create_server(("127.0.0.1", self._port), backlog=512)
        listening.setblocking(False)
        self._port = listening.getsockname()[1]
        self._thread = threading.Thread(target=self._run, args=(listening, ready), name="server")
        self._thread.start()
        self._serving = ready.result(_START_S)

    def stop(self) -> None:
        """Stop it in good order."""
        serving, loop, thread = self._serving, self._loop, self._thread
        assert serving is not None, "it runs"
        assert loop is not None, "it runs"
        assert thread is not None, "it runs"
        loop.call_soon_threadsafe(serving.stop)
        thread.join()
        self._serving = None

    def _run(self, listening: socket.socket, ready: Future[Serving]) -> None:
        async def main() -> None:
            self._loop = asyncio.get_running_loop()
            settings = load_settings({}, {"data": self._data, **QUICK, "bot_level": BOT_LEVEL, **self._flags})
            ground = Ground(bots="thread", hasher=cheap_hasher())
            await serve(
                settings, make_log(), environment={}, ground=ground, listening=listening, on_ready=ready.set_result
            )

        try:
            asyncio.run(main())
        except BaseException as error:
            if ready.done():
                raise
            ready.set_exception(error)

    def do(self, work: Coroutine[Any, Any, _Value]) -> _Value:
        """Run something in the server's own loop and return its result."""
        assert self._loop is not None, "it runs"
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_ANSWER_S)

    def table(self, name: str) -> Table:
        """Return a table by its code, to be read."""
        assert self._serving is not None, "it runs"
        return self.do(self._serving.parts.service.get(name))

    def stage(self, name: str, position: Position, seat: int = 0) -> None:
        """Put a position in place of the deal that a table plays once it is the turn of a seat whose person is there,
        and show it to everyone."""

        async def put(table: Table) -> None:
            await _until_turn(table, seat)
            host = table.fold.host
            assert host is not None, "a deal is being played"
            host._deal = Deal.from_position(position)
            host._position = position
            host._steps.clear()
            host._state_number += 1
            for one in table._attendance.subscriptions:
                table._audience.start(one, None)

        self.do(put(self.table(name)))


async def _until_turn(table: Table, seat: int) -> None:
    """Wait, as one who watches, until a deal is played and a seat is to act."""
    watching = table.subscribe(Principal("stage", "stage"))
    try:
        while table.fold.phase != "playing" or table.fold.host is None or table.fold.host.seat != seat:
            await watching.next()
    finally:
        watching.close()
    await table.settled()
