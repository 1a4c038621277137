"""The page, its files, and what is for who runs the server: health, readiness, metrics."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Annotated, Final

from fastapi import Path, Request
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import PlainTextResponse, Response

from buraco.server.http.bridge import Operation, Operations, add, parts_of
from buraco.server.metrics import CONTENT_TYPE
from buraco.server.problems import ProblemError
from buraco.server.security import within

__all__ = ["pages_router"]

pages_router: Final = Operations()

_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".svg": "image/svg+xml",
    }
)
_TAG: Final = "server"


def _file(request: Request, name: str) -> Response:
    """Return a file of the page; a browser that has it already is told so."""
    found = files("buraco.server.page").joinpath(name)
    kind = _TYPES.get(f".{name.rpartition('.')[2]}")
    if kind is None or not found.is_file():
        raise ProblemError("not_found", "There is no such page.")
    content = found.read_bytes()
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=kind)


@pages_router.get("/", include_in_schema=False)
@pages_router.head("/", include_in_schema=False)
async def home(request: Request) -> Response:
    """Return the page."""
    return _file(request, "index.html")


@pages_router.get("/t/{name}", include_in_schema=False)
async def table_page(request: Request, name: str) -> Response:  # noqa: ARG001 the page reads it from its address
    """Return the page; its script reads the table from the address."""
    return _file(request, "index.html")


@pages_router.get("/static/{name}", include_in_schema=False)
async def static(request: Request, name: Annotated[str, Path(pattern=r"^[a-z0-9-]{1,40}\.(js|css|svg)$")]) -> Response:
    """Return a file of the page."""
    return _file(request, name)


@add(
    pages_router,
    "GET",
    "/healthz",
    Operation(name="health", tag=_TAG, summary="It runs", answer="ok", media_type="text/plain"),
)
async def healthz() -> Response:
    """Say that the process answers."""
    return PlainTextResponse("ok")


@add(
    pages_router,
    "GET",
    "/readyz",
    Operation(name="ready", tag=_TAG, summary="It can be used", answer="ready", media_type="text/plain"),
)
async def readyz(request: Request) -> Response:
    """Say that the tables are restored, the database answers, and the server does not stop."""
    parts = parts_of(request)
    try:
        await parts.archive.ping()
    except SQLAlchemyError:
        raise ProblemError("stopping", "The database does not answer.") from None
    if parts.state.stopping:
        raise ProblemError("stopping", "The server stops.")
    return PlainTextResponse("ready")


@add(
    pages_router,
    "GET",
    "/metrics",
    Operation(
        name="metrics", tag=_TAG, summary="Metrics for Prometheus", answer="", media_type="text/plain", statuses=(404,)
    ),
)
async def metrics(request: Request) -> Response:
    """Return the metrics, to this computer and to whom the settings name."""
    parts = parts_of(request)
    allowed = ("127.0.0.0/8", "::1/128", *parts.settings.metrics_allow)
    if not parts.settings.metrics or not within(request.scope["buraco.address"], allowed):
        raise ProblemError("not_found", "There is no such page.")
    return Response(parts.metrics.text(), media_type=CONTENT_TYPE)
