"""Where a table opens the hands to its spectators: who sees them, not before the deal is over, and nothing else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from buraco.engine import Host, SeatView, hide, validate
from buraco.rules import RULE_SETS
from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server.options import OPEN_HANDS_DELAY_MS
from buraco.server.replaying import Fold
from buraco.server.snapshots import snapshot_of
from buraco.server.spectating import LAG_MAX_MS, Teller
from buraco.server.table import Table
from buraco.server.terms import Principal, ServerError, TableSettings
from tests.server.core.dry import created, dry_log, dry_people
from tests.server.core.leaks import STRANGER, copied, other_world, told
from tests.server.core.playing import QUICK, Club, Player, club, play_on, run, someone, updates

PRIVATE = {"CardDrawn", "HandDealt", "MortoSeen", "PileRestSeen"}
OPTIONS: dict[str, Any] = {
    "rules": "burraco",
    "players": 2,
    "target_points": 3000,
    "open_hands": True,
    "spectator_delay_ms": OPEN_HANDS_DELAY_MS,
}


def shown_hands(player: Player) -> list[tuple[tuple[str, ...] | None, ...]]:
    """Return the hands of every view that somebody was told of so far."""
    player.take()
    told = [one for one in player.seen if isinstance(one, msg.Update | msg.Snapshot)]
    return [one.view.hands for one in told if one.view is not None]


def private_events(player: Player) -> list[str]:
    player.take()
    told = [event for one in player.seen if isinstance(one, msg.Update) for event in one.events]
    return [type(event).__name__ for event in told if type(event).__name__ in PRIVATE]


async def play_deal(here: Club, table: Table, people: list[Player], *, turn_ms: int = 1_000) -> None:
    """Play on until the deal is over."""
    source = random.Random(1)
    while table.fold.phase == "playing":
        await play_on(table, people, source)
        await here.turn(turn_ms, table)


@asynccontextmanager
async def open_match(path: Path, **changed: Any) -> AsyncIterator[tuple[Club, Table, list[Player]]]:
    async with club(path) as here:
        table, people = await here.match_of("ana", "bob", **{**OPTIONS, **changed})
        yield here, table, people


# The option.


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"spectators": False}, "spectators"),
        ({"spectator_delay_ms": 0}, "300"),
        ({"spectator_delay_ms": OPEN_HANDS_DELAY_MS - 1}, "300"),
    ],
)
def test_open_hands_without_spectators_or_too_soon_are_refused(
    tmp_path: Path, changed: dict[str, Any], words: str
) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            with pytest.raises(ServerError) as error:
                await here.service.create(someone("ana"), msg.TableOptions(**{**OPTIONS, **changed}))
            assert error.value.code == "options"
            assert words in error.value.reasons[0]
            assert not here.service.tables

    run(case)


def test_the_least_delay_of_the_server_counts_for_open_hands(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, TableSettings(spectator_delay_ms=OPEN_HANDS_DELAY_MS)) as here:
            options = msg.TableOptions(**{**OPTIONS, "spectator_delay_ms": 0})
            table = await here.service.create(someone("ana"), options)
            assert table.fold.options.spectator_delay_ms == OPEN_HANDS_DELAY_MS

    run(case)


@pytest.mark.parametrize("is_open", [True, False])
def test_everybody_is_told_before_they_sit_down(tmp_path: Path, is_open: bool) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            options = msg.TableOptions(**{**OPTIONS, "open_hands": is_open, "public": True})
            table = await here.service.create(someone("ana"), options)
            (line,) = here.service.lobby()
            assert line.open_hands is is_open
            assert table.snapshot(someone("eve")).table.open_hands is is_open

    run(case)


def test_hands_are_closed_unless_the_table_says_so() -> None:
    assert msg.TableOptions().open_hands is False
    entry = created(msg.TableOptions(rules="burraco", players=2))
    assert entry.open_hands is False
    # The logs of earlier releases say nothing of it.
    assert "open_hands" not in log.encode_entry(entry)
    assert log.decode_entry(log.encode_entry(entry)) == entry


# When.


def test_without_the_option_no_hand_is_ever_told_not_even_later(tmp_path: Path) -> None:
    async def case() -> None:
        async with open_match(tmp_path, open_hands=False) as (here, table, people):
            eve = here.join(table, "eve")
            await play_deal(here, table, people)
            over = table.version
            await here.turn(2 * OPEN_HANDS_DELAY_MS, table)
            told = updates(eve)
            assert told[-1].version >= over
            hands = [one.view.hands for one in told if one.view is not None and one.view.end_kind == "none"]
            assert len(hands) > 10
            assert set(hands) == {(None, None)}
            assert not private_events(eve)

    run(case)


def test_no_hand_is_told_while_the_deal_is_on_however_long_somebody_waits(tmp_path: Path) -> None:
    async def case() -> None:
        async with open_match(tmp_path) as (here, table, people):
            eve, source = here.join(table, "eve"), random.Random(1)
            for _ in range(12):
                await play_on(table, people, source)
            for _ in range(3):
                await here.turn(LAG_MAX_MS, table)
                assert table.fold.phase == "playing"
                assert not shown_hands(eve)
                assert table.snapshot(someone("fay")).view is None
                assert table.snapshot(someone("fay")).table.phase == "shuffling"

    run(case)


def test_once_the_deal_is_over_and_the_delay_is_up_spectators_see_what_each_seat_saw(tmp_path: Path) -> None:
    async def case() -> None:
        async with open_match(tmp_path) as (here, table, people):
            eve, seen, source = here.join(table, "eve"), {}, random.Random(1)
            while table.fold.phase == "playing":
                views = [table.snapshot(one.principal).view for one in people]
                seen[table.version] = tuple(view.hands[seat] for seat, view in enumerate(views) if view is not None)
                await play_on(table, people, source)
                assert not shown_hands(eve)
            begun = here.clock.now_ms()
            await here.turn(OPEN_HANDS_DELAY_MS - 1, table)
            assert here.clock.now_ms() == begun + OPEN_HANDS_DELAY_MS - 1
            assert not shown_hands(eve)
            await here.turn(1, table)
            told = [one for one in updates(eve) if one.view is not None and one.version in seen]
            assert len(told) > 10
            assert all(one.view is not None and one.view.hands == seen[one.version] for one in told)
            assert all(one.view is not None and one.view.seat is None and one.view.legal is None for one in told)
            assert {"CardDrawn", "HandDealt"} <= set(private_events(eve))

    run(case)


def test_a_deal_that_took_longer_than_the_delay_is_told_at_its_pace(tmp_path: Path) -> None:
    async def case() -> None:
        async with open_match(tmp_path) as (here, table, people):
            eve = here.join(table, "eve")
            begun = here.clock.now_ms()
            await play_deal(here, table, people, turn_ms=5_000)
            took = here.clock.now_ms() - begun
            assert took > OPEN_HANDS_DELAY_MS
            first = [one for one in updates(eve) if one.view is not None]
            assert len(first) < 4, "no burst: the deal begins"
            await here.turn(took // 2, table)
            half = len([one for one in updates(eve) if one.view is not None])
            await here.turn(took, table)
            rest = len([one for one in updates(eve) if one.view is not None])
            assert half > 5
            assert rest > 5

    run(case)


def test_the_end_of_a_match_opens_all_of_it_and_the_next_one_waits_again(tmp_path: Path) -> None:
    async def case() -> None:
        async with open_match(tmp_path) as (here, table, people):
            ana, bob = people
            eve = here.join(table, "eve")
            await play_on(table, people, random.Random(1))
            await bob.done(msg.Resign)
            assert table.fold.phase == "finished"
            assert None not in shown_hands(eve)[-1]
            count = len(shown_hands(eve))
            await ana.done(msg.Rematch)
            await bob.done(msg.Rematch)
            await here.turn(LAG_MAX_MS, table)
            assert table.fold.phase == "playing"
            assert len(shown_hands(eve)) == count
            assert table.snapshot(someone("fay")).view is None

    run(case)


def test_open_hands_outlive_a_restart_and_stay_as_late(tmp_path: Path) -> None:
    async def case() -> None:
        async with open_match(tmp_path) as (here, table, people):
            await play_on(table, people, random.Random(1))
            name, now_ms = table.table_id, here.clock.now_ms()
        async with club(tmp_path, QUICK, now_ms=now_ms + LAG_MAX_MS) as here:
            table = await here.service.get(name)
            eve = here.join(table, "eve")
            people = [here.join(table, one) for one in ("ana", "bob")]
            assert not shown_hands(eve)
            await here.turn(1, table)
            await play_deal(here, table, people)
            await here.turn(LAG_MAX_MS, table)
            assert any(None not in hands for hands in shown_hands(eve))

    run(case)


# Who.


def test_nobody_who_owns_the_table_or_ever_sat_at_it_sees_the_hands(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            host = Principal("token-host", "host", account_id="account-host")
            table = await here.service.create(host, msg.TableOptions(**OPTIONS), seat=None)
            ana, bob, cid = (here.join(table, name) for name in ("ana", "bob", "cid"))
            await cid.done(msg.Sit, seat=1)
            await cid.done(msg.Stand)
            await ana.done(msg.Sit, seat=0)
            await bob.done(msg.Sit, seat=1)
            await ana.done(msg.Ready)
            await bob.done(msg.Ready)
            # The same person at another device, by the account.
            other = Principal("token-phone", "host", account_id="account-host")
            barred = [cid, *(Player(table, one, table.subscribe(one)) for one in (host, other))]
            eve = here.join(table, "eve")
            await play_deal(here, table, [ana, bob])
            await here.turn(OPEN_HANDS_DELAY_MS, table)
            assert any(None not in hands for hands in shown_hands(eve))
            for one in barred:
                one.take()
                during = [
                    message.view.hands
                    for message in one.seen
                    if isinstance(message, msg.Update) and message.view is not None and message.view.end_kind == "none"
                ]
                assert len(during) > 10
                assert set(during) == {(None, None)}
                assert not private_events(one)

    run(case)


def test_what_a_seat_is_told_is_the_same_with_open_hands_and_without(tmp_path: Path) -> None:
    told: list[list[bytes]] = []

    async def case(path: Path, is_open: bool) -> None:
        async with open_match(path, open_hands=is_open) as (here, table, people):
            found: list[bytes] = []
            source = random.Random(1)
            here.join(table, "eve")
            for _ in range(40):
                await play_on(table, people, source)
                found += [msg.encode(one) for player in people for one in player.seen if isinstance(one, msg.Update)]
                found += [msgspec.json.encode(table.snapshot(player.principal).view) for player in people]
                for player in people:
                    player.seen.clear()
            told.append([one.replace(b'"open_hands":true', b'"open_hands":false') for one in found])

    for is_open in (False, True):
        path = tmp_path / str(is_open)
        path.mkdir()
        run(partial(case, path, is_open))
    assert told[0] == told[1]
    assert len(told[0]) > 80


# What: the hands, and nothing beyond them.


def watching(fold: Fold) -> bytes:
    return msg.encode(snapshot_of(fold, STRANGER, hands_open=True))


def told_of(fold: Fold, logged: log.Logged) -> bytes:
    return told(fold, logged, STRANGER, Teller((), 10, shows_hands=lambda _: True))


def hand_of(fold: Fold, seat: int) -> Counter[int]:
    assert fold.host is not None
    return Counter(fold.host.position().hands[seat])


def look_at_all(rules: str, players: int, *, share: float = 1.0) -> int:
    """Hold what spectators see against worlds in which all but the hands is dealt anew. Raises AssertionError."""
    source, compared = random.Random(f"{rules} {players}"), 0
    options = msg.TableOptions(rules=rules, players=2 if players == 2 else 4, deal_count=1)
    for fold, logged in dry_log(options, players, seed=players):
        if fold.phase != "playing" or source.random() > share:
            continue
        assert fold.host is not None
        seen = hide(fold.host.position(), None, hands_open=True)
        assert not validate(seen)
        world = other_world(fold, None, source, seen=seen)
        assert watching(fold) == watching(world), "the snapshot of a spectator shows more than hands"
        entry = logged.entry
        if not isinstance(entry, log.Acted):
            continue
        real, before = copied(fold), hand_of(fold, entry.seat)
        mine = told_of(real, logged)
        assert real.host is not None
        if hand_of(real, entry.seat) - before or real.host.position().over:
            # It came from what is hidden.
            continue
        assert mine == told_of(world, logged), "an update of a spectator shows more than hands"
        compared += 1
    return compared


@pytest.mark.parametrize(
    ("rules", "players"), [(name, players) for name, one in RULE_SETS.items() for players in one.player_counts]
)
def test_stock_mortos_and_closed_pile_stay_hidden_with_open_hands(rules: str, players: int) -> None:
    assert look_at_all(rules, players, share=0.4) > 5


@pytest.mark.parametrize("rules", ["aberto", "fechado"])
def test_no_seed_is_told_with_open_hands_before_it_is_revealed(rules: str) -> None:
    looked = 0
    for fold, _ in dry_log(msg.TableOptions(rules=rules, deal_count=1), 2, seed=3):
        if fold.play is None or not fold.play.seeds or fold.phase not in ("shuffling", "playing"):
            continue
        seeds = fold.play.seeds[-1]
        text = watching(fold).decode()
        assert seeds.seed.hex() not in text
        assert seeds.deal_seed.hex() not in text
        looked += 1
    assert looked > 15


def test_a_planted_look_into_the_stock_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Host.open_view

    def counting(self: Host) -> SeatView:
        view = honest(self)
        stock = self.position().stock or (0,)
        return replace(view, state_number=view.state_number + stock[0])

    monkeypatch.setattr(Host, "open_view", counting)
    with pytest.raises(AssertionError, match="snapshot of a spectator"):
        look_at_all("aberto", 4)


def test_a_program_that_watches_gets_the_hands_in_the_position_too(tmp_path: Path) -> None:
    async def case() -> None:
        async with open_match(tmp_path) as (here, table, people):
            await play_deal(here, table, people)
            await here.turn(OPEN_HANDS_DELAY_MS, table)
            eve, ana = table.view_of(someone("eve"))[1], table.view_of(someone("ana"))[1]
            assert None not in eve.position.hands
            assert eve.position.stock is None
            assert ana.position.hands[1] is None

    run(case)


def test_the_members_who_sat_are_known_from_the_log() -> None:
    fold = Fold(dry_people(2))
    entries: list[log.Entry] = [
        created(msg.TableOptions(rules="burraco", players=2)),
        log.Sat(by=2, seat=0),
        log.Stood(by=2, seat=0),
    ]
    for number, entry in enumerate(entries, 1):
        fold.apply(log.Logged(number, number, entry))
    assert fold.seated == {2}
