"""How far a lesson has come, and what leads on from there: judged on the engine, by what a step arrives at.

A step may be done in any way: what counts is the cards that lie on the table, in the hand and on the pile after it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

from buraco.engine import Deal, Position, unpack
from buraco.engine.constants import ACTION_RUN
from buraco.notation import decode_action, parse_action
from buraco.server.lessons.script import PLAYERS, Script, script_of

__all__ = ["Goal", "Progress", "goals_of", "progress_of"]

_Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Goal:
    """What a part of a lesson arrives at.

    ``text`` is the key of the words of a step, empty for what others do; ``tables``: it tables cards and does nothing
    else; ``key`` is what it is known by, ``melds`` are the cards that each side then has on the table.
    """

    text: str
    tables: bool
    key: _Key
    melds: tuple[Counter[int], Counter[int]]


@cache
def goals_of(name: str) -> tuple[Goal, ...]:
    """Return what the parts of a lesson arrive at, one after the other; each action of the others is one.

    Raises IllegalAction for a script that does what the rules do not allow.
    """
    script = script_of(name)
    assert script is not None, "a lesson that there is"
    return _goals(script)


def _goals(script: Script) -> tuple[Goal, ...]:
    deal = Deal.from_pack(script.rules, PLAYERS, script.pack, dealer=script.dealer)
    found: list[Goal] = []
    for part in script.parts:
        for number, action in enumerate(map(parse_action, part.actions), 1):
            deal.apply(action)
            if not part.text or number == len(part.actions):
                position = deal.position()
                found.append(Goal(part.text, action >= ACTION_RUN, _key(position), _tabled(position)))
    return tuple(found)


def _key(position: Position) -> _Key:
    """Return what a goal is compared by: everything but the order and the age of the melds."""
    melds = tuple(tuple(sorted(meld.packed for meld in side)) for side in position.melds)
    pile = tuple(entry.card for entry in position.pile)
    return (position.seat, position.phase, position.hands, melds, pile, position.stock_count, position.morto_owner)


def _tabled(position: Position) -> tuple[Counter[int], Counter[int]]:
    """Return the cards that each side has on the table."""
    first, second = (Counter(card for meld in side for card in unpack(meld.packed).cards) for side in position.melds)
    return first, second


class Progress:
    """The way of one learner through a lesson. `look` follows the deal; everything else only tells."""

    def __init__(self, name: str) -> None:
        self._goals = goals_of(name)
        self._at = 0
        self._ways: dict[int, tuple[int, ...]] = {}

    @property
    def over(self) -> bool:
        """Whether the lesson has come to its end."""
        return self._at == len(self._goals)

    @property
    def step(self) -> int:
        """The number of the learner's step from 1: the one to be taken, or the next one while others play."""
        done = sum(bool(goal.text) for goal in self._goals[: self._at])
        return min(done + 1, self.step_count)

    @property
    def step_count(self) -> int:
        """How many steps the learner takes."""
        return sum(bool(goal.text) for goal in self._goals)

    @property
    def text(self) -> str:
        """The key of the words of the learner's step, empty while others play and at the end."""
        return "" if self.over else self._goals[self._at].text

    @property
    def way(self) -> tuple[int, ...]:
        """Actions that do what comes next, of whoever is to act: the shortest way; empty where there is none."""
        return min(self._ways.values(), key=len, default=())

    def allows(self, action: int) -> bool:
        """Say whether a legal action leads on; everything does where the lesson has nothing to say."""
        return not self._ways or action in self._ways

    def look(self, position: Position) -> None:
        """Look at the deal after something was done in it, and see what leads on."""
        key = _key(position)
        for number, goal in enumerate(self._near(), self._at + 1):
            if key == goal.key:
                self._at = number
                break
        self._ways = {}
        if position.over:
            return
        for goal in self._near():
            self._ways = {**_ways(position, goal), **self._ways}

    def _near(self) -> tuple[Goal, ...]:
        """Return what may come next: cards that the same player tables in several steps may be tabled in any order."""
        near = self._goals[self._at : self._at + 1]
        for goal in self._goals[self._at + 1 :]:
            if not (goal.tables and goal.text and near[-1].tables and near[-1].text):
                break
            near += (goal,)
        return near


def progress_of(name: str) -> Progress | None:
    """Return the beginning of a lesson, None where there is no longer one of this name."""
    return None if script_of(name) is None else Progress(name)


def _ways(position: Position, goal: Goal) -> dict[int, tuple[int, ...]]:
    """Return the legal actions that lead to a goal, each with the whole way that begins with it."""
    return _ahead(Deal.from_position(position), position.seat & 1, goal, {})


def _ahead(deal: Deal, side: int, goal: Goal, known: dict[_Key, tuple[int, ...] | None]) -> dict[int, tuple[int, ...]]:
    left = goal.melds[side] - _tabled(deal.position())[side]
    found: dict[int, tuple[int, ...]] = {}
    for action in deal.legal():
        if (action < ACTION_RUN) == bool(left) or not _cards_of(action) <= left:
            continue
        after = deal.copy()
        after.apply(action)
        rest = _rest(after, side, goal, known)
        if rest is not None:
            found[action] = (action, *rest)
    return found


def _rest(deal: Deal, side: int, goal: Goal, known: dict[_Key, tuple[int, ...] | None]) -> tuple[int, ...] | None:
    """Return the shortest way from a deal to a goal, None if there is none."""
    key = _key(deal.position())
    if key == goal.key:
        return ()
    # What does not table cards arrives at once, or not at all.
    if not goal.melds[side] - _tabled(deal.position())[side]:
        return None
    if key not in known:
        ways = _ahead(deal, side, goal, known).values()
        known[key] = min(ways, key=len, default=None)
    return known[key]


def _cards_of(action: int) -> Counter[int]:
    """Return the cards that an action tables."""
    move = decode_action(action)
    if move.kind == "meld":
        return Counter(unpack(move.meld).cards)
    return Counter((move.card,)) if move.kind == "add" else Counter()
