"""The tests' PostgreSQL and Redis leave nothing behind, however the run that uses them ends."""

from __future__ import annotations

import asyncio
import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import asyncpg
import pytest

from tests.server.databases import Cluster, RedisServer, running_cluster, running_redis

ROOT = Path(__file__).resolve().parents[2]
RUN = """
import json, sys
from tests.server.databases import running_cluster, running_redis
with running_{kind}() as kept:
    print(json.dumps([*kept.pids, str(kept.folder)]), flush=True)
    sys.stdin.read()
"""
WAIT_MS = 60_000


def assert_over(*handles: int) -> None:
    """Wait until processes are gone, by the handles that were opened while they lived."""
    for handle in handles:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        assert poll.poll(WAIT_MS), "a process goes on"
        os.close(handle)


Kept = Callable[[], AbstractContextManager[Cluster | RedisServer]]
both = pytest.mark.parametrize("kept", [running_cluster, running_redis])


@both
def test_a_server_ends_with_its_context(kept: Kept) -> None:
    with kept() as server:
        handles = [os.pidfd_open(pid) for pid in server.pids]
        assert server.folder.is_dir()
    assert_over(*handles)
    assert not server.folder.exists()


@pytest.mark.parametrize("kind", ["cluster", "redis"])
def test_a_server_ends_with_a_test_run_that_is_killed(kind: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", RUN.format(kind=kind)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        server, keeper, folder = json.loads(process.stdout.readline())
        handles = [os.pidfd_open(pid) for pid in (server, keeper)]
        process.kill()
    assert_over(*handles)
    assert not Path(folder).exists()


DURABLE = ("fsync", "full_page_writes", "synchronous_commit")


async def settings_of(url: str) -> set[str]:
    connection = await asyncpg.connect(url)
    try:
        return {await connection.fetchval(f"SHOW {name}") for name in DURABLE}
    finally:
        await connection.close()


def test_a_durable_database_keeps_what_is_committed() -> None:
    with running_cluster(durable=True) as cluster:
        assert asyncio.run(settings_of(cluster.url("postgres"))) == {"on"}


@both
def test_a_server_does_not_outlive_a_keeper_that_is_killed(kept: Kept) -> None:
    with kept() as kept_server:
        server, keeper = kept_server.pids
        handle = os.pidfd_open(server)
        os.kill(keeper, signal.SIGKILL)
        assert_over(handle)
        shutil.rmtree(kept_server.folder)
