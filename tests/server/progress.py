"""How far a long run has come, told while it runs, and the time after which it ends by itself."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import Final, TextIO

__all__ = ["GoOn", "Progress", "add_minutes", "always"]

GoOn = Callable[[int], bool]
"""Hears how much is done, and says whether more is to be done."""
_PARTS: Final = 20


def always(_: int) -> bool:
    """Say that more is to be done, for runs that are short."""
    return True


class Progress:
    """Tells on standard error about every twentieth part of a run, and ends it when its time is up.

    ``what`` is counted, ``total`` are wanted, ``minutes`` are given; with ``every`` it tells whenever so many are done.
    """

    def __init__(
        self,
        what: str,
        total: int,
        minutes: float,
        *,
        every: int = 0,
        clock: Callable[[], float] = time.monotonic,
        out: TextIO = sys.stderr,
    ) -> None:
        self._what = what
        self._total = total
        self._every = every
        self._clock = clock
        self._out = out
        self._begun_s = clock()
        self._end_s = self._begun_s + minutes * 60
        self._told = -1

    def __call__(self, done: int) -> bool:
        """Tell how much is done where a part is, and say whether there is time for more."""
        now = self._clock()
        part = done // self._every if self._every else done * _PARTS // max(1, self._total)
        if part > self._told:
            self._told = part
            self._say(f"{done} of {self._total} {self._what}, {now - self._begun_s:.0f} s")
        if now < self._end_s:
            return True
        self._say(f"the time is up after {done} of {self._total} {self._what}")
        return False

    def _say(self, line: str) -> None:
        self._out.write(f"{line}\n")
        self._out.flush()


def add_minutes(parser: argparse.ArgumentParser, default: float) -> None:
    """Let a command line say how long a run may take at most."""
    parser.add_argument(
        "--minutes", type=float, default=default, help=f"end after so many minutes at most (default {default:g})"
    )
