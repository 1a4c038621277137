"""Who plays in the arena, told by a text: a level, a level with its limits, or a program.

``club`` · ``expert:nodes=2000`` · ``master:ms=50,nodes=9000`` · ``exec:COMMAND``
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from typing import Final

from buraco.arena.external import ExternalBot, check_command
from buraco.bots import Bot, Limit, bot_levels, check_level, make_bot, policy_of
from buraco.errors import BuracoError
from buraco.rules.near import near_hint
from buraco.texts import message

__all__ = ["EXEC", "LIMIT_MAX", "Player", "parse_player"]

EXEC: Final = "exec:"
LIMIT_MAX: Final = 10**12
"""The largest limit, of nodes or milliseconds."""

_LIMITS: Final = ("nodes", "ms")


@dataclass(frozen=True, slots=True)
class Player:
    """A player: a level of ours, or the ``command`` of a program; and its limit, of a turn or of a decision."""

    level: str
    command: str = ""
    nodes: int | None = None
    ms: int | None = None

    @property
    def text(self) -> str:
        """The text that tells this player; a program's limits are options of the run."""
        if self.command:
            return EXEC + self.command
        limits = ",".join(f"{name}={value}" for name in _LIMITS if (value := getattr(self, name)) is not None)
        return f"{self.level}:{limits}" if limits else self.level

    @property
    def policy(self) -> int | None:
        """The policy of the engine that this player is, None for one that needs views."""
        return None if self.command else policy_of(self.level)

    @property
    def limit(self) -> Limit:
        """Its limit: of a turn for a level of ours that searches, of a decision for a program."""
        return Limit(nodes=self.nodes, ms=self.ms)

    def bot(self, seed: int) -> Bot | ExternalBot:
        """Return a new bot for a seat."""
        return ExternalBot(self.command, seed=seed) if self.command else make_bot(self.level, seed)

    def with_defaults(self, nodes: int | None, ms: int | None) -> Player:
        """Return this player with a limit for each that it does not name itself."""
        return replace(self, nodes=nodes if self.nodes is None else self.nodes, ms=ms if self.ms is None else self.ms)


def parse_player(text: str) -> Player:
    """Return the player of a text.

    Raises BuracoError: ``unknown_bot`` (names the levels, and the nearest), ``bot_command`` (no such program),
    ``arena_player`` (a limit that is none, a text of several lines).
    """
    if not text.isprintable():
        raise BuracoError("arena_player", f"{ascii(text)[:60]} is not one line of printable characters")
    if text.startswith(EXEC):
        check_command(text.removeprefix(EXEC))
        return Player("exec", text.removeprefix(EXEC))
    level, _, limits = text.partition(":")
    if level not in bot_levels() and _is_program(text):
        raise BuracoError("unknown_bot", message("error.unknown_bot_program", name=text[:60]))
    found = Player(check_level(level))
    for part in limits.split(",") if limits else ():
        name, _, number = part.partition("=")
        if name not in _LIMITS:
            hint = near_hint(name, _LIMITS)
            raise BuracoError(
                "arena_player", f"{name[:40]!r} of {text[:60]!r} is no limit; there are nodes and ms.{hint}"
            )
        if not (number.isascii() and number.isdecimal()) or not 1 <= int(number[:20]) <= LIMIT_MAX:
            raise BuracoError("arena_player", f"the limit {part[:40]!r} is no whole number from 1 to {LIMIT_MAX}")
        value = int(number)
        found = replace(found, nodes=value) if name == "nodes" else replace(found, ms=value)
    return found


def _is_program(text: str) -> bool:
    """Say whether a text names a program or a file, for whose player ``exec:`` is missing."""
    words = text.split()
    return any("/" in word or word.endswith((".py", ".js")) for word in words) or bool(words and shutil.which(words[0]))
