"""A recorded deal step by step, for a page that shows it: plain functions, so that another process can run them."""

from __future__ import annotations

import gzip
from typing import Final

import msgspec

from buraco.bots import Limit, bot_levels, make_bot
from buraco.engine import Host, SeatView
from buraco.engine.events import Event
from buraco.engine.position import Position, hide
from buraco.errors import BuracoError, RecordError
from buraco.notation import Record, format_action, format_position, host_of, replay
from buraco.notation.record import UNDO, Entry, TurnRecord
from buraco.notation.replay import ReplayStep as Step
from buraco.rules import title_in, to_json
from buraco.server.explaining import reason_texts, weighed
from buraco.server.game_events import from_engine
from buraco.server.http.referee_forms import (
    PositionText,
    RecordFault,
    ReplayedDeal,
    ReplayForm,
    ReplayPositionForm,
    ReplaySeat,
    ReplayStep,
)
from buraco.server.messages import ExplainResult
from buraco.server.probe import rule_place
from buraco.server.refereeing import read_record
from buraco.server.shown import View
from buraco.server.snapshots import MeldBook, deal_summaries, view_form
from buraco.texts import in_language, joined, message

__all__ = ["DEAL_STEPS_MAX", "replay_position", "replayed_deal"]

DEAL_STEPS_MAX: Final = 3000
"""The most steps of one deal that are shown. A deal has a few hundred; only undoing again and again makes more."""

#: How long a bot may think that is asked again, in nodes: a fraction of a second.
_ASKED_NODES: Final = 20_000


def replayed_deal(form: ReplayForm, language: str, packed: bool = False) -> bytes:
    """Play a whole record again and return a `ReplayedDeal` as JSON, packed by gzip where that is wanted: it becomes a
    thirtieth. A record that does not hold is no error here.

    Raises ParseError; RecordError (``record_too_long``); BuracoError (``no_such_deal``, ``no_seat``).
    """
    record = read_record(form.record)
    _check(record, form.deal, form.seat)
    if sum(len(turn.entries) for turn in record.deals[form.deal - 1].turns) > DEAL_STEPS_MAX:
        raise RecordError("record_too_long", message("http.record_steps", most=DEAL_STEPS_MAX))
    host: Host | None = None
    fault = None
    walk = _Walk(record)
    try:
        host = host_of(record)
        walk.go(host, form.deal, form.seat)
    except RecordError as error:
        fault = walk.fault(host, error, language)
    rules = record.rules
    told = msgspec.json.encode(
        ReplayedDeal(
            name=record.name,
            rules_name=rules.name,
            rules_title=title_in(rules, language),
            rules=to_json(rules),
            players=record.players,
            seats=tuple(ReplaySeat(name=seat.name, bot=seat.bot) for seat in record.seats),
            tags=dict(record.tags),
            winner=record.winner,
            deals=() if host is None else deal_summaries(host),
            deal_count=len(record.deals),
            deal=form.deal,
            steps=tuple(walk.steps),
            fault=fault,
        )
    )
    return gzip.compress(told, 5) if packed else told


def replay_position(form: ReplayPositionForm, language: str) -> PositionText:
    """Return the position after a step of a recorded deal, and what the bot that took the step says of it.

    A record keeps no reasons: the bot is asked again, with the same hand. What it says is told only to
    those who see its hand.

    Raises ParseError; RecordError, also where the record does not hold before that step; BuracoError (``no_such_deal``,
    ``no_such_step``, ``no_seat``).
    """
    record = read_record(form.record)
    _check(record, form.deal, form.seat)
    # The end of a deal is no step of its own: it is the position after the last action.
    host = host_of(record)
    steps = (step for step in replay(record, host) if step.deal == form.deal and step.kind != "end")
    asked: ExplainResult | None = None
    for number, step in enumerate(steps):
        if number == form.step:
            shown = step.position if form.seat is None else hide(step.position, form.seat)
            acted = step.entry is not None and step.entry.action != UNDO
            return PositionText(position=format_position(shown), asked=asked if acted else None)
        if number == form.step - 1 and host.seat is not None and form.seat in (None, host.seat):
            asked = _asked(record, host, host.seat, language)
    raise BuracoError("no_such_step", message("http.no_such_step"))


def _asked(record: Record, host: Host, seat: int, language: str) -> ExplainResult | None:
    """Return what the bot of a seat would do now, and why; None where no bot of ours is known to have the seat.

    Under a limit of nodes alone the same position gives the same answer, on any computer.
    """
    level = record.seats[seat].bot
    if level not in bot_levels():
        return None
    decision = make_bot(level).choose(host.view(seat), Limit(nodes=_ASKED_NODES))
    return ExplainResult(
        seat=seat,
        level=level,
        action=decision.action,
        text=format_action(decision.action),
        reasons=reason_texts(decision.reasons, language),
        evaluation=decision.evaluation,
        alternatives=weighed(decision),
    )


def _check(record: Record, deal: int, seat: int | None) -> None:
    if deal > len(record.deals):
        raise BuracoError("no_such_deal", message("http.no_such_deal", n=len(record.deals)))
    if seat is not None and seat >= record.players:
        raise BuracoError("no_seat", message("http.no_such_seat"))


class _Walk:
    """The way through a record: where it is, so that a fault has a place."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._deal = 0
        self._number = 0
        self._heard = 0
        self._book = MeldBook()
        self.steps: list[ReplayStep] = []

    def go(self, host: Host, deal: int, seat: int | None) -> None:
        """Play the record; keep the steps of one deal as a seat saw them, or with every hand open (None).

        Raises RecordError as `buraco.notation.replay` does.
        """
        for step in replay(self._record, host):
            if step.kind == "end":
                continue
            if step.kind == "deal":
                self._deal, self._number = step.deal, 0
            else:
                self._number += 1
            events = self._events(host, seat)
            if step.deal == deal:
                view = view_form(host, _seen(host, step.position, seat), self._book)
                self.steps.append(_shown(step, events, view))

    def _events(self, host: Host, seat: int | None) -> list[Event]:
        """Return what happened since the last step, in order."""
        seats = range(self._record.players) if seat is None else (seat,)
        found = {event.number: event for one in seats for event in host.events(one, self._heard)}
        self._heard = max(found, default=self._heard - 1) + 1
        return [found[number] for number in sorted(found)]

    def fault(self, host: Host | None, error: RecordError, language: str) -> RecordFault:
        """Return where the way ended, and why."""
        outside = host is None or error.code in ("record_match", "record_winner")
        # What is wrong with a deal itself is found before it is dealt, or after its last action.
        turn, entry = (None, None) if outside or error.code == "record_outcome" else self._next()
        begins = error.code == "record_deal"
        told = None if begins else entry
        refusal = None
        if host is not None and turn is not None and entry is not None and not error.code.startswith("record_"):
            refusal = host.why(turn.seat, entry.action) if entry.action != UNDO else None
        return RecordFault(
            deal=None if outside else self._deal + begins,
            step=0 if begins or host is None else self._number + 1,
            turn=None if begins or turn is None else turn.number,
            seat=None if begins or turn is None else turn.seat,
            action="" if told is None else told.text,
            number=None if told is None or told.action == UNDO else told.action,
            undone=0 if told is None else told.undone,
            code=error.code,
            text=in_language(joined("; ", error.reasons), language),
            citation="" if refusal is None else in_language(refusal.citation, language),
            rule=None if refusal is None else rule_place(refusal.rule),
        )

    def _next(self) -> tuple[TurnRecord | None, Entry | None]:
        """Return the entry after the last that held."""
        turns = self._record.deals[self._deal - 1].turns if self._deal else ()
        entries = [(turn, entry) for turn in turns for entry in turn.entries]
        return entries[self._number] if self._number < len(entries) else (None, None)


def _shown(step: Step, events: list[Event], view: View) -> ReplayStep:
    begins, entry = step.kind == "deal", step.entry
    return ReplayStep(
        turn=None if begins else step.turn,
        seat=None if begins else step.seat,
        action="" if entry is None else entry.text,
        at_ms=step.time_ms if step.time_ms >= 0 else None,
        events=tuple(from_engine(event) for event in events),
        view=view,
    )


def _seen(host: Host, position: Position, seat: int | None) -> SeatView:
    shown = position if seat is None else hide(position, seat)
    return SeatView(shown, seat, (), host.state_number)
