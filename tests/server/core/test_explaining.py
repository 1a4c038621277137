"""Why a bot did it: told with reasons and alternatives, of other seats only when the deal is over."""

from __future__ import annotations

import random
from collections import OrderedDict
from pathlib import Path
from typing import Any

from buraco.bots import Alternative, Bot, Decision, Reason
from buraco.engine import SeatView
from buraco.notation import parse_action
from buraco.server import messages as msg
from buraco.server.botpool import BotPool
from buraco.server.explaining import THOUGHTS_MAX, Thoughts
from buraco.texts import text
from tests.server.core.playing import Player, club, play_on, run

TABLED = ("meld_laid", "card_added", "discarded", "drew", "pile_taken")


class Telling(BotPool):
    """Bots that say what they hold."""

    def __init__(self) -> None:
        super().__init__(kind="inline")

    async def choose(self, level: str, seed: int, view: SeatView, ms: int, lane: str = "") -> Decision:
        made = await super().choose(level, seed, view, ms, lane)
        reasons = (Reason("gains_points", (("points", sum(view.hand)),)),)
        others = tuple(Alternative(action, -1.5) for action in view.legal[:2] if action != made.action)
        return Decision(made.action, reasons, 7.0, others)


def moves(player: Player, deal: int) -> dict[int, tuple[int, str]]:
    """Return the seat and the kind of event of every action of a deal that somebody has seen, by version."""
    found: dict[int, tuple[int, str]] = {}
    number = 0
    for message in player.seen:
        for event in getattr(message, "events", ()):
            kind = event.__struct_config__.tag
            number += kind == "deal_started"
            if kind in TABLED and number == deal and isinstance(message, msg.Update):
                found.setdefault(message.version, (event.seat, kind))
    return found


async def play_deal(table: Any, ana: Player) -> None:
    while table.fold.phase == "playing":
        await play_on(table, [ana], random.Random(3))


async def asked(player: Player, at: int) -> msg.ExplainResult:
    reply = await player.done(msg.Explain, at=at)
    assert isinstance(reply.result, msg.ExplainResult)
    return reply.result


def test_other_seats_are_explained_when_the_deal_is_over_and_not_before(tmp_path: Path) -> None:
    async def test() -> None:
        async with club(tmp_path, bots=Telling()) as here:
            table, (ana,) = await here.match_of("Ana", hints=True, bot_level="greedy")
            for _ in range(12):
                await play_on(table, [ana], random.Random(3))
            ana.take()
            played = moves(ana, 1)
            assert {seat for seat, _ in played.values()} == {0, 1, 2, 3}
            # Not even whether there is something to tell.
            assert {await ana.refused(msg.Explain, at=at) for at in played} == {"not_yet"}
            await play_deal(table, ana)
            ana.take()
            told = {at: await asked(ana, at) for at, (seat, _) in played.items() if seat != 0}
            assert {at: one.seat for at, one in told.items()} == {at: played[at][0] for at in told}
            for one in told.values():
                assert one.action == parse_action(one.text)
                assert (one.level, one.evaluation) == ("greedy", 7.0)
                assert [reason.code for reason in one.reasons] == ["gains_points"]
                assert str(one.reasons[0].values["points"]) in one.reasons[0].text
                assert all((parse_action(o.text), o.evaluation) == (o.action, -1.5) for o in one.alternatives)
            own = next(at for at, (seat, _) in played.items() if seat == 0)
            assert await ana.refused(msg.Explain, at=own) == "not_known"
            assert await ana.refused(msg.Explain, at=1) == "not_known"

    run(test)


def test_who_has_no_seat_asks_in_vain(tmp_path: Path) -> None:
    async def test() -> None:
        async with club(tmp_path, bots=Telling()) as here:
            table, (ana,) = await here.match_of("Ana", bot_level="greedy")
            eve = here.join(table, "Eve")
            await play_deal(table, ana)
            ana.take()
            at = next(at for at, (seat, _) in moves(ana, 1).items() if seat != 0)
            assert await eve.refused(msg.Explain, at=at) == "not_seated"

    run(test)


def test_the_bot_of_ones_own_seat_explains_itself_at_once_and_to_nobody_else(tmp_path: Path) -> None:
    async def test() -> None:
        async with club(tmp_path, bots=Telling()) as here:
            table, (ana, bo) = await here.match_of("Ana", "Bo", bot_level="greedy")
            await ana.done(msg.Leave)
            for _ in range(8):
                await play_on(table, [bo], random.Random(3))
            assert table.fold.phase == "playing"
            bo.take()
            acted = [at for at, (seat, _) in moves(bo, 1).items() if seat == 0]
            for at in acted:
                assert (await asked(ana, at)).seat == 0
                assert await bo.refused(msg.Explain, at=at) == "not_yet"
            # Bots of the other side acted too, and nobody is told why.
            others = [at for at, (seat, _) in moves(bo, 1).items() if seat not in (0, 1)]
            assert {await ana.refused(msg.Explain, at=at) for at in others} == {"not_yet"}
            assert acted

    run(test)


def test_a_deal_that_is_given_up_is_over(tmp_path: Path) -> None:
    async def test() -> None:
        async with club(tmp_path, bots=Telling()) as here:
            table, (ana,) = await here.match_of("Ana", bot_level="greedy")
            for _ in range(8):
                await play_on(table, [ana], random.Random(3))
            ana.take()
            at = next(at for at, (seat, _) in moves(ana, 1).items() if seat != 0)
            assert await ana.refused(msg.Explain, at=at) == "not_yet"
            await ana.done(msg.Resign)
            assert (await asked(ana, at)).seat != 0

    run(test)


def test_what_a_bot_that_failed_did_has_no_reason(tmp_path: Path) -> None:
    def no_bot(level: str, seed: int) -> Bot:
        raise ValueError(level, seed)

    async def test() -> None:
        async with club(tmp_path, bots=BotPool(kind="inline", maker=no_bot)) as here:
            table, (ana,) = await here.match_of("Ana", bot_level="greedy")
            await play_deal(table, ana)
            ana.take()
            at = next(at for at, (seat, _) in moves(ana, 1).items() if seat != 0)
            told = await asked(ana, at)
            assert (told.reasons, told.evaluation, told.alternatives) == ((), None, ())

    run(test)


def test_a_hint_names_what_else_was_weighed(tmp_path: Path) -> None:
    async def test() -> None:
        async with club(tmp_path, bots=Telling()) as here:
            table, (ana,) = await here.match_of("Ana", bot_level="greedy")
            while table.fold.host is None or table.fold.host.seat != 0:
                await here.turn(1000)
            reply = await ana.done(msg.Hint)
            assert isinstance(reply.result, msg.HintResult)
            assert all((parse_action(o.text), o.evaluation) == (o.action, -1.5) for o in reply.result.alternatives)
            assert reply.result.alternatives

    run(test)


def test_only_so_many_decisions_are_kept(tmp_path: Path) -> None:
    async def test() -> None:
        async with club(tmp_path) as here:
            table, _ = await here.match_of("Ana", bot_level="greedy")
            thoughts, fold = Thoughts(), table.fold
            version = fold.version
            for number in range(THOUGHTS_MAX + 5):
                fold.version = version + number
                thoughts.add(fold, 1, "greedy", Decision(0))
            fold.version = version
            assert len(thoughts) == THOUGHTS_MAX

    run(test)


def test_where_another_server_may_know_it_that_is_said(tmp_path: Path) -> None:
    async def test() -> None:
        async with club(tmp_path, bots=Telling()) as here:
            table, (ana,) = await here.match_of("Ana", bot_level="greedy")
            await play_deal(table, ana)
            ana.take()
            bots = {seat: at for at, (seat, _) in moves(ana, 1).items() if seat != 0}
            assert (await asked(ana, bots[1])).seat == 1
            # As this server is one of several, and another one asked the bots until now.
            table._thoughts._several, table._thoughts._kept = True, OrderedDict()
            for at in bots.values():
                reply = await ana.say(msg.Explain, at=at)
                assert isinstance(reply, msg.Refused)
                assert (reply.code, reply.text) == ("not_known_here", text("table.not_known_here"))

    run(test)
