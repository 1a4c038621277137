"""The state of a table as its log makes it: `Fold` applies one entry after the other, the same everywhere and always.

It knows no clock, no network and no database, and draws nothing: whatever is random or timed is in the entries.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from buraco.engine import Deal, Host
from buraco.errors import BuracoError
from buraco.rules import RuleSet, pack_size
from buraco.server import entries as log
from buraco.server import table_events as told
from buraco.server.lessons import Progress, progress_of
from buraco.server.matchplay import Heard, Play, revealed
from buraco.server.shown import ChatLine, Result
from buraco.server.terms import Principal
from buraco.server.thinking import played_level

__all__ = ["CHAT_MAX", "Fold", "Person", "Remembered", "Seating", "apply_all"]

CHAT_MAX: Final = 100
"""The lines of chat that are kept at hand."""
_IDS_MAX: Final = 256


@dataclass(slots=True)
class Person:
    """A member of a table: ``number`` means them in the log; ``seen_ms`` is when they last did something; ``bot_of``
    names the owner of a bot account and is empty for people."""

    number: int
    token_id: str
    account_id: str | None
    name: str
    bot_of: str = ""
    seen_ms: int = 0


@dataclass(slots=True)
class Seating:
    """A seat: ``kind`` is ``empty``, ``person`` (``member``) or ``bot`` (``level``).

    ``cause`` says why a bot plays a person's seat since ``bot_since_ms`` (``away``, ``timeouts``, ``left``; empty: it
    does not); ``timeouts`` counts the turns running whose time was up; ``changed`` is the version of its last change.
    """

    kind: str = "empty"
    member: int = 0
    level: str = ""
    ready: bool = False
    cause: str = ""
    bot_since_ms: int = 0
    timeouts: int = 0
    changed: int = 0

    @property
    def by_person(self) -> bool:
        """Whether a person plays it now."""
        return self.kind == "person" and not self.cause


class Remembered:
    """The ids of the last messages of a member that changed the table, each with the version that it made.

    ``floor``: a message that had seen an older version than this is too old to tell whether it came before.
    """

    def __init__(self) -> None:
        self._versions: dict[str, int] = {}
        self.floor = 0

    def add(self, message_id: str, version: int) -> None:
        """Remember one more."""
        self._versions[message_id] = version
        if len(self._versions) > _IDS_MAX:
            forgotten = self._versions.pop(next(iter(self._versions)))
            self.floor = max(self.floor, forgotten)

    def get(self, message_id: str) -> int | None:
        """Return the version that a message made, None for one that is not remembered."""
        return self._versions.get(message_id)


class Fold:
    """A table. Everything in it may be read; only `apply` and `add_person` change it.

    ``version`` is the number of the last entry. ``phase_at``, ``match_at`` and ``play_at`` are the versions at which
    the phase, the match and the deal last changed; ``phase_due_ms`` is when the phase ends by itself (the wait for
    seeds, the pause between deals), None if it does not. ``offered``: the levels of bots that play here; ``beside``:
    see `buraco.engine.Host`. ``seated`` are the members who have, or ever had, a seat. ``lesson`` is how far a lesson
    has come, None where there is none.
    """

    def __init__(
        self, people: Iterable[Person] = (), offered: tuple[str, ...] = (), beside: Deal | None = None
    ) -> None:
        self._offered = offered
        self._beside = beside
        self.people = {person.number: person for person in people}
        self.version = 0
        self.now_ms = 0
        self.created_ms = 0
        self.phase = "open"
        self.phase_at = self.match_at = self.play_at = 0
        self.owner = 0
        self.match = 0
        self.play: Play | None = None
        self.awake = False
        self.phase_due_ms: int | None = None
        self.result: Result | None = None
        self.results: list[Result] = []
        self.closed_cause = ""
        self.offers: dict[str, set[int]] = {"resign": set(), "draw": set()}
        self.chat: deque[ChatLine] = deque(maxlen=CHAT_MAX)
        self.muted: dict[int, set[int]] = {}
        self.ids: dict[int, Remembered] = {}
        self.seats: list[Seating] = []
        self.seated: set[int] = set()
        self.lesson: Progress | None = None
        self._options: log.Created | None = None
        self._rules: RuleSet | None = None

    # Reading.

    @property
    def options(self) -> log.Created:
        """What the table was made with."""
        assert self._options is not None, "the log begins with the making of the table"
        return self._options

    @property
    def rules(self) -> RuleSet:
        """The rules of its matches."""
        assert self._rules is not None, "the log begins with the making of the table"
        return self._rules

    @property
    def host(self) -> Host | None:
        """The host of the match, None before its first deal."""
        return None if self.play is None else self.play.host

    @property
    def running(self) -> bool:
        """Whether a match is on."""
        return self.phase in ("shuffling", "playing", "between")

    @property
    def next_deal_at_ms(self) -> int | None:
        """When the next deal begins without being asked for; None if it does not, or if one person alone decides it."""
        if self.phase != "between" or sum(seating.by_person for seating in self.seats) == 1:
            return None
        return self.phase_due_ms

    @property
    def cut_max(self) -> int | None:
        """How many cards whoever cuts may try to lift at most; None where the rules pay for no cut."""
        return pack_size(self.rules) - 1 if self.rules.cut_bonus else None

    def person_of(self, principal: Principal) -> Person | None:
        """Return the member that somebody is at this table."""
        for person in self.people.values():
            if principal.is_same(person.token_id, person.account_id):
                return person
        return None

    def seat_of(self, principal: Principal) -> int | None:
        """Return the seat that somebody holds."""
        person = self.person_of(principal)
        return None if person is None else self.seat_of_member(person.number)

    def seat_of_member(self, member: int) -> int | None:
        """Return the seat that a member holds."""
        for number, seating in enumerate(self.seats):
            if seating.kind == "person" and seating.member == member:
                return number
        return None

    def shows_hands(self, principal: Principal) -> bool:
        """Say whether somebody may see the hands when they watch: as the table says, and never its owner or anybody who
        has, or ever had, a seat."""
        person = self.person_of(principal)
        if person is not None and (person.number == self.owner or person.number in self.seated):
            return False
        return self.options.open_hands

    def hints_allowed(self, seat: int) -> bool:
        """Say whether the person of a seat may ask for hints: as the table says, else while all others are bots."""
        if self.options.hints is not None:
            return self.options.hints
        return all(seating.kind == "bot" for number, seating in enumerate(self.seats) if number != seat)

    def bot_level(self, seat: int) -> str:
        """Return the level of the bot that plays a seat, or would."""
        return self.played(self.seats[seat].level or self.options.bot_level)

    def played(self, level: str) -> str:
        """Return what plays for a level, which may be offered no longer; where nothing is known of offers, itself."""
        return played_level(level, self._offered) if self._offered else level

    # Changing.

    def add_person(self, person: Person) -> None:
        """Add a member, or replace what is known of one."""
        self.people[person.number] = person

    def forget_words(self, member: int) -> None:
        """Take what a member said, and their name, out of the chat."""
        lines = [line for line in self.chat if line.member != member]
        self.chat.clear()
        self.chat.extend(lines)

    def apply(self, logged: log.Logged) -> list[Heard]:
        """Apply the next entry and return what happened, in order, with who hears it.

        Raises IllegalAction for an act that the engine refuses; nothing has changed then. Whether anything else may
        happen is decided before it is written (`buraco.server.deciding`).
        """
        assert logged.seq == self.version + 1, "entries come in order"
        at_ms, entry = max(logged.at_ms, self.now_ms), logged.entry
        before = self.version, self.now_ms
        self.version, self.now_ms = logged.seq, at_ms
        try:
            heard = self._apply(entry)
        except BuracoError:
            self.version, self.now_ms = before
            raise
        self._keep_time()
        if entry.by:
            self.people[entry.by].seen_ms = at_ms
            if entry.id:
                self.ids.setdefault(entry.by, Remembered()).add(entry.id, self.version)
        return heard

    def _apply(self, entry: log.Entry) -> list[Heard]:
        match entry:
            case log.Acted() | log.UndoneActs() | log.Dealt() | log.Committed() | log.SeedAdded():
                return self._apply_play(entry)
            case log.Sat() | log.Stood() | log.BotPlaced() | log.SeatCleared() | log.Readied():
                return self._apply_seats(entry)
            case log.TookOver() | log.LeftSeat() | log.Returned():
                return self._apply_bots(entry)
            case log.Created():
                return self._create(entry)
            case log.MatchOpened():
                return self._open_match(entry)
            case log.Agreed():
                return self._agree(entry)
            case log.Forfeited():
                return self._end("forfeited", entry.seat & 1)
            case log.Slept() | log.Woke():
                self.awake = isinstance(entry, log.Woke)
                return [Heard(told.ClockChanged(running=self.awake))]
            case log.Chatted():
                # The words of somebody whose data was deleted are empty.
                return [self._say(entry)] if entry.text or entry.phrase else []
            case log.Muted():
                muted = self.muted.setdefault(entry.by, set())
                (muted.add if entry.muted else muted.discard)(entry.member)
                return [Heard(told.MuteChanged(member=entry.member, muted=entry.muted), member=entry.by)]
            case log.Closed():
                ended = self._end("abandoned", None) if self.running else []
                self._set_phase("closed")
                self.closed_cause = entry.cause
                return [*ended, Heard(told.TableClosed(cause=entry.cause))]

    def _create(self, entry: log.Created) -> list[Heard]:
        self._options = entry
        fields: dict[str, Any] = {name: _plain(value) for name, value in entry.rules.items()}
        self._rules = RuleSet(**fields)
        self.seats = [Seating() for _ in range(entry.players)]
        self.owner, self.created_ms = entry.by, self.now_ms
        self.phase_at = self.match_at = self.version
        return []

    def _set_phase(self, phase: str) -> None:
        if phase != self.phase:
            self.phase, self.phase_at = phase, self.version
            self.play_at = self.version
            self.phase_due_ms = None

    # Seats before a match, and being ready.

    def _apply_seats(self, entry: log.Sat | log.Stood | log.BotPlaced | log.SeatCleared | log.Readied) -> list[Heard]:
        seating = self.seats[entry.seat]
        if isinstance(entry, log.Readied):
            seating.ready = entry.ready
            return [Heard(told.ReadyChanged(seat=entry.seat, ready=entry.ready))]
        if isinstance(entry, log.Sat):
            self.seats[entry.seat] = Seating("person", entry.by, changed=self.version)
            self.seated.add(entry.by)
            person = self.people[entry.by]
            sat = told.SatDown(seat=entry.seat, member=entry.by, name=person.name, bot_of=person.bot_of or None)
            return [Heard(sat)]
        if isinstance(entry, log.BotPlaced):
            self.seats[entry.seat] = Seating("bot", level=entry.level, ready=True, changed=self.version)
            return [Heard(told.BotPut(seat=entry.seat, level=self.played(entry.level)))]
        self.seats[entry.seat] = Seating(changed=self.version)
        if isinstance(entry, log.Stood) and entry.by == self.owner:
            self._pass_on_ownership()
        return [Heard(told.StoodUp(seat=entry.seat, by_owner=isinstance(entry, log.SeatCleared)))]

    def _pass_on_ownership(self) -> None:
        """Give the table to the first person who still sits at it; it stays the owner's if nobody does."""
        staying = (one.member for one in self.seats if one.kind == "person" and one.cause != "left")
        self.owner = next(staying, self.owner)

    # A match.

    def _open_match(self, entry: log.MatchOpened) -> list[Heard]:
        options = self.options
        self.match += 1
        for seat in entry.bots:
            self.seats[seat] = Seating("bot", level=options.bot_level, changed=self.version)
        for seating in self.seats:
            seating.ready, seating.timeouts, seating.cause = seating.kind == "bot", 0, ""
        name = f"{options.table}/{self.match}"
        self.play = Play(
            self.rules,
            options.players,
            name,
            options.clock,
            undo=options.undo,
            lesson=options.lesson,
            beside=self._beside,
        )
        self.lesson = progress_of(options.lesson.name) if options.lesson is not None else None
        self.result, self.awake = None, False
        self._clear_offers()
        self._set_phase("shuffling")
        self.match_at = self.version
        placed = [Heard(told.BotPut(seat=seat, level=self.played(options.bot_level))) for seat in entry.bots]
        return [*placed, Heard(told.MatchBegan(match=self.match))]

    def _playing(self) -> Play:
        assert self.play is not None, "the log opens a match before it is played"
        return self.play

    def _apply_play(self, entry: log.Acted | log.UndoneActs | log.Dealt | log.Committed | log.SeedAdded) -> list[Heard]:
        play = self._playing()
        match entry:
            case log.Committed():
                seeds = play.commit(bytes.fromhex(entry.seed))
                self._set_phase("shuffling")
                until = self.now_ms + self.options.seed_wait_ms
                event = told.SeedCommitted(deal=seeds.deal, commitment=seeds.commitment.hex(), until_ms=until)
                self.phase_due_ms = until
                return [Heard(event)]
            case log.SeedAdded():
                play.add_seed(entry.seat, bytes.fromhex(entry.seed), entry.cut_aim)
                return [Heard(told.SeedGiven(deal=play.deal_number, seat=entry.seat))]
            case log.Dealt():
                heard = play.deal(self.now_ms)
                self._set_phase("playing")
                self._follow_lesson()
                return heard
            case log.Acted():
                heard = play.act(entry.seat, entry.action, self.now_ms, timed_out=entry.timed_out)
                play.timing_out = entry.timed_out
                if entry.by:
                    self.seats[entry.seat].timeouts = 0
                self.play_at = self.version
                self._follow_lesson()
                return heard + self._after_deal(play)
            case log.UndoneActs():
                heard = play.undo(entry.seat, entry.count, self.now_ms)
                self.play_at = self.version
                return heard

    def _follow_lesson(self) -> None:
        if self.lesson is not None and self.host is not None:
            self.lesson.look(self.host.position())

    def _after_deal(self, play: Play) -> list[Heard]:
        """Return what follows when the deal is over; nothing while it is played."""
        host = play.host
        if host is None or host.seat is not None:
            return []
        heard = [Heard(revealed(seeds)) for seeds in play.seeds[-1:]]
        if host.over:
            return heard + self._end("played", host.winner)
        self._clear_offers()
        for seating in self.seats:
            seating.ready = seating.kind == "bot"
        self._set_phase("between")
        self.phase_due_ms = self.now_ms + self.options.next_deal_ms
        return heard

    def _end(self, kind: str, winner: int | None) -> list[Heard]:
        totals = self.host.totals if self.host is not None else (0, 0)
        self.result = Result(match=self.match, kind=kind, winner=winner, totals=totals)
        self.results.append(self.result)
        # What the end of a deal has not revealed yet: that of the deal which is given up.
        hidden = self.play is not None and self.phase in ("shuffling", "playing") and kind != "played"
        shown = self.play.seeds[-1:] if self.play is not None and hidden else []
        for seating in self.seats:
            seating.ready = seating.kind == "bot"
        self._clear_offers()
        self._set_phase("finished")
        self.match_at = self.version
        return [*(Heard(revealed(seeds)) for seeds in shown), Heard(told.MatchResult(result=self.result))]

    # Bots that play for people.

    def _apply_bots(self, entry: log.TookOver | log.LeftSeat | log.Returned) -> list[Heard]:
        seating, seat = self.seats[entry.seat], entry.seat
        seating.changed = self.version
        if isinstance(entry, log.Returned):
            seating.cause, seating.timeouts = "", 0
            if self.play is not None:
                self.play.ledger.refresh(seat)
            return [Heard(told.SeatTakenBack(seat=seat, member=seating.member))]
        cause = entry.cause if isinstance(entry, log.TookOver) else "left"
        seating.cause, seating.bot_since_ms = cause, self.now_ms
        for agreed in self.offers.values():
            agreed.discard(seat)
        if cause == "left" and entry.by == self.owner:
            self._pass_on_ownership()
        return [Heard(told.BotTookOver(seat=seat, cause=cause, level=self.bot_level(seat)))]

    # Offers.

    def _clear_offers(self) -> None:
        for agreed in self.offers.values():
            agreed.clear()

    def asked(self, offer: str, side: int = 0) -> tuple[int, ...]:
        """Return the seats whose people must agree: that a side gives up (``resign``), to a ``draw``, a ``rematch``."""
        seats = enumerate(self.seats)
        if offer == "resign":
            return tuple(seat for seat, one in seats if one.by_person and seat & 1 == side)
        # Who is away has not agreed: else a side that is behind could end the match while the others are cut off.
        return tuple(seat for seat, one in seats if one.kind == "person" and one.cause != "left")

    def _agree(self, entry: log.Agreed) -> list[Heard]:
        heard = [Heard(told.OfferChanged(offer=entry.offer, seat=entry.seat, agree=entry.agree))]
        if entry.offer == "rematch":
            self.seats[entry.seat].ready = entry.agree
            return heard
        agreed = self.offers[entry.offer]
        (agreed.add if entry.agree else agreed.discard)(entry.seat)
        if not entry.agree or not agreed.issuperset(self.asked(entry.offer, entry.seat & 1)):
            return heard
        if entry.offer == "resign":
            return heard + self._end("resigned", 1 - (entry.seat & 1))
        return heard + self._end("agreed", None)

    def _say(self, entry: log.Chatted) -> Heard:
        line = ChatLine(
            version=self.version,
            at_ms=self.now_ms,
            member=entry.by,
            name=self.people[entry.by].name,
            text=entry.text,
            phrase=entry.phrase,
            # Who watches may say what no player is to be told of.
            apart=self.running and self.seat_of_member(entry.by) is None,
        )
        self.chat.append(line)
        return Heard(told.ChatSaid(line=line), sender=entry.by, apart=line.apart)

    # Time.

    def _keep_time(self) -> None:
        """Tell the ledger whose time runs."""
        play = self.play
        if play is None:
            return
        timed_out = play.timing_out
        ended = play.clock_turn(self.now_ms)
        if ended is not None and timed_out:
            self.seats[ended].timeouts += 1
        seat = play.seat
        if self.phase == "playing" and self.awake and seat is not None and self.seats[seat].by_person:
            play.ledger.run(self.now_ms)
        else:
            play.ledger.stand(self.now_ms)


def _plain(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def apply_all(people: Iterable[Person], entries: Iterable[log.Logged]) -> Fold:
    """Return the table of a whole log."""
    fold = Fold(people)
    for logged in entries:
        fold.apply(logged)
    return fold
