"""What stands before every request: address, host, origin, rate, size; and the headers of every response."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from buraco.server.bodies import Body
from buraco.server.language import SCOPE_LANGUAGE, asked_language, language_of
from buraco.server.limits import RateLimiter, ip_of, network_of, plain_address
from buraco.server.logs import Log
from buraco.server.metrics import Metrics
from buraco.server.problems import ProblemError, problem_response
from buraco.server.settings import Settings
from buraco.texts import in_language
from buraco.texts import message as text_of

__all__ = ["Gate", "client_address", "host_allowed", "origin_allowed", "policy", "within"]

# A host goes into the policy of the page, so that nothing may follow it there.
_HOST: Final = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")
# What nginx writes of a client that went before its answer; it is in the metrics only.
_CLIENT_GONE: Final = 499
_LINES_PER_S: Final = 0.1
_LINES_BURST: Final = 20
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_UNLIMITED: Final = frozenset({"/healthz", "/readyz"})
_RECORD_PATHS: Final = frozenset({"/api/replay", "/api/replay/deal", "/api/replay/position", "/api/verify"})


def policy(host: str) -> str:
    """Return the Content-Security-Policy of every page: nothing but our own files, and sockets to this host."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        f"connect-src 'self' ws://{host} wss://{host}; manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


def within(address: str, networks: Iterable[str]) -> bool:
    """Say whether an address lies in one of the networks; what is no address lies in none."""
    both = [ip for ip in (ip_of(address), ip_of(plain_address(address))) if ip is not None]
    return any(ip in ipaddress.ip_network(one, strict=False) for one in networks for ip in both)


def client_address(scope: Scope, headers: Headers, settings: Settings) -> str:
    """Return the address of the client: of the connection, or behind trusted proxies the nearest one that is none."""
    client = scope.get("client")
    address = str(client[0]) if client else "unknown"
    if settings.proxies and within(address, settings.proxies):
        for hop in reversed(headers.get("x-forwarded-for", "").split(",")):
            hop = hop.strip()
            if ip_of(hop) is None:
                break
            address = hop
            if not within(hop, settings.proxies):
                break
    return plain_address(address)


def _host_name(host: str) -> str:
    """Return a host without its port, in small letters; empty if it cannot be one."""
    if not _HOST.fullmatch(host):
        return ""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def host_allowed(host: str, settings: Settings) -> bool:
    """Say whether a request may name this host: an IP address, this computer, or what the settings name.

    A foreign name that somebody lets point to this computer would make its pages look like our own.
    """
    name = _host_name(host)
    if ip_of(name) is not None:
        return True
    own = socket.gethostname().lower()
    known = {"localhost", own, f"{own}.local", _host_name(urlsplit(settings.public_url).netloc)}
    known |= {_host_name(urlsplit(origin).netloc) for origin in settings.allowed_origins}
    return bool(name) and (name in known or name == settings.host.lower() or name.endswith(".localhost"))


def origin_allowed(headers: Mapping[str, str], settings: Settings) -> bool:
    """Say whether a request that changes something, or opens a socket, comes from a page of our own or from no page.

    Browsers name the origin of the page in each of them; programs that are no browsers name none.
    """
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    if origin.rstrip("/") in {one.rstrip("/") for one in (settings.public_url, *settings.allowed_origins) if one}:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == headers.get("host", "").lower() != ""


@dataclass(frozen=True, slots=True)
class _Told:
    """What an answered request is remembered by."""

    method: str
    route: str
    status: int
    ms: float


class Gate:
    """The outermost layer of the application.

    It refuses what may not come in, bounds bodies, answers a fault inside as a problem without details, puts the
    security headers on every response, counts and logs. ``scope["buraco.address"]`` tells the layers below who asks,
    ``scope["buraco.network"]`` what their limits go by.
    """

    def __init__(
        self, app: ASGIApp, settings: Settings, metrics: Metrics, log: Log, steady: Callable[[], float]
    ) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self._log = log
        self._rates = RateLimiter(settings.requests_per_s, settings.requests_burst, steady)
        # A first look at the page takes a dozen files, and many people may stand behind one address.
        self._files = RateLimiter(settings.files_per_s, settings.files_burst, steady)
        # Whoever knocks all the time does not fill the log.
        self._lines = RateLimiter(_LINES_PER_S, _LINES_BURST, steady)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, socket or lifespan."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        scope["buraco.address"] = client_address(scope, headers, self._settings)
        scope["buraco.network"] = network_of(scope["buraco.address"])
        scope[SCOPE_LANGUAGE] = asked_language(scope)
        refusal = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            if refusal is not None:
                address = scope["buraco.address"]
                if self._lines.allow(scope["buraco.network"]):
                    self._log.info("socket_refused", code=refusal.code, status=refusal.status, address=address)
                await _deny(scope, receive, send, refusal)
                return
            # As long as the socket is open this waits here; what was asked with it is of no use any more.
            del headers
            await self._app(scope, receive, send)
            return
        await self._http(scope, receive, send, headers, refusal)

    def _refusal(self, scope: Scope, headers: Headers) -> ProblemError | None:
        if not host_allowed(headers.get("host", ""), self._settings):
            return ProblemError("host", text_of("http.host"))
        rates = self._files if _reads_file(scope) else self._rates
        if scope["path"] not in _UNLIMITED and not rates.allow(scope["buraco.network"]):
            return ProblemError("rate", text_of("http.too_many_requests"), headers={"Retry-After": "2"})
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE_METHODS
        if changes and not origin_allowed(headers, self._settings):
            return ProblemError("cross_site", text_of("http.cross_site"))
        return None

    async def _http(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, refusal: ProblemError | None
    ) -> None:
        began = perf_counter()
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self._add_headers(MutableHeaders(scope=message), scope, headers)
            await send(message)

        try:
            if refusal is None:
                body = await self._body(scope, receive, headers)
                await self._app(scope, body, send_with_headers)
            else:
                await problem_response(refusal, language_of(scope))(scope, receive, send_with_headers)
        except ProblemError as error:
            if status == 0:
                await problem_response(error, language_of(scope))(scope, receive, send_with_headers)
        except ClientDisconnect:
            # The client went in the middle of its request: nobody is left to answer.
            status = _CLIENT_GONE
        except Exception as error:  # noqa: BLE001 nothing may escape to the server; the fault is logged and counted
            self._metrics.errors.labels(type(error).__name__).inc()
            self._log.error("fault", exc_info=error, method=scope["method"], route=_route(scope))
            if status == 0:
                fault = ProblemError("fault", text_of("http.fault"))
                await problem_response(fault, language_of(scope))(scope, receive, send_with_headers)
        self._tell(_Told(scope["method"], _route(scope), status, 1000 * (perf_counter() - began)), scope)

    async def _body(self, scope: Scope, receive: Receive, headers: Headers) -> Body:
        """Return what receives the body. Raises ProblemError (``too_long``)."""
        settings = self._settings
        limit = settings.record_bytes_max if scope["path"] in _RECORD_PATHS else settings.body_bytes_max
        body = Body(receive, headers, limit, settings.body_s)
        await body.check()
        return body

    def _add_headers(self, answer: MutableHeaders, scope: Scope, headers: Headers) -> None:
        host = headers.get("host", "")
        fixed = {
            "Content-Security-Policy": policy(host if host_allowed(host, self._settings) else "localhost"),
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
        }
        for name, value in fixed.items():
            answer.setdefault(name, value)
        if scope["path"].startswith("/api/"):
            answer.setdefault("Cache-Control", "no-store")
        if self._settings.secure:
            answer.setdefault("Strict-Transport-Security", "max-age=31536000")

    def _tell(self, told: _Told, scope: Scope) -> None:
        self._metrics.requests.labels(told.method, told.route, str(told.status)).inc()
        self._metrics.request_seconds.labels(told.route).observe(told.ms / 1000)
        self._log.debug(
            "request",
            method=told.method,
            route=told.route,
            status=told.status,
            ms=round(told.ms, 1),
            address=scope["buraco.address"],
        )


def _route(scope: Scope) -> str:
    """Return the pattern of the path: the path itself may hold an invitation."""
    return str(getattr(scope.get("route"), "path", "") or "none")


def _reads_file(scope: Scope) -> bool:
    """Say whether a request can ask for nothing but a file of the page."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return False
    path = str(scope["path"])
    return path.split("/")[1:2] != ["api"] and path != "/metrics"


async def _deny(scope: Scope, receive: Receive, send: Send, refusal: ProblemError) -> None:
    """Refuse a socket before it is opened."""
    if "websocket.http.response" in scope.get("extensions", {}):
        language = language_of(scope)
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-language", language.encode())]
        sent: dict[str, Any] = {"status": refusal.status, "headers": headers}
        await send({"type": "websocket.http.response.start", **sent})
        await send({"type": "websocket.http.response.body", "body": in_language(refusal.detail, language).encode()})
        return
    await receive()
    await send({"type": "websocket.close", "code": 1008})
