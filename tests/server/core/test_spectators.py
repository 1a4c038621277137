"""Who watches sees the public view only, where the table wants it some time later, or not at all."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from buraco.server import messages as msg
from buraco.server.terms import CLOSE_NOT_ALLOWED, ServerError, TableSettings
from tests.server.core.playing import club, play_on, run, someone, updates

DELAY_MS = 60_000
SLOW = TableSettings(bot_pause_ms=0, seed_wait_ms=0, spectator_delay_ms=DELAY_MS)


def test_a_spectator_sees_no_hand_and_may_do_nothing(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2)
            eve = here.join(table, "eve")
            source = random.Random(1)
            for _ in range(30):
                await play_on(table, people, source)
            told = updates(eve)
            assert len(told) >= 30
            views = [one.view for one in told if one.view is not None]
            assert views
            assert all(view.hands == (None, None) and view.legal is None for view in views)
            kinds = {type(event).__name__ for one in told for event in one.events}
            assert not kinds & {"CardDrawn", "HandDealt", "MortoSeen", "PileRestSeen"}
            assert "Drew" in kinds
            assert table.version == told[-1].version
            assert await eve.refused(msg.Leave) == "not_seated"

    run(case)


def test_where_spectators_are_not_allowed_a_match_is_for_its_players(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana,) = await here.table_of("ana", spectators=False)
            eve = here.join(table, "eve")
            assert isinstance(eve.take()[0], msg.Snapshot)
            await ana.done(msg.Start)
            assert eve.rest().code == CLOSE_NOT_ALLOWED
            for ask in (table.subscribe, table.snapshot):
                with pytest.raises(ServerError) as error:
                    ask(someone("eve"))
                assert error.value.code == "not_allowed"
            assert here.join(table, "ana").take()

    run(case)


def test_with_a_delay_spectators_see_the_match_as_it_was(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, SLOW) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2)
            eve = here.join(table, "eve")
            source = random.Random(1)
            first = eve.take()[0]
            assert isinstance(first, msg.Snapshot)
            assert first.table.phase == "shuffling"
            assert first.view is None
            begun = first.version
            views = {}
            for _ in range(12):
                await play_on(table, people, source)
                views[table.version] = table.snapshot(someone("nobody")).version
                await here.turn(1_000)
            assert set(views.values()) == {begun}
            assert not updates(eve)
            assert table.snapshot(someone("fay")).version == begun
            await here.turn(DELAY_MS - 6_500)
            seen = updates(eve)
            assert seen[0].version == begun + 1
            assert [one.version for one in seen] == list(range(begun + 1, begun + 1 + len(seen)))
            assert 0 < len(seen) < table.version - begun
            await here.turn(DELAY_MS)
            assert (updates(eve) or seen)[-1].version == table.version
            assert table.snapshot(someone("fay")).version == table.version

    run(case)


def test_with_a_delay_nothing_waits_before_a_match_and_a_seat_is_live(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, SLOW) as here:
            table, (ana,) = await here.table_of("ana", rules="burraco", players=2)
            bob = here.join(table, "bob")
            await ana.done(msg.Ready)
            assert updates(bob)[-1].version == table.version
            await bob.done(msg.Sit, seat=1)
            told = [message for message in bob.take() if not isinstance(message, msg.Presence)]
            assert [type(message).__name__ for message in told] == ["Ack", "Snapshot"]
            await bob.done(msg.Ready)
            assert table.fold.phase == "playing"
            last = updates(bob)[-1]
            assert last.version == table.version
            assert table.snapshot(bob.principal).view is not None

    run(case)


def test_who_stands_up_sees_the_next_match_later(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, SLOW) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            await bob.done(msg.Resign)
            bob.take()
            await bob.done(msg.Leave)
            last = [message for message in bob.take() if isinstance(message, msg.Snapshot)][-1]
            assert last.you.seat is None
            assert last.version == table.version
            await ana.done(msg.PutBot, seat=1)
            await ana.done(msg.Rematch)
            bob.take()
            await play_on(table, [ana], random.Random(1))
            assert not [one for one in updates(bob) if one.view is not None]

    run(case)


def test_a_delay_outlives_a_restart(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, SLOW) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2)
            await here.turn(10_000)
            await play_on(table, people, random.Random(1))
            name, now_ms = table.table_id, here.clock.now_ms()
        async with club(tmp_path, SLOW, now_ms=now_ms) as here:
            table = await here.service.get(name)
            eve = here.join(table, "eve")
            first = eve.take()[0]
            assert isinstance(first, msg.Snapshot)
            assert first.version < table.version
            await here.turn(DELAY_MS)
            assert updates(eve)[-1].version == table.version

    run(case)


def test_with_a_delay_no_list_and_no_reply_tells_what_is_still_to_come(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, SLOW) as here:
            table, people = await here.match_of(
                "ana", "bob", rules="burraco", players=2, public=True, spectator_chat=True, target_points=3000
            )
            eve = here.join(table, "eve")
            (before,) = here.service.lobby()
            begun = table.public_fold.version
            source = random.Random(1)
            while table.fold.phase != "between":
                await play_on(table, people, source)
            assert table.fold.host is not None
            assert table.fold.host.totals != (0, 0)
            (now,) = here.service.lobby()
            assert (now.totals, now.phase, now.seats) == (before.totals, before.phase, before.seats)
            (own,) = here.service.tables_of(someone("ana"))
            assert (own.totals, own.phase) == (table.fold.host.totals, "between")
            # Nor does a reply: neither its version, nor whether it is refused for its version.
            replies = [
                await eve.say(msg.Why, action=0, version=begun),
                await eve.say(msg.Act, action=0, version=begun),
                await eve.say(msg.Rematch, version=begun),
                await eve.say(msg.Resume, since=0, version=begun),
                await eve.say(msg.Chat, text="hello", version=begun, message_id="said"),
                await eve.say(msg.Chat, text="hello", version=begun, message_id="said"),
                table.bad_message(eve.principal, "x", "no message"),
            ]
            assert {reply.version for reply in replies} == {begun}
            codes = [reply.code for reply in replies if isinstance(reply, msg.Refused)]
            assert codes == ["not_seated", "not_seated", "match_running", "bad_message"]
            for kind, fields in ((msg.Act, {"action": 0}), (msg.Chat, {"text": "hi"}), (msg.Resume, {"since": 0})):
                assert await eve.refused(kind, version=begun + 1, **fields) == "future_version"
            assert await eve.refused(msg.Resume, version=begun, since=begun + 1) == "future_version"
            await here.turn(DELAY_MS)
            (later,) = here.service.lobby()
            assert later.phase == "between"
            assert later.totals == table.fold.host.totals

    run(case)


def test_with_a_delay_the_owner_without_a_seat_sees_later_too(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, SLOW) as here:
            table = await here.service.create(someone("owner"), msg.TableOptions(rules="burraco", players=2), seat=None)
            ana, bob = here.join(table, "ana"), here.join(table, "bob")
            await ana.done(msg.Sit, seat=0)
            await bob.done(msg.Sit, seat=1)
            await ana.done(msg.Ready)
            await bob.done(msg.Ready)
            await play_on(table, [ana, bob], random.Random(1))
            (line,) = here.service.tables_of(someone("owner"))
            assert (table.fold.phase, line.phase) == ("playing", "shuffling")

    run(case)


def test_with_a_delay_spectators_hear_of_absence_with_the_match(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, SLOW) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            eve = here.join(table, "eve")
            assert isinstance(eve.take()[-1], msg.Presence)
            bob.subscription.close()
            assert [one.here for one in ana.take() if isinstance(one, msg.Presence)][-1] == (1,)
            assert not [one for one in eve.take() if isinstance(one, msg.Presence)]
            # Who comes now is told what the others were told.
            fay = here.join(table, "fay")
            assert [one.here for one in fay.take() if isinstance(one, msg.Presence)] == [(1, 2)]
            await here.turn(DELAY_MS - 1)
            assert not [one for one in eve.take() if isinstance(one, msg.Presence)]
            await here.turn(1)
            assert [one.here for one in eve.take() if isinstance(one, msg.Presence)][-1] == (1,)

    run(case)


def test_after_a_restart_spectators_with_a_delay_are_told_who_is_here(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, SLOW) as here:
            table, _ = await here.match_of("ana", "bob", rules="burraco", players=2)
            name, now_ms = table.table_id, here.clock.now_ms()
        async with club(tmp_path, SLOW, now_ms=now_ms) as here:
            eve = here.join(await here.service.get(name), "eve")
            assert [type(one).__name__ for one in eve.take()] == ["Snapshot", "Presence"]

    run(case)
