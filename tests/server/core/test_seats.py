"""Tables and seats before and between matches: options, who may do what, start, rematch, the lobby."""

from __future__ import annotations

from pathlib import Path

import pytest

from buraco.bots import DEFAULT_LEVEL
from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server.options import ClockOptions
from buraco.server.store import NewTable
from buraco.server.table_events import TableClosed
from buraco.server.terms import Principal, ServerError, TableSettings
from tests.server.core.playing import QUICK, Club, club, run, someone
from tests.server.databases import on_both

pytestmark = on_both


async def reasons_of(here: Club, **options: object) -> tuple[str, ...]:
    with pytest.raises(ServerError) as error:
        await here.service.create(someone("ana"), msg.TableOptions(**options))  # type: ignore[arg-type]
    assert error.value.code == "options"
    assert here.service.tables == ()
    return error.value.reasons


def test_impossible_options_are_refused_with_every_reason(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            assert await reasons_of(here)
            assert await reasons_of(here, rules="aberto", rules_toml="base = 'aberto'")
            assert "aberto" in (await reasons_of(here, rules="abertu"))[0]
            assert len(await reasons_of(here, rules={"base": "aberto", "hand_size": 0, "canasta_size": 99})) >= 2
            assert len(await reasons_of(here, rules_toml="base = 'x'\n[fields]\nnothing = 1")) >= 2
            assert "2 players" in (await reasons_of(here, rules="aberto", players=2))[0]
            assert "greedy" in (await reasons_of(here, rules="aberto", bot_level="genius"))[0]
            assert await reasons_of(here, rules="aberto", target_points=0, deal_count=0)
            with pytest.raises(ServerError):
                await here.service.create(someone("ana"), msg.TableOptions(rules="burraco", players=2), seat=2)

    run(case)


def test_house_rules_and_every_option_hold_for_the_table(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, TableSettings(spectator_delay_ms=1_000, bot_level="random")) as here:
            options = msg.TableOptions(
                rules_toml="base = 'burraco'\n[fields]\nbonus_out = 150\n",
                players=2,
                target_points=700,
                clock=ClockOptions(kind="turn", turn_ms=20_000),
                public=True,
                spectator_delay_ms=500,
                spectator_chat=True,
                undo=False,
                hints=True,
            )
            table = await here.service.create(someone("ana"), options)
            state = table.snapshot(someone("ana")).table
            assert (state.rules["bonus_out"], state.rules["target_points"]) == (150, 700)
            assert state.rules_name == "burraco-house"
            assert (state.clock.turn_ms, state.public, state.undo, state.hints) == (20_000, True, False, True)
            assert (state.spectator_delay_ms, state.bot_level) == (1_000, "random")
            assert len(state.code) == 6

    run(case)


def test_the_owner_sets_the_table_up(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.table_of("ana", "bob")
            assert await bob.refused(msg.PutBot, seat=2) == "not_owner"
            assert await bob.refused(msg.ClearSeat, seat=0) == "not_owner"
            assert await bob.refused(msg.Start) == "not_owner"
            assert await bob.refused(msg.CloseTable) == "not_owner"
            assert await ana.refused(msg.PutBot, seat=1) == "seat_taken"
            assert await ana.refused(msg.PutBot, seat=2, level="genius") == "unknown_bot"
            await ana.done(msg.PutBot, seat=2, level="random")
            await ana.done(msg.PutBot, seat=3)
            levels = [seat.level for seat in table.snapshot(ana.principal).table.seats]
            assert levels == ["", "", "random", DEFAULT_LEVEL]
            assert await ana.refused(msg.Start) == "not_all_ready"
            await ana.done(msg.ClearSeat, seat=3)
            assert await ana.refused(msg.ClearSeat, seat=3) == "no_change"
            await ana.done(msg.ClearSeat, seat=1)
            assert bob.seat is None
            await bob.done(msg.Sit, seat=3)
            await bob.done(msg.Ready)
            assert await bob.refused(msg.Ready) == "no_change"
            await bob.done(msg.Ready, ready=False)
            await bob.done(msg.Ready)
            await ana.done(msg.Start)
            assert table.fold.phase == "playing"
            assert [seat.kind for seat in table.fold.seats] == ["person", "bot", "bot", "person"]
            for kind, fields in ((msg.PutBot, {"seat": 1}), (msg.ClearSeat, {"seat": 3}), (msg.CloseTable, {})):
                assert await ana.refused(kind, **fields) == "match_running"

    run(case)


def test_what_a_seat_may_not_do(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana,) = await here.table_of("ana", rules="burraco", players=2, fill_with_bots=False)
            eve = here.join(table, "eve")
            assert await ana.refused(msg.Sit, seat=1) == "already_seated"
            assert await eve.refused(msg.Sit, seat=0) == "seat_taken"
            assert await eve.refused(msg.Sit, seat=2) == "no_such_seat"
            assert await ana.refused(msg.PutBot, seat=3) == "no_such_seat"
            assert await eve.refused(msg.Stand) == "not_seated"
            assert await eve.refused(msg.Ready) == "not_seated"
            assert await ana.refused(msg.Start) == "seats_empty"
            for offer in (msg.Resign, msg.Draw, msg.ClaimForfeit, msg.Rematch):
                assert await ana.refused(offer) == "no_match"
            assert await ana.refused(msg.TakeBack) == "no_change"
            assert await ana.refused(msg.Act, action=0) == "no_match"
            assert await ana.refused(msg.Seed, deal=1, seed="ab" * 32) == "no_match"
            for kind, fields in ((msg.Probe, {"cards": ["7h"]}), (msg.Why, {"action": 1}), (msg.Hint, {})):
                assert await ana.refused(kind, **fields) == "no_deal"
                assert await eve.refused(kind, **fields) == "not_seated"
            await ana.done(msg.Stand)
            assert await ana.refused(msg.Start) == "nobody_sits"

    run(case)


def test_a_match_begins_when_everyone_at_a_full_table_is_ready(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.table_of("ana", "bob", rules="burraco", players=2)
            await bob.done(msg.Ready)
            assert table.fold.phase == "open"
            await ana.done(msg.Ready)
            assert table.fold.phase == "playing"

    run(case)


def test_an_owner_who_stands_up_and_goes_leaves_the_table_to_another(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.table_of("ana", "bob")
            await ana.done(msg.Leave)
            assert table.snapshot(bob.principal).you.owner
            assert not table.snapshot(ana.principal).you.owner
            await bob.done(msg.Start)
            await bob.done(msg.Leave)
            assert table.snapshot(bob.principal).you.owner

    run(case)


def test_a_message_about_a_seat_that_has_changed_is_stale(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana,) = await here.table_of("ana")
            await ana.done(msg.PutBot, seat=2)
            seen = table.version
            await ana.done(msg.ClearSeat, seat=2)
            bob = here.join(table, "bob")
            await bob.done(msg.Sit, seat=2)
            assert await ana.refused(msg.ClearSeat, seat=2, version=seen) == "stale_version"
            await ana.done(msg.PutBot, seat=3, version=seen)
            await ana.done(msg.ClearSeat, seat=2)

    run(case)


def test_after_a_match_the_seats_are_free_to_change(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            await ana.done(msg.Resign)
            assert await ana.refused(msg.Ready) == "no_match"
            await bob.done(msg.Leave)
            cid = here.join(table, "cid")
            await cid.done(msg.Sit, seat=1)
            await cid.done(msg.Rematch)
            assert await cid.refused(msg.Rematch) == "no_change"
            await ana.done(msg.Rematch)
            assert (table.fold.phase, table.fold.match) == ("playing", 2)
            await cid.done(msg.Leave)
            await ana.done(msg.Resign)
            await ana.done(msg.Rematch)
            assert table.fold.phase == "playing"
            assert [seat.kind for seat in table.fold.seats] == ["person", "bot"]

    run(case)


def test_closing_ends_the_table_for_everyone(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.table_of("ana", "bob")
            await ana.done(msg.CloseTable)
            assert table.closed
            assert bob.subscription.closed
            last = bob.subscription.next_now()
            while not isinstance(last, msg.Update) or last.version < table.version:
                last = bob.subscription.next_now()
            assert last.events == (TableClosed(cause="owner"),)
            reply = await table.handle(bob.principal, msg.Ready(id="late", version=table.version))
            assert isinstance(reply, msg.Refused)
            assert reply.code == "table_closed"
            with pytest.raises(ServerError) as error:
                table.subscribe(bob.principal)
            assert error.value.code == "table_closed"

    run(case)


def test_an_admin_closes_any_table_and_a_running_match_is_abandoned(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, _ = await here.match_of("ana", "bob", rules="burraco", players=2)
            await table.admin_close()
            assert (table.fold.closed_cause, table.fold.result.kind if table.fold.result else "") == (
                "admin",
                "abandoned",
            )
            await table.admin_close()
            assert here.service.tables == ()
            assert await here.service.store.has_result(table.table_id, 1)

    run(case)


def test_the_lobby_lists_what_is_open_or_may_be_watched(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            await here.table_of("ana")
            waiting, _ = await here.table_of("bob", public=True)
            full, _ = await here.table_of("cid", "dan", public=True, rules="burraco", players=2)
            running, _ = await here.match_of("eve", public=True)
            await here.match_of("fay", public=True, spectators=False)
            here.join(running, "watcher")
            lobby = here.service.lobby()
            assert {line.table: line.spectator_count for line in lobby} == {waiting.table_id: 0, running.table_id: 1}
            assert full.table_id not in {line.table for line in lobby}
            assert [line.table for line in here.service.tables_of(someone("cid"))] == [full.table_id]
            assert here.service.count_owned(someone("cid")) == 1
            assert here.service.count_owned(someone("dan")) == 0
            assert await here.service.get(waiting.code.lower()) is waiting
            assert await here.service.get(waiting.table_id) is waiting

    run(case)


def test_an_account_is_the_same_person_with_another_token(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            phone = Principal("phone", "ana", account_id="account")
            table = await here.service.create(phone, msg.TableOptions(rules="aberto"))
            desk = Principal("desk", "ana", account_id="account")
            assert table.snapshot(desk).you.seat == 0
            assert table.snapshot(Principal("desk", "ana")).you.seat is None

    run(case)


def test_a_forgotten_person_leaves_no_name(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            await ana.done(msg.Chat, text="my secret")
            await here.service.forget(ana.principal.token_id)
            await here.service.forget("nobody")
            told = msg.encode(table.snapshot(bob.principal)).decode()
            assert '"ana"' not in told
            assert "my secret" not in told
            assert table.fold.seats[0].cause == "left"
            assert ana.seat is None
            other, (cid, dan) = await here.table_of("cid", "dan")
            await here.service.forget(cid.principal.token_id)
            assert [seat.kind for seat in other.fold.seats] == ["empty", "person", "empty", "empty"]
            assert other.snapshot(dan.principal).you.owner

    run(case)


def test_the_words_of_a_forgotten_person_are_not_told_again_or_later(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, TableSettings(bot_pause_ms=0, seed_wait_ms=0, spectator_delay_ms=60_000)) as here:
            table, (ana, bob) = await here.match_of("ana", "bob", rules="burraco", players=2)
            eve = here.join(table, "eve")
            before = table.version
            await ana.done(msg.Chat, text="my secret")
            eve.take()
            await here.service.forget(ana.principal.token_id)
            await here.turn(120_000, table)
            again = here.join(table, "bob", since=before)
            eve.take()
            kinds = [type(event).__name__ for one in eve.seen if isinstance(one, msg.Update) for event in one.events]
            assert "BotTookOver" in kinds
            told = [*again.take(), table.snapshot(bob.principal), *eve.seen[-1:], table.snapshot(eve.principal)]
            for one in told:
                assert "my secret" not in msg.encode(one).decode()
                assert '"ana"' not in msg.encode(one).decode()
            assert "my secret" not in "".join(msg.encode(one).decode() for one in eve.seen)

    run(case)


def test_a_code_that_is_taken_is_drawn_again(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, seed=5) as here:
            first = await here.service.create(someone("ana"), msg.TableOptions(rules="aberto"))
            assert first.version == 2
        draws = [b"\0" * 18, b"\0" * 18, b"\1" * 18]
        async with club(tmp_path) as here:
            here.service._entropy = lambda size: (draws.pop(0) * 4)[:size]
            one = await here.service.create(someone("ana"), msg.TableOptions(rules="aberto"))
            two = await here.service.create(someone("ana"), msg.TableOptions(rules="aberto"))
            assert one.code != two.code
            known = {NewTable(table.table_id, table.code, table.fold.created_ms) for table in here.service.tables}
            assert known == set(await here.service.store.unfinished())

    run(case)


def test_a_stopping_service_makes_no_tables(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, QUICK) as here:
            table, (ana,) = await here.match_of("ana")
            ana.take()
            await here.service.close()
            with pytest.raises(ServerError) as error:
                await here.service.create(someone("bob"), msg.TableOptions(rules="aberto"))
            assert error.value.code == "stopping"
            with pytest.raises(ServerError) as closed:
                table.subscribe(ana.principal)
            assert closed.value.code == "stopping"
            last = ana.subscription.next_now()
            assert isinstance(last, msg.Stopping)
            reply = await table.handle(ana.principal, msg.Leave(id="x", version=table.version))
            assert isinstance(reply, msg.Refused)
            assert reply.code == "stopping"
            assert isinstance(log.Slept(), log.Slept)

    run(case)


def test_tables_are_listed_the_newest_first_also_after_a_restart(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            made: list[str] = []
            for _ in range(5):
                await here.turn(1_000)
                table = await here.service.create(someone("ana"), msg.TableOptions(rules="aberto", public=True))
                made.insert(0, table.table_id)
            assert [line.table for line in here.service.lobby()] == made
            now_ms = here.clock.now_ms()
        async with club(tmp_path, now_ms=now_ms) as here:
            assert [line.table for line in here.service.lobby()] == made
            assert [line.table for line in here.service.tables_of(someone("ana"))] == made

    run(case)
