"""Runs what takes long, such as the replay of a record, beside the event loop and not too much of it at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from buraco.server.problems import ProblemError
from buraco.texts import message

__all__ = ["RefereePool"]

_WAITING_MAX: Final = 32
_T = TypeVar("_T")


class RefereePool:
    """Threads for work that was asked for over HTTP; who comes when too many wait already is sent away."""

    def __init__(self, workers: int) -> None:
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="referee")
        self._waiting = 0

    async def run(self, work: Callable[[], _T]) -> _T:
        """Return what the work returns. Raises ProblemError (code ``server_full``), and what the work raises."""
        if self._waiting >= _WAITING_MAX:
            raise ProblemError("server_full", message("http.busy"), headers={"Retry-After": "5"})
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the threads; what has not begun never will."""
        self._pool.shutdown(wait=False, cancel_futures=True)
