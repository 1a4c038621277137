"""``python -m benchmarks.env [--seconds S]``: steps of environments per second, written to benchmarks/results.md.

Beside the vector environment of this package stand environments of other card games, each in the loop in which its own
manual steps it: RLCard's and OpenSpiel's gin rummy, PettingZoo's Texas hold'em. All play at random. They are measured
in turn, several times in one run, and each counts with its best round, so that what else the machine does meets all;
the rates by the processor's time feel it least.
"""

from __future__ import annotations

import argparse
import datetime
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from benchmarks.report import ENV_TITLE, RESULTS, with_part
from benchmarks.timing import machine
from buraco import build_kind
from buraco.env.vector import VectorEnv
from buraco.rules import RULE_SETS, RuleSet

__all__ = ["Stepper", "openspiel_gin_rummy", "our_tables", "pettingzoo_holdem", "rlcard_gin_rummy"]

COUNTS: Final = (1, 64, 4096)
"""How many tables are stepped together."""
THREADS: Final = 2
AIM: Final = 10
#: The rule set that stands beside the others; the other rule sets have a table of their own.
_SHOWN: Final = "aberto"


@dataclass(frozen=True, slots=True)
class Rates:
    """Steps per second, and per second of the time of all processors that worked on them."""

    wall: float
    processor: float

    def best(self, other: Rates) -> Rates:
        """Return the better of each."""
        return Rates(max(self.wall, other.wall), max(self.processor, other.processor))


Stepper = Callable[[float], Rates]
"""Steps for at least this many seconds and returns the rates."""


def _timed(steps_of_round: Callable[[], int]) -> Stepper:
    """Return a stepper that repeats a round, which says how many steps it made."""

    def work(seconds: float) -> Rates:
        steps, begin, worked = 0, time.perf_counter(), time.process_time()
        while (spent := time.perf_counter() - begin) < seconds or not steps:
            steps += steps_of_round()
        return Rates(steps / spent, steps / (time.process_time() - worked))

    return work


def our_tables(rules: RuleSet, count: int, threads: int, *, observe: bool = True) -> Stepper:
    """Return the stepper of the vector environment: a random legal action for every table, then the step."""
    env = VectorEnv(rules, count=count, seed=1, threads=threads, observe=observe)
    rounds = max(1, 256 // count)

    def steps_of_round() -> int:
        for _ in range(rounds):
            env.step(env.random_legal(1))
        return rounds * count

    return _timed(steps_of_round)


def rlcard_gin_rummy() -> Stepper:
    """Return the stepper of RLCard's gin rummy: every step brings the observation of the next player."""
    import rlcard

    env, draw = rlcard.make("gin-rummy", config={"seed": 1}), random.Random(1).random

    def steps_of_round() -> int:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            options = list(state["legal_actions"])
            state, _ = env.step(options[int(draw() * len(options))])
            steps += 1
        return steps

    return _timed(steps_of_round)


def openspiel_gin_rummy(*, observe: bool) -> Stepper:
    """Return the stepper of OpenSpiel's gin rummy, with or without the tensor that the player to act observes."""
    import pyspiel

    game, draw = pyspiel.load_game("gin_rummy"), random.Random(1).random

    def steps_of_round() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if observe and not state.is_chance_node():
                np.asarray(state.observation_tensor(), np.float32)
            options = state.legal_actions()
            state.apply_action(options[int(draw() * len(options))])
            steps += 1
        return steps

    return _timed(steps_of_round)


def pettingzoo_holdem() -> Stepper:
    """Return the stepper of PettingZoo's Texas hold'em: what its agent observes, a legal action, the step."""
    from pettingzoo.classic import texas_holdem_v4

    env: Any = texas_holdem_v4.env()
    draw, seeds = random.Random(1).random, iter(range(1, 1 << 40))

    def steps_of_round() -> int:
        env.reset(seed=next(seeds))
        steps = 0
        for _ in env.agent_iter():
            observation, _, ended, stopped, _ = env.last()
            if ended or stopped:
                env.step(None)
                continue
            options = np.flatnonzero(observation["action_mask"])
            env.step(int(options[int(draw() * len(options))]))
            steps += 1
        return steps

    return _timed(steps_of_round)


def _best(steppers: dict[str, Stepper], seconds: float, rounds: int) -> dict[str, Rates]:
    """Return the best rates of each, measured in turn."""
    rates = dict.fromkeys(steppers, Rates(0, 0))
    for number in range(rounds):
        print(f"benchmarks: round {number + 1} of {rounds}", flush=True)
        for name, stepper in steppers.items():
            rates[name] = rates[name].best(stepper(seconds))
    return rates


def _steppers() -> tuple[dict[str, Stepper], dict[str, Stepper]]:
    """Return the others, and ours by threads, observations and tables."""
    others = {
        "RLCard, gin rummy": rlcard_gin_rummy(),
        "OpenSpiel, gin rummy, with its observation": openspiel_gin_rummy(observe=True),
        "OpenSpiel, gin rummy, without": openspiel_gin_rummy(observe=False),
        "PettingZoo, `texas_holdem_v4`": pettingzoo_holdem(),
    }
    rules = RULE_SETS[_SHOWN]
    ours = {
        f"{threads} {observe} {count}": our_tables(rules, count, threads, observe=observe)
        for threads in (1, THREADS)
        for observe in (True, False)
        for count in COUNTS
    }
    return others, ours


def _rows(rates: dict[str, Rates], others: list[str]) -> list[str]:
    """Return the table of all environments."""
    heads = " | ".join(f"N = {count:,}" for count in COUNTS)
    lines = [f"| environment | {heads} | N = {COUNTS[-1]:,}, processor's time |", "|---|" + "---:|" * (len(COUNTS) + 1)]
    for threads in (1, THREADS):
        for observe in (True, False):
            of = [rates[f"{threads} {observe} {count}"] for count in COUNTS]
            cells = " | ".join(f"{one.wall:,.0f}" for one in of)
            told = f"{threads} thread{'s' if threads > 1 else ''}, {'with' if observe else 'without'} observations"
            lines.append(f"| buraco, `{_SHOWN}`, {told} | {cells} | {of[-1].processor:,.0f} |")
    empty = " |" * (len(COUNTS) - 1)
    lines += [f"| {name} | {rates[name].wall:,.0f} |{empty} {rates[name].processor:,.0f} |" for name in others]
    return lines


def _aims(rates: dict[str, Rates], others: list[str]) -> list[str]:
    """Return the table of what is aimed at."""
    best = max(others, key=lambda name: rates[name].processor)
    last = COUNTS[-1]
    figures = [
        (f"N = {count:,}, {THREADS} threads", rates[f"{THREADS} True {count}"].wall / rates[best].wall)
        for count in COUNTS
    ]
    lines = [
        f"With observations, against the best of the others ({best}):",
        "",
        "| figure | measured | aim | |",
        "|---|---:|---:|---|",
    ]
    for name, times in figures:
        reached = "reached" if times >= AIM else "**missed**"
        lines.append(f"| {name}, times | {times:.1f} | {f'≥ {AIM} | {reached}' if name == figures[-1][0] else '|'} |")
    by_processor = rates[f"1 True {last}"].processor / rates[best].processor
    lines.append(f"| N = {last:,}, by the processor's time, one core against one, times | {by_processor:.1f} | | |")
    return lines


def _part(seconds: float, rounds: int) -> str:
    """Measure everything and return the part of results.md."""
    where = machine()
    print(f"benchmarks: {where}", flush=True)
    others, ours = _steppers()
    rates = _best({**others, **ours}, seconds, rounds)
    by_rules = {name: our_tables(rules, COUNTS[-1], THREADS)(seconds).wall for name, rules in RULE_SETS.items()}
    return "\n".join(
        [
            ENV_TITLE,
            "",
            f"Written by `python -m benchmarks.env --seconds {seconds:g} --rounds {rounds}`; change no figure by hand.",
            "Steps per second of random play, the choice of the actions included. All were measured in turn in one",
            "run; the best of the rounds counts. N tables are stepped together; the other environments step one game",
            "at a time, on one core. The last column is per second of the processor's time, all cores together, which",
            "other work on the machine touches least.",
            "",
            f"Machine: {where}. Date: {datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}.",
            "",
            *_rows(rates, list(others)),
            "",
            *_aims(rates, list(others)),
            "",
            f"| rule set | N = {COUNTS[-1]:,}, {THREADS} threads, with observations |",
            "|---|---:|",
            *(f"| `{name}` | {rate:,.0f} |" for name, rate in by_rules.items()),
        ]
    )


def main() -> None:
    """Measure everything and write the part."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.env",
        description="Measure environments and write their part of benchmarks/results.md.",
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="least seconds for each measurement (default 1)")
    parser.add_argument(
        "--rounds", type=int, default=3, help="measurements of each, of which the best counts (default 3)"
    )
    arguments = parser.parse_args()
    if build_kind() != "compiled":
        raise SystemExit("benchmarks: the compiled engine is wanted; run `make build`, without BURACO_PURE")
    part = _part(arguments.seconds, max(1, arguments.rounds))
    RESULTS.write_text(with_part(RESULTS, ENV_TITLE, part), encoding="utf-8")
    print(part)


if __name__ == "__main__":
    main()
