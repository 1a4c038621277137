"""Brings the schema of a database up to date; and the engine (SQLAlchemy's) to reach it by."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import asyncpg
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from buraco.errors import BuracoError
from buraco.server.postgres import PATIENCE_S, check_encoding, lock_upgrade, make_postgres_engine
from buraco.texts import Message
from buraco.texts import message as text_of

__all__ = [
    "check_schema",
    "is_sqlite",
    "make_engine",
    "postgres_dsn",
    "schema_state",
    "told_errors",
    "upgrade_schema",
]

_BUSY_MS: Final = 10_000
_POSTGRES: Final = ("postgresql", "postgres", "postgresql+asyncpg")


@contextlib.contextmanager
def told_errors() -> Iterator[None]:
    """Turn what goes wrong with a database into a BuracoError (code ``database``) of one line."""
    try:
        yield
    except (sa.exc.SQLAlchemyError, sqlite3.Error, CommandError, OSError) as error:
        key = "server.database_broken" if _is_broken(error) else "server.database"
        raise BuracoError("database", text_of(key, reason=_cause(error))) from error


def _is_broken(error: Exception) -> bool:
    """Say whether SQLite finds that a file is no database, or a damaged one."""
    code = getattr(getattr(error, "orig", None) or error, "sqlite_errorcode", None)
    return code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


def _cause(error: Exception) -> str:
    """Return what went wrong in one line, without what a driver adds to it: kinds of its own, and values of rows."""
    cause = getattr(error, "orig", None) or error
    inner = cause.__cause__ if isinstance(cause.__cause__, asyncpg.PostgresError) else cause
    told = inner.args[0] if isinstance(inner, asyncpg.PostgresError) and inner.args else inner
    # What we say of it ourselves is said in the language of the reader.
    return told if isinstance(told, Message) else " ".join(str(told).split())


def _parse_sqlite(url: str) -> URL:
    """Return the parts of an address. Raises BuracoError (code ``database_url``), which tells nothing of it."""
    try:
        parsed = make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        raise BuracoError("database_url", text_of("server.database_url", forms=_forms())) from None
    if parsed.drivername != "sqlite+aiosqlite":
        told = text_of("server.database_kind", kind=parsed.drivername, forms=_forms())
        raise BuracoError("database_url", told)
    return parsed


def _forms() -> Message:
    return text_of("server.database_forms")


def is_sqlite(url: str) -> bool:
    """Say whether an address is that of an SQLite database. Raises BuracoError (code ``database_url``)."""
    # The kind of an address may be in capitals, as in any address.
    if url.partition("://")[0].lower() in _POSTGRES:
        return False
    _parse_sqlite(url)
    return True


def postgres_dsn(url: str) -> str:
    """Return the address of a PostgreSQL database as its own programs know it."""
    return f"postgresql://{url.partition('://')[2]}"


def make_engine(url: str, patience_s: float | None = PATIENCE_S) -> AsyncEngine:
    """Return the engine of a database; a commit that returns is on the disk.

    The folder of an SQLite file is made when it is missing. ``patience_s`` is how long PostgreSQL may take for an
    answer, None as long as it takes. Raises BuracoError: ``database_url``, ``database`` (no such folder or file can be
    used).
    """
    if not is_sqlite(url):
        return make_postgres_engine(postgres_dsn(url), patience_s)
    parsed = _parse_sqlite(url)
    engine = create_async_engine(parsed, hide_parameters=True)
    if parsed.database and parsed.database != ":memory:":
        _make_folder(Path(parsed.database).parent)
        _try_file(parsed.database)
    sa.event.listen(engine.sync_engine, "connect", _set_up_sqlite)
    return engine


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BuracoError("database", text_of("server.no_folder", folder=folder, reason=error.strerror)) from None


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
    """Run the migrations that the database has not had.

    Raises BuracoError: ``database``, ``schema_new`` (it has had migrations that this program does not know).
    """
    with told_errors():
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        check_encoding(connection)
        lock_upgrade(connection)
    config = _config()
    _refuse_unknown(MigrationContext.configure(connection).get_current_revision() or "")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _refuse_unknown(revision: str) -> None:
    known = {one.revision for one in ScriptDirectory.from_config(_config()).walk_revisions()}
    if revision and revision not in known:
        raise BuracoError("schema_new", text_of("server.schema_new", step=revision[:20]))


async def schema_state(engine: AsyncEngine, *, known: bool = False) -> tuple[str, str]:
    """Return the step that the database has and the newest one; the first is empty before any migration.

    Raises BuracoError (code ``database``; with ``known`` also ``schema_new`` for a step that is not ours).
    """
    with told_errors():
        async with engine.connect() as connection:
            now = await connection.run_sync(_state)
    if known:
        _refuse_unknown(now)
    return now, ScriptDirectory.from_config(_config()).get_current_head() or ""


def _state(connection: Connection) -> str:
    if connection.dialect.name == "postgresql":
        check_encoding(connection)
    return MigrationContext.configure(connection).get_current_revision() or ""


async def check_schema(engine: AsyncEngine) -> None:
    """Raise BuracoError unless a database has every migration: ``schema_old``, ``schema_new``, ``database``."""
    have, newest = await schema_state(engine)
    if have == newest:
        return
    _refuse_unknown(have)
    raise BuracoError("schema_old", text_of("server.schema_old" if have else "server.schema_none"))
