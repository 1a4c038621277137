"""What a table does by itself, and when: deals, bots, time-outs, sleep, the end of a table that everybody left.

`due` looks at the table, at who is there and at the time, and says the one next thing; it changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from buraco.engine import SEED_BYTES
from buraco.server import entries as log
from buraco.server.matchplay import Play
from buraco.server.replaying import Fold, Seating
from buraco.server.terms import Entropy
from buraco.server.timeouts import fallback_action

__all__ = ["BotTurn", "Here", "Wait", "due", "takeover_ms"]


class Here(Protocol):
    """Who is connected to a table."""

    def away_since_ms(self, member: int) -> int | None:
        """Return since when a member is away, None while they are here."""

    def empty_since_ms(self) -> int | None:
        """Return since when nobody at all is here, None while somebody is."""


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A bot is to act for a seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is due before ``until_ms``, or (None) before something happens."""

    until_ms: int | None


def due(fold: Fold, here: Here, now_ms: int, entropy: Entropy) -> log.Entry | BotTurn | Wait:
    """Return what a table does next by itself."""
    if fold.phase == "closed":
        return Wait(None)
    times: list[int] = []
    for found in _steps(fold, here, now_ms, entropy):
        if not isinstance(found, int):
            return found
        if found > now_ms:
            times.append(found)
    return Wait(min(times, default=None))


_Step = log.Entry | BotTurn


def _steps(fold: Fold, here: Here, now_ms: int, entropy: Entropy) -> Iterator[_Step | int]:
    """Yield what is due, the first counts; and the times at which something may be."""
    options = fold.options
    empty_ms = here.empty_since_ms()
    if empty_ms is not None:
        end_ms = empty_ms + (options.abandon_ms if fold.running else options.abandon_open_ms)
        yield log.Closed(cause="abandoned") if now_ms >= end_ms else end_ms
    if not fold.running:
        yield from _opening(fold)
        return
    somebody = any(_is_here(one, here) for one in fold.seats if one.cause != "left")
    if somebody != fold.awake:
        yield log.Woke() if somebody else log.Slept()
    if not somebody:
        return
    yield from _absences(fold, here, now_ms)
    play = fold.play
    assert play is not None, "a running match has been opened"
    if fold.phase == "playing":
        yield from _turn(fold, play, here, now_ms)
    else:
        yield from _shuffle(fold, play, now_ms, entropy)


def _is_here(seating: Seating, here: Here) -> bool:
    return seating.kind == "person" and here.away_since_ms(seating.member) is None


def _opening(fold: Fold) -> Iterator[_Step]:
    """A match begins when every seat is taken and every person at one is ready."""
    people = [fold.seats[seat] for seat in fold.asked("rematch")]
    if people and all(one.kind != "empty" for one in fold.seats) and all(one.ready for one in people):
        left = tuple(seat for seat, one in enumerate(fold.seats) if one.cause == "left")
        yield log.MatchOpened(bots=left)


def takeover_ms(fold: Fold, seat: int, here: Here) -> int | None:
    """Return when a bot takes over the seat of a person who is away, None if none will."""
    seating = fold.seats[seat]
    since_ms = here.away_since_ms(seating.member) if seating.by_person and fold.running and fold.awake else None
    return None if since_ms is None else since_ms + fold.options.away_ms


def _absences(fold: Fold, here: Here, now_ms: int) -> Iterator[_Step | int]:
    for seat, seating in enumerate(fold.seats):
        if seating.cause == "away" and _is_here(seating, here):
            yield log.Returned(seat=seat)
        at_ms = takeover_ms(fold, seat, here)
        if at_ms is not None:
            yield log.TookOver(seat=seat, cause="away") if now_ms >= at_ms else at_ms
        if seating.by_person and seating.timeouts >= fold.options.timeouts_max:
            yield log.TookOver(seat=seat, cause="timeouts")


def _shuffle(fold: Fold, play: Play, now_ms: int, entropy: Entropy) -> Iterator[_Step | int]:
    if fold.options.lesson is not None:
        yield log.Dealt()
    people = [seat for seat, one in enumerate(fold.seats) if one.by_person]
    due_ms = fold.next_deal_at_ms if fold.phase == "between" else fold.phase_due_ms
    waited = due_ms is not None and now_ms >= due_ms
    if play.deal_number == len(play.starts):
        ready = bool(people) and all(fold.seats[seat].ready for seat in people)
        if fold.phase == "shuffling" or ready or waited:
            yield log.Committed(deal=play.deal_number + 1, seed=entropy(SEED_BYTES).hex())
    elif waited or not set(people) & set(play.seeds[-1].waiting):
        yield log.Dealt()
    if due_ms is not None:
        yield due_ms


def _turn(fold: Fold, play: Play, here: Here, now_ms: int) -> Iterator[_Step | int]:
    host, seat = play.host, play.seat
    if host is None or seat is None:
        return
    seating = fold.seats[seat]
    if not seating.by_person:
        at_ms = play.last_ms + fold.options.bot_pause_ms
        told = fold.lesson.way[:1] if fold.lesson is not None else ()
        turn = log.Acted(seat=seat, action=told[0]) if told else BotTurn(seat)
        yield turn if now_ms >= at_ms else at_ms
        return
    deadline_ms = play.ledger.deadline_ms
    late = deadline_ms is not None and now_ms >= deadline_ms
    if late and not _is_here(seating, here):
        yield log.TookOver(seat=seat, cause="away")
    if late or play.timing_out:
        yield log.Acted(seat=seat, action=fallback_action(host.view(seat)), timed_out=True)
    if deadline_ms is not None:
        yield deadline_ms
