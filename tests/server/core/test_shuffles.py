"""Every deal of a table is shuffled fairly: commitment first, then the players' seeds, the server's at the end."""

from __future__ import annotations

import json
import random
from pathlib import Path

from buraco.engine import ordered_pack
from buraco.engine.fair import PUBLIC_SEED, commitment_of
from buraco.notation import record_from_json
from buraco.notation.verify import verify
from buraco.server import messages as msg
from buraco.server import table_events as told
from buraco.server.archive import Archive
from buraco.server.terms import TableSettings
from tests.server.core.playing import Player, club, play_on, run

WAIT_MS = 2_000
WAITING = TableSettings(bot_pause_ms=0, seed_wait_ms=WAIT_MS)


def events_of(player: Player) -> list[msg.Event]:
    """Return every event that somebody has been told."""
    player.take()
    return [event for message in player.seen if isinstance(message, msg.Update) for event in message.events]


def test_seeds_are_taken_after_the_commitment_and_the_deal_does_not_wait_longer(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, WAITING) as here:
            table, (ana, bob) = await here.match_of("ana", "bob")
            fair = table.snapshot(ana.principal).table.fair
            assert fair is not None
            assert (fair.deal, fair.seeds_from, fair.until_ms) == (1, (), here.clock.now_ms() + WAIT_MS)
            assert await ana.refused(msg.Seed, deal=2, seed="ab" * 32) == "no_seed_wanted"
            assert await ana.refused(msg.Seed, deal=1, seed=PUBLIC_SEED.hex()) == "public_seed"
            assert await ana.refused(msg.Seed, deal=1, seed="ab" * 32, cut_aim=20) == "not_cutter"
            await ana.done(msg.Seed, deal=1, seed="ab" * 32)
            assert await ana.refused(msg.Seed, deal=1, seed="cd" * 32) == "seed_given"
            assert table.fold.phase == "shuffling"
            await bob.done(msg.Seed, deal=1, seed="cd" * 32)
            assert table.fold.phase == "playing"
            assert await bob.refused(msg.Seed, deal=1, seed="ef" * 32) == "no_seed_wanted"
            order = [type(event).__name__ for event in events_of(ana)]
            places = [order.index(name) for name in ("SeedCommitted", "SeedGiven", "SeedsClosed", "DealStarted")]
            assert places == sorted(places)
            closed = next(event for event in events_of(bob) if isinstance(event, told.SeedsClosed))
            assert closed.player_seeds == ("ab" * 32, "cd" * 32, "", "")

    run(case)


def test_a_silent_client_is_waited_for_a_stated_time(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, WAITING) as here:
            table, _ = await here.match_of("ana", "bob")
            await here.turn(WAIT_MS - 1)
            assert table.fold.phase == "shuffling"
            await here.turn(1)
            assert table.fold.phase == "playing"

    run(case)


def test_nobody_waits_for_who_is_played_by_a_bot(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, WAITING) as here:
            table, (ana, bob) = await here.match_of("ana", "bob")
            await bob.done(msg.Leave)
            await ana.done(msg.Seed, deal=1, seed="ab" * 32)
            assert table.fold.phase == "playing"

    run(case)


def test_the_seed_is_revealed_at_the_end_and_the_record_proves_the_cards(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, WAITING) as here:
            table, people = await here.match_of("ana", "bob", rules="classico", target_points=0, deal_count=2)
            source = random.Random(2)
            for deal in (1, 2):
                fair = table.snapshot(people[0].principal).table.fair
                assert fair is not None
                for player in people:
                    aim = 5 if fair.cutter == player.seat else None
                    await player.done(msg.Seed, deal=deal, seed=f"{deal}{player.seat}" * 32, cut_aim=aim)
                while table.fold.phase == "playing":
                    await play_on(table, people, source)
                if table.fold.phase == "between":
                    for player in people:
                        await player.done(msg.Ready)
            events = events_of(people[1])
            committed = [event for event in events if isinstance(event, told.SeedCommitted)]
            revealed = [event for event in events if isinstance(event, told.SeedRevealed)]
            name = f"{table.table_id}/1"
            for early, late in zip(committed, revealed, strict=True):
                assert early.commitment == late.commitment
                assert commitment_of(bytes.fromhex(late.seed), name, late.deal).hex() == early.commitment
                assert late.player_seeds[0] == f"{late.deal}0" * 32
            text = await Archive(here.service.store.engine).record(table.table_id, 1)
            record = record_from_json(json.loads(text or ""))
            assert verify(record) == ()
            assert [deal.commitment for deal in record.deals] == [one.commitment for one in committed]

    run(case)


def test_the_cutter_of_a_later_deal_may_say_how_it_cuts(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, WAITING) as here:
            rules = {"base": "burraco", "name": "house", "cut_bonus": 100, "cut_bonus_count": 22}
            table, people = await here.match_of("ana", "bob", players=2, deal_count=3, rules=rules)
            assert table.snapshot(people[0].principal).table.fair is not None
            most = table.snapshot(people[0].principal).table.cut_max
            assert most == len(ordered_pack(table.fold.rules)) - 1
            await here.turn(WAIT_MS)
            source = random.Random(table.version)
            while table.fold.phase == "playing":
                await play_on(table, people, source)
            for player in people:
                await player.done(msg.Ready)
            fair = table.snapshot(people[0].principal).table.fair
            assert fair is not None
            cutter = fair.cutter
            assert cutter is not None
            other = people[1 - cutter]
            assert await other.refused(msg.Seed, deal=2, seed="ab" * 32, cut_aim=9) == "not_cutter"
            assert await people[cutter].refused(msg.Seed, deal=2, seed="ab" * 32, cut_aim=most + 1) == "cut_range"
            await people[cutter].done(msg.Seed, deal=2, seed="ab" * 32, cut_aim=9)
            await here.turn(WAIT_MS)
            assert table.fold.play is not None
            cut = table.fold.play.starts[1].cut
            assert cut is not None
            assert (cut.seat, cut.aim) == (cutter, 9)
            closed = [event for event in events_of(other) if isinstance(event, told.SeedsClosed)]
            assert [event.cut_aim for event in closed] == [None, 9]

    run(case)
