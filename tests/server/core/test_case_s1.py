"""S1: every message of whole matches, to each seat and to a spectator, names no card that its receiver may not know."""

from __future__ import annotations

import re

import msgspec
import pytest

from buraco.cards import card_text
from buraco.engine import Host, hide, unpack
from buraco.rules import RULE_SETS
from buraco.server import messages as msg
from buraco.server.game_events import FirstDealerFound
from buraco.server.spectating import Teller
from buraco.server.subscriptions import Subscription
from tests.server.core.dry import dry_log, dry_people
from tests.server.core.leaks import receiver, shown_to_all

CARD = re.compile(rb'"([A2-9TJQK][cdhs]|X)"')
CASES = [(name, max(rules.player_counts)) for name, rules in RULE_SETS.items()] + [("burraco", 2)]


def cards_in(message: msg.ServerMessage) -> set[str]:
    """Return every card of the deal that a message names; those drawn for the first dealer are of another pack."""
    if isinstance(message, msg.Update):
        events = tuple(one for one in message.events if not isinstance(one, FirstDealerFound))
        message = msgspec.structs.replace(message, events=events)
    return {card.decode() for card in CARD.findall(msg.encode(message))}


class Receiver:
    """Somebody who is told of a match, with what they may know of the deal: their own hand, and what has lain open."""

    def __init__(self, teller: Teller, seat: int | None) -> None:
        self.seat = seat
        self._teller = teller
        self._known: set[int] = set()
        principal = receiver(teller.fold, seat)
        self.hears = Subscription(principal, 10_000, snapshot=teller.snapshot, on_close=lambda _: None)
        teller.start(self.hears)

    def look(self) -> None:
        """Take in what can be seen now."""
        host = self._teller.fold.host
        if host is None or self._teller.fold.phase != "playing":
            return
        position = hide(host.position(), self.seat)
        self._known |= {card for hand in (*position.hands, *position.known) for card in hand or ()}
        self._known |= {entry.card for entry in position.pile if entry.card is not None}
        self._known |= {card for side in position.melds for meld in side for card in unpack(meld.packed).cards}

    def check(self) -> int:
        """Look at every message that waits; return how many there are. Raises AssertionError at a leak."""
        known, count = {card_text(card) for card in self._known}, 0
        while (message := self.hears.next_now()) is not None:
            count += 1
            # When a deal has ended every card of it is shown.
            if self._teller.fold.phase == "playing":
                extra = cards_in(message) - known
                assert not extra, f"seat {self.seat} is told of {sorted(extra)}"
        return count


def look_for_leaks(rules: str, players: int) -> int:
    """Play a match of one deal; return how many messages were looked at. Raises AssertionError at a leak."""
    options = msg.TableOptions(rules=rules, players=2 if players == 2 else 4, deal_count=1)
    teller, count = Teller(dry_people(players), 100), 0
    receivers: list[Receiver] = []
    for _, logged in dry_log(options, players, seed=players):
        change = teller.apply(logged)
        if teller.fold.phase == "open":
            continue
        receivers = receivers or [Receiver(teller, seat) for seat in (*range(players), None)]
        for one in receivers:
            teller.tell(change, one.hears)
            one.look()
            count += one.check()
    return count


@pytest.mark.parametrize(("rules", "players"), CASES)
def test_s1_no_message_names_a_card_that_its_receiver_may_not_know(rules: str, players: int) -> None:
    assert look_for_leaks(rules, players) > 100


def test_s1_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Host, "view", shown_to_all(Host.view))
    with pytest.raises(AssertionError, match="is told of"):
        look_for_leaks("aberto", 4)
