"""The numbers of paths from fixed positions, and the whole trees of toy deals, are as recorded."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from buraco.engine.deal import Deal
from buraco.notation import format_position, parse_position
from buraco.rules import RULE_SETS
from scripts import perft, toy_trees
from tests.build import COMPILED

#: Uncompiled, only counts up to this are made again.
COUNT_LIMIT: Final = 10**9 if COMPILED else 600
GOLDENS: Final = perft.read_goldens()
TREES: Final = {tree.name: tree for tree in perft.read_trees()}
#: What the names of the recorded positions say after the rule set and the number of players.
KINDS: Final = ("start", "middle", "late", "last cards")


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_as_many_paths_lead_from_a_position_as_recorded(golden: perft.Golden) -> None:
    deal = Deal.from_position(parse_position(golden.position))
    made = [count for count in golden.paths if count <= COUNT_LIMIT]
    assert made
    assert [perft.paths(deal, depth) for depth in range(1, len(made) + 1)] == made


def test_every_game_and_duty_is_recorded() -> None:
    names = Counter(golden.name for golden in GOLDENS)
    assert set(names.values()) == {1}
    for rules in RULE_SETS.values():
        for players in rules.player_counts:
            wanted = {f"{rules.name} {players} {kind}" for kind in KINDS}
            wanted |= {f"{rules.name} {players} top card"} if rules.pile_closed else set()
            wanted |= {f"{rules.name} {players} opening"} if rules.opening != "none" else set()
            wanted |= {f"{rules.name} {players} failed opening"} if rules.opening == "over_turn" else set()
            assert wanted <= set(names)


@pytest.mark.parametrize("name", toy_trees.SMALL)
def test_the_whole_tree_of_a_tiny_deal_is_as_recorded(name: str) -> None:
    assert perft.toy_tree(name) == TREES[name]


@pytest.mark.parametrize("name", toy_trees.LARGE)
def test_the_whole_tree_of_a_toy_deal_is_as_recorded(name: str) -> None:
    tree = TREES[name]
    assert {"closed", "stock"} <= set(tree.ends)
    if COMPILED:
        assert perft.toy_tree(name) == tree


def test_walking_equal_states_once_changes_no_count() -> None:
    rules, seed = toy_trees.SMALL["tiny closed pile"]
    deal = Deal(rules, 2, seed=seed)
    few, few_states = toy_trees.walk_tree(deal)
    all_, all_states = toy_trees.walk_tree(deal, lambda one: one.dump()[:2] + (one.dump()[2][:-1],) + one.dump()[3:])
    assert few == all_
    assert few_states < all_states


def test_paths_end_where_the_deal_ends() -> None:
    rules, _ = toy_trees.SMALL["tiny closed pile"]
    deal = Deal(rules, 2, seed=1)
    deal.playout(0, 1)
    assert perft.paths(deal, 1) == 0


def test_the_tool_says_where_counts_differ(tmp_path: Path) -> None:
    deal = Deal(RULE_SETS["burraco"], 2, seed=3)
    right = perft.Golden("right", format_position(deal.position()), (perft.paths(deal, 1), perft.paths(deal, 2)))
    wrong = perft.Golden("wrong", right.position, (right.paths[0], right.paths[1] + 1))
    tree = TREES["tiny closed pile"]
    assert list(perft.differences([right], [])) == []
    (line,) = perft.differences([right, wrong], [])
    assert line.startswith("wrong: ")
    perft.write([right, wrong], [tree], tmp_path / "perft.json")
    assert perft.read_goldens(tmp_path / "perft.json") == [right, wrong]
    assert perft.read_trees(tmp_path / "perft.json") == [tree]
