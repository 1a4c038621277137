"""PostgreSQL: its connections, and the claim by which a database has one server at a time."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from types import MappingProxyType
from typing import Any, Final

import asyncpg
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from buraco.errors import BuracoError
from buraco.server.logs import Log
from buraco.texts import Message
from buraco.texts import message as text_of

__all__ = ["PATIENCE_S", "check_encoding", "claim", "is_claimed", "is_postgres", "lock_upgrade", "make_postgres_engine"]

PATIENCE_S: Final = 30.0
"""How long an answer may take, in seconds: a database beyond a dead network must not hang the server for ever."""

_CONNECT_S: Final = 10.0
_POOL_S: Final = 10.0
# More than these wait. None is closed after use: to make one costs more than a hundred statements.
_POOL_SIZE: Final = 15
# A line that carried something so short a time ago is taken to be there still.
_IDLE_S: Final = 5.0
# A server that was killed is gone for the database a moment later than for us.
_CLAIM_WAIT_MS: Final = 2_000
_RETRY_S: Final = 1.0

# The keys of the advisory locks, which each database has for itself: any numbers that nobody else is likely to take.
_SERVER_KEY: Final = 0x62757261636F01
_UPGRADE_KEY: Final = 0x62757261636F02

_SETTINGS: Final = MappingProxyType(
    {
        "application_name": "buraco",
        # A commit that returns is on the disk, whatever is usual in this database: an ack promises it.
        "synchronous_commit": "on",
        "default_transaction_isolation": "read committed",
        # Keeps no lock alive for a process that is gone together with its machine.
        "tcp_keepalives_idle": "30",
        "tcp_keepalives_interval": "10",
        "tcp_keepalives_count": "3",
    }
)


async def _connect(dsn: str, patience_s: float | None) -> Any:
    """Open a connection. Raises errors of asyncpg only, which SQLAlchemy knows, and none that tells the password."""
    try:
        return await asyncpg.connect(
            dsn, timeout=_CONNECT_S, command_timeout=patience_s, server_settings=dict(_SETTINGS)
        )
    except OSError as error:
        reason = " ".join((error.strerror or str(error)).split()) or text_of("server.no_answer")
        raise asyncpg.InterfaceError(text_of("server.unreachable", reason=reason)) from None
    except (asyncpg.InterfaceError, ValueError, OverflowError):
        # Their texts may repeat parts of the address, and so of the password.
        raise asyncpg.InterfaceError(text_of("server.unreadable_url")) from None


def make_postgres_engine(dsn: str, patience_s: float | None = PATIENCE_S) -> AsyncEngine:
    """Return the engine of a database; ``patience_s``: how long an answer may take (None: as long as it takes).

    Connections that may be lost are tried before they are used, so that the database may be restarted at any time.
    """

    async def create() -> Any:
        return await _connect(dsn, patience_s)

    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=create,
        pool_size=_POOL_SIZE,
        max_overflow=0,
        # The same few are used over and over, and so seldom have to be tried.
        pool_use_lifo=True,
        pool_timeout=_POOL_S,
        hide_parameters=True,
    )
    sa.event.listen(engine.sync_engine, "handle_error", _name_lost_line)
    _try_idle_ones(engine.sync_engine)
    _close_late_ones(engine.sync_engine)
    return engine


def is_postgres(engine: AsyncEngine) -> bool:
    """Say whether an engine is one of PostgreSQL."""
    return engine.dialect.name == "postgresql"


def _try_idle_ones(engine: sa.Engine) -> None:
    """Let a connection that was idle for a while, or is known to be lost, be tried before it is used again.

    The driver hears at once when a server that is stopped closes its lines; a line that went without a word is found
    when it is tried. To try each one every time would cost three answers of the database for every use.
    """

    def given_back(_: Any, entry: sa.pool.ConnectionPoolEntry) -> None:
        entry.info["idle_since_s"] = time.monotonic()

    def taken(connection: Any, entry: sa.pool.ConnectionPoolEntry, _: Any) -> None:
        since_s = entry.info.get("idle_since_s")
        if since_s is None:
            return
        if connection.driver_connection.is_closed() or (
            time.monotonic() - since_s > _IDLE_S and not _answers(engine, connection)
        ):
            # So are the others, then.
            raise sa.exc.InvalidatePoolError

    sa.event.listen(engine, "checkin", given_back)
    sa.event.listen(engine, "checkout", taken)


def _answers(engine: sa.Engine, connection: Any) -> bool:
    try:
        return bool(engine.dialect.do_ping(connection))
    except (engine.dialect.loaded_dbapi.Error, OSError):
        return False


def _close_late_ones(engine: sa.Engine) -> None:
    """Close a connection that was in use when the engine was disposed of, once it is given back: no pool would."""
    pools = 0

    def disposed(_: sa.Engine) -> None:
        nonlocal pools
        pools += 1

    def connected(_: Any, entry: sa.pool.ConnectionPoolEntry) -> None:
        entry.info["pool"] = pools

    def given_back(_: Any, entry: sa.pool.ConnectionPoolEntry) -> None:
        if entry.info.get("pool", pools) != pools:
            entry.invalidate()

    sa.event.listen(engine, "engine_disposed", disposed)
    sa.event.listen(engine, "connect", connected)
    sa.event.listen(engine, "checkin", given_back)


def _name_lost_line(context: sa.engine.ExceptionContext) -> None:
    """Raise what the system says of a line that breaks, or is silent for too long, as an error of the database."""
    error = context.original_exception
    if isinstance(error, OSError):
        # A line that is only silent may still carry what was asked, so nobody asks it again at once.
        context.is_disconnect = lost = isinstance(error, ConnectionError)
        raise sa.exc.OperationalError(
            "the line to the database is lost", None, error, connection_invalidated=lost
        ) from error


def check_encoding(connection: sa.Connection) -> None:
    """Raise BuracoError (code ``database``) unless the database can hold every name and word."""
    encoding = connection.execute(sa.text("SHOW server_encoding")).scalar()
    if encoding != "UTF8":
        raise BuracoError("database", text_of("server.encoding", encoding=encoding))


def lock_upgrade(connection: sa.Connection) -> None:
    """Wait until nobody else upgrades this database, and keep it so until the end of the transaction."""
    connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_UPGRADE_KEY})"))


@contextlib.asynccontextmanager
async def claim(dsn: str, log: Log, *, shared: bool = False) -> AsyncIterator[None]:
    """Hold the claim to be the server of a database while the context is open; ``shared``: to be one of several, all of
    which know it.

    When the connection is lost, the claim is asked for until it is back; another server that has taken it meanwhile is
    logged. Nothing is overwritten then either, since each entry of a table has its number once.

    Raises BuracoError: ``data_in_use``, ``database`` (it cannot be reached).
    """
    held = _Claim(dsn, log, shared=shared)
    try:
        claimed = await held.take()
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        told = error.args[0] if error.args else ""
        reason = told if isinstance(told, Message) else " ".join(str(error).split())
        raise BuracoError("database", text_of("server.database", reason=reason)) from None
    if not claimed:
        raise BuracoError("data_in_use", text_of("server.database_held"))
    keeping = asyncio.create_task(held.keep(), name="claim")
    try:
        yield
    finally:
        keeping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await keeping
        await held.give_up()


async def is_claimed(engine: AsyncEngine) -> bool:
    """Say whether some server holds the claim to a database now."""
    # To try the lock would keep a server from it for a moment.
    held = (
        "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1"
        f" AND classid = {_SERVER_KEY >> 32} AND objid = {_SERVER_KEY & 0xFFFFFFFF}"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"
    )
    async with engine.connect() as connection:
        return bool((await connection.execute(sa.text(held))).scalar())


class _Claim:
    """A lock that a connection of its own holds: it ends with the connection, and so with the process."""

    def __init__(self, dsn: str, log: Log, *, shared: bool) -> None:
        self._lock = "pg_advisory_lock_shared" if shared else "pg_advisory_lock"
        self._dsn = dsn
        self._log = log
        self._connection: Any = None
        self._lost = asyncio.Event()

    async def take(self) -> bool:
        """Take the claim; say whether it was free. Raises asyncpg's errors, OSError."""
        connection = await _connect(self._dsn, PATIENCE_S)
        try:
            await connection.execute(f"SET lock_timeout = {_CLAIM_WAIT_MS}")
            await connection.execute(f"SELECT {self._lock}({_SERVER_KEY})")
        except asyncpg.LockNotAvailableError:
            connection.terminate()
            return False
        except BaseException:
            connection.terminate()
            raise
        self._lost.clear()
        self._connection = connection
        connection.add_termination_listener(lambda _: self._lost.set())
        if connection.is_closed():
            self._lost.set()
        return True

    async def keep(self) -> None:
        """Get the claim back whenever it is lost."""
        while True:
            await self._lost.wait()
            self._log.warning("database_claim_lost")
            told = False
            while self._lost.is_set():
                with contextlib.suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                    if not await self.take() and not told:
                        told = True
                        self._log.error("database_in_use")
                if self._lost.is_set():
                    await asyncio.sleep(_RETRY_S)
            self._log.info("database_claim_back")

    async def give_up(self) -> None:
        """Close the connection, and so end the claim."""
        with contextlib.suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            await self._connection.close(timeout=_CONNECT_S)
