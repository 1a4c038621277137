"""The command where a part of the package cannot be loaded: it says so, and the doctor still works."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from buraco.cli import doctor
from buraco.cli.common import EXIT_INPUT, CommandError
from buraco.cli.running import run_application
from buraco.texts import message

__all__ = ["run_without"]


def run_without(error: ImportError, arguments: Sequence[str]) -> int:
    """Run a command line where an import failed, and return its exit code; all but the doctor tells what is missing."""
    app = typer.Typer(name="buraco", add_completion=False, pretty_exceptions_enable=False)

    def fail(_: typer.Context) -> None:
        raise CommandError("broken", message("cli.doctor.broken", reason=str(error)), EXIT_INPUT)

    if arguments[:1] == ["doctor"]:
        app.callback()(lambda: None)
        doctor.register(app)
    else:
        lenient = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
        app.command(context_settings=lenient)(fail)
    return run_application(app, arguments)
