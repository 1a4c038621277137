"""Reads the record of a match (docs/notation.md), checks every action in it, and tells what happened.

    .venv/bin/python examples/read_record.py examples/match.txt

What comes out: for each deal who won by how much, the melds that were laid, the largest pile that was taken; and the
result. It needs no extra. A record that does not hold is an error that says where.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from buraco.engine.constants import ACTION_ADD, ACTION_PILE, ACTION_RUN
from buraco.errors import BuracoError
from buraco.notation import Record, format_action, parse_record, replay


def tell(record: Record, verbose: bool) -> None:
    """Replay a record and print what happens. Raises RecordError for an action or a score that is not right."""
    laid: Counter[int] = Counter()
    largest = pile = 0
    for step in replay(record):
        if step.kind == "action":
            if step.action == ACTION_PILE:
                largest = max(largest, pile)
            if ACTION_RUN <= step.action < ACTION_ADD:
                laid[step.seat & 1] += 1
            if verbose:
                print(f"  {record.seats[step.seat].name}: {format_action(step.action)}")
        pile = len(step.position.pile)
        if step.result is not None:
            left, right = step.result.scores
            print(f"deal {step.result.number}: {left} to {right} points ({step.result.end_kind}); ", end="")
            print(f"melds laid: {laid[0]} and {laid[1]}; the largest pile taken: {largest} cards")
            laid.clear()
            largest = 0


def main() -> int:
    """Read the options and the record; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path, help="a game record, as text")
    parser.add_argument("--actions", action="store_true", help="tell every action too")
    options = parser.parse_args()
    try:
        record = parse_record(options.record.read_text(encoding="utf-8"))
        sides = [" and ".join(seat.name for seat in record.seats[side::2]) for side in (0, 1)]
        print(f"{record.rules.title}: {sides[0]} against {sides[1]}")
        tell(record, options.actions)
    except UnicodeDecodeError:
        print(f"{options.record}: this is no text", file=sys.stderr)
        return 1
    except (BuracoError, OSError) as error:
        print(f"{options.record}: {error}", file=sys.stderr)
        return 1
    print(f"result: {record.winner or 'not finished'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
