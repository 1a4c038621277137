"""``buraco bot``: one of the levels speaks the line protocol, so that other arenas can play against it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from buraco.arena.answering import answer_lines
from buraco.arena.lines import REQUEST_CHARACTERS_MAX
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

    answer_lines(_lines(), _write, make, Limit(ms=ms, nodes=nodes), f"buraco {level}")


def _lines() -> Iterator[str]:
    """Yield the lines of standard input; of one that is too long no more than shows that it is."""
    while line := sys.stdin.buffer.readline(4 * REQUEST_CHARACTERS_MAX):
        yield line.decode("utf-8", "replace")


def _write(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
