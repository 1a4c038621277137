"""Seeded walks through whole deals, by every policy and by ways of playing that lead into rare situations."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from buraco.engine.constants import (
    ACTION_COUNT,
    ACTION_DRAW,
    ACTION_PILE,
    ACTION_RUN,
    PHASE_DRAW,
    PHASE_PLAY,
    POLICY_GREEDY,
    POLICY_MELD_FIRST,
    POLICY_RANDOM,
)
from buraco.engine.deal import Deal
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
#: The ways of playing: the three policies; one of them anew at every step; one that takes piles and tables all it can;
#: one that takes piles and tables only what it must.
STYLES: Final = ("random", "meld_first", "greedy", "mixed", "seeking", "stalling")
_POLICIES: Final = {"random": POLICY_RANDOM, "meld_first": POLICY_MELD_FIRST, "greedy": POLICY_GREEDY}
_PILE_SHARE: Final = 0.6


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

    def states(self) -> Iterator[Deal]:
        """Yield the deal before each action and when it is over: always the same object; whoever keeps it copies it."""
        deal, source = self.deal(), random.Random(self.seed)
        yield deal
        while not deal.over:
            deal.apply_unchecked(choose(deal, self.style, source))
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
    if style in ("seeking", "stalling"):
        return _choose_by_kind(deal, style == "seeking", source)
    policy = source.randrange(POLICY_GREEDY + 1) if style == "mixed" else _POLICIES[style]
    return deal.choose(policy, source.getrandbits(30))


def _choose_by_kind(deal: Deal, tables_all: bool, source: random.Random) -> int:
    legal = deal.legal()
    if deal.phase == PHASE_DRAW:
        takes_pile = legal[-1] == ACTION_PILE and (not tables_all or source.random() < _PILE_SHARE)
        return ACTION_PILE if takes_pile else ACTION_DRAW
    tabling = [action for action in legal if action >= ACTION_RUN]
    others = [action for action in legal if action < ACTION_RUN]
    if tables_all:
        tabling, others = others, tabling
    return source.choice(others or tabling)


def all_codes(deal: Deal) -> list[int]:
    """Return what `Deal.check` says of every action id."""
    return list(map(deal.check, ALL_ACTIONS))


def is_rare(deal: Deal) -> bool:
    """Say whether a state is one of those that a walk seldom meets: duties, small hands, ends."""
    return (
        deal.phase not in (PHASE_DRAW, PHASE_PLAY)
        or deal.hand_count(deal.seat) <= 2
        or deal.barred_card >= 0
        or deal.laid_points > 0
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
