"""Which candidate is best, judged by their values in the same worlds: the first one unless others prove better.

The first candidate is what the guiding policy would do. A difference to it starts from what the policy itself thinks of
it (``priors``), as sure as ``trust`` points; every world then adds evidence (the mean of a normal prior and a normal
likelihood). So few worlds leave the policy's choice, many overrule it. The sums are whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

__all__ = ["Comparison"]

_VARIANCE_MIN: Final = 100.0
"""The least variance of a difference, in square points: a few equal worlds prove nothing."""


class Comparison:
    """The values of candidates in the worlds played so far, each compared with candidate 0."""

    def __init__(self, priors: Sequence[float], trust: float) -> None:
        self._priors = tuple(priors)
        self._trust_squared = trust * trust
        self._counts = [0] * len(priors)
        self._sums = [0] * len(priors)
        self._squares = [0] * len(priors)
        self._base_sum = 0

    @property
    def worlds(self) -> int:
        """The number of worlds played."""
        return self._counts[0]

    def add(self, values: Sequence[int], active: Iterable[int]) -> None:
        """Add a world: the values in points of the candidates that were played in it, 0 among them."""
        base = values[0]
        self._base_sum += base
        for index in active:
            difference = values[index] - base
            self._counts[index] += 1
            self._sums[index] += difference
            self._squares[index] += difference * difference

    def gain(self, index: int) -> float:
        """Return how many points better than candidate 0 a candidate is thought to be."""
        count = self._counts[index]
        if index == 0:
            return 0.0
        if count < 2 or self._trust_squared == 0.0:
            return self._priors[index]
        mean = self._sums[index] / count
        variance = max((self._squares[index] - self._sums[index] * mean) / (count - 1), _VARIANCE_MIN)
        weight = self._trust_squared * count / (self._trust_squared * count + variance)
        return weight * mean + (1.0 - weight) * self._priors[index]

    def value(self, index: int) -> float:
        """Return the expected value of a candidate in points: the mean of candidate 0 and the gain over it."""
        return self._base_sum / max(1, self._counts[0]) + self.gain(index)

    def ranking(self) -> list[int]:
        """Return the candidates, the best first; of equals the first one."""
        return sorted(range(len(self._priors)), key=lambda index: (-self.gain(index), index))

    def better_half(self, active: Sequence[int]) -> list[int]:
        """Return candidate 0 and the better half of the others that are still in play."""
        others = sorted((index for index in active if index), key=lambda index: (-self.gain(index), index))
        return [0, *sorted(others[: max(1, (len(others) + 1) // 2)])]
