"""Runs a server until it is told to stop: uvicorn around the application, and a stop that tells the clients first."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import uvicorn

from buraco.server.addresses import invitation_hint, listen, public_address
from buraco.server.app import Ground, make_app, running
from buraco.server.collecting import short_collections
from buraco.server.connections import Doors, SocketProtocol, http_protocol, raise_file_limit
from buraco.server.logs import Log
from buraco.server.parts import Parts
from buraco.server.retention import end_housekeeping
from buraco.server.settings import Settings

__all__ = ["Serving", "serve"]

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_PING_S: Final = 20.0


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that answers: the ``address`` that people open, the ``hint`` how others could (or an empty text), its
    parts, and `stop`."""

    address: str
    hint: str
    parts: Parts
    stop: Callable[[], None]


class _Uvicorn(uvicorn.Server):
    """Uvicorn's server, which ends the tables before it closes the connections."""

    def __init__(self, config: uvicorn.Config, parts: Parts, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._parts = parts
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, then say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell every client that the server stops, let what was accepted be written, then close the connections."""
        parts = self._parts
        parts.state.stopping = True
        parts.log.info("stopping", connections=parts.sockets.counts.total)
        await end_housekeeping(parts)
        try:
            async with asyncio.timeout(parts.settings.stop_s):
                await parts.service.close()
        except TimeoutError:
            parts.log.error("stop_timed_out")
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on INT and TERM; a second one stops at once. Unlike uvicorn's own way the process then ends normally."""
        if threading.current_thread() is not threading.main_thread():
            # Only the main thread hears signals.
            yield
            return
        loop = asyncio.get_running_loop()
        for one in _SIGNALS:
            loop.add_signal_handler(one, self.handle_exit, one, None)
        try:
            yield
        finally:
            for one in _SIGNALS:
                loop.remove_signal_handler(one)


def _config(app: Any, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        ws=SocketProtocol,
        http=http_protocol(Doors(settings)),
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws_max_size=settings.message_bytes_max,
        ws_ping_interval=_PING_S,
        ws_ping_timeout=_PING_S,
        # Cards and chat in one compressed stream would show by its length what it holds.
        ws_per_message_deflate=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=settings.stop_s,
    )


async def serve(
    settings: Settings,
    log: Log,
    *,
    environment: Mapping[str, str] | None = None,
    ground: Ground | None = None,
    listening: socket.socket | None = None,
    on_ready: Callable[[Serving], None],
) -> None:
    """Serve until INT or TERM, or until `Serving.stop` is called. ``listening``: instead of a socket of its own.

    Raises BuracoError as `listen` and `running` do.
    """
    raise_file_limit(settings)
    listening = listening or listen(settings)
    began = False
    try:
        address = public_address(settings, listening.getsockname()[1])
        hint = invitation_hint(settings)
        async with running(settings, log, address, environment or os.environ, ground) as parts:

            def ready() -> None:
                nonlocal began
                began = True
                log.info("serving", url=address, public=not settings.local_only, port=listening.getsockname()[1])
                if hint:
                    log.warning("only_this_computer", url=address)
                on_ready(Serving(address, hint, parts, lambda: server.handle_exit(signal.SIGTERM, None)))

            server = _Uvicorn(_config(make_app(parts), settings), parts, ready)
            with short_collections():
                await server.serve([listening])
    finally:
        listening.close()
        if began:
            log.info("stopped")
