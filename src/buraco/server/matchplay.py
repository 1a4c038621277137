"""A match at a table as its log makes it: seeds, deals, acts, clocks, and what happened, with who may know it."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from buraco.engine import Deal, DealStart, Host, Match
from buraco.engine import Event as EngineEvent
from buraco.engine.fair import DealSeeds
from buraco.rules import RuleSet
from buraco.server.clocks import Ledger
from buraco.server.entries import LessonDeal
from buraco.server.messages import Event
from buraco.server.options import ClockOptions
from buraco.server.table_events import SeedRevealed, SeedsClosed, TimedOut

__all__ = ["Heard", "Play", "revealed"]


@dataclass(frozen=True, slots=True)
class Heard:
    """An event of the table or of the engine, and who hears it: everyone, or only a ``seat`` or a ``member``, or with
    ``apart`` those without a seat; never one who has muted the ``sender``."""

    event: Event | EngineEvent
    seat: int | None = None
    member: int | None = None
    sender: int | None = None
    apart: bool = False


class Play:
    """One match. ``name`` enters every draw of its shuffles; a ``lesson`` has its own cards instead.

    It applies what the log says and checks nothing but what the engine checks. ``beside``: see `Host`.
    """

    def __init__(
        self,
        rules: RuleSet,
        players: int,
        name: str,
        clock: ClockOptions,
        *,
        undo: bool,
        lesson: LessonDeal | None = None,
        beside: Deal | None = None,
    ) -> None:
        self.rules = rules
        self.players = players
        self.name = name
        self.host: Host | None = None
        self.seeds: list[DealSeeds] = []
        self.starts: list[DealStart] = []
        self.times_ms = array("q")
        self.ledger = Ledger(clock, players)
        self.last_ms = 0
        self.timing_out = False
        self.cut_aim: int | None = None
        self._clock = clock
        self._undo = undo
        self._lesson = lesson
        self._beside = beside
        self._dealt_ms = 0
        self._told = 0
        self._turn: tuple[int, int] | None = None

    @property
    def deal_number(self) -> int:
        """The number of the deal that is being shuffled, played or was played last; 0 before the first."""
        return len(self.seeds)

    @property
    def seat(self) -> int | None:
        """The seat to act, None when no deal is being played."""
        return None if self.host is None else self.host.seat

    def commit(self, seed: bytes) -> DealSeeds:
        """Begin the shuffle of the next deal with the server's seed."""
        seeds = DealSeeds(self.name, self.deal_number + 1, seed, (None,) * self.players)
        self.seeds.append(seeds)
        return seeds

    @property
    def cutter(self) -> int | None:
        """The seat that may say how it cuts for the coming deal; None without a cut, or before anybody knows it."""
        return None if self.host is None or not self.rules.cut_bonus else self.host.cutter

    def add_seed(self, seat: int, seed: bytes, cut_aim: int | None) -> None:
        """Take the seed of a seat, and what the cutter says."""
        self.seeds[-1] = self.seeds[-1].with_player_seed(seat, seed)
        if cut_aim is not None:
            self.cut_aim = cut_aim

    def deal(self, at_ms: int) -> list[Heard]:
        """Deal the cards from the seeds that are in: the one place where a match at a table gets its cards."""
        self._dealt_ms = self.last_ms = at_ms
        self.ledger = Ledger(self._clock, self.players)
        self._turn = None
        if self._lesson is not None:
            return self._deal_lesson(self._lesson)
        seed = self.seeds[-1].deal_seed
        if self.host is None:
            match = Match(self.rules, self.players, seed=seed, name=self.name, own_seeds=True)
            self.host = Host(match, undo_allowed=self._undo, beside=self._beside)
        self.starts.append(self.host.next_deal(seed=seed, cut_aim=self.cut_aim))
        closed = SeedsClosed(deal=self.deal_number, player_seeds=_texts(self.seeds[-1]), cut_aim=self.cut_aim)
        self.cut_aim = None
        return [Heard(closed), *self._news(self.host)]

    def _deal_lesson(self, lesson: LessonDeal) -> list[Heard]:
        match = Match(self.rules, self.players, name=self.name, first_dealer=lesson.dealer)
        self.host = Host(match, undo_allowed=self._undo, beside=self._beside)
        self.starts.append(self.host.next_deal(pack=lesson.pack))
        return self._news(self.host)

    def act(self, seat: int, action: int, at_ms: int, *, timed_out: bool) -> list[Heard]:
        """Carry out an action. Raises IllegalAction; nothing has changed then."""
        host = self._running()
        number = host.state_number
        host.act(seat, action, number)
        self.times_ms.append(max(0, at_ms - self._dealt_ms))
        self.last_ms = at_ms
        before = [Heard(TimedOut(seat=seat))] if timed_out else []
        return before + self._news(host)

    def undo(self, seat: int, count: int, at_ms: int) -> list[Heard]:
        """Take back the last actions. Raises IllegalAction; nothing has changed then."""
        host = self._running()
        host.undo(seat, count=count)
        self.times_ms.append(max(0, at_ms - self._dealt_ms))
        self.last_ms = at_ms
        return self._news(host)

    def clock_turn(self, at_ms: int) -> int | None:
        """Tell the ledger which turn it is; return the seat whose turn has ended with this, None if none has."""
        turn = None
        if self.host is not None and self.host.seat is not None:
            turn = (self.host.seat, self.host.position().turn_count)
        if turn == self._turn:
            return None
        ended = None if self._turn is None else self._turn[0]
        if ended is not None:
            self.ledger.end_turn(at_ms)
        if turn is not None:
            self.ledger.begin_turn(turn[0])
        self._turn = turn
        self.timing_out = False
        return ended

    def _running(self) -> Host:
        assert self.host is not None, "the log has an act before the first deal"
        return self.host

    def _news(self, host: Host) -> list[Heard]:
        """Return what happened since this was called last, in order, with who may know it."""
        found: dict[int, Heard] = {}
        for seat in range(self.players):
            for event in host.events(seat, self._told):
                found[event.number] = Heard(event, event.audience)
        self._told += len(found)
        return [found[number] for number in sorted(found)]


def revealed(seeds: DealSeeds) -> SeedRevealed:
    """Return what is told of the seeds of a deal when it has ended."""
    return SeedRevealed(
        deal=seeds.deal,
        commitment=seeds.commitment.hex(),
        seed=seeds.seed.hex(),
        player_seeds=_texts(seeds),
    )


def _texts(seeds: DealSeeds) -> tuple[str, ...]:
    return tuple("" if own is None else own.hex() for own in seeds.player_seeds)
