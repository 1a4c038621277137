"""Runs the command line: the one place where errors become messages and exit codes."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import typer

from buraco.cli.common import (
    EXIT_INPUT,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_USAGE,
    CommandError,
    exit_code_of,
    language_of,
    os_reason,
    show_error,
)
from buraco.errors import BuracoError

__all__ = ["EXIT_BROKEN_PIPE", "run_application"]

EXIT_BROKEN_PIPE: Final = 141

# Set by the script of `buraco --show-completion`.
_COMPLETE: Final = "_BURACO_COMPLETE"

# Typer carries its own copy of click or uses the installed one; either way these are the bases of its errors.
_ClickError: type[Exception] = next(
    base for base in typer.BadParameter.__mro__ if issubclass(base, Exception) and base.__name__ == "ClickException"
)


def run_application(app: typer.Typer, arguments: Sequence[str]) -> int:
    """Run a command line (without the program's name) and return its exit code; errors are written, not raised."""
    _open_streams()
    _take_any_text()
    try:
        return _run(app, arguments, _Telling("--json" in arguments, _language(arguments)))
    except BrokenPipeError:
        # Whoever read our output has gone; nothing more can be said.
        return _give_up(EXIT_BROKEN_PIPE)
    except OSError as error:
        # Files have errors of their own, so this is the output: a full disk, most often.
        with contextlib.suppress(OSError):
            sys.stderr.write(f"buraco: cannot write {error.filename or 'the output'}: {os_reason(error)}\n")
        return _give_up(EXIT_INPUT)


@dataclass(frozen=True, slots=True)
class _Telling:
    """How errors are told: as JSON or to people, and in which language."""

    as_json: bool
    language: str

    def show(self, error: BuracoError, exit_code: int) -> int:
        """Write an error and return its exit code."""
        show_error(error, exit_code, as_json=self.as_json, language=self.language)
        return exit_code


def _language(arguments: Sequence[str]) -> str:
    """Return the language of errors, also of those that the command line itself has."""
    words = [word for argument in arguments for word in argument.split("=", 1)]
    wished = dict(pairwise(words)).get("--language", "")
    try:
        return language_of(wished)
    except CommandError:
        return language_of()


def _run(app: typer.Typer, arguments: Sequence[str], telling: _Telling) -> int:
    """Run a command line. Raises OSError where the output cannot be written."""
    try:
        command = typer.main.get_command(app)
        if os.environ.get(_COMPLETE):
            # A shell asks what a word may be completed to; it writes the answer, and ends.
            command.main(list(arguments), prog_name="buraco")
        # Not by calling the application: that would end the program itself after an interrupt or a closed pipe.
        with command.make_context("buraco", list(arguments), obj=telling.as_json) as context:
            command.invoke(context)
        sys.stdout.flush()
        return EXIT_OK
    except typer.Exit as end:
        sys.stdout.flush()
        return end.exit_code
    except SystemExit as end:
        # So Typer ends what it does for shells.
        sys.stdout.flush()
        return end.code if isinstance(end.code, int) else EXIT_OK
    except BuracoError as error:
        return telling.show(error, exit_code_of(error))
    except UnicodeEncodeError:
        # Bytes of the command line that are no text; the name of a file may hold such, nothing else.
        if all(word.isprintable() for word in arguments):
            raise
        told = CommandError("usage", "an argument is no text in UTF-8; only the name of a file may be", EXIT_USAGE)
        return telling.show(told, EXIT_USAGE)
    except _ClickError as error:
        return _usage_error(error, telling)
    except (KeyboardInterrupt, typer.Abort):
        return telling.show(BuracoError("interrupted", "interrupted"), EXIT_INTERRUPTED)


def _usage_error(error: BaseException, telling: _Telling) -> int:
    """Show an error of the command line itself: one line, and where the help is."""
    message = getattr(error, "format_message", lambda: str(error))().strip()
    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stdout.write(f"{message}\n" if message else "")
        return EXIT_USAGE
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "buraco"
    way_out = f"`{path} --help` shows what is possible"
    # Typer lists near commands and choices on lines of their own.
    words = " ".join(message.split()).rstrip(".")
    told = f"{words} {way_out}" if words.endswith("?") else f"{words}; {way_out}"
    return telling.show(CommandError("usage", told, EXIT_USAGE), EXIT_USAGE)


def _open_streams() -> None:
    """Open a standard stream that the caller has closed (``<&-``, ``>&-``) on nothing, so that it can be used as ever.

    The descriptors 0 to 2 have to be taken in order before any file is opened, or that file would be the stream.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        nothing = os.open(os.devnull, os.O_RDWR)
        setattr(sys, name, os.fdopen(nothing, "w" if number else "r", encoding="utf-8"))


def _give_up(exit_code: int) -> int:
    """Return the exit code, and let nothing be written any more, not even at the interpreter's end."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(nothing, stream.fileno())
    return exit_code


def _take_any_text() -> None:
    """Let bytes that are no text, and letters that the terminal does not know, be shown as ``?`` instead of failing."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
