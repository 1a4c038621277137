"""Who is connected to a table, and since when the others are not."""

from __future__ import annotations

from buraco.server.due import takeover_ms
from buraco.server.messages import Presence
from buraco.server.replaying import Fold
from buraco.server.subscriptions import Subscription

__all__ = ["Attendance"]


class Attendance:
    """The connections of a table. Whoever was not seen since ``opened_ms`` counts as away from then on."""

    def __init__(self, fold: Fold, opened_ms: int) -> None:
        self._fold = fold
        self._opened_ms = opened_ms
        self._subscriptions: list[Subscription] = []
        self._left_ms: dict[str, int] = {}
        self._empty_ms: int | None = opened_ms

    @property
    def subscriptions(self) -> tuple[Subscription, ...]:
        """The connections, in the order of their coming."""
        return tuple(self._subscriptions)

    def add(self, subscription: Subscription) -> None:
        """Take in a connection."""
        self._subscriptions.append(subscription)
        self._empty_ms = None

    def remove(self, subscription: Subscription, now_ms: int) -> None:
        """Forget a connection; harmless when repeated."""
        if subscription not in self._subscriptions:
            return
        self._subscriptions.remove(subscription)
        self._left_ms[subscription.principal.token_id] = now_ms
        if not self._subscriptions:
            self._empty_ms = now_ms

    def away_since_ms(self, member: int) -> int | None:
        """Return since when a member is away, None while they are here."""
        person = self._fold.people[member]
        if any(one.principal.is_same(person.token_id, person.account_id) for one in self._subscriptions):
            return None
        return max(self._opened_ms, person.seen_ms, self._left_ms.get(person.token_id, 0))

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
        watching = (one.principal for one in self._subscriptions if self._fold.seat_of(one.principal) is None)
        return len({principal.token_id for principal in watching})

    def _away_ms(self, seat: int) -> int | None:
        seating = self._fold.seats[seat]
        return self.away_since_ms(seating.member) if seating.kind == "person" else None
