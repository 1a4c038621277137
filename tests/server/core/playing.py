"""A server without network for tests: people, bots and a clock that is turned by hand."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from buraco.server import messages as msg
from buraco.server.botpool import BotPool
from buraco.server.clocks import ManualClock
from buraco.server.service import TableService
from buraco.server.store import Store
from buraco.server.subscriptions import Subscription
from buraco.server.table import Table
from buraco.server.terms import Faults, Principal, SubscriptionClosed, TableSettings
from tests.server.databases import database_url

__all__ = [
    "QUICK",
    "START_MS",
    "Club",
    "Player",
    "club",
    "plain",
    "play_match",
    "play_on",
    "quick_store",
    "run",
    "seeded_entropy",
    "some_action",
    "someone",
    "updates",
]

START_MS = 1_700_000_000_000
QUICK = TableSettings(bot_pause_ms=0, seed_wait_ms=0)
"""Settings with which bots play at once and nobody waits for seeds."""


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run an asynchronous test; one that hangs fails after a while."""

    async def guarded() -> None:
        async with asyncio.timeout(120):
            await test()

    asyncio.run(guarded())


def someone(name: str) -> Principal:
    """Return a person by name."""
    return Principal(token_id=f"token-{name}", name=name)


def seeded_entropy(seed: int) -> Callable[[int], bytes]:
    """Return a source of random bytes that is the same every time."""
    return random.Random(seed).randbytes


@dataclass
class Player:
    """Somebody at a table: sends messages with ids of their own and keeps what they are told."""

    table: Table
    principal: Principal
    subscription: Subscription
    count: int = 0
    seen: list[msg.ServerMessage] = field(default_factory=list)

    def take(self) -> list[msg.ServerMessage]:
        """Return the messages that have come since the last time."""
        found = []
        while (message := self.subscription.next_now()) is not None:
            found.append(message)
        self.seen += found
        return found

    def rest(self) -> SubscriptionClosed:
        """Take everything that is left of a subscription which has ended, and return its end."""
        while True:
            try:
                message = self.subscription.next_now()
            except SubscriptionClosed as closed:
                return closed
            assert message is not None, "the subscription has not ended"
            self.seen.append(message)

    async def say(
        self, kind: type[Any], *, version: int | None = None, message_id: str = "", **fields: Any
    ) -> msg.Reply:
        """Send a message and return the reply, which is also the next one in the subscription."""
        self.count += 1
        seen = self.table.version if version is None else version
        message = kind(
            id=message_id or f"{self.principal.name}-{self.table.version}-{self.count}", version=seen, **fields
        )
        return await self.table.handle(self.principal, message, self.subscription)

    async def done(self, kind: type[Any], **fields: Any) -> msg.Ack:
        """Send a message that has to be accepted."""
        reply = await self.say(kind, **fields)
        assert isinstance(reply, msg.Ack), reply
        await self.table.settled()
        return reply

    async def refused(self, kind: type[Any], **fields: Any) -> str:
        """Send a message that has to be refused and to change nothing; return the code."""
        before = self.table.version
        reply = await self.say(kind, **fields)
        assert isinstance(reply, msg.Refused), reply
        assert self.table.version == before
        assert reply.text
        return reply.code

    @property
    def seat(self) -> int | None:
        """The seat that they hold."""
        return self.table.fold.seat_of(self.principal)


@dataclass
class Club:
    """A service with its clock and store."""

    service: TableService
    clock: ManualClock
    path: Path

    async def turn(self, ms: int, *tables: Table) -> None:
        """Turn the clock, stopping wherever something is due, and let it happen."""
        end = self.clock.now_ms() + ms
        while True:
            for table in tables or self.service.tables:
                await table.settled()
            due = self.clock.next_ms()
            if due is None or due > end:
                break
            self.clock.turn_to(due)
        self.clock.turn_to(end)

    def join(self, table: Table, name: str, since: int | None = None) -> Player:
        """Connect somebody to a table."""
        principal = someone(name)
        return Player(table, principal, table.subscribe(principal, since))

    async def table_of(self, *names: str, seats: tuple[int, ...] = (), **options: Any) -> tuple[Table, list[Player]]:
        """Make a table at which these people sit, in order or at ``seats``; the first owns it."""
        options.setdefault("rules", "aberto")
        places = seats or tuple(range(len(names)))
        table = await self.service.create(someone(names[0]), msg.TableOptions(**options), seat=places[0])
        players = [self.join(table, name) for name in names]
        for player, seat in zip(players[1:], places[1:], strict=True):
            await player.done(msg.Sit, seat=seat)
        return table, players

    async def match_of(self, *names: str, seats: tuple[int, ...] = (), **options: Any) -> tuple[Table, list[Player]]:
        """Make a table and begin a match, with bots in the other seats."""
        table, players = await self.table_of(*names, seats=seats, **options)
        for player in players[1:]:
            await player.done(msg.Ready)
        await players[0].done(msg.Start)
        await table.settled()
        return table, players


async def quick_store(path: Path) -> Store:
    """Return the store of a folder, which does not wait for the disk: no test pulls the plug."""
    store = await Store.open(database_url(path, "club.db"))
    if store.engine.dialect.name == "sqlite":
        sa.event.listen(store.engine.sync_engine, "connect", _without_waiting)
        await store.engine.dispose()
    return store


def _without_waiting(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous = OFF")
    cursor.close()


@asynccontextmanager
async def club(
    path: Path,
    settings: TableSettings = QUICK,
    *,
    seed: int = 1,
    now_ms: int = START_MS,
    bots: BotPool | None = None,
    faults: Faults | None = None,
    wait: bool = True,
) -> AsyncIterator[Club]:
    """Give a running service on the database of a folder; it is restored from what is there, or with ``wait`` false
    about to be."""
    store = await quick_store(path)
    clock = ManualClock(now_ms)
    service = TableService(
        store,
        clock,
        BotPool(kind="inline") if bots is None else bots,
        settings,
        entropy=seeded_entropy(seed),
        faults=faults,
    )
    await service.restore(wait=wait)
    try:
        yield Club(service, clock, path)
    finally:
        await service.close()


def some_action(legal: tuple[int, ...], source: random.Random) -> int:
    """Choose a legal action, more often than not one that tables cards."""
    tabling = [action for action in legal if action >= 57]
    return source.choice(tabling if tabling and source.random() < 0.7 else legal)


async def play_on(table: Table, people: list[Player], source: random.Random) -> bool:
    """Let whoever is to act do something; say whether the match goes on."""
    await table.settled()
    fold = table.fold
    if fold.phase == "between":
        for player in people:
            if player.seat is not None and fold.phase == "between" and not fold.seats[player.seat].ready:
                await player.done(msg.Ready)
        return True
    if fold.phase != "playing":
        return False
    host = fold.host
    assert host is not None
    player = next(one for one in people if one.seat == host.seat)
    legal = host.view(player.seat).legal
    undo = host.can_undo(host.seat or 0)
    if undo and source.random() < 0.1:
        await player.done(msg.Undo, count=source.randint(1, undo))
    else:
        await player.done(msg.Act, action=some_action(legal, source))
    for one in people:
        one.take()
    return True


async def play_match(
    here: Club, table: Table, people: list[Player], source: random.Random, check: Callable[[], None] | None = None
) -> None:
    """Play the match of a table to its end, looking at every state with ``check``."""
    while await play_on(table, people, source):
        if check is not None and table.fold.phase == "playing":
            check()
        assert here.clock.now_ms() >= START_MS
    assert table.fold.phase == "finished", table.fold.phase
    for one in people:
        one.take()


def plain(message: msg.ServerMessage) -> dict[str, Any]:
    """Return a message as JSON values."""
    found: dict[str, Any] = msgspec.json.decode(msg.encode(message))
    return found


def updates(player: Player) -> list[msg.Update]:
    """Take what a person was told since, and return the updates among it."""
    return [message for message in player.take() if isinstance(message, msg.Update)]
