"""Looks for leaks: whatever somebody is told must be the same, byte for byte, in every world that they cannot tell
from the real one. A world is made by dealing the cards that they may not know anew."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from buraco.bots import Limit, make_bot
from buraco.engine import ACTION_COUNT, Host, SeatView, hide
from buraco.engine.deal import Deal
from buraco.engine.determinize import fill
from buraco.engine.position import Position
from buraco.errors import BuracoError
from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server.deciding import Refuse, decide
from buraco.server.probe import probe_cards
from buraco.server.replaying import Fold
from buraco.server.snapshots import snapshot_of
from buraco.server.spectating import Teller
from buraco.server.subscriptions import Subscription
from buraco.server.terms import Principal
from buraco.texts import languages
from tests.server.core.playing import someone

__all__ = [
    "PRIVATE_TAGS",
    "STRANGER",
    "check_state",
    "check_step",
    "copied",
    "other_world",
    "receiver",
    "shown_to_all",
    "told",
]

#: The events that one seat alone is told.
PRIVATE_TAGS: Final = frozenset(("card_drawn", "hand_dealt", "morto_seen", "pile_rest_seen"))

STRANGER = someone("stranger")


def receiver(fold: Fold, seat: int | None) -> Principal:
    """Return the person of a seat; for a seat with a bot, somebody who would hold it; a stranger without one."""
    if seat is None:
        return STRANGER
    seating = fold.seats[seat]
    if seating.kind != "person":
        return STRANGER
    person = fold.people[seating.member]
    # Each reads in another language, so that no words show what the numbers do not.
    known = languages()
    return Principal(person.token_id, person.name, language=known[seat % len(known)])


def _filled(position: Position, source: random.Random) -> Position:
    """Return the position with the hidden cards dealt anew, the seat to act not being without an action."""
    for _ in range(200):
        full = fill(position, source)
        if full.over or Deal.from_position(full).legal():
            return full
    raise AssertionError("no other world lets the seat to act do anything")


def other_world(
    fold: Fold, seat: int | None, source: random.Random, keep: int | None = None, seen: Position | None = None
) -> Fold:
    """Return the table as it would be if what a seat (None: a stranger) may not know were otherwise.

    The hand of ``keep`` stays as it is, for a step in which that seat shows some of it. ``seen``: what they see of the
    deal, where that is not what a seat or a spectator sees.
    """
    host = fold.host
    assert host is not None
    real = host.position()
    seen = hide(real, seat) if seen is None else seen
    if keep is not None:
        hands = tuple(real.hands[one] if one == keep else hand for one, hand in enumerate(seen.hands))
        seen = replace(seen, hands=hands, drawn_card=real.drawn_card, barred_card=real.barred_card)
    full = _filled(seen, source)
    other: Host = copy.copy(host)
    other._match = copy.copy(host._match)
    other._deal = Deal.from_position(full)
    other._position = other._deal.position()
    other._events, other._acts, other._steps = list(host._events), list(host._acts), list(host._steps)
    world = copy.deepcopy(fold, {id(host): other, id(fold.rules): fold.rules})
    assert world.host is other
    return world


def _decided(fold: Fold, principal: Principal, message: msg.ClientMessage) -> str:
    try:
        return repr(decide(fold, principal, message, fold.now_ms))
    except Refuse as refused:
        return repr(refused.refusal)


def _probed(fold: Fold, seat: int, cards: list[str], meld: int | None) -> bytes:
    assert fold.host is not None
    try:
        return msg.encode(probe_cards(fold.host, seat, cards, meld))
    except BuracoError as error:
        return f"{error.code} {error.message}".encode()


def check_state(fold: Fold, seat: int | None, source: random.Random) -> None:
    """Hold everything that a seat, or a stranger, can ask of a table against another world. Raises AssertionError."""
    principal = receiver(fold, seat)
    shown = seat if principal is not STRANGER else None
    world = other_world(fold, shown, source)
    mine, other = snapshot_of(fold, principal), snapshot_of(world, principal)
    assert msg.encode(mine) == msg.encode(other), f"the snapshot of seat {shown} shows hidden cards"
    if shown is None or mine.view is None:
        return
    for _ in range(6):
        action = source.randrange(ACTION_COUNT)
        act = msg.Act(id="x", version=fold.version, action=action)
        assert _decided(fold, principal, act) == _decided(world, principal, act), "a refusal shows hidden cards"
    hand = list(mine.view.hands[shown] or ())
    for meld in (None, *range(1, len(mine.view.melds[shown & 1]) + 1))[:3]:
        cards = source.sample(hand, min(len(hand), source.randint(1, 4)))
        if cards:
            same = _probed(fold, shown, cards, meld) == _probed(world, shown, cards, meld)
            assert same, "an answer to a probe shows hidden cards"
    if mine.view.legal is not None and source.random() < 0.2:
        hints = []
        for one in (fold, world):
            assert one.host is not None
            hints.append(make_bot("greedy", 1).choose(one.host.view(shown), Limit()))
        assert hints[0] == hints[1], "a hint shows hidden cards"


def told(fold: Fold, logged: log.Logged, principal: Principal, teller: Teller | None = None) -> bytes:
    """Return what somebody is told of the next entry, by a teller that shows hands to no spectator or by this one."""
    teller = Teller((), 10) if teller is None else teller
    teller.fold = copy.copy(fold)
    _ = teller.state
    to = Subscription(principal, 10, snapshot=teller.snapshot, on_close=lambda _: None)
    teller.start(to)
    to.next_now()
    teller.tell(teller.apply(logged), to)
    message = to.next_now()
    assert isinstance(message, msg.Update)
    return msg.encode(message)


def check_step(fold: Fold, logged: log.Logged, seat: int | None, source: random.Random) -> None:
    """Hold what a seat, or a stranger, is told of an act against another world. Raises AssertionError.

    Where the act shows them something that was hidden, nothing is held against anything.
    """
    entry, host = logged.entry, fold.host
    if not isinstance(entry, log.Acted) or host is None:
        return
    principal = receiver(fold, seat)
    shown = seat if principal is not STRANGER else None
    if shown == entry.seat:
        return
    # A draw shows nothing to the others; else the acting hand shows what it plays.
    keep = entry.seat if entry.action >= 1 else None
    world = other_world(fold, shown, source, keep)
    real = copied(fold)
    mine, other = told(real, logged, principal), told(world, logged, principal)
    assert real.host is not None
    if not real.host.position().over:
        assert mine == other, f"what seat {shown} is told of an act shows hidden cards"


def copied(fold: Fold) -> Fold:
    """Return a table that may be played on without the real one."""
    host = fold.host
    assert host is not None
    other: Host = copy.copy(host)
    other._match = copy.copy(host._match)
    assert host._deal is not None
    other._deal = host._deal.copy()
    other._events, other._acts, other._steps = list(host._events), list(host._acts), list(host._steps)
    return copy.deepcopy(fold, {id(host): other, id(fold.rules): fold.rules})


def shown_to_all(honest: Callable[[Host, int | None], SeatView]) -> Callable[[Host, int | None], SeatView]:
    """Plant a leak: everybody sees every hand."""

    def leaky(self: Host, seat: int | None) -> SeatView:
        view = honest(self, seat)
        return replace(view, position=replace(view.position, hands=self.position().hands))

    return leaky
