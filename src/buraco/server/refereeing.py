"""What the referee works out for a request: plain functions of plain values, so that another process can run them."""

from __future__ import annotations

import json
from typing import Any, Final

from buraco.errors import ParseError, RecordError
from buraco.notation import (
    Judgement,
    Record,
    finding_json,
    format_action,
    judge,
    legal_actions,
    parse_position,
    parse_record,
    parse_witness,
    position_from_json,
    position_json,
    record_from_json,
    replay,
    verify,
)
from buraco.server.http.forms import ActionForm
from buraco.server.http.referee_forms import (
    DealForm,
    Judged,
    JudgeForm,
    JudgementForm,
    RecordForm,
    Replayed,
    Verified,
    VerifyForm,
)
from buraco.server.probe import rule_place
from buraco.texts import in_language, message

__all__ = ["STEPS_MAX", "judged", "read_record", "replayed", "verified"]

STEPS_MAX: Final = 50_000
"""The longest record that is played, in steps."""


def judged(form: JudgeForm, language: str) -> Judged:
    """Judge a position, or an action in it. Raises ParseError, PositionError."""
    given = form.position
    position = parse_position(given) if isinstance(given, str) else position_from_json(_whole(given))
    if form.action is None:
        legal = tuple(_action(action) for action in legal_actions(position))
        return Judged(seat=position.seat, phase=position.phase, legal=legal, judgements=None)
    judgements = tuple(_judgement(one, language) for one in judge(position, form.action))
    return Judged(seat=position.seat, phase=position.phase, legal=None, judgements=judgements)


def _action(action: int) -> ActionForm:
    return ActionForm(id=action, text=format_action(action))


def _judgement(one: Judgement, language: str) -> JudgementForm:
    return JudgementForm(
        action=_action(one.action) if one.action >= 0 else None,
        legal=one.legal,
        code=one.code,
        text=in_language(one.text, language),
        citation=in_language(one.citation, language),
        rule=rule_place(one.rule),
        position=None if one.position is None else dict(position_json(one.position)),
    )


def read_record(given: str | dict[str, Any]) -> Record:
    """Return a record that is short enough to be played here. Raises ParseError, RecordError (``record_too_long``)."""
    form = given if isinstance(given, str) else _whole(given)
    try:
        record = parse_record(form) if isinstance(form, str) else record_from_json(form)
    except ParseError as error:
        # The form's fault is for programmers, in English; around it people read in their language what was expected.
        raise ParseError(error.code, message("http.not_record", reason=error.message)) from None
    if sum(2 + sum(len(turn.entries) for turn in deal.turns) for deal in record.deals) > STEPS_MAX:
        raise RecordError("record_too_long", message("http.record_steps", most=STEPS_MAX))
    return record


def replayed(form: RecordForm) -> Replayed:
    """Play a record again. Raises ParseError, RecordError."""
    record = read_record(form.record)
    deals: list[DealForm] = []
    actions = 0
    for step in replay(record):
        actions += step.kind in ("action", "undo")
        if step.result is not None:
            end = step.result
            out = end.out_seat if end.out_seat >= 0 else None
            deals.append(
                DealForm(deal=end.number, end_kind=end.end_kind, out_seat=out, scores=end.scores, totals=end.totals)
            )
    return Replayed(deals=tuple(deals), actions=actions, winner=record.winner)


def verified(form: VerifyForm, language: str) -> Verified:
    """Verify the shuffles of a record. Raises ParseError, RecordError."""
    record = read_record(form.record)
    witnesses = [parse_witness(one if isinstance(one, str) else json.dumps(_whole(one))) for one in form.witnesses]
    found = verify(record, witnesses)
    return Verified(
        holds=not any(finding.fault for finding in found),
        deals=len(record.deals),
        findings=tuple(finding_json(finding, language) for finding in found),
    )


def _whole(form: dict[str, Any]) -> object:
    """Return a form without the fractions that the notation does not know. Raises ParseError (code ``invalid``)."""
    if any(isinstance(value, float) for value in _leaves(form)):
        raise ParseError("invalid", message("http.whole_numbers"))
    return json.loads(json.dumps(form))


def _leaves(value: object) -> list[object]:
    found: list[object] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
        else:
            found.append(one)
    return found
