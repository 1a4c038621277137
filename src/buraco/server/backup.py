"""A copy of an SQLite database while the server runs: whole, as of one moment, checked; and the way back to one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import make_url

from buraco.errors import BuracoError
from buraco.server.folder import only_in_folder
from buraco.server.settings import Settings
from buraco.server.upgrade import is_sqlite, make_engine, schema_state
from buraco.texts import message as text_of

__all__ = ["backup", "default_target", "restore"]


def default_target(settings: Settings, now_ms: int) -> Path:
    """Return the file of a backup that names none: in the data folder, by the moment in UTC."""
    moment = datetime.fromtimestamp(now_ms / 1000, tz=UTC)
    return settings.data / "backups" / f"buraco-{moment:%Y%m%d-%H%M%S}.db"


def backup(settings: Settings, target: Path) -> int:
    """Copy the database to a new file, which appears only when it is whole; return its size in bytes.

    The server may run meanwhile. Raises BuracoError: ``backup_kind`` (no SQLite database: use its own tools),
    ``backup_source``, ``backup_exists``, ``backup``.
    """
    if not is_sqlite(settings.storage_url):
        raise BuracoError("backup_kind", text_of("server.backup_kind"))
    source = Path(make_url(settings.storage_url).database or "")
    if not source.is_file():
        raise BuracoError("backup_source", text_of("server.backup_source", file=source))
    if target.exists():
        raise BuracoError("backup_exists", text_of("server.backup_exists", file=target))
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _copy(source, part)
        # Fails where somebody made the file meanwhile, and so never replaces anything.
        os.link(part, target)
    except (OSError, sqlite3.Error) as error:
        # The name in an error of the system is that of the unfinished copy, which nobody has asked for.
        reason = f"{target}: {error.strerror}" if isinstance(error, OSError) else str(error)
        raise BuracoError("backup", text_of("server.backup_failed", reason=reason)) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
    return target.stat().st_size


def restore(settings: Settings, source: Path, now_ms: int) -> Path | None:
    """Put a backup in the place of the database; return where the one before now lies, None if there was none.

    Nothing is changed unless the backup is a whole database of this program, and no server uses the folder. What was
    there is kept beside the backups, whatever its state. Raises BuracoError: ``backup_kind``, ``backup_source``,
    ``restore``, ``schema_new``, ``data_in_use``, ``data``.
    """
    if not is_sqlite(settings.storage_url):
        raise BuracoError("backup_kind", text_of("server.backup_kind"))
    if not source.is_file():
        raise BuracoError("backup_source", text_of("server.restore_source", file=source))
    target = Path(make_url(settings.storage_url).database or "")
    with only_in_folder(settings):
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            _copy(source, part)
            _require_ours(part, source)
            kept = _set_aside(target, default_target(settings, now_ms))
            part.replace(target)
        except (OSError, sqlite3.Error) as error:
            reason = (error.strerror or "") if isinstance(error, OSError) else str(error)
            raise BuracoError("restore", text_of("server.restore_failed", file=source, reason=reason)) from None
        finally:
            with contextlib.suppress(OSError):
                part.unlink()
    return kept


def _require_ours(part: Path, source: Path) -> None:
    """Raise BuracoError (codes ``schema_new``, ``restore``) unless a file has our tables, of now or before."""

    async def step() -> str:
        engine = make_engine(f"sqlite+aiosqlite:///{part}")
        try:
            return (await schema_state(engine, known=True))[0]
        finally:
            await engine.dispose()

    if not asyncio.run(step()):
        reason = text_of("server.restore_foreign")
        raise BuracoError("restore", text_of("server.restore_failed", file=source, reason=reason))


def _set_aside(target: Path, backup: Path) -> Path | None:
    """Move a database with the files that belong to it to where backups lie, under a name of its own."""
    if not target.exists():
        return None
    kept = backup.with_name(f"replaced-{backup.name}")
    number = 1
    while kept.exists():
        number += 1
        kept = backup.with_name(f"replaced-{backup.stem}-{number}{backup.suffix}")
    kept.parent.mkdir(parents=True, exist_ok=True)
    # The log beside it may hold what the database does not have yet, and would spoil another one in its place.
    for end in ("-wal", "-shm", ""):
        beside = target.with_name(target.name + end)
        if beside.exists():
            beside.replace(kept.with_name(kept.name + end))
    return kept


def _copy(source: Path, part: Path) -> None:
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.close(descriptor)
    with (
        contextlib.closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as read,
        contextlib.closing(sqlite3.connect(part)) as written,
    ):
        read.backup(written, pages=1024)
        (verdict,) = written.execute("PRAGMA integrity_check").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(f"the copy does not hold: {verdict}")
    with part.open("rb") as file:
        os.fsync(file.fileno())
