"""Bots off the event loop: a bounded number of them think at once, in processes or threads, and none for too long.

Tables take turns; a level that searches leaves one worker to those that decide at once, and thinks for less time where
many want to search. docs/server.md says what that means for a host.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Collection
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import connection
from typing import Final, Literal, Protocol

from buraco.bots import Bot, Decision, Limit, make_bot
from buraco.engine import SeatView
from buraco.errors import BuracoError
from buraco.server.lanes import Lanes
from buraco.server.thinking import SEARCH_MS, shared_ms

__all__ = ["BotFailed", "BotPool", "Maker", "PoolWatch", "end_executor", "prepare_process"]

Maker = Callable[[str, int], Bot]
"""Makes a bot of a level with a seed; in processes it has to be a function of a module."""

_GRACE_MS: Final = 3_000
"""What a bot may take beyond its limit before the pool gives it up."""
_START_MS: Final = 60_000
_WAITING_PER_WORKER: Final = 64
# The event loop, which everybody waits for, goes first.
_NICE: Final = 10


class BotFailed(BuracoError):
    """A bot gave no legal action: ``bot_raised``, ``bot_illegal``, ``bot_late``, ``bots_busy``, ``bots_closed``."""


class PoolWatch(Protocol):
    """Is told what the bots do."""

    def bot_asked(self, level: str, ms: int, *, shortened: bool) -> None:
        """Hear that a bot of a level begins to think, for how long at most, and whether that is less than its own."""

    def bot_failed(self, code: str) -> None:
        """Hear that a bot gave no legal action."""


def _choose(maker: Maker, level: str, seed: int, view: SeatView, ms: int) -> Decision:
    return maker(level, seed).choose(view, Limit(ms=ms))


def prepare_process() -> None:
    """Leave interrupts to the server, let it go first, and end with it however it ends."""
    os.nice(_NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


def end_executor(executor: Executor) -> None:
    """End an executor now, with whoever hangs in it."""
    # A process that hangs does not hear a shutdown; the executor knows its own by this name only.
    processes: dict[int, multiprocessing.process.BaseProcess] | None = getattr(executor, "_processes", None)
    hanging = list(processes.values()) if processes else []
    executor.shutdown(wait=False, cancel_futures=True)
    for process in hanging:
        process.kill()


class BotPool:
    """The bots of a server.

    ``workers`` think at once, in ``kind`` ``process`` or ``thread``; ``inline`` lets them think on the spot, which
    tests use. ``maker`` makes a bot of a level with a seed, ``searching`` names the levels that take long. ``watch``
    is told what happens.
    """

    def __init__(
        self,
        *,
        workers: int = 2,
        kind: Literal["process", "thread", "inline"] = "process",
        maker: Maker = make_bot,
        searching: Collection[str] = SEARCH_MS,
        watch: PoolWatch | None = None,
    ) -> None:
        self._workers = max(1, workers)
        self._kind = kind
        self._maker = maker
        self._executor: Executor | None = None
        self._searching = frozenset(searching)
        self._watch = watch
        self._lanes = Lanes(self._workers)
        self._closed = False
        self._warm = False

    @property
    def thinking(self) -> int:
        """How many bots think now."""
        return self._lanes.busy

    @property
    def waiting(self) -> int:
        """How many bots wait for their turn to think."""
        return self._lanes.waiting

    async def choose(self, level: str, seed: int, view: SeatView, ms: int, lane: str = "") -> Decision:
        """Return the decision of a bot of a level for the seat to act; its action is legal.

        It thinks for ``ms`` milliseconds at most, for less where many search. ``lane``: the table that asks; they take
        turns. Raises BotFailed.
        """
        try:
            return await self._decision(level, seed, view, ms, lane)
        except BotFailed as error:
            if self._watch is not None:
                self._watch.bot_failed(error.code)
            raise

    async def _decision(self, level: str, seed: int, view: SeatView, ms: int, lane: str) -> Decision:
        if self._closed:
            raise BotFailed("bots_closed", "the bots have ended")
        if self._lanes.waiting >= self._workers * _WAITING_PER_WORKER:
            raise BotFailed("bots_busy", "too many bots wait for their turn to think")
        searches = level in self._searching
        await self._lanes.enter(lane, searches=searches)
        try:
            given = shared_ms(ms, self._lanes.wanting_search, self._lanes.search_places) if searches else ms
            if self._watch is not None:
                self._watch.bot_asked(level, given, shortened=given < ms)
            decision: object = await self._ask(level, seed, view, given)
        finally:
            self._lanes.leave(searches=searches)
        if not isinstance(decision, Decision) or decision.action not in view.legal:
            raise BotFailed("bot_illegal", f"the bot {level} chose what is not legal")
        return decision

    async def _ask(self, level: str, seed: int, view: SeatView, ms: int) -> Decision:
        executor: Executor | None = None
        try:
            if self._kind == "inline":
                return _choose(self._maker, level, seed, view, ms)
            executor = self._running()
            future = executor.submit(_choose, self._maker, level, seed, view, ms)
            # The first one waits for its process to start.
            patience_ms = ms + (_GRACE_MS if self._warm else _START_MS)
            # Before Python 3.12 `wait_for` forgets a cancellation that comes together with the answer.
            async with asyncio.timeout(patience_ms / 1000):
                decision = await asyncio.wrap_future(future)
        except TimeoutError:
            self._drop(executor)
            raise BotFailed("bot_late", f"the bot {level} took too long") from None
        except BrokenExecutor:
            self._drop(executor)
            raise BotFailed("bot_raised", f"the bot {level} ended its process") from None
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # Nobody calls off who waits here: the workers were given up before they began with it.
            raise BotFailed("bot_raised", f"the bot {level} was given up with its workers") from None
        except Exception as error:
            raise BotFailed("bot_raised", f"the bot {level} failed: {type(error).__name__}") from error
        self._warm = True
        return decision

    def _running(self) -> Executor:
        if self._closed:
            raise BotFailed("bots_closed", "the bots have ended")
        if self._executor is None:
            if self._kind == "thread":
                self._executor = ThreadPoolExecutor(self._workers, thread_name_prefix="bot")
            else:
                context = multiprocessing.get_context("spawn")
                self._executor = ProcessPoolExecutor(self._workers, context, initializer=prepare_process)
        return self._executor

    def _drop(self, executor: Executor | None) -> None:
        """Give up these workers, with whoever hangs in them; new ones come when they are needed.

        Those that came since are left alone: several bots fail together when their workers are given up.
        """
        if executor is not None and executor is self._executor:
            self._executor, self._warm = None, False
            end_executor(executor)

    def close(self) -> None:
        """End all bots; those that think are interrupted."""
        self._closed = True
        self._drop(self._executor)
