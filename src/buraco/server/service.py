"""All tables of a server: making, finding, listing, restoring and ending them."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import Counter
from typing import Final

import msgspec
import structlog

from buraco.engine import Deal
from buraco.errors import BuracoError
from buraco.notation.house import rules_from_form
from buraco.rules import DEFAULT_RULES, RULE_SETS, RuleSet, load_toml, title_in, to_json
from buraco.server import entries as log
from buraco.server.botpool import BotPool
from buraco.server.lessons import OWN_SEAT, script_of
from buraco.server.messages import TableOptions, TableSummary
from buraco.server.options import OPEN_HANDS_DELAY_MS
from buraco.server.peers import Alone, Peers
from buraco.server.reader import Reader
from buraco.server.replaying import Fold, Person
from buraco.server.snapshots import seat_states
from buraco.server.store import Append, NewTable, SeqTaken, StorageError, Store
from buraco.server.table import Surroundings, Table
from buraco.server.terms import CODE_LETTERS, Clock, Entropy, Faults, NoFaults, Principal, ServerError, TableSettings
from buraco.server.thinking import check_offered, offered_levels, usual_level
from buraco.server.writer import Writer, WriterWatch
from buraco.texts import DEFAULT_LANGUAGE, message

__all__ = ["CODE_LENGTH", "TableService", "rules_of"]

CODE_LENGTH: Final = 6
"""The length of a table's code, in letters."""

_ID_BYTES: Final = 12
_TRIES: Final = 20
_RETRY_MS: Final = 1_000


def rules_of(options: TableOptions) -> RuleSet:
    """Return the rules that the options of a table ask for.

    Raises ServerError (code ``options``, every fault in ``reasons``).
    """
    if (options.rules is None) == (options.rules_toml is None):
        raise ServerError("options", message("error.needs_rules"))
    try:
        rules = load_toml(options.rules_toml) if options.rules_toml is not None else rules_from_form(options.rules)
        changed = {}
        if options.target_points is not None:
            changed["target_points"] = options.target_points
        if options.deal_count is not None:
            changed["deal_count"] = options.deal_count
        rules = rules.replace(**changed) if changed else rules
    except BuracoError as error:
        raise ServerError("options", error.message, error.reasons) from None
    if options.players not in rules.player_counts:
        raise ServerError("options", message("error.players", rules=rules.name, players=options.players))
    return rules


def _check_open_hands(options: TableOptions, delay_ms: int) -> None:
    """Raise ServerError (code ``options``) if the hands are to be open to nobody, or too soon."""
    if options.open_hands and not options.spectators:
        raise ServerError("options", message("error.open_hands_nobody"))
    if options.open_hands and delay_ms < OPEN_HANDS_DELAY_MS:
        raise ServerError("options", message("error.open_hands_delay", seconds=OPEN_HANDS_DELAY_MS // 1_000))


class TableService:
    """The tables of a server.

    ``store`` is theirs until `close`; ``bots`` are ended by it too. ``entropy`` gives the seeds, ``faults`` are for
    tests that stop the process at named points. Call `restore` before anything else.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        bots: BotPool,
        settings: TableSettings,
        *,
        entropy: Entropy = secrets.token_bytes,
        faults: Faults | None = None,
        watch: WriterWatch | None = None,
        peers: Peers | None = None,
    ) -> None:
        points: Faults = NoFaults() if faults is None else faults
        self._peers: Peers = Alone() if peers is None else peers
        self._store = store
        self._clock = clock
        self._bots = bots
        self._settings = settings
        self._entropy = entropy
        self._writer = Writer(store, points, watch)
        self._around = self._surroundings(points)
        self._tables: dict[str, Table] = {}
        self._codes: dict[str, str] = {}
        self._making: Counter[str] = Counter()
        self._half_made: set[str] = set()
        self._unread: set[str] = set()
        self._broken: set[str] = set()
        self._log = structlog.get_logger("tables")
        self._read_lock = asyncio.Lock()
        self._reading: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()
        self._rejoined = False
        self._stopping = False

    def _surroundings(self, faults: Faults) -> Surroundings:
        return Surroundings(
            store=self._store,
            writer=self._writer,
            reader=Reader(self._store),
            clock=self._clock,
            bots=self._bots,
            settings=self._settings,
            entropy=self._entropy,
            faults=faults,
            on_closed=self._forget,
            peers=self._peers,
            # The memory that a deal thinks with is far more than it holds, and tables use it one after the other.
            beside=Deal(RULE_SETS[DEFAULT_RULES]),
        )

    # Finding.

    @property
    def store(self) -> Store:
        """The store of the tables."""
        return self._store

    @property
    def tables(self) -> tuple[Table, ...]:
        """Every unfinished table, in the order of their making."""
        return tuple(self._tables.values())

    @property
    def _newest(self) -> list[Table]:
        return sorted(self._tables.values(), key=lambda table: (-table.fold.created_ms, table.table_id))

    async def get(self, name: str) -> Table:
        """Return the table of an identifier or code.

        Raises ServerError: ``no_table``, ``table_closed``, ``table_broken`` (its log cannot be read).
        """
        table_id = self._codes.get(name.upper(), name)
        if table_id in self._unread:
            await self._read(table_id)
        elif self._peers.several:
            await self._look_for(name, table_id)
        table = self._tables.get(table_id) or self._tables.get(self._codes.get(name.upper(), name))
        if table is not None:
            return table
        if table_id in self._broken:
            raise ServerError("table_broken", message("table.table_broken"))
        if len(name) <= 2 * _ID_BYTES and await self._store.is_known(_stored_name(name)):
            raise ServerError("table_closed", message("table.table_closed"))
        raise ServerError("no_table", message("table.no_table"))

    async def _look_for(self, name: str, table_id: str) -> None:
        """Read what other processes have done: to a table that is known here, or whether they have made it."""
        table = self._tables.get(table_id)
        if table is not None:
            await table.refresh()
        elif table_id not in self._broken and len(name) <= 2 * _ID_BYTES:
            found = await self._store.find_unfinished(_stored_name(name))
            if found is not None:
                self._note(found)
                await self._read(found.table_id)

    def _note(self, known: NewTable) -> None:
        """Remember a table that is still to be read: not one that is being made here, and is there in a moment."""
        if not any(known.table_id in some for some in (self._tables, self._broken, self._half_made)):
            self._unread.add(known.table_id)
            self._codes[known.code] = known.table_id

    async def refresh(self) -> None:
        """Read what other processes have made, changed and closed; before a list of tables. Raises StorageError."""
        if not self._peers.several:
            return
        there = self.tables
        heads = {known.table_id: (known, head) for known, head in await self._store.heads()}
        for known, _ in heads.values():
            self._note(known)
        for table in there:
            if table.table_id not in heads or heads[table.table_id][1] > table.version:
                await table.refresh()
        for table_id in sorted(self._unread):
            await self._read(table_id)

    def lobby(self, language: str = DEFAULT_LANGUAGE) -> list[TableSummary]:
        """Return the public tables that wait for players, and the running public ones that may be watched, the newest
        first, in words of a language."""
        return [summary(table, table.public_fold, language) for table in self._newest if _is_listed(table)]

    def tables_of(self, principal: Principal) -> list[TableSummary]:
        """Return the unfinished tables at which somebody has a seat, or that they own, the newest first."""
        theirs = (table for table in self._newest if self._is_theirs(table, principal))
        return [summary(table, table.seen_fold(principal), principal.language) for table in theirs]

    def count_owned(self, principal: Principal) -> int:
        """Return how many unfinished tables somebody owns, those that are being made among them."""
        return self._making[principal.token_id] + sum(_owns(table, principal) for table in self.tables)

    def count(self) -> int:
        """Return how many unfinished tables there are, those that are being made or read among them."""
        return len(self._tables) + len(self._unread) + self._making.total()

    def count_in(self, state: str) -> int:
        """Return how many tables are in a state: ``open``, ``running`` or ``finished``."""
        return sum(("running" if table.fold.running else table.fold.phase) == state for table in self.tables)

    def _is_theirs(self, table: Table, principal: Principal) -> bool:
        return table.fold.seat_of(principal) is not None or _owns(table, principal)

    # Making.

    async def create(
        self,
        principal: Principal,
        options: TableOptions,
        *,
        seat: int | None = 0,
        lesson: log.LessonDeal | None = None,
    ) -> Table:
        """Make a table of which the principal is the owner, sitting at ``seat`` (None: at none), to learn or to play.

        Raises ServerError: ``options`` with every fault in ``reasons`` (rules, players, level of bots), ``stopping``;
        StorageError.
        """
        return await self._make(principal, options, seat, lesson=lesson)

    async def _make(
        self,
        principal: Principal,
        options: TableOptions,
        seat: int | None,
        *then: log.Entry,
        lesson: log.LessonDeal | None = None,
    ) -> Table:
        """Make a table with these further entries, all at once."""
        if self._stopping:
            raise ServerError("stopping", message("table.stopping"))
        if seat is not None and not 0 <= seat < options.players:
            raise ServerError("options", message("table.no_such_seat"))
        for _ in range(_TRIES):
            created = msgspec.structs.replace(self._created(options), lesson=lesson)
            sat = () if seat is None else (log.Sat(by=1, seat=seat),)
            try:
                return await self._write(principal, created, (*sat, *then))
            except SeqTaken:
                # The code of the table is taken; draw another one.
                continue
        raise StorageError("storage", message("table.storage"))

    async def play_now(self, principal: Principal, options: TableOptions) -> Table:
        """Make a table with bots in all other seats and begin the match. Raises as `create` does."""
        return await self._make(principal, options, 0, log.MatchOpened(by=1, bots=tuple(range(1, options.players))))

    # Lessons.

    def lesson_of(self, principal: Principal, name: str) -> Table | None:
        """Return the table at which somebody is in a lesson, None if they are in none of this name."""
        for table in self._newest:
            lesson = table.fold.options.lesson
            if lesson is not None and lesson.name == name and _owns(table, principal):
                return table
        return None

    async def begin_lesson(self, principal: Principal, name: str) -> Table:
        """Make the table of a lesson that there is, and begin it. Raises as `create` does."""
        script = script_of(name)
        assert script is not None, "a lesson that there is"
        options = TableOptions(
            rules=name, deal_count=script.rules.deal_count, spectators=False, chat=False, undo=False, hints=False
        )
        lesson = log.LessonDeal(name=name, dealer=script.dealer, pack=script.pack)
        opened = log.MatchOpened(by=1, bots=tuple(range(1, options.players)))
        return await self._make(principal, options, OWN_SEAT, opened, lesson=lesson)

    async def end_lesson(self, principal: Principal, name: str) -> None:
        """Close the table at which somebody is in a lesson, if they are in one. Raises StorageError, SeqTaken."""
        await self.refresh()
        table = self.lesson_of(principal, name)
        if table is not None:
            await table.close(log.Closed(by=table.fold.owner, cause="owner"))

    def _created(self, options: TableOptions) -> log.Created:
        rules, own = rules_of(options), self._settings
        try:
            offered = offered_levels(own.bot_levels)
            level = check_offered(options.bot_level or own.bot_level or usual_level(offered), offered)
        except BuracoError as error:
            raise ServerError("options", error.message) from None
        delay_ms = max(options.spectator_delay_ms, own.spectator_delay_ms)
        _check_open_hands(options, delay_ms)
        draw = self._entropy(_ID_BYTES + CODE_LENGTH)
        return log.Created(
            by=1,
            format=log.LOG_FORMAT,
            table=draw[:_ID_BYTES].hex(),
            code="".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in draw[_ID_BYTES:]),
            rules=to_json(rules),
            players=options.players,
            clock=options.clock,
            bot_level=level,
            fill_with_bots=options.fill_with_bots,
            public=options.public,
            spectators=options.spectators,
            spectator_delay_ms=delay_ms,
            spectator_chat=options.spectator_chat,
            open_hands=options.open_hands,
            chat=options.chat,
            undo=options.undo,
            hints=options.hints,
            away_ms=own.away_ms,
            seed_wait_ms=own.seed_wait_ms,
            next_deal_ms=own.next_deal_ms,
            forfeit_ms=own.forfeit_ms,
            timeouts_max=own.timeouts_max,
            abandon_open_ms=own.abandon_open_ms,
            abandon_ms=own.abandon_ms,
            bot_pause_ms=own.bot_pause_ms,
        )

    async def _write(self, principal: Principal, created: log.Created, then: tuple[log.Entry, ...]) -> Table:
        now_ms = self._clock.now_ms()
        owner = Person(1, principal.token_id, principal.account_id, principal.name, principal.bot_of)
        entries = [log.Logged(seq, now_ms, entry) for seq, entry in enumerate((created, *then), 1)]
        appends = [
            Append(
                table_id=created.table,
                seq=logged.seq,
                at_ms=now_ms,
                body=log.encode_entry(logged.entry),
                table=NewTable(created.table, created.code, now_ms) if logged.seq == 1 else None,
                person=owner if logged.seq == 1 else None,
            )
            for logged in entries
        ]
        self._writer.start()
        self._making[principal.token_id] += 1
        self._half_made.add(created.table)
        try:
            # Given in one go, so written as a whole or not at all.
            await asyncio.gather(*(self._writer.append(one) for one in appends))
        finally:
            self._making -= Counter((principal.token_id,))
            self._half_made.discard(created.table)
        self._peers.changed(created.table, len(entries))
        table = self._add(Table([owner], entries, self._around))
        table.begin()
        return table

    def _add(self, table: Table) -> Table:
        self._tables[table.table_id] = table
        self._codes[table.code] = table.table_id
        return table

    def _forget(self, table: Table) -> None:
        self._tables.pop(table.table_id, None)
        self._codes.pop(table.code, None)

    # Beginning and ending.

    async def restore(self, *, wait: bool = True) -> int:
        """Rebuild every unfinished table from its log, exactly as it was; return how many there are.

        Without ``wait`` they are rebuilt one after the other from now on, and one that somebody asks for at once; lists
        of tables are not complete until `restored`. One whose log cannot be read is left out. The time in which the
        server was gone is nobody's: matches wait until somebody is back. Raises StorageError.
        """
        self._writer.start()
        for known in await self._store.unfinished():
            self._note(known)
        if self._peers.several:
            self._looking = asyncio.create_task(self._look_on(), name="look")
        self._reading = asyncio.create_task(self._read_all(), name="restore")
        if wait:
            await self.restored()
        return len(self._tables) + len(self._unread)

    async def restored(self) -> None:
        """Wait until every table is rebuilt."""
        if self._reading is not None:
            await self._reading

    async def _read_all(self) -> None:
        while self._unread:
            try:
                await self._read(min(self._unread))
            except StorageError as error:
                self._log.error("not_restored", code=error.code)
                await self._pause(_RETRY_MS)
            await asyncio.sleep(0)

    async def _pause(self, ms: int) -> None:
        over = asyncio.Event()
        timer = self._clock.call_at(self._clock.now_ms() + ms, over.set)
        try:
            await over.wait()
        finally:
            timer.cancel()

    async def _read(self, table_id: str) -> None:
        """Rebuild a table unless somebody has done so in the meantime. Raises StorageError; then it is still to do."""
        async with self._read_lock:
            if table_id not in self._unread:
                return
            try:
                # Whoever is in an entry is written with it or before, so the people are read after the log.
                entries = await self._store.log_of(table_id)
                table = Table(await self._store.people_of(table_id), entries, self._around)
            except StorageError:
                raise
            except (BuracoError, msgspec.DecodeError) as error:
                # The other tables can be played on; this one waits in the database for somebody to look at it.
                self._log.error("table_unreadable", table=table_id, error=type(error).__name__)
                self._unread.discard(table_id)
                self._broken.add(table_id)
                return
            await table.lay_down()
            self._unread.discard(table_id)
            # Another process may have closed it since it was read.
            if not table.closed:
                self._add(table)

    async def end(self, name: str) -> None:
        """Close a table for good, for an administrator; also one whose log cannot be read.

        Raises ServerError (``no_table``, ``table_closed``), StorageError, SeqTaken.
        """
        try:
            table = await self.get(name)
        except ServerError as error:
            if error.code != "table_broken":
                raise
            table_id = self._codes.get(name.upper(), name)
            await self._writer.append(Append(table_id=table_id, closed_ms=self._clock.now_ms()))
            self._broken.discard(table_id)
            self._codes = {code: known for code, known in self._codes.items() if known != table_id}
            return
        await table.admin_close()

    async def forget(self, token_id: str) -> None:
        """Take a person out of every unfinished table (see `Table.forget`); what the database keeps is another's work.

        Raises StorageError.
        """
        await self.restored()
        for table in self.tables:
            await table.forget(token_id)

    # What other processes tell.

    def heard_news(self, table_id: str, version: int) -> None:
        """Hear that a table has changed; one that is not known here is read soon."""
        table = self._tables.get(table_id)
        if table is not None:
            table.heard_news(version)
        elif table_id not in self._unread and table_id not in self._broken:
            self._wanted.set()

    def heard_people(self, table_id: str) -> None:
        """Hear that somebody came to a table elsewhere, or went."""
        table = self._tables.get(table_id)
        if table is not None:
            table.heard_people()

    def heard_all(self) -> None:
        """Hear that anything may have changed."""
        self._rejoined = True
        for table in self.tables:
            table.heard_people()
        self._wanted.set()

    def heard_forgotten(self, person_id: str) -> None:
        """Hear that a person was deleted."""
        for table in self.tables:
            table.heard_forgotten(person_id)

    async def _look_on(self) -> None:
        """Look into the database for what nobody told: now and then, and at once when something is not known here."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._peers.look_s()):
                    await self._wanted.wait()
            self._wanted.clear()
            try:
                await self.refresh()
                if self._rejoined:
                    self._rejoined = False
                    await self._forget_missed()
            except StorageError as error:
                self._log.error("not_looked", code=error.code)
                await self._pause(_RETRY_MS)

    async def _forget_missed(self) -> None:
        """Take out of the tables whoever was deleted while nobody could tell it here."""
        for table_id, member in await self._store.forgotten_members():
            table = self._tables.get(table_id)
            person = None if table is None else table.fold.people.get(member)
            if table is not None and person is not None and person.token_id:
                table.heard_forgotten(person.token_id)

    async def close(self) -> None:
        """Stop: tell everyone, end every subscription, write what was accepted, accept nothing more."""
        self._stopping = True
        await _end_task(self._reading)
        await _end_task(self._looking)
        await asyncio.gather(*(table.stop() for table in self.tables))
        await self._peers.leave()
        await self._writer.close()
        self._bots.close()
        await self._store.close()


def _stored_name(name: str) -> str:
    """Return an identifier or code as it stands in the database."""
    return name.upper() if len(name) <= CODE_LENGTH else name


async def _end_task(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
        await asyncio.wait({task})


def summary(table: Table, fold: Fold, language: str) -> TableSummary:
    """Return the line of a table in a list; ``fold`` is the table as the reader may see it."""
    return TableSummary(
        table=table.table_id,
        code=table.code,
        phase=fold.phase,
        rules_name=fold.rules.name,
        rules_title=title_in(fold.rules, language),
        players=fold.options.players,
        seats=seat_states(fold),
        clock=fold.options.clock,
        spectators=fold.options.spectators,
        spectator_delay_ms=fold.options.spectator_delay_ms,
        open_hands=fold.options.open_hands,
        spectator_count=table.spectator_count,
        created_ms=fold.created_ms,
        totals=fold.host.totals if fold.host is not None else (0, 0),
        lesson=fold.options.lesson is not None,
    )


def _owns(table: Table, principal: Principal) -> bool:
    person = table.fold.person_of(principal)
    return person is not None and person.number == table.fold.owner


def _is_listed(table: Table) -> bool:
    fold = table.public_fold
    if not fold.options.public or table.closed:
        return False
    if fold.running:
        return fold.options.spectators
    return any(seating.kind == "empty" for seating in fold.seats)
