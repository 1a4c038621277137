"""Brings the schema of a database up to date; and the engine (SQLAlchemy's) to reach it by."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from buraco.errors import BuracoError

__all__ = ["is_sqlite", "make_engine", "schema_state", "told_errors", "upgrade_schema"]

_BUSY_MS: Final = 10_000


@contextlib.contextmanager
def told_errors() -> Iterator[None]:
    """Turn what goes wrong with a database into a BuracoError (code ``database``) of one line."""
    try:
        yield
    except (sa.exc.SQLAlchemyError, sqlite3.Error, CommandError, OSError) as error:
        cause = str(getattr(error, "orig", None) or error)
        raise BuracoError("database", f"the database cannot be used: {' '.join(cause.split())}") from error


def is_sqlite(url: str) -> bool:
    """Say whether an address is that of an SQLite database. Raises BuracoError (code ``database_url``)."""
    try:
        return make_url(url).get_backend_name() == "sqlite"
    except sa.exc.ArgumentError as error:
        raise BuracoError("database_url", f"this is no address of a database: {error}") from None


def make_engine(url: str) -> AsyncEngine:
    """Return the engine of a database. SQLite writes ahead, and a commit is on the disk when it returns.

    The folder of an SQLite file is made when it is missing. Raises BuracoError: ``database_url``, ``database`` (no
    such folder or file can be used).
    """
    try:
        parsed = make_url(url)
        engine = create_async_engine(parsed)
    except (sa.exc.ArgumentError, sa.exc.InvalidRequestError, ModuleNotFoundError) as error:
        raise BuracoError("database_url", f"this is no address of a database that can be used: {error}") from None
    if is_sqlite(url):
        if parsed.database and parsed.database != ":memory:":
            _make_folder(Path(parsed.database).parent)
            _try_file(parsed.database)
        sa.event.listen(engine.sync_engine, "connect", _set_up_sqlite)
    return engine


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BuracoError("database", f"cannot make the folder {folder}: {error.strerror}") from None


def _try_file(database: str) -> None:
    """Open and close an SQLite file: a connection of the engine that fails leaves a thread behind."""
    with told_errors(), contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA schema_version")


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    try:
        cursor = connection.cursor()
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", f"busy_timeout = {_BUSY_MS}"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
    except sqlite3.Error:
        # Nobody else knows of the connection yet, and its thread would outlive the event loop.
        connection.close()
        raise


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    return config


async def upgrade_schema(engine: AsyncEngine) -> None:
    """Run the migrations that the database has not had. Raises BuracoError (code ``database``)."""
    with told_errors():
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


async def schema_state(engine: AsyncEngine) -> tuple[str, str]:
    """Return the step that the database has and the newest one; the first is empty before any migration.

    Raises BuracoError (code ``database``).
    """
    with told_errors():
        async with engine.connect() as connection:
            now = await connection.run_sync(lambda raw: MigrationContext.configure(raw).get_current_revision())
    return now or "", ScriptDirectory.from_config(_config()).get_current_head() or ""
