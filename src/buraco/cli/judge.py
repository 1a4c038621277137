"""``buraco judge``: what is legal in a position, and why something else is not."""

from __future__ import annotations

from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from buraco.cli.common import EXIT_NO, JsonFlag, console, leave, print_json, read_input
from buraco.engine.position import Position
from buraco.notation import (
    Judgement,
    action_json,
    format_action,
    format_position,
    judge,
    legal_actions,
    parse_position,
    position_json,
)

__all__ = ["FileArgument", "read_text", "register"]

FileArgument = Annotated[
    str, typer.Argument(metavar="FILE|-", help="A file, - for standard input, or the text itself.", show_default=False)
]
_HEADS: Final = ("buraco-position", "buraco-record", "{")


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("judge")(_judge)


def read_text(name: str) -> str:
    """Return the text of a file or of standard input (``-``); a position or record given instead of a name is itself.

    Raises CommandError (code ``file``).
    """
    return name if name.lstrip().startswith(_HEADS) else read_input(name)


def _judge(
    file: FileArgument,
    action: Annotated[
        list[str] | None, typer.Argument(metavar="ACTION", help="Such as: m 3h 4h 5h", show_default=False)
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Say what is legal in a position, or whether an action is, with the rule.

    Without ACTION: all legal actions. With it: legal or not, why, and the position after it.

    The exit code is 1 if it is not legal.

    Cards may be hidden, all but the hand of the seat to act.
    """
    position = parse_position(read_text(file))
    if action:
        _show_judgements(judge(position, " ".join(action)), " ".join(action), as_json)
    else:
        _show_legal(position, as_json)


def _show_legal(position: Position, as_json: bool) -> None:
    actions = legal_actions(position)
    if as_json:
        legal = [{"id": action, "text": format_action(action), "action": action_json(action)} for action in actions]
        print_json({"seat": position.seat, "phase": position.phase, "legal": legal})
        return
    out = console()
    if position.over:
        out.print("The deal is over; nothing is legal.")
        return
    if not actions:
        out.print(f"Seat {position.seat}, phase {position.phase}: nothing is legal; no play leads to this position.")
        return
    count = "1 legal action" if len(actions) == 1 else f"{len(actions)} legal actions"
    out.print(f"Seat {position.seat} is to act, phase {position.phase}: {count}")
    for action in actions:
        out.print(f"  {format_action(action)}", soft_wrap=True)


def _show_judgements(judgements: tuple[Judgement, ...], typed: str, as_json: bool) -> None:
    legal = judgements[0].legal
    if as_json:
        print_json({"legal": legal, "judgements": [_form(one) for one in judgements]})
    else:
        out = console()
        for one in judgements:
            _show(out, one, typed)
    if not legal:
        leave(EXIT_NO)


def _show(out: Console, one: Judgement, typed: str) -> None:
    name = format_action(one.action) if one.action >= 0 else typed
    if one.legal:
        out.print(Text.assemble(("legal", "bold green"), f": {name}"), soft_wrap=True)
        after = "depends on hidden cards" if one.position is None else format_position(one.position)
        out.print(f"  after it: {after}", soft_wrap=True)
        return
    out.print(Text.assemble(("not legal", "bold red"), f": {name}"), soft_wrap=True)
    out.print(f"  {one.text}", soft_wrap=True)
    out.print(f"  code {one.code}; {one.citation}", soft_wrap=True)


def _form(one: Judgement) -> dict[str, object]:
    known = one.action >= 0
    return {
        "id": one.action if known else None,
        "text": format_action(one.action) if known else None,
        "action": action_json(one.action) if known else None,
        "legal": one.legal,
        "code": one.code,
        "reason": one.text,
        "citation": one.citation,
        "position": None if one.position is None else position_json(one.position),
    }
