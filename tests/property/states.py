"""Reachable states for the properties, and the same states with what a seat cannot see in other places."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final

from buraco.engine.constants import PHASE_DRAW, PHASE_PLAY
from buraco.engine.deal import Deal
from buraco.engine.position import PileCard, Position, hide, public_hand
from buraco.rules import RULE_SETS
from tests.build import COMPILED
from tests.property.walks import is_rare, walks
from tests.unit.making import game_sets

__all__ = ["GAMES", "STATE_COUNT", "reachable", "shuffled_behind", "without_generator"]

#: Every rule set with every number of players that it allows.
GAMES: Final = game_sets()
#: How many states of each game the properties are shown on.
STATE_COUNT: Final = 300 if COMPILED else 24
_PER_WALK: Final = 12 if COMPILED else 4
_RARE_SHARE: Final = 0.4
_COMMON_SHARE: Final = 0.06


def without_generator(deal: Deal) -> tuple[object, ...]:
    """The state without its generator of random numbers, which policies alone use and no position holds."""
    dump = deal.dump()
    return (*dump[:2], dump[2][:-1], *dump[3:])


def reachable(name: str, players: int, count: int = STATE_COUNT) -> list[Deal]:
    """Return so many states of a game, the same in every run, each a copy: from walks of all styles and totals.

    Rare states (duties, small hands) are taken more often than they come; the last state of a walk is always taken, and
    one in each phase that it has beside draw and play.
    """
    return [deal.copy() for deal in _reachable(name, players, count)]


@cache
def _reachable(name: str, players: int, count: int) -> tuple[Deal, ...]:
    found: list[Deal] = []
    for number, walk in enumerate(walks(RULE_SETS[name], players)):
        source = random.Random(number)
        found += _sample((deal.copy() for deal in walk.states()), source)
        if len(found) >= count:
            return tuple(found[:count])
    raise AssertionError("walks never end")


def _sample(states: Iterator[Deal], source: random.Random) -> list[Deal]:
    """Choose `_PER_WALK` states of a walk: the last one, one of each seldom phase, and others at random."""
    kept: list[Deal] = []
    seldom: dict[int, Deal] = {}
    for deal in states:
        if source.random() < (_RARE_SHARE if is_rare(deal) else _COMMON_SHARE):
            kept.append(deal)
        if deal.phase not in (PHASE_DRAW, PHASE_PLAY):
            seldom[deal.phase] = deal
    source.shuffle(kept)
    first = list(seldom.values())
    return first + kept[: _PER_WALK - len(first)]


def shuffled_behind(position: Position, seat: int | None, source: random.Random) -> Position:
    """Return a full position that differs only in where the cards lie that a seat, or a spectator, cannot see.

    This is written apart from `buraco.engine.determinize`, so that each can be held against the other.
    """
    shown = hide(position, seat)
    hidden: list[int] = []
    for index, hand in enumerate(position.hands):
        if shown.hands[index] is None:
            rest = list(hand or ())
            for card in public_hand(shown, index):
                rest.remove(card)
            hidden += rest
    hidden += position.stock or ()
    hidden += [card for morto in position.mortos for card in morto or ()]
    hidden += [full.card for full, seen in _pile_pairs(position, shown) if seen.card is None and full.card is not None]
    source.shuffle(hidden)

    def some(count: int) -> tuple[int, ...]:
        taken = tuple(hidden[:count])
        del hidden[:count]
        return taken

    hands = tuple(
        position.hands[index]
        if shown.hands[index] is not None
        else tuple(sorted((*public_hand(shown, index), *some(count - len(public_hand(shown, index))))))
        for index, count in enumerate(position.hand_counts)
    )
    mixed = replace(
        position,
        hands=hands,
        stock=some(position.stock_count),
        mortos=(some(len(position.mortos[0] or ())), some(len(position.mortos[1] or ()))),
        pile=tuple(
            PileCard(some(1)[0], full.seat, full.turn) if seen.card is None else full
            for full, seen in _pile_pairs(position, shown)
        ),
    )
    acting = mixed.hands[mixed.seat] or ()
    if position.drawn_card >= 0 and shown.drawn_card < 0:
        # Another seat looks at its first card, which nobody else knows: it may be any of its hand.
        mixed = replace(mixed, drawn_card=source.choice(acting))
    return mixed


def _pile_pairs(position: Position, shown: Position) -> list[tuple[PileCard, PileCard]]:
    return list(zip(position.pile, shown.pile, strict=True))
