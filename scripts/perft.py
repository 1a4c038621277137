"""Count the paths of actions from fixed positions, and the whole trees of toy deals.

    python -m scripts.perft                compares with tests/playthroughs/perft.json; exits with 1 where it differs
    python -m scripts.perft --write        writes that file anew: only after a change of the rules that is meant

From each position the file holds the number of sequences of 1, 2, 3 ... legal actions (a sequence ends where the deal
does); of each toy deal the number of all sequences to its end, by the kind of end, and the extremes of the score. A
change of one of them means that some action somewhere is legal that was not, or the other way round.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from buraco.engine import Deal
from buraco.engine.codes import END_KINDS
from buraco.engine.constants import (
    PHASE_DISCARD,
    PHASE_OPENING,
    PHASE_PLAY,
    PHASE_TOP,
    POLICY_GREEDY,
    POLICY_MELD_FIRST,
)
from buraco.notation import format_position, parse_position
from buraco.rules import RULE_SETS, RuleSet
from scripts.toy_trees import LARGE, SMALL, walk_tree

__all__ = ["FILE", "Golden", "ToyTree", "goldens", "paths", "read_goldens", "read_trees", "toy_tree"]

FILE: Final = Path(__file__).resolve().parent.parent / "tests" / "playthroughs" / "perft.json"
#: A deeper count is made as long as the last one is below this.
_ENOUGH: Final = 8_000
_MIDDLE_TURNS: Final = 22
_SEED: Final = 7


@dataclass(frozen=True, slots=True)
class Golden:
    """A position, under a name, and the number of action sequences of each length from 1 on."""

    name: str
    position: str
    paths: tuple[int, ...]


def paths(deal: Deal, depth: int) -> int:
    """Return the number of sequences of ``depth`` legal actions."""
    legal = deal.legal()
    if depth == 1:
        return len(legal)
    count = 0
    for action in legal:
        after = deal.copy()
        after.apply_unchecked(action)
        count += paths(after, depth - 1)
    return count


def growing(deal: Deal) -> tuple[int, ...]:
    """Return the counts from depth 1 on, up to the first that is large."""
    counts = [paths(deal, 1)]
    while 0 < counts[-1] < _ENOUGH:
        counts.append(paths(deal, len(counts) + 1))
    return tuple(counts)


def positions(rules: RuleSet, players: int) -> Iterator[tuple[str, Deal]]:
    """Yield named deals: the start, the middle, hands about to go out, and the duties that the rules have."""
    name, threshold = f"{rules.name} {players}", rules.opening_vulnerable_from
    start = Deal(rules, players, seed=_SEED)
    raised = Deal(rules, players, 0, (threshold, threshold), _SEED)
    yield f"{name} start", start.copy()
    yield f"{name} middle", _played_to(start, POLICY_GREEDY, lambda deal: deal.turn_count >= _MIDDLE_TURNS)
    yield f"{name} late", _played_to(start, POLICY_MELD_FIRST, lambda deal: deal.turn_count >= 2 * _MIDDLE_TURNS)
    yield f"{name} last cards", _played_to(start, POLICY_MELD_FIRST, _last_cards)
    if rules.pile_closed:
        yield f"{name} top card", _played_to(start, POLICY_GREEDY, lambda deal: deal.phase == PHASE_TOP)
    if rules.opening == "at_once":
        yield f"{name} raised minimum", raised.copy()
        yield f"{name} opening", _played_to(raised, POLICY_MELD_FIRST, lambda deal: deal.phase == PHASE_OPENING)
    if rules.opening == "over_turn":
        yield f"{name} opening", _played_to(raised, POLICY_MELD_FIRST, lambda deal: deal.laid_points > 0)
        yield f"{name} failed opening", _played_to(raised, POLICY_MELD_FIRST, lambda deal: deal.phase == PHASE_DISCARD)


def _last_cards(deal: Deal) -> bool:
    """Say whether a hand of two or three cards is in play and no morto waits for it."""
    position = deal.position()
    taken = position.side in position.morto_owner or position.mortos_gone == 2
    return deal.phase == PHASE_PLAY and taken and 2 <= deal.hand_count(deal.seat) <= 3


def _played_to(start: Deal, policy: int, reached: Callable[[Deal], bool]) -> Deal:
    """Play on to the first state that is wanted; a deal that ends before is dealt again from the next seed."""
    deal, seed = start.copy(), _SEED
    deal.seed(seed)
    while not reached(deal):
        if deal.over:
            seed += 1
            deal = Deal(deal.rules, deal.players, deal.dealer, deal.totals, seed)
        deal.apply(deal.choose(policy))
    return deal


def goldens() -> list[Golden]:
    """Count the paths from every position anew."""
    found = []
    for rules in RULE_SETS.values():
        for players in rules.player_counts:
            for name, deal in positions(rules, players):
                found.append(Golden(name, format_position(deal.position()), growing(deal)))
    return found


@dataclass(frozen=True, slots=True)
class ToyTree:
    """The whole tree of a toy deal: what `scripts.toy_trees.Tree` holds, under the deal's name."""

    name: str
    ends: Mapping[str, int]
    lowest: int
    highest: int


def toy_tree(name: str) -> ToyTree:
    """Walk the tree of a toy deal by its name."""
    rules, seed = ({**SMALL, **LARGE})[name]
    tree, _ = walk_tree(Deal(rules, 2, seed=seed))
    ends = {kind: count for kind, count in zip(END_KINDS, tree.ends, strict=True) if count}
    return ToyTree(name, ends, tree.lowest, tree.highest)


def read_goldens(file: Path = FILE) -> list[Golden]:
    """Return the recorded counts of paths."""
    entries = json.loads(file.read_text(encoding="utf-8"))["positions"]
    return [Golden(entry["name"], entry["position"], tuple(entry["paths"])) for entry in entries]


def read_trees(file: Path = FILE) -> list[ToyTree]:
    """Return the recorded trees."""
    return [ToyTree(**entry) for entry in json.loads(file.read_text(encoding="utf-8"))["trees"]]


def _lines(entries: Sequence[Mapping[str, object]]) -> str:
    """Return entries as JSON, one line for each member, so that a change is read as one line."""
    return ",\n".join(
        "{" + ",\n ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in entry.items()) + "}"
        for entry in entries
    )


def write(found: Sequence[Golden], trees: Sequence[ToyTree], file: Path = FILE) -> None:
    """Record the counts."""
    parts = {"positions": [asdict(one) for one in found], "trees": [asdict(one) for one in trees]}
    text = ",\n".join(f"{json.dumps(name)}: [\n{_lines(entries)}\n]" for name, entries in parts.items())
    file.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")


def differences(recorded: Sequence[Golden], trees: Sequence[ToyTree]) -> Iterator[str]:
    """Yield a line for every recorded position and tree that counts otherwise now."""
    for one in recorded:
        deal = Deal.from_position(parse_position(one.position))
        counts = tuple(paths(deal, depth) for depth in range(1, len(one.paths) + 1))
        if counts != one.paths:
            yield f"{one.name}: {list(one.paths)} recorded, {list(counts)} now"
    for tree in trees:
        if (now := toy_tree(tree.name)) != tree:
            yield f"{tree} recorded, {now} now"


def main(arguments: Sequence[str] | None = None) -> int:
    """Record the counts, or compare with them; return 1 where one differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="record the counts anew")
    if parser.parse_args(arguments).write:
        found = goldens()
        write(found, [toy_tree(name) for name in {**SMALL, **LARGE}])
        print(f"{len(found)} positions written to {FILE.name}")
        return 0
    lines = list(differences(read_goldens(), read_trees()))
    print("\n".join(lines) or "all counts are as recorded")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
