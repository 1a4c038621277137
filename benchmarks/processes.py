"""The servers that are measured, each a process of its own, and what the system says of their work and memory."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.load import Usage
from benchmarks.own_tables import FLAGS
from tests.server.databases import running_cluster, running_redis
from tests.server.keeper import free_port

__all__ = ["YARDSTICK", "Served", "own_server", "own_site", "yardstick_server"]

YARDSTICK: Final = Path(__file__).parent / "yardstick"
"""The folder of the server that ours is compared with."""
_CLOCK_TICKS: Final = float(os.sysconf("SC_CLK_TCK"))
_SITE_PROCESSES: Final = 2
_END_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Served:
    """Where servers of the same tables answer, and their processes; those of their database and Redis, if any."""

    addresses: tuple[str, ...]
    servers: tuple[int, ...]
    database: int | None = None
    redis: int | None = None

    def usage(self) -> Usage:
        """Return what all of them have used until now."""
        return Usage(
            sum(map(_processor_s, self.servers)),
            0.0 if self.database is None else _family_s(self.database),
            0.0 if self.redis is None else _processor_s(self.redis),
        )

    def resident_kib(self) -> int:
        """Return how many KiB of memory the servers have together."""
        return sum(map(_resident_kib, self.servers))


def _fields(pid: int) -> list[str]:
    """Return what the system says of a process, from its state on."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()


def _processor_s(pid: int) -> float:
    """Return the seconds of processor time that a process has used."""
    fields = _fields(pid)
    return (int(fields[11]) + int(fields[12])) / _CLOCK_TICKS


def _family_s(pid: int) -> float:
    """Return the seconds that a process and its children have used, those that have ended among them."""
    spent = _processor_s(pid) + sum(map(int, _fields(pid)[13:15])) / _CLOCK_TICKS
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
        try:
            spent += _processor_s(int(child))
        except FileNotFoundError:
            # It has ended since, and is counted with its parent the next time.
            continue
    return spent


def _resident_kib(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise SystemExit("benchmarks: the system does not say how much memory a process has")


@contextmanager
def _apart() -> Iterator[Callable[[], None]]:
    """Let what is started here have the first processor, and this process the others from the call of what is given
    until the end."""
    cores = sorted(os.sched_getaffinity(0))
    try:
        os.sched_setaffinity(0, cores[:1])
        yield lambda: os.sched_setaffinity(0, cores[1:] or cores)
    finally:
        os.sched_setaffinity(0, cores)


@contextmanager
def _process(command: list[str], environment: Mapping[str, str], *, cwd: Path | None = None) -> Iterator[int]:
    """Run a server; give its number."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("BURACO_")}
    process = subprocess.Popen(command, cwd=cwd, env={**known, **environment}, stdout=subprocess.DEVNULL)
    try:
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _own_command(data: str, port: int) -> list[str]:
    command = [str(Path(sys.executable).with_name("buraco")), "serve", "--data", data, "--port", str(port)]
    command += ["--log-level", "error", "--log-file", str(Path(data) / f"log-{port}")]
    for name, value in FLAGS.items():
        command += [f"--{name}", str(value)]
    return command


def _address(port: int) -> str:
    return f"http://127.0.0.1:{port}"


@contextmanager
def own_server() -> Iterator[Served]:
    """Run our server on SQLite in a folder that is removed."""
    port = free_port()
    with tempfile.TemporaryDirectory() as data, _apart() as leave, _process(_own_command(data, port), {}) as pid:
        leave()
        yield Served((_address(port),), (pid,))


@contextmanager
def own_site() -> Iterator[Served]:
    """Run two processes of our server on a PostgreSQL and a Redis of their own.

    They use all processors, this process too: its clients need little of one, and each server is to have its own.
    """
    ports = [free_port() for _ in range(_SITE_PROCESSES)]
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        cluster = stack.enter_context(running_cluster(durable=True))
        redis = stack.enter_context(running_redis())
        environment = {
            "BURACO_DATABASE_URL": stack.enter_context(cluster.database()),
            "BURACO_REDIS": redis.url,
            "BURACO_TOKEN_KEY": secrets.token_hex(32),
        }
        pids = [stack.enter_context(_process(_own_command(data, port), environment)) for port in ports]
        yield Served(tuple(map(_address, ports)), tuple(pids), cluster.pids[0], redis.pids[0])


@contextmanager
def yardstick_server() -> Iterator[Served]:
    """Run the yardstick."""
    port = free_port()
    node = Path(sys.executable).with_name("node")
    command = [str(node) if node.exists() else "node", "server.cjs", str(port)]
    with _apart() as leave, _process(command, {"NODE_ENV": "production"}, cwd=YARDSTICK) as pid:
        leave()
        yield Served((_address(port),), (pid,))
