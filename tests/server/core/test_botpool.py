"""Bots off the event loop; one that raises, cheats, hangs or ends its process never stops a table."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from buraco.bots import Bot, Decision, Limit, make_bot
from buraco.engine import SeatView
from buraco.server import botpool
from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server.botpool import BotFailed, BotPool, end_executor
from buraco.server.timeouts import fallback_action
from tests.server.core.playing import club, play_match, run
from tests.unit.walking import host_of


class Strange:
    """A bot that does what its name says."""

    level = "strange"

    def __init__(self, how: str) -> None:
        self.how = how

    def choose(self, view: SeatView, limit: Limit) -> Decision:  # noqa: ARG002
        if self.how == "raises":
            raise RuntimeError("a fault of a bot")
        if self.how == "ends":
            os._exit(3)
        if self.how == "cheats":
            return Decision(22_000)
        return "nothing"  # type: ignore[return-value]


def strange_bot(level: str, seed: int) -> Bot:
    """Return a bot by the name of its fault, a real one otherwise."""
    return make_bot(level, seed) if level == "greedy" else Strange(level)


def view() -> SeatView:
    return host_of("aberto").view(0)


async def fails(pool: BotPool, level: str) -> str:
    with pytest.raises(BotFailed) as error:
        await pool.choose(level, 1, view(), 1_000)
    return error.value.code


def test_the_same_decision_wherever_it_is_taken() -> None:
    async def case() -> None:
        pools = [BotPool(workers=1, kind="process"), BotPool(kind="thread"), BotPool(kind="inline")]
        decisions = [await pool.choose("greedy", 7, view(), 1_000) for pool in pools]
        assert decisions[0] == decisions[1] == decisions[2] == make_bot("greedy", 7).choose(view(), Limit())
        for pool in pools:
            pool.close()
            assert await fails(pool, "greedy") == "bots_closed"

    run(case)


@pytest.mark.parametrize("kind", ["thread", "inline"])
def test_a_bot_that_fails_is_an_error_with_a_code(kind: str) -> None:
    async def case() -> None:
        pool = BotPool(kind=kind, maker=strange_bot)  # type: ignore[arg-type]
        assert await fails(pool, "raises") == "bot_raised"
        assert await fails(pool, "cheats") == "bot_illegal"
        assert await fails(pool, "odd") == "bot_illegal"
        assert (await pool.choose("greedy", 1, view(), 1_000)).action in view().legal
        pool.close()

    run(case)


def test_a_bot_that_ends_its_process_is_replaced() -> None:
    async def case() -> None:
        pool = BotPool(workers=1, kind="process", maker=strange_bot)
        assert await fails(pool, "ends") == "bot_raised"
        assert (await pool.choose("greedy", 1, view(), 1_000)).action in view().legal
        pool.close()

    run(case)


def test_bots_that_fail_together_do_not_end_the_workers_that_came_since(monkeypatch: pytest.MonkeyPatch) -> None:
    async def case() -> None:
        made: list[ThreadPoolExecutor] = []
        gates = {"first": threading.Event(), "second": threading.Event()}

        class Counted(ThreadPoolExecutor):
            def __init__(self, *args: Any, **options: Any) -> None:
                super().__init__(*args, **options)
                made.append(self)

        class Ending(Strange):
            def choose(self, view: SeatView, limit: Limit) -> Decision:
                if self.how not in gates:
                    return make_bot("greedy", 1).choose(view, limit)
                gates[self.how].wait()
                raise BrokenExecutor("as where a worker was ended")

        monkeypatch.setattr(botpool, "ThreadPoolExecutor", Counted)
        pool = BotPool(workers=2, kind="thread", maker=lambda level, _: Ending(level))
        both = [asyncio.create_task(fails(pool, name)) for name in gates]
        while pool.thinking < 2:
            await asyncio.sleep(0)
        for name, task in zip(gates, both, strict=True):
            gates[name].set()
            assert await task == "bot_raised"
            assert (await pool.choose("greedy", 1, view(), 1_000)).action in view().legal
        assert len(made) == 2
        pool.close()

    run(case)


def test_a_bot_whose_workers_were_given_up_before_it_began_fails_as_others_do() -> None:
    async def case() -> None:
        class Ended(BotPool):
            def _running(self) -> Executor:
                executor = ThreadPoolExecutor(1)
                hold = threading.Event()
                executor.submit(hold.wait)
                loop = asyncio.get_running_loop()
                loop.call_soon(end_executor, executor)
                loop.call_soon(hold.set)
                return executor

        assert await fails(Ended(kind="thread"), "greedy") == "bot_raised"

    run(case)


def test_a_bot_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def case() -> None:
        let_go = threading.Event()

        class Hanging(Strange):
            def choose(self, view: SeatView, limit: Limit) -> Decision:
                let_go.wait()
                return super().choose(view, limit)

        monkeypatch.setattr(botpool, "_GRACE_MS", 10)
        monkeypatch.setattr(botpool, "_START_MS", 10)
        pool = BotPool(workers=1, kind="thread", maker=lambda level, _: Hanging(level))
        assert await fails(pool, "hangs") == "bot_late"
        let_go.set()
        pool.close()

    async def fails(pool: BotPool, level: str) -> str:
        with pytest.raises(BotFailed) as error:
            await pool.choose(level, 1, view(), 10)
        return error.value.code

    run(case)


def test_no_more_bots_think_at_once_than_are_allowed() -> None:
    async def case() -> None:
        lock, thinking, most, gate = threading.Lock(), [0], [0], threading.Barrier(2, timeout=60)

        class Counting(Strange):
            def choose(self, view: SeatView, limit: Limit) -> Decision:  # noqa: ARG002
                with lock:
                    thinking[0] += 1
                    most[0] = max(most[0], thinking[0])
                gate.wait()
                with lock:
                    thinking[0] -= 1
                return Decision(view.legal[0])

        pool = BotPool(workers=2, kind="thread", maker=lambda level, _: Counting(level))
        await asyncio.gather(*(pool.choose("x", 1, view(), 60_000) for _ in range(6)))
        assert most == [2]
        pool.close()

    run(case)


def test_too_many_waiting_bots_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def case() -> None:
        monkeypatch.setattr(botpool, "_WAITING_PER_WORKER", 0)
        assert await fails(BotPool(kind="inline"), "greedy") == "bots_busy"

    run(case)


def test_a_table_goes_on_when_its_bot_raises(tmp_path: Path) -> None:
    async def case() -> None:
        pool = BotPool(kind="inline", maker=lambda level, _: Strange("raises") if level else make_bot(level))
        async with club(tmp_path, bots=pool) as here:
            table, people = await here.match_of("ana", rules="burraco", players=2, deal_count=1)
            import random

            await play_match(here, table, people, random.Random(1))
            assert table.fold.result is not None
            assert table.fold.result.kind == "played"
            assert await here.service.store.has_result(table.table_id, 1)

    run(case)


def test_the_fall_back_of_a_bot_is_the_stated_one(tmp_path: Path) -> None:
    async def case() -> None:
        pool = BotPool(kind="inline", maker=lambda *_: Strange("cheats"))
        async with club(tmp_path, bots=pool) as here:
            table, (ana,) = await here.match_of("ana", rules="burraco", players=2)
            entries = [one.entry for one in await here.service.store.log_of(table.table_id)]
            acts = [entry for entry in entries if isinstance(entry, log.Acted)]
            host = host_of("burraco", 2)
            assert fallback_action(host.view(0)) == 0
            if acts:
                assert (acts[0].action, acts[0].seat) == (0, 1)
            assert await ana.refused(msg.Hint) in ("hint_failed", "not_your_turn")

    run(case)


def test_a_hint_says_what_a_bot_would_do_and_why(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana,) = await here.match_of("ana", rules="burraco", players=2)
            assert table.snapshot(ana.principal).you.may_hint
            reply = await ana.done(msg.Hint)
            host = table.fold.host
            assert host is not None
            assert isinstance(reply.result, msg.HintResult)
            assert reply.result.action in host.view(0).legal
            assert reply.result.reasons
            assert all(reason.text for reason in reply.result.reasons)
            replies = await asyncio.gather(ana.say(msg.Hint), ana.say(msg.Hint))
            assert all(isinstance(one, msg.Ack) for one in replies)

    run(case)


def test_a_question_that_comes_again_while_it_is_thought_about_gets_the_same_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana,) = await here.match_of("ana", rules="burraco", players=2)
            honest, go_on, asked = table._bots.hint, asyncio.Event(), []

            async def slow(level: str, seat: int, view: SeatView) -> Decision:
                asked.append(seat)
                await go_on.wait()
                return await honest(level, seat, view)

            monkeypatch.setattr(table._answers._questions, "_choose", slow)
            questions = [asyncio.create_task(ana.say(msg.Hint, message_id="same")) for _ in range(3)]
            questions.append(asyncio.create_task(ana.say(msg.Hint, message_id="other")))
            while not questions[3].done():
                await asyncio.sleep(0)
            go_on.set()
            first, second, third, other = await asyncio.gather(*questions)
            assert isinstance(first, msg.Ack)
            assert first == second == third
            assert asked == [0]
            assert isinstance(other, msg.Refused)
            assert other.code == "busy"

    run(case)


def test_hints_are_for_those_who_play_with_bots_only_unless_the_table_says_so(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2)
            assert await people[0].refused(msg.Hint) == "hints_off"
            assert not table.snapshot(people[0].principal).you.may_hint
            _, others = await here.match_of("cid", "dan", rules="burraco", players=2, hints=True)
            codes = {type(await other.say(msg.Hint)).__name__ for other in others}
            assert codes == {"Ack", "Refused"}
            _, (eve,) = await here.match_of("eve", rules="burraco", players=2, hints=False)
            assert await eve.refused(msg.Hint) == "hints_off"

    run(case)
