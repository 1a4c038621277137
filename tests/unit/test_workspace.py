"""The scratch memory of a search holds whatever a search can ask of it."""

from __future__ import annotations

import re
from pathlib import Path

from buraco.engine import constants
from buraco.rules import RULE_SETS, pack_size

ENGINE = Path(__file__).resolve().parents[2] / "src" / "buraco" / "engine"


def test_the_stack_of_ids_holds_the_deepest_search() -> None:
    # The list of legal actions lies at the bottom; above it an opening lays at most a meld for every three cards, and
    # appends for each no more than the runs of one suit and the sets of one rank.
    deepest = max(pack_size(rules) for rules in RULE_SETS.values()) // 3
    assert deepest == constants.MELD_SLOTS
    one_level = constants.RUNS_PER_SUIT + constants.SETS_PER_RANK
    assert constants.ACTION_COUNT + deepest * one_level <= constants.ID_STACK_SIZE


def test_the_compiled_stack_has_the_size_that_the_source_names() -> None:
    declared = re.search(r"cdef int\[(\d+)\] ids", (ENGINE / "workspace.pxd").read_text(encoding="utf-8"))
    assert declared is not None
    assert int(declared.group(1)) == constants.ID_STACK_SIZE
