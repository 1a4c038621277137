"""Seeded walks through whole deals, by every policy and by ways of playing that lead into rare situations."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from buraco.engine.constants import (
    ACTION_ADD,
    ACTION_COUNT,
    ACTION_DRAW,
    ACTION_PILE,
    ACTION_RUN,
    ADDS_PER_MELD,
    PHASE_DRAW,
    PHASE_PLAY,
    POLICY_GREEDY,
    POLICY_MELD_FIRST,
    POLICY_RANDOM,
)
from buraco.engine.deal import Deal
from buraco.engine.numbering import action_meld
from buraco.engine.shapes import meld_cards
from buraco.rules import RuleSet

__all__ = [
    "ALL_ACTIONS",
    "STYLES",
    "Walk",
    "all_codes",
    "cards_of",
    "choose",
    "is_rare",
    "walks",
]

#: Every action id.
ALL_ACTIONS: Final = range(ACTION_COUNT)
#: The ways of playing: the three policies; one of them anew at every step; ``seeking`` takes piles and tables all it
#: can; ``spreading`` tables all it can but makes no canasta; ``stalling`` takes piles and tables only what it must;
#: ``hoarding`` keeps three cards until the mortos are gone, then tables all it can.
STYLES: Final = ("random", "meld_first", "greedy", "mixed", "seeking", "spreading", "stalling", "hoarding")
_POLICIES: Final[Mapping[str, int]] = MappingProxyType(
    {"random": POLICY_RANDOM, "meld_first": POLICY_MELD_FIRST, "greedy": POLICY_GREEDY}
)
#: How often a style takes a pile that it may take.
_PILE_SHARE: Final[Mapping[str, float]] = MappingProxyType({"seeking": 0.6, "spreading": 0.3, "stalling": 1.0})


@dataclass(frozen=True, slots=True)
class Walk:
    """A deal to be played: by one of `STYLES`, everything drawn from the seed."""

    rules: RuleSet
    players: int
    style: str
    seed: int
    totals: tuple[int, int] = (0, 0)

    def deal(self) -> Deal:
        """Return the deal before its first action."""
        return Deal(self.rules, self.players, self.seed % self.players, self.totals, self.seed)

    def steps(self) -> Iterator[tuple[int, Deal]]:
        """Yield (-1, the deal before its first action), then each action and the deal after it.

        The deal is always the same object; whoever keeps it copies it.
        """
        deal, source = self.deal(), random.Random(self.seed)
        yield -1, deal
        while not deal.over:
            action = choose(deal, self.style, source)
            deal.apply_unchecked(action)
            yield action, deal

    def states(self) -> Iterator[Deal]:
        """Yield the deal before each action and when it is over; see `steps`."""
        for _, deal in self.steps():
            yield deal


def walks(rules: RuleSet, players: int, first_seed: int = 0) -> Iterator[Walk]:
    """Yield walks without end: the styles in turn, by sides below, at and above the threshold of a raised opening."""
    threshold = rules.opening_vulnerable_from
    totals = ((0, 0), (threshold, 0), (threshold - 5, threshold + 200))
    seed = first_seed
    while True:
        yield Walk(rules, players, STYLES[seed % len(STYLES)], seed, totals[seed % len(totals)])
        seed += 1


def choose(deal: Deal, style: str, source: random.Random) -> int:
    """Return the action that a style chooses; the deal must not be over."""
    if style in _POLICIES:
        return deal.choose(_POLICIES[style], source.getrandbits(30))
    if style == "mixed":
        return deal.choose(source.randrange(POLICY_GREEDY + 1), source.getrandbits(30))
    return source.choice(_wanted(deal, style, source))


def _wanted(deal: Deal, style: str, source: random.Random) -> list[int]:
    """Return the legal actions among which a style chooses evenly."""
    legal = deal.legal()
    if deal.phase == PHASE_DRAW:
        takes = legal[-1] == ACTION_PILE and source.random() < _PILE_SHARE.get(style, 0.0)
        return [ACTION_PILE if takes else ACTION_DRAW]
    tabling = [action for action in legal if action >= ACTION_RUN]
    others = [action for action in legal if action < ACTION_RUN]
    if style == "stalling":
        return others or tabling
    if style == "spreading":
        small = [action for action in tabling if _size_after(deal, action) < deal.rules.canasta_size]
        return small or others or tabling
    if style == "hoarding" and deal.mortos_gone < 2:
        held = deal.hand_count(deal.seat)
        most = [action for action in tabling if held - (_size_after(deal, action) if action < ACTION_ADD else 1) >= 3]
        return most or others or tabling
    return tabling or others


def _size_after(deal: Deal, action: int) -> int:
    """Return the size of the meld that an action lays or adds to."""
    if action < ACTION_ADD:
        return len(meld_cards(action_meld(action)))
    return len(meld_cards(deal.meld_list(deal.seat & 1)[(action - ACTION_ADD) // ADDS_PER_MELD])) + 1


def all_codes(deal: Deal) -> list[int]:
    """Return what `Deal.check` says of every action id."""
    return list(map(deal.check, ALL_ACTIONS))


def is_rare(deal: Deal) -> bool:
    """Say whether a state is one of those that a walk seldom meets: duties, small hands, ends."""
    return (
        deal.phase not in (PHASE_DRAW, PHASE_PLAY)
        or deal.hand_count(deal.seat) <= 2
        or deal.barred_card >= 0
        or deal.quiet_turns > 1
    )


def cards_of(deal: Deal) -> Counter[int]:
    """Count the cards of all places of a deal; always the whole pack, if none was lost or doubled."""
    found: Counter[int] = Counter()
    for seat in range(deal.players):
        found.update(deal.hand(seat))
    for side in (0, 1):
        for meld in deal.meld_list(side):
            found.update(meld_cards(meld))
    found.update(card for card, _, _ in deal.pile_cards())
    found.update(deal.stock_cards())
    for index in (0, 1):
        found.update(deal.morto_cards(index))
    return found
