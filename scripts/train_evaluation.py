"""Learn the weights of the evaluation (`buraco.engine.evaluate`) from deals that a policy plays against itself.

    python -m scripts.train_evaluation --policy greedy --deals 4000 --seed 1 --write

For each kind of table (open or closed pile, two or four players) and each stage of a deal the weights are a ridge
regression of the final difference on the features, over all rule sets of that kind with equal shares. The sums are
whole numbers, so that the same command gives the same weights; the file names command, seed, deals and result.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from buraco.bots.evaluation import EVALUATION_FILE, EVALUATION_FORMAT
from buraco.engine import POLICIES, Deal
from buraco.engine.constants import FEATURE_COUNT, STAGE_COUNT
from buraco.engine.evaluate import collect_samples
from buraco.rules import RULE_SETS

__all__ = ["KINDS", "Sums", "main", "solve", "trained"]

KINDS: Final = ("open, two players", "closed, two players", "open, four players", "closed, four players")
SCALE: Final = 1024
#: Added to the diagonal, per state: keeps the weights of features that go together small.
RIDGE_PER_STATE: Final = 25.0


@dataclass
class Sums:
    """The sums of one kind of table: states, products of features, products with the final difference, per stage."""

    counts: list[int] = field(default_factory=lambda: [0] * STAGE_COUNT)
    squares: list[list[int]] = field(default_factory=lambda: [[0] * FEATURE_COUNT**2 for _ in range(STAGE_COUNT)])
    targets: list[list[int]] = field(default_factory=lambda: [[0] * FEATURE_COUNT for _ in range(STAGE_COUNT)])

    def add(self, samples: tuple[list[int], list[list[int]], list[list[int]]]) -> None:
        """Add what `collect_samples` returned."""
        counts, squares, targets = samples
        for stage in range(STAGE_COUNT):
            self.counts[stage] += counts[stage]
            self.squares[stage] = [a + b for a, b in zip(self.squares[stage], squares[stage], strict=True)]
            self.targets[stage] = [a + b for a, b in zip(self.targets[stage], targets[stage], strict=True)]


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of a linear system with a positive definite matrix (Gaussian elimination, largest pivot)."""
    size = len(right)
    rows = [[*matrix[i], right[i]] for i in range(size)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            if factor:
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    found = [0.0] * size
    for row in reversed(range(size)):
        rest = sum(rows[row][k] * found[k] for k in range(row + 1, size))
        found[row] = (rows[row][size] - rest) / rows[row][row]
    return found


def trained(sums: Sums) -> list[int]:
    """Return the weights of one kind of table, stage by stage, in 1/1024 points."""
    weights: list[int] = []
    for stage in range(STAGE_COUNT):
        flat = sums.squares[stage]
        matrix = [
            [float(value) for value in flat[i * FEATURE_COUNT : (i + 1) * FEATURE_COUNT]] for i in range(FEATURE_COUNT)
        ]
        for i in range(FEATURE_COUNT):
            matrix[i][i] += RIDGE_PER_STATE * sums.counts[stage] + 1.0
        weights.extend(round(weight * SCALE) for weight in solve(matrix, [float(v) for v in sums.targets[stage]]))
    return weights


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and print, or write, the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy", choices=POLICIES, default="greedy")
    parser.add_argument("--deals", type=int, default=4000, help="of each rule set and number of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"write {EVALUATION_FILE.name}")
    parser.add_argument("--out", type=Path, default=EVALUATION_FILE)
    options = parser.parse_args(arguments)
    sums = [Sums() for _ in KINDS]
    for rules in RULE_SETS.values():
        for players in rules.player_counts:
            kind = (1 if rules.pile_closed else 0) + (2 if players == 4 else 0)
            totals = (rules.opening_vulnerable_from, 0) if rules.opening_vulnerable_minimum else (0, 0)
            for number, total in enumerate(sorted({(0, 0), totals, totals[::-1]})):
                deal = Deal(rules, players, totals=total)
                share = options.deals // (1 if totals == (0, 0) else 3)
                up_card = 1 if rules.up_card else 0
                first = options.seed + number * options.deals
                sums[kind].add(collect_samples(deal, POLICIES.index(options.policy), first, share, up_card))
            print(f"{rules.name}, {players} players: {sums[kind].counts} states so far of its kind")
    weights = [weight for part in sums for weight in trained(part)]
    if options.write:
        record = {
            "format": EVALUATION_FORMAT,
            "what": "weights of buraco.engine.evaluate in 1/1024 points: kind of table, stage, feature",
            "command": f"python -m scripts.train_evaluation --policy {options.policy} --deals {options.deals}"
            f" --seed {options.seed} --write",
            "kinds": list(KINDS),
            "states": [part.counts for part in sums],
            "weights": weights,
        }
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(record) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
