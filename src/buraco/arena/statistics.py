"""The statistics of the arena, by the standard library alone: intervals, tests, and when enough has been played.

Whole numbers are added up, so that no result depends on the order of the games.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

__all__ = ["NORMAL_95", "Estimate", "binomial_p", "estimate", "sign", "student_p", "student_quantile", "wilson"]

NORMAL_95: Final = 1.959963984540054
"""How many standard deviations to either side hold 95 % of a normal distribution."""

_STEPS_MAX: Final = 10_000
_PRECISION: Final = 1e-15
_TINY: Final = 1e-300


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of ``count`` values, its 95 % confidence interval, and how likely a mean as far from ``0`` is by chance.

    The interval and ``p`` (two-sided) are those of Student's t. Both are None for fewer than two values. Where all
    values are alike, which t cannot judge, the interval is the mean and ``p`` that of the sign test.
    """

    count: int
    mean: float
    low: float | None
    high: float | None
    p: float | None


def sign(value: int) -> int:
    """Return 1 for a value above 0, -1 for one below, 0 for 0: who won, by a difference."""
    return (value > 0) - (value < 0)


def estimate(values: Iterable[int], scale: int = 1) -> Estimate:
    """Return the estimate of the mean of ``value / scale``. Raises ValueError for no values."""
    listed = tuple(values)
    count, total, squares = len(listed), sum(listed), sum(value * value for value in listed)
    if not count:
        raise ValueError("there is nothing to estimate from no values")
    mean = total / count / scale
    if count < 2:
        return Estimate(count, mean, None, None, None)
    spread = squares * count - total * total
    if spread == 0:
        return Estimate(count, mean, mean, mean, binomial_p(count, 0) if total else 1.0)
    error = math.sqrt(spread / (count - 1)) / count / scale
    half = student_quantile(count - 1) * error
    return Estimate(count, mean, mean - half, mean + half, student_p(mean / error, count - 1))


def student_p(t: float, freedom: int) -> float:
    """Return how likely Student's t is to lie as far from 0 as ``t``, to either side."""
    return _beta_share(freedom / 2.0, 0.5, freedom / (freedom + t * t))


def student_quantile(freedom: int, outside: float = 0.05) -> float:
    """Return the t that is exceeded, to either side, with the probability ``outside``."""
    low, high = 0.0, 1.0
    while student_p(high, freedom) > outside:
        low, high = high, 2.0 * high
    for _ in range(200):
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        if student_p(middle, freedom) > outside:
            low = middle
        else:
            high = middle
    return high


def _beta_share(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b)."""
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - math.exp(log_front) * _beta_fraction(b, a, 1.0 - x) / b
    return math.exp(log_front) * _beta_fraction(a, b, x) / a


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method."""
    c, d = 1.0, 1.0 / _away_from_zero(1.0 - (a + b) * x / (a + 1.0))
    value = d
    for m in range(1, _STEPS_MAX):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            d = 1.0 / _away_from_zero(1.0 + term * d)
            c = _away_from_zero(1.0 + term / c)
            value *= c * d
        if abs(c * d - 1.0) < _PRECISION:
            break
    return value


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def wilson(successes: float, count: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share; a draw may count as half a success. (0, 1) for no trials."""
    if count == 0:
        return (0.0, 1.0)
    share, square = successes / count, NORMAL_95 * NORMAL_95 / count
    middle = (share + square / 2.0) / (1.0 + square)
    half = NORMAL_95 / (1.0 + square) * math.sqrt(share * (1.0 - share) / count + square / (4.0 * count))
    return (max(0.0, middle - half), min(1.0, middle + half))


def binomial_p(wins: int, losses: int) -> float:
    """Return how likely a fair coin is to fall as unevenly as this, to either side (exact)."""
    count, tail, ways = wins + losses, 0, 1
    for index in range(min(wins, losses) + 1):
        tail += ways
        ways = ways * (count - index) // (index + 1)
    return min(1.0, 2 * tail / (1 << count))
