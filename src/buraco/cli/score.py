"""``buraco score``: the score sheet of a position, or of every deal of a game record."""

from __future__ import annotations

import json
from collections.abc import Sequence

import typer
from rich.console import Console

from buraco.cards import card_text
from buraco.cli.common import JsonFlag, LanguageOption, console, language_of, naming, print_json
from buraco.cli.faces import Faces
from buraco.cli.judge import FileArgument, read_text, record_of_text
from buraco.cli.sheets import seat_names, sheet_table, side_names
from buraco.engine.match import DealResult
from buraco.engine.position import Position
from buraco.engine.scoresheet import ScoreSheet, score_sheet
from buraco.notation import Record, ReplayStep, parse_position, replay
from buraco.texts import text

__all__ = ["is_record", "register", "sheet_form"]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("score")(_score)


def is_record(content: str) -> bool:
    """Say whether a text is a game record, in either form, and not a position."""
    if content.lstrip()[:1] != "{":
        return content.split(maxsplit=1)[:1] == ["buraco-record"]
    try:
        form = json.loads(content)
    except (ValueError, RecursionError):
        # Whoever reads it as a position says what is wrong with it.
        return False
    return isinstance(form, dict) and form.get("format") == "buraco-record"


def _score(file: FileArgument, language: LanguageOption = "", as_json: JsonFlag = False) -> None:
    """Count a position, line by line, as if the deal ended now; or every deal of a game record.

    All hands must be known.

    A record is played again and checked; the exit code is 1 if it does not hold.
    """
    told = language_of(language)
    content, name = read_text(file)
    if is_record(content):
        record = record_of_text(content, name)
        with naming(name):
            steps = [step for step in replay(record) if step.result is not None]
        _show_deals(steps, record, told, as_json)
        return
    with naming(name):
        position = parse_position(content)
    sheets = (score_sheet(position, 0), score_sheet(position, 1))
    if as_json:
        print_json({"sides": [sheet_form(sheet) for sheet in sheets]})
        return
    _show_sheets(console(), sheets, position, seat_names(position.players, language=told), told)
    if any(position.totals):
        sums = [before + sheet.total for before, sheet in zip(position.totals, sheets, strict=True)]
        console().print(text("cli.score.with_totals", told, first=sums[0], second=sums[1]))


def _show_sheets(
    out: Console, sheets: Sequence[ScoreSheet], position: Position, names: Sequence[str], language: str
) -> None:
    sides = side_names(position.players, language=language)
    out.print(sheet_table(sheets, position, names, sides, Faces.of(out), language=language))


def _show_deals(steps: Sequence[ReplayStep], record: Record, language: str, as_json: bool) -> None:
    results = [(step.position, step.result) for step in steps if step.result is not None]
    if as_json:
        print_json({"deals": [_result_form(result) for _, result in results]})
        return
    out = console()
    if not results:
        out.print(text("cli.score.no_deal", language))
    names = [seat.name for seat in record.seats]
    for position, result in results:
        end, (first, second) = text(f"end_kind.{result.end_kind}", language), result.totals
        out.print(text("cli.score.deal", language, deal=result.number, end=end), soft_wrap=True)
        _show_sheets(out, result.sheets, position, names, language)
        out.print(text("cli.score.totals", language, deal=result.number, first=first, second=second) + "\n")


def _result_form(result: DealResult) -> dict[str, object]:
    return {
        "deal": result.number,
        "end_kind": result.end_kind,
        "out_seat": result.out_seat if result.out_seat >= 0 else None,
        "sides": [sheet_form(sheet) for sheet in result.sheets],
        "cut_points": list(result.cut_points),
        "totals": list(result.totals),
    }


def sheet_form(sheet: ScoreSheet) -> dict[str, object]:
    """Return a score sheet as plain JSON values; melds are numbered from 1, null where nothing applies."""
    lines = [
        {
            "kind": line.kind,
            "points": line.points,
            "cards": [card_text(card) for card in line.cards],
            "seat": line.seat if line.seat >= 0 else None,
            "meld_number": line.meld + 1 if line.meld >= 0 else None,
            "category": line.category or None,
        }
        for line in sheet.lines
    ]
    return {"side": sheet.side, "total": sheet.total, "lines": lines}
