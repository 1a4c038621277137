"""The ladder of our levels: which steps are played, in which size, and what they say.

A step is two levels of which the upper one has to win. Levels that are not there yet have no steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from buraco.arena.plan import Plan
from buraco.arena.players import Player, parse_player
from buraco.arena.results import Result, summary_form
from buraco.arena.running import Outcome
from buraco.arena.stopping import Sprt
from buraco.bots import bot_levels
from buraco.rules import RuleSet

__all__ = [
    "P_CLEAR",
    "SEARCH_NODES",
    "SEARCH_STOP",
    "SIZES",
    "Size",
    "Step",
    "by_table",
    "direction",
    "ladder_steps",
    "step_name",
    "step_plan",
]

P_CLEAR: Final = 0.001
"""How unlikely chance has to be for a step to count as shown."""

_STEPS: Final = (
    ("novice", "random"),
    ("club", "novice"),
    ("greedy", "random"),
    ("club", "greedy"),
    ("expert", "club"),
    ("master", "expert"),
)

SEARCH_NODES: Final[Mapping[str, int]] = MappingProxyType({"expert": 10_000, "master": 50_000})
"""The nodes a turn that levels which search have on the ladder: a tenth of their own, in the same ratio."""

SEARCH_STOP: Final = Sprt(low=0.0, high=50.0, alpha=0.0001, beta=0.0001)
"""When a step with a level that searches has shown enough: 50 points a deal against none. A run that this ends upwards
is beyond `P_CLEAR` by Student's test too; by chance it ends so in one of 10,000 runs at most, so that the p of a run
that goes to its last pair is what it says."""


@dataclass(frozen=True, slots=True)
class Size:
    """How many pairs of deals a step has: between levels that play inside the engine, with one that searches, and the
    most between two that search, who are nearer to each other."""

    cheap: int
    searching: int
    both_searching: int


SIZES: Final[Mapping[str, Size]] = MappingProxyType({"small": Size(100, 20, 20), "full": Size(1000, 200, 600)})
"""The sizes of a ladder by name."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the ladder: the texts of its players, the unit, the most pairs, and what may end it sooner."""

    upper: Player
    lower: Player
    unit: str
    pairs: int
    stop: Sprt | None = None


def ladder_steps(
    size: Size, *, match_pairs: int = 0, nodes: Mapping[str, int] = SEARCH_NODES, levels: Sequence[str] = ()
) -> tuple[Step, ...]:
    """Return the steps between the levels that there are (by default all), from the bottom up.

    ``nodes``: the limit of nodes by level. ``match_pairs``: how many pairs of matches of the best level are played
    against ``club``, if it is not that itself.
    """
    known = tuple(levels) or bot_levels()
    found = [_step(upper, lower, size, nodes) for upper, lower in _STEPS if upper in known and lower in known]
    best = next((level for level in ("master", "expert") if level in known), "")
    if match_pairs and best and "club" in known:
        found.append(Step(_player(best, nodes), _player("club", nodes), "matches", match_pairs))
    return tuple(found)


def _step(upper: str, lower: str, size: Size, nodes: Mapping[str, int]) -> Step:
    players = (_player(upper, nodes), _player(lower, nodes))
    searching = len({upper, lower} & set(SEARCH_NODES))
    pairs = (size.cheap, size.searching, size.both_searching)[searching]
    return Step(*players, "deals", pairs, SEARCH_STOP if searching else None)


def _player(level: str, nodes: Mapping[str, int]) -> Player:
    limit = nodes.get(level)
    return parse_player(level if limit is None else f"{level}:nodes={limit}")


def step_plan(step: Step, rules: RuleSet, players: int, seed: int) -> Plan:
    """Return the plan of a step."""
    return Plan(
        rules=rules,
        players=players,
        a=step.upper,
        b=step.lower,
        unit=step.unit,
        pairs=step.pairs,
        seed=seed,
        stop=step.stop,
    )


def step_name(plan: Plan) -> str:
    """Return the name of the file of a run, without its ending: the players and the unit, letters and digits only."""
    words = "-".join((plan.a.text, plan.b.text, plan.unit))
    kept = (letter if letter.isascii() and (letter.isalnum() or letter == "-") else "-" for letter in words)
    return "".join(kept)[:120]


def direction(outcome: Outcome) -> str:
    """Say where a step leads: ``up`` or ``down`` if chance is less likely than `P_CLEAR`, ``leans up`` or
    ``leans down`` by its mean alone, ``level`` for none."""
    summary = summary_form(outcome)
    judged = summary["points"] if outcome.plan.unit == "deals" else summary["games"]
    assert isinstance(judged, dict)
    mean = judged["mean"] if outcome.plan.unit == "deals" else judged["share"] - 0.5
    if mean == 0:
        return "level"
    way, p = "up" if mean > 0 else "down", judged["p"]
    return way if p is not None and p < P_CLEAR else f"leans {way}"


def by_table(results: Iterable[Result]) -> dict[tuple[str, int], list[Result]]:
    """Return results by the name of their rules and their number of players, in the order in which they come."""
    found: dict[tuple[str, int], list[Result]] = {}
    for result in results:
        plan = result.outcome.plan
        found.setdefault((plan.rules.name, plan.players), []).append(result)
    return found
