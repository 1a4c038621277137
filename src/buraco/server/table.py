"""One table: the only one who may change it, what it tells whom, and its timers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeVar

import structlog

from buraco.engine import Deal, SeatView
from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server.answering import Answers, is_question
from buraco.server.archive import DELETED
from buraco.server.audience import Audience
from buraco.server.botpool import BotPool
from buraco.server.clocks import OnwardClock
from buraco.server.deciding import Refuse, decide, refusal_of
from buraco.server.due import BotTurn, Wait, due
from buraco.server.explaining import Thoughts
from buraco.server.logbook import Logbook, Made
from buraco.server.peers import Peers
from buraco.server.questions import Questions
from buraco.server.reader import Reader
from buraco.server.replaying import Fold, Person
from buraco.server.replies import Replies
from buraco.server.seat_bots import SeatBots
from buraco.server.spectating import Change
from buraco.server.store import SeqTaken, StorageError, Store
from buraco.server.subscriptions import Subscription
from buraco.server.terms import (
    CLOSE_GONE,
    CLOSE_STOPPING,
    Clock,
    Entropy,
    Faults,
    Principal,
    ServerError,
    TableSettings,
    Timer,
)
from buraco.server.writer import Writer
from buraco.texts import in_language, text
from buraco.texts import message as text_of

__all__ = ["Subscription", "Surroundings", "Table"]

_T = TypeVar("_T")

_RETRY_MS: Final = 1_000
_TRIES: Final = 10


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a table lives in; the same for all tables of a server. ``beside``: see `buraco.engine.Host`."""

    store: Store
    writer: Writer
    reader: Reader
    clock: Clock
    bots: BotPool
    settings: TableSettings
    entropy: Entropy
    faults: Faults
    on_closed: Callable[[Table], None]
    peers: Peers
    beside: Deal | None = None


class Table:
    """A table, made by `buraco.server.service.TableService`."""

    def __init__(self, people: Iterable[Person], entries: Iterable[log.Logged], around: Surroundings) -> None:
        self._around = around
        self._clock = OnwardClock(around.clock)
        self._lock = asyncio.Lock()
        self._audience = Audience(people, entries, around.settings, around.beside, self._clock, around.peers)
        self._attendance = self._audience.attendance
        self._replies = Replies(self.fold, self.seen_fold)
        self._pump_task: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._timer: Timer | None = None
        self._stopped = False
        self._told_version = 0
        self._gone = False
        if self._audience.delayed is not None:
            self._audience.delayed.presence = self._attendance.message(self._now_ms())
        self._log = structlog.get_logger("table").bind(table=self.table_id)
        teller, folds = self._audience.teller, self._audience.folds
        self._book = Logbook(teller, folds, around.store, around.writer, around.reader, around.peers, self._log)
        self._bots = SeatBots(self.fold, around.bots, around.settings, self._log)
        self._thoughts = Thoughts(several=around.peers.several)
        questions = Questions(self.fold, self._bots.hint, self._bots.hint_level, self._thoughts, self._log)
        self._answers = Answers(questions, self._replies, self.seen_fold)
        self._attendance.look_elsewhere(self._clock.now_ms())

    @property
    def fold(self) -> Fold:
        """The state of the table; to be read only, and never shown to anybody as it is."""
        return self._audience.fold

    @property
    def table_id(self) -> str:
        """Its identifier, which is in addresses."""
        return self.fold.options.table

    @property
    def code(self) -> str:
        """The short code of an invitation."""
        return self.fold.options.code

    @property
    def version(self) -> int:
        """The number of its last change."""
        return self.fold.version

    @property
    def closed(self) -> bool:
        """Whether it is closed for good."""
        return self.fold.phase == "closed" or self._gone

    @property
    def spectator_count(self) -> int:
        """The number of people without a seat who watch."""
        return self._attendance.spectators()

    @property
    def public_fold(self) -> Fold:
        """The table as somebody without a seat may see it now, which may be some time ago; to be read only."""
        return self._audience.public_fold

    def seen_fold(self, principal: Principal) -> Fold:
        """Return the table as somebody may see it now; to be read only."""
        return self._audience.teller_of(principal).fold

    # Messages.

    async def handle(
        self, principal: Principal, message: msg.ClientMessage, subscription: Subscription | None = None
    ) -> msg.Reply:
        """Answer one message of a person; never raises for what they say.

        With a subscription the reply is also put into it, before the news that the message makes: the connection then
        sends what `Subscription.next_now` returns and nothing else. An `Ack` means that what was accepted is durable.
        """
        answer = self._answer if is_question(message) else self._change
        # What has begun to be written is also applied, though the one who asked for it may be gone by then.
        return await asyncio.shield(self._begin(answer(principal, message, subscription)))

    def _begin(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Begin something that is finished before the table stops."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _change(
        self, principal: Principal, message: msg.ClientMessage, subscription: Subscription | None
    ) -> msg.Reply:
        async with self._lock:
            reply, made = await self._try(principal, message)
            if subscription is not None:
                subscription.reply(reply)
            if made is not None:
                await self._around.faults.at("after_ack")
                self._tell(*made)
        self._wake()
        return reply

    async def _try(self, principal: Principal, message: msg.ClientMessage) -> tuple[msg.Reply, Made | None]:
        looked = not self._around.peers.several
        for _ in range(_TRIES):
            known = self._replies.known(principal, message)
            if known is not None:
                return known, None
            if self._gone:
                return self._replies.refused(principal, message, refusal_of("table_closed")), None
            if self._stopped:
                return self._replies.refused(principal, message, refusal_of("stopping")), None
            try:
                seen = self.seen_fold(principal)
                if seen is not self.fold:
                    # What they may see later only must not show in the answer either.
                    decide(seen, principal, message, self._now_ms(), self._around.settings.bot_levels)
                entry = decide(self.fold, principal, message, self._now_ms(), self._around.settings.bot_levels)
            except Refuse as refused:
                before, behind = self.version, not looked
                looked = True
                # What somebody else has written may allow it.
                if behind and await self._caught_up() and self.version > before:
                    continue
                return self._replies.keep(principal, self._replies.refused(principal, message, refused.refusal)), None
            try:
                made = await self._commit(entry, self._newcomer(principal))
            except SeqTaken:
                if await self._caught_up():
                    continue
                break
            except StorageError:
                break
            return self._replies.accepted(principal, message.id, made[1].version), made
        return self._replies.refused(principal, message, refusal_of("storage")), None

    def bad_message(self, principal: Principal, message_id: str, reason: str) -> msg.Refused:
        """Return the reply to JSON of this id that is no message."""
        version = self.seen_fold(principal).version
        return msg.Refused(
            id=message_id, version=version, code="bad_message", text=in_language(reason, principal.language)
        )

    def _newcomer(self, principal: Principal) -> Person | None:
        """Return the member that somebody becomes with their first entry, None for one who is a member already."""
        if self.fold.person_of(principal) is not None:
            return None
        number = max(self.fold.people, default=0) + 1
        return Person(number, principal.token_id, principal.account_id, principal.name, principal.bot_of)

    # Questions.

    async def _answer(
        self, principal: Principal, message: msg.ClientMessage, subscription: Subscription | None
    ) -> msg.Reply:
        if max(message.version, message.since if isinstance(message, msg.Resume) else 0) > self.version:
            with contextlib.suppress(StorageError):
                await self.refresh()
        reply = await self._answers.answer(principal, message, resumes=subscription is not None)
        if subscription is not None:
            subscription.reply(reply)
            if isinstance(message, msg.Resume) and isinstance(reply, msg.Ack):
                self._audience.start(subscription, message.since)
        return reply

    # Writing.

    def _now_ms(self) -> int:
        # The last change may be of a time that the clock does not show yet: of another process, or before it was set.
        self._clock.not_before(self.fold.now_ms)
        return self._clock.now_ms()

    async def _commit(self, entry: log.Entry, person: Person | None = None) -> Made:
        """Write an entry and, once it is durable, apply it. Raises SeqTaken, StorageError: then nothing changed."""
        return await self._book.write(entry, self._now_ms(), person)

    async def _caught_up(self) -> bool:
        """Catch up; say whether the database answers."""
        try:
            await self._catch_up()
        except StorageError as error:
            self._log.error("not_read", code=error.code)
            return False
        return True

    async def _catch_up(self) -> None:
        """Apply and tell what somebody else has written. Raises StorageError."""
        async for made in self._book.missed():
            self._tell(*made)
        if self._book.gone and not self.closed:
            # It was closed so long ago that the entry which tells it is removed.
            self._log.info("table_gone")
            self._gone = True
            self._finish()

    # The other processes.

    async def refresh(self) -> None:
        """Take in what others have written. Raises StorageError."""
        if self._around.peers.several:
            async with self._lock:
                if not self._stopped:
                    await self._catch_up()
            self._wake()

    def heard_news(self, version: int) -> None:
        """Hear that others have written this version; it is taken in where it matters here."""
        self._told_version = max(self._told_version, version)
        self._follow()

    def heard_people(self) -> None:
        """Hear that somebody came to another process, or went."""
        self._attendance.look_elsewhere(self._clock.now_ms())
        if not self._stopped and not self.closed:
            self._audience.tell_presence(self._now_ms())
            self._wake()

    def heard_forgotten(self, token_id: str) -> None:
        """Hear that a person was deleted."""
        person = self.fold.person_of(Principal(token_id, ""))
        if person is not None:
            self._audience.forget(replace(person, token_id="", account_id=None, name=DELETED, bot_of=""))
            self._replies.forget(token_id)

    def _follow(self) -> None:
        """Read what was told, if somebody is here to hear it, or this process does what the table does by itself."""
        peers = self._around.peers
        concerned = self._attendance.subscriptions or peers.drives(self.table_id)
        if concerned and not self._stopped and self.version < self._told_version:
            self._begin(self._read_told())

    async def _read_told(self) -> None:
        async with self._lock:
            told = self._told_version
            # What is told in the meantime is read by the next one.
            if self.version < told and await self._caught_up() and self._told_version == told:
                # It is there, or was told by somebody who knows better than the database.
                self._told_version = self.version
        self._wake()

    # Telling.

    def subscribe(self, principal: Principal, since: int | None = None) -> Subscription:
        """Begin to tell somebody about the table; its first message is a `Snapshot`, or with ``since`` the updates
        after that version where they are at hand, then `Presence`.

        Raises ServerError: ``not_allowed`` (spectators are not allowed), ``table_closed``, ``stopping``.
        """
        self._check_open()
        self.check_may_see(principal)
        queue_max = self._around.settings.queue_max
        subscription = Subscription(principal, queue_max, snapshot=self._audience.fresh, on_close=self._left)
        self._attendance.add(subscription)
        self._follow()
        self._audience.start(subscription, since)
        self._audience.tell_presence(self._now_ms(), subscription)
        self._wake()
        return subscription

    def snapshot(self, principal: Principal) -> msg.Snapshot:
        """Return what somebody may see now. Raises ServerError (code ``not_allowed``)."""
        return self._audience.snapshot(principal)

    def view_of(self, principal: Principal) -> tuple[int, SeatView]:
        """Return the version that somebody may see now, and the deal in play or just finished as they may see it.

        Raises ServerError (code ``not_allowed``), BuracoError (code ``no_deal``).
        """
        return self._audience.view_of(principal)

    def _check_open(self) -> None:
        if self._stopped:
            raise ServerError("stopping", text_of("table.stopping"))
        if self.closed:
            raise ServerError("table_closed", text_of("table.table_closed"))

    def check_may_see(self, principal: Principal) -> None:
        """Raise ServerError (code ``not_allowed``) if spectators are not allowed, and somebody would be one."""
        self._audience.check_may_see(principal)

    def _left(self, subscription: Subscription) -> None:
        self._attendance.remove(subscription, self._now_ms())
        if not self._stopped and not self.closed:
            self._audience.tell_presence(self._now_ms())
            self._wake()

    def _tell(self, logged: log.Logged, change: Change) -> None:
        self._audience.tell(logged, change)
        if self.closed:
            self._finish()

    def _finish(self) -> None:
        """End everything about a table that is closed."""
        self._set_timer(None)
        self._audience.end(CLOSE_GONE, "the table is closed")
        self._around.on_closed(self)

    # What it does by itself.

    def _wake(self) -> None:
        """Look for what is due."""
        if self._stopped or (self._pump_task is not None and not self._pump_task.done()):
            return
        self._pump_task = asyncio.create_task(self._pump(), name=f"table {self.table_id}")
        self._pump_task.add_done_callback(self._pumped)

    def _pumped(self, task: asyncio.Task[None]) -> None:
        """Tell of a fault of the program; the table goes on with the next thing that happens."""
        if not task.cancelled() and task.exception() is not None:
            self._log.error("table_failed", exc_info=task.exception())

    def _set_timer(self, when_ms: int | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if when_ms is None else self._clock.call_at(when_ms, self._wake)

    async def _pump(self) -> None:
        """Do what is due, one thing after the other, until nothing is."""
        while not self._stopped:
            async with self._lock:
                step = self._due()
                if isinstance(step, Wait):
                    if self._book.result_waits:
                        await self._book.save_result()
                    self._set_timer(self._retry_ms() if self._book.result_waits else step.until_ms)
                    self._audience.tell_presence(self._now_ms())
                    return
                if not isinstance(step, BotTurn):
                    if not await self._do(step):
                        return
                    continue
                view = self._view(step.seat)
            level, decision = await self._bots.action(step.seat, view)
            async with self._lock:
                # In the meantime the person may be back, or the server may be stopping.
                still = self._due() == step and self._view(step.seat).state_number == view.state_number
                acted = log.Acted(seat=step.seat, action=decision.action)
                keep = partial(self._thoughts.add, self.fold, step.seat, level, decision)
                if still and not await self._do(acted, keep):
                    return

    def _due(self) -> log.Entry | BotTurn | Wait:
        if self._stopped or self._gone or not self._around.peers.drives(self.table_id):
            return Wait(None)
        return due(self.fold, self._attendance, self._now_ms(), self._around.entropy)

    async def _do(self, entry: log.Entry, then: Callable[[], None] | None = None) -> bool:
        """Do what is due, and what follows once it is done; say whether the pump may go on at once."""
        try:
            try:
                made = await self._commit(entry)
                if then is not None:
                    then()
                self._tell(*made)
            except SeqTaken:
                await self._catch_up()
        except StorageError as error:
            self._log.error("not_saved", code=error.code)
            self._set_timer(self._retry_ms())
            return False
        return True

    def _retry_ms(self) -> int:
        return self._now_ms() + _RETRY_MS

    def _view(self, seat: int) -> SeatView:
        host = self.fold.host
        assert host is not None, "a bot is to act in a deal"
        return host.view(seat)

    async def settled(self) -> None:
        """Wait until nothing is due before the clock goes on."""
        while self._pump_task is not None and not self._pump_task.done():
            await asyncio.wait({self._pump_task})
        if self._pump_task is not None:
            self._pump_task.result()

    # Beginning and ending; for the service.

    async def enter(self, entry: log.Entry, allowed: Callable[[], bool] | None = None) -> None:
        """Make a change that nobody's message asks for. Raises StorageError, SeqTaken; then nothing changed.

        ``allowed`` says whether it still may be made after others have written something; without it it may not.
        """
        async with self._lock:
            for _ in range(_TRIES):
                try:
                    self._tell(*await self._commit(entry))
                    break
                except SeqTaken:
                    await self._catch_up()
                    if allowed is None or self.closed or not allowed():
                        raise
            else:
                raise StorageError("storage", "others write all the time")
        self._wake()

    def begin(self) -> None:
        """Do from now on what is due."""
        self._wake()

    async def lay_down(self) -> None:
        """Let a match that is on wait from its last change on, since the server was gone in the meantime; unless there
        is another process, which was not gone."""
        if self.fold.running and self.fold.awake and self._around.peers.alone():
            try:
                await self._book.write(log.Slept(), self.fold.now_ms)
            except SeqTaken:
                await self._catch_up()
        if self.fold.result is not None and not await self._book.has_result():
            await self._book.save_result()
        self._wake()

    async def forget(self, token_id: str) -> None:
        """Take a person out of the table: their seat goes to a bot, or is free before a match; no name is left.

        Raises StorageError, SeqTaken; then what they said is gone, but they are still who they were.
        """
        person = self.fold.person_of(Principal(token_id, ""))
        if person is None:
            return
        nobody = replace(person, token_id="", account_id=None, name=DELETED, bot_of="")
        self._audience.forget(nobody)
        self._replies.forget(token_id)
        seat = self.fold.seat_of_member(person.number)
        if seat is None or self.fold.seats[seat].cause == "left":
            return
        gone = log.LeftSeat if self.fold.running else log.Stood

        def allowed() -> bool:
            seats = self.fold.seats
            held = self.fold.seat_of_member(person.number) == seat and seats[seat].cause != "left"
            return held and gone is (log.LeftSeat if self.fold.running else log.Stood)

        try:
            await self.enter(gone(by=person.number, seat=seat), allowed)
        except (StorageError, SeqTaken):
            if not self.closed:
                self._audience.forget(person)
                raise

    async def admin_close(self) -> None:
        """Close the table for good, whatever it is doing; an unfinished match ends as ``abandoned``.

        Raises StorageError, SeqTaken; then it is not closed.
        """
        await self.close(log.Closed(cause="admin"))

    async def close(self, entry: log.Closed) -> None:
        """Close the table for good with this entry, unless it is. Raises StorageError, SeqTaken; then it is not."""
        if self.closed:
            return
        try:
            await self.enter(entry, lambda: not self.closed)
        except SeqTaken:
            # Another process was sooner.
            if not self.closed:
                raise

    async def stop(self) -> None:
        """Stop, for the server stops: finish what was begun, note that the match waits, tell everyone, end."""
        if self._stopped:
            return
        self._stopped = True
        self._set_timer(None)
        if self._pump_task is not None:
            await asyncio.wait({self._pump_task})
        if self._tasks:
            await asyncio.wait(set(self._tasks))
        async with self._lock:
            if self.fold.running and self.fold.awake and self._around.peers.alone():
                try:
                    await self._commit(log.Slept())
                except (StorageError, SeqTaken) as error:
                    self._log.error("not_saved", code=error.code)
        for one in self._attendance.subscriptions:
            one.put(msg.Stopping(code="stopping", text=text("table.stopping", one.principal.language)))
        self._audience.end(CLOSE_STOPPING, "the server stops")
