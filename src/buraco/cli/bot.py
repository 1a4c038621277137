"""``buraco bot``: one of the levels speaks the line protocol, so that other arenas can play against it."""

from __future__ import annotations

from typing import Annotated

import typer

from buraco.arena.answering import answer_arena
from buraco.bots import Bot, Limit, check_level, make_bot
from buraco.cli.common import JsonFlag

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("bot")(_bot)


def _bot(
    level: Annotated[str, typer.Argument(metavar="LEVEL", help="The level that plays.", show_default=False)],
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="What it draws from; else the seed that the arena gives.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, help="At most this many nodes a turn; the arena may say fewer.")
    ] = None,
    ms: Annotated[
        int | None,
        typer.Option("--ms", min=1, help="At most this many milliseconds a turn; the arena may say fewer."),
    ] = None,
    as_json: JsonFlag = False,  # noqa: ARG001 every line is JSON anyway
) -> None:
    """Let a level answer the line protocol on standard input and output.

    It ends with the line {"type":"end"} or with the input. The protocol is in docs/bot-protocol.md.
    """
    check_level(level)

    def make(given: int) -> Bot:
        return make_bot(level, given if seed is None else seed)

    answer_arena(make, name=f"buraco {level}", limit=Limit(ms=ms, nodes=nodes))
