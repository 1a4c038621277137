"""The command ``buraco``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final, NoReturn

__all__ = ["main", "run"]

EXIT_INTERRUPTED: Final = 130


def run(arguments: Sequence[str]) -> int:
    """Run a command line (without the program's name) and return its exit code; errors are written, not raised."""
    # Here and not above: what takes time must lie inside of what hears Ctrl-C.
    try:
        from buraco.cli.app import run as run_command
    except ImportError as error:
        from buraco.cli.rescue import run_without

        return run_without(error, arguments)
    return run_command(arguments)


def main() -> NoReturn:
    """Run the command line of the process and end it with the exit code."""
    try:
        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        # Before the command began, or after it had ended.
        sys.exit(EXIT_INTERRUPTED)
