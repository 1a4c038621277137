"""What a run is to play: fixed before it begins, and compared before it goes on."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import buraco
from buraco.arena.players import Player
from buraco.arena.stopping import Sprt
from buraco.errors import BuracoError, RulesError
from buraco.rules import RuleSet
from buraco.rules.loader import to_json
from buraco.texts import message

__all__ = ["FAULT_POINTS", "MATCH_DEALS_MAX", "PAIRS_MAX", "UNITS", "Plan", "machine", "software"]

PAIRS_MAX: Final = 1_000_000
"""The most pairs of a run."""

FAULT_POINTS: Final = 1000
"""What a fault of a player costs: the deal, or the match, counts as lost by this many points."""

MATCH_DEALS_MAX: Final = 100
"""After this many deals a match that has not reached its end goes to the side that leads, or is drawn."""

UNITS: Final = ("deals", "matches")

_BLOCK_DEALS: Final = 25
_BLOCK_MATCHES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Two players, ``pairs`` pairs of games between them, and everything else that the results depend on.

    ``unit``: whether a game is a deal or a match. In both games of a pair the cards are the same and the players change
    sides. ``stop`` may end the run sooner. The same plan gives the same results, unless a limit of time is in it.

    Raises RulesError (code ``players``), BuracoError (code ``arena_number``).
    """

    rules: RuleSet
    players: int
    a: Player
    b: Player
    unit: str
    pairs: int
    seed: int
    stop: Sprt | None = None

    def __post_init__(self) -> None:
        if self.players not in self.rules.player_counts:
            raise RulesError("players", message("error.players", rules=self.rules.name, players=self.players))
        if self.unit not in UNITS or not 1 <= self.pairs <= PAIRS_MAX:
            raise BuracoError("arena_number", f"a run has 1 to {PAIRS_MAX} pairs of {' or '.join(UNITS)}")

    @property
    def sides(self) -> tuple[Player, Player]:
        """Both players, A first."""
        return (self.a, self.b)

    @property
    def block(self) -> int:
        """How many pairs are played at a time; programs that play as bots start anew for each block."""
        commands = any(player.command for player in self.sides)
        if not commands and any(player.policy is None for player in self.sides):
            return 1
        return _BLOCK_DEALS if self.unit == "deals" and not commands else _BLOCK_MATCHES

    def form(self) -> dict[str, object]:
        """Return the plan as plain JSON values: the settings that a run may not change on its way."""
        stop = self.stop
        return {
            "a": _player_form(self.a),
            "b": _player_form(self.b),
            "rules": to_json(self.rules),
            "players": self.players,
            "unit": self.unit,
            "pairs": self.pairs,
            "seed": self.seed,
            "stop": None
            if stop is None
            else {"test": "sprt", "low": stop.low, "high": stop.high, "alpha": stop.alpha, "beta": stop.beta},
            "fault_points": FAULT_POINTS,
            "match_deals_max": MATCH_DEALS_MAX,
        }


def _player_form(player: Player) -> dict[str, object]:
    return {"player": player.text, "nodes": player.nodes, "ms": player.ms}


def software() -> dict[str, object]:
    """Return which software plays: the version, the build of the engine, and a digest of all that decides a game."""
    return {"version": buraco.__version__, "engine": buraco.build_kind(), "digest": _digest()}


@cache
def _digest() -> str:
    """Return the beginning of the SHA-256 of the sources and data of the rules, the engine and the bots."""
    root = Path(buraco.__file__).parent
    total = sha256()
    for folder in ("rules", "engine", "bots"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".py", ".json", ".toml") and path.is_file():
                total.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:12]


def machine() -> Mapping[str, object]:
    """Return what is worth knowing of the machine where times are read: no name, nothing about its owner."""
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
    }
