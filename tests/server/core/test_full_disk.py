"""The database stops taking what is written while matches run: nothing is acknowledged, nothing is lost."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from buraco.server import messages as msg
from buraco.server.options import ClockOptions
from buraco.server.store import Append, StorageError, Store
from buraco.server.table import Table
from buraco.server.terms import Faults
from tests.server.core.playing import Club, Player, club, play_on, run, someone
from tests.server.disks import Disk, Fault


async def written(here: Club, table: Table) -> int:
    """Return how many entries of a table are in the database; they are all that it has."""
    entries = await here.service.store.log_of(table.table_id)
    assert [one.seq for one in entries] == list(range(1, len(entries) + 1))
    return len(entries)


async def fill(player: Player) -> None:
    """Change something small again and again until the disk is full."""
    for number in range(2000):
        reply = await player.say(msg.Mute, member=2, muted=number % 2 == 0)
        if isinstance(reply, msg.Refused):
            assert reply.code == "storage"
            return
    raise AssertionError("the disk never was full")


def to_act(table: Table, people: Sequence[Player]) -> tuple[Player, int]:
    """Return who is to act, and a legal action."""
    host = table.fold.host
    assert host is not None
    player = next(one for one in people if one.seat == host.seat)
    return player, host.view(player.seat).legal[0]


@pytest.mark.parametrize("fault", ["full", "read_only"])
def test_while_nothing_can_be_written_every_change_is_refused_and_nothing_is_lost(tmp_path: Path, fault: Fault) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            disk = Disk(here.service.store.engine)
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2, deal_count=1)
            source = random.Random(1)
            for _ in range(10):
                await play_on(table, people, source)
            disk.fault = fault
            if fault == "full":
                await fill(people[0])
            version = table.version
            assert await written(here, table) == version
            for one in people:
                one.take()
            player, action = to_act(table, people)
            tries: list[tuple[type[Any], dict[str, Any]]] = [
                (msg.Act, {"action": action}),
                (msg.Chat, {"text": "x" * 300}),
                (msg.Resign, {}),
                (msg.Leave, {}),
            ]
            for number, (kind, fields) in enumerate(tries):
                reply = await player.say(kind, message_id=f"again-{number}", **fields)
                # What still fits into the last page of a full disk is written.
                if isinstance(reply, msg.Refused):
                    assert (reply.code, table.version) == ("storage", version), kind
                version = table.version
                assert await written(here, table) == version
                if kind is msg.Resign and table.fold.phase == "finished":
                    break
            assert isinstance(await player.say(msg.Why, action=0), msg.Ack | msg.Refused)
            with pytest.raises(StorageError):
                await here.service.create(someone("cid"), msg.TableOptions(rules="burraco", players=2))
            disk.fault = ""
            reply = await player.say(msg.Chat, message_id="again-1", text="x" * 300)
            assert isinstance(reply, msg.Ack)
            assert await written(here, table) == table.version
            while await play_on(table, people, source):
                pass
            last = table.version
            told = [one.version for one in people[1].seen if isinstance(one, msg.Update)]
            assert told == list(range(told[0], last + 1))
        async with club(tmp_path) as here:
            again = await here.service.get(table.table_id)
            assert again.version >= last

    run(case)


def test_bots_and_clocks_wait_for_the_disk_and_go_on(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            disk = Disk(here.service.store.engine)
            clock = ClockOptions(kind="turn", turn_ms=10_000)
            table, (ana,) = await here.match_of("ana", rules="burraco", players=2, clock=clock)
            disk.fault = "read_only"
            version = table.version
            await here.turn(60_000)
            assert table.version == version
            assert await written(here, table) == version
            disk.fault = ""
            await here.turn(1_000)
            assert table.version > version
            await here.turn(60_000)
            assert table.version > version + 5
            assert await written(here, table) == table.version
            assert ana.take()

    run(case)


class NoResults:
    """Lets no result be written while it holds."""

    def __init__(self, store: Store) -> None:
        self.holds = True
        self._write = store.write

    async def write(self, batch: Sequence[Append], faults: Faults | None = None) -> None:
        if self.holds and any(one.result is not None for one in batch):
            raise StorageError("storage", "full")
        await self._write(batch, faults)


@pytest.mark.parametrize("next_thing", ["wait", "close", "rematch", "restart"])
def test_a_result_that_could_not_be_written_is_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, next_thing: str
) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            store = here.service.store
            fault = NoResults(store)
            monkeypatch.setattr(store, "write", fault.write)
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2)
            await people[1].done(msg.Resign)
            assert not await store.has_result(table.table_id, 1)
            if next_thing != "restart":
                fault.holds = False
            if next_thing == "wait":
                await here.turn(1_000)
            elif next_thing == "close":
                await people[0].done(msg.CloseTable)
            elif next_thing == "rematch":
                for one in people:
                    await one.done(msg.Rematch)
                assert table.fold.match == 2
            if next_thing != "restart":
                assert await store.has_result(table.table_id, 1)
        monkeypatch.undo()
        async with club(tmp_path) as here:
            assert await here.service.store.has_result(table.table_id, 1)

    run(case)
