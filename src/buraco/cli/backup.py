"""``buraco backup``: a copy of the server's database, also while the server runs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from buraco.cli.common import JsonFlag, console, language_of, print_json
from buraco.cli.db import DatabaseOption, DataOption
from buraco.cli.serve import settings_from
from buraco.texts import text

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("backup")(_backup)


def _backup(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The new file; else one in the data folder.")
    ] = None,
    data: DataOption = None,
    database_url: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Copy the server's database to a new file: whole, as of one moment, checked. The server may run meanwhile.

    To go back to a backup stop the server and put the file in the place of buraco.db in the data folder, without the
    files buraco.db-wal and buraco.db-shm that lie beside the old one.
    """
    settings = settings_from({"data": data, "database_url": database_url})
    from buraco.server.backup import backup, default_target

    target = file or default_target(settings, time.time_ns() // 1_000_000)
    size = backup(settings, target)
    if as_json:
        print_json({"file": str(target), "bytes": size})
    else:
        console().print(text("server.backup_done", language_of(), file=target, bytes=size), soft_wrap=True)
