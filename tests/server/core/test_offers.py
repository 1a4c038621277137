"""Resigning, draws, and how a match that is not played to its end is settled."""

from __future__ import annotations

import json
import random
from pathlib import Path

from buraco.notation import record_from_json, replay
from buraco.notation.verify import verify
from buraco.server import messages as msg
from buraco.server.archive import Archive
from buraco.server.shown import Offers
from buraco.server.terms import TableSettings
from tests.server.core.playing import Player, club, play_on, run


def offers(player: Player) -> Offers:
    return player.table.snapshot(player.principal).table.offers


def test_a_person_alone_on_a_side_resigns_at_once(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            for _ in range(6):
                await play_on(table, [ana, bob], random.Random(1))
            await bob.done(msg.Resign)
            result = table.fold.result
            assert result is not None
            assert (result.kind, result.winner, result.match) == ("resigned", 0, 1)
            text = await Archive(here.service.store.engine).record(table.table_id, 1)
            record = record_from_json(json.loads(text or ""))
            assert dict(record.tags) | {"table": ""} == {
                "table": "",
                "match": "1",
                "result": "resigned",
                "won_by": "side 0",
            }
            assert record.deals[-1].outcome is None
            assert list(replay(record))
            assert not [finding for finding in verify(record) if finding.fault]

    run(case)


def test_partners_resign_together(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob, cid) = await here.match_of("ana", "bob", "cid", seats=(0, 1, 2))
            await ana.done(msg.Resign)
            assert await ana.refused(msg.Resign) == "no_change"
            assert offers(bob).resign == (0,)
            assert offers(bob).resign_asked == ((0, 2), (1,))
            await ana.done(msg.Resign, agree=False)
            assert offers(bob).resign == ()
            await cid.done(msg.Resign)
            await bob.done(msg.Leave)
            assert table.fold.phase == "playing"
            await ana.done(msg.Resign)
            assert table.fold.result is not None
            assert (table.fold.result.kind, table.fold.result.winner) == ("resigned", 1)

    run(case)


def test_a_partner_who_is_gone_need_not_agree(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, _, cid) = await here.match_of("ana", "bob", "cid", seats=(0, 1, 2))
            await cid.done(msg.Resign)
            await cid.done(msg.Leave)
            assert offers(ana).resign == ()
            assert offers(ana).resign_asked == ((0,), (1,))
            assert await cid.refused(msg.Resign) == "bot_plays"
            await ana.done(msg.Resign)
            assert table.fold.result is not None
            assert table.fold.result.winner == 1

    run(case)


def test_a_draw_needs_everyone(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob, cid) = await here.match_of("ana", "bob", "cid", seats=(0, 1, 2))
            await ana.done(msg.Draw)
            await cid.done(msg.Draw)
            await cid.done(msg.Draw, agree=False)
            assert await cid.refused(msg.Draw, agree=False) == "no_change"
            await bob.done(msg.Draw)
            assert offers(ana).draw == (0, 1)
            assert (offers(ana).draw_asked, offers(ana).rematch_asked) == ((0, 1, 2), ())
            await cid.done(msg.Draw)
            result = table.fold.result
            assert result is not None
            assert (result.kind, result.winner) == ("agreed", None)

    run(case)


def test_nobody_gets_a_draw_while_another_is_away(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            bob.subscription.close()
            await here.turn(30_000)
            assert table.fold.seats[1].cause == "away"
            assert (offers(ana).draw_asked, offers(ana).resign_asked) == ((0, 1), ((0,), ()))
            await ana.done(msg.Draw)
            assert table.fold.running
            again = here.join(table, "bob")
            await table.settled()
            await again.done(msg.Draw)
            assert table.fold.result is not None
            assert table.fold.result.kind == "agreed"

    run(case)


def test_who_left_for_good_is_not_asked_for_a_draw(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            await bob.done(msg.Leave)
            assert offers(ana).draw_asked == (0,)
            await ana.done(msg.Draw)
            assert (offers(ana).draw_asked, offers(ana).resign_asked) == ((), ((), ()))
            assert offers(ana).rematch_asked == (0,)
            assert table.fold.result is not None
            assert table.fold.result.kind == "agreed"

    run(case)


def test_offers_end_with_the_deal(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2)
            await people[0].done(msg.Draw)
            while table.fold.phase == "playing":
                await play_on(table, people, random.Random(table.version))
            assert offers(people[1]).draw == ()
            await people[1].done(msg.Resign)
            result = table.fold.result
            assert result is not None
            assert result.totals == table.fold.host.totals if table.fold.host else False

    run(case)


def test_a_match_given_up_before_its_first_card_has_no_record(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, TableSettings(seed_wait_ms=5_000)) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            assert table.fold.phase == "shuffling"
            seen = [event for message in ana.take() if isinstance(message, msg.Update) for event in message.events]
            await bob.done(msg.Resign)
            assert table.fold.phase == "finished"
            told = [event for message in ana.take() if isinstance(message, msg.Update) for event in message.events]
            committed = next(event for event in seen if type(event).__name__ == "SeedCommitted")
            revealed = next(event for event in told if type(event).__name__ == "SeedRevealed")
            assert committed.commitment == revealed.commitment  # type: ignore[union-attr]
            assert not await here.service.store.has_result(table.table_id, 1)

    run(case)
