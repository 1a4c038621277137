"""Who is connected to a table, here or at another process of the site, and since when the others are not."""

from __future__ import annotations

from buraco.server.due import takeover_ms
from buraco.server.messages import Presence
from buraco.server.peers import Peers, Someone
from buraco.server.replaying import Fold
from buraco.server.subscriptions import Subscription
from buraco.server.terms import Principal

__all__ = ["Attendance"]


class Attendance:
    """The connections of a table. Whoever was not seen since ``opened_ms`` counts as away from then on."""

    def __init__(self, fold: Fold, opened_ms: int, peers: Peers) -> None:
        self._fold = fold
        self._opened_ms = opened_ms
        self._peers = peers
        self._subscriptions: list[Subscription] = []
        self._elsewhere: tuple[Principal, ...] = ()
        self._left_ms: dict[str, int] = {}
        self._empty_ms: int | None = opened_ms

    @property
    def subscriptions(self) -> tuple[Subscription, ...]:
        """The connections to this process, in the order of their coming."""
        return tuple(self._subscriptions)

    def add(self, subscription: Subscription) -> None:
        """Take in a connection."""
        self._subscriptions.append(subscription)
        self._empty_ms = None
        self._tell_others()

    def remove(self, subscription: Subscription, now_ms: int) -> None:
        """Forget a connection; harmless when repeated."""
        if subscription not in self._subscriptions:
            return
        self._subscriptions.remove(subscription)
        self._left(subscription.principal, now_ms)
        self._tell_others()

    def look_elsewhere(self, now_ms: int) -> None:
        """Take in who is connected to other processes now."""
        found = self._peers.people_at(self._fold.options.table)
        before, self._elsewhere = self._elsewhere, tuple(Principal(one.token_id, "", one.account_id) for one in found)
        if found:
            self._empty_ms = None
        for principal in before:
            if principal not in self._elsewhere:
                self._left(principal, now_ms)

    def _left(self, principal: Principal, now_ms: int) -> None:
        self._left_ms[principal.token_id] = now_ms
        if not self._subscriptions and not self._elsewhere:
            self._empty_ms = now_ms

    def _tell_others(self) -> None:
        people = {one.principal.token_id: one.principal.account_id for one in self._subscriptions}
        self._peers.here(self._fold.options.table, tuple(Someone(*one) for one in sorted(people.items())))

    def _is_here(self, token_id: str, account_id: str | None) -> bool:
        return any(one.principal.is_same(token_id, account_id) for one in self._subscriptions) or any(
            one.is_same(token_id, account_id) for one in self._elsewhere
        )

    def away_since_ms(self, member: int) -> int | None:
        """Return since when a member is away, None while they are here, or may be for all that is known."""
        person = self._fold.people[member]
        if self._is_here(person.token_id, person.account_id):
            return None
        if not self._peers.certain() and self._plays(member):
            return None
        return max(self._opened_ms, person.seen_ms, self._left_ms.get(person.token_id, 0))

    def _plays(self, member: int) -> bool:
        seat = self._fold.seat_of_member(member)
        return seat is not None and self._fold.seats[seat].by_person

    def empty_since_ms(self) -> int | None:
        """Return since when nobody at all is here, None while somebody is."""
        if self._empty_ms is None:
            return None
        return max(self._empty_ms, max((one.seen_ms for one in self._fold.people.values()), default=0))

    def message(self, now_ms: int) -> Presence:
        """Return what everyone is told."""
        fold = self._fold
        here = [number for number in sorted(fold.people) if self.away_since_ms(number) is None]
        seats = range(len(fold.seats))
        return Presence(
            at_ms=now_ms,
            here=tuple(here),
            away_since_ms=tuple(self._away_ms(seat) for seat in seats),
            bot_at_ms=tuple(takeover_ms(fold, seat, self) for seat in seats),
            spectators=self.spectators(),
        )

    def spectators(self) -> int:
        """Return how many people without a seat are here."""
        everybody = (*(one.principal for one in self._subscriptions), *self._elsewhere)
        return len({one.token_id for one in everybody if self._fold.seat_of(one) is None})

    def _away_ms(self, seat: int) -> int | None:
        seating = self._fold.seats[seat]
        return self.away_since_ms(seating.member) if seating.kind == "person" else None
