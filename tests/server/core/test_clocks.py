"""The players' time: the ledger, the manual clock, and what the table does when time is up."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from buraco.engine import Deal, view_of
from buraco.engine.constants import ACTION_DISCARD, ACTION_DRAW
from buraco.rules import RULE_SETS
from buraco.server import messages as msg
from buraco.server.clocks import RETURN_BANK_MS, Ledger, ManualClock, SystemClock
from buraco.server.options import ClockOptions
from buraco.server.table_events import TimedOut
from buraco.server.timeouts import fallback_action
from tests.server.core.playing import club, run
from tests.unit.making import game_sets, table

TURN = ClockOptions(kind="turn", turn_ms=10_000)
BANK = ClockOptions(kind="bank", bank_ms=20_000, increment_ms=1_000)


def test_a_turn_has_its_time_whatever_was_used_before() -> None:
    ledger = Ledger(TURN, 2)
    assert (ledger.deadline_ms, ledger.banks_ms) == (None, None)
    ledger.begin_turn(0)
    assert [ledger.deadline_ms] == [None]
    ledger.run(100)
    ledger.run(150)
    assert ledger.deadline_ms == 10_100
    ledger.stand(4_100)
    assert not ledger.running
    ledger.run(50_000)
    assert ledger.deadline_ms == 56_000
    ledger.end_turn(60_000)
    ledger.begin_turn(1)
    ledger.run(60_000)
    assert ledger.deadline_ms == 70_000


def test_a_bank_pays_for_its_turns_and_gets_the_increment() -> None:
    ledger = Ledger(BANK, 2)
    ledger.begin_turn(0)
    ledger.run(0)
    assert ledger.deadline_ms == 20_000
    ledger.end_turn(5_000)
    assert ledger.banks_ms == (16_000, 20_000)
    ledger.begin_turn(1)
    ledger.run(5_000)
    ledger.end_turn(90_000)
    assert ledger.banks_ms == (16_000, 1_000)
    ledger.end_turn(95_000)
    assert ledger.banks_ms == (16_000, 1_000)


def test_who_takes_a_seat_back_has_some_time() -> None:
    ledger = Ledger(ClockOptions(kind="bank", bank_ms=60_000, increment_ms=0), 2)
    ledger.begin_turn(0)
    ledger.run(0)
    ledger.stand(59_000)
    ledger.refresh(0)
    ledger.run(100_000)
    assert ledger.deadline_ms == 100_000 + RETURN_BANK_MS
    short = Ledger(BANK, 2)
    short.begin_turn(0)
    short.run(0)
    short.stand(20_000)
    short.refresh(0)
    assert short.banks_ms == (20_000, 20_000)


def test_a_manual_clock_makes_its_calls_in_order() -> None:
    clock, made = ManualClock(5), list[str]()

    def later() -> None:
        clock.call_at(1, lambda: made.append("late"))

    clock.call_at(20, lambda: made.append("b"))
    clock.call_at(10, lambda: made.append("a"))
    off = clock.call_at(15, lambda: made.append("never"))
    clock.call_at(20, later)
    off.cancel()
    assert clock.next_ms() == 10
    clock.turn_to(19)
    assert (made, clock.now_ms()) == (["a"], 19)
    clock.turn_to(30)
    assert (made, clock.now_ms(), clock.next_ms()) == (["a", "b", "late"], 30, None)


def test_the_systems_clock_makes_calls_soon_but_never_at_once() -> None:
    async def case() -> None:
        clock, done = SystemClock(), asyncio.Event()
        assert clock.now_ms() > 1_700_000_000_000
        clock.call_at(clock.now_ms() - 1_000, done.set)
        assert not done.is_set()
        await done.wait()
        clock.call_at(clock.now_ms() + 10**7, done.clear).cancel()

    run(case)


@pytest.mark.parametrize(("rules", "players"), game_sets())
def test_what_the_table_does_for_a_seat_is_legal_and_ends_every_deal(rules: str, players: int) -> None:
    deal = Deal(RULE_SETS[rules], players, seed=3)
    for _ in range(5_000):
        if not deal.legal():
            return
        view = view_of(deal, deal.seat)
        action = fallback_action(view)
        assert action == fallback_action(view)
        assert action in view.legal
        deal.apply(action)
    raise AssertionError("the deal does not end")


def test_it_draws_and_then_throws_away_what_is_worth_least() -> None:
    drawing = table("aberto", "3c 4c Kd", "3d 4d 5d", "3h 4h 5h", "3s 4s 5s")
    assert fallback_action(view_of(Deal.from_position(drawing), 0)) == ACTION_DRAW
    playing = table("aberto", "2c Kd 7h 7c X", "3d 4d 5d", "3h 4h 5h", "3s 4s 5s", phase="play", drew_stock=True)
    assert fallback_action(view_of(Deal.from_position(playing), 0)) - ACTION_DISCARD == 6
    wilds = table("aberto", "2c X", "3d 4d 5d", "3h 4h 5h", "3s 4s 5s", phase="play", drew_stock=True)
    assert fallback_action(view_of(Deal.from_position(wilds), 0)) - ACTION_DISCARD == 1
    with pytest.raises(ValueError, match="not to act"):
        fallback_action(view_of(Deal.from_position(playing), 1))


def test_after_so_many_time_outs_a_bot_plays_the_seat(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2, clock=TURN)
            host = table.fold.host
            assert host is not None
            first = host.seat or 0
            await here.turn(30_000)
            assert table.fold.seats[first].cause == "timeouts"
            assert table.fold.seats[1 - first].cause == ""
            timed = [event for message in people[0].take() if isinstance(message, msg.Update)
                     for event in message.events if isinstance(event, TimedOut)]  # fmt: skip
            assert {event.seat for event in timed} == {0, 1}
            await people[first].done(msg.TakeBack)
            assert table.fold.seats[first].timeouts == 0

    run(case)


def test_an_act_of_ones_own_forgives_the_time_outs(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2, clock=TURN)
            host = table.fold.host
            assert host is not None
            first = host.seat or 0
            await here.turn(10_000)
            assert table.fold.seats[first].timeouts == 1
            await here.turn(10_000)
            await people[first].done(msg.Act, action=host.view(first).legal[0])
            assert table.fold.seats[first].timeouts == 0

    run(case)


def test_an_act_that_comes_too_late_is_refused(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2, clock=TURN)
            host = table.fold.host
            assert host is not None
            first = host.seat or 0
            before = table.version
            # The time is up, though the table has not come to say so yet.
            here.clock.turn_to(here.clock.now_ms() + 10_000)
            reply = await people[first].say(msg.Act, action=host.view(first).legal[0], version=before)
            assert isinstance(reply, msg.Refused)
            assert reply.code in ("time_up", "stale_version")

    run(case)
