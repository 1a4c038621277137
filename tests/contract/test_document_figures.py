"""The figures that documents tell of bots, the arena and its line protocol are those of the code."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from buraco.arena import external
from buraco.arena.ladder import SEARCH_NODES, SIZES
from buraco.arena.plan import FAULT_POINTS
from buraco.bots.search import EXPERT, MASTER, SHARES
from buraco.cli.session import HINT_LIMIT
from buraco.engine.constants import FEATURE_COUNT
from buraco.server.thinking import LEAST_MS

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
_OPEN, _CLOSED = EXPERT.open_pile, EXPERT.closed_pile
_SMALL, _FULL = SIZES["small"], SIZES["full"]
FIGURES: Final = [
    ("bots.md", f"`expert` has {EXPERT.turn_ms} ms and at most {EXPERT.turn_nodes:,} nodes **a turn**"),
    ("bots.md", f"`master` {MASTER.turn_ms:,} ms and {MASTER.turn_nodes:,}."),
    ("bots.md", f"the draw {SHARES['draw']}, the first play or discard {SHARES['play']}, each one after"),
    ("bots.md", f"tabled {SHARES['later']};"),
    ("bots.md", f"nothing that it thinks {EXPERT.margin} points less of"),
    ("bots.md", f"{_OPEN.depth} turns and at most {_OPEN.node_cap} nodes;"),
    ("bots.md", f"for `expert` with a closed pile {_CLOSED.depth} and {_CLOSED.node_cap} |"),
    ("bots.md", f"{FEATURE_COUNT} features of each side"),
    ("bots.md", f"`expert:nodes={EXPERT.turn_nodes // 10}` in the arena is a tenth"),
    ("cli.md", f"the bot `expert` would do with {HINT_LIMIT.nodes:,} nodes a turn"),
    ("cli.md", f"for {EXPERT.turn_ms / 1000:g} and {MASTER.turn_ms / 1000:g} seconds a turn"),
    ("server.md", f"`expert` may think for {EXPERT.turn_ms / 1000:g} seconds about a turn and `master` for"),
    ("server.md", f"`master` for {MASTER.turn_ms / 1000:g};"),
    ("server.md", f"the draw takes up to {SHARES['draw']:.0%}".replace("%", " %")),
    ("server.md", f"no turn counts for less than {LEAST_MS} ms"),
    ("arena.md", f"counts as lost by {FAULT_POINTS:,} points"),
    ("arena.md", f"has {_SMALL.cheap} pairs a step ({_SMALL.searching} where a level searches)"),
    ("arena.md", f"`--size full` {_FULL.cheap:,} ({_FULL.searching} where one searches, "),
    ("arena.md", f"at most {_FULL.both_searching} where both do)"),
    ("arena.md", f"({SEARCH_NODES['expert']:,} and {SEARCH_NODES['master']:,} a turn)"),
    ("bot-protocol.md", f"{external.SLACK_MS} ms more for the pipe and a busy machine"),
]


@pytest.mark.parametrize(("document", "told"), FIGURES)
def test_a_figure_of_a_document_is_that_of_the_code(document: str, told: str) -> None:
    assert told in " ".join((DOCS / document).read_text(encoding="utf-8").split())


def test_levels_that_search_share_what_the_documents_say_once_for_both() -> None:
    assert (EXPERT.margin, EXPERT.open_pile) == (MASTER.margin, MASTER.open_pile)
    # Where the document gives another figure, it is that of `expert`; `master` looks as far with either pile.
    far = MASTER.open_pile
    assert (MASTER.closed_pile.depth, MASTER.closed_pile.node_cap) == (far.depth, far.node_cap)
    assert {level: 10 * nodes for level, nodes in SEARCH_NODES.items()} == {
        "expert": EXPERT.turn_nodes,
        "master": MASTER.turn_nodes,
    }
