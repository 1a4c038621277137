"""Lessons: cards that are the same each time, steps that may be done in any way and in no other, nobody's result."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from buraco.engine import Host, Match
from buraco.engine.constants import ACTION_COUNT, ACTION_RUN
from buraco.notation import format_action, parse_action
from buraco.server import messages as msg
from buraco.server.entries import Closed
from buraco.server.lessons import OWN_SEAT, Progress, Script, all_scripts, progress_of, script_of
from buraco.server.lessons.script import PLAYERS, read_script
from buraco.server.terms import ServerError
from buraco.texts import languages, text
from tests.server.core.playing import Club, Player, club, play_on, run, someone
from tests.server.databases import on_both

NAMES = tuple(all_scripts())


def dealt(script: Script) -> tuple[Host, Progress]:
    """Return the deal of a lesson, and its beginning."""
    host = Host(Match(script.rules, PLAYERS, first_dealer=script.dealer))
    host.next_deal(pack=script.pack)
    progress = progress_of(script.name)
    assert progress is not None
    progress.look(host.position())
    return host, progress


def walk(script: Script, source: random.Random | None = None) -> Iterator[tuple[Host, Progress]]:
    """Yield every state of a lesson up to its end: by the shortest ways, or by any that lead on."""
    host, progress = dealt(script)
    while not progress.over:
        yield host, progress
        seat = host.seat
        assert seat is not None
        action = progress.way[0]
        if source is not None and seat == OWN_SEAT:
            action = source.choice([one for one in host.view(seat).legal if progress.allows(one)])
        host.act(seat, action)
        progress.look(host.position())
    assert host.over


def test_there_is_a_lesson_for_runs_alone_and_one_with_sets() -> None:
    assert {script.rules.sets for script in all_scripts().values()} == {False, True}


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_ends_with_the_close_of_the_learner_who_has_done_everything_that_it_teaches(name: str) -> None:
    done = set()
    for host, progress in walk(all_scripts()[name]):
        if progress.text:
            assert host.seat == OWN_SEAT
            done |= {format_action(action).split()[0] for action in progress.way}
    assert {"draw", "pile", "meld", "add", "discard"} <= done
    (result,) = host.results
    assert (result.end_kind, result.out_seat) == ("closed", OWN_SEAT)
    kinds = {line.category for line in result.sheets[0].lines}
    assert {"clean", "dirty"} <= kinds
    assert result.scores[0] > 0 > result.scores[1]
    assert host.position().morto_owner[0] == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_a_lesson_allows_leads_to_its_end(name: str, seed: int) -> None:
    states = sum(1 for _ in walk(all_scripts()[name], random.Random(f"{name} {seed}")))
    assert states > 40


@pytest.mark.parametrize("name", NAMES)
def test_what_leads_elsewhere_is_not_allowed_at_any_step(name: str) -> None:
    turned_away = 0
    for host, progress in walk(all_scripts()[name]):
        if host.seat != OWN_SEAT:
            continue
        legal = host.view(OWN_SEAT).legal
        others = [action for action in legal if not progress.allows(action)]
        turned_away += len(others)
        tables = progress.way[0] >= ACTION_RUN
        assert all(progress.allows(action) for action in progress.way[:1])
        # A step that tables cards ends no turn, and one that does not tables none.
        assert all((action >= ACTION_RUN) == tables for action in legal if action not in others)
    assert turned_away > 60


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", NAMES)
def test_every_step_has_its_words_in_every_language(name: str, language: str) -> None:
    keys = [part.text for part in all_scripts()[name].parts if part.text]
    assert len(keys) == len(set(keys)) == all_scripts()[name].step_count
    english = [text(f"lesson.{key}") for key in keys]
    told = [text(f"lesson.{key}", language) for key in keys]
    assert language == "en" or not set(told) & set(english)


def test_cards_in_any_order_of_the_steps_of_one_turn() -> None:
    script = next(one for one in all_scripts().values() if one.rules.sets)
    host, progress = dealt(script)
    for action in ("pile", "meld 4c 5c 6c"):
        assert progress.allows(parse_action(action))
        host.act(OWN_SEAT, parse_action(action))
        progress.look(host.position())
    assert progress.text == "burraco.set"
    assert [format_action(action) for action in progress.way] == ["meld 7d 7h 7s"]


def test_a_deal_that_has_left_its_script_is_played_without_it() -> None:
    script = all_scripts()[NAMES[0]]
    host, progress = dealt(script)
    host.act(OWN_SEAT, progress.way[0])
    progress.look(host.position())
    host.act(OWN_SEAT, parse_action("reject"))
    progress.look(host.position())
    assert not progress.way
    assert not progress.over
    assert all(progress.allows(action) for action in host.view(OWN_SEAT).legal)


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"5h 6h": "5h 5h"}, "more cards than its pack"), ({"5h 6h": "5h"}, "another size")],
)
def test_a_script_whose_cards_are_no_pack_is_refused(change: dict[str, str], reason: str) -> None:
    written = (Path(__file__).parents[3] / "src/buraco/server/lessons/aberto.toml").read_text(encoding="utf-8")
    for old, new in change.items():
        written = written.replace(old, new, 1)
    with pytest.raises(ValueError, match=reason):
        read_script(written)


def test_an_unknown_lesson_is_none() -> None:
    assert script_of("nothing") is None
    assert progress_of("nothing") is None


# At a table.


async def begun(here: Club, name: str) -> Player:
    """Begin a lesson; return the learner."""
    table = await here.service.begin_lesson(someone("ana"), name)
    player = here.join(table, "ana")
    await table.settled()
    return player


def shown(player: Player) -> Any:
    """Return what the learner is told of the lesson."""
    return player.table.snapshot(player.principal).table.lesson


async def follow(player: Player, until: int = 0) -> None:
    """Do what a lesson says, up to a step or to the end."""
    while (told := shown(player)).step != until and not told.over:
        await player.done(msg.Act, action=told.actions[0])


@on_both
@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_at_a_table_is_played_to_its_end_and_is_no_result(tmp_path: Path, name: str) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            player = await begun(here, name)
            await follow(player)
            fold = player.table.fold
            assert fold.phase == "finished"
            assert shown(player).over
            assert fold.result is not None
            assert fold.result.winner == 0
            assert not await here.service.store.has_result(player.table.table_id, 1)
            assert here.service.lobby() == []
            (line,) = here.service.tables_of(player.principal)
            assert line.lesson

    run(case)


def test_a_wrong_step_is_refused_by_the_engine_or_by_the_lesson_with_the_reason(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            player = await begun(here, NAMES[0])
            assert await player.refused(msg.Act, action=parse_action("discard 3c")) == "must_draw"
            assert await player.refused(msg.Act, action=ACTION_COUNT - 1) == "must_draw"
            await player.done(msg.Act, action=parse_action("draw"))
            assert await player.refused(msg.Act, action=parse_action("reject")) == "lesson_step"
            await follow(player, 4)
            assert await player.refused(msg.Act, action=parse_action("discard X")) == "lesson_step"
            assert await player.refused(msg.Undo) == "undo_off"
            assert await player.refused(msg.Hint) == "hints_off"
            assert shown(player).step == 4

    run(case)


def test_the_learner_is_told_what_a_step_needs_in_the_language_of_the_reader(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            player = await begun(here, NAMES[0])
            told = shown(player)
            assert (told.step, told.zones, told.cards) == (1, ("stock",), ())
            await follow(player, 3)
            player.take()
            told = shown(player)
            assert told.zones == ("new-meld",)
            assert told.cards == ("5h", "6h", "7h", "8h", "9h")
            reader = replace(player.principal, language="it")
            heard = player.table.subscribe(reader)
            await player.done(msg.Act, action=told.actions[0])
            italian = None
            while (message := heard.next_now()) is not None:
                if isinstance(message, msg.Update) and message.table is not None:
                    italian = message.table.lesson
            assert italian is not None
            assert italian.text == text("lesson.aberto.discard", "it")
            assert italian.zones == ("pile",)

    run(case)


@on_both
def test_a_lesson_goes_on_after_a_restart_where_it_was(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            player = await begun(here, NAMES[1])
            await follow(player, 8)
            before, name = shown(player), player.table.table_id
        async with club(tmp_path, seed=2) as here:
            player = here.join(await here.service.get(name), "ana")
            await player.table.settled()
            assert shown(player) == before
            await follow(player)
            assert player.table.fold.phase == "finished"

    run(case)


def test_a_lesson_waits_for_a_learner_who_is_away_and_no_bot_takes_the_seat(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            player = await begun(here, NAMES[0])
            await follow(player, 5)
            player.subscription.close()
            await here.turn(3_600_000)
            assert player.table.fold.seats[OWN_SEAT].cause == ""
            again = here.join(player.table, "ana")
            await again.table.settled()
            assert shown(again).step == 5
            await follow(again, 6)

    run(case)


def test_a_lesson_may_be_repeated_at_once_begun_again_and_left(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            player = await begun(here, NAMES[0])
            await follow(player)
            await player.done(msg.Rematch)
            assert shown(player).step == 1
            assert not shown(player).over
            assert here.service.lesson_of(player.principal, NAMES[0]) is player.table
            await here.service.end_lesson(player.principal, NAMES[0])
            assert here.service.lesson_of(player.principal, NAMES[0]) is None
            player = await begun(here, NAMES[0])
            await follow(player, 3)
            await player.done(msg.Leave)
            assert player.table.closed
            with pytest.raises(ServerError):
                await here.service.get(player.table.table_id)
            player = await begun(here, NAMES[1])
            await player.done(msg.CloseTable)
            assert here.service.tables == ()
            await here.service.end_lesson(player.principal, NAMES[1])

    run(case)


def test_nobody_else_sees_a_lesson(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            player = await begun(here, NAMES[0])
            with pytest.raises(ServerError):
                player.table.subscribe(someone("eve"))
            assert here.service.lesson_of(someone("eve"), NAMES[0]) is None

    run(case)


def test_a_lesson_that_a_later_release_has_no_more_is_an_ordinary_deal(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            player = await begun(here, NAMES[0])
            player.table.fold.lesson = None
            assert shown(player) is None
            source = random.Random(5)
            for _ in range(20):
                assert await play_on(player.table, [player], source)
            await player.table.enter(Closed(cause="admin"))

    run(case)
