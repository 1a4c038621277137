"""Ratings of a pool by the model of Bradley and Terry, with intervals (docs/decisions/006-arena-statistics.md).

In a pair between players rated x and y the first is expected to win the share ``1 / (1 + 10 ** ((y - x) / 400))``. The
ratings are those under which the results are likeliest. One more pair, drawn, is counted for each two players that met,
so that a player who won everything has a rating too.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from buraco.arena.running import Outcome
from buraco.arena.statistics import NORMAL_95, sign
from buraco.errors import BuracoError

__all__ = ["Rating", "ratings", "scores_of"]

_SCALE: Final = 400.0 / math.log(10.0)
_ROUNDS_MAX: Final = 200
_STEP_MAX: Final = 2.0
_DONE: Final = 1e-12

Scores = Mapping[tuple[str, str], tuple[float, int]]


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a player and its 95 % interval; the ratings of a pool have the mean 0. ``count``: the player's
    pairs of deals, or matches."""

    player: str
    rating: float
    low: float
    high: float
    count: int


def scores_of(outcomes: Iterable[Outcome]) -> Scores:
    """Return what each two players won of each other: (points of the first, games); a draw is half a point.

    Of paired deals a pair is one game, won by whoever has more points in both deals together.
    """
    found: defaultdict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for outcome in outcomes:
        names = (outcome.plan.a.text, outcome.plan.b.text)
        if outcome.plan.unit == "deals":
            wins = [sign(sum(pair.points)) for pair in outcome.pairs]
        else:
            wins = [win for pair in outcome.pairs for win in pair.wins]
        if names[0] != names[1] and wins:
            found[names][0] += sum((win + 1) / 2 for win in wins)
            found[names][1] += len(wins)
    return {names: (points, int(count)) for names, (points, count) in found.items()}


def ratings(scores: Scores) -> tuple[Rating, ...]:
    """Return the ratings of all players, the best first.

    Raises BuracoError (code ``arena_ratings``) for no results, or for players between whom no chain of results leads.
    """
    # Sorted, so that sums of fractions do not depend on the order in which results are read.
    names = sorted({name for pair in scores for name in pair})
    index = {name: number for number, name in enumerate(names)}
    games = [(index[a], index[b], points, count) for (a, b), (points, count) in sorted(scores.items())]
    _check_connected(names, games)
    counts = [0] * len(names)
    for a, b, _, count in games:
        counts[a] += count
        counts[b] += count
    met = {(min(a, b), max(a, b)) for a, b, _, _ in games}
    strengths, covariance = _fit(len(names), [*games, *((a, b, 0.5, 1) for a, b in sorted(met))])
    found = []
    for number, name in enumerate(names):
        rating = _SCALE * strengths[number]
        half = _SCALE * NORMAL_95 * math.sqrt(covariance[number][number])
        found.append(Rating(name, rating, rating - half, rating + half, counts[number]))
    return tuple(sorted(found, key=lambda one: -one.rating))


def _check_connected(names: Sequence[str], games: Iterable[tuple[int, int, float, int]]) -> None:
    if not names:
        raise BuracoError("arena_ratings", "there are no results between two players to rate")
    links = [(a, b) for a, b, _, _ in games]
    reached, grown = {0}, True
    while grown:
        more = {end for a, b in links for end in (a, b) if a in reached or b in reached} | reached
        grown, reached = len(more) > len(reached), more
    missing = [name for number, name in enumerate(names) if number not in reached]
    if missing:
        raise BuracoError("arena_ratings", f"no results connect {names[0]} with {', '.join(missing)}; play them too")


def _fit(size: int, games: Sequence[tuple[int, int, float, int]]) -> tuple[list[float], list[list[float]]]:
    """Return the strengths (natural logarithms, mean 0) and their covariance, by Newton's method."""
    strengths = [0.0] * size
    inverse: list[list[float]] = []
    for _ in range(_ROUNDS_MAX):
        slope = [0.0] * size
        # The mean is fixed by a matrix of ones, which the differences do not feel.
        information = [[1.0 / size] * size for _ in range(size)]
        for a, b, points, count in games:
            share = 1.0 / (1.0 + math.exp(strengths[b] - strengths[a]))
            slope[a] += points - count * share
            slope[b] -= points - count * share
            weight = count * share * (1.0 - share)
            for row, column, factor in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
                information[row][column] += factor * weight
        inverse = _inverse(information)
        step = [sum(value * slope[column] for column, value in enumerate(row)) for row in inverse]
        longest = max(map(abs, step))
        shrink = min(1.0, _STEP_MAX / longest) if longest else 1.0
        strengths = [strength + shrink * part for strength, part in zip(strengths, step, strict=True)]
        if longest < _DONE:
            break
    mean = sum(strengths) / size
    return [strength - mean for strength in strengths], [[value - 1.0 / size for value in row] for row in inverse]


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a positive definite matrix, by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(column == number) for column in range(size))] for number, row in enumerate(matrix)]
    for number in range(size):
        pivot = max(range(number, size), key=lambda row: abs(rows[row][number]))
        rows[number], rows[pivot] = rows[pivot], rows[number]
        factor = rows[number][number]
        rows[number] = [value / factor for value in rows[number]]
        for other in range(size):
            if other != number and rows[other][number]:
                factor = rows[other][number]
                rows[other] = [value - factor * own for value, own in zip(rows[other], rows[number], strict=True)]
    return [row[size:] for row in rows]
