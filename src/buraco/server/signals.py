"""What the processes of a site tell each other over Redis: that something is new, never what.

No card, seed, word, name or token is in a signal: whoever hears one reads the database.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from buraco.server.peers import Someone

__all__ = ["Beat", "Bye", "Everybody", "Forgotten", "Hello", "Here", "KickPerson", "News", "Signal", "decode", "encode"]


class Beat(Struct, frozen=True, tag="beat", kw_only=True):
    """The process lives, and reaches Redis."""

    process: str


class Hello(Struct, frozen=True, tag="hello", kw_only=True):
    """The process has just come to Redis: it asks the others to say who is connected to them."""

    process: str


class Bye(Struct, frozen=True, tag="bye", kw_only=True):
    """The process ends."""

    process: str


class Everybody(Struct, frozen=True, tag="everybody", kw_only=True):
    """Everybody who is connected to the process, by tables."""

    process: str
    tables: dict[str, tuple[Someone, ...]]


class Here(Struct, frozen=True, tag="here", kw_only=True):
    """Who is connected to one table at the process now."""

    process: str
    table: str
    people: tuple[Someone, ...]


class News(Struct, frozen=True, tag="news", kw_only=True):
    """The process has written entries of these tables: the number of the last one of each."""

    process: str
    versions: dict[str, int]


class KickPerson(Struct, frozen=True, tag="kick", kw_only=True):
    """The sockets of a person are to be closed, with this code."""

    process: str
    person: str
    code: int
    reason: str


class Forgotten(Struct, frozen=True, tag="forgotten", kw_only=True):
    """A person was deleted."""

    process: str
    person: str


Signal = Beat | Hello | Bye | Everybody | Here | News | KickPerson | Forgotten


def encode(signal: Signal) -> bytes:
    """Return a signal as it goes over Redis."""
    return msgspec.msgpack.encode(signal)


def decode(data: bytes) -> Signal | None:
    """Return what came over Redis; None for what is no signal, as that of another version of the program may be."""
    try:
        found: Signal = msgspec.msgpack.decode(data, type=Signal)
    except msgspec.DecodeError:
        return None
    return found
