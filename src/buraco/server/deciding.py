"""Whether a message of a person may do what it asks: the entry that it becomes, or why it is refused.

Nothing here changes anything. Texts are those of ``texts/`` under ``table.``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from buraco.engine import Host, Refusal
from buraco.engine.fair import player_seed
from buraco.errors import BuracoError
from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server.limits import is_printable
from buraco.server.matchplay import Play
from buraco.server.replaying import Fold, Person, Seating
from buraco.server.terms import Principal
from buraco.server.thinking import offered_levels, played_level
from buraco.texts import message as text_of

__all__ = ["CHAT_WINDOW_MAX", "CHAT_WINDOW_MS", "PHRASES", "Refuse", "decide", "refusal_of", "stale_refusal"]

CHAT_WINDOW_MS: Final = 10_000
CHAT_WINDOW_MAX: Final = 5
"""The most lines that a member may say within the milliseconds of the window."""

PHRASES: Final = ("hello", "good_luck", "well_played", "thanks", "sorry", "your_turn", "one_moment", "good_game", "bye")
"""The preset phrases; their texts are in ``texts/`` under ``phrase.``."""

_OPEN: Final = ("open", "finished")


class Refuse(Exception):
    """A message is refused, for this reason."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(refusal.code)


def refusal_of(code: str, names: str = "") -> Refusal:
    """Return a refusal of the table with its text; ``names`` are for the text."""
    return Refusal(code, text_of(f"table.{code}", names=names))


def _refuse(code: str, names: str = "") -> Refuse:
    return Refuse(refusal_of(code, names))


@dataclass(frozen=True, slots=True)
class _Case:
    """A message with what it is judged by; ``by`` is the number of its sender, also of one who is no member yet."""

    fold: Fold
    principal: Principal
    person: Person | None
    by: int
    now_ms: int
    bot_levels: tuple[str, ...]

    @property
    def own_seat(self) -> int:
        """The seat of the sender. Raises Refuse."""
        seat = None if self.person is None else self.fold.seat_of_member(self.person.number)
        if seat is None:
            raise _refuse("not_seated")
        return seat

    def seating(self, seat: int) -> Seating:
        """Return a seat by its number. Raises Refuse."""
        if seat >= len(self.fold.seats):
            raise _refuse("no_such_seat")
        return self.fold.seats[seat]

    def need_owner(self) -> None:
        """Raise Refuse unless the sender owns the table."""
        if self.person is None or self.person.number != self.fold.owner:
            raise _refuse("not_owner")

    def need_phase(self, *phases: str) -> None:
        """Raise Refuse unless the table is in one of these phases."""
        if self.fold.phase not in phases:
            raise _refuse("match_running" if self.fold.running else "no_match")

    def need_running(self) -> Play:
        """Return the match that is on. Raises Refuse."""
        if not self.fold.running or self.fold.play is None:
            raise _refuse("match_over" if self.fold.phase == "finished" else "no_match")
        return self.fold.play

    def need_playing_seat(self) -> int:
        """Return the sender's seat if no bot plays it. Raises Refuse."""
        seat = self.own_seat
        if self.fold.seats[seat].cause:
            raise _refuse("bot_plays")
        return seat


def stale_refusal(fold: Fold, message: msg.ClientMessage) -> Refusal | None:
    """Return the refusal of a message that has seen too old a table for what it asks, or one that is still to come."""
    if message.version > fold.version:
        return refusal_of("future_version")
    if message.version < _needed_version(fold, message):
        return refusal_of("stale_version")
    return None


def _needed_version(fold: Fold, message: msg.ClientMessage) -> int:
    """Return the version that a message must have seen, since then nothing has changed that it is about."""
    match message:
        case msg.Act() | msg.Undo():
            return fold.play_at
        case msg.PutBot() | msg.ClearSeat():
            seat = message.seat
            return fold.seats[seat].changed if seat < len(fold.seats) else 0
        case msg.Ready() | msg.Start() | msg.Sit() | msg.Stand():
            return fold.phase_at
        case (
            msg.Resign()
            | msg.Draw()
            | msg.ClaimForfeit()
            | msg.Rematch()
            | msg.Leave()
            | msg.TakeBack()
            | msg.CloseTable()
        ):
            return fold.match_at
        case _:
            return 0


def decide(
    fold: Fold, principal: Principal, message: msg.ClientMessage, now_ms: int, bot_levels: tuple[str, ...] = ()
) -> log.Entry:
    """Return the entry that a message becomes. Questions (`Probe`, `Why`, `Hint`, `Explain`, `Resume`) become none.

    ``bot_levels``: those that tables may have (none: all). Raises Refuse; ValueError for a question.
    """
    if fold.phase == "closed":
        raise _refuse("table_closed")
    stale = stale_refusal(fold, message)
    if stale is not None:
        raise Refuse(stale)
    person = fold.person_of(principal)
    by = max(fold.people, default=0) + 1 if person is None else person.number
    return _judge(_Case(fold, principal, person, by, now_ms, bot_levels), message)


def _judge(case: _Case, message: msg.ClientMessage) -> log.Entry:
    match message:
        case msg.Act():
            return _act(case, message)
        case msg.Undo():
            return _undo(case, message)
        case msg.Seed():
            return _seed(case, message)
        case msg.Sit():
            return _sit(case, message)
        case msg.Stand() | msg.Leave():
            return _stand(case, message)
        case msg.Ready():
            return _ready(case, message)
        case msg.Start():
            return _start(case, message)
        case msg.PutBot():
            return _put_bot(case, message)
        case msg.ClearSeat():
            return _clear_seat(case, message)
        case msg.CloseTable():
            return _close(case, message)
        case msg.Resign() | msg.Draw():
            return _agree(case, message)
        case msg.ClaimForfeit():
            return _claim(case, message)
        case msg.Rematch():
            return _rematch(case, message)
        case msg.TakeBack():
            return _take_back(case, message)
        case msg.Chat():
            return _chat(case, message)
        case msg.Phrase():
            return _phrase(case, message)
        case msg.Mute():
            return _mute(case, message)
        case _:
            raise ValueError("this message changes nothing")


# Seats.


def _sit(case: _Case, message: msg.Sit) -> log.Entry:
    case.need_phase(*_OPEN)
    if case.seating(message.seat).kind != "empty":
        raise _refuse("seat_taken")
    if case.person is not None and case.fold.seat_of_member(case.person.number) is not None:
        raise _refuse("already_seated")
    return log.Sat(by=case.by, id=message.id, seat=message.seat)


def _stand(case: _Case, message: msg.Stand | msg.Leave) -> log.Entry:
    seat = case.own_seat
    if isinstance(message, msg.Leave) and case.fold.running:
        if case.fold.seats[seat].cause == "left":
            raise _refuse("no_change")
        if case.fold.options.lesson is not None:
            # Nobody else plays it on.
            return log.Closed(by=case.by, id=message.id, cause="owner")
        return log.LeftSeat(by=case.by, id=message.id, seat=seat)
    case.need_phase(*_OPEN)
    return log.Stood(by=case.by, id=message.id, seat=seat)


def _ready(case: _Case, message: msg.Ready) -> log.Entry:
    case.need_phase("open", "between")
    seat = case.need_playing_seat()
    if case.fold.seats[seat].ready == message.ready:
        raise _refuse("no_change")
    return log.Readied(by=case.by, id=message.id, seat=seat, ready=message.ready)


def _start(case: _Case, message: msg.Start) -> log.Entry:
    case.need_owner()
    case.need_phase(*_OPEN)
    seats = case.fold.seats
    people = [one for one in seats if one.kind == "person" and one.cause != "left"]
    if not people:
        raise _refuse("nobody_sits")
    if not all(one.ready or one.member == case.by for one in people):
        raise _refuse("not_all_ready")
    empty = tuple(seat for seat, one in enumerate(seats) if one.kind == "empty" or one.cause == "left")
    if any(seats[seat].kind == "empty" for seat in empty) and not case.fold.options.fill_with_bots:
        raise _refuse("seats_empty")
    return log.MatchOpened(by=case.by, id=message.id, bots=empty)


def _put_bot(case: _Case, message: msg.PutBot) -> log.Entry:
    case.need_owner()
    case.need_phase(*_OPEN)
    if case.seating(message.seat).kind != "empty":
        raise _refuse("seat_taken")
    offered = offered_levels(case.bot_levels)
    # The table's own level may be offered no longer.
    level = played_level(case.fold.options.bot_level, offered) if message.level is None else message.level
    if level not in offered:
        raise _refuse("unknown_bot", names=", ".join(offered))
    return log.BotPlaced(by=case.by, id=message.id, seat=message.seat, level=level)


def _clear_seat(case: _Case, message: msg.ClearSeat) -> log.Entry:
    case.need_owner()
    case.need_phase(*_OPEN)
    if case.seating(message.seat).kind == "empty":
        raise _refuse("no_change")
    return log.SeatCleared(by=case.by, id=message.id, seat=message.seat)


def _close(case: _Case, message: msg.CloseTable) -> log.Entry:
    case.need_owner()
    if case.fold.options.lesson is None:
        case.need_phase(*_OPEN)
    return log.Closed(by=case.by, id=message.id, cause="owner")


# The deal.


def _seed(case: _Case, message: msg.Seed) -> log.Entry:
    play = case.need_running()
    seat = case.own_seat
    waits = case.fold.phase == "shuffling" and play.deal_number > len(play.starts)
    if not waits or message.deal != play.deal_number:
        raise _refuse("no_seed_wanted")
    if seat not in play.seeds[-1].waiting:
        raise _refuse("seed_given")
    if message.cut_aim is not None:
        if play.cutter != seat:
            raise _refuse("not_cutter")
        if message.cut_aim > (case.fold.cut_max or 0):
            raise _refuse("cut_range")
    try:
        player_seed(message.seed)
    except BuracoError:
        raise _refuse("public_seed") from None
    return log.SeedAdded(by=case.by, id=message.id, seat=seat, seed=message.seed, cut_aim=message.cut_aim)


def _need_turn(case: _Case) -> tuple[Host, int]:
    """Return the host and the sender's seat, if a deal is on and the seat may act at all. Raises Refuse."""
    play = case.need_running()
    seat = case.need_playing_seat()
    host = play.host
    if case.fold.phase != "playing" or host is None:
        raise Refuse(Refusal("no_deal", text_of("host.no_deal")))
    deadline_ms = play.ledger.deadline_ms
    if host.seat == seat and (play.timing_out or (deadline_ms is not None and case.now_ms >= deadline_ms)):
        raise _refuse("time_up")
    return host, seat


def _act(case: _Case, message: msg.Act) -> log.Entry:
    host, seat = _need_turn(case)
    refusal = host.why(seat, message.action)
    if refusal is not None:
        raise Refuse(refusal)
    if case.fold.lesson is not None and not case.fold.lesson.allows(message.action):
        raise _refuse("lesson_step")
    return log.Acted(by=case.by, id=message.id, seat=seat, action=message.action)


def _undo(case: _Case, message: msg.Undo) -> log.Entry:
    host, seat = _need_turn(case)
    possible = host.can_undo(seat)
    count = possible if message.count is None else message.count
    code = ""
    if host.seat != seat:
        code = "not_your_turn"
    elif not case.fold.options.undo:
        code = "undo_off"
    elif not 1 <= count <= possible:
        code = "nothing_to_undo"
    if code:
        raise Refuse(Refusal(code, text_of(f"host.{code}")))
    return log.UndoneActs(by=case.by, id=message.id, seat=seat, count=count)


# The match.


def _agree(case: _Case, message: msg.Resign | msg.Draw) -> log.Entry:
    case.need_running()
    seat = case.need_playing_seat()
    offer: Literal["resign", "draw"] = "resign" if isinstance(message, msg.Resign) else "draw"
    if (seat in case.fold.offers[offer]) == message.agree:
        raise _refuse("no_change")
    return log.Agreed(by=case.by, id=message.id, seat=seat, offer=offer, agree=message.agree)


def _claim(case: _Case, message: msg.ClaimForfeit) -> log.Entry:
    case.need_running()
    seat = case.need_playing_seat()
    others = [one for number, one in enumerate(case.fold.seats) if number & 1 != seat & 1 and one.kind == "person"]
    latest_ms = case.now_ms - case.fold.options.forfeit_ms
    if not others or any(one.by_person or one.bot_since_ms > latest_ms for one in others):
        raise _refuse("not_gone")
    return log.Forfeited(by=case.by, id=message.id, seat=seat)


def _rematch(case: _Case, message: msg.Rematch) -> log.Entry:
    if case.fold.phase != "finished":
        raise _refuse("match_running" if case.fold.running else "no_match")
    seat = case.need_playing_seat()
    if case.fold.seats[seat].ready == message.agree:
        raise _refuse("no_change")
    return log.Agreed(by=case.by, id=message.id, seat=seat, offer="rematch", agree=message.agree)


def _take_back(case: _Case, message: msg.TakeBack) -> log.Entry:
    seat = case.own_seat
    if not case.fold.seats[seat].cause:
        raise _refuse("no_change")
    return log.Returned(by=case.by, id=message.id, seat=seat)


# Talk.


def _need_voice(case: _Case) -> None:
    fold = case.fold
    if not fold.options.chat:
        raise _refuse("chat_off")
    seated = case.person is not None and fold.seat_of_member(case.person.number) is not None
    if not seated and not fold.options.spectator_chat:
        raise _refuse("chat_seated")
    since_ms = case.now_ms - CHAT_WINDOW_MS
    if sum(line.member == case.by and line.at_ms > since_ms for line in fold.chat) >= CHAT_WINDOW_MAX:
        raise _refuse("chat_too_fast")


def _chat(case: _Case, message: msg.Chat) -> log.Entry:
    _need_voice(case)
    said = message.text.strip()
    if not said or not is_printable(said):
        raise _refuse("chat_content")
    return log.Chatted(by=case.by, id=message.id, text=said)


def _phrase(case: _Case, message: msg.Phrase) -> log.Entry:
    _need_voice(case)
    if message.phrase not in PHRASES:
        raise _refuse("unknown_phrase")
    return log.Chatted(by=case.by, id=message.id, phrase=message.phrase)


def _mute(case: _Case, message: msg.Mute) -> log.Entry:
    if case.person is None:
        raise _refuse("not_member")
    if message.member not in case.fold.people or message.member == case.by:
        raise _refuse("no_such_member")
    if (message.member in case.fold.muted.get(case.by, ())) == message.muted:
        raise _refuse("no_change")
    return log.Muted(by=case.by, id=message.id, member=message.member, muted=message.muted)
