"""What one person, one address, one name may do: names, rates, connections.

Nothing here sleeps or reads a clock of its own: `now` is a parameter, in seconds of any steady clock.
"""

from __future__ import annotations

import ipaddress
import unicodedata
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

from buraco.errors import BuracoError
from buraco.texts import message

__all__ = [
    "NAME_MAX",
    "PASSWORD_MAX",
    "PASSWORD_MIN",
    "Connections",
    "Rate",
    "RateLimiter",
    "SharedLimiter",
    "clean_name",
    "ip_of",
    "is_printable",
    "network_of",
    "plain_address",
]

NAME_MAX: Final = 24
"""The longest name, in characters."""

PASSWORD_MIN: Final = 8
PASSWORD_MAX: Final = 200
"""The shortest and the longest password, in characters."""

# Printable by their category, and yet nothing is seen.
_INVISIBLE: Final = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_MARKS_RUNNING_MAX: Final = 2
_KEYS_MAX: Final = 50_000


def is_printable(text: str) -> bool:
    """Say whether a text has no control, format (so no bidirectional), private or unassigned characters, nothing that
    cannot be seen, and no towers of combining marks."""
    marks = 0
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if not letter.isprintable() or letter in _INVISIBLE or marks > _MARKS_RUNNING_MAX:
            return False
    return True


def clean_name(text: str) -> str:
    """Return a name in its normal form: NFC, spaces trimmed and single.

    Raises BuracoError (code ``name``) unless it has 1 to 24 printable characters, a letter, digit or symbol among them.
    """
    # Much longer input is refused before anything walks over it.
    if len(text) <= 4 * NAME_MAX:
        name = " ".join(part for part in unicodedata.normalize("NFC", text).strip().split(" ") if part)
        visible = any(unicodedata.category(letter)[0] in "LNPS" for letter in name)
        if 1 <= len(name) <= NAME_MAX and visible and is_printable(name):
            return name
    raise BuracoError("name", message("account.name", most=NAME_MAX))


def ip_of(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the IP address that a text is, None if it is none."""
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def plain_address(address: str) -> str:
    """Return an address of IPv4 as such, which a server for both kinds is told as one of IPv6; others as they are."""
    ip = ip_of(address)
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return address if mapped is None else str(mapped)


def network_of(address: str) -> str:
    """Return what an address is counted as: of IPv6 the network of 64 bits, since whoever has one of its addresses has
    as many of them as they like; anything else as it is."""
    plain = plain_address(address)
    ip = ip_of(plain)
    if not isinstance(ip, ipaddress.IPv6Address) or ip.is_loopback:
        return plain
    return str(ipaddress.IPv6Network((int(ip), 64), strict=False))


class Rate:
    """An allowance that fills up with time: ``burst`` at once, ``per_s`` a second lasting."""

    __slots__ = ("_burst", "_left", "_per_s", "_then")

    def __init__(self, per_s: float, burst: float, now: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._left = burst
        self._then = now

    def take(self, now: float) -> bool:
        """Take one from the allowance; say whether it was there."""
        self._left = min(self._burst, self._left + max(0.0, now - self._then) * self._per_s)
        self._then = max(now, self._then)
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


class RateLimiter:
    """One allowance for each key, such as an address; keys that did nothing for long are forgotten first."""

    def __init__(self, per_s: float, burst: float, now: Callable[[], float], keys_max: int = _KEYS_MAX) -> None:
        self._per_s = per_s
        self._burst = burst
        self._now = now
        self._keys_max = keys_max
        self._rates: OrderedDict[str, Rate] = OrderedDict()

    def allow(self, key: str) -> bool:
        """Take one from the allowance of a key; say whether it was there."""
        now = self._now()
        rate = self._rates.get(key)
        if rate is None:
            rate = self._rates[key] = Rate(self._per_s, self._burst, now)
            while len(self._rates) > self._keys_max:
                self._rates.popitem(last=False)
        self._rates.move_to_end(key)
        return rate.take(now)

    @property
    def rate(self) -> tuple[float, float]:
        """What each key may take a second, lasting, and at once."""
        return self._per_s, self._burst

    def __len__(self) -> int:
        """Return how many keys are remembered."""
        return len(self._rates)


class SharedLimiter:
    """A limiter of several processes: each has its own allowance, and all of them one together, where it can be asked.

    ``take`` takes from the latter: it gets the key, and what may be taken a second and at once.
    """

    def __init__(
        self, own: RateLimiter, name: str, take: Callable[[str, float, float], Awaitable[bool]] | None = None
    ) -> None:
        self._own = own
        self._name = name
        self._take = take

    async def allow(self, key: str) -> bool:
        """Take one from each allowance of a key; say whether it was there."""
        if not self._own.allow(key):
            return False
        return self._take is None or await self._take(f"{self._name} {key}", *self._own.rate)


class Connections:
    """Counts the open sockets: of the server, of an address, of a person."""

    def __init__(self, total_max: int, address_max: int, person_max: int) -> None:
        self._total_max = total_max
        self._address_max = address_max
        self._person_max = person_max
        self._addresses: Counter[str] = Counter()
        self._people: Counter[str] = Counter()
        self._total = 0

    @property
    def total(self) -> int:
        """How many are open."""
        return self._total

    def enter(self, address: str, person: str) -> bool:
        """Count one more; say whether it may be."""
        if (
            self._total >= self._total_max
            or self._addresses[address] >= self._address_max
            or self._people[person] >= self._person_max
        ):
            return False
        self._total += 1
        self._addresses[address] += 1
        self._people[person] += 1
        return True

    def leave(self, address: str, person: str) -> None:
        """Count one less."""
        self._total -= 1
        for counter, key in ((self._addresses, address), (self._people, person)):
            counter[key] -= 1
            if counter[key] <= 0:
                del counter[key]
