"""The other end of the line protocol: a bot of Python answers an arena, line by line (docs/bot-protocol.md)."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator

from buraco.arena.lines import (
    PROTOCOL,
    REQUEST_CHARACTERS_MAX,
    SEED_COUNT,
    action_line,
    error_line,
    hello_answer,
    read_request,
    view_of_request,
)
from buraco.bots import Bot, Limit
from buraco.errors import BuracoError, ParseError

__all__ = ["answer_arena", "answer_lines", "tighter"]


def tighter(one: Limit, other: Limit) -> Limit:
    """Return a limit that keeps both limits."""
    return Limit(ms=_smaller(one.ms, other.ms), nodes=_smaller(one.nodes, other.nodes))


def _smaller(one: int | None, other: int | None) -> int | None:
    given = [value for value in (one, other) if value is not None]
    return min(given) if given else None


def answer_arena(make: Callable[[int], Bot], *, name: str, limit: Limit | None = None) -> None:
    """Let a bot play as a program: answer an arena on standard input and output until it says that this was all.

    ``make`` makes the bot for the seed that the arena gives, ``name`` is shown, and ``limit`` holds beside the arena's.
    What the bot prints meanwhile goes to standard error, since standard output is for the protocol alone. What it
    raises is raised here: the program ends, and the arena tells the last of what stands on standard error.
    """
    output = sys.stdout.buffer

    def write(line: bytes) -> None:
        output.write(line)
        output.flush()

    with contextlib.redirect_stdout(sys.stderr):
        answer_lines(_input_lines(), write, make, limit or Limit(), name)


def _input_lines() -> Iterator[str]:
    """Yield the lines of standard input; of one that is too long no more than shows that it is."""
    while line := sys.stdin.buffer.readline(4 * REQUEST_CHARACTERS_MAX):
        yield line.decode("utf-8", "replace")


def answer_lines(
    lines: Iterable[str], write: Callable[[bytes], None], make: Callable[[int], Bot], limit: Limit, name: str
) -> None:
    """Answer the lines of an arena until it says that this was all, or they end.

    ``make`` makes the bot for the seed that the arena gives; ``limit`` holds beside the limits of the arena. A line
    that cannot be answered gets an ``error``, and the next one is answered again.
    """
    bot = make(0)
    for line in lines:
        try:
            request = read_request(line)
            kind = request.get("type")
            if kind == "end":
                return
            if kind == "hello":
                bot = make(_seed(request))
                write(hello_answer(name))
            elif kind == "choose":
                number, view, wished = view_of_request(request)
                write(action_line(number, bot.choose(view, tighter(wished, limit))))
            elif kind != "rules":
                raise ParseError("bot_line", "type is one of hello, rules, choose and end")
        except BuracoError as error:
            write(error_line(error.code, error.message))


def _seed(request: dict[str, object]) -> int:
    """Return the seed of a `hello`. Raises ParseError (code ``bot_line``), also for another protocol."""
    if request.get("protocol") != PROTOCOL or request["protocol"] is True:
        raise ParseError("bot_line", f"this bot speaks protocol {PROTOCOL}")
    seed = request.get("seed", 0)
    if type(seed) is not int or not 0 <= seed < SEED_COUNT:
        raise ParseError("bot_line", f"seed is a whole number from 0, below {SEED_COUNT}")
    return seed
