"""Traces of deals, to compare the compiled engine with the uncompiled one.

    python scripts/traces.py --deals 20                  a line per deal, by the build that this process runs
    python scripts/traces.py --deals 20 --steps          a line per step
    python scripts/traces.py --deals 20 --compare        both builds; exits with 1 and the first step that differs

A line holds rule set, players, policy, seed, number of steps and a digest over every step: the action, the whole state
after it, the legal ids and both scores. Two builds agree only where they agree in all of that after every step.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from buraco.engine import Deal
from buraco.engine.codes import POLICIES as POLICY_NAMES
from buraco.rules import RULE_SETS, RuleSet

__all__ = ["POLICIES", "Difference", "compare", "deal_trace", "step_lines", "trace_lines"]

POLICIES: Final[Mapping[str, int]] = MappingProxyType({name: number for number, name in enumerate(POLICY_NAMES)})
DIGEST_SIZE: Final = 12


@dataclass(frozen=True, kw_only=True)
class Difference:
    """The first step of a deal after which the two builds differ; ``None`` for a build whose trace had ended."""

    deal: str
    step: int
    first: str | None
    second: str | None


def step_lines(rules: RuleSet, policy: int, seed: int) -> Iterator[str]:
    """Yield ``step action digest`` for every step of one deal, the digest over all steps so far.

    Players, dealer and totals follow from the seed, so that all of them, and a raised opening minimum, occur.
    """
    players = rules.player_counts[seed % len(rules.player_counts)]
    totals = (rules.opening_vulnerable_from, 0) if seed // 2 % 2 else (0, 0)
    deal = Deal(rules, players=players, dealer=seed % players, totals=totals, seed=seed)
    running = hashlib.blake2b(repr((deal.dump(), deal.legal())).encode(), digest_size=DIGEST_SIZE)
    step = 0
    while not deal.over:
        action = deal.choose(policy, seed * 1000 + step)
        deal.apply(action)
        seen = (action, deal.dump(), deal.legal(), deal.score(0), deal.score(1))
        running.update(repr(seen).encode())
        step += 1
        yield f"{step} {action} {running.hexdigest()}"


def deal_trace(rules: RuleSet, policy: int, seed: int) -> str:
    """Return ``steps digest`` of one deal."""
    last = "0 0 -"
    for line in step_lines(rules, policy, seed):
        last = line
    step, _, digest = last.split()
    return f"{step} {digest}"


def trace_lines(names: Sequence[str], policies: Sequence[str], first: int, deals: int) -> Iterator[str]:
    """Yield the line of every deal: each rule set, each policy, the seeds from ``first`` on."""
    for name in names:
        for policy in policies:
            for seed in range(first, first + deals):
                yield f"{name} {policy} {seed} {deal_trace(RULE_SETS[name], POLICIES[policy], seed)}"


def run(arguments: Sequence[str], *, pure: bool, source: Path | None = None) -> Generator[str, None, None]:
    """Yield the lines that this tool prints in a fresh process with the build that is asked for.

    ``source`` is the folder to import ``buraco`` from instead of the installed one.
    Closing the generator ends the process. Raises subprocess.CalledProcessError when the process fails.
    """
    environment = os.environ | {"BURACO_PURE": "1" if pure else "0"}
    if source is not None:
        environment["PYTHONPATH"] = str(source)
    command = [sys.executable, __file__, *arguments]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            for line in process.stdout or ():
                yield line.rstrip("\n")
        except GeneratorExit:
            process.terminate()
            raise
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)


def compare(
    names: Sequence[str],
    policies: Sequence[str],
    first: int,
    deals: int,
    *,
    source: Path | None = None,
    pure: bool = True,
) -> tuple[int, Difference | None]:
    """Trace the same deals with two builds; return how many were equal and the first difference.

    One is the installed compiled build, the other the uncompiled one or, not ``pure``, another compiled one. ``source``
    is where the other is imported from (a copy), else the installed one.
    """
    base = ["--rules", *names, "--policies", *policies]
    arguments = [*base, "--first", str(first), "--deals", str(deals)]
    expected = run(arguments, pure=False)
    given = run(arguments, pure=pure, source=source)
    equal = 0
    for line, other in zip(expected, given, strict=True):
        if line == other:
            equal += 1
            continue
        name, policy, seed = line.split()[:3]
        one = ["--rules", name, "--policies", policy, "--first", seed, "--deals", "1", "--steps"]
        lines, others = list(run(one, pure=False)), list(run(one, pure=pure, source=source))
        expected.close()
        given.close()
        return equal, first_difference(f"{name} {policy} {seed}", lines, others)
    return equal, None


def first_difference(deal: str, lines: Sequence[str], others: Sequence[str]) -> Difference:
    """Return the first place where two lists of step lines differ."""
    step = next((i for i, pair in enumerate(zip(lines, others, strict=False)) if pair[0] != pair[1]), None)
    index = min(len(lines), len(others)) if step is None else step
    return Difference(
        deal=deal,
        step=index + 1,
        first=lines[index] if index < len(lines) else None,
        second=others[index] if index < len(others) else None,
    )


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", nargs="+", choices=sorted(RULE_SETS), default=sorted(RULE_SETS))
    parser.add_argument("--policies", nargs="+", choices=list(POLICIES), default=["random", "greedy"])
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--deals", type=int, default=10, help="deals for each rule set and policy")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--steps", action="store_true")
    shape.add_argument("--compare", action="store_true")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the traces, or compare the builds; return 1 where they differ."""
    options = parse(arguments)
    if options.compare:
        equal, difference = compare(options.rules, options.policies, options.first, options.deals)
        print(f"{equal} deals equal" if difference is None else f"{equal} deals equal, then: {difference}")
        return 0 if difference is None else 1
    if options.steps:
        for name in options.rules:
            for policy in options.policies:
                for seed in range(options.first, options.first + options.deals):
                    for line in step_lines(RULE_SETS[name], POLICIES[policy], seed):
                        print(line)
        return 0
    for line in trace_lines(options.rules, options.policies, options.first, options.deals):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
