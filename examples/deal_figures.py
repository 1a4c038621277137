"""Plays many deals among bots and draws what they came to: how long they are, and by how much they are won.

    .venv/bin/python examples/deal_figures.py --deals 10000 --workers 2 --out figures

What comes out: a few figures, and two pictures (SVG) in the folder of --out. It needs no extra. The same --seed
plays the same deals, with any number of --workers.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from buraco.arena import bars_svg, estimate
from buraco.bots import bot_levels
from buraco.cli.simulation import Plan, simulate
from buraco.rules import RULE_SETS


def histogram(values: Iterable[int], width: int) -> list[tuple[str, float]]:
    """Return how many of the values lie in each stretch of a width, from the lowest to the highest."""
    counts = Counter(value // width for value in values)
    return [(str(number * width), float(counts[number])) for number in range(min(counts), max(counts) + 1)]


def main() -> None:
    """Read the options, play, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=10_000, help="how many deals")
    parser.add_argument("--rules", choices=list(RULE_SETS), default="aberto", help="under which rules")
    parser.add_argument("--level", choices=bot_levels(), default="greedy", help="who plays at all seats")
    parser.add_argument("--seed", type=int, default=1, help="of the cards and all draws")
    parser.add_argument("--workers", type=int, default=1, help="how many processes play")
    parser.add_argument("--out", type=Path, default=Path("figures"), help="the folder for the pictures")
    options = parser.parse_args()
    if min(options.deals, options.workers) < 1:
        parser.error("--deals and --workers take a number from 1 on")
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"--out {options.out}: {error.strerror}")
    rules = RULE_SETS[options.rules]
    plan = Plan(rules=rules, bots=(options.level,) * max(rules.player_counts), deals=options.deals, seed=options.seed)
    turns, leads, first_leads, ends = list[int](), list[int](), list[int](), Counter[str]()
    for deal in simulate(plan, workers=options.workers):
        lead = deal.scores[0] - deal.scores[1]
        turns.append(deal.turns)
        leads.append(abs(lead))
        # The side of the seat after the dealer's plays first; the deal goes round.
        first_leads.append(lead if deal.index % 2 else -lead)
        ends[deal.end_kind] += 1
    pictures = {
        "turns.svg": bars_svg(histogram(turns, 10), f"{rules.title}: turns of a deal", "turns, by tens", "deals"),
        "leads.svg": bars_svg(
            histogram(leads, 100), f"{rules.title}: by how much", "points ahead, by hundreds", "deals"
        ),
    }
    for name, picture in pictures.items():
        (options.out / name).write_text(picture, encoding="utf-8")
    first = estimate(first_leads)
    print(f"{len(turns)} deals of {options.level}: {sum(turns) / len(turns):.1f} turns, at most {max(turns)}")
    print("ends: " + ", ".join(f"{kind} {count}" for kind, count in sorted(ends.items())))
    print(f"to play first is worth {first.mean:+.1f} points a deal", end="")
    print("" if first.low is None else f", 95 % interval {first.low:+.1f} to {first.high:+.1f}")
    print(f"pictures: {', '.join(str(options.out / name) for name in pictures)}")


if __name__ == "__main__":
    main()
