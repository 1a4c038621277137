"""The levels of bots by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from buraco.bots.basic import PolicyBot
from buraco.bots.club import HeuristicBot
from buraco.bots.protocol import Bot
from buraco.bots.search import EXPERT, MASTER, SearchBot, SearchSettings
from buraco.engine.arguments import whole_number
from buraco.engine.codes import POLICIES
from buraco.engine.constants import POLICY_CLUB, POLICY_NOVICE
from buraco.errors import BuracoError
from buraco.rules.near import near_hint
from buraco.texts import message

__all__ = ["DEFAULT_LEVEL", "HINT_LEVEL", "bot_levels", "check_level", "make_bot", "policy_of"]

DEFAULT_LEVEL: Final = "club"
"""The level that a table takes where nobody names one."""

HINT_LEVEL: Final = "expert"
"""The level that gives hints."""

# The engine's policies that are levels too, the weakest first.
_POLICIES: Final[Mapping[str, int]] = MappingProxyType(
    {name: POLICIES.index(name) for name in ("random", "greedy", "novice", "club")}
)


_SEARCHES: Final[Mapping[str, SearchSettings]] = MappingProxyType({"expert": EXPERT, "master": MASTER})


def bot_levels() -> tuple[str, ...]:
    """Return the names of all levels, the weakest first."""
    return (*_POLICIES, *_SEARCHES)


def check_level(level: str) -> str:
    """Return the name of a level as it was given. Raises BuracoError (code ``unknown_bot``), which names the levels."""
    if level not in bot_levels():
        names, near = ", ".join(bot_levels()), near_hint(level, bot_levels())
        raise BuracoError("unknown_bot", message("error.unknown_bot", name=level[:60], names=names, near=near))
    return level


def make_bot(level: str, seed: int = 0, *, threads: int = 1) -> Bot:
    """Return a bot of a level; the same seed makes the same choices.

    ``threads``: how many a level that searches may use; its choices do not depend on it.
    Raises BuracoError (code ``unknown_bot``; ``weights_missing``, ``weights_damaged`` or ``weights_wrong`` where the
    weights of the package cannot be used), TypeError for a number that is none, ValueError for no thread.
    """
    seed, threads = whole_number("a seed", seed), whole_number("threads", threads, 1)
    if check_level(level) in _SEARCHES:
        return SearchBot(level, _SEARCHES[level], seed, threads=threads)
    policy = _POLICIES[level]
    if policy in (POLICY_CLUB, POLICY_NOVICE):
        return HeuristicBot(level, policy, seed)
    return PolicyBot(level, policy, seed)


def policy_of(level: str) -> int | None:
    """Return the number of the engine's policy that a level is, None for a level that is not one.

    Such a bot needs no view: inside the engine it plays alike. Raises BuracoError (code ``unknown_bot``).
    """
    return _POLICIES.get(check_level(level))
