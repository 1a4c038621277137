"""``buraco judge``: what is legal in a position, and why something else is not."""

from __future__ import annotations

from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from buraco.cli.common import (
    EXIT_INPUT,
    EXIT_NO,
    STDIN,
    JsonFlag,
    LanguageOption,
    console,
    fail,
    language_of,
    leave,
    naming,
    no_record,
    print_json,
    read_input,
)
from buraco.cli.words import sentence
from buraco.engine.position import Position
from buraco.errors import ParseError
from buraco.notation import (
    Judgement,
    Record,
    action_json,
    format_action,
    format_position,
    judge,
    legal_actions,
    parse_position,
    parse_record,
    position_json,
)
from buraco.texts import in_language, text

__all__ = ["FileArgument", "read_text", "record_of_text", "register"]

FileArgument = Annotated[
    str, typer.Argument(metavar="FILE|-", help="A file, - for standard input, or the text itself.", show_default=False)
]
_HEADS: Final = ("buraco-position", "buraco-record", "{")


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("judge")(_judge)


def read_text(name: str) -> tuple[str, str]:
    """Return the text of a file or of standard input (``-``), and that name for `naming`; a position or record given
    instead of a name is itself, and has none.

    Raises CommandError (code ``file``).
    """
    return (name, "") if name.lstrip().startswith(_HEADS) else (read_input(name), name)


def record_of_text(content: str, name: str) -> Record:
    """Return the record of a text that was read by `read_text`. Raises ParseError, which names the file."""
    try:
        return parse_record(content)
    except ParseError as error:
        source = "standard input" if name == STDIN else name or "the text"
        raise ParseError(error.code, no_record(source, error)) from None


def _judge(
    file: FileArgument,
    action: Annotated[
        list[str] | None, typer.Argument(metavar="ACTION", help="Such as: m 3h 4h 5h", show_default=False)
    ] = None,
    language: LanguageOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Say what is legal in a position, or whether an action is, with the rule.

    Without ACTION: all legal actions. With it: legal or not, why, and the position after it.

    The exit code is 1 if it is not legal.

    Cards may be hidden, all but the hand of the seat to act.
    """
    told = language_of(language)
    content, name = read_text(file)
    if content.lstrip("\ufeff \n").startswith("buraco-record"):
        way_out = "`buraco replay FILE --at DEAL.TURN` writes a position of it"
        fail("no_position", f"this is the record of a match, not a position; {way_out}", EXIT_INPUT)
    with naming(name):
        position = parse_position(content)
    if action:
        _show_judgements(judge(position, " ".join(action)), " ".join(action), told, as_json)
    else:
        _show_legal(position, told, as_json)


def _show_legal(position: Position, language: str, as_json: bool) -> None:
    actions = legal_actions(position)
    if as_json:
        legal = [{"id": action, "text": format_action(action), "action": action_json(action)} for action in actions]
        print_json({"seat": position.seat, "phase": position.phase, "legal": legal})
        return
    out = console()
    if position.over:
        out.print(sentence("judge.over", language))
        return
    if not actions:
        out.print(sentence("judge.nothing", language, seat=position.seat, phase=position.phase))
        return
    out.print(sentence("judge.actions", language, seat=position.seat, phase=position.phase, n=len(actions)))
    for action in actions:
        out.print(f"  {format_action(action)}", soft_wrap=True)


def _show_judgements(judgements: tuple[Judgement, ...], typed: str, language: str, as_json: bool) -> None:
    legal = judgements[0].legal
    if as_json:
        print_json({"legal": legal, "judgements": [_form(one, language) for one in judgements]})
    else:
        out = console()
        for one in judgements:
            _show(out, one, typed, language)
    if not legal:
        leave(EXIT_NO)


def _show(out: Console, one: Judgement, typed: str, language: str) -> None:
    name = format_action(one.action) if one.action >= 0 else typed
    if one.legal:
        out.print(Text.assemble((text("cli.judge.legal", language), "bold green"), f": {name}"), soft_wrap=True)
        depends = text("cli.judge.depends", language)
        after = depends if one.position is None else format_position(one.position)
        out.print(f"  {text('cli.judge.after', language, position=after)}", soft_wrap=True)
        return
    out.print(Text.assemble((text("cli.judge.not_legal", language), "bold red"), f": {name}"), soft_wrap=True)
    citation = in_language(one.citation, language)
    out.print(f"  {in_language(one.text, language)}", soft_wrap=True)
    out.print(f"  {text('cli.judge.code', language, code=one.code, citation=citation)}", soft_wrap=True)


def _form(one: Judgement, language: str) -> dict[str, object]:
    known = one.action >= 0
    return {
        "id": one.action if known else None,
        "text": format_action(one.action) if known else None,
        "action": action_json(one.action) if known else None,
        "legal": one.legal,
        "code": one.code,
        "reason": in_language(one.text, language),
        "citation": in_language(one.citation, language),
        "position": None if one.position is None else position_json(one.position),
    }
