"""Tune the weights of the club heuristic by paired self-play, repeatably.

    python -m scripts.tune_club open-clean-runs-jokers-4 --rounds 300 --pairs 120 --seed 7
    python -m scripts.tune_club open-clean-runs-jokers-4 --rounds 600 --pairs 120 --seed 7    goes on where that ended
    python -m scripts.tune_club open-clean-runs-jokers-4 --check                only measures, against greedy

Method: simultaneous perturbation (SPSA). In every round all weights move at random by a step of their own, up or down;
the weights so moved play paired deals (`play_pairs`) against the weights moved the other way, in every sixth round both
of them against greedy; each weight then takes a small part of its step towards the side that won. The rule sets of the
variant take turns; the sample is the same for the same seed. The run's state is kept in ``--state`` after every block
of rounds, so that a run that was stopped, or is given more rounds, goes on. At the end the tuned weights meet the old
ones and greedy on fresh deals; only where they lose to neither is the data file written (``--write``), with the
command, the commit, and what was measured.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from types import MappingProxyType
from typing import Any, Final

from buraco.cli.common import CommandError
from buraco.cli.holding import only_run
from buraco.engine import play_pairs
from buraco.engine.constants import POLICY_CLUB, POLICY_GREEDY
from buraco.engine.weights import (
    VARIANTS,
    WEIGHT_LIMIT,
    WEIGHT_NAMES,
    WEIGHTS_FILE,
    flat_weights,
    read_weights,
    variant_of,
)
from buraco.rules import RULE_SETS, get_rules

__all__ = ["FLOORS", "games_of", "main", "parse", "tuned"]

Row = Mapping[str, int]
BLOCK: Final = 20
#: After this many rounds the weights are averaged over the rounds, since each of them is as much noise as sense.
SETTLING: Final = 100
#: How far a weight moves in a round, as a part of what it was at first, and at least.
STEP_SHARE: Final = 0.2
STEP_LEAST: Final = 2.0
#: What part of a step a weight takes for each point a deal that the side which won was ahead.
RATE: Final = 0.003
#: What self-play between two players of one kind does not teach: they feed and are fed alike. A weight stays above its
#: floor, so that a good player's habits (save the wilds, do not feed, wait for the partner) hold against anybody.
FLOORS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "run": 10,
        "pair_end": 3,
        "gap": 2,
        "fit": 4,
        "fit_gap": 1,
        "joker": 34,
        "two": 24,
        "set_pair": 4,
        "set_three": 10,
        "clean_need_1": 60,
        "clean_need_2": 30,
        "clean_need_3": 14,
        "first_canasta": 20,
        "morto_direct": 50,
        "morto_indirect": 50,
        "card_cost": 7,
        "feed": 18,
        "feed_share": 4,
        "feed_gap": 1,
        "feed_known": 2,
        "feed_live": 1,
        "feed_pile": 1,
        "feed_size": 0,
        "twin_passed": 3,
        "pile_deny": 2,
        "reader_threw": 1,
        "keep_first": 0,
        "heat_turn": 32,
        "heat_close": 4,
        "hand_points": 3,
        "match": 250,
    }
)
#: And a weight that must stay below: a card that brings nothing is worth no more than one drawn unseen.
CEILINGS: Final[Mapping[str, int]] = MappingProxyType({"pile_card": 8, "close": 60, "close_others": 16})
#: Totals before the deal, in turns: mostly none, so that vulnerable openings and the target are met as well.
TOTALS: Final = ((0, 0), (0, 0), (0, 0), (1600, 1200))
CHECK_SEED: Final = 500_000_000


def games_of(variant: str) -> list[tuple[str, int]]:
    """Return the rule sets and numbers of players that a variant stands for."""
    return [
        (name, players)
        for name, rules in RULE_SETS.items()
        for players in rules.player_counts
        if variant_of(rules, players) == variant
    ]


def _flat(row: Row) -> tuple[int, ...]:
    return flat_weights(dict.fromkeys(VARIANTS, row))


def _rounded(values: Sequence[float], source: random.Random) -> dict[str, int]:
    """Round at random, so that steps below one count on average."""
    return {
        name: int(value // 1) + (source.random() < value % 1) for name, value in zip(WEIGHT_NAMES, values, strict=True)
    }


def _round(variant: str, values: list[float], start: Sequence[float], number: int, options: argparse.Namespace) -> None:
    """Play one round and move the weights."""
    source = random.Random(f"{options.seed} {variant} {number}")
    steps = [max(STEP_LEAST, STEP_SHARE * abs(first)) for first in start]
    signs = [source.choice((-1, 1)) for _ in values]
    up = [value + sign * step for value, sign, step in zip(values, signs, steps, strict=True)]
    down = [value - sign * step for value, sign, step in zip(values, signs, steps, strict=True)]
    games = games_of(variant)
    name, players = games[number % len(games)]
    weights = (_flat(_rounded(up, source)), _flat(_rounded(down, source)))
    rules, seed = get_rules(name), source.randrange(CHECK_SEED - options.pairs)
    totals = TOTALS[number // len(games) % len(TOTALS)]
    if number // len(games) % 6 < 5:
        deals = play_pairs(rules, players, (POLICY_CLUB, POLICY_CLUB), weights, seed, options.pairs, totals)
        ahead = fmean(deals) / 2
    else:
        # Both against greedy on the same deals, so that self-play does not lose sight of other ways to play.
        policies = (POLICY_CLUB, POLICY_GREEDY)
        one, other = (
            play_pairs(rules, players, policies, (numbers, None), seed, options.pairs, totals) for numbers in weights
        )
        ahead = (fmean(one) - fmean(other)) / 2
    for index, (name, sign, step) in enumerate(zip(WEIGHT_NAMES, signs, steps, strict=True)):
        moved = values[index] + RATE * ahead * sign * step
        values[index] = min(max(moved, FLOORS.get(name, -WEIGHT_LIMIT)), CEILINGS.get(name, WEIGHT_LIMIT))


def _state_file(variant: str, options: argparse.Namespace) -> Path:
    return Path(options.state or f"build/tune-{variant}.json")


def _tuned_alone(variant: str, start: Row, options: argparse.Namespace) -> dict[str, int]:
    """Return what `tuned` does, and let no second run at the state file meanwhile."""
    try:
        with only_run(_state_file(variant, options), "state_in_use", kind="--state"):
            return tuned(variant, start, options)
    except CommandError as error:
        raise SystemExit(f"tune_club: {error.message}") from None


def tuned(variant: str, start: Row, options: argparse.Namespace) -> dict[str, int]:
    """Run the rounds that the state file lacks and return the weights, rounded."""
    state = _state_file(variant, options)
    settings = {"variant": variant, "seed": options.seed, "pairs": options.pairs, "start": dict(start)}
    first = [float(start[name]) for name in WEIGHT_NAMES]
    values, sums, done = list(first), [0.0] * len(first), 0
    if state.exists():
        kept = json.loads(state.read_text(encoding="utf-8"))
        if kept["settings"] != settings:
            raise SystemExit(f"tune_club: {state} is of a run with other settings; remove it, or name another --state")
        values, sums, done = kept["values"], kept["sums"], kept["done"]
    while done < options.rounds:
        for _ in range(min(BLOCK, options.rounds - done)):
            _round(variant, values, first, done, options)
            done += 1
            if done > SETTLING:
                sums = [total + value for total, value in zip(sums, values, strict=True)]
        state.parent.mkdir(parents=True, exist_ok=True)
        kept = {"settings": settings, "done": done, "values": values, "sums": sums}
        state.write_text(json.dumps(kept), encoding="utf-8")
        print(f"{variant}: round {done} of {options.rounds}", flush=True)
    if done > SETTLING:
        values = [total / (done - SETTLING) for total in sums]
    return {name: round(value) for name, value in zip(WEIGHT_NAMES, values, strict=True)}


def measure(variant: str, row: Row, other: Row | None, pairs: int) -> list[dict[str, Any]]:
    """Return by how many points a deal weights beat others, or greedy, in each game: mean and standard error."""
    found = []
    for name, players in games_of(variant):
        policies = (POLICY_CLUB, POLICY_GREEDY if other is None else POLICY_CLUB)
        weights = (_flat(row), None if other is None else _flat(other))
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


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of a command line."""
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
    return parser.parse_args(arguments)


def command(options: argparse.Namespace) -> str:
    """Return the command that tunes alike; where it keeps its files is nobody's concern."""
    words = ["python", "-m", "scripts.tune_club", options.variant]
    for name in ("rounds", "pairs", "seed", "check_pairs"):
        words += [f"--{name.replace('_', '-')}", str(getattr(options, name))]
    return shlex.join([*words, "--write"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Tune one variant, measure, and write the data file if asked to."""
    options = parse(arguments)
    old = read_weights(options.file)["club"][options.variant]
    if options.check:
        _report("against greedy", measure(options.variant, old, None, options.check_pairs))
        return
    new = _tuned_alone(options.variant, old, options)
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
            "command": command(options),
            "commit": _commit(),
            "deals": options.rounds * options.pairs * 2,
            "against_old": against_old,
            "against_greedy": against_greedy,
        }
        options.file.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        print(f"written: {options.file}")


if __name__ == "__main__":
    main()
