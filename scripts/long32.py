"""Build the engine in a copy as where C's ``long`` has 32 bits (Windows), and compare its games with ours.

    python scripts/long32.py --deals 20      exits with 1 and the first step that differs

Cython declares a variable as ``long`` where its type is not written and is inferred from small numbers. Where ``long``
has 64 bits such a variable may hold a board of cards and nobody would notice; in this build it loses its upper cards.
The copy lies in ``build/long32``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from buraco.rules import RULE_SETS
from scripts.sanitize import ROOT, compile_copy, synchronise
from scripts.traces import POLICIES, compare

__all__ = ["VARIABLE", "main"]

VARIABLE: Final = "BURACO_LONG32"
COPY: Final = ROOT / "build" / "long32"


def main(arguments: list[str], folder: Path = COPY) -> int:
    """Compile the copy and compare; return 1 where a deal differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=10, help="deals for each rule set and policy")
    options = parser.parse_args(arguments)
    synchronise(ROOT, folder)
    print(f"long32: compiling the engine with 32-bit longs in {folder}", flush=True)
    compile_copy(folder, VARIABLE)
    equal, difference = compare(sorted(RULE_SETS), list(POLICIES), 1, options.deals, source=folder / "src", pure=False)
    print(f"{equal} deals equal" if difference is None else f"{equal} deals equal, then: {difference}")
    return 0 if difference is None else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
