"""Plays a game record again and checks everything in it: cards, actions, undos, scores, totals, the winner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from buraco.engine.host import Host
from buraco.engine.match import DealStart, Match
from buraco.engine.shuffle import seed_bytes
from buraco.errors import BuracoError, IllegalAction, RecordError
from buraco.notation.evidence import deal_seeds, drawn_by_deals, played_pack
from buraco.notation.record import UNDO, DealRecord, Entry, Outcome, Record, TurnRecord
from buraco.texts import joined, message

if TYPE_CHECKING:
    from buraco.engine.match import Cut, DealResult
    from buraco.engine.position import Position

__all__ = ["ReplayStep", "Restored", "host_of", "replay", "restore"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayStep:
    """One step of a replay and the position after it, every card in view.

    ``kind`` is ``deal`` (a deal was dealt; ``start``), ``action``, ``undo`` (of the last ``undone`` actions) or ``end``
    (the deal ended; ``result``). ``deal`` counts from 1, ``turn`` from 0, ``number`` the actions of a turn from 1.
    """

    kind: str
    deal: int
    position: Position
    turn: int = -1
    seat: int = -1
    number: int = 0
    action: int = UNDO
    undone: int = 0
    time_ms: int = -1
    start: DealStart | None = None
    result: DealResult | None = None

    @property
    def entry(self) -> Entry | None:
        """What was done, as it stands in the record; None where a deal begins or ends."""
        return Entry(self.action, self.undone, self.time_ms) if self.kind in ("action", "undo") else None


@dataclass(frozen=True, slots=True)
class Restored:
    """A match played again to where its record stops: its ``host``, and the ``starts`` of its deals."""

    host: Host
    starts: tuple[DealStart, ...]


def replay(record: Record, host: Host | None = None) -> Iterator[ReplayStep]:
    """Play a record again, step by step.

    ``host``: the one of `host_of`, where the caller wants to look at it between the steps. Raises RecordError at the
    first thing that does not hold, after the steps before it: the message says at which deal, turn and action and why,
    the reasons only why; ``code`` is the refusal's code for an action, else ``record_match``, ``record_deal``,
    ``record_turn``, ``record_outcome`` or ``record_winner``.
    """
    return _play(host_of(record) if host is None else host, record)


def host_of(record: Record) -> Host:
    """Return the host of a record's match before its first deal. Raises RecordError (code ``record_match``)."""
    return Host(_match(record))


def restore(record: Record, *, undo_allowed: bool = True) -> Restored:
    """Play a whole record again and return the match as it stands, to be played on.

    Later packs come from the seed of the record, so a match without one cannot be played on fairly.
    Raises RecordError as `replay` does, also where undos are recorded but not allowed (code ``record_undo``), or every
    deal had a seed of its own (code ``record_seed``), since only the server of that match can go on with those.
    """
    if drawn_by_deals(record):
        raise RecordError("record_seed", message("record.own_seeds"))
    if not undo_allowed and any(entry.action == UNDO for entry in _entries(record)):
        raise RecordError("record_undo", message("record.undos"))
    host = Host(_match(record), undo_allowed=undo_allowed)
    starts = tuple(step.start for step in _play(host, record) if step.start is not None)
    return Restored(host, starts)


def _entries(record: Record) -> Iterator[Entry]:
    return (entry for deal in record.deals for turn in deal.turns for entry in turn.entries)


def _match(record: Record) -> Match:
    """Return the match of a record before its first deal."""
    own_seeds = drawn_by_deals(record)
    seeds = deal_seeds(record, record.deals[0]) if own_seeds else None
    try:
        seed = bytes.fromhex(record.seed) if record.seed else seed_bytes(0)
        match = Match(
            record.rules,
            record.players,
            seed=seed if seeds is None else seeds.deal_seed,
            name=record.name,
            first_dealer=None if record.dealer_drawn else record.first_dealer,
            own_seeds=own_seeds,
        )
    except (BuracoError, ValueError) as error:
        raise RecordError("record_match", error.message if isinstance(error, BuracoError) else str(error)) from None
    draw = match.dealer_draw
    if record.dealer_drawn and (draw.dealer, draw.rounds) != (record.first_dealer, record.dealer_rounds):
        raise RecordError("record_match", message("record.draw", seat=draw.dealer))
    return match


def _play(host: Host, record: Record) -> Iterator[ReplayStep]:
    for deal in record.deals:
        yield _begin(host, record, deal)
        for turn in deal.turns:
            for number, entry in enumerate(turn.entries, 1):
                yield _step(host, deal, turn, number, entry)
        if deal.outcome is not None:
            yield _end(host, deal)
        elif host.seat is None:
            raise _fault("record_outcome", _deal_place(deal), message("record.no_outcome"))
    match = host.match
    winner = f"side {match.winner}" if match.winner is not None else "draw" if match.over else ""
    if winner != record.winner:
        told, found = (_winner_text(one) for one in (record.winner, winner))
        raise RecordError("record_winner", message("record.winner", told=told, found=found))


def _winner_text(winner: str) -> str:
    """Return a winner as a record writes it, in words."""
    side = winner.removeprefix("side ")
    return (
        message("record.side", side=side) if side != winner else message("record.drawn" if winner else "record.nobody")
    )


def _fault(code: str, place: str, *reasons: str) -> RecordError:
    """Return the error that says at which place something does not hold, and why."""
    return RecordError(code, message("record.at", place=place, reason=joined("; ", reasons)), reasons)


def _deal_place(deal: DealRecord) -> str:
    return message("record.deal", deal=deal.number)


def _begin(host: Host, record: Record, deal: DealRecord) -> ReplayStep:
    count = None if deal.cut is None else deal.cut.count
    aim = None if deal.cut is None or deal.cut.aim < 0 else deal.cut.aim
    pack = played_pack(record, deal)
    try:
        start = host.next_deal(cut_count=count, cut_aim=aim, pack=pack)
    except BuracoError as error:
        raise _fault("record_deal", _deal_place(deal), error.message) from None
    faults = []
    if start.dealer != deal.dealer:
        faults.append(message("record.dealer", found=start.dealer, told=deal.dealer))
    if start.cut != deal.cut:
        faults.append(message("record.cut", found=_cut_text(start.cut), told=_cut_text(deal.cut)))
    if start.totals != deal.totals:
        faults.append(message("record.totals_before", found=_pair(start.totals), told=_pair(deal.totals)))
    if faults:
        raise _fault("record_deal", _deal_place(deal), *faults)
    return ReplayStep(kind="deal", deal=deal.number, position=host.position(), start=start)


def _pair(points: tuple[int, int]) -> str:
    return f"{points[0]}, {points[1]}"


def _cut_text(cut: Cut | None) -> str:
    """Return a cut as a record writes it."""
    if cut is None:
        return "-"
    return f"{cut.seat} {cut.count} {cut.points}" + (f" aim {cut.aim}" if cut.aim >= 0 else "")


def _step(host: Host, deal: DealRecord, turn: TurnRecord, number: int, entry: Entry) -> ReplayStep:
    place = message("record.action", deal=deal.number, turn=turn.number, seat=turn.seat, n=number, action=entry.text)
    if host.seat is None:
        raise _fault("record_turn", place, message("record.deal_over"))
    before = host.position()
    if (before.turn_count, before.seat) != (turn.number, turn.seat):
        raise _fault("record_turn", place, message("record.turn", turn=before.turn_count, seat=before.seat))
    try:
        if entry.action == UNDO:
            host.undo(turn.seat, count=entry.undone)
        else:
            host.act(turn.seat, entry.action)
    except IllegalAction as error:
        raise _fault(error.code, place, error.message) from None
    return ReplayStep(
        kind="undo" if entry.action == UNDO else "action",
        deal=deal.number,
        position=host.position(),
        turn=turn.number,
        seat=turn.seat,
        number=number,
        action=entry.action,
        undone=entry.undone,
        time_ms=entry.time_ms,
    )


def _end(host: Host, deal: DealRecord) -> ReplayStep:
    if host.seat is not None:
        raise _fault("record_outcome", _deal_place(deal), message("record.not_ended"))
    result, outcome = host.results[-1], deal.outcome
    found = Outcome(result.end_kind, result.out_seat, result.scores, result.totals)
    faults = [
        message(f"record.{name}", found=_told(getattr(found, name)), told=_told(getattr(outcome, name)))
        for name in ("end_kind", "out_seat", "scores", "totals")
        if getattr(found, name) != getattr(outcome, name)
    ]
    if faults:
        raise _fault("record_outcome", _deal_place(deal), *faults)
    return ReplayStep(kind="end", deal=deal.number, position=host.position(), result=result)


def _told(value: str | int | tuple[int, int]) -> str:
    """Return what an outcome says, as a record writes it."""
    if isinstance(value, tuple):
        return _pair(value)
    return "-" if value == -1 else str(value)
