"""What a seat has seen of a deal since it began, as a text and, where it is small, as numbers.

Two courses of a deal that a seat cannot tell apart give the same text and the same numbers, any other two give
different ones (perfect recall). docs/openspiel.md lists the numbers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from buraco.engine import ACTION_COUNT, Deal, ordered_pack
from buraco.engine.constants import ACTION_REJECT
from buraco.engine.position import hide
from buraco.engine.shapes import meld_cards
from buraco.notation import decode_action, format_position
from buraco.rules import RuleSet, pack_size

__all__ = ["RECALL_SIZE_MAX", "Recall", "RecallLayout", "steps_max"]

RECALL_SIZE_MAX: Final = 16_384
"""So many numbers an information state may have; what needs more has its text only."""

_KINDS: Final = ("draw", "pile", "keep", "reject", "discard", "meld", "add")


def steps_max(rules: RuleSet, players: int) -> int:
    """Return a number of actions that no deal exceeds.

    A turn is quiet if it neither draws from the stock nor leaves a card on the table; quiet turns in a row have a limit
    by rule, or cannot be (the top of a closed pile has to be used). A stock card is drawn once, a card is tabled once.
    Under the stalemate of the one-card pile taking several cards is not quiet either; before that somebody drew.
    """
    cards = pack_size(rules)
    stock = cards - players * rules.hand_size
    loud = stock + cards + (stock + 1 if rules.stalemate == "one_card_pile" else 0)
    turns = loud if rules.stalemate == "none" else (loud + 1) * rules.turn_cap
    # The melds of an opening that fails return to the hand, and may be laid again in another turn.
    plays = cards * turns if rules.opening == "over_turn" else cards
    return 2 * turns + 1 + plays


@lru_cache(maxsize=1 << 15)
def _kind_and_cards(action: int) -> tuple[int, tuple[int, ...]]:
    """Return the kind of an action and the cards that it names, all of which leave the hand."""
    parts = decode_action(action)
    if parts.kind == "meld":
        return _KINDS.index(parts.kind), meld_cards(parts.meld)
    return _KINDS.index(parts.kind), (parts.card,) if parts.card >= 0 else ()


@dataclass(frozen=True, slots=True)
class _Step:
    """An action by the engine's id: what it ``played`` all saw, what ``came`` into the hand its seat alone."""

    seat: int
    action: int
    played: tuple[int, ...]
    came: tuple[int, ...]

    def text(self, seat: int) -> str:
        shown = f"^{self.played[0]}" if self.action == ACTION_REJECT else ""
        came = "".join(f"+{card}" for card in self.came) if seat == self.seat else ""
        return f" {self.seat}:{self.action}{shown}{came}"


@dataclass(frozen=True, slots=True)
class _First:
    """What a seat saw before the step number ``since``."""

    text: str
    hand: tuple[int, ...]
    since: int


class Recall:
    """What the seats of a deal have seen: what lay there when it began, then each step."""

    __slots__ = ("_first", "_steps", "_up_cards")

    def __init__(self, deal: Deal) -> None:
        """Begin with a deal that was just dealt."""
        self._steps: tuple[_Step, ...] = ()
        self._up_cards = tuple(card for card, *_ in deal.pile_cards())
        self._first: tuple[_First, ...] = ()
        for seat in range(deal.players):
            self._first += (self._now(deal, seat),)

    def _now(self, deal: Deal, seat: int) -> _First:
        return _First(format_position(hide(deal.position(), seat)), tuple(deal.hand(seat)), len(self._steps))

    def copy(self) -> Recall:
        """Return another one that begins with all that this one has."""
        copied = Recall.__new__(Recall)
        copied._steps, copied._up_cards, copied._first = self._steps, self._up_cards, self._first
        return copied

    def apply(self, deal: Deal, action: int) -> None:
        """Apply an action to the deal, by the engine's id, and note what each seat sees of it.

        Raises IllegalAction, which changes nothing.
        """
        seat, hand = deal.seat, Counter(deal.hand(deal.seat))
        deal.apply(action)
        played = _kind_and_cards(action)[1]
        if action == ACTION_REJECT:
            played = (deal.pile_cards()[-1][0],)
        # What is played leaves first: a twin of it may come by the same action, with a morto or the rest of a pile.
        came = sorted((Counter(deal.hand(seat)) - (hand - Counter(played))).elements())
        self._steps = (*self._steps, _Step(seat, action, played, tuple(came)))

    def forget(self, deal: Deal, seat: int) -> None:
        """Let what a seat has seen begin with what it sees now, whatever it held before.

        Its text then begins with that view, its numbers with the hand of now, after the steps as everyone saw them.
        """
        now = self._now(deal, seat)
        self._first = tuple(now if one == seat else first for one, first in enumerate(self._first))

    def text(self, seat: int) -> str:
        """Return all that a seat has seen as a text."""
        first = self._first[seat]
        return first.text + "".join(step.text(seat) for step in self._steps[first.since :])

    def write(self, layout: RecallLayout, seat: int, numbers: Mapping[str, NDArray[np.float32]]) -> None:
        """Write all that a seat has seen into the arrays of ``layout``, all 0 before."""
        first, place = self._first[seat], layout.places
        numbers["player"][seat] = 1
        for card in first.hand:
            numbers["hand"][place[card]] += 1
        for card in self._up_cards:
            numbers["up_card"][place[card]] += 1
        for at, step in enumerate(self._steps):
            numbers["seat"][at, step.seat] = 1
            numbers["kind"][at, _kind_and_cards(step.action)[0]] = 1
            for card in step.played:
                numbers["played"][at, place[card]] += 1
            if step.seat == seat and at >= first.since:
                for card in step.came:
                    numbers["came"][at, place[card]] += 1
            numbers["number"][at] = layout.digits(step.action)


@dataclass(frozen=True, slots=True)
class RecallLayout:
    """How the numbers of a game lie: for the players, the cards of its pack, its longest course and its actions.

    ``actions`` are the ids of the engine in the game's order, ascending, or None where the numbers are equal.
    """

    rules: RuleSet
    players: int
    actions: tuple[int, ...] | None

    @property
    def places(self) -> Mapping[int, int]:
        """The place of each card that the pack has, in ascending order."""
        return _places(self.rules)

    @property
    def parts(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The name and the shape of each part, in their order."""
        cards, steps = len(self.places), steps_max(self.rules, self.players)
        return (
            ("player", (self.players,)),
            ("hand", (cards,)),
            ("up_card", (cards,)),
            ("seat", (steps, self.players)),
            ("kind", (steps, len(_KINDS))),
            ("played", (steps, cards)),
            ("came", (steps, cards)),
            ("number", (steps, self.digit_count)),
        )

    @property
    def digit_count(self) -> int:
        """How many binary digits the number of an action has."""
        return ((ACTION_COUNT if self.actions is None else len(self.actions)) - 1).bit_length()

    @property
    def size(self) -> int:
        """How many numbers there are in all."""
        return sum(int(np.prod(shape)) for _, shape in self.parts)

    def digits(self, action: int) -> list[int]:
        """Return the game's number of an action of the engine in binary digits, the lowest first."""
        number = action if self.actions is None else bisect_left(self.actions, action)
        return [number >> digit & 1 for digit in range(self.digit_count)]

    def empty(self) -> tuple[NDArray[np.float32], dict[str, NDArray[np.float32]]]:
        """Return a row of zeros and its parts, which are views of it."""
        row = np.zeros(self.size, np.float32)
        parts, first = {}, 0
        for name, shape in self.parts:
            size = int(np.prod(shape))
            parts[name] = row[first : first + size].reshape(shape)
            first += size
        return row, parts


@lru_cache(maxsize=16)
def _places(rules: RuleSet) -> Mapping[int, int]:
    return {card: place for place, card in enumerate(sorted(set(ordered_pack(rules))))}
