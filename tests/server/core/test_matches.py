"""Whole matches over the tables, without network: every rule set, people and bots, the record and the result."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from buraco.bots import DEFAULT_LEVEL
from buraco.cards import card_text, parse_card
from buraco.engine import action_meld, ordered_pack
from buraco.engine.shapes import meld_cards
from buraco.notation import record_from_json, replay
from buraco.notation.verify import verify
from buraco.rules import RULE_SETS
from buraco.server import messages as msg
from buraco.server import table_events as told
from buraco.server.archive import Archive
from buraco.server.game_events import DealEnded, MatchEnded
from buraco.server.table import Table
from tests.server.core.playing import Club, Player, club, plain, play_match, run
from tests.unit.making import MELDS, game_sets

CASES = game_sets()


def cards_of(table: Table) -> Counter[int]:
    """Count every card of the deal, wherever it is."""
    assert table.fold.host is not None
    position = table.fold.host.position()
    found: Counter[int] = Counter()
    for cards in (*position.hands, position.stock, *position.mortos):
        found.update(cards or ())
    found.update(entry.card for entry in position.pile if entry.card is not None)
    for side in position.melds:
        for meld in side:
            found.update(meld_cards(meld.packed))
    return found


@pytest.mark.parametrize(("rules", "players"), CASES)
def test_a_match_of_every_rule_set_is_played_to_its_end(rules: str, players: int, tmp_path: Path) -> None:
    async def match() -> None:
        async with club(tmp_path) as here:
            table, people = await here.match_of("ana", "bob", rules=rules, players=players, deal_count=1)
            pack = Counter(ordered_pack(RULE_SETS[rules]))

            def check() -> None:
                assert cards_of(table) == pack

            assert await Archive(here.service.store.engine).record(table.table_id, 1) is None
            await play_match(here, table, people, random.Random(players), check)
            for player in people:
                check_told(player)
            await check_saved(here, table, people)

    run(match)


def check_told(player: Player) -> None:
    """Every version came once and in order; sheets and the end of the match were told."""
    updates = [message for message in player.seen if isinstance(message, msg.Update)]
    versions = [update.version for update in updates]
    assert versions == list(range(versions[0], versions[0] + len(versions)))
    events = [event for update in updates for event in update.events]
    deal = next(event for event in events if isinstance(event, DealEnded))
    assert [sheet.total for sheet in deal.sheets] == list(deal.scores)
    assert any(isinstance(event, MatchEnded) for event in events)
    assert [event.result.kind for event in events if isinstance(event, told.MatchResult)] == ["played"]
    for message in player.seen:
        assert plain(message)["type"]


async def check_saved(here: Club, table: Table, people: list[Player]) -> None:
    """The record can be played again and its shuffles hold; it has the names of the people."""
    text = await Archive(here.service.store.engine).record(table.table_id, 1)
    assert text is not None
    record = record_from_json(json.loads(text))
    assert [step.kind for step in replay(record)][-1] == "end"
    assert not [finding for finding in verify(record) if finding.fault]
    assert [record.seats[player.seat or 0].name for player in people] == ["ana", "bob"]
    assert all(seat.bot == DEFAULT_LEVEL for seat in record.seats[2:])
    assert record.deals[0].turns[0].entries[0].time_ms == 0


def test_a_match_goes_on_over_several_deals_to_its_target(tmp_path: Path) -> None:
    async def match() -> None:
        async with club(tmp_path) as here:
            table, people = await here.match_of("ana", rules="burraco", players=2, target_points=400)
            await play_match(here, table, people, random.Random(5))
            result = table.fold.result
            assert result is not None
            assert max(result.totals) >= 400
            snapshot = table.snapshot(people[0].principal)
            assert [deal.deal for deal in snapshot.deals] == list(range(1, len(snapshot.deals) + 1))
            assert snapshot.deals[-1].totals == result.totals
            assert len(snapshot.deals) >= 1

    run(match)


def test_bots_alone_finish_what_is_left_to_them(tmp_path: Path) -> None:
    async def match() -> None:
        async with club(tmp_path) as here:
            table, (ana, _) = await here.match_of("ana", "bob", deal_count=1)
            await ana.done(msg.Leave)
            assert table.fold.seats[0].cause == "left"
            people = [Player(table, player.principal, player.subscription) for player in (ana,)]
            assert people
            host = table.fold.host
            assert host is not None
            assert host.seat in (None, 1)

    run(match)


def test_play_now_is_one_request(tmp_path: Path) -> None:
    async def match() -> None:
        async with club(tmp_path) as here:
            from tests.server.core.playing import someone

            table = await here.service.play_now(someone("ana"), msg.TableOptions(rules="aberto", deal_count=1))
            player = here.join(table, "ana")
            await table.settled()
            assert table.fold.phase == "playing"
            assert [seat.kind for seat in table.fold.seats] == ["person", "bot", "bot", "bot"]
            await play_match(here, table, [player], random.Random(1))
            assert table.fold.phase == "finished"

    run(match)


def test_a_rematch_is_another_match_of_the_same_people(tmp_path: Path) -> None:
    async def match() -> None:
        async with club(tmp_path) as here:
            table, people = await here.match_of("ana", "bob", rules="burraco", players=2, deal_count=1)
            await play_match(here, table, people, random.Random(2))
            ana, bob = people
            await ana.done(msg.Rematch)
            assert plain(table.snapshot(bob.principal))["table"]["offers"]["rematch"] == [0]
            assert table.fold.phase == "finished"
            await bob.done(msg.Rematch)
            assert (table.fold.phase, table.fold.match) == ("playing", 2)
            await play_match(here, table, people, random.Random(3))
            for number in (1, 2):
                text = await Archive(here.service.store.engine).record(table.table_id, number)
                assert text is not None
                record = record_from_json(json.loads(text))
                assert not [finding for finding in verify(record) if finding.fault]
                assert dict(record.tags)["match"] == str(number)

    run(match)


def test_a_probed_meld_can_be_laid(tmp_path: Path) -> None:
    async def match() -> None:
        async with club(tmp_path) as here:
            table, (ana,) = await here.match_of("ana", rules="burraco", players=2, deal_count=1)
            for _ in range(400):
                await table.settled()
                host = table.fold.host
                assert host is not None
                legal = host.view(0).legal
                melds = [action for action in legal if action in MELDS]
                if melds and host.seat == 0:
                    words = [card_text(card) for card in meld_cards(action_meld(melds[0]))]
                    reply = await ana.done(msg.Probe, cards=words)
                    assert isinstance(reply.result, msg.ProbeResult)
                    option = reply.result.options[0]
                    assert option.legal
                    assert all(parse_card(word) >= 0 for word in words)
                    await ana.done(msg.Act, action=option.actions[0])
                    return
                await ana.done(msg.Act, action=random.Random(table.version).choice(legal))
            raise AssertionError("no meld came up")

    run(match)
