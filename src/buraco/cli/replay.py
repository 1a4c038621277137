"""``buraco replay``: a game record step by step, every action and score checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Annotated

import typer
from rich.console import Console

from buraco.cli.common import EXIT_NO, JsonFlag, LanguageOption, console, fail, language_of, naming, print_json
from buraco.cli.judge import FileArgument, read_text, record_of_text
from buraco.engine.match import DealResult
from buraco.engine.position import Position
from buraco.notation import (
    Record,
    ReplayStep,
    format_position,
    position_json,
    replay,
)
from buraco.texts import text

__all__ = ["register"]

AtOption = Annotated[
    str,
    typer.Option("--at", metavar="DEAL.TURN", help="Write only the position before that turn, for buraco judge."),
]
QuietFlag = Annotated[bool, typer.Option("--quiet", "-q", help="Only check; write nothing but the last line.")]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("replay")(_replay)


def _replay(
    file: FileArgument,
    at: AtOption = "",
    quiet: QuietFlag = False,
    language: LanguageOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Play a game record again, turn by turn, and check every action, score and total.

    If something does not hold, the message says at which action and why.

    The exit code is then 1.
    """
    told = language_of(language)
    content, name = read_text(file)
    record = record_of_text(content, name)
    with naming(name):
        if at:
            _show_position(_position_at(record, at), as_json)
        elif as_json:
            _show_json(record)
        else:
            _show(record, console(), quiet, told)


def _show_json(record: Record) -> None:
    steps = list(replay(record))
    deals = [_deal_form(step.result) for step in steps if step.result is not None]
    actions = sum(step.kind in ("action", "undo") for step in steps)
    print_json({"holds": True, "deals": deals, "actions": actions, "winner": record.winner or None})


def _show(record: Record, out: Console, quiet: bool, language: str) -> None:
    actions = 0
    for (kind, _, _), group in groupby(replay(record), key=_block):
        steps = tuple(group)
        actions += len(steps) if kind == "turn" else 0
        if not quiet:
            for line in _lines(record, kind, steps, language):
                out.print(line, soft_wrap=True)
    kind = "winner" if record.winner else "not_over"
    winner = text(f"cli.replay.{kind}", language, winner=record.winner)
    told = text("cli.replay.holds", language, deals=len(record.deals), actions=actions, winner=winner)
    out.print(told, soft_wrap=True)


def _block(step: ReplayStep) -> tuple[str, int, int]:
    return ("turn" if step.kind in ("action", "undo") else step.kind, step.deal, step.turn)


def _lines(record: Record, kind: str, steps: tuple[ReplayStep, ...], language: str) -> Iterator[str]:
    step = steps[-1]
    if step.start is not None:
        totals = f"{step.start.totals[0]} {step.start.totals[1]}"
        yield text("cli.replay.deal", language, deal=step.deal, seat=step.start.dealer, totals=totals)
    elif kind == "turn":
        actions = "; ".join(one.entry.text for one in steps if one.entry is not None)
        yield f"{step.turn:4} {record.seats[step.seat].name}: {actions}"
    elif step.result is not None:
        result = step.result
        closed = result.out_seat >= 0
        name = record.seats[result.out_seat].name if closed else ""
        how = text(f"cli.replay.{'closed_by' if closed else result.end_kind}", language, name=name)
        scores, totals = (f"{pair[0]} {pair[1]}" for pair in (result.scores, result.totals))
        yield text("cli.replay.ended", language, deal=step.deal, how=how, scores=scores, totals=totals)


def _deal_form(result: DealResult) -> dict[str, object]:
    return {
        "deal": result.number,
        "end_kind": result.end_kind,
        "out_seat": result.out_seat if result.out_seat >= 0 else None,
        "scores": list(result.scores),
        "totals": list(result.totals),
    }


def _position_at(record: Record, at: str) -> Position:
    """Return the position before a turn, written ``DEAL.TURN``; everything up to there is checked."""
    match = re.fullmatch(r"([0-9]{1,6})\.([0-9]{1,6})", at)
    if not match:
        fail("usage", f"--at takes a deal and a turn such as 1.14, not {at[:40]!r}")
    deal, turn = int(match[1]), int(match[2])
    # Between two turns, and before the first, the position belongs to the turn that is about to begin.
    steps = (step for step in replay(record) if step.deal == deal and not step.position.over)
    found = next((step.position for step in steps if step.position.turn_count == turn), None)
    turns = [len(one.turns) for one in record.deals]
    there = f"deal {deal} has {turns[deal - 1]}, counted from 0" if 0 < deal <= len(turns) else f"deals: {len(turns)}"
    return found or fail("no_turn", f"the record has no turn {turn} in deal {deal}; {there}", EXIT_NO)


def _show_position(position: Position, as_json: bool) -> None:
    if as_json:
        print_json(position_json(position))
    else:
        console().print(format_position(position), soft_wrap=True)
