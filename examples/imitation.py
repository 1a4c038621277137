"""Learns to discard as a level does, from a data set of its decisions (docs/dataset.md), in NumPy alone.

    .venv/bin/python examples/imitation.py --deals 100 --level club --rules burraco

It needs buraco[env]. `buraco simulate --dataset` writes the data set; of every tenth deal nothing is learned. The
model is a softmax over the cards that may be discarded, linear in a few features of each. What comes out: in how
many of the deals kept back it discards the same card, beside a card at random, and what it learned of each feature.
The same --seed learns the same; --dataset FILE keeps the data set, and goes on with it.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
from numpy.typing import NDArray

from buraco.bots import bot_levels, policy_of
from buraco.cli import run
from buraco.engine.constants import ACTION_DISCARD, ACTION_RUN

Floats = NDArray[np.float64]
COLUMNS = ["deal", "seat", "hand", "melds_0", "melds_1", "legal", "action"]
FEATURES = ("is a wild", "rank", "twins in hand", "same rank in hand", "neighbour in hand", "two away in hand")
SETS = 1 << 20


def features(card: int, hand: list[int]) -> list[float]:
    """Return the features of a card that may be discarded from a hand."""
    suit, rank = divmod(card, 13)
    wild = card == 52 or rank == 1
    distances = [abs(other % 13 - rank) for other in hand if other // 13 == suit and other % 13 != 1]
    same_rank = sum(other % 13 == rank and other != card for other in hand)
    return [
        float(wild),
        rank / 12 * (not wild),
        hand.count(card) - 1.0,
        float(same_rank),
        float(distances.count(1)) * (not wild),
        float(distances.count(2)) * (not wild),
    ]


def joins(card: int, melds: list[int]) -> float:
    """Say whether a natural card lies beside a run, or in a set, of packed melds: 1 or 0."""
    suit, rank = divmod(card, 13)
    ends = [(meld >> 18 & 3, meld & 15, meld >> 4 & 15) for meld in melds if meld < SETS]
    run_fits = any(one == suit and rank + 1 in (low - 1, high + 1) for one, low, high in ends)
    return float(run_fits or any(meld & 15 == rank for meld in melds if meld >= SETS))


def examples(row: dict[str, Any]) -> tuple[Floats, int] | None:
    """Return the features of all cards that could be discarded and which one was; None for another decision."""
    cards = [action - ACTION_DISCARD for action in row["legal"] if ACTION_DISCARD <= action < ACTION_RUN]
    if not ACTION_DISCARD <= row["action"] < ACTION_RUN or len(cards) < 2:
        return None
    own, other = (row[f"melds_{side}"] for side in (row["seat"] % 2, 1 - row["seat"] % 2))
    table = [[*features(card, row["hand"]), joins(card, own), joins(card, other)] for card in cards]
    return np.array(table), cards.index(row["action"] - ACTION_DISCARD)


def learn(found: list[tuple[Floats, int]], passes: int, source: np.random.Generator) -> Floats:
    """Return the weights of the softmax by stochastic gradient ascent on the likelihood."""
    weights = np.zeros(found[0][0].shape[1])
    for number in range(passes):
        for index in source.permutation(len(found)):
            table, chosen = found[index]
            logits = table @ weights
            chances = np.exp(logits - logits.max())
            weights += 0.05 / (number + 1) * (table[chosen] - chances / chances.sum() @ table)
    return weights


def main() -> None:
    """Read the options, have the data set written, learn, measure."""
    # Levels that search would need a limit beside it.
    quick = [level for level in bot_levels() if policy_of(level) is not None]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100, help="how many deals the data set has")
    parser.add_argument("--level", choices=quick, default="club", help="who is imitated")
    parser.add_argument("--rules", default="burraco", help="under which rules")
    parser.add_argument("--seed", type=int, default=1, help="of the cards and all draws")
    parser.add_argument("--dataset", type=Path, help="where the data set is to be; else it goes when this ends")
    options = parser.parse_args()
    if options.deals < 10 or options.seed < 0:
        parser.error("--deals takes a number from 10 on, since every tenth deal measures, --seed one from 0 on")
    with tempfile.TemporaryDirectory() as folder:
        path = options.dataset or Path(folder) / "set.parquet"
        command = ["simulate", "--deals", options.deals, "--bots", options.level, "--rules", options.rules]
        if code := run([str(word) for word in (*command, "--seed", options.seed, "--dataset", path)]):
            raise SystemExit(code)
        rows = parquet.read_table(path, columns=COLUMNS).to_pylist()
    found = [(row["deal"] % 10 == 0, example) for row in rows if (example := examples(row)) is not None]
    weights = learn([one for kept, one in found if not kept], 4, np.random.default_rng(options.seed))
    test = [one for kept, one in found if kept]
    same = np.mean([int(np.argmax(table @ weights)) == chosen for table, chosen in test])
    chance = np.mean([1 / len(table) for table, _ in test])
    for name, weight in zip((*FEATURES, "fits own melds", "fits the others' melds"), weights, strict=True):
        print(f"{name:24} {weight:+.2f}")
    print(f"{len(test)} discards that it has not seen: the same card in {same:.1%}; at random {chance:.1%}")


if __name__ == "__main__":
    main()
