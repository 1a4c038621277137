"""A server as a process of its own that kills itself with -9 at a named point.

``python -m tests.server.net.child DATA [SETTING=NUMBER ...]``; it writes its address as the first line of its output. A
line ``POINT NTH`` of its input says where it is to die: when it comes by that point for the nth time from then on.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from buraco.server.app import Ground
from buraco.server.logs import make_log, set_up_logging
from buraco.server.serving import Serving, serve
from buraco.server.settings import load_settings
from tests.server.net.serving import SOON, cheap_hasher, free_socket, settings_of


class KillAt:
    """Kills the process at a point, once it was told which."""

    def __init__(self) -> None:
        self._point = ""
        self._left = 0

    def hear(self) -> None:
        """Read where to die, or at the end of the input nothing more."""
        line = os.read(sys.stdin.fileno(), 100).decode()
        if not line:
            asyncio.get_running_loop().remove_reader(sys.stdin)
            return
        self._point, nth = line.split()
        self._left = int(nth)

    async def at(self, point: str) -> None:
        """Come by a point."""
        if point == self._point:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def main(data: str, *flags: str) -> None:
    """Serve until a signal, or until the point."""
    set_up_logging("error")
    numbers = {name: int(value) for name, value in (flag.split("=") for flag in flags)}
    settings = load_settings({}, {**settings_of(Path(data)), **numbers})
    listening, faults = free_socket(), KillAt()
    ground = Ground(bots="thread", hasher=cheap_hasher(), faults=faults, site=SOON)

    def ready(serving: Serving) -> None:
        asyncio.get_running_loop().add_reader(sys.stdin, faults.hear)
        sys.stdout.write(f"{serving.address}\n")
        sys.stdout.flush()

    asyncio.run(serve(settings, make_log(), environment={}, ground=ground, listening=listening, on_ready=ready))


if __name__ == "__main__":
    main(*sys.argv[1:])
