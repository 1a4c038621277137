"""The cases of a table server that are known to go wrong, by their ids."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server.options import ClockOptions
from buraco.server.subscriptions import Subscription
from buraco.server.table import Table
from buraco.server.terms import Principal
from buraco.server.timeouts import fallback_action
from tests.server.core.playing import Club, Player, club, play_on, run, someone

# S1 has files of its own: test_case_s1.py, and test_leaks.py for worlds that nobody can tell apart.


def test_s2_of_a_closed_pile_the_top_and_the_size_are_told(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="fechado", players=2, deal_count=1)
            source, deepest = random.Random(1), 0
            watcher = someone("watcher")
            while await play_on(table, [ana, bob], source):
                for principal in (ana.principal, bob.principal, watcher):
                    view = table.snapshot(principal).view
                    if view is not None:
                        # While a top card has to be used it is in the hand, and the rest lies face down.
                        taken = view.top_card is not None or view.rest_waits
                        assert len(view.pile) == (0 if taken else min(1, view.pile_count))
                        deepest = max(deepest, view.pile_count)
            assert deepest > 3

    run(case)


def test_s3_an_action_needs_the_own_token(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            host = table.fold.host
            assert host is not None
            to_act, other = (ana, bob) if host.seat == 0 else (bob, ana)
            action = host.view(host.seat).legal[0]
            assert await other.refused(msg.Act, action=action) == "not_your_turn"
            stranger = here.join(table, "eve")
            assert await stranger.refused(msg.Act, action=action) == "not_seated"
            thief = Player(table, Principal("other-token", to_act.principal.name), stranger.subscription)
            assert await thief.refused(msg.Act, action=action) == "not_seated"
            await to_act.done(msg.Act, action=action)

    run(case)


def test_s4_of_two_who_take_a_seat_at_once_one_gets_it(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, _ = await here.table_of("ana")
            bob, cid = here.join(table, "bob"), here.join(table, "cid")
            replies = await asyncio.gather(bob.say(msg.Sit, seat=2), cid.say(msg.Sit, seat=2))
            assert [type(reply) for reply in replies] == [msg.Ack, msg.Refused]
            assert isinstance(replies[1], msg.Refused)
            assert replies[1].code == "seat_taken"
            assert (bob.seat, cid.seat) == (2, None)

    run(case)


def test_s5_a_dropped_player_returns_to_the_seat_at_any_time(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", seats=(0, 1))
            hand = table.snapshot(bob.principal).view
            assert hand is not None
            bob.subscription.close()
            await here.turn(3_600_000)
            assert table.fold.seats[1].cause == "away"
            again = here.join(table, "bob")
            await table.settled()
            assert table.fold.seats[1].cause == ""
            first = again.take()[0]
            assert isinstance(first, msg.Snapshot)
            assert first.you.seat == 1
            assert first.view is not None
            assert first.view.hands[1] is not None
            assert ana.seat == 0

    run(case)


def test_s6_a_name_gives_nobody_a_seat(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana,) = await here.match_of("ana")
            double = Principal("another-token", ana.principal.name)
            subscription = table.subscribe(double)
            snapshot = subscription.next_now()
            assert isinstance(snapshot, msg.Snapshot)
            assert snapshot.you.seat is None
            assert snapshot.view is not None
            assert all(hand is None for hand in snapshot.view.hands)
            await ana.done(msg.Leave)
            reply = await table.handle(double, msg.TakeBack(id="1", version=table.version))
            assert isinstance(reply, msg.Refused)
            assert reply.code == "not_seated"

    run(case)


def test_s8_who_leaves_is_played_by_a_bot_and_may_come_back(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", seats=(0, 1), rules="burraco", deal_count=1)
            await bob.done(msg.Leave)
            assert table.fold.seats[1].cause == "left"
            assert await bob.refused(msg.Leave) == "no_change"
            assert await bob.refused(msg.Act, action=0) == "bot_plays"
            for _ in range(6):
                await play_on(table, [ana], random.Random(1))
            await bob.done(msg.TakeBack)
            assert table.fold.seats[1].cause == ""
            assert await bob.refused(msg.TakeBack) == "no_change"
            assert bob.seat == 1

    run(case)


def test_s10_a_time_out_does_the_same_thing_every_time(tmp_path: Path) -> None:
    async def late(path: Path) -> list[log.Entry]:
        path.mkdir()
        async with club(path) as here:
            clock = ClockOptions(kind="turn", turn_ms=10_000)
            table, (_, bob) = await here.match_of("ana", "bob", rules="burraco", players=2, clock=clock)
            host = table.fold.host
            assert host is not None
            seat = host.seat
            assert seat is not None
            expected = fallback_action(host.view(seat))
            await here.turn(9_999)
            assert host.seat == seat
            await here.turn(1)
            entries = [one.entry for one in await here.service.store.log_of(table.table_id)]
            acts = [entry for entry in entries if isinstance(entry, log.Acted)]
            assert acts[0] == log.Acted(seat=seat, action=expected, timed_out=True)
            assert host.seat == 1 - seat
            assert bob.seat == 1
            return entries

    async def case() -> None:
        assert await late(tmp_path / "one") == await late(tmp_path / "two")

    run(case)


async def _gone(here: Club, table: Table, player: Player) -> None:
    player.subscription.close()
    await here.turn(30_000 + 300_000)
    assert table.fold.seats[player.seat or 0].cause == "away"


def test_s11_resigning_and_forfeiting_together_settle_once(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            await _gone(here, table, bob)
            replies = await asyncio.gather(
                ana.say(msg.ClaimForfeit), ana.say(msg.Resign), ana.say(msg.ClaimForfeit), ana.say(msg.Draw)
            )
            assert [type(reply) for reply in replies] == [msg.Ack, msg.Refused, msg.Refused, msg.Refused]
            assert [reply.code for reply in replies if isinstance(reply, msg.Refused)] == ["stale_version"] * 3
            assert await ana.refused(msg.Resign) == "match_over"
            result = table.fold.result
            assert result is not None
            assert (result.kind, result.winner) == ("forfeited", 0)
            assert len(table.fold.results) == 1
            assert await here.service.store.has_result(table.table_id, 1)

    run(case)


def test_s12_a_stale_or_repeated_move_has_no_effect(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            host = table.fold.host
            assert host is not None
            player = ana if host.seat == 0 else bob
            version = table.version
            first = await player.done(msg.Act, action=0, message_id="draw")
            after = table.version
            assert await player.say(msg.Act, action=0, message_id="draw", version=version) == first
            assert await player.say(msg.Act, action=5, message_id="draw") == first
            assert table.version == after
            legal = host.view(host.seat).legal
            assert await player.refused(msg.Act, action=legal[0], version=version) == "stale_version"
            assert await player.refused(msg.Act, action=legal[0], version=after + 1) == "future_version"
            refused = await player.say(msg.Act, action=legal[0], version=version, message_id="old")
            assert await player.say(msg.Act, action=legal[0], message_id="old") == refused

    run(case)


def test_s12_what_others_say_does_not_make_a_move_stale(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            host = table.fold.host
            assert host is not None
            player, other = (ana, bob) if host.seat == 0 else (bob, ana)
            version = table.version
            await other.done(msg.Chat, text="hello")
            await player.done(msg.Act, action=0, version=version)

    run(case)


def follow(subscription: Subscription) -> list[msg.ServerMessage]:
    found = []
    while (message := subscription.next_now()) is not None:
        found.append(message)
    return found


def test_s13_who_returns_gets_a_snapshot_and_then_what_happens_in_order(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            source = random.Random(4)
            for _ in range(10):
                await play_on(table, [ana, bob], source)
            ana.subscription.close()
            seen = table.version
            for player in (bob,):
                if table.fold.host is not None and table.fold.host.seat == 1:
                    await play_on(table, [player], source)
            fresh = table.subscribe(ana.principal)
            first, second = follow(fresh)[:2]
            assert isinstance(first, msg.Snapshot)
            assert isinstance(second, msg.Presence)
            again = Player(table, ana.principal, fresh)
            for _ in range(5):
                await play_on(table, [again, bob], source)
            updates = [one for one in again.seen if isinstance(one, msg.Update)]
            assert [one.version for one in updates] == list(range(first.version + 1, table.version + 1))
            resumed = [one for one in follow(table.subscribe(ana.principal, seen)) if isinstance(one, msg.Update)]
            assert [one.version for one in resumed] == list(range(seen + 1, table.version + 1))
            assert [one.events for one in resumed][-len(updates) :] == [one.events for one in updates]
            assert resumed[-1].view == table.snapshot(ana.principal).view
            assert all(one.view is None for one in resumed[:-1])

    run(case)
