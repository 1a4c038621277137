"""The disconnection contract: presence, bots that play for who is away, sleep, forfeits, tables that everyone left."""

from __future__ import annotations

import random
from pathlib import Path

from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server import table_events as told
from buraco.server.options import ClockOptions
from buraco.server.table import Table
from buraco.server.terms import CLOSE_GONE
from tests.server.core.playing import QUICK, Player, club, play_on, run

ABSENT_MS = QUICK.away_ms


def presence_of(player: Player) -> msg.Presence:
    """Return the last presence that somebody was told."""
    player.take()
    return [message for message in player.seen if isinstance(message, msg.Presence)][-1]


async def kinds_of(table: Table) -> list[str]:
    store = table._around.store
    return [type(one.entry).__name__ for one in await store.log_of(table.table_id)]


def test_presence_is_told_to_everyone(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob")
            now = here.clock.now_ms()
            assert presence_of(ana).here == (1, 2)
            watcher = here.join(table, "eve")
            assert presence_of(ana).spectators == 1
            bob.subscription.close()
            seen = presence_of(watcher)
            assert seen.here == (1,)
            assert seen.away_since_ms == (None, now, None, None)
            assert seen.bot_at_ms == (None, now + ABSENT_MS, None, None)
            bob.subscription.close()
            here.join(table, "bob")
            assert presence_of(ana).away_since_ms == (None, None, None, None)

    run(case)


def test_a_second_connection_keeps_the_seat_present(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (_, bob) = await here.match_of("ana", "bob")
            other = here.join(table, "bob")
            bob.subscription.close()
            await here.turn(10 * ABSENT_MS)
            assert table.fold.seats[1].cause == ""
            other.subscription.close()
            await here.turn(ABSENT_MS)
            assert table.fold.seats[1].cause == "away"

    run(case)


def test_a_bot_plays_for_who_is_away_until_they_return(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2, bot_level="random")
            bob.subscription.close()
            await here.turn(ABSENT_MS - 1)
            assert table.fold.seats[1].cause == ""
            await here.turn(1)
            seat = table.snapshot(ana.principal).table.seats[1]
            assert (seat.played_by_bot, seat.level, seat.name) == ("away", "random", "bob")
            for _ in range(12):
                await play_on(table, [ana], random.Random(2))
            assert table.fold.host is not None
            assert table.fold.host.seat == 0
            back = here.join(table, "bob")
            await table.settled()
            assert table.fold.seats[1].cause == ""
            assert back.take()
            assert (await kinds_of(table)).count("Returned") == 1

    run(case)


def test_with_a_clock_a_bot_takes_over_when_the_time_is_up(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            clock = ClockOptions(kind="turn", turn_ms=10_000)
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2, clock=clock)
            assert table.fold.host is not None
            seat = table.fold.host.seat
            assert seat is not None
            people[seat].subscription.close()
            await here.turn(10_000)
            assert table.fold.seats[seat].cause == "away"
            assert table.fold.host.seat == 1 - seat
            assert not [one for one in await kinds_of(table) if one == "TimedOut"]

    run(case)


def test_a_match_waits_while_nobody_is_there(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana,) = await here.match_of("ana", rules="burraco", players=2)
            ana.subscription.close()
            await here.turn(20 * ABSENT_MS)
            assert [table.fold.awake] == [False]
            assert table.fold.seats[0].cause == ""
            version = table.version
            watcher = here.join(table, "eve")
            await here.turn(20 * ABSENT_MS)
            assert table.version == version
            back = here.join(table, "ana")
            await table.settled()
            assert table.fold.awake
            await play_on(table, [back], random.Random(1))
            clocks = [e for m in watcher.take() if isinstance(m, msg.Update) for e in m.events
                      if isinstance(e, told.ClockChanged)]  # fmt: skip
            assert [event.running for event in clocks] == [True]

    run(case)


def test_the_time_of_a_sleep_is_nobodys(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            clock = ClockOptions(kind="bank", bank_ms=50_000, increment_ms=0)
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2, clock=clock)
            await here.turn(20_000)
            for player in people:
                player.subscription.close()
            await here.turn(1_000_000)
            here.join(table, "ana")
            here.join(table, "bob")
            await table.settled()
            clocks = table.snapshot(people[0].principal).table.clocks
            assert clocks.deadline_ms == here.clock.now_ms() + 30_000

    run(case)


def test_the_two_sides_of_a_forfeit(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob, cid) = await here.match_of("ana", "bob", "cid", seats=(0, 1, 3))
            assert await ana.refused(msg.ClaimForfeit) == "not_gone"
            bob.subscription.close()
            await here.turn(ABSENT_MS + QUICK.forfeit_ms)
            assert await ana.refused(msg.ClaimForfeit) == "not_gone"
            await cid.done(msg.Leave)
            assert await ana.refused(msg.ClaimForfeit) == "not_gone"
            await here.turn(QUICK.forfeit_ms)
            assert await cid.refused(msg.ClaimForfeit) == "bot_plays"
            await ana.done(msg.ClaimForfeit)
            result = table.fold.result
            assert result is not None
            assert (result.kind, result.winner) == ("forfeited", 0)

    run(case)


def test_nobody_can_claim_a_match_from_bots(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            _, (ana,) = await here.match_of("ana")
            await here.turn(10**7)
            assert await ana.refused(msg.ClaimForfeit) == "not_gone"

    run(case)


def test_the_next_deal_begins_by_ready_or_after_a_time(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2)
            source = random.Random(1)
            for by_time in (True, False):
                while table.fold.phase == "playing":
                    await play_on(table, people, source)
                assert table.fold.phase == "between"
                deal = table.fold.play.deal_number if table.fold.play else 0
                at_ms = table.snapshot(people[0].principal).table.next_deal_at_ms
                assert at_ms == here.clock.now_ms() + QUICK.next_deal_ms
                if by_time:
                    await here.turn(QUICK.next_deal_ms - 1)
                    assert table.fold.phase == "between"
                    await here.turn(1)
                else:
                    await people[0].done(msg.Ready)
                    assert table.fold.phase == "between"
                    await people[1].done(msg.Ready)
                assert table.fold.phase == "playing"
                assert table.fold.play is not None
                assert table.fold.play.deal_number == deal + 1

    run(case)


def test_a_person_alone_with_bots_is_not_hurried_to_the_next_deal(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana,) = await here.match_of("ana", rules="burraco", players=2)
            source = random.Random(1)
            while table.fold.phase == "playing":
                await play_on(table, [ana], source)
            assert table.fold.phase == "between"
            assert table.snapshot(ana.principal).table.next_deal_at_ms is None
            await here.turn(1000 * QUICK.next_deal_ms)
            assert table.fold.phase == "between"
            await ana.done(msg.Ready)
            assert table.fold.phase == "playing"

    run(case)


def test_whoever_is_left_with_bots_between_deals_is_no_longer_hurried(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            source = random.Random(1)
            while table.fold.phase == "playing":
                await play_on(table, [ana, bob], source)
            ana.take()
            await bob.done(msg.Leave)
            ana.take()
            told_last = [message for message in ana.seen if isinstance(message, msg.Update)][-1]
            assert told_last.table is not None
            assert told_last.table.next_deal_at_ms is None
            await here.turn(1000 * QUICK.next_deal_ms)
            assert table.fold.phase == "between"

    run(case)


def test_a_table_that_everybody_left_ends_after_a_time(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana,) = await here.table_of("ana")
            running, (bob,) = await here.match_of("bob", rules="burraco", players=2)
            for player in (ana, bob):
                player.subscription.close()
            await here.turn(QUICK.abandon_open_ms - 1)
            assert not table.closed
            await here.turn(1)
            assert (table.closed, table.fold.closed_cause) == (True, "abandoned")
            await here.turn(QUICK.abandon_ms)
            assert running.closed
            assert running.fold.result is not None
            assert (running.fold.result.kind, running.fold.result.winner) == ("abandoned", None)
            assert here.service.tables == ()
            assert await here.service.store.unfinished() == []

    run(case)


def test_a_table_at_which_somebody_looks_stays(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana,) = await here.table_of("ana")
            await here.turn(10 * QUICK.abandon_open_ms)
            assert not table.closed
            ana.subscription.close()
            await here.turn(QUICK.abandon_open_ms - 1)
            again = here.join(table, "ana")
            await here.turn(QUICK.abandon_open_ms)
            assert not table.closed
            await again.done(msg.CloseTable)
            assert again.rest().code == CLOSE_GONE

    run(case)


def test_the_log_says_why_a_bot_plays(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            clock = ClockOptions(kind="turn", turn_ms=5_000)
            table, _ = await here.match_of("ana", "bob", rules="burraco", players=2, clock=clock)
            await here.turn(5_000 * 2 * QUICK.timeouts_max)
            entries = [one.entry for one in await here.service.store.log_of(table.table_id)]
            assert [one.cause for one in entries if isinstance(one, log.TookOver)] == ["timeouts", "timeouts"]

    run(case)
