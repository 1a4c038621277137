"""The command ``buraco``."""

from __future__ import annotations

import sys
from typing import NoReturn

from buraco.cli.app import app, run

__all__ = ["app", "main", "run"]


def main() -> NoReturn:
    """Run the command line of the process and end it with the exit code."""
    sys.exit(run(sys.argv[1:]))
