"""A server as a process of its own that kills itself with -9 when it comes by a named point for the nth time.

``python -m tests.server.net.child DATA POINT NTH``; it writes its address as the first line of its output.
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
from tests.server.net.serving import cheap_hasher, free_socket, settings_of


class KillAt:
    """Kills the process at a point."""

    def __init__(self, point: str, nth: int) -> None:
        self._point = point
        self._left = nth

    async def at(self, point: str) -> None:
        """Come by a point."""
        if point == self._point:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def ready(serving: Serving) -> None:
    """Say where it serves."""
    sys.stdout.write(f"{serving.address}\n")
    sys.stdout.flush()


def main(data: str, point: str, nth: str) -> None:
    """Serve until a signal, or until the point."""
    set_up_logging("warning")
    settings = load_settings({}, settings_of(Path(data)))
    listening = free_socket()
    ground = Ground(bots="thread", hasher=cheap_hasher(), faults=KillAt(point, int(nth)))
    asyncio.run(serve(settings, make_log(), environment={}, ground=ground, listening=listening, on_ready=ready))


if __name__ == "__main__":
    main(*sys.argv[1:])
