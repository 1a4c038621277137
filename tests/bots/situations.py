"""Reachable states of every game for the cases of the bots: the ten rule sets, house rules and toy rules."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from buraco.engine.constants import PHASE_OVER
from buraco.engine.deal import Deal
from buraco.engine.view import SeatView, view_of
from buraco.rules import RULE_SETS, RuleSet
from tests.property.walks import is_rare, walks
from tests.toy import TOYS

__all__ = ["GAMES", "RULES", "STATES", "acting_view", "states"]

_HOUSE: Final = (
    RULE_SETS["fechado"].replace(
        name="house-opening", title="Closed pile, opening at once", opening="at_once", opening_minimum=40
    ),
    RULE_SETS["classico"].replace(name="house-classic", title="Two seats, no sets", player_counts=(2, 4), sets=False),
    RULE_SETS["burraco"].replace(
        name="house-short", title="Short hands and canastas", hand_size=6, morto_size=4, canasta_size=5, joker_count=2
    ),
    RULE_SETS["aberto"].replace(
        name="house-big", title="Big hands, two seats", player_counts=(2, 4), hand_size=18, morto_size=13
    ),
)
RULES: Final[Mapping[str, RuleSet]] = MappingProxyType({**RULE_SETS, **{rules.name: rules for rules in _HOUSE}, **TOYS})
#: Every rule set with every number of players that it allows.
GAMES: Final = [(name, players) for name, rules in RULES.items() for players in rules.player_counts]
#: How many states of a game `states` gives.
STATES: Final = 12
_WALKS: Final = 16
_PER_PHASE: Final = 2


def acting_view(deal: Deal) -> SeatView:
    """Return what the seat to act sees."""
    return view_of(deal, deal.seat)


def states(name: str, players: int) -> list[Deal]:
    """Return `STATES` states of a game in which somebody has to act, each a copy, the same in every run.

    They come from walks of all styles and totals; there are two of each phase that the walks meet, if they meet two,
    and among the rest as many rare ones as common ones.
    """
    return [deal.copy() for deal in _states(name, players)]


@cache
def _states(name: str, players: int) -> tuple[Deal, ...]:
    source = random.Random(f"{name} {players}")
    found: list[Deal] = []
    for _, walk in zip(range(_WALKS), walks(RULES[name], players), strict=False):
        for deal in walk.states():
            if deal.phase != PHASE_OVER and source.random() < (0.3 if is_rare(deal) else 0.05):
                found.append(deal.copy())
    source.shuffle(found)
    chosen: list[Deal] = []
    for phase in sorted({deal.phase for deal in found}):
        chosen += [deal for deal in found if deal.phase == phase][:_PER_PHASE]
    rest = [deal for deal in found if not any(deal is taken for taken in chosen)]
    rare = [deal for deal in rest if is_rare(deal)]
    common = [deal for deal in rest if not is_rare(deal)]
    mixed = [deal for pair in zip(rare, common, strict=False) for deal in pair]
    return tuple([*chosen, *mixed][:STATES])
