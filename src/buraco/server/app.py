"""Puts a server together: its parts, and the application that serves them."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Final, Literal

from argon2 import PasswordHasher
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

import buraco
from buraco.bots import make_bot
from buraco.server.accounts import People
from buraco.server.admin import Orders
from buraco.server.archive import Archive
from buraco.server.botpool import BotPool
from buraco.server.clocks import SystemClock
from buraco.server.folder import only_in_folder
from buraco.server.http.bots import bots_router
from buraco.server.http.bridge import Operation
from buraco.server.http.lessons import lessons_router
from buraco.server.http.openapi import install_openapi
from buraco.server.http.pages import no_such_page, pages_router
from buraco.server.http.people import people_router
from buraco.server.http.referee import referee_router
from buraco.server.http.tables import tables_router
from buraco.server.identity import TokenSigner, load_key
from buraco.server.invalid import told_of_parameter
from buraco.server.language import language_of
from buraco.server.limits import Connections, RateLimiter, SharedLimiter
from buraco.server.logs import Log
from buraco.server.metrics import Metrics
from buraco.server.parts import Limiters, Parts, State
from buraco.server.peers import Alone, Peers
from buraco.server.postgres import claim
from buraco.server.problems import ProblemError, problem_response
from buraco.server.referee_pool import RefereePool
from buraco.server.retention import end_housekeeping, housekeeping
from buraco.server.security import Gate
from buraco.server.service import TableService
from buraco.server.settings import Settings
from buraco.server.site import Site, SiteTimes, make_site
from buraco.server.sockets import Sockets
from buraco.server.store import StorageError, Store
from buraco.server.terms import Clock, Faults, NoFaults
from buraco.server.thinking import offered_levels
from buraco.server.upgrade import is_sqlite, postgres_dsn
from buraco.server.ws import serve_socket
from buraco.texts import message

__all__ = ["Ground", "make_app", "only_server", "running"]

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
_SOCKET_PATH: Final = re.compile(r"/api/tables/(?P<name>[^/]+)/socket")
_HOUR_S: Final = 3600
# A person may send this many times what one socket may, over all of theirs.
_PER_PERSON: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What a server stands on, and tests replace: its clock, a steady clock in seconds, random bytes, named faults,
    where bots think, how passwords are hashed, and how soon several processes miss each other."""

    clock: Clock = field(default_factory=SystemClock)
    steady: Callable[[], float] = monotonic
    entropy: Callable[[int], bytes] = os.urandom
    faults: Faults = field(default_factory=NoFaults)
    bots: Literal["process", "thread", "inline"] = "process"
    hasher: PasswordHasher = field(default_factory=PasswordHasher)
    site: SiteTimes = field(default_factory=SiteTimes)


@asynccontextmanager
async def only_server(settings: Settings, log: Log) -> AsyncIterator[None]:
    """Hold the data folder, or the database. Two servers that share one would each think that the tables are theirs
    alone, unless both know that there are several.

    Raises BuracoError: ``data_in_use``, ``data`` (the folder cannot be written), ``database`` (it cannot be used).
    """
    if is_sqlite(settings.storage_url):
        with only_in_folder(settings):
            yield
    else:
        async with claim(postgres_dsn(settings.storage_url), log, shared=bool(settings.redis)):
            yield


@asynccontextmanager
async def running(
    settings: Settings, log: Log, address: str, environment: Mapping[str, str], ground: Ground | None = None
) -> AsyncIterator[Parts]:
    """Give the parts of a server with its tables restored, and end them in good order.

    Raises BuracoError: ``data_in_use``, ``data``, ``token_key``, ``database_url``, ``database``, ``schema_old``,
    ``schema_new``, ``weights_missing``, ``weights_damaged``, ``weights_wrong``.
    """
    ground = ground or Ground()
    # Weights that are missing or wrong are told now, not to the first table at which such a bot sits.
    for level in offered_levels(settings.bot_levels):
        make_bot(level)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(only_server(settings, log))
        key = load_key(settings.data, environment)
        store = await Store.open(settings.storage_url)
        stack.push_async_callback(store.close)
        site = make_site(settings, log, ground.steady, store.engine, key, ground.site) if settings.redis else None
        if site is not None:
            stack.push_async_callback(site.close)
        parts = _parts(settings, log, address, ground, store, TokenSigner(key), site)
        stack.callback(parts.referee.close)
        stack.push_async_callback(parts.service.close)
        if site is not None:
            await site.start(parts.service, parts.sockets)
        restored = await parts.service.restore()
        log.info("tables_restored", count=restored)
        parts.state.housekeeping = asyncio.create_task(housekeeping(parts, Orders(store.engine)))
        try:
            yield parts
        finally:
            await end_housekeeping(parts)


def _parts(
    settings: Settings,
    log: Log,
    address: str,
    ground: Ground,
    store: Store,
    signer: TokenSigner,
    site: Site | None,
) -> Parts:
    metrics, steady = Metrics(), ground.steady
    peers: Peers = Alone() if site is None else site
    bots = BotPool(workers=settings.bot_workers, kind=ground.bots, watch=metrics)
    metrics.watch_bots(lambda: bots.thinking, lambda: bots.waiting)
    service = TableService(
        store,
        ground.clock,
        bots,
        settings.tables,
        entropy=ground.entropy,
        faults=ground.faults,
        watch=metrics,
        peers=peers,
    )
    return Parts(
        settings=settings,
        clock=ground.clock,
        service=service,
        people=People(store.engine, signer, ground.clock.now_ms, ground.hasher),
        archive=Archive(store.engine),
        peers=peers,
        limiters=_limiters(settings, steady, None if site is None else site.take),
        sockets=Sockets(
            Connections(settings.connections_max, settings.connections_per_address, settings.connections_per_person),
            peers,
        ),
        referee=RefereePool(
            settings.judge_workers, settings.judge_s, "process" if ground.bots == "process" else "thread"
        ),
        metrics=metrics,
        log=log,
        steady=steady,
        address=address,
        state=State(),
    )


def _limiters(
    settings: Settings, steady: Callable[[], float], take: Callable[[str, float, float], Awaitable[bool]] | None
) -> Limiters:
    guests = RateLimiter(settings.guests_per_hour / _HOUR_S, settings.guests_per_hour, steady)
    logins = RateLimiter(settings.logins_per_hour / _HOUR_S, settings.logins_per_hour, steady)
    return Limiters(
        guests=SharedLimiter(guests, "guests", take),
        logins=SharedLimiter(logins, "logins", take),
        messages=RateLimiter(_PER_PERSON * settings.messages_per_s, _PER_PERSON * settings.messages_burst, steady),
    )


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
    described: dict[str, Operation] = {}
    for router in (people_router, bots_router, tables_router, lessons_router, referee_router, pages_router):
        app.include_router(router)
        described |= router.described
    app.add_exception_handler(ProblemError, _problem)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    for kind in (SQLAlchemyError, StorageError):
        app.add_exception_handler(kind, _no_database)
    # The gate hears of this one too, and tells of it.
    app.add_exception_handler(Exception, _fault)
    install_openapi(app, described, secure=parts.settings.secure)
    parts.metrics.watch_sockets(lambda: parts.sockets.counts.total)
    parts.metrics.watch_tables(parts.service.count_in)
    parts.metrics.watch_site(lambda: parts.peers.living_count, parts.peers.certain)
    return Gate(_with_sockets(app, parts), parts.settings, parts.metrics, parts.log, parts.steady)


def _with_sockets(app: ASGIApp, parts: Parts) -> ASGIApp:
    """Return an application that serves the sockets of tables itself, and leaves the rest to another.

    All layers of that one would wait around each open socket, and take more memory than everything else of it.
    """

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        found = _SOCKET_PATH.fullmatch(scope["path"]) if scope["type"] == "websocket" else None
        if found is None:
            await app(scope, receive, send)
            return
        name = found["name"]
        await serve_socket(WebSocket(scope, receive, send), parts, name if _NAME.fullmatch(name) else "-")

    return serve


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)
    return problem_response(error, language_of(request.scope))


async def _no_database(request: Request, error: Exception) -> Response:
    parts: Parts = request.app.state.parts
    parts.metrics.errors.labels(type(error).__name__).inc()
    parts.log.error("storage_failed", exc_info=error, method=request.method)
    return problem_response(ProblemError("storage", message("table.storage")), language_of(request.scope))


async def _fault(request: Request, _: Exception) -> Response:
    return problem_response(ProblemError("fault", message("http.fault")), language_of(request.scope))


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    reasons = [told_of_parameter(one) for one in error.errors()[:20]]
    problem = ProblemError("invalid", reasons[0] if reasons else message("http.invalid"), reasons)
    return problem_response(problem, language_of(request.scope))


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    page = no_such_page(request) if error.status_code == 404 else None
    if page is not None:
        return page
    problem = ProblemError("not_found", message("http.nothing_here"))
    if error.status_code == 405:
        problem = ProblemError("method", message("http.method"), headers=error.headers)
    return problem_response(problem, language_of(request.scope))
