"""Victory points of Italian federation tournaments (source 005 §8)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from buraco.errors import RulesError
from buraco.texts import message

__all__ = ["VICTORY_DEALS", "victory_points", "victory_steps"]

# The largest difference in match points that still gives 10, 11 ... 19 victory points; anything beyond gives 20.
_LIMITS: Final[Mapping[int, tuple[int, ...]]] = MappingProxyType(
    {
        3: (50, 150, 250, 350, 500, 650, 800, 1000, 1250, 1500),
        4: (100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 2000),
    }
)

VICTORY_DEALS: Final = tuple(_LIMITS)
"""The numbers of deals in a round for which there is a table."""


def victory_points(difference: int, deals: int) -> tuple[int, int]:
    """Return the victory points of the first and the second side of a round; they add up to 20.

    ``difference`` is the first side's match points minus the second's (match points are multiples of five; another
    number belongs to the step that it has passed into), ``deals`` the number of deals in the round, 3 or 4.
    Raises RulesError (code ``no_victory_table``) for another number of deals.
    """
    if deals not in _LIMITS:
        raise RulesError("no_victory_table", message("error.no_victory_table", deals=str(deals)[:20]))
    more = 10 + sum(abs(difference) > limit for limit in _LIMITS[deals])
    return (more, 20 - more) if difference >= 0 else (20 - more, more)


def victory_steps(deals: int) -> tuple[tuple[int, int, tuple[int, int]], ...]:
    """Return the steps of the table for a round of so many deals: the smallest and the largest difference in match
    points (multiples of five) and the victory points of the better and the other side. The last step begins above its
    first number and has no largest one: there it stands twice. Raises RulesError (code ``no_victory_table``)."""
    victory_points(0, deals)
    limits = _LIMITS[deals]
    lows = (0, *(limit + 5 for limit in limits[:-1]))
    steps = tuple((low, high, victory_points(high, deals)) for low, high in zip(lows, limits, strict=True))
    return (*steps, (limits[-1], limits[-1], victory_points(limits[-1] + 5, deals)))
