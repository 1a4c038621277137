"""Tune the weights of the club heuristic by paired self-play, repeatably.

    python -m scripts.tune_club open-4 --rounds 400 --pairs 120 --seed 7   one variant, so many rounds
    python -m scripts.tune_club open-4 --rounds 800 ...                    goes on where a shorter run ended
    python -m scripts.tune_club open-4 --check --pairs 1000                only measures, against greedy

Method: simultaneous perturbation (SPSA). In every round all weights move at random by a step of their own, up or down;
the weights so moved play paired deals (`play_pairs`) against the weights moved the other way; each weight then takes a
small part of its step towards the side that won. The rule sets of the variant take turns; the sample is the same for
the same seed. The run's state is kept in ``--state`` after every block of rounds, so that a run that was stopped, or is
given more rounds, goes on. At the end the tuned weights meet the old ones and greedy on fresh deals; only where they
lose to neither is the data file written (``--write``), with the command, the commit, and what was measured.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

from buraco.engine import play_pairs
from buraco.engine.constants import POLICY_CLUB, POLICY_GREEDY
from buraco.engine.weights import VARIANTS, WEIGHT_NAMES, WEIGHTS_FILE, flat_weights, read_weights
from buraco.rules import RULE_SETS, get_rules

__all__ = ["games_of", "main", "tuned"]

Row = Mapping[str, int]
BLOCK: Final = 20
#: How far a weight moves in a round, as a part of its size, and at least.
STEP_SHARE: Final = 0.25
STEP_LEAST: Final = 2.0
#: What part of a step a weight takes for each point a deal that the side which won was ahead.
RATE: Final = 0.004
#: Totals before the deal, in turns: mostly none, so that vulnerable openings and the target are met as well.
TOTALS: Final = ((0, 0), (0, 0), (0, 0), (1600, 1200))
CHECK_SEED: Final = 500_000_000


def games_of(variant: str) -> list[tuple[str, int]]:
    """Return the rule sets and numbers of players that a variant stands for."""
    closed, players = variant.startswith("closed"), int(variant[-1])
    return [
        (name, players)
        for name, rules in RULE_SETS.items()
        if rules.pile_closed == closed and players in rules.player_counts
    ]


def _flat(variant: str, row: Row) -> tuple[int, ...]:
    return flat_weights(dict.fromkeys(VARIANTS, row)) if variant in VARIANTS else ()


def _rounded(values: Sequence[float], source: random.Random) -> dict[str, int]:
    """Round at random, so that steps below one count on average."""
    return {
        name: int(value // 1) + (source.random() < value % 1) for name, value in zip(WEIGHT_NAMES, values, strict=True)
    }


def _round(variant: str, values: list[float], number: int, rounds: int, options: argparse.Namespace) -> float:
    """Play one round, move the weights, and return by how many points a deal the side that won was ahead."""
    source = random.Random(f"{options.seed} {variant} {number}")
    steps = [max(STEP_LEAST, STEP_SHARE * abs(value)) for value in values]
    signs = [source.choice((-1, 1)) for _ in values]
    up = [value + sign * step for value, sign, step in zip(values, signs, steps, strict=True)]
    down = [value - sign * step for value, sign, step in zip(values, signs, steps, strict=True)]
    games = games_of(variant)
    name, players = games[number % len(games)]
    weights = (_flat(variant, _rounded(up, source)), _flat(variant, _rounded(down, source)))
    deals = play_pairs(
        get_rules(name),
        players,
        (POLICY_CLUB, POLICY_CLUB),
        weights,
        source.randrange(CHECK_SEED - options.pairs),
        options.pairs,
        TOTALS[number // len(games) % len(TOTALS)],
    )
    ahead = fmean(deals) / 2
    rate = RATE * (1.0 - 0.7 * number / rounds)
    for index, (sign, step) in enumerate(zip(signs, steps, strict=True)):
        values[index] += rate * ahead * sign * step
    return ahead


def tuned(variant: str, start: Row, options: argparse.Namespace) -> dict[str, int]:
    """Run the rounds that the state file lacks and return the weights, rounded."""
    state = Path(options.state or f"build/tune-{variant}.json")
    settings = {"variant": variant, "seed": options.seed, "pairs": options.pairs, "start": dict(start)}
    values, done = [float(start[name]) for name in WEIGHT_NAMES], 0
    if state.exists():
        kept = json.loads(state.read_text(encoding="utf-8"))
        if kept["settings"] != settings:
            raise SystemExit(f"tune_club: {state} is of a run with other settings; remove it, or name another --state")
        values, done = kept["values"], kept["done"]
    while done < options.rounds:
        for _ in range(min(BLOCK, options.rounds - done)):
            _round(variant, values, done, options.rounds, options)
            done += 1
        state.parent.mkdir(parents=True, exist_ok=True)
        state.write_text(json.dumps({"settings": settings, "done": done, "values": values}), encoding="utf-8")
        print(f"{variant}: round {done} of {options.rounds}", flush=True)
    return {name: round(value) for name, value in zip(WEIGHT_NAMES, values, strict=True)}


def measure(variant: str, row: Row, other: Row | None, pairs: int) -> list[dict[str, Any]]:
    """Return by how many points a deal weights beat others, or greedy, in each game: mean and standard error."""
    found = []
    for name, players in games_of(variant):
        policies = (POLICY_CLUB, POLICY_GREEDY if other is None else POLICY_CLUB)
        weights = (_flat(variant, row), None if other is None else _flat(variant, other))
        deals = play_pairs(get_rules(name), players, policies, weights, CHECK_SEED, pairs)
        error = stdev(deals) / 2 / len(deals) ** 0.5
        found.append(
            {"rules": name, "players": players, "points": round(fmean(deals) / 2, 1), "error": round(error, 1)}
        )
    return found


def _report(title: str, found: list[dict[str, Any]]) -> float:
    mean = fmean(line["points"] for line in found)
    print(f"{title}: {mean:+.1f}   " + "  ".join(f"{f['rules']} {f['points']:+.0f}±{f['error']:.0f}" for f in found))
    return mean


def _commit() -> str:
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def main(arguments: Sequence[str] | None = None) -> None:
    """Tune one variant, measure, and write the data file if asked to."""
    parser = argparse.ArgumentParser(prog="python -m scripts.tune_club", description=__doc__.split("\n\n")[0])
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("--rounds", type=int, default=400)
    parser.add_argument("--pairs", type=int, default=120, help="pairs of deals a round, or for each game of --check")
    parser.add_argument("--check-pairs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", default="", help="where the run is kept (default build/tune-VARIANT.json)")
    parser.add_argument("--file", type=Path, default=WEIGHTS_FILE)
    parser.add_argument("--check", action="store_true", help="only measure the file's weights against greedy")
    parser.add_argument("--write", action="store_true", help="write the data file where the new weights lose to nobody")
    options = parser.parse_args(arguments)
    old = read_weights(options.file)["club"][options.variant]
    if options.check:
        _report("against greedy", measure(options.variant, old, None, options.check_pairs))
        return
    new = tuned(options.variant, old, options)
    for name in WEIGHT_NAMES:
        if new[name] != old[name]:
            print(f"  {name}: {old[name]} -> {new[name]}")
    against_old = measure(options.variant, new, old, options.check_pairs)
    against_greedy = measure(options.variant, new, None, options.check_pairs)
    ahead = _report("against the old weights", against_old)
    better = _report("against greedy", against_greedy) > 0 and ahead > 0
    if options.write and better:
        data = json.loads(options.file.read_text(encoding="utf-8"))
        data["weights"]["club"][options.variant] = new
        data["provenance"][options.variant] = {
            "command": "python -m scripts.tune_club "
            + shlex.join(arguments if arguments is not None else sys.argv[1:]),
            "commit": _commit(),
            "deals": options.rounds * options.pairs * 2,
            "against_old": against_old,
            "against_greedy": against_greedy,
        }
        options.file.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        print(f"written: {options.file}")


if __name__ == "__main__":
    main()
