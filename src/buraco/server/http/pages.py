"""The page, its files, and what is for whoever runs the server: health, readiness, metrics.

The page is built from ``web/`` into the folder ``static`` beside this package; the server only hands its files out.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from fastapi import Request
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import PlainTextResponse, Response

from buraco.server.http.bridge import Operation, Operations, add, parts_of, takes_gzip
from buraco.server.metrics import CONTENT_TYPE
from buraco.server.problems import ProblemError
from buraco.server.security import within
from buraco.texts import message

__all__ = ["no_such_page", "page_file", "pages_router"]

pages_router: Final = Operations()

_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "css": "text/css; charset=utf-8",
        "html": "text/html; charset=utf-8",
        "ico": "image/x-icon",
        "js": "text/javascript; charset=utf-8",
        "json": "application/json",
        "png": "image/png",
        "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
        "webmanifest": "application/manifest+json",
        "woff2": "font/woff2",
    }
)
# Addresses that are pages of the one document; its script reads them.
_PAGES: Final = (
    "/",
    "/t/{name}",
    "/create",
    "/settings",
    "/account",
    "/games",
    "/learn",
    "/watch",
    "/rules",
    "/rules/{name}",
    "/compare",
    "/compare/{left}/{right}",
    "/house",
    "/replay",
    "/replay/{name}/{match}",
    "/fair",
    "/fair/{name}/{match}",
)
_FILE: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")
_NOT_BUILT: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Buraco: the page is not built</title>
<h1>Buraco: the page is not built</h1>
<p>The table server runs, but this installation has no page to show.
<p>In a checkout, stop the server and run <code>make build</code> (it needs Node 20.19 or newer and npm), or start it
with <code>make play</code>, which builds the page by itself. A package from <code>make dist</code> has it inside.
<p>Programs can play all the same: <a href="/api/openapi.json">/api/openapi.json</a> describes the HTTP API.
</html>
"""
_TAG: Final = "server"


def page_file(folder: Traversable, path: str, headers: Mapping[str, str]) -> Response:
    """Return a file of the built page in a folder, ``index.html`` or ``assets/…``.

    A browser that has it already is told so (304); one that takes gzip gets the compressed copy that the build made.
    Names under ``assets`` carry a digest of their content, so browsers may keep them for ever. Raises ProblemError
    (``not_found``) for what is no file of the page.
    """
    parts = path.split("/")
    kind = _TYPES.get(parts[-1].rpartition(".")[2])
    if kind is None or not all(_FILE.fullmatch(part) for part in parts):
        raise ProblemError("not_found", message("http.no_page"))
    found = folder.joinpath(*parts)
    if not found.is_file():
        raise ProblemError("not_found", message("http.no_page"))
    content = found.read_bytes()
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    keep = "public, max-age=31536000, immutable" if parts[0] == "assets" else "no-cache"
    answer = {"ETag": tag, "Cache-Control": keep, "Vary": "Accept-Encoding"}
    # A weak comparison: proxies mark what they compressed themselves.
    if tag in headers.get("if-none-match", "").replace("W/", "").split(", "):
        return Response(status_code=304, headers=answer)
    small = folder.joinpath(*parts[:-1], f"{parts[-1]}.gz")
    if takes_gzip(headers.get("accept-encoding", "")) and small.is_file():
        return Response(small.read_bytes(), headers={**answer, "Content-Encoding": "gzip"}, media_type=kind)
    return Response(content, headers=answer, media_type=kind)


def _built() -> Traversable:
    return files("buraco.server").joinpath("static")


def no_such_page(request: Request) -> Response | None:
    """Return the page, which then says so in the reader's language, to a browser that opens an address of no page; None
    for programs, and where there is no page."""
    opened = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
    if not opened or request.url.path.startswith("/api/") or not _built().joinpath("index.html").is_file():
        return None
    response = page_file(_built(), "index.html", {"accept-encoding": request.headers.get("accept-encoding", "")})
    response.status_code = 404
    return response


async def _page(request: Request) -> Response:
    """Return the page; its script reads the rest from the address."""
    if not _built().joinpath("index.html").is_file():
        return Response(_NOT_BUILT, status_code=503, headers={"Cache-Control": "no-store"}, media_type=_TYPES["html"])
    return page_file(_built(), "index.html", request.headers)


async def _named_file(request: Request) -> Response:
    """Return a file of the page by its path."""
    return page_file(_built(), request.url.path.removeprefix("/"), request.headers)


for _path in _PAGES:
    pages_router.add_api_route(_path, _page, methods=["GET", "HEAD"], include_in_schema=False)
for _path in (
    "/assets/{name}",
    "/icon.svg",
    "/icon-192.png",
    "/icon-512.png",
    "/icon-mask.png",
    "/licences.txt",
    "/manifest.webmanifest",
    "/sw.js",
):
    pages_router.add_api_route(_path, _named_file, methods=["GET", "HEAD"], include_in_schema=False)


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
        raise ProblemError("stopping", message("http.no_database")) from None
    if parts.state.stopping:
        raise ProblemError("stopping", message("http.stopping"))
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
    """Return the metrics, to this computer and to the addresses that the settings name."""
    parts = parts_of(request)
    allowed = ("127.0.0.0/8", "::1/128", *parts.settings.metrics_allow)
    if not parts.settings.metrics or not within(request.scope["buraco.address"], allowed):
        raise ProblemError("not_found", message("http.no_page"))
    return Response(parts.metrics.text(), media_type=CONTENT_TYPE)
