"""Runs what takes long, such as the replay of a record, beside the event loop: not too much of it at once, and nothing
for too long."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Final, Literal, TypeVar

from buraco.errors import BuracoError
from buraco.server.botpool import end_executor, prepare_process
from buraco.server.problems import ProblemError
from buraco.texts import message

__all__ = ["RefereePool"]

_WAITING_MAX: Final = 32
_START_S: Final = 60
_T = TypeVar("_T")


class RefereePool:
    """Workers for what is asked for over HTTP, each in a process of its own (``kind`` ``process``; tests use threads).

    Processes begin when they are needed. Work that takes longer than ``seconds`` is given up, and its process with it;
    who comes when too many wait already is sent away.
    """

    def __init__(self, workers: int, seconds: float, kind: Literal["process", "thread"] = "process") -> None:
        self._desks = [_Desk(kind, seconds) for _ in range(workers)]
        # The last one to be free is the first to be asked again: its process runs already.
        self._free: asyncio.LifoQueue[_Desk] = asyncio.LifoQueue()
        for desk in self._desks:
            self._free.put_nowait(desk)
        self._waiting = 0

    async def run(self, work: Callable[..., _T], *arguments: Any) -> _T:
        """Return what a function of a module returns for these arguments.

        Raises ProblemError (codes ``server_full``, ``too_much``), and what the work raises.
        """
        if self._waiting >= _WAITING_MAX:
            raise _busy()
        self._waiting += 1
        try:
            desk = await self._free.get()
            try:
                return await desk.run(work, *arguments)
            finally:
                self._free.put_nowait(desk)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the workers, whatever they do."""
        for desk in self._desks:
            desk.drop()


class _Desk:
    """One worker."""

    def __init__(self, kind: Literal["process", "thread"], seconds: float) -> None:
        self._kind = kind
        self._seconds = seconds
        self._executor: Executor | None = None
        self._warm = False

    async def run(self, work: Callable[..., _T], *arguments: Any) -> _T:
        patience_s = self._seconds if self._warm else self._seconds + _START_S
        try:
            future = self._running().submit(_outcome, work, *arguments)
            # Before Python 3.12 `wait_for` forgets a cancellation that comes together with the answer.
            async with asyncio.timeout(patience_s):
                found, error = await asyncio.wrap_future(future)
        except TimeoutError:
            self.drop()
            raise ProblemError("too_much", message("http.too_much", seconds=self._seconds)) from None
        except BrokenExecutor:
            self.drop()
            raise _busy() from None
        except asyncio.CancelledError:
            self.drop()
            raise
        self._warm = True
        if error is not None:
            raise BuracoError(*error)
        result: _T = found
        return result

    def _running(self) -> Executor:
        if self._executor is None:
            if self._kind == "thread":
                self._executor = ThreadPoolExecutor(1, thread_name_prefix="referee")
            else:
                context = multiprocessing.get_context("spawn")
                self._executor = ProcessPoolExecutor(1, context, initializer=prepare_process)
        return self._executor

    def drop(self) -> None:
        """Give up the worker, whatever it does; a new one comes when it is needed."""
        executor, self._executor, self._warm = self._executor, None, False
        if executor is not None:
            end_executor(executor)


def _busy() -> ProblemError:
    return ProblemError("server_full", message("http.busy"), headers={"Retry-After": "5"})


def _outcome(work: Callable[..., Any], *arguments: Any) -> tuple[Any, tuple[str, str, tuple[str, ...]] | None]:
    """Return the result of work, or what an error of the package says: such an error does not come over a process."""
    try:
        return work(*arguments), None
    except BuracoError as error:
        return None, (error.code, error.message, error.reasons)
