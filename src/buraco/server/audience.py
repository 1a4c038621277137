"""Who is told of a table, and from which of its states: the present one, or for spectators one of some time ago."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import msgspec

from buraco.engine import Deal, SeatView
from buraco.errors import BuracoError
from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server.attendance import Attendance
from buraco.server.clocks import OnwardClock
from buraco.server.peers import Peers
from buraco.server.replaying import Fold, Person
from buraco.server.spectating import Change, Delayed, Teller
from buraco.server.subscriptions import Subscription
from buraco.server.terms import CLOSE_NOT_ALLOWED, Principal, ServerError, TableSettings
from buraco.server.thinking import offered_levels
from buraco.texts import message as text_of

__all__ = ["Audience"]


class Audience:
    """Everyone who is told of a table, made of its people and of what its log holds so far.

    ``teller`` speaks of the table as it is; ``delayed``, where the table has such spectators, as it was a while ago.
    """

    def __init__(
        self,
        people: Iterable[Person],
        entries: Iterable[log.Logged],
        settings: TableSettings,
        beside: Deal | None,
        clock: OnwardClock,
        peers: Peers,
    ) -> None:
        listed, offered, history = list(people), offered_levels(settings.bot_levels), settings.history_max
        self.teller = Teller(listed, history, offered, beside)
        self.attendance = Attendance(self.fold, clock.now_ms(), peers)
        self.delayed: Delayed | None = None
        self._presence: msg.Presence | None = None
        for logged in entries:
            self.teller.apply(logged)
            if isinstance(logged.entry, log.Created) and logged.entry.spectators and logged.entry.spectator_delay_ms:
                others = (replace(person) for person in listed)
                later = Teller(others, history, offered, beside, shows_hands=self.fold.shows_hands)
                self.delayed = Delayed(later, self.fold, logged.entry.spectator_delay_ms, clock, self._later)
            if self.delayed is not None:
                self.delayed.add(logged)

    def _later(self) -> list[Subscription]:
        return [one for one in self.attendance.subscriptions if one.delayed]

    @property
    def fold(self) -> Fold:
        """The state of the table."""
        return self.teller.fold

    @property
    def public_fold(self) -> Fold:
        """The table as somebody without a seat may see it now."""
        return self.fold if self.delayed is None else self.delayed.teller.fold

    def folds(self) -> list[Fold]:
        """Return every fold that knows the people of the table."""
        return [self.fold] if self.delayed is None else [self.fold, self.delayed.teller.fold]

    # What somebody may see.

    def teller_of(self, principal: Principal) -> Teller:
        """Return who speaks to somebody."""
        if self.delayed is None or self.fold.seat_of(principal) is not None:
            return self.teller
        return self.delayed.teller

    def _may_see(self, principal: Principal) -> bool:
        """Say whether somebody may see the table: before a match everyone who found it, so that they can sit down."""
        fold = self.fold
        return fold.options.spectators or not fold.running or fold.seat_of(principal) is not None

    def check_may_see(self, principal: Principal) -> None:
        """Raise ServerError (code ``not_allowed``) if spectators are not allowed, and somebody would be one."""
        if not self._may_see(principal):
            raise ServerError("not_allowed", text_of("table.no_spectators"))

    def snapshot(self, principal: Principal) -> msg.Snapshot:
        """Return what somebody may see now. Raises ServerError (code ``not_allowed``)."""
        self.check_may_see(principal)
        return self.teller_of(principal).snapshot_for(principal)

    def view_of(self, principal: Principal) -> tuple[int, SeatView]:
        """Return the version that somebody may see now, and the deal in play or just finished as they may see it.

        Raises ServerError (code ``not_allowed``), BuracoError (code ``no_deal``).
        """
        self.check_may_see(principal)
        teller = self.teller_of(principal)
        fold = teller.fold
        if fold.host is None:
            raise BuracoError("no_deal", text_of("host.no_deal"))
        shown = fold.host.open_view() if teller.hands_open(principal) else fold.host.view(fold.seat_of(principal))
        return fold.version, shown

    # Telling.

    def _teller_for(self, subscription: Subscription) -> Teller:
        subscription.delayed = self.delayed is not None and self.fold.seat_of(subscription.principal) is None
        return self.delayed.teller if self.delayed is not None and subscription.delayed else self.teller

    def start(self, subscription: Subscription, since: int | None) -> None:
        """Tell somebody how the table is, or with ``since`` what has changed after that version."""
        teller = self._teller_for(subscription)
        if since is None or subscription.delayed:
            teller.start(subscription)
        else:
            teller.resume(subscription, since)

    def fresh(self, subscription: Subscription) -> msg.Snapshot:
        """Return how the table is for somebody who has missed what was told."""
        return self._teller_for(subscription).snapshot(subscription)

    def tell(self, logged: log.Logged, change: Change) -> None:
        """Tell everyone what has changed; those who watch with a delay hear it later."""
        for one in self.attendance.subscriptions:
            if not self._may_see(one.principal):
                one.end(CLOSE_NOT_ALLOWED, "spectators are not allowed")
            elif self.delayed is None or self.fold.seat_of(one.principal) is not None:
                one.delayed = False
                self.teller.tell(change, one)
            elif not one.delayed:
                self.start(one, None)
        if self.delayed is not None:
            self.delayed.add(logged)

    def tell_presence(self, now_ms: int, newcomer: Subscription | None = None) -> None:
        """Tell who is here where that has changed; a newcomer is told in any case."""
        message = self.attendance.message(now_ms)
        known = self._presence
        changed = known is None or msgspec.structs.replace(known, at_ms=message.at_ms) != message
        if changed:
            self._presence = message
            if self.delayed is not None:
                self.delayed.add_presence(message)
        for one in self.attendance.subscriptions:
            if not one.delayed and (changed or one is newcomer):
                one.put(message)
        if newcomer is not None and newcomer.delayed and self.delayed is not None:
            self.delayed.tell_presence(newcomer)

    def forget(self, person: Person) -> None:
        """Put somebody in the place of a member, and take away what was said there."""
        self.teller.forget(replace(person))
        if self.delayed is not None:
            self.delayed.forget(replace(person))

    def end(self, code: int, reason: str) -> None:
        """Tell nobody anything any more: all connections end with this code."""
        if self.delayed is not None:
            self.delayed.stop()
        for one in self.attendance.subscriptions:
            one.end(code, reason)
