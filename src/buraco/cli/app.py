"""The Typer application: the commands, ``--version``, and the one place where errors become messages and exit codes.

A command lives in a module of its own with a function ``register(app)`` and stands in `COMMANDS`.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Final

import typer

import buraco
from buraco.cli import admin, arena, backup, bot, db, judge, play, replay, rules, score, serve, simulate, verify
from buraco.cli.common import (
    EXIT_INPUT,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_USAGE,
    CommandError,
    exit_code_of,
    language_of,
    leave,
    os_reason,
    print_json,
    show_error,
)
from buraco.errors import BuracoError

__all__ = ["COMMANDS", "app", "run"]

COMMANDS: Final[tuple[Callable[[typer.Typer], None], ...]] = (
    play.register,
    judge.register,
    score.register,
    replay.register,
    verify.register,
    rules.register,
    simulate.register,
    arena.register,
    bot.register,
    serve.register,
    backup.register,
    admin.register,
    db.register,
)
"""What registers the commands, in the order in which the help lists them."""

EXIT_BROKEN_PIPE: Final = 141

# Typer carries its own copy of click or uses the installed one; either way these are the bases of its errors.
_ClickError: type[Exception] = next(
    base for base in typer.BadParameter.__mro__ if issubclass(base, Exception) and base.__name__ == "ClickException"
)

_HELP: Final = """Buraco: play it against bots, referee it, simulate it.

`buraco play` starts a match in the terminal. Every command takes --json; exit codes are in docs/cli.md."""


def _version(context: typer.Context, wanted: bool) -> None:
    if wanted:
        kind = buraco.build_kind()
        # Whether --json was given at all, wherever: see `run`.
        if context.obj:
            print_json({"version": buraco.__version__, "engine": kind})
        else:
            sys.stdout.write(f"buraco {buraco.__version__} ({kind} engine)\n")
        leave(EXIT_OK)


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version and which build runs.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", hidden=True)] = False,
) -> None:
    """Take the options that stand before a command."""


def _build() -> typer.Typer:
    built = typer.Typer(
        name="buraco",
        help=_HELP,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    built.callback()(_options)
    for register in COMMANDS:
        register(built)
    return built


app: Final = _build()


def run(arguments: Sequence[str]) -> int:
    """Run a command line (without the program's name) and return its exit code; errors are written, not raised."""
    _open_streams()
    _take_any_text()
    try:
        return _run(arguments, _Telling("--json" in arguments, _language(arguments)))
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


def _run(arguments: Sequence[str], telling: _Telling) -> int:
    """Run a command line. Raises OSError where the output cannot be written."""
    try:
        # Not by calling the application: that would end the program itself after an interrupt or a closed pipe.
        command = typer.main.get_command(app)
        with command.make_context("buraco", list(arguments), obj=telling.as_json) as context:
            command.invoke(context)
        sys.stdout.flush()
        return EXIT_OK
    except typer.Exit as end:
        sys.stdout.flush()
        return end.exit_code
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
    return telling.show(CommandError("usage", f"{words}; {way_out}", EXIT_USAGE), EXIT_USAGE)


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
