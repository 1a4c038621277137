"""The tests' PostgreSQL leaves nothing behind, however the run that uses it ends."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from tests.server.databases import running_cluster

ROOT = Path(__file__).resolve().parents[2]
RUN = """
import json, sys
from tests.server.databases import running_cluster
with running_cluster() as cluster:
    print(json.dumps([*cluster.pids, str(cluster.folder)]), flush=True)
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


def test_a_cluster_ends_with_its_context() -> None:
    with running_cluster() as cluster:
        handles = [os.pidfd_open(pid) for pid in cluster.pids]
        assert cluster.folder.is_dir()
    assert_over(*handles)
    assert not cluster.folder.exists()


def test_a_cluster_ends_with_a_test_run_that_is_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", RUN], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        server, keeper, folder = json.loads(process.stdout.readline())
        handles = [os.pidfd_open(pid) for pid in (server, keeper)]
        process.kill()
    assert_over(*handles)
    assert not Path(folder).exists()


def test_a_server_does_not_outlive_a_keeper_that_is_killed() -> None:
    with running_cluster() as cluster:
        server, keeper = cluster.pids
        handle = os.pidfd_open(server)
        os.kill(keeper, signal.SIGKILL)
        assert_over(handle)
        shutil.rmtree(cluster.folder)
