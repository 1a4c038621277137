"""What is told of changes: the updates for each receiver, the series for a resume, the table as it was a while ago."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from buraco.engine import Deal
from buraco.engine import Event as EngineEvent
from buraco.rules import title_in
from buraco.server import entries as log
from buraco.server.game_events import from_engine
from buraco.server.lessons.telling import lesson_state
from buraco.server.matchplay import Heard
from buraco.server.messages import Event, Presence, ServerMessage, Snapshot, Update
from buraco.server.replaying import Fold, Person
from buraco.server.shown import TableState, View, You
from buraco.server.snapshots import MeldBook, own_view, public_view, snapshot_of, table_state, view_form, you_are
from buraco.server.subscriptions import Subscription
from buraco.server.terms import Clock, Principal, Timer

__all__ = ["LAG_MAX_MS", "Change", "Delayed", "Teller"]

LAG_MAX_MS: Final = 3_600_000
"""How much later spectators who see the hands see them at most, once the deal is over."""


# An event of the engine, which says itself who may know it, stands for what is heard of it.
_Packed = tuple[int, int, bool, *tuple[Heard | EngineEvent, ...]]


@dataclass(slots=True)
class Change:
    """One change of a table: its version, when it was, what happened; whether it changed the deal."""

    version: int
    at_ms: int
    happened: tuple[Heard | EngineEvent, ...]
    deal: bool
    _told: tuple[Event, ...] = field(default=(), repr=False)

    def events_for(self, you: You, *, hands_open: bool = False) -> tuple[Event, ...]:
        """Return what somebody is told of it, in order; with ``hands_open`` what each seat is told of its own cards."""
        heard = [one if isinstance(one, Heard) else Heard(one, one.audience) for one in self.happened]
        if not self._told:
            # One change is told to several.
            self._told = tuple(_message(one.event) for one in heard)
        return tuple(
            event
            for event, one in zip(self._told, heard, strict=True)
            if (hands_open or one.seat in (None, you.seat))
            and one.member in (None, you.member)
            and (one.sender is None or one.sender not in you.muted)
            and not (one.apart and you.seat is not None)
        )

    def packed(self) -> _Packed:
        """Return it in one piece: many are kept."""
        return (self.version, self.at_ms, self.deal, *self.happened)

    @classmethod
    def unpacked(cls, packed: _Packed) -> Change:
        """Return it as it was."""
        version, at_ms, deal, *happened = packed
        return cls(version, at_ms, tuple(happened), deal)


def _message(event: Event | EngineEvent) -> Event:
    return from_engine(event) if isinstance(event, EngineEvent) else event


def _kept(heard: Heard) -> Heard | EngineEvent:
    """Return what is kept of something heard."""
    event = heard.event
    return event if isinstance(event, EngineEvent) and heard == Heard(event, event.audience) else heard


class Teller:
    """Tells the state of a fold to subscriptions. It follows the log by `apply`, at once or later.

    ``history_max``: how many changes are at hand for a resume; ``offered``: the levels of bots that play here;
    ``beside``: see `buraco.engine.Host`; ``shows_hands``: to whom every hand is shown that has no seat.
    """

    def __init__(
        self,
        people: Iterable[Person],
        history_max: int,
        offered: tuple[str, ...] = (),
        beside: Deal | None = None,
        shows_hands: Callable[[Principal], bool] = lambda _: False,
    ) -> None:
        self.fold = Fold(people, offered, beside)
        self._history: deque[_Packed] = deque(maxlen=max(1, history_max))
        self._shows_hands = shows_hands
        self._views: dict[tuple[int | None, str], View] = {}
        self._open: View | None = None
        self._public: View | None = None
        self._melds = MeldBook()
        self._state: TableState | None = None
        self._shown: TableState | None = None

    def apply(self, logged: log.Logged) -> Change:
        """Apply the next entry. Raises IllegalAction as `Fold.apply` does."""
        fold = self.fold
        shown = self._state if fold.version else None
        happened = tuple(_kept(one) for one in fold.apply(logged))
        self._views.clear()
        self._public = self._open = None
        self._state, self._shown = None, shown
        change = Change(fold.version, fold.now_ms, happened, fold.play_at == fold.version)
        self._history.append(change.packed())
        return change

    def forget(self, nobody: Person) -> None:
        """Put nobody in the place of a member, and take the words of that member away, also from what is at hand for a
        resume: who asks for it gets everything anew instead."""
        self.fold.add_person(nobody)
        self.fold.forget_words(nobody.number)
        self._history.clear()
        self._views.clear()
        self._state = self._shown = None

    @property
    def state(self) -> TableState:
        """The table as everyone sees it."""
        if self._state is None:
            self._state = table_state(self.fold)
        return self._state

    def state_in(self, language: str) -> TableState:
        """The table as everyone sees it who reads a language."""
        title, lesson = title_in(self.fold.rules, language), lesson_state(self.fold, language)
        if (title, lesson) == (self.state.rules_title, self.state.lesson):
            return self.state
        return replace(self.state, rules_title=title, lesson=lesson)

    def hands_open(self, principal: Principal) -> bool:
        """Say whether somebody sees every hand here."""
        return self.fold.seat_of(principal) is None and self._shows_hands(principal)

    def view(self, seat: int | None, language: str, *, hands_open: bool = False) -> View | None:
        """Return the deal as a seat sees it, in words of a language, or with ``hands_open`` as a spectator who sees
        every hand; None before the first."""
        host = self.fold.host
        if host is None or self.fold.play is None or not self.fold.play.starts:
            return None
        if hands_open:
            if self._open is None:
                self._open = view_form(host, host.open_view(), self._melds)
            return self._open
        key = seat, language
        if key not in self._views:
            if self._public is None:
                self._public = public_view(host, self._melds)
            self._views[key] = own_view(self._public, host, seat, language)
        return self._views[key]

    def tell(self, change: Change, to: Subscription) -> None:
        """Tell a subscription of the change that was applied last."""
        you = you_are(self.fold, to.principal)
        if you.seat != to.seat or to.you is None:
            self.start(to)
            return
        is_open, language = self.hands_open(to.principal), to.principal.language
        to.put(
            Update(
                version=change.version,
                at_ms=change.at_ms,
                events=change.events_for(you, hands_open=is_open),
                table=None if self.state == self._shown else self.state_in(language),
                view=self.view(you.seat, language, hands_open=is_open) if change.deal else None,
                you=None if you == to.you else you,
            )
        )
        to.you = you

    def snapshot(self, to: Subscription) -> Snapshot:
        """Return everything for a subscription, to which updates then go on from there."""
        snapshot = self.snapshot_for(to.principal)
        to.seat, to.you = snapshot.you.seat, snapshot.you
        return snapshot

    def snapshot_for(self, principal: Principal) -> Snapshot:
        """Return everything that somebody may see here."""
        return snapshot_of(self.fold, principal, hands_open=self.hands_open(principal))

    def start(self, to: Subscription) -> None:
        """Tell a subscription everything, in the place of what waits."""
        to.restart([self.snapshot(to)])

    def resume(self, to: Subscription, since: int) -> None:
        """Tell a subscription what came after a version, or everything where that is not at hand."""
        updates = self._updates(to.principal, since)
        if updates is None:
            self.start(to)
            return
        to.you = you_are(self.fold, to.principal)
        to.seat = to.you.seat
        to.restart(updates)

    def _updates(self, principal: Principal, since: int) -> list[ServerMessage] | None:
        fold = self.fold
        changes = [Change.unpacked(packed) for packed in self._history if packed[0] > since]
        # Within a match nobody changes seats, so that what a seat was told then is still for the one who holds it.
        if since < fold.match_at or since > fold.version or len(changes) != fold.version - since:
            return None
        you, is_open = you_are(fold, principal), self.hands_open(principal)
        updates: list[ServerMessage] = []
        for change in changes:
            last = change is changes[-1]
            update = Update(
                version=change.version,
                at_ms=change.at_ms,
                events=change.events_for(you, hands_open=is_open),
                table=self.state_in(principal.language) if last else None,
                view=self.view(you.seat, principal.language, hands_open=is_open) if last else None,
                you=you if last else None,
            )
            updates.append(update)
        return updates


@dataclass(frozen=True, slots=True)
class _Late:
    """What is still to be told, and the deal in which it happened: the number of its match, and its own there."""

    told: log.Logged | Presence
    deal: tuple[int, int]


class Delayed:
    """The table as those without a seat see it where they see it later: while a match is on, every change reaches them
    ``delay_ms`` after it was made. ``live`` is the table as it is, ``audience`` gives those who see it later;
    ``presence`` is what they were told last of who is here.

    Where they see the hands, nothing of a deal reaches them before it is over at the table: then its revealed seeds
    give every card of it away, and what a spectator could tell a player is of no use. What waited so is told at the
    pace at which it happened: everything comes later by the time of the longest deal so far (``LAG_MAX_MS`` at most).
    """

    def __init__(
        self, teller: Teller, live: Fold, delay_ms: int, clock: Clock, audience: Callable[[], Iterable[Subscription]]
    ) -> None:
        self.teller = teller
        self.presence: Presence | None = None
        self._live = live
        self._delay_ms = self._lag_ms = delay_ms
        self._clock = clock
        self._audience = audience
        self._late: deque[_Late] = deque()
        self._timer: Timer | None = None
        self._dealt: tuple[int, int] | None = None
        self._dealt_ms = 0

    def add(self, logged: log.Logged) -> None:
        """Take the next entry of the log, to be told in its time."""
        self._late.append(_Late(logged, self._deal))
        self._keep_pace()
        self._go_on()

    def add_presence(self, presence: Presence) -> None:
        """Take what is told of who is here, to be told in its time: when a bot takes over says how far the match is."""
        self._late.append(_Late(presence, self._deal))
        self._go_on()

    def tell_presence(self, to: Subscription) -> None:
        """Tell a newcomer who was here, as all others were told."""
        if self.presence is not None:
            to.put(self.presence)

    def forget(self, nobody: Person) -> None:
        """Put nobody in the place of a member, also in what is still to be told."""
        self.teller.forget(nobody)
        silence = log.Chatted(by=nobody.number)
        for index, late in enumerate(self._late):
            logged = late.told
            if isinstance(logged, Presence):
                continue
            if isinstance(logged.entry, log.Chatted) and logged.entry.by == nobody.number:
                self._late[index] = _Late(log.Logged(logged.seq, logged.at_ms, silence), late.deal)

    def stop(self) -> None:
        """Tell nothing more."""
        if self._timer is not None:
            self._timer.cancel()
        self._late.clear()

    @property
    def _deal(self) -> tuple[int, int]:
        live = self._live
        return live.match, 0 if live.play is None else len(live.play.starts)

    def _is_on(self, deal: tuple[int, int]) -> bool:
        return self._live.phase == "playing" and self._deal == deal

    def _keep_pace(self) -> None:
        """Find out how much later a deal is told that has waited for its end."""
        live = self._live
        if not live.options.open_hands:
            return
        if not live.running:
            self._lag_ms, self._dealt = self._delay_ms, None
        elif live.phase == "playing" and self._dealt != self._deal:
            self._dealt, self._dealt_ms = self._deal, live.now_ms
        elif self._dealt is not None and not self._is_on(self._dealt):
            lag_ms = min(live.now_ms - self._dealt_ms, LAG_MAX_MS)
            self._lag_ms, self._dealt = max(self._lag_ms, lag_ms), None

    def _go_on(self) -> None:
        now_ms = self._clock.now_ms()
        while self._late:
            late = self._late[0]
            due_ms = late.told.at_ms + self._lag_ms
            # Before a match, and once it has ended, there is nothing that somebody could tell a player.
            if self._live.running and self.teller.fold.running:
                if self._live.options.open_hands and self._is_on(late.deal):
                    # The change that ends the deal comes by here.
                    return
                if due_ms > now_ms:
                    if self._timer is not None:
                        self._timer.cancel()
                    self._timer = self._clock.call_at(due_ms, self._go_on)
                    return
            self._tell(self._late.popleft().told)

    def _tell(self, told: log.Logged | Presence) -> None:
        if isinstance(told, Presence):
            self.presence = told
            for one in self._audience():
                one.put(told)
            return
        change = self.teller.apply(told)
        for one in self._audience():
            self.teller.tell(change, one)
