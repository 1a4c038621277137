"""This process among those that serve the same tables: who lives, who is connected where, who does what by itself.

Which processes live the database says (`buraco.server.roster`), what is new Redis (`buraco.server.wire`). Where they
know too little of each other, a process does everything for the tables at which somebody is connected to it, and counts
whoever it does not know of as still there; then two may do the same, and the database takes what one of them writes.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from sqlalchemy.ext.asyncio import AsyncEngine

from buraco.errors import BuracoError
from buraco.server import signals
from buraco.server.logs import Log
from buraco.server.peers import Someone
from buraco.server.roster import Living, Roster
from buraco.server.settings import Settings
from buraco.server.signals import Signal
from buraco.server.store import StorageError
from buraco.server.wire import Wire
from buraco.texts import message as text_of

__all__ = ["Listener", "Site", "SiteTimes", "make_site"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteTimes:
    """How often a process says that it lives (``beat_s``); after which silence it counts as not heard any longer
    (``silent_s``), or as dead (``dead_ms``); how long a start waits for the others (``start_s``); how soon Redis is
    tried again (``redis_retry_s``), and how long it is waited for before an allowance is given without it
    (``redis_limit_s``); how often the database is looked at for what nobody told: usually (``look_s``), and while the
    others are not heard (``look_uncertain_s``)."""

    beat_s: float = 1.0
    silent_s: float = 3.0
    dead_ms: int = 5_000
    start_s: float = 8.0
    redis_retry_s: float = 0.5
    redis_limit_s: float = 0.25
    look_s: float = 5.0
    look_uncertain_s: float = 1.0


class OpenSockets(Protocol):
    """The sockets of this process."""

    def close_here(self, person_id: str, code: int, reason: str) -> int:
        """Close those of a person."""

    def judge_all(self) -> None:
        """Close those of whoever may no longer be there."""


class Listener(Protocol):
    """Hears what the others tell."""

    def heard_news(self, table_id: str, version: int) -> None:
        """Hear that a table has changed."""

    def heard_people(self, table_id: str) -> None:
        """Hear that somebody came to a table elsewhere, or went."""

    def heard_all(self) -> None:
        """Hear that anything may have changed."""

    def heard_forgotten(self, person_id: str) -> None:
        """Hear that a person was deleted."""


_LABEL: Final = b"buraco site 1\n"


def _digest(key: bytes, text: str) -> str:
    """Return what stands for a text where its readers shall not know it, and for the key itself."""
    return hmac.new(key, _LABEL + text.encode(), hashlib.sha256).hexdigest()[:32]


class _Other:
    """Another process: when it was heard last, who is connected to it by tables, and whether that is all of them."""

    def __init__(self) -> None:
        self.heard_s = float("-inf")
        self.complete = False
        self.tables: dict[str, tuple[Someone, ...]] = {}


class Site:
    """The `Peers` of a process of several. `start` it once a listener is there, `close` it; `leave` comes before."""

    several = True

    def __init__(
        self,
        roster: Roster,
        make_wire: Callable[[Callable[[bytes], None], Callable[[], None]], Wire],
        key: bytes,
        log: Log,
        steady: Callable[[], float],
        times: SiteTimes,
    ) -> None:
        self.process_id = roster.own.process_id
        self._key = key
        self._roster = roster
        self._wire = make_wire(self._hear, self._joined)
        self._log = log
        self._steady = steady
        self._times = times
        self._listener: Listener | None = None
        self._sockets: OpenSockets | None = None
        self._living: tuple[str, ...] = ()
        self._others: dict[str, _Other] = {}
        self._own_heard_s = float("-inf")
        self._roster_s = float("-inf")
        self._mine: dict[str, tuple[Someone, ...]] = {}
        self._news: dict[str, int] = {}
        self._state: tuple[bool, tuple[str, ...]] | None = None
        self._known = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._left = False

    @property
    def living_count(self) -> int:
        """How many processes live, this one among them."""
        return 1 + len(self._living)

    async def take(self, name: str, per_s: float, burst: float) -> bool:
        """Take from an allowance that all processes share (see `Wire.take`)."""
        return await self._wire.take(f"buraco:{_digest(self._key, f'rate {name}')}", per_s, burst)

    # Beginning and ending.

    async def start(self, listener: Listener, sockets: OpenSockets) -> None:
        """Join the others, and wait until they have said who is connected to them, or count as dead.

        Raises StorageError; BuracoError (code ``token_key``: the others sign with another key).
        """
        self._listener, self._sockets = listener, sockets
        if any(one.key_mark != self._roster.own.key_mark for one in await self._roster.look()):
            raise BuracoError("token_key", text_of("server.other_key"))
        self._take_roster(await self._roster.beat())
        self._wire.start()
        self._task = asyncio.create_task(self._beat_on(), name="site")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._times.start_s):
                await self._known.wait()
        self._log.info("site_joined", count=self.living_count, certain=self.certain())

    async def leave(self) -> None:
        """Tell the others that this process ends; harmless when repeated."""
        if self._left:
            return
        self._left = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        self._flush()
        with contextlib.suppress(StorageError):
            await self._roster.leave()
        self._say(signals.Bye(process=self.process_id))

    async def close(self) -> None:
        """End, and tell the others unless they know."""
        await self.leave()
        await self._wire.close()

    # What is known.

    def alone(self) -> bool:
        """Say whether no other process lives now."""
        return not self._living

    def certain(self) -> bool:
        """Say whether it is known who is connected to the others."""
        now = self._steady()
        if now - self._roster_s > self._times.dead_ms / 1000:
            return False
        if not self._living:
            return True
        silent = now - self._times.silent_s
        return self._own_heard_s > silent and all(
            (other := self._others.get(one)) is not None and other.complete and other.heard_s > silent
            for one in self._living
        )

    def look_s(self) -> float:
        """Return after how many seconds the database is to be looked at for what nobody has told."""
        return self._times.look_s if self.certain() else self._times.look_uncertain_s

    def people_at(self, table_id: str) -> tuple[Someone, ...]:
        """Return who is connected to a table at other processes."""
        return tuple(one for other in self._places(table_id) for one in self._others[other].tables[table_id])

    def drives(self, table_id: str) -> bool:
        """Say whether this process does what a table does by itself."""
        if self._left:
            return False
        certain = self.certain()
        if table_id in self._mine:
            rivals = self._places(table_id) if certain else []
        elif not certain or self._places(table_id):
            return False
        else:
            rivals = list(self._living)
        own = _weight(table_id, self.process_id)
        return all(_weight(table_id, one) < own for one in rivals)

    def leads(self) -> bool:
        """Say whether this process does what is to be done once for all."""
        return not self._left and all(self.process_id < one for one in self._living)

    def _places(self, table_id: str) -> list[str]:
        """Return the other processes at which somebody is connected to a table."""
        return [one for one in self._living if one in self._others and self._others[one].tables.get(table_id)]

    # Telling.

    def changed(self, table_id: str, version: int) -> None:
        """Tell the others that a table has changed; what comes in one go is told together."""
        if not self._news:
            asyncio.get_running_loop().call_soon(self._flush)
        self._news[table_id] = version

    def _flush(self) -> None:
        if self._news:
            self._say(signals.News(process=self.process_id, versions=self._news))
            self._news = {}

    def here(self, table_id: str, people: tuple[Someone, ...]) -> None:
        """Tell the others who is connected to a table at this process."""
        if self._mine.get(table_id, ()) == people:
            return
        if people:
            self._mine[table_id] = people
        else:
            del self._mine[table_id]
        self._say(signals.Here(process=self.process_id, table=table_id, people=people))

    def kick(self, person_id: str, code: int, reason: str) -> None:
        """Ask the others to close the sockets of a person."""
        self._say(signals.KickPerson(process=self.process_id, person=person_id, code=code, reason=reason))

    def forgotten(self, person_id: str) -> None:
        """Tell the others that a person was deleted."""
        self._say(signals.Forgotten(process=self.process_id, person=person_id))

    def _say(self, signal: Signal) -> None:
        self._wire.send(signals.encode(signal))

    def _joined(self) -> None:
        """Redis is there (again): say everything, and ask for it."""
        for other in self._others.values():
            other.complete = False
        self._say_everybody()
        self._say(signals.Hello(process=self.process_id))
        self._say(signals.Beat(process=self.process_id))

    def _say_everybody(self) -> None:
        self._say(signals.Everybody(process=self.process_id, tables=self._mine))

    # Hearing.

    def _hear(self, data: bytes) -> None:
        signal = signals.decode(data)
        if signal is None:
            self._log.warning("signal_unreadable")
            return
        if signal.process == self.process_id:
            self._own_heard_s = self._steady()
            self._look_anew()
            return
        other = self._others.setdefault(signal.process, _Other())
        other.heard_s = self._steady()
        self._take(signal, other)
        self._look_anew()

    def _take(self, signal: Signal, other: _Other) -> None:
        assert self._listener is not None
        assert self._sockets is not None, "nothing is heard before the start"
        match signal:
            case signals.News():
                for table_id, version in signal.versions.items():
                    self._listener.heard_news(table_id, version)
            case signals.Here():
                if signal.people:
                    other.tables[signal.table] = signal.people
                else:
                    other.tables.pop(signal.table, None)
                self._listener.heard_people(signal.table)
            case signals.Everybody():
                other.tables, other.complete = dict(signal.tables), True
                self._listener.heard_all()
            case signals.Hello():
                self._say_everybody()
                # Until now it may have said in vain whose sockets are to be closed.
                self._sockets.judge_all()
            case signals.Bye():
                self._living = tuple(one for one in self._living if one != signal.process)
                del self._others[signal.process]
            case signals.KickPerson():
                self._sockets.close_here(signal.person, signal.code, signal.reason)
            case signals.Forgotten():
                self._listener.heard_forgotten(signal.person)
            case signals.Beat():
                pass

    # Living.

    async def _beat_on(self) -> None:
        while True:
            self._say(signals.Beat(process=self.process_id))
            try:
                living = await self._roster.beat()
            except StorageError:
                pass
            else:
                self._take_roster(living)
            self._forget_silent()
            self._look_anew()
            await asyncio.sleep(self._times.beat_s)

    def _take_roster(self, living: tuple[Living, ...]) -> None:
        self._living = tuple(one.process_id for one in living)
        self._roster_s = self._steady()

    def _forget_silent(self) -> None:
        long_ago = self._steady() - 10 * self._times.silent_s
        for one in [one for one, other in self._others.items() if one not in self._living and other.heard_s < long_ago]:
            del self._others[one]

    def _look_anew(self) -> None:
        """Tell the listener when others came or went, or what is known of them."""
        state = self.certain(), self._living
        if state[0]:
            self._known.set()
        if state == self._state:
            return
        before, self._state = self._state, state
        if before is not None:
            self._log.info("site_changed", count=self.living_count, certain=state[0])
        if self._listener is not None:
            self._listener.heard_all()
        if self._sockets is not None and before is not None and state[0] > before[0]:
            self._sockets.judge_all()


def make_site(
    settings: Settings, log: Log, steady: Callable[[], float], engine: AsyncEngine, key: bytes, times: SiteTimes
) -> Site:
    """Return this process as one of several: they meet in the database of ``engine`` and in the Redis of the settings.

    Raises BuracoError (code ``redis_url``).
    """
    own = Living(secrets.token_hex(8), _digest(key, "mark"))

    def make_wire(hear: Callable[[bytes], None], joined: Callable[[], None]) -> Wire:
        channel = f"buraco:{_digest(key, 'channel')}"
        return Wire(settings.redis, channel, hear, joined, log, times.redis_retry_s, times.redis_limit_s)

    return Site(Roster(engine, own, times.dead_ms), make_wire, key, log, steady, times)


def _weight(table_id: str, process_id: str) -> bytes:
    """Return how much a process is for a table: the one with the most drives it, as all of them agree."""
    return hashlib.sha256(f"{table_id} {process_id}".encode()).digest()
