"""Puts a server together: its parts, and the application that serves them."""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

import buraco
from buraco.errors import BuracoError
from buraco.server.accounts import People
from buraco.server.admin import Orders
from buraco.server.archive import Archive
from buraco.server.clocks import SystemClock
from buraco.server.http.openapi import install_openapi
from buraco.server.http.pages import pages_router
from buraco.server.http.people import people_router
from buraco.server.http.referee import referee_router
from buraco.server.http.tables import tables_router
from buraco.server.identity import TokenSigner, load_key
from buraco.server.limits import Connections, RateLimiter
from buraco.server.logs import Log
from buraco.server.metrics import Metrics
from buraco.server.parts import Limiters, Parts, State
from buraco.server.problems import ProblemError, problem_response
from buraco.server.referee_pool import RefereePool
from buraco.server.retention import housekeeping
from buraco.server.security import Gate
from buraco.server.settings import Settings
from buraco.server.sockets import Sockets
from buraco.server.terms import Clock, Faults, NoFaults
from buraco.server.upgrade import is_sqlite, make_engine, schema_state, upgrade_schema
from buraco.server.ws import serve_socket

__all__ = ["Ground", "make_app", "only_server", "prepare_schema", "running"]

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
_HOUR_S: Final = 3600
_LOCK: Final = "server.lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What a server stands on, and tests replace: its clock, a steady clock in seconds, random bytes, named faults."""

    clock: Clock = field(default_factory=SystemClock)
    steady: Callable[[], float] = monotonic
    entropy: Callable[[int], bytes] = os.urandom
    faults: Faults = field(default_factory=NoFaults)


@contextmanager
def only_server(settings: Settings) -> Iterator[None]:
    """Hold the data folder: of two servers on one SQLite database each would think that the tables are its own.

    Raises BuracoError (code ``data_in_use``, or ``data`` if the folder cannot be written).
    """
    if not is_sqlite(settings.storage_url):
        yield
        return
    path = settings.data / _LOCK
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        file = path.open("a", encoding="ascii")
    except OSError as error:
        message = f"cannot write in {settings.data}: {error.strerror}; choose another folder with --data"
        raise BuracoError("data", message) from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            message = f"another server uses {settings.data}; stop it, or choose another folder with --data"
            raise BuracoError("data_in_use", message) from None
        yield


async def prepare_schema(engine: AsyncEngine, settings: Settings) -> None:
    """Bring an SQLite database up to date; of another one demand that it is.

    Raises BuracoError (code ``schema_old``).
    """
    if is_sqlite(settings.storage_url):
        await upgrade_schema(engine)
        return
    now, newest = await schema_state(engine)
    if now != newest:
        raise BuracoError("schema_old", "the database is of another version; run `buraco db upgrade` first")


@asynccontextmanager
async def running(
    settings: Settings, log: Log, address: str, environment: Mapping[str, str], ground: Ground | None = None
) -> AsyncIterator[Parts]:
    """Give the parts of a server with its tables restored, and end them in good order.

    Raises BuracoError: ``data_in_use``, ``data``, ``token_key``, ``database_url``, ``schema_old``.
    """
    ground = ground or Ground()
    async with AsyncExitStack() as stack:
        stack.enter_context(only_server(settings))
        signer = TokenSigner(load_key(settings.data, environment))
        engine = make_engine(settings.storage_url)
        stack.push_async_callback(engine.dispose)
        await prepare_schema(engine, settings)
        parts = _parts(settings, log, address, ground, engine, signer)
        stack.callback(parts.referee.close)
        restored = await parts.service.restore()
        stack.push_async_callback(parts.service.close)
        log.info("tables_restored", count=restored)
        keeping = asyncio.create_task(housekeeping(parts, Orders(engine)))
        try:
            yield parts
        finally:
            parts.state.stopping = True
            keeping.cancel()
            with suppress(asyncio.CancelledError):
                await keeping


def make_app(parts: Parts) -> ASGIApp:
    """Return the application: the HTTP API, the page, the sockets, behind the gate."""
    app = FastAPI(
        title="buraco",
        version=buraco.__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
    )
    app.state.parts = parts
    for router in (people_router, tables_router, referee_router, pages_router):
        app.include_router(router)
    app.add_api_websocket_route("/api/tables/{name}/socket", _socket)
    app.add_exception_handler(ProblemError, _problem)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    install_openapi(app, secure=parts.settings.secure)
    parts.metrics.watch_sockets(lambda: parts.sockets.counts.total)
    return Gate(app, parts.settings, parts.metrics, parts.log, parts.steady)


async def _socket(socket: WebSocket) -> None:
    name = str(socket.path_params["name"])
    await serve_socket(socket, socket.app.state.parts, name if _NAME.fullmatch(name) else "-")


async def _problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)
    return problem_response(error)


async def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    reasons = [f"{'.'.join(str(part) for part in one['loc'][1:])}: {one['msg']}" for one in error.errors()[:20]]
    return problem_response(ProblemError("invalid", reasons[0] if reasons else "The request cannot be.", reasons))


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        return problem_response(ProblemError("method", "This cannot be done here.", headers=error.headers))
    return problem_response(ProblemError("not_found", "There is nothing of that name here."))
