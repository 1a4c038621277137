"""``buraco backup`` and ``buraco restore``: a copy of the server's database, also while it runs; and the way back."""

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
    """Add the commands to the application."""
    app.command("backup")(_backup)
    app.command("restore")(_restore)


def _backup(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The new file; else one in the data folder.")
    ] = None,
    data: DataOption = None,
    database_url: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Copy the server's database to a new file: whole, as of one moment, checked. The server may run meanwhile.

    `buraco restore` goes back to one.
    """
    settings = settings_from({"data": data, "database_url": database_url})
    from buraco.server.backup import backup, default_target

    target = file or default_target(settings, time.time_ns() // 1_000_000)
    size = backup(settings, target)
    if as_json:
        print_json({"file": str(target), "bytes": size})
    else:
        console().print(text("server.backup_done", language_of(), file=target, bytes=size), soft_wrap=True)


def _restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.", show_default=False)],
    data: DataOption = None,
    database_url: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Put a backup in the place of the server's database. The server has to be stopped.

    The backup is checked first and stays where it is. The database of before is kept in the folder for backups.
    """
    settings = settings_from({"data": data, "database_url": database_url})
    from buraco.server.backup import restore

    kept = restore(settings, file, time.time_ns() // 1_000_000)
    if as_json:
        print_json({"file": str(file), "folder": str(settings.data), "kept": None if kept is None else str(kept)})
        return
    out = console()
    out.print(text("server.restore_done", language_of(), file=file, folder=settings.data), soft_wrap=True)
    if kept is not None:
        out.print(text("server.restore_kept", language_of(), file=kept), soft_wrap=True)
