"""The figures that documents tell of bots, the arena, its line protocol and what a table waits for are the code's."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from buraco.arena import external
from buraco.arena.ladder import SEARCH_NODES, SIZES
from buraco.arena.plan import FAULT_POINTS
from buraco.bots import DEFAULT_LEVEL, bot_levels
from buraco.bots.search import EXPERT, MASTER, SHARES
from buraco.cli.session import HINT_LIMIT
from buraco.engine.constants import FEATURE_COUNT
from buraco.rules import RULE_SETS
from buraco.server.settings import setting_fields
from buraco.server.thinking import LEAST_MS

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
_OPEN, _CLOSED = EXPERT.open_pile, EXPERT.closed_pile
_SMALL, _FULL = SIZES["small"], SIZES["full"]
_USUAL: Final[dict[str, Any]] = {one.name: one.default for one in setting_fields()}
_AWAY_S, _GONE_S, _NEXT_S = _USUAL["bot_after_s"], _USUAL["forfeit_s"], _USUAL["next_deal_s"]
# Where a sentence tells a figure in words.
_NUMBER: Final = {2: "two", 10: "ten"}
_TIME: Final = {30: "half a minute", 300: "five minutes", 86_400: "a day"}
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
    ("faq.md", f"After {_TIME[_AWAY_S]} a bot plays for you meanwhile"),
    ("faq.md", f"after {_NUMBER[_USUAL['timeouts_max']]} such turns a bot takes the seat"),
    ("faq.md", f"gone for {_TIME[_GONE_S]} you may claim the match"),
    ("faq.md", f"Which of the {_NUMBER[len(RULE_SETS)]} rule sets"),
    ("faq.md", f"[All {_NUMBER[len(RULE_SETS)]}](rules/index.md)"),
    ("faq.md", f"`{DEFAULT_LEVEL}` is the usual one"),
    ("faq.md", "the licence is MIT"),
    ("tutorial/host.md", f"A bot takes the seat after {_TIME[_AWAY_S]}"),
    ("disconnection.md", f"**After {_AWAY_S} seconds a bot plays the seat** (`--bot-after-s`)"),
    ("disconnection.md", f"After {_USUAL['timeouts_max']} such turns running (`--timeouts-max`)"),
    ("disconnection.md", f"gone for {_GONE_S // 60} minutes (`--forfeit-s`)"),
    ("disconnection.md", f"or after {_NEXT_S} seconds (`--next-deal-s`)"),
    ("disconnection.md", f"silent for {_USUAL['seed_wait_ms'] // 1000} seconds (`--seed-wait-ms`)"),
    ("disconnection.md", f"ends after {_TIME[_USUAL['abandon_s']]} (`--abandon-s`)"),
    ("disconnection.md", f"match on after {_USUAL['abandon_open_s'] // 60} minutes (`--abandon-open-s`)"),
    ("../README.md", f"{_NUMBER[len(RULE_SETS)]} sets of them and your own"),
    ("../README.md", f"for all {_NUMBER[len(RULE_SETS)]} sets"),
    ("../README.md", f"{', '.join(f'`{one}`' for one in bot_levels()[:-1])} and `{bot_levels()[-1]}`"),
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
