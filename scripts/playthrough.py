"""One deal of each rule set as text: every action, how many were legal, refused ones with their codes, the score.

    python -m scripts.playthrough              plays the recorded deals again; exits with 1 where the text differs
    python -m scripts.playthrough --write      finds a deal for each rule set anew and writes tests/playthroughs/*.txt

A deal is chosen by its seed so that much happens in it (see `Wanted`). Playing it again needs only the first position
and the actions of the file, so a change of the policies changes no file; a change of the rules does.
"""

from __future__ import annotations

import argparse
import difflib
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from buraco.cards import card_text
from buraco.engine import Deal
from buraco.engine.codes import CODES
from buraco.engine.constants import ACTION_COUNT, ACTION_RUN, POLICY_GREEDY, POLICY_MELD_FIRST, POLICY_RANDOM
from buraco.engine.position import Position
from buraco.engine.scoresheet import score_sheet
from buraco.notation import format_action, format_meld, format_position, parse_action, parse_position
from buraco.rules import RULE_SETS, RuleSet

__all__ = ["FOLDER", "Summary", "differences", "found_deal", "is_wanted", "read", "render", "summary"]

FOLDER: Final = Path(__file__).resolve().parent.parent / "tests" / "playthroughs"
#: How often each refusal is shown in a file.
_SHOWN: Final = 2
_SEEDS: Final = 200_000
_ACTIONS_MAX: Final = 230
_START: Final = "start: "
_MARK: Final = " > "


@dataclass(frozen=True, slots=True)
class Summary:
    """What happened in a deal, for the choice of a seed and for the tests."""

    end_kind: str
    categories: frozenset[str]
    mortos: frozenset[str]
    opened: frozenset[int]
    failed_openings: int


@dataclass
class Story:
    """A deal being told: its lines so far and how often each refusal was shown."""

    lines: list[str] = field(default_factory=list)
    shown: Counter[int] = field(default_factory=Counter)

    def turn(self, position: Position) -> None:
        """Tell the state at the beginning of a turn."""
        pile = position.pile
        top = f" {card_text(pile[-1].card)}" if pile and pile[-1].card is not None else ""
        hands = " ".join(str(count) for count in position.hand_counts)
        self.lines.append("")
        self.lines.append(
            f"turn {position.turn_count} seat {position.seat}: hands {hands}, stock {position.stock_count}, "
            f"pile {len(pile)}{top}, mortos {2 - position.mortos_gone}"
        )

    def refusals(self, deal: Deal) -> None:
        """Tell one action for each refusal that the state gives and that was not shown often enough."""
        firsts: dict[int, int] = {}
        for action in range(ACTION_COUNT):
            firsts.setdefault(deal.check(action), action)
        for code in sorted(firsts.keys() - {0}):
            if self.shown[code] < _SHOWN:
                self.shown[code] += 1
                self.lines.append(f"      refused: {format_action(firsts[code])} ({CODES[code]})")

    def step(self, before: Position, legal: int, action: int, after: Position) -> None:
        """Tell an action and what it brought about."""
        notes = "".join(f" [{note}]" for note in happened(before, action, after))
        self.lines.append(f"  {before.phase} {legal}{_MARK}{format_action(action)}{notes}")


def happened(before: Position, action: int, after: Position) -> Iterator[str]:
    """Say what an action brought about beside itself."""
    side = before.side
    old, new = before.melds[side], after.melds[side]
    if action >= ACTION_RUN and len(old) == len(new):
        changed = next(number for number, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1])
        yield format_meld(new[changed].packed)
    if len(new) < len(old) or (action >= ACTION_RUN and not new):
        yield f"opening failed, now {after.opening_need[side]} are needed"
    if before.opening_need[side] and not after.opening_need[side]:
        yield "opened"
    for index, (was, is_) in enumerate(zip(before.morto_owner, after.morto_owner, strict=True)):
        if was != is_:
            way = "directly" if action >= ACTION_RUN else "by the discard"
            yield f"morto {index + 1} became the stock" if is_ == 2 else f"morto {index + 1} taken {way}"
    if after.over:
        yield f"the deal is over: {after.end_kind}"


def render(start: Position, actions: Iterable[int]) -> str:
    """Return the text of a deal. Raises IllegalAction if an action is refused."""
    deal, story = Deal.from_position(start), Story()
    names = f"{start.rules.name}, {start.players} players"
    story.lines += [f"# {names}. Written by scripts/playthrough.py.", f"{_START}{format_position(start)}"]
    before, turn = start, -1
    for action in actions:
        if before.turn_count != turn:
            turn = before.turn_count
            story.turn(before)
        story.refusals(deal)
        legal = len(deal.legal())
        deal.apply(action)
        after = deal.position()
        story.step(before, legal, action, after)
        before = after
    story.lines += ["", f"end: {format_position(before)}", *_score_lines(deal)]
    return "\n".join(story.lines) + "\n"


def _score_lines(deal: Deal) -> Iterator[str]:
    for side in (0, 1):
        yield ""
        yield f"side {side}: {deal.score(side)}"
        position = deal.position()
        for line in score_sheet(position, side).lines:
            meld = f" {format_meld(position.melds[side][line.meld].packed)}" if line.meld >= 0 else ""
            seat = f" seat {line.seat}" if line.seat >= 0 else ""
            category = f" {line.category}" if line.category else ""
            yield f"  {line.points:5d} {line.kind}{category}{seat}{meld}"


def read(text: str) -> tuple[Position, list[int]]:
    """Return the first position and the actions of a text."""
    start, actions = "", []
    for line in text.splitlines():
        if line.startswith(_START):
            start = line.removeprefix(_START)
        elif line.startswith("  ") and _MARK in line:
            actions.append(parse_action(line.split(_MARK, 1)[1].split(" [", 1)[0]))
    return parse_position(start), actions


def summary(start: Position, actions: Iterable[int]) -> Summary:
    """Play a deal and say what happened in it."""
    deal = Deal.from_position(start)
    mortos: set[str] = set()
    opened: set[int] = set()
    failed, before = 0, start
    for action in actions:
        deal.apply(action)
        after = deal.position()
        for note in happened(before, action, after):
            if note == "opened":
                opened.add(before.side)
            elif note.startswith("opening failed"):
                failed += 1
            elif note.startswith("morto"):
                mortos.add(note.split(" ", 2)[2])
        before = after
    categories = {line.category for side in (0, 1) for line in score_sheet(before, side).lines if line.category}
    return Summary(before.end_kind, frozenset(categories), frozenset(mortos), frozenset(opened), failed)


def is_wanted(rules: RuleSet, found: Summary) -> bool:
    """Say whether enough happens in a deal: a close, mortos both ways, clean and dirty canastas, openings."""
    mortos = {"taken by the discard"} | ({"taken directly"} if rules.direct_morto else set())
    return (
        found.end_kind == "closed"
        and found.categories >= {"clean", "dirty"}
        and found.mortos >= mortos
        and (rules.opening == "none" or found.opened == {0, 1})
        and (rules.opening_penalty == 0 or found.failed_openings > 0)
    )


def played(rules: RuleSet, players: int, seed: int) -> tuple[Position, list[int]]:
    """Play a deal by a mixture of the policies, most of it greedy."""
    threshold = rules.opening_vulnerable_from if rules.opening != "none" else 0
    deal, source = Deal(rules, players, seed % players, (threshold, threshold), seed), random.Random(seed)
    start, actions = deal.position(), []
    policies = (POLICY_GREEDY, POLICY_GREEDY, POLICY_GREEDY, POLICY_MELD_FIRST, POLICY_RANDOM)
    while not deal.over:
        actions.append(deal.choose(source.choice(policies), source.getrandbits(30)))
        deal.apply_unchecked(actions[-1])
    return start, actions


def found_deal(rules: RuleSet, seeds: Iterable[int] = range(_SEEDS)) -> tuple[Position, list[int]]:
    """Return the first deal in which enough happens. Raises LookupError if no seed gives one."""
    for seed in seeds:
        start, actions = played(rules, rules.player_counts[-1], seed)
        if len(actions) <= _ACTIONS_MAX and is_wanted(rules, summary(start, actions)):
            return start, actions
    raise LookupError(f"no seed gives a deal of {rules.name} in which enough happens")


def differences(file: Path) -> list[str]:
    """Play the deal of a file again; return the lines that differ, none if all is as recorded."""
    text = file.read_text(encoding="utf-8")
    again = render(*read(text))
    return list(difflib.unified_diff(text.splitlines(), again.splitlines(), file.name, "now", lineterm=""))


def main(arguments: Sequence[str] | None = None) -> int:
    """Record the deals, or play them again; return 1 where one differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="find and record the deals anew")
    if parser.parse_args(arguments).write:
        for rules in RULE_SETS.values():
            text = render(*found_deal(rules))
            (FOLDER / f"{rules.name}.txt").write_text(text, encoding="utf-8")
            print(f"{rules.name}: {len(text.splitlines())} lines")
        return 0
    lines = [line for name in RULE_SETS for line in differences(FOLDER / f"{name}.txt")]
    print("\n".join(lines) or "all deals are as recorded")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
