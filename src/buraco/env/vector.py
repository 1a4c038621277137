"""Many tables stepped together in compiled code, with results in NumPy arrays that are made once.

::

    env = VectorEnv("burraco", players=2, count=4096, seed=1, threads=2)
    rows = env.rows
    for _ in range(1000):
        actions = env.random_legal()          # or whatever a policy makes of rows.observations and rows.masks
        env.step(actions)                     # rows now says what came of it

Every table plays deal after deal; a deal that ends is followed by the next one in the same step.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Lock
from types import TracebackType
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from buraco.engine import Deal
from buraco.engine.arguments import whole_number
from buraco.engine.batch import Batch, dealer_of, seed_of
from buraco.engine.constants import MASK_WORDS, OBSERVATION_SIZE
from buraco.env.arguments import reward_number, rules_of
from buraco.errors import BuracoError
from buraco.rules import RuleSet

__all__ = ["Rows", "VectorEnv", "dealer_of", "seed_of"]

#: With fewer tables than this a part is done before a thread has taken it up.
_PART_MIN: Final = 32
#: Parts for each thread: who is done with one takes the next, so that nobody waits long for a thread that had to wait.
_PARTS_PER_THREAD: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """What is so at every table: row ``i`` of each array belongs to table ``i``. The arrays can only be read.

    They are made once and written anew by every step and reset: copy what has to last.
    """

    observations: NDArray[np.int16] | None
    """(count, `OBSERVATION_SIZE`): what the seat to act may see; None where nothing is observed."""
    masks: NDArray[np.uint64]
    """(count, `MASK_WORDS`): action ``a`` is legal if bit ``a & 63`` of word ``a >> 6`` is set."""
    counts: NDArray[np.int32]
    """(count,): how many actions are legal, at least 1."""
    seats: NDArray[np.int8]
    """(count,): the seat to act."""
    deals: NDArray[np.int64]
    """(count,): the number of the deal in play, from 0."""
    dones: NDArray[np.bool_]
    """(count,): whether the last step ended a deal; the arrays above then already speak of the next one."""
    rewards: NDArray[np.int32] | NDArray[np.float32]
    """(count, players): by how many points each seat's side was ahead in the deal that the last step ended, else 0;
    with a scale, float32 and times that scale."""
    scores: NDArray[np.int32]
    """(count, 2): the points of both sides in the deal that the last step ended, else 0."""


class VectorEnv:
    """``count`` tables of the same rules, each playing deal after deal, stepped together.

    Table ``i`` is the table ``first + i`` of the seed (of which the low 64 bits count); its deal number ``n`` is
    ``Deal(rules, players, dealer_of(players, first + i, n), totals, seed_of(seed, first + i, n))``. So the same seed
    gives the same games however many tables an environment has, and however many threads: two with 100 tables each,
    the second from ``first=100`` on, play what one with 200 does.

    ``rules`` is a rule set or the name of one, ``players`` the number of players (None: the most that the rules allow),
    ``totals`` the match points of the sides before every deal. ``threads`` is how many threads work on a step, the
    caller's among them. ``observe=False`` leaves the observations out. ``reward_scale`` multiplies the rewards.

    Raises RulesError (code ``unknown_rules``); ValueError for a number of players that the rules do not allow, fewer
    than one table or thread, a first table outside 0 ... 2^48, totals that no match has, a scale that is not finite or
    beyond `arguments.REWARD_MAX`; TypeError for an argument of another kind; MemoryError for more tables than there is
    memory for.

    One call runs at a time. A call while another runs raises BuracoError (code ``env_busy``), one after `close`
    BuracoError (code ``env_closed``); both change nothing. An environment can be neither copied nor pickled
    (TypeError).
    """

    def __init__(
        self,
        rules: RuleSet | str,
        players: int | None = None,
        *,
        count: int,
        seed: int = 0,
        first: int = 0,
        totals: tuple[int, int] = (0, 0),
        threads: int = 1,
        observe: bool = True,
        reward_scale: float | None = None,
    ) -> None:
        count, threads = whole_number("count", count, 1), whole_number("threads", threads, 1)
        first = whole_number("first", first, 0)
        self._rules = rules_of(rules)
        self._players = max(self._rules.player_counts) if players is None else whole_number("players", players)
        self._count = count
        self._seed = whole_number("seed", seed)
        self._scale = None if reward_scale is None else np.float32(reward_number("reward_scale", reward_scale))
        Deal(self._rules, self._players, 0, totals)  # refuses what cannot be before memory is asked for
        arrays = _arrays(count, self._players, observe=observe)
        self._threads = max(1, min(threads, count // _PART_MIN))
        parts = 1 if self._threads == 1 else min(self._threads * _PARTS_PER_THREAD, count // _PART_MIN)
        flat = {name: array.reshape(-1) for name, array in arrays.items()}
        self._batch = Batch(self._rules, self._players, count, self._seed, first, totals, parts, **flat)
        self._points: NDArray[np.int32] = arrays["rewards"]
        self._rewards = np.zeros((count, self._players), np.float32)
        self._chosen = np.zeros(count, np.int64)
        self._drawn = np.zeros(count, np.int64)
        self._lock = Lock()
        self._closed = False
        self._pool = ThreadPoolExecutor(self._threads - 1, "buraco-vector") if self._threads > 1 else None
        if self._scale is not None:
            arrays["rewards"] = self._rewards
        arrays["dones"] = arrays["dones"].view(np.bool_)
        shown: dict[str, Any] = {name: _read_only(array) for name, array in arrays.items()}
        self._rows = Rows(**{"observations": None, **shown})

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self._rules

    @property
    def players(self) -> int:
        """The number of players."""
        return self._players

    @property
    def count(self) -> int:
        """The number of tables."""
        return self._count

    @property
    def first(self) -> int:
        """The number of the first table within the seed."""
        return self._batch.first

    @property
    def seed(self) -> int:
        """The seed of all deals."""
        return self._seed

    @property
    def threads(self) -> int:
        """How many threads work on a step: never more than there is work for."""
        return self._threads

    @property
    def rows(self) -> Rows:
        """What is so at every table: always the same object, whose arrays are written anew."""
        return self._rows

    def reset(self, seed: int | None = None) -> Rows:
        """Deal deal 0 of every table, by a new seed, or with None once more by the same one; return `rows`."""
        self._enter()
        try:
            self._seed = self._seed if seed is None else whole_number("seed", seed)
            self._batch.reset(self._seed)
            self._rewards.fill(0)
        finally:
            self._lock.release()
        return self._rows

    def step(self, actions: ArrayLike) -> Rows:
        """Carry out an action at every table and return `rows`.

        ``actions``: (count,), whole numbers that 64 bits with a sign hold. Raises ValueError for anything else, and
        IllegalAction, with the code, the first table and its action, if one is not legal: all or nothing, no table has
        changed then.
        """
        self._enter()
        try:
            # A copy of our own: nobody can change what has been checked.
            np.copyto(self._chosen, self._whole_numbers(actions))
            self._batch.check(self._chosen)
            self._each_part(lambda part: self._batch.step(self._chosen, part))
            if self._scale is not None:
                np.multiply(self._points, self._scale, out=self._rewards)
        finally:
            self._lock.release()
        return self._rows

    def random_legal(self, seed: int = 0, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return a random legal action for every table, each legal one as likely as the others.

        What is drawn follows from ``seed``, the table, its deal and how many actions that has seen, and from nothing
        else. The numbers are written into ``out``, (count,) of int64, or with None into an array of the environment
        that the next call writes anew. Raises ValueError for another ``out``.
        """
        drawn, chance = self._drawn if out is None else _own_kind(out, self._drawn), whole_number("seed", seed)
        self._enter()
        try:
            self._each_part(lambda part: self._batch.random_legal(chance, drawn, part))
        finally:
            self._lock.release()
        return drawn

    def deal(self, table: int) -> Deal:
        """Return a copy of the deal in play at a table (0 ... count - 1): to look at, to ask a bot about, to play on.

        Copies of one environment share scratch memory and belong to one thread at a time. Raises IndexError.
        """
        self._enter()
        try:
            return self._batch.deal(whole_number("table", table))
        finally:
            self._lock.release()

    def close(self) -> None:
        """End the threads. May be called again; nothing else may be called afterwards, but `rows` can be read."""
        with self._lock:
            self._closed = True
            if self._pool is not None:
                self._pool.shutdown()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an environment of many tables is neither copied nor sent; make another with the same seed")

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _enter(self) -> None:
        """Take the lock, or refuse the call."""
        if not self._lock.acquire(blocking=False):
            raise BuracoError("env_busy", "another call of this environment is running")
        if self._closed:
            self._lock.release()
            raise BuracoError("env_closed", "this environment has been closed")

    def _whole_numbers(self, actions: ArrayLike) -> NDArray[Any]:
        given = np.asarray(actions)
        if given.shape != (self._count,) or given.dtype.kind not in "iu" or not np.can_cast(given.dtype, np.int64):
            raise ValueError(
                f"actions: {self._count} whole numbers of at most 64 bits with a sign are wanted, not {given.dtype} of "
                f"shape {given.shape}"
            )
        return given

    def _each_part(self, work: Callable[[int], None]) -> None:
        """Do something for each part of the tables, in all threads, and wait until it is done."""
        if self._pool is None:
            work(0)
            return
        left = deque(range(self._batch.parts))

        def some() -> None:
            while True:
                try:
                    part = left.popleft()
                except IndexError:
                    return
                work(part)

        helpers = [self._pool.submit(some) for _ in range(self._threads - 1)]
        try:
            some()
        finally:
            # Who has not begun finds nothing left to do.
            begun = [helper for helper in helpers if not helper.cancel()]
            wait(begun)
        for helper in begun:
            helper.result()


def _arrays(count: int, players: int, *, observe: bool) -> dict[str, NDArray[Any]]:
    """Return the arrays that the engine writes, by the names of its buffers."""
    arrays: dict[str, NDArray[Any]] = {
        "masks": np.zeros((count, MASK_WORDS), np.uint64),
        "counts": np.zeros(count, np.int32),
        "seats": np.zeros(count, np.int8),
        "deals": np.zeros(count, np.int64),
        "dones": np.zeros(count, np.uint8),
        "scores": np.zeros((count, 2), np.int32),
        "rewards": np.zeros((count, players), np.int32),
    }
    if observe:
        arrays["observations"] = np.zeros((count, OBSERVATION_SIZE), np.int16)
    return arrays


def _own_kind(out: object, kind: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return an array that can stand for one of the environment's own. Raises ValueError for another."""
    if not isinstance(out, np.ndarray) or (out.shape, out.dtype) != (kind.shape, kind.dtype) or not out.flags.carray:
        raise ValueError(f"out: an array of {kind.dtype} of shape {kind.shape} is wanted that can be written")
    return out


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    shown = array.view()
    shown.flags.writeable = False
    return shown
