"""When enough has been played: after a number of pairs, or earlier by a sequential test that was fixed before.

The test is the generalised sequential probability ratio test for a mean: for the mean ``high`` against the mean
``low``, with the variance as it is seen, the log of the ratio of the likelihoods after n pairs of mean m and variance v
is ``(high - low) * n * (2 m - low - high) / (2 v)``. Above ``log((1 - beta) / alpha)`` the mean is held to be
``high``, below ``log(beta / (1 - alpha))`` to be ``low``. It is looked at after whole blocks of pairs, from `PAIRS_MIN`
pairs on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from buraco.errors import BuracoError

__all__ = ["PAIRS_MIN", "Sprt", "Verdict", "check_stop", "parse_stop"]

PAIRS_MIN: Final = 30
"""How many pairs are played at least before a sequential test may end a run: its variance is to be worth something."""

_ERROR: Final = 0.05
_POINTS_MAX: Final = 100_000.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a sequential test says: ``state`` is ``low``, ``high`` or ``open``; and the log of the likelihood ratio."""

    state: str
    log_ratio: float


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of the mean ``low`` against the greater mean ``high``, in the unit of the run: points a deal,
    or the share of matches won. ``alpha``: how often ``high`` may be said of a mean that is ``low``; ``beta``: the
    other way round."""

    low: float
    high: float
    alpha: float = _ERROR
    beta: float = _ERROR

    @property
    def bounds(self) -> tuple[float, float]:
        """The log ratios at which the test ends."""
        return (math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha))

    def judge(self, values: Iterable[int], scale: int) -> Verdict:
        """Judge the mean of ``value / scale``."""
        listed = tuple(values)
        count, total = len(listed), sum(listed)
        if count < PAIRS_MIN:
            return Verdict("open", 0.0)
        spread = (sum(value * value for value in listed) - total * total / count) / (count - 1)
        # Equal values have no variance; one unit of the scale keeps the ratio finite.
        variance = max(spread, 1.0) / (scale * scale)
        mean = total / count / scale
        ratio = (self.high - self.low) * count * (2.0 * mean - self.low - self.high) / (2.0 * variance)
        below, above = self.bounds
        return Verdict("low" if ratio <= below else "high" if ratio >= above else "open", ratio)


def parse_stop(text: str, unit: str) -> Sprt:
    """Return the test of a text ``sprt:LOW:HIGH`` or ``sprt:LOW:HIGH:ALPHA:BETA``.

    ``unit``: ``deals`` for means in points a deal, ``matches`` for shares of matches won (0 to 1).
    Raises BuracoError (code ``arena_stop``).
    """
    kind, *numbers = text.split(":")
    if kind != "sprt" or len(numbers) not in (2, 4):
        raise BuracoError(
            "arena_stop", f"{text[:60]!r} is no stopping rule; give sprt:LOW:HIGH or sprt:LOW:HIGH:ALPHA:BETA"
        )
    try:
        values = [float(number) for number in numbers]
    except ValueError:
        raise BuracoError("arena_stop", f"the stopping rule {text[:60]!r} holds what is no number") from None
    return check_stop(Sprt(*values), unit)


def check_stop(test: Sprt, unit: str) -> Sprt:
    """Return a test as it was given. Raises BuracoError (code ``arena_stop``) for means or errors that cannot be."""
    least, most = (0.0, 1.0) if unit == "matches" else (-_POINTS_MAX, _POINTS_MAX)
    if not least <= test.low < test.high <= most:
        raise BuracoError("arena_stop", f"a stopping rule needs LOW below HIGH, both from {least:g} to {most:g}")
    if not (0.0 < test.alpha < 0.5 and 0.0 < test.beta < 0.5):
        raise BuracoError("arena_stop", "ALPHA and BETA of a stopping rule lie between 0 and 0.5")
    return test
