"""Where a player's lines come from, and how signals reach the match: only while it waits for a line."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Final, Protocol, TextIO

__all__ = ["LINE_MAX", "Lines", "PipedLines", "Signalled", "Signals", "TypedLines", "stdin_is_terminal"]

LINE_MAX: Final = 1000
"""The longest line that is read, in characters; the rest of a longer one is dropped and the line is refused."""

_CAUGHT: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Signalled(Exception):
    """A signal asked the program to end; ``number`` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(f"signal {number}")
        self.number = number


class Lines(Protocol):
    """A source of lines."""

    typed: bool
    """Whether a person types them at a terminal."""

    def read(self, prompt: str) -> str | None:
        """Return the next line without its end, None at the end of the input."""


class TypedLines:
    """Lines typed at a terminal, with a prompt, editing and history."""

    typed = True

    def __init__(self) -> None:
        # Importing it gives input() line editing and a history.
        import readline  # noqa: F401

    def read(self, prompt: str) -> str | None:
        """Return the next line without its end, None at the end of the input (Ctrl-D)."""
        try:
            return input(prompt)
        except EOFError:
            sys.stdout.write("\n")
            return None


class PipedLines:
    """Lines from a pipe or a file, echoed behind their prompts, so that the output reads like a session."""

    typed = False

    def __init__(self, source: TextIO, echo: Callable[[str], None]) -> None:
        self._source = source
        self._echo = echo
        self._next: str | None = None

    def empty(self) -> bool:
        """Say whether there is no line at all; waits for the first one."""
        self._next = self._line()
        return self._next is None

    def read(self, prompt: str) -> str | None:
        """Return the next line without its end, None at the end of the input."""
        # The prompt goes first: whoever writes the lines may wait for it.
        self._echo(prompt)
        line = self._next if self._next is not None else self._line()
        self._next = None
        self._echo("\n" if line is None else line[:LINE_MAX] + "\n")
        return line

    def _line(self) -> str | None:
        rest = line = self._source.readline(LINE_MAX + 1)
        while len(rest) > LINE_MAX and not rest.endswith("\n"):
            rest = self._source.readline(LINE_MAX + 1)
        return line.rstrip("\r\n") if line else None


class Signals:
    """While it is entered, SIGINT, SIGTERM and SIGHUP raise `Signalled` in `wait`, never in the middle of an action."""

    def __init__(self) -> None:
        self._pending = 0
        self._waiting = False
        self._before: dict[int, object] = {}

    def __enter__(self) -> Signals:
        for number in _CAUGHT:
            self._before[number] = signal.signal(number, self._caught)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]

    def wait(self, read: Callable[[str], str | None], prompt: str) -> str | None:
        """Return what ``read`` returns for the prompt. Raises Signalled when a signal came before or comes now."""
        self._waiting = True
        try:
            if self._pending:
                raise Signalled(self._pending)
            return read(prompt)
        finally:
            self._waiting = False

    def _caught(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 the signature is Python's
        self._pending = number
        if self._waiting:
            raise Signalled(number)


def stdin_is_terminal() -> bool:
    """Say whether a person types at standard input."""
    return sys.stdin is not None and sys.stdin.isatty()
