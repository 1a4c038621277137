"""How long bots may think and who thinks next, counted and not timed; and levels that a server does not offer."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from buraco.bots import Bot, Decision, Limit, bot_levels
from buraco.bots.search import MASTER
from buraco.engine import SeatView
from buraco.errors import BuracoError
from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server.botpool import BotFailed, BotPool
from buraco.server.lanes import Lanes
from buraco.server.metrics import Metrics
from buraco.server.settings import Settings
from buraco.server.terms import ServerError
from buraco.server.thinking import (
    LEAST_MS,
    check_offered,
    hint_level,
    offered_levels,
    played_level,
    shared_ms,
    turn_ms,
    usual_level,
)
from tests.server.core.playing import QUICK, Club, club, play_on, run, someone
from tests.unit.walking import host_of

ALL = ("random", "greedy", "novice", "club", "expert", "master")


# Time.


def test_a_search_hears_the_time_of_the_turn_with_each_action_since_it_shares_it_out_itself(tmp_path: Path) -> None:
    async def case() -> None:
        given: list[tuple[str, int]] = []

        def make(level: str, _: int) -> Bot:
            return Costly(level, given)

        pool, settings = BotPool(kind="inline", maker=make), replace(QUICK, bot_ms=600_000)
        async with club(tmp_path, bots=pool, settings=settings) as here:
            table, (ana,) = await here.match_of("ana", rules="burraco", players=2, bot_level="master")
            for _ in range(6):
                await play_on(table, [ana], random.Random(3))
            await table.settled()
            assert len(given) >= 4
            assert set(given) == {("master", MASTER.turn_ms)}

    run(case)


def test_the_host_may_allow_less() -> None:
    assert [turn_ms(level, 100) for level in ("random", "expert", "master")] == [100, 100, 100]


def test_a_round_over_all_who_search_takes_as_long_as_one_alone() -> None:
    for places in (1, 2, 3):
        for wanting in (1, 2, 7, 30):
            rounds = max(1, wanting / places)
            assert shared_ms(1_500, wanting, places) * rounds <= 1_500
    assert [shared_ms(1_500, wanting, 2) for wanting in (1, 2, 3, 6)] == [1_500, 1_500, 1_000, 500]
    assert shared_ms(1_500, 10_000, 1) == LEAST_MS
    assert shared_ms(5, 10_000, 1) == 5


# Places.


async def order_of(lanes: Lanes, wishes: Iterable[tuple[str, bool]]) -> list[str]:
    """Return in which order wishes that come together get a place, one at a time."""
    served: list[str] = []

    async def one(lane: str, searches: bool) -> None:
        await lanes.enter(lane, searches=searches)
        served.append(lane)
        await asyncio.sleep(0)
        lanes.leave(searches=searches)

    await asyncio.gather(*(one(lane, searches) for lane, searches in wishes))
    assert (lanes.busy, lanes.waiting, lanes.wanting_search) == (0, 0, 0)
    return served


def test_a_table_that_asks_for_much_waits_for_the_others() -> None:
    async def case() -> None:
        greedy = [("a", False)] * 5
        assert await order_of(Lanes(1), [*greedy, ("b", False), ("c", False)]) == list("aabcaaa")

    run(case)


def test_those_that_decide_at_once_do_not_wait_behind_those_that_search() -> None:
    async def case() -> None:
        lanes = Lanes(2)
        searches = [asyncio.ensure_future(lanes.enter(table, searches=True)) for table in ("a", "b")]
        await asyncio.sleep(0)
        assert (lanes.busy, lanes.waiting, lanes.wanting_search) == (1, 1, 2)
        for _ in range(100):
            await lanes.enter("quick", searches=False)
            lanes.leave(searches=False)
        lanes.leave(searches=True)
        await asyncio.gather(*searches)
        assert (lanes.busy, lanes.waiting, lanes.wanting_search) == (1, 0, 1)

    run(case)


def test_who_goes_while_waiting_or_just_let_in_takes_no_place_along() -> None:
    async def case() -> None:
        lanes = Lanes(1)
        await lanes.enter("a", searches=True)
        tasks = [asyncio.ensure_future(lanes.enter(name, searches=True)) for name in "bcd"]
        await asyncio.sleep(0)
        tasks[0].cancel()
        lanes.leave(searches=True)
        tasks[1].cancel()
        await asyncio.wait(tasks)
        assert [task.cancelled() for task in tasks] == [True, True, False]
        assert (lanes.busy, lanes.waiting, lanes.wanting_search) == (1, 0, 1)
        lanes.leave(searches=True)
        assert (lanes.busy, lanes.waiting, lanes.wanting_search) == (0, 0, 0)

    run(case)


class Costly:
    """A bot whose cost is the time that it is given; it tells who asked for how much."""

    level = "costly"

    def __init__(self, level: str, given: list[tuple[str, int]]) -> None:
        self._name = level
        self._given = given

    def choose(self, view: SeatView, limit: Limit) -> Decision:
        assert limit.ms is not None
        self._given.append((self._name, limit.ms))
        return Decision(view.legal[0])


def test_twenty_tables_of_masters_starve_nobody() -> None:
    async def case() -> None:
        given: list[tuple[str, int]] = []
        metrics, view = Metrics(), host_of("aberto").view(0)

        def make(level: str, _: int) -> Bot:
            return Costly(level, given)

        pool = BotPool(workers=2, kind="thread", maker=make, watch=metrics)

        async def table(name: str, level: str) -> None:
            for _ in range(10):
                await pool.choose(level, 1, view, turn_ms(level, 1_500), lane=name)

        tables = [(f"m{number}", "master") for number in range(20)] + [("quick", "greedy")]
        await asyncio.gather(*(table(*one) for one in tables))
        masters = [ms for level, ms in given if level == "master"]
        assert len(masters) == 200
        # Two hundred turns alone would be five minutes; together they take what the rounds may, and the ends of them.
        assert sum(masters) <= 10 * 1_500 + 20 * 1_500
        assert [ms for level, ms in given if level == "greedy"] == [300] * 10
        last = max(number for number, (level, _) in enumerate(given) if level == "greedy")
        assert last < 100, "the quick table was done long before the masters"
        told = metrics.text().decode()
        assert 'buraco_bot_actions_total{level="master"} 200.0' in told
        assert f'buraco_bot_granted_ms_total{{level="master"}} {float(sum(masters))}' in told
        assert 'buraco_bot_shortened_total{level="master"}' in told
        assert 'buraco_bot_shortened_total{level="greedy"}' not in told
        pool.close()
        with pytest.raises(BotFailed):
            await pool.choose("greedy", 1, view, 10)
        assert 'buraco_bot_failures_total{code="bots_closed"} 1.0' in metrics.text().decode()

    run(case)


# Levels.


def test_who_plays_for_a_level_that_is_not_offered() -> None:
    assert offered_levels() == bot_levels()
    assert offered_levels(("greedy",)) == ("greedy",)
    assert offered_levels(("greedy", "random")) == ("random", "greedy")
    assert played_level("greedy", ("random", "greedy")) == "greedy"
    assert played_level("master", ("random", "greedy")) == "greedy"
    assert played_level("random", ("greedy",)) == "greedy"
    assert played_level("of another version", ("random", "greedy")) == "greedy"
    assert (usual_level(ALL), usual_level(("random", "greedy")), usual_level(("expert", "master"))) == (
        "club",
        "greedy",
        "master",
    )
    assert (hint_level(ALL), hint_level(("random", "greedy"))) == ("expert", "greedy")


@pytest.mark.parametrize(
    "level", ["", "GREEDY", "greedy ", "x" * 5000, "gréedy", "../greedy", "master\n", "\ud800", "0"]
)
def test_an_odd_level_is_refused_with_the_offered_ones(level: str) -> None:
    with pytest.raises(BuracoError) as caught:
        check_offered(level, ("random", "greedy"))
    assert caught.value.code == "unknown_bot"
    assert "random, greedy" in caught.value.message
    assert len(caught.value.message) < 300


@pytest.mark.parametrize(
    ("values", "part"),
    [
        ({"bot_levels": ("greedy", "grredy")}, "grredy"),
        (
            {"bot_levels": ("random",), "bot_level": "greedy"},
            "one of those that bot_levels names (random), not 'greedy'",
        ),
        ({"bot_ms": 0}, "bot_ms"),
    ],
)
def test_settings_that_cannot_be_are_refused(values: dict[str, object], part: str) -> None:
    with pytest.raises(BuracoError) as caught:
        Settings(**values)  # type: ignore[arg-type]
    assert caught.value.code == "setting"
    assert part in caught.value.message


async def refused_level(here: Club, level: str) -> str:
    with pytest.raises(ServerError) as caught:
        await here.service.create(someone("ana"), msg.TableOptions(rules="aberto", bot_level=level))
    return caught.value.code


def test_a_table_has_offered_levels_only(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, settings=replace(QUICK, bot_levels=("random",))) as here:
            for level in ("greedy", "master", "x"):
                assert await refused_level(here, level) == "options"
            table = await here.service.create(someone("ana"), msg.TableOptions(rules="aberto"))
            assert table.fold.options.bot_level == "random"
            ana = here.join(table, "ana")
            assert await ana.refused(msg.PutBot, seat=1, level="greedy") == "unknown_bot"
            await ana.done(msg.PutBot, seat=1, level="random")

    run(case)


def test_a_table_of_a_level_that_is_offered_no_longer_is_played_on(tmp_path: Path) -> None:
    async def case() -> None:
        asked: Counter[str] = Counter()

        def make(level: str, _: int) -> Bot:
            asked[level] += 1
            return Costly(level, [])

        async with club(tmp_path) as here:
            table, _ = await here.match_of("ana", rules="burraco", players=2, bot_level="greedy")
            name = table.table_id
        pool = BotPool(kind="inline", maker=make)
        async with club(tmp_path, bots=pool, settings=replace(QUICK, bot_levels=("random",))) as here:
            table = await here.service.get(name)
            ana = here.join(table, "ana")
            shown = table.snapshot(ana.principal).table
            assert (shown.bot_level, shown.seats[1].level) == ("random", "random")
            await table.settled()
            if table.fold.play is not None and table.fold.play.seat == 0:
                await ana.done(msg.Hint)
            assert set(asked) == {"random"}
            assert not any(isinstance(one.entry, log.Closed) for one in await here.service.store.log_of(name))

    run(case)


def test_the_same_hint_is_thought_about_once(tmp_path: Path) -> None:
    async def case() -> None:
        given: list[tuple[str, int]] = []

        def make(level: str, _: int) -> Bot:
            return Costly(level, given)

        pool = BotPool(kind="inline", maker=make)
        async with club(tmp_path, bots=pool) as here:
            _, (ana,) = await here.match_of("ana", rules="burraco", players=2)
            before = len(given)
            replies = [await ana.done(msg.Hint) for _ in range(3)]
            assert len(given) == before + 1
            assert given[-1] == (hint_level(bot_levels()), 300)
            assert len({repr(reply.result) for reply in replies}) == 1

    run(case)
