"""The Typer application: the commands, and ``--version``.

A command lives in a module of its own with a function ``register(app)`` and stands in `COMMANDS`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Final

import typer

import buraco
from buraco.cli import admin, arena, backup, bot, db, doctor, judge, play, replay, rules, score, serve, simulate, verify
from buraco.cli.common import EXIT_OK, leave, print_json
from buraco.cli.running import run_application

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
    doctor.register,
)
"""What registers the commands, in the order in which the help lists them."""

_HELP: Final = """Buraco: play it against bots, referee it, simulate it.

`buraco play` starts a match in the terminal. All but `serve` and `arena report` take --json; exit codes are in
docs/cli.md."""


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
        help=_flowing(_HELP),
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    built.callback()(_options)
    for register in COMMANDS:
        register(built)
    _flow(built)
    return built


def _flowing(told: str) -> str:
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in told.split("\n\n"))


def _flow(group: typer.Typer) -> None:
    """Let the paragraphs of each help flow: Typer would keep the ends of lines that they have in the source."""
    for command in group.registered_commands:
        command.help = _flowing(inspect.cleandoc(command.help or inspect.getdoc(command.callback) or ""))
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            _flow(inner.typer_instance)


app: Final = _build()


def run(arguments: Sequence[str]) -> int:
    """Run a command line (without the program's name) and return its exit code; errors are written, not raised."""
    return run_application(app, arguments)
