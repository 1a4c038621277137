"""How long bots may think, and which of their levels a server offers.

A level that searches has a time for a whole turn, and itself uses a share of it for each action
(`buraco.bots.search.SHARES`), so here nothing is divided by actions. Where more bots want to search than may, each gets
its part of the time: a round over all of them then takes as long as one of them alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from buraco.bots import DEFAULT_LEVEL, HINT_LEVEL, bot_levels
from buraco.bots.search import EXPERT, MASTER
from buraco.errors import BuracoError
from buraco.rules.near import near_hint
from buraco.texts import message

__all__ = [
    "LEAST_MS",
    "SEARCH_MS",
    "check_offered",
    "hint_level",
    "offered_levels",
    "played_level",
    "shared_ms",
    "turn_ms",
    "usual_level",
]

SEARCH_MS: Final[Mapping[str, int]] = MappingProxyType({"expert": EXPERT.turn_ms, "master": MASTER.turn_ms})
"""How long a level that searches may think about a turn, in milliseconds; the others decide at once."""

LEAST_MS: Final = 20
"""What even under the heaviest load a turn is worth to a search, in milliseconds."""

_QUICK_MS: Final = 300


def turn_ms(level: str, most_ms: int) -> int:
    """Return how long a level may think about a turn where the server allows ``most_ms``."""
    return min(SEARCH_MS.get(level, _QUICK_MS), most_ms)


def shared_ms(ms: int, wanting: int, places: int) -> int:
    """Return what is left of ``ms`` for each where ``wanting`` bots want to search and ``places`` may."""
    return ms if wanting <= places else min(ms, max(LEAST_MS, ms * places // wanting))


def offered_levels(names: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the levels that tables may have, the weakest first; no ``names``: all that there are."""
    return tuple(level for level in bot_levels() if not names or level in names)


def check_offered(level: str, offered: tuple[str, ...]) -> str:
    """Return a level that is offered. Raises BuracoError (code ``unknown_bot``), which names the offered ones."""
    if level not in offered:
        names, near = ", ".join(offered), near_hint(level[:60], offered)
        raise BuracoError("unknown_bot", message("error.unknown_bot", name=level[:60], names=names, near=near))
    return level


def usual_level(offered: tuple[str, ...]) -> str:
    """Return the level of a table that names none: `DEFAULT_LEVEL`, or the strongest where that is not offered."""
    return DEFAULT_LEVEL if DEFAULT_LEVEL in offered else offered[-1]


def hint_level(offered: tuple[str, ...]) -> str:
    """Return who gives hints: `HINT_LEVEL`, or the strongest offered below it, or who else there is."""
    return played_level(HINT_LEVEL, offered)


def played_level(level: str, offered: tuple[str, ...]) -> str:
    """Return who plays for a level that may be offered no longer: the strongest offered that is not above it.

    Where all are above it, the weakest of them; for a level that this version does not know, the usual one.
    """
    if level in offered:
        return level
    known = bot_levels()
    if level not in known:
        return usual_level(offered)
    below = [one for one in offered if known.index(one) < known.index(level)]
    return below[-1] if below else offered[0]
