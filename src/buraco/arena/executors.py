"""Who does the work of a run: this process, processes of this machine, or Ray on several machines."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Generic, Protocol, TypeVar

from buraco.errors import BuracoError

__all__ = ["ENGINES", "Pool", "Waiting", "in_order", "open_pool"]

ENGINES: Final = ("local", "ray")
_Result = TypeVar("_Result")
_Covariant = TypeVar("_Covariant", covariant=True)


class Waiting(Protocol[_Covariant]):
    """A piece of work that was given out."""

    def result(self) -> _Covariant:
        """Wait for it. Raises what the work raised, BuracoError (code ``worker_ended``) if nobody does it any more."""


class Pool(Protocol):
    """Whoever does pieces of work."""

    @property
    def ahead(self) -> int:
        """How many pieces are worth giving out at a time."""

    def submit(self, work: Callable[..., _Result], *arguments: object) -> Waiting[_Result]:
        """Give out a piece of work; work and arguments can be pickled."""


@contextmanager
def open_pool(engine: str, workers: int) -> Generator[Pool, None, None]:
    """Give a pool of ``workers`` workers, and end it afterwards: what has begun is finished, the rest is not.

    ``local``: for one worker this process, else processes; ``ray``: tasks of the Ray that RAY_ADDRESS names, else
    of one on this machine. Raises BuracoError (codes ``ray_missing``, ``ray_failed``, ``arena_engine``).
    """
    if engine not in ENGINES:
        raise BuracoError("arena_engine", f"there is no engine {engine[:40]!r}; there are {', '.join(ENGINES)}")
    if engine == "ray":
        with _ray_pool(workers) as pool:
            yield pool
    elif workers == 1:
        yield _Here()
    else:
        # Spawned, not forked: a fork would copy whatever threads the caller runs in the middle of what they do.
        context = multiprocessing.get_context("spawn")
        processes = ProcessPoolExecutor(workers, mp_context=context, initializer=_ignore_interrupt)
        try:
            yield _Processes(processes, 2 * workers)
        finally:
            processes.shutdown(wait=True, cancel_futures=True)


def in_order(
    pool: Pool, pieces: Iterator[tuple[object, ...]], work: Callable[..., _Result]
) -> Generator[_Result, None, None]:
    """Yield what the work on each piece gives, in order; no more is given out at a time than is worth it."""
    waiting: list[Waiting[_Result]] = []
    while True:
        waiting += [pool.submit(work, *piece) for piece in islice(pieces, pool.ahead - len(waiting))]
        if not waiting:
            return
        yield waiting.pop(0).result()


def _ignore_interrupt() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the process that gave out the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@dataclass(frozen=True)
class _Later(Generic[_Result]):
    """Work that is done when somebody waits for it, so that none is done for nobody."""

    work: Callable[..., _Result]
    arguments: tuple[object, ...]

    def result(self) -> _Result:
        return self.work(*self.arguments)


class _Here:
    """The pool of one worker that is this process."""

    ahead = 1

    def submit(self, work: Callable[..., _Result], *arguments: object) -> Waiting[_Result]:
        return _Later(work, arguments)


@dataclass(frozen=True)
class _Watched(Generic[_Result]):
    waiting: Waiting[_Result]

    def result(self) -> _Result:
        try:
            return self.waiting.result()
        except BrokenProcessPool:
            way_out = "run the same command again, with fewer workers if memory was short"
            raise BuracoError("worker_ended", f"a worker process has ended before its work; {way_out}") from None


@dataclass(frozen=True)
class _Processes:
    executor: ProcessPoolExecutor
    ahead: int

    def submit(self, work: Callable[..., _Result], *arguments: object) -> Waiting[_Result]:
        return _Watched(self.executor.submit(work, *arguments))


@dataclass(frozen=True)
class _RayTask(Generic[_Result]):
    ray: Any
    reference: Any

    def result(self) -> _Result:
        try:
            found: _Result = self.ray.get(self.reference)
        except BuracoError:
            raise
        except self.ray.exceptions.RayError as error:
            raise BuracoError("worker_ended", f"Ray did not finish a piece of work: {_line(error)}") from None
        return found


@dataclass(frozen=True)
class _RayPool:
    ray: Any
    ahead: int

    def submit(self, work: Callable[..., _Result], *arguments: object) -> Waiting[_Result]:
        return _RayTask(self.ray, self.ray.remote(work).remote(*arguments))


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


@contextmanager
def _ray_pool(workers: int) -> Generator[Pool, None, None]:
    try:
        ray = importlib.import_module("ray")
    except ImportError:
        raise BuracoError("ray_missing", "--engine ray needs Ray: pip install 'buraco[ray]'") from None
    # A cluster has as many processors as it has; on this machine Ray gets as many as there are to be workers.
    here: dict[str, object] = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": workers, "include_dashboard": False}
    try:
        ray.init(log_to_driver=False, **here)
    except (OSError, RuntimeError, ValueError) as error:
        raise BuracoError(
            "ray_failed", f"Ray does not start, or is not where RAY_ADDRESS says: {_line(error)}"
        ) from None
    try:
        yield _RayPool(ray, 2 * workers)
    finally:
        ray.shutdown()
