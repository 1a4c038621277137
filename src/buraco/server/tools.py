"""People, finished matches and orders of a database, for commands that work beside a server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncEngine

from buraco.errors import BuracoError
from buraco.server.accounts import People
from buraco.server.admin import Orders
from buraco.server.archive import Archive
from buraco.server.clocks import SystemClock
from buraco.server.folder import folder_held
from buraco.server.identity import KEY_BYTES, TokenSigner
from buraco.server.postgres import is_claimed
from buraco.server.settings import Settings
from buraco.server.upgrade import check_schema, is_sqlite, make_engine, told_errors
from buraco.texts import message as text_of

__all__ = ["Tools", "open_tools", "require_database"]


@dataclass(frozen=True, slots=True)
class Tools:
    """What the commands work with; ``now_ms`` gives the milliseconds since 1970 UTC."""

    people: People
    archive: Archive
    orders: Orders
    server_runs: Callable[[], Awaitable[bool]]
    now_ms: Callable[[], int]


def require_database(settings: Settings) -> None:
    """Raise BuracoError (code ``no_database``) where a SQLite file is missing, which looking at it would make."""
    url = settings.storage_url
    if is_sqlite(url) and not Path(make_url(url).database or "").is_file():
        raise BuracoError("no_database", text_of("server.no_database", folder=settings.data))


@asynccontextmanager
async def open_tools(settings: Settings) -> AsyncIterator[Tools]:
    """Open the database of a server that may be running.

    Raises BuracoError: ``no_database``, ``schema_old``, ``schema_new``, ``database_url``, ``database`` (it cannot be
    used, also for what is done with the tools).
    """
    require_database(settings)
    engine = make_engine(settings.storage_url)
    try:
        await check_schema(engine)
        now_ms = SystemClock().now_ms
        # No token is issued here, so any key will do.
        people = People(engine, TokenSigner(bytes(KEY_BYTES)), now_ms)
        with told_errors():
            yield Tools(people, Archive(engine), Orders(engine), lambda: _server_runs(settings, engine), now_ms)
    finally:
        await engine.dispose()


async def _server_runs(settings: Settings, engine: AsyncEngine) -> bool:
    """Say whether a server holds the data folder, or the database, now."""
    return folder_held(settings) if is_sqlite(settings.storage_url) else await is_claimed(engine)
