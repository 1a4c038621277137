"""Everybody at a table reads in a language of their own: the words differ, and nothing else does."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from buraco.rules import RULE_SETS, cite, title_in
from buraco.server import messages as msg
from buraco.server.deciding import PHRASES
from buraco.server.probe import probe_cards, rule_place
from buraco.server.schema import entry_table, result_table
from buraco.server.terms import Principal
from buraco.texts import has_text, languages, text
from tests.server.core.playing import Club, Player, club, plain, play_match, run, someone
from tests.server.core.test_probe import at, playing

OTHERS = [language for language in languages() if language != "en"]
#: The members of messages that hold words for people.
WORDS = ("text", "citation", "rules_title")


def reader(name: str, language: str) -> Principal:
    one = someone(name)
    return Principal(one.token_id, one.name, language=language)


def wordless(value: Any) -> Any:
    """Return a message without its words."""
    if isinstance(value, dict):
        return {name: wordless(one) for name, one in value.items() if name not in WORDS}
    return [wordless(one) for one in value] if isinstance(value, list) else value


async def seated(here: Club, language: str, **options: Any) -> Player:
    """Begin a match of one person, who reads in a language, with bots."""
    principal = reader("ana", language)
    options = {"rules": "fechado", "players": 2, **options}
    table = await here.service.play_now(principal, msg.TableOptions(**options))
    await table.settled()
    return Player(table, principal, table.subscribe(principal))


def snapshot(messages: list[msg.ServerMessage]) -> msg.Snapshot:
    return next(one for one in messages if isinstance(one, msg.Snapshot))


def duties_of(messages: list[msg.ServerMessage]) -> tuple[tuple[str, str], ...]:
    """Return the duties of the last view that was told, as codes and texts."""
    views = [one.view for one in messages if isinstance(one, msg.Snapshot | msg.Update) and one.view is not None]
    assert views[-1].legal is not None
    return tuple((duty.code, duty.text) for duty in views[-1].legal.duties)


async def until_own_turn(player: Player) -> None:
    """Let the bots play until the person is to act."""
    for _ in range(50):
        await player.table.settled()
        host = player.table.fold.host
        if host is not None and host.seat == player.seat:
            return
    raise AssertionError("the person is never to act")


@pytest.mark.parametrize("language", languages())
def test_a_snapshot_and_its_duties_are_in_the_readers_language(language: str, tmp_path: Path) -> None:
    async def test() -> None:
        async with club(tmp_path) as here:
            player = await seated(here, language)
            await until_own_turn(player)
            told = player.take()
            assert snapshot(told).table.rules_title == title_in(RULE_SETS["fechado"], language)
            latest = player.table.snapshot(player.principal)
            assert latest.view is not None
            assert latest.view.legal is not None
            code = "must_draw" if latest.view.legal.pile else "must_draw_stock"
            assert duties_of([*told, latest]) == ((code, text(f"duty.{code}", language)),)

    run(test)


@pytest.mark.parametrize("language", OTHERS)
def test_of_two_readers_at_one_table_each_has_their_words_and_else_the_same(language: str, tmp_path: Path) -> None:
    async def test() -> None:
        async with club(tmp_path) as here:
            player = await seated(here, language)
            await until_own_turn(player)
            mine = plain(player.table.snapshot(player.principal))
            english = plain(player.table.snapshot(reader("ana", "en")))
            assert wordless(mine) == wordless(english)
            assert mine != english

    run(test)


@pytest.mark.parametrize("language", languages())
def test_updates_and_those_of_a_resume_are_in_the_readers_language(language: str, tmp_path: Path) -> None:
    async def test() -> None:
        async with club(tmp_path) as here:
            player = await seated(here, language)
            await until_own_turn(player)
            player.take()
            since = player.table.version
            await player.done(msg.Act, action=0)
            codes = duties_of(player.take())
            again = player.table.subscribe(player.principal, since)
            resumed = Player(player.table, player.principal, again).take()
            for duties in (codes, duties_of(resumed)):
                assert duties
                assert [told for code, told in duties if told != text(f"duty.{code}", language)] == []

    run(test)


@pytest.mark.parametrize("language", languages())
def test_refusals_are_in_the_readers_language_and_name_the_place_of_the_rule(language: str, tmp_path: Path) -> None:
    async def test() -> None:
        async with club(tmp_path) as here:
            player = await seated(here, language)
            await until_own_turn(player)
            host = player.table.fold.host
            assert host is not None
            action = next(one for one in range(1000) if host.why(player.seat or 0, one))
            why = host.why(player.seat or 0, action)
            assert why is not None
            refused = await player.say(msg.Act, action=action)
            asked = await player.say(msg.Why, action=action)
            assert isinstance(refused, msg.Refused)
            assert isinstance(asked, msg.Ack)
            assert isinstance(asked.result, msg.WhyResult)
            for reply in (refused, asked.result):
                assert reply.code == why.code
                assert reply.text == text(f"code.{why.code}", language)
                assert reply.citation == cite(RULE_SETS["fechado"], why.code).text(language)
                assert reply.rule == rule_place(cite(RULE_SETS["fechado"], why.code))
                assert reply.rule is not None
                assert reply.rule.rule_set == "fechado"
            table = await player.say(msg.Sit, seat=1)
            assert isinstance(table, msg.Refused)
            assert (table.text, table.rule) == (text(f"table.{table.code}", language), None)

    run(test)


@pytest.mark.parametrize("language", languages())
def test_a_repeated_message_gets_the_reply_of_the_first_time(language: str, tmp_path: Path) -> None:
    async def test() -> None:
        async with club(tmp_path) as here:
            player = await seated(here, "en")
            first = await player.say(msg.Sit, seat=1, message_id="once")
            player.principal = reader("ana", language)
            assert await player.say(msg.Sit, seat=1, message_id="once") == first

    run(test)


@pytest.mark.parametrize("language", languages())
def test_hints_are_in_the_readers_language(language: str, tmp_path: Path) -> None:
    async def test() -> None:
        async with club(tmp_path) as here:
            player = await seated(here, language)
            await until_own_turn(player)
            reply = await player.say(msg.Hint)
            assert isinstance(reply, msg.Ack)
            assert isinstance(reply.result, msg.HintResult)
            assert reply.result.reasons
            for reason in reply.result.reasons:
                assert reason.text == text(f"reason.{reason.code}", language, **reason.values)

    run(test)


@pytest.mark.parametrize("language", languages())
def test_answers_to_probes_are_in_the_readers_language(language: str) -> None:
    found = probe_cards(at(playing("5c 7d 9h Kd Ks")), 0, ["5c", "7d", "9h"], None, language)
    assert (found.code, found.text) == ("no_meld", text("probe.no_meld", language))
    barred = probe_cards(at(playing("5c 5d 5h Kd Ks", rules="fechado-stcl")), 0, ["5c", "5d", "5h"], None, language)
    assert barred.options
    rule = cite(RULE_SETS["fechado-stcl"], barred.code)
    for told in (barred, barred.options[0]):
        assert told.text == text(f"code.{told.code}", language)
        assert (told.citation, told.rule) == (rule.text(language), rule_place(rule))


def test_a_server_that_stops_says_so_to_each_in_their_language(tmp_path: Path) -> None:
    async def test() -> None:
        async with club(tmp_path) as here:
            owner = await seated(here, "en", spectators=True)
            watching = [
                Player(owner.table, one, owner.table.subscribe(one))
                for one in (reader(f"guest-{language}", language) for language in languages())
            ]
        for player in watching:
            player.rest()
            stopping = next(one for one in player.seen if isinstance(one, msg.Stopping))
            assert stopping.text == text("table.stopping", player.principal.language)

    run(test)


@pytest.mark.parametrize("language", OTHERS)
def test_the_log_of_a_table_is_the_same_whatever_language_its_people_read(language: str, tmp_path: Path) -> None:
    async def logged(folder: Path, spoken: str) -> list[str]:
        folder.mkdir()
        async with club(folder) as here:
            player = await seated(here, spoken, rules="burraco", deal_count=1, target_points=0)
            await play_match(here, player.table, [player], random.Random(5))
            async with here.service.store.engine.connect() as connection:
                rows = await connection.execute(sa.select(entry_table.c.body).order_by(entry_table.c.seq))
                results = await connection.execute(sa.select(result_table.c.record))
                return [str(row[0]) for row in (*rows, *results)]

    async def test() -> None:
        english = await logged(tmp_path / "en", "en")
        assert len(english) > 20
        assert await logged(tmp_path / language, language) == english

    run(test)


@pytest.mark.parametrize("language", languages())
def test_every_preset_phrase_is_there_in_every_language(language: str) -> None:
    assert [phrase for phrase in PHRASES if not has_text(f"phrase.{phrase}", language)] == []


def test_the_language_says_nothing_about_who_somebody_is() -> None:
    assert reader("ana", "ru") == reader("ana", "it")
    assert hash(reader("ana", "ru")) == hash(reader("ana", "it"))
