"""Write docs/rules-statistics.md: how long the deals of each rule set are, how they end, what they score.

    python -m scripts.deal_statistics --write --workers 2       the whole page, about 5 minutes on two free cores
    python -m scripts.deal_statistics                           compares the sample on the page with a run of now

All deals of the page are played for it; `scripts.terminate` says which deals they are. The sample is small enough for
the tests to play it again: where it differs the page is out of date.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from buraco.rules import RULE_SETS
from scripts.terminate import ACTION_LIMIT, Figures, figures, run

__all__ = ["FILE", "FULL_DEALS", "HEADER", "INTRODUCTION", "SAMPLE_DEALS", "page", "rows", "sample", "section"]

FILE: Final = Path(__file__).resolve().parent.parent / "docs" / "rules-statistics.md"
#: Deals of each rule set, by policy.
FULL_DEALS: Final[Mapping[str, int]] = MappingProxyType({"random": 100_000, "greedy": 20_000})
SAMPLE_DEALS: Final = 100
HEADER: Final = (
    "| rules | turns | actions | longest | closed | stock | stalemate | mean score | deviation |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
)
_SAMPLE_MARK: Final = "## The sample"
INTRODUCTION: Final = f"""# Statistics of the rule sets

Written by `python -m scripts.deal_statistics --write`, never by hand. Every seat plays by the same policy of the
engine: `random` chooses evenly among the legal actions, `greedy` one step ahead. Players, dealer and totals follow from
the seed (`table_of` in `scripts/terminate.py`): every number of players that the rules allow, and where they raise the
opening minimum half of the deals with one side above the threshold. One deal of these policies says little about one of
good players; the tables show that deals end, how, and how much the rule sets differ.

- **turns**, **actions**: the means for a deal; an action is a draw, a meld, an added card, a discard and the like.
- **longest**: the actions of the longest deal. A deal of {ACTION_LIMIT:,} would count as endless; there is none.
- **closed**, **stock**, **stalemate**: how the deals ended, in percent.
- **mean score**, **deviation**: mean and standard deviation of a side's score for a deal, in points.

## Why every deal ends

A turn has at most a draw, a choice, a play for each card and a discard. A turn either takes a card from the stock, or
tables a card for good, or takes the open pile and does neither. Each card leaves the stock once (the mortos may follow
it) and is tabled for good once, so there are few turns of the first two kinds. Of the third kind the rules allow only
so many running (`turn_cap`); where they count only piles of one card, a larger pile can be taken but once between two
draws, because it grows by draws alone. A closed pile is taken only to table its top card.
"""


def row(name: str, found: Figures) -> str:
    """Return the line of a rule set."""
    ends = [f"{100 * found.ends[kind] / found.deals:.2f}" for kind in ("closed", "stock", "stalemate")]
    numbers = [
        f"{found.turns / found.deals:.1f}",
        f"{found.actions / found.deals:.1f}",
        str(found.longest_actions),
        *ends,
        f"{found.mean_score:.1f}",
        f"{found.score_deviation:.1f}",
    ]
    return f"| {' | '.join([f'`{name}`', *numbers])} |"


def section(title: str, lines: Iterable[str]) -> list[str]:
    """Return a table under a title."""
    return ["", title, "", *HEADER, *lines]


def rows(policy: str, deals: int, names: Iterable[str] = RULE_SETS) -> Iterator[str]:
    """Play the deals of rule sets and yield the line of each."""
    for name in names:
        yield row(name, figures(name, policy, 0, deals))


def full_rows(policy: str, deals: int, workers: int) -> Iterator[str]:
    """Do the same on several processes, telling how far it is."""
    for name in RULE_SETS:
        done = Figures()
        for done in run(name, policy, deals, workers):
            print(f"\r{policy} {name} {done.deals}/{deals} ", end="", file=sys.stderr, flush=True)
        yield row(name, done)
    print(file=sys.stderr)


def sample() -> str:
    """Play the sample and return its part of the page."""
    lines = [_SAMPLE_MARK, "", f"The first {SAMPLE_DEALS} deals of each table, which the tests play again."]
    for policy in FULL_DEALS:
        lines += section(f"### {policy.capitalize()}", rows(policy, SAMPLE_DEALS))
    return "\n".join(lines) + "\n"


def page(deals: Mapping[str, int], workers: int) -> str:
    """Play everything and return the whole page."""
    lines = []
    for policy, count in deals.items():
        lines += section(f"## {policy.capitalize()} play: {count:,} deals of each", full_rows(policy, count, workers))
    return INTRODUCTION + "\n".join(lines) + "\n\n" + sample()


def recorded_sample(text: str) -> str:
    """Return the sample of a page."""
    return text[text.index(_SAMPLE_MARK) :]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or return 1 where its sample is out of date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="play everything and write the page anew")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args(arguments)
    if options.write:
        FILE.write_text(page(FULL_DEALS, options.workers), encoding="utf-8")
        return 0
    same = recorded_sample(FILE.read_text(encoding="utf-8")) == sample()
    print("the sample is as on the page" if same else "the page is out of date: write it anew")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
