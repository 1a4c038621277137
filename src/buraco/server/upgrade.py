"""Brings the schema of a database up to date; and the engine (SQLAlchemy's) to reach it by."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from buraco.errors import BuracoError

__all__ = ["is_sqlite", "make_engine", "schema_state", "upgrade_schema"]

_BUSY_MS: Final = 10_000


def is_sqlite(url: str) -> bool:
    """Say whether an address is that of an SQLite database."""
    return make_url(url).get_backend_name() == "sqlite"


def make_engine(url: str) -> AsyncEngine:
    """Return the engine of a database. SQLite writes ahead, and a commit is on the disk when it returns.

    The folder of an SQLite file is made when it is missing. Raises BuracoError: ``database_url``, ``database`` (no
    such folder can be made).
    """
    try:
        parsed = make_url(url)
        engine = create_async_engine(parsed)
    except (sa.exc.ArgumentError, sa.exc.InvalidRequestError, ModuleNotFoundError) as error:
        raise BuracoError("database_url", f"this is no address of a database that can be used: {error}") from None
    if is_sqlite(url):
        if parsed.database and parsed.database != ":memory:":
            _make_folder(Path(parsed.database).parent)
        sa.event.listen(engine.sync_engine, "connect", _set_up_sqlite)
    return engine


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BuracoError("database", f"cannot make the folder {folder}: {error.strerror}") from None


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", f"busy_timeout = {_BUSY_MS}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    return config


async def upgrade_schema(engine: AsyncEngine) -> None:
    """Run the migrations that the database has not had."""
    async with engine.begin() as connection:
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


async def schema_state(engine: AsyncEngine) -> tuple[str, str]:
    """Return the step that the database has and the newest one; the first is empty before any migration."""
    async with engine.connect() as connection:
        now = await connection.run_sync(lambda raw: MigrationContext.configure(raw).get_current_revision())
    return now or "", ScriptDirectory.from_config(_config()).get_current_head() or ""
