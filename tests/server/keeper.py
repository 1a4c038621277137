"""A PostgreSQL or a Redis of the tests' own, which ends with whoever started it, however that ends.

``python keeper.py postgresql`` makes a cluster in a temporary folder, starts it on a free loopback port, writes one
line of JSON with its ``port``, ``password``, ``folder`` and process (``server``), and waits for the end of its input.
Then, and on TERM, it ends the server and removes the folder. Should it be killed itself, the system ends the server
(Linux). ``python keeper.py postgresql durable`` leaves it as durable as it is by default, and as it is tuned by
default. ``python keeper.py redis`` does the same with a Redis (or Valkey) that keeps nothing on the disk.
"""

from __future__ import annotations

import ctypes
import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final

_TRIES: Final = 5
_READY: Final = "database system is ready to accept connections"
_REDIS_READY: Final = "eady to accept connections"
#: What ends each at once; to PostgreSQL QUIT is an immediate shutdown.
_ENDS: Final = {"postgresql": signal.SIGQUIT, "redis": signal.SIGTERM}
_OPTIONS: Final = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "log_min_messages": "log",
    "lc_messages": "C",
}
_HASTY: Final = {
    "shared_buffers": "32MB",
    # No test pulls the plug of this computer.
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
}


def programs() -> Path:
    """Return the folder of the newest PostgreSQL's programs."""
    found = [path for path in Path("/usr/lib/postgresql").glob("*/bin/initdb") if path.parts[-3].isdigit()]
    if found:
        return max(found, key=lambda path: int(path.parts[-3])).parent
    elsewhere = shutil.which("initdb")
    if elsewhere is None:
        sys.exit("keeper: there is no PostgreSQL; `sh scripts/setup.sh test` brings it")
    return Path(elsewhere).resolve().parent


def other_user() -> pwd.struct_passwd | None:
    """Return who is to run it: PostgreSQL does not run as root, so then somebody else does; None: whoever we are."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    sys.exit("keeper: PostgreSQL does not run as root, and there is no user `postgres` or `nobody`")


def _as(user: pwd.struct_passwd | None) -> dict[str, Any]:
    if user is None:
        return {}
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _dies_with_us(how: signal.Signals) -> Callable[[], None]:
    """Return what a child does first, so that it gets a signal when this process is gone."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)

    def ask() -> None:
        if prctl is not None:
            prctl(1, how)

    return ask


def make_cluster(bin_folder: Path, folder: Path, user: pwd.struct_passwd | None, password: str) -> None:
    """Make the files of a cluster."""
    word = folder / "password"
    word.write_text(password, encoding="ascii")
    if user is not None:
        for path in (folder, word):
            os.chown(path, user.pw_uid, user.pw_gid)
    command = [str(bin_folder / "initdb"), "--pgdata", str(folder / "data")]
    command += ["--username", "buraco", "--pwfile", str(word)]
    command += ["--auth", "scram-sha-256", "--encoding", "UTF8", "--no-locale", "--no-sync", "--no-instructions"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, **_as(user))
    if done.returncode:
        sys.exit(f"keeper: initdb failed: {done.stderr.strip()[:2000]}")


def free_port() -> int:
    """Return a loopback port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def start(
    name: str, command: Callable[[int], list[str]], ready: str, end: signal.Signals, **options: Any
) -> tuple[subprocess.Popen[str], int]:
    """Start a server, on another port if somebody took the first; return it and its port when it says on either output
    that it is ``ready``. ``end`` is the signal that ends it when this process is gone."""
    lines: list[str] = []
    for _ in range(_TRIES):
        port = free_port()
        server = subprocess.Popen(
            command(port),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=_dies_with_us(end),
            **options,
        )
        assert server.stdout is not None
        for line in server.stdout:
            lines.append(line.strip())
            if ready in line:
                threading.Thread(target=_read_on, args=(server.stdout,), daemon=True).start()
                return server, port
        server.wait()
    sys.exit(f"keeper: {name} does not start: {' / '.join(lines[-8:])}")


def _read_on(log: IO[str]) -> None:
    for _ in log:
        pass


def redis_program(folder: Path) -> str:
    """Return a program that is a Redis server. Debian has one program under several names, and by which it is called
    decides what it is; the package of its tools, which brings no service, lacks the name of the server alone."""
    for name in ("redis-server", "valkey-server"):
        found = shutil.which(name)
        if found is not None:
            return found
    for name, server in (("redis-check-rdb", "redis-server"), ("valkey-check-rdb", "valkey-server")):
        found = shutil.which(name)
        if found is not None:
            (folder / server).symlink_to(found)
            return str(folder / server)
    sys.exit("keeper: there is no Redis; `sh scripts/setup.sh test` brings it")


def start_postgresql(folder: Path, password: str, *, durable: bool = False) -> tuple[subprocess.Popen[str], int]:
    """Make a cluster and start its server."""
    bin_folder, user = programs(), other_user()
    make_cluster(bin_folder, folder, user, password)

    def command(port: int) -> list[str]:
        options = {**_OPTIONS, **({} if durable else _HASTY), "port": str(port)}
        settings = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        return [str(bin_folder / "postgres"), "-D", str(folder / "data"), *settings]

    return start("PostgreSQL", command, _READY, _ENDS["postgresql"], cwd=folder, **_as(user))


def start_redis(folder: Path, password: str) -> tuple[subprocess.Popen[str], int]:
    """Start a Redis that keeps nothing."""
    program = redis_program(folder)

    def command(port: int) -> list[str]:
        place = [program, "--port", str(port), "--bind", "127.0.0.1", "--requirepass", password]
        return [*place, "--save", "", "--appendonly", "no", "--dir", str(folder)]

    return start("Redis", command, _REDIS_READY, _ENDS["redis"])


def main(kind: str, *how: str) -> None:
    """Run a server until nobody wants it any more."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    password = secrets.token_hex(12)
    with tempfile.TemporaryDirectory(prefix=f"buraco-{kind}-") as name:
        if kind == "redis":
            server, port = start_redis(Path(name), password)
        else:
            server, port = start_postgresql(Path(name), password, durable="durable" in how)
        try:
            told = {"port": port, "password": password, "folder": name, "server": server.pid}
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()
            sys.stdin.buffer.read()
        finally:
            server.send_signal(_ENDS[kind])
            server.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
