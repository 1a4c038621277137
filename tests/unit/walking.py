"""Random walks through matches for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

from buraco.engine.deal import Deal
from buraco.engine.host import Host
from buraco.engine.match import Match
from buraco.rules import RULE_SETS

__all__ = ["MELDS_FIRST", "deal_states", "host_of", "play_deal", "random_action"]

MELDS_FIRST = 0.7
"""How often a walk prefers a meld or an addition, so that tables fill."""


def random_action(legal: list[int] | tuple[int, ...], source: random.Random) -> int:
    """Choose a legal action, more often than not one that tables cards."""
    tabling = [action for action in legal if action >= 57]
    if tabling and source.random() < MELDS_FIRST:
        return source.choice(tabling)
    return source.choice(legal)


def deal_states(name: str, players: int, seed: int) -> Iterator[Deal]:
    """Yield the states of a whole deal, the last one being over; each is a copy."""
    source = random.Random(seed)
    deal = Deal(RULE_SETS[name], players, seed=seed)
    while True:
        yield deal.copy()
        legal = deal.legal()
        if not legal:
            return
        deal.apply(random_action(legal, source))


def host_of(name: str, players: int = 4, seed: int = 0, *, undo_allowed: bool = True) -> Host:
    """Return a host whose first deal has begun, seat 0 to act."""
    match = Match(RULE_SETS[name], players, seed=seed, first_dealer=players - 1)
    host = Host(match, undo_allowed=undo_allowed)
    host.next_deal()
    return host


def play_deal(host: Host, source: random.Random) -> None:
    """Play the deal of a host to its end."""
    while (seat := host.seat) is not None:
        host.act(seat, random_action(host.view(seat).legal, source), host.state_number)
