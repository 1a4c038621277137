"""The computer's clock is set during a match, or while the server is gone: nobody waits for it, nobody pays twice."""

from __future__ import annotations

from pathlib import Path

from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server.clocks import ManualClock, OnwardClock, SystemClock
from buraco.server.options import ClockOptions
from buraco.server.table import Table
from tests.server.core.playing import QUICK, START_MS, Club, Player, club, run

HOUR_MS = 3_600_000
TURN = ClockOptions(kind="turn", turn_ms=10_000)


def to_act(table: Table, people: list[Player]) -> Player:
    host = table.fold.host
    assert host is not None
    return next(one for one in people if one.seat == host.seat)


async def times_of(here: Club, table: Table) -> list[int]:
    return [one.at_ms for one in await here.service.store.log_of(table.table_id)]


def test_setting_the_computers_clock_does_not_move_the_servers() -> None:
    wall_ns, passed_ns = [START_MS * 1_000_000], [5]
    clock = SystemClock(lambda: wall_ns[0], lambda: passed_ns[0])
    assert clock.now_ms() == START_MS
    for set_to in (0, 2 * START_MS * 1_000_000):
        wall_ns[0] = set_to
        passed_ns[0] += 1_500_000_000
        assert (clock.now_ms() - START_MS) % 1_500 == 0
    assert clock.now_ms() == START_MS + 3_000


def test_a_clock_behind_which_the_time_goes_back_goes_on() -> None:
    behind, called = ManualClock(START_MS), list[int]()
    clock = OnwardClock(behind)
    assert clock.now_ms() == START_MS
    behind.jump(-HOUR_MS)
    assert clock.now_ms() == START_MS
    behind.turn_to(behind.now_ms() + 500)
    assert clock.now_ms() == START_MS + 500
    clock.not_before(START_MS + 2_000)
    assert clock.now_ms() == START_MS + 2_000
    clock.call_at(START_MS + 3_000, lambda: called.append(clock.now_ms()))
    behind.turn_to(behind.now_ms() + 999)
    assert called == []
    behind.turn_to(behind.now_ms() + 1)
    assert called == [START_MS + 3_000]
    behind.jump(HOUR_MS)
    assert clock.now_ms() >= START_MS + 3_000 + HOUR_MS


def test_a_clock_that_is_set_back_keeps_nobody_waiting(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2, clock=TURN)
            first = to_act(table, people)
            here.clock.jump(-HOUR_MS)
            await first.done(msg.Act, action=0)
            version = table.version
            # The turn still ends by itself after its ten seconds, and so does the next one.
            await here.turn(11_000)
            assert to_act(table, people) is not first
            await here.turn(10_000)
            assert table.version == version + 3
            times = await times_of(here, table)
            assert times == sorted(times)
            assert times[-1] < START_MS + 60_000

    run(case)


def test_a_bot_acts_though_the_clock_was_set_back(tmp_path: Path) -> None:
    async def case() -> None:
        settings = QUICK.__class__(bot_pause_ms=400, seed_wait_ms=0)
        async with club(tmp_path, settings) as here:
            table, (ana,) = await here.match_of("ana", rules="burraco", players=2)
            host = table.fold.host
            assert host is not None
            here.clock.jump(-HOUR_MS)
            for _ in range(200):
                if host.seat != 0:
                    break
                await ana.done(msg.Act, action=host.view(0).legal[0])
            assert host.seat == 1
            await here.turn(10_000)
            assert host.seat == 0

    run(case)


def test_a_server_that_comes_back_with_an_earlier_clock_goes_on_as_before(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, _ = await here.match_of("ana", "bob", rules="burraco", players=2, clock=TURN)
        async with club(tmp_path, now_ms=START_MS - HOUR_MS) as here:
            table = await here.service.get(table.table_id)
            people = [here.join(table, name) for name in ("ana", "bob")]
            await table.settled()
            first, version = to_act(table, people), table.version
            await here.turn(9_000)
            assert table.version == version
            await here.turn(2_000)
            assert to_act(table, people) is not first
            people[1].subscription.close()
            await here.turn(31_000)
            assert table.fold.seats[1].cause == "away"
            times = await times_of(here, table)
            assert times == sorted(times)

    run(case)


def test_a_clock_that_is_set_forward_costs_one_turn_and_no_seat(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2, clock=TURN)
            first = to_act(table, people)
            here.clock.jump(24 * HOUR_MS)
            assert await first.refused(msg.Act, action=0) == "time_up"
            await here.turn(5_000)
            entries = await here.service.store.log_of(table.table_id)
            late = {one.entry.seat for one in entries if isinstance(one.entry, log.Acted) and one.entry.timed_out}
            assert late <= {first.seat}
            assert [seating.cause for seating in table.fold.seats] == ["", ""]
            assert table.fold.phase == "playing"

    run(case)
