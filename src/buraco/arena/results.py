"""Results of runs as JSON: what was played, with what, by whom, and what it comes to (docs/arena.md).

Everything below ``summary`` follows from the rest; a reader believes the pairs, not the summary.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any, Final

from buraco.arena.games import PairResult
from buraco.arena.plan import FAULT_POINTS, MATCH_DEALS_MAX, Plan, machine, software
from buraco.arena.players import EXEC, LIMIT_MAX, Player, parse_player
from buraco.arena.running import Outcome
from buraco.arena.statistics import binomial_p, estimate, sign, wilson
from buraco.arena.stopping import Sprt, check_stop
from buraco.arena.tally import Fault, Tally, printable
from buraco.errors import BuracoError
from buraco.rules import from_json

__all__ = [
    "FORMAT",
    "TEXT_MAX",
    "VERSION",
    "Result",
    "differences",
    "load_result",
    "result_form",
    "result_schema",
    "summary_form",
]

FORMAT: Final = "buraco-arena"
VERSION: Final = 1
"""The version of the form of results; it changes when an old reader would misread a new file."""

TEXT_MAX: Final = 100_000_000
"""The longest text of a result that is read, in characters or bytes."""

_PLAYERS: Final = ("a", "b")


@dataclass(frozen=True, slots=True)
class Result:
    """A result that was read: what it came to, and the rest as it stands there."""

    outcome: Outcome
    command: str
    software: Mapping[str, object]
    machine: Mapping[str, object]

    @property
    def settings(self) -> dict[str, object]:
        """The settings of its plan."""
        return self.outcome.plan.form()


def result_form(outcome: Outcome, command: str, workers: int, engine: str) -> dict[str, object]:
    """Return the JSON form of a run that this process plays."""
    plan = outcome.plan
    tallies = outcome.tallies or (Tally.empty(), Tally.empty())
    return {
        "format": FORMAT,
        "version": VERSION,
        "state": "finished" if outcome.finished else "running",
        "command": command,
        "software": software(),
        "machine": machine(),
        "work": {"engine": engine, "workers": workers},
        "settings": plan.form(),
        "summary": summary_form(outcome) if outcome.pairs else None,
        "players": {name: _tally_form(tally) for name, tally in zip(_PLAYERS, tallies, strict=True)},
        "faults": [asdict(fault) | {"player": _PLAYERS[fault.player]} for fault in outcome.faults],
        "pairs": {
            "points": [list(pair.points) for pair in outcome.pairs],
            "wins": [list(pair.wins) for pair in outcome.pairs],
            "deals": [list(pair.deals) for pair in outcome.pairs],
        },
    }


def _tally_form(tally: Tally) -> dict[str, object]:
    times = tally.times()
    return {
        "decisions": tally.decisions,
        "nodes": tally.nodes,
        "illegal": tally.illegal,
        "times": None if times is None else asdict(times),
        "time_steps": {str(step): count for step, count in sorted(tally.steps.items())},
        "worst_ns": tally.worst_ns,
    }


def summary_form(outcome: Outcome) -> dict[str, object]:
    """Return what the pairs of a run come to, from A's side. Raises ValueError for no pairs.

    ``points``: the mean difference a game, by pairs; ``pairs``: those that A won, that were equal, that B won;
    ``games`` likewise, with the share of A's wins (a draw is half a win), Wilson's interval and the exact p.
    """
    plan = outcome.plan
    sums = Counter(sign(sum(pair.points)) for pair in outcome.pairs)
    games = Counter(win for pair in outcome.pairs for win in pair.wins)
    count = 2 * len(outcome.pairs)
    won = games[1] + games[0] / 2
    low, high = wilson(won, count)
    verdict = outcome.verdict
    return {
        "points": asdict(estimate((sum(pair.points) for pair in outcome.pairs), 2)),
        "pairs": {"won": sums[1], "equal": sums[0], "lost": sums[-1]},
        "games": {
            "unit": plan.unit,
            "won": games[1],
            "drawn": games[0],
            "lost": games[-1],
            "share": won / count,
            "low": low,
            "high": high,
            "p": binomial_p(games[1], games[-1]),
        },
        "deals": sum(sum(pair.deals) for pair in outcome.pairs),
        "faults": {name: sum(f.player == number for f in outcome.faults) for number, name in enumerate(_PLAYERS)},
        "stop": None if verdict is None else asdict(verdict),
    }


def differences(old: Mapping[str, object], new: Mapping[str, object], path: str = "") -> tuple[str, ...]:
    """Return in words each member that two settings do not have alike."""
    found: list[str] = []
    for name in [*old, *(name for name in new if name not in old)]:
        before, after = old.get(name), new.get(name)
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            found += differences(before, after, f"{path}{name}.")
        elif before != after or type(before) is not type(after):
            found.append(f"{path}{name} was {json.dumps(before)[:80]} and is now {json.dumps(after)[:80]}")
    return tuple(found)


def result_schema() -> dict[str, object]:
    """Return the JSON Schema (draft 2020-12) of a result."""
    found: dict[str, object] = json.loads(files("buraco.arena").joinpath("schema", "result.json").read_text("utf-8"))
    return found


# Reading.


def load_result(text: str) -> Result:
    """Return the result of a JSON text. Raises BuracoError (code ``arena_file``), which says what is wrong."""
    if len(text) > TEXT_MAX:
        raise _wrong(f"it has more than {TEXT_MAX} characters")
    try:
        form = json.loads(text)
    except json.JSONDecodeError as error:
        raise _wrong(f"it is no JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except (ValueError, RecursionError):
        raise _wrong("it is no JSON") from None
    if not isinstance(form, dict) or form.get("format") != FORMAT:
        raise _wrong(f"its member format is not {FORMAT!r}")
    if form.get("version") != VERSION or form["version"] is True:
        raise _wrong(f"it has version {str(form.get('version'))[:20]}, and this program reads version {VERSION}")
    try:
        outcome = _outcome(form)
        return Result(outcome, _line(form["command"]), _mapping(form["software"]), _mapping(form["machine"]))
    except BuracoError as error:
        raise _wrong(error.message) from None
    except KeyError as error:
        raise _wrong(f"the member {error} is missing") from None
    except (TypeError, ValueError, AttributeError, IndexError) as error:
        raise _wrong(str(error)[:200]) from None


def _wrong(why: str) -> BuracoError:
    return BuracoError("arena_file", f"this is no result of an arena: {why}")


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError("software and machine are objects")
    for one in value.values():
        if not isinstance(one, int | float | None):
            _line(one)
    return value


def _line(value: object) -> str:
    """Return a text that is shown as it is: in a page, on a terminal."""
    if not isinstance(value, str) or not value.isprintable():
        raise ValueError(f"{ascii(value)[:40]} is not one line of printable characters")
    return value


def _whole(value: object, least: int = 0) -> int:
    if type(value) is not int or not least <= value <= LIMIT_MAX:
        raise ValueError(f"{str(value)[:40]} is no whole number in its bounds")
    return value


def _outcome(form: Mapping[str, Any]) -> Outcome:
    plan = _plan(form["settings"])
    columns = [form["pairs"][name] for name in ("points", "wins", "deals")]
    faults = tuple(
        Fault(
            _whole(f["pair"]),
            _whole(f["game"]),
            _PLAYERS.index(f["player"]),
            printable(str(f["code"])),
            printable(str(f["text"])),
        )
        for f in form["faults"]
    )
    pairs = tuple(
        PairResult(_two(points, -LIMIT_MAX), _two(wins, -1), _two(deals), tuple(f for f in faults if f.pair == index))
        for index, (points, wins, deals) in enumerate(zip(*columns, strict=True))
    )
    if len(pairs) > plan.pairs or (len(pairs) % plan.block and len(pairs) < plan.pairs):
        raise ValueError("the number of its pairs is not that of whole blocks")
    tallies = (_tally(form["players"]["a"]), _tally(form["players"]["b"]))
    return Outcome(plan, pairs, tallies if pairs else None)


def _two(values: Any, least: int = 0) -> tuple[int, int]:
    first, second = values
    return _whole(first, least), _whole(second, least)


def _tally(form: Mapping[str, Any]) -> Tally:
    steps = Counter({int(step): _whole(count) for step, count in form["time_steps"].items()})
    return Tally(
        _whole(form["decisions"]), _whole(form["nodes"]), _whole(form["illegal"]), steps, _whole(form["worst_ns"])
    )


def _player(form: Mapping[str, Any]) -> Player:
    # The command of a program may not be there on the machine that reads.
    text = _line(form["player"])
    found = Player("exec", text.removeprefix(EXEC)) if text.startswith(EXEC) else parse_player(text)
    nodes, ms = (None if form[name] is None else _whole(form[name], 1) for name in ("nodes", "ms"))
    return found.with_defaults(nodes, ms)


def _plan(form: Mapping[str, Any]) -> Plan:
    if (form["fault_points"], form["match_deals_max"]) != (FAULT_POINTS, MATCH_DEALS_MAX):
        raise ValueError("it counts faults or unfinished matches otherwise")
    stop = form["stop"]
    test = None if stop is None else Sprt(*(float(stop[name]) for name in ("low", "high", "alpha", "beta")))
    return Plan(
        rules=from_json(form["rules"]),
        players=_whole(form["players"]),
        a=_player(form["a"]),
        b=_player(form["b"]),
        unit=form["unit"],
        pairs=_whole(form["pairs"], 1),
        seed=_whole(form["seed"], -LIMIT_MAX),
        stop=None if test is None else check_stop(test, form["unit"]),
    )
