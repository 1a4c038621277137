"""After a restart every table goes on exactly where it was; wherever the process ends, no ack is broken."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server.botpool import BotPool
from buraco.server.clocks import ManualClock
from buraco.server.options import ClockOptions
from buraco.server.replaying import Fold, Person, apply_all
from buraco.server.schema import entry_table, result_seat_table, result_table
from buraco.server.service import TableService
from buraco.server.shown import ClockState
from buraco.server.snapshots import snapshot_of
from buraco.server.table import Table
from buraco.server.terms import FAULT_POINTS, Principal, ServerError
from tests.server.core.dry import dry_log
from tests.server.core.playing import (
    QUICK,
    Club,
    Player,
    club,
    play_match,
    play_on,
    quick_store,
    run,
    seeded_entropy,
    someone,
)
from tests.server.core.test_matches import cards_of
from tests.server.databases import on_both


def pictures(fold: Fold, principals: Sequence[Principal]) -> list[bytes]:
    """Return what each of them sees, but for what a restart changes by its nature: version, time, running clocks."""
    found = []
    for principal in principals:
        snapshot = snapshot_of(fold, principal)
        table = msgspec.structs.replace(snapshot.table, clocks=ClockState(banks_ms=snapshot.table.clocks.banks_ms))
        found.append(msg.encode(msgspec.structs.replace(snapshot, version=0, at_ms=0, table=table)))
    return found


@pytest.mark.parametrize("rules", ["aberto-104", "fechado", "burraco"])
def test_a_table_is_rebuilt_as_it_was_at_every_point_of_its_log(rules: str) -> None:
    options = msg.TableOptions(rules=rules, players=2, deal_count=1)
    principals = [someone("p1"), someone("p2"), someone("stranger")]
    entries: list[log.Logged] = []
    people: list[Person] = []
    for fold, logged in dry_log(options, 2, seed=6):
        people = [replace(one) for one in fold.people.values()]
        if fold.version % 20 == 3:
            bodies = [log.Logged(one.seq, one.at_ms, log.decode_entry(log.encode_entry(one.entry))) for one in entries]
            again = apply_all(people, bodies)
            assert pictures(again, principals) == pictures(fold, principals)
            assert again.ids.keys() == fold.ids.keys()
        entries.append(logged)
    assert len(entries) > 60


@on_both
def test_a_match_goes_on_after_several_restarts(tmp_path: Path) -> None:
    async def case() -> None:
        source, principals = random.Random(8), [someone("ana"), someone("bob"), someone("eve")]
        async with club(tmp_path) as here:
            clock = ClockOptions(kind="bank", bank_ms=100_000, increment_ms=1_000)
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2, deal_count=1, clock=clock)
            name = table.table_id
            for _ in range(7):
                await play_on(table, people, source)
            before, known = pictures(table.fold, principals), table.version
            assert people[0].table is table
        while True:
            async with club(tmp_path, now_ms=1_800_000_000_000) as here:
                table = await here.service.get(name)
                assert table.code in {one.code for one in here.service.tables}
                assert table.version == known + 1
                assert pictures(table.fold, principals) == before
                people = [here.join(table, "ana"), here.join(table, "bob")]
                for _ in range(40):
                    if not await play_on(table, people, source):
                        assert await here.service.store.has_result(name, 1)
                        return
                before, known = pictures(table.fold, principals), table.version

    run(case)


@on_both
def test_the_time_of_a_stop_is_nobodys(tmp_path: Path) -> None:
    async def case() -> None:
        clock = ClockOptions(kind="turn", turn_ms=60_000)
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2, clock=clock)
            await here.turn(20_000)
            name, seat = table.table_id, table.fold.host.seat if table.fold.host else None
            assert ana.seat == 0
            assert bob.seat == 1
        later = 1_700_000_000_000 + 10**9
        async with club(tmp_path, now_ms=later) as here:
            table = await here.service.get(name)
            await here.turn(5_000)
            assert table.fold.host is not None
            assert table.fold.host.seat == seat
            assert [table.fold.awake] == [False]
            ana = here.join(table, "ana")
            bob = here.join(table, "bob")
            await table.settled()
            assert table.fold.awake
            deadline = table.snapshot(ana.principal).table.clocks.deadline_ms
            assert deadline == later + 5_000 + 40_000
            assert bob.seat == 1

    run(case)


@on_both
def test_a_repeated_message_is_known_after_a_restart(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            host = table.fold.host
            assert host is not None
            player = ana if host.seat == 0 else bob
            name, version = table.table_id, table.version
            first = await player.done(msg.Act, action=0, message_id="draw", version=version)
        async with club(tmp_path) as here:
            table = await here.service.get(name)
            again = Player(table, player.principal, table.subscribe(player.principal))
            await table.settled()
            before = table.version
            assert await again.say(msg.Act, action=0, message_id="draw", version=version) == first
            assert table.version == before

    run(case)


class Killed(BaseException):
    """The process is gone."""


class KillAt:
    """Kills the process when it comes by a point for the ``count``-th time."""

    def __init__(self, point: str, count: int) -> None:
        self.point = point
        self.left = count
        self.reached = asyncio.Event()

    async def at(self, point: str) -> None:
        if point == self.point:
            self.left -= 1
            if self.left == 0:
                self.reached.set()
                # Nothing that this process would still do is done.
                await asyncio.Event().wait()


async def killed_at(path: Path, point: str, count: int) -> tuple[str, dict[str, int], str | None]:
    """Play until the process is killed; return the table, the acts that were acked, and the one without an ack."""
    faults = KillAt(point, count)
    store = await quick_store(path)
    service = TableService(
        store, ManualClock(1_700_000_000_000), BotPool(kind="inline"), QUICK, entropy=seeded_entropy(1), faults=faults
    )
    await service.restore()
    acked: dict[str, int] = {}
    table: list[Table] = []
    doing: list[str] = []

    async def play() -> None:
        here = Club(service, ManualClock(), path)
        found, people = await here.match_of("ana", "bob", rules="burraco", players=2)
        table.append(found)
        source = random.Random(3)
        while True:
            await found.settled()
            assert found.fold.host is not None
            seat = found.fold.host.seat
            if seat is None:
                return
            player = people[seat]
            legal = found.fold.host.view(seat).legal
            doing[:] = [f"{seat}-{found.version}"]
            reply = await player.say(msg.Act, action=source.choice(legal), message_id=doing[0])
            assert isinstance(reply, msg.Ack)
            acked[doing.pop()] = reply.version

    playing = asyncio.create_task(play())
    dying = asyncio.create_task(faults.reached.wait())
    await asyncio.wait({playing, dying}, return_when=asyncio.FIRST_COMPLETED)
    assert dying.done(), playing.exception()
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await store.close()
    return table[0].table_id, acked, doing[0] if doing else None


@on_both
@pytest.mark.parametrize("point", FAULT_POINTS)
@pytest.mark.parametrize("count", [12, 25])
def test_nothing_acked_is_lost_or_doubled_wherever_the_process_ends(point: str, count: int, tmp_path: Path) -> None:
    async def case() -> None:
        name, acked, open_id = await killed_at(tmp_path, point, count)
        async with club(tmp_path) as here:
            table = await here.service.get(name)
            entries = await here.service.store.log_of(name)
            assert [one.seq for one in entries] == list(range(1, len(entries) + 1))
            written = [one.entry.id for one in entries if isinstance(one.entry, log.Acted) and one.entry.id]
            assert len(set(written)) == len(written)
            assert set(acked) <= set(written)
            assert set(written) - set(acked) <= {open_id}
            for message_id, version in acked.items():
                entry = entries[version - 1].entry
                assert entry.id == message_id
            if point == "before_commit":
                assert open_id not in written
            elif open_id is not None:
                assert open_id in written
            cards = cards_of(table)
            assert sum(cards.values()) == 108
            if point == "after_commit":
                people = [here.join(table, "ana"), here.join(table, "bob")]
                await play_match(here, table, people, random.Random(1))

    run(case)


@on_both
def test_a_result_that_was_not_saved_is_saved_at_the_restart(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana,) = await here.match_of("ana", rules="burraco", players=2)
            await ana.done(msg.Resign)
            name = table.table_id
            async with here.service.store.engine.begin() as connection:
                await connection.execute(sa.delete(result_seat_table))
                await connection.execute(sa.delete(result_table))
            assert not await here.service.store.has_result(name, 1)
        async with club(tmp_path) as here:
            assert await here.service.store.has_result(name, 1)

    run(case)


@on_both
def test_a_closed_table_is_not_restored(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana,) = await here.table_of("ana")
            await ana.done(msg.CloseTable)
            assert here.service.tables == ()
            name = table.table_id
        async with club(tmp_path) as here:
            assert here.service.tables == ()
            for known in (name, table.code, table.code.lower()):
                with pytest.raises(ServerError) as error:
                    await here.service.get(known)
                assert error.value.code == "table_closed"
            with pytest.raises(ServerError) as missing:
                await here.service.get("nothing")
            assert missing.value.code == "no_table"

    run(case)


@on_both
def test_tables_can_be_used_while_others_are_still_rebuilt(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            made = [(await here.match_of("ana", rules="burraco", players=2, public=True))[0] for _ in range(4)]
            names = [table.table_id for table in made]
        store = await quick_store(tmp_path)
        service = TableService(
            store, ManualClock(1_800_000_000_000), BotPool(kind="inline"), QUICK, entropy=seeded_entropy(1)
        )
        assert await service.restore(wait=False) == 4
        assert list(service.tables) == []
        table, again = await asyncio.gather(service.get(names[3]), service.get(made[3].code))
        assert table is again
        assert pictures(table.fold, [someone("ana")]) == pictures(made[3].fold, [someone("ana")])
        await service.restored()
        assert {one.table_id for one in service.tables} == set(names)
        assert len(service.lobby()) == 4
        await service.close()

    run(case)


@on_both
def test_a_stop_does_not_wait_for_tables_that_are_still_to_be_rebuilt(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            await here.match_of("ana", rules="burraco", players=2)
        store = await quick_store(tmp_path)
        service = TableService(store, ManualClock(), BotPool(kind="inline"), QUICK, entropy=seeded_entropy(1))
        await service.restore(wait=False)
        await service.close()
        async with club(tmp_path) as here:
            assert len(here.service.tables) == 1

    run(case)


@on_both
@pytest.mark.parametrize("spoiled", ["nonsense", '{"kind":"acted","seat":0,"action":22000}'])
def test_a_log_that_cannot_be_read_spoils_no_other_table(spoiled: str, tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            tables = [(await here.match_of("ana", rules="burraco", players=2))[0] for _ in range(2)]
            broken, sound = (table.table_id for table in tables)
            code, last = tables[0].code, tables[0].version
            change = sa.update(entry_table).where(entry_table.c.table_id == broken, entry_table.c.seq == last)
            async with here.service.store.engine.begin() as connection:
                await connection.execute(change.values(body=spoiled))
        async with club(tmp_path) as here:
            assert [table.table_id for table in here.service.tables] == [sound]
            for name in (broken, code):
                with pytest.raises(ServerError) as error:
                    await here.service.get(name)
                assert error.value.code == "table_broken"
            # An administrator may close it all the same.
            await here.service.end(code)
            with pytest.raises(ServerError) as error:
                await here.service.end(broken)
            assert error.value.code == "table_closed"
        async with club(tmp_path) as here:
            assert [table.table_id for table in here.service.tables] == [sound]
            with pytest.raises(ServerError) as error:
                await here.service.get(broken)
            assert error.value.code == "table_closed"

    run(case)
