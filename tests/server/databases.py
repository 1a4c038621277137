"""Databases for tests: SQLite in the folder of a test, or PostgreSQL in a cluster of the test run's own; with a Redis
beside it a site of two servers.

A test takes both databases by the mark `on_both`, one server and a site by `on_site`. Where its database and its Redis
are stands beside its folder (`database_url`, `redis_url`), so that everything that gets the folder reaches them: a
club, a server, a server in a process of its own.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import sys
import tempfile
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest

from buraco.server.upgrade import make_engine, upgrade_schema

__all__ = [
    "KINDS",
    "SITE",
    "Cluster",
    "RedisServer",
    "database_url",
    "on_both",
    "on_postgresql",
    "on_site",
    "only_site",
    "place_for",
    "redis_url",
    "running_cluster",
    "running_redis",
    "use_database",
    "use_redis",
]

KINDS: Final = ("sqlite", "postgresql")
SITE: Final = "site"
_TEMPLATE: Final = "buraco_template"

on_both: Final = pytest.mark.parametrize("database_kind", KINDS, indirect=True, scope="module")
"""Marks a test, or all of a module, that is run on SQLite and on PostgreSQL."""

on_site: Final = pytest.mark.parametrize("database_kind", ["sqlite", SITE], indirect=True, scope="module")
"""Marks a test, or all of a module, that is run on SQLite with one server, and on PostgreSQL and Redis with two."""

only_site: Final = pytest.mark.parametrize("database_kind", [SITE], indirect=True, scope="module")
"""Marks a test of what only several servers do."""

on_postgresql: Final = pytest.mark.parametrize("database_kind", ["postgresql"], indirect=True, scope="module")
"""Marks a test of what only PostgreSQL does."""


def database_url(folder: Path, name: str = "buraco.db") -> str:
    """Return the address of a test's database; ``name`` is the file of an SQLite one."""
    place = _place(folder)
    return place.read_text(encoding="ascii") if place.exists() else f"sqlite+aiosqlite:///{folder / name}"


def use_database(folder: Path, url: str) -> None:
    """Let everything that gets a folder use this database."""
    _place(folder).write_text(url, encoding="ascii")


def redis_url(folder: Path) -> str:
    """Return the address of a test's Redis, or nothing."""
    place = _redis_place(folder)
    return place.read_text(encoding="ascii") if place.exists() else ""


def use_redis(folder: Path, url: str) -> None:
    """Let every server on a folder be one of several, which meet in this Redis."""
    _redis_place(folder).write_text(url, encoding="ascii")


def _place(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.database")


def _redis_place(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.redis")


class Cluster:
    """A running PostgreSQL with nothing in it but what the tests make."""

    def __init__(self, port: int, password: str, folder: Path, pids: tuple[int, int]) -> None:
        self.port = port
        self.password = password
        self.folder = folder
        #: The processes of the server and of its keeper.
        self.pids = pids
        self._numbers = itertools.count(1)
        self._has_template = False

    def url(self, database: str) -> str:
        """Return the address of a database."""
        return f"postgresql://buraco:{self.password}@127.0.0.1:{self.port}/{database}"

    async def _do(self, *statements: str) -> None:
        connection = await asyncpg.connect(self.url("postgres"))
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    async def _make_template(self) -> None:
        await self._do(f"CREATE DATABASE {_TEMPLATE}")
        engine = make_engine(self.url(_TEMPLATE))
        await upgrade_schema(engine)
        await engine.dispose()

    @contextmanager
    def database(self, *, empty: bool = False, options: str = "") -> Iterator[str]:
        """Give the address of a new database with the newest schema, or with nothing; it is removed at the end."""
        if not empty and not self._has_template:
            _run(self._make_template())
            self._has_template = True
        name = f"test_{next(self._numbers)}"
        template = "template0" if empty else _TEMPLATE
        _run(self._do(f"CREATE DATABASE {name} TEMPLATE {template} {options}"))
        try:
            yield self.url(name)
        finally:
            _run(self._do(f"DROP DATABASE {name} WITH (FORCE)"))


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Run something in an event loop of its own, also where another one is running."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


@dataclass(frozen=True, slots=True)
class RedisServer:
    """A running Redis with nothing in it; ``pids`` are the processes of the server and of its keeper."""

    port: int
    password: str
    folder: Path
    pids: tuple[int, int]

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://:{self.password}@127.0.0.1:{self.port}"


@contextmanager
def running_cluster(*, durable: bool = False) -> Iterator[Cluster]:
    """Run a PostgreSQL while the context is open; it ends with this process, however that ends. ``durable``: as by
    default, what is committed is on the disk; else it is quicker."""
    with _kept("postgresql", *(["durable"] if durable else [])) as (told, pids):
        yield Cluster(told["port"], told["password"], Path(told["folder"]), pids)


@contextmanager
def running_redis() -> Iterator[RedisServer]:
    """Run a Redis while the context is open; it ends with this process, however that ends."""
    with _kept("redis") as (told, pids):
        yield RedisServer(told["port"], told["password"], Path(told["folder"]), pids)


@contextmanager
def place_for(kind: str) -> Iterator[Path]:
    """Give a data folder outside of pytest, for a database of this kind or for a ``site``."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "data"
        data.mkdir()
        if kind != "sqlite":
            use_database(data, stack.enter_context(stack.enter_context(running_cluster()).database()))
        if kind == SITE:
            use_redis(data, stack.enter_context(running_redis()).url)
        yield data


@contextmanager
def _kept(kind: str, *how: str) -> Iterator[tuple[dict[str, Any], tuple[int, int]]]:
    """Run a server with its keeper; give what is told of it, and the processes of both."""
    keeper = subprocess.Popen(
        [sys.executable, "-I", str(Path(__file__).with_name("keeper.py")), kind, *how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # An interrupt at the terminal is for pytest, which then closes the pipe.
        start_new_session=True,
    )
    assert keeper.stdin is not None
    assert keeper.stdout is not None
    with keeper:
        line = keeper.stdout.readline()
        assert line, f"there is no {kind} for the tests; what the keeper says stands in the errors"
        told = json.loads(line)
        yield told, (told["server"], keeper.pid)
        keeper.stdin.close()
