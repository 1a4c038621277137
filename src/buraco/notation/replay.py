"""Plays a game record again and checks everything in it: cards, actions, undos, scores, totals, the winner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from buraco.engine.host import Host
from buraco.engine.match import DealStart, Match
from buraco.engine.shuffle import seed_bytes
from buraco.errors import BuracoError, IllegalAction, RecordError
from buraco.notation.actions import format_action
from buraco.notation.evidence import deal_seeds, drawn_by_deals, played_pack
from buraco.notation.record import UNDO, DealRecord, Entry, Outcome, Record, TurnRecord

if TYPE_CHECKING:
    from buraco.engine.match import Cut, DealResult
    from buraco.engine.position import Position

__all__ = ["ReplayStep", "Restored", "replay", "restore"]


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


@dataclass(frozen=True, slots=True)
class Restored:
    """A match played again to where its record stops: its ``host``, and the ``starts`` of its deals."""

    host: Host
    starts: tuple[DealStart, ...]


def replay(record: Record) -> Iterator[ReplayStep]:
    """Play a record again, step by step.

    Raises RecordError at the first thing that does not hold, after the steps before it: the message says at which deal,
    turn and action and why, ``code`` is the refusal's code for an action, else ``record_match``, ``record_deal``,
    ``record_turn``, ``record_outcome`` or ``record_winner``.
    """
    return _play(Host(_match(record)), record)


def restore(record: Record, *, undo_allowed: bool = True) -> Restored:
    """Play a whole record again and return the match as it stands, to be played on.

    Later packs come from the seed of the record, so a match without one cannot be played on fairly.
    Raises RecordError as `replay` does, also where undos are recorded but not allowed (code ``record_undo``), or every
    deal had a seed of its own (code ``record_seed``), since only the server of that match can go on with those.
    """
    if drawn_by_deals(record):
        raise RecordError(
            "record_seed", "every deal of this match had seeds of its own, so it cannot be played on here"
        )
    if not undo_allowed and any(entry.action == UNDO for entry in _entries(record)):
        raise RecordError("record_undo", "the record has undos, so undos have to be allowed")
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
        raise RecordError("record_match", str(error)) from None
    draw = match.dealer_draw
    if record.dealer_drawn and (draw.dealer, draw.rounds) != (record.first_dealer, record.dealer_rounds):
        raise RecordError("record_match", f"the draw from the seed is another one: it makes seat {draw.dealer} deal")
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
            raise RecordError("record_outcome", f"deal {deal.number}: the deal has ended, but has no outcome")
    match = host.match
    winner = f"side {match.winner}" if match.winner is not None else "draw" if match.over else ""
    if winner != record.winner:
        told, found = record.winner or "nobody yet", winner or "nobody yet"
        raise RecordError("record_winner", f"the record says that the winner is {told}, but it is {found}")


def _begin(host: Host, record: Record, deal: DealRecord) -> ReplayStep:
    count = None if deal.cut is None else deal.cut.count
    aim = None if deal.cut is None or deal.cut.aim < 0 else deal.cut.aim
    pack = played_pack(record, deal)
    try:
        start = host.next_deal(cut_count=count, cut_aim=aim, pack=pack)
    except BuracoError as error:
        raise RecordError("record_deal", f"deal {deal.number}: {error.message}") from None
    faults = []
    if start.dealer != deal.dealer:
        faults.append(f"the dealer is seat {start.dealer}, not {deal.dealer}")
    if start.cut != deal.cut:
        faults.append(f"the cut is {_cut_text(start.cut)}, not {_cut_text(deal.cut)}")
    if start.totals != deal.totals:
        faults.append(f"the totals before it are {start.totals}, not {deal.totals}")
    if faults:
        raise RecordError("record_deal", f"deal {deal.number}: {'; '.join(faults)}", faults)
    return ReplayStep(kind="deal", deal=deal.number, position=host.position(), start=start)


def _cut_text(cut: Cut | None) -> str:
    """Return a cut as a record writes it."""
    if cut is None:
        return "none"
    return f"{cut.seat} {cut.count} {cut.points}" + (f" aim {cut.aim}" if cut.aim >= 0 else "")


def _step(host: Host, deal: DealRecord, turn: TurnRecord, number: int, entry: Entry) -> ReplayStep:
    text = f"undo {entry.undone}" if entry.action == UNDO else format_action(entry.action)
    place = f"deal {deal.number}, turn {turn.number}, seat {turn.seat}, action {number} ({text})"
    if host.seat is None:
        raise RecordError("record_turn", f"{place}: the deal has ended")
    before = host.position()
    if (before.turn_count, before.seat) != (turn.number, turn.seat):
        raise RecordError("record_turn", f"{place}: it is turn {before.turn_count}, and seat {before.seat} is to act")
    try:
        if entry.action == UNDO:
            host.undo(turn.seat, count=entry.undone)
        else:
            host.act(turn.seat, entry.action)
    except IllegalAction as error:
        raise RecordError(error.code, f"{place}: {error.message}") from None
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
        raise RecordError("record_outcome", f"deal {deal.number}: it has an outcome, but it has not ended")
    result, outcome = host.results[-1], deal.outcome
    found = Outcome(result.end_kind, result.out_seat, result.scores, result.totals)
    faults = [
        f"{name} is {getattr(found, name)}, not {getattr(outcome, name)}"
        for name in ("end_kind", "out_seat", "scores", "totals")
        if getattr(found, name) != getattr(outcome, name)
    ]
    if faults:
        raise RecordError("record_outcome", f"deal {deal.number}: {'; '.join(faults)}", faults)
    return ReplayStep(kind="end", deal=deal.number, position=host.position(), result=result)
