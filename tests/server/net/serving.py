"""A server in the test's own process, on a loopback port that the system chooses, with data in a folder of the test."""

from __future__ import annotations

import asyncio
import itertools
import logging
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from argon2 import PasswordHasher

from buraco.server.app import Ground
from buraco.server.logs import make_log
from buraco.server.parts import Parts
from buraco.server.serving import Serving, serve
from buraco.server.settings import load_settings
from buraco.server.site import SiteTimes
from tests.server.databases import database_url, redis_url

__all__ = [
    "QUICK",
    "SOON",
    "Place",
    "Running",
    "cheap_hasher",
    "child",
    "free_socket",
    "one_server",
    "running_server",
    "settings_of",
]

#: What tests set unless they say otherwise: no waiting, no limits that they do not test.
QUICK: dict[str, object] = {
    "bot_pause_ms": 0,
    "seed_wait_ms": 0,
    "next_deal_s": 1,
    "messages_per_s": 10_000,
    "messages_burst": 100_000,
    "requests_per_s": 10_000,
    "requests_burst": 100_000,
    "files_per_s": 10_000,
    "files_burst": 100_000,
    "guests_per_hour": 100_000,
    "logins_per_hour": 1_000,
    "tables_per_person": 1_000,
}


#: Servers of a site miss each other sooner, so that no test waits long for one that was killed; and no busy computer
#: lets them give an allowance that is used up.
SOON = SiteTimes(beat_s=0.25, silent_s=2.0, dead_ms=3_000, redis_retry_s=0.1, redis_limit_s=30.0)


def cheap_hasher() -> PasswordHasher:
    """Return a hasher that takes no time: these passwords protect nothing."""
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def free_socket() -> socket.socket:
    """Return a listening socket on a loopback port that the system chooses."""
    made = socket.create_server(("127.0.0.1", 0), backlog=512)
    made.setblocking(False)
    return made


class Place:
    """Where a server answers, or a site of several on the same tables: then each call for the address gives that of the
    next one, so that the clients of a test are spread over all."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = addresses
        self._next = itertools.cycle(addresses)

    @property
    def address(self) -> str:
        """The address of a server."""
        return next(self._next)

    @property
    def socket_address(self) -> str:
        """The address for sockets."""
        return self.address.replace("http", "ws", 1)

    def client(self, **options: Any) -> httpx.AsyncClient:
        """Return a client that keeps its cookies."""
        # There is no certificate to check, and to load those of the world takes longer than a request.
        return httpx.AsyncClient(base_url=self.address, timeout=60, verify=False, **options)


class Running(Place):
    """A server in this process, or several. ``parts`` are those of the first, ``others`` those of the rest."""

    def __init__(self, addresses: tuple[str, ...], parts: Parts, *others: Parts) -> None:
        super().__init__(*addresses)
        self.parts = parts
        self.others = others

    @property
    def first(self) -> Running:
        """The first server alone."""
        return self.at(0)

    @property
    def everyone(self) -> tuple[Parts, ...]:
        """The parts of every server."""
        return self.parts, *self.others

    def at(self, number: int) -> Running:
        """Return one of the servers alone."""
        return Running((self.addresses[number],), self.everyone[number])


def settings_of(data: Path) -> dict[str, object]:
    """Return the settings of a server on a data folder and on the database that is told there."""
    return {"data": data, "database_url": database_url(data), "redis": redis_url(data), **QUICK}


@asynccontextmanager
async def running_server(data: Path, ground: Ground | None = None, **flags: object) -> AsyncIterator[Running]:
    """Run a server on a data folder while the context is open; two of them where the folder has a Redis."""
    async with AsyncExitStack() as stack:
        count = 2 if redis_url(data) else 1
        served = [await stack.enter_async_context(one_server(data, ground, **flags)) for _ in range(count)]
        yield Running(tuple(address for address, _ in served), *(parts for _, parts in served))


@asynccontextmanager
async def one_server(data: Path, ground: Ground | None = None, **flags: object) -> AsyncIterator[tuple[str, Parts]]:
    """Run one server on a data folder while the context is open; give its address and parts."""
    listening = free_socket()
    settings = load_settings({}, {**settings_of(data), **flags})
    logging.getLogger("buraco").setLevel("DEBUG")
    ready: asyncio.Future[Serving] = asyncio.get_running_loop().create_future()
    ground = ground or Ground(bots="thread", hasher=cheap_hasher(), site=SOON)
    task = asyncio.create_task(
        serve(settings, make_log(), environment={}, ground=ground, listening=listening, on_ready=ready.set_result)
    )
    await asyncio.wait((task, ready), return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        await task
    serving = ready.result()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", serving.parts
    finally:
        serving.stop()
        await task


@asynccontextmanager
async def child(data: Path, **numbers: int) -> AsyncIterator[tuple[Place, asyncio.subprocess.Process]]:
    """Run a server in a process of its own with these settings; give its address and the process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.server.net.child",
        str(data),
        *(f"{name}={value}" for name, value in numbers.items()),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        address = (await asyncio.wait_for(process.stdout.readline(), 60)).decode().strip()
        assert address, "the server did not start"
        yield Place(address), process
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
        await process.wait()
