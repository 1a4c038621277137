"""Under which address people reach the server: ports, links, and what to do when only this computer can open them."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from typing import Final

from buraco.errors import BuracoError
from buraco.server.settings import FIRST_PORT, Settings
from buraco.texts import message

__all__ = ["PORTS_TRIED", "invitation_hint", "invitation_link", "lan_address", "listen", "public_address"]

PORTS_TRIED: Final = 200
"""How many ports are looked at, from the first one on."""

_BACKLOG: Final = 512
_USER_TIMEOUT_MS: Final = 60_000


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens at the address of the settings; with port 0 at the first free one from `FIRST_PORT`.

    Raises BuracoError (code ``address``) when there is none.
    """
    ports = [settings.port] if settings.port else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
    failure = ""
    for port in ports:
        try:
            return _bound(settings.host, port)
        except OSError as error:
            failure = error.strerror or str(error)
            if error.errno is None or isinstance(error, socket.gaierror):
                break
    one = f"{settings.host}:{settings.port}"
    where = one if settings.port else message("server.ports", host=settings.host, port=FIRST_PORT)
    raise BuracoError("address", message("server.no_listening", address=where, reason=failure))


def _bound(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    made = socket.socket(family, kind, protocol)
    try:
        # A server that was just stopped may start again at once; on Linux this does not share a port that is in use.
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # A client that takes nothing any more is dropped by the system; accepted sockets inherit it.
        with suppress(AttributeError, OSError):
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _USER_TIMEOUT_MS)
        made.bind(address)
        made.listen(_BACKLOG)
        made.setblocking(False)
    except OSError:
        made.close()
        raise
    return made


def lan_address() -> str:
    """Return this computer's address in the local network, or an empty text. Nothing is sent for it."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        address = str(probe.getsockname()[0])
        if not ipaddress.ip_address(address).is_loopback and address != "0.0.0.0":
            return address
    return ""


def public_address(settings: Settings, port: int) -> str:
    """Return the address that people open: the public one, else that of the host and port."""
    if settings.public_url:
        return settings.public_url.rstrip("/")
    host = settings.host
    if host in ("0.0.0.0", "::"):
        host = lan_address() or "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def invitation_link(address: str, code: str) -> str:
    """Return the link by which others come to a table. It is no secret of anybody and gives no seat that is taken."""
    return f"{address}/t/{code}"


def invitation_hint(settings: Settings) -> str:
    """Say how to let others in when only this computer can open the address; empty when others can.

    It is a `Message` (see `buraco.texts`).
    """
    if not settings.local_only:
        return ""
    return message("http.only_here")
