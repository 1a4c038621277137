"""Chat: who may, what may be said, how often, who hears it."""

from __future__ import annotations

from pathlib import Path

import pytest

from buraco.server import messages as msg
from buraco.server.deciding import CHAT_WINDOW_MAX, CHAT_WINDOW_MS, PHRASES
from buraco.server.table_events import ChatSaid, MuteChanged
from buraco.server.terms import TableSettings
from buraco.texts import has_text
from tests.server.core.playing import Player, club, run


def heard(player: Player) -> list[str]:
    """Return what somebody has heard since the last time."""
    events = [event for message in player.take() if isinstance(message, msg.Update) for event in message.events]
    return [event.line.text or event.line.phrase for event in events if isinstance(event, ChatSaid)]


def test_what_is_said_is_heard_by_all_and_kept(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.table_of("ana", "bob")
            await ana.done(msg.Chat, text="  hello there ")
            await bob.done(msg.Phrase, phrase="thanks")
            assert heard(ana) == heard(bob) == ["hello there", "thanks"]
            lines = table.snapshot(bob.principal).chat
            assert [(line.name, line.text, line.phrase) for line in lines] == [
                ("ana", "hello there", ""),
                ("bob", "", "thanks"),
            ]

    run(case)


@pytest.mark.parametrize("phrase", PHRASES)
def test_every_phrase_has_a_text(phrase: str) -> None:
    assert has_text(f"phrase.{phrase}")


@pytest.mark.parametrize("said", [" ", "a\nb", "a\u202eb", "\x00", "\u2066a", "a\x1b[31m"])
def test_what_cannot_be_shown_is_refused(said: str, tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            _, (ana,) = await here.table_of("ana")
            assert await ana.refused(msg.Chat, text=said) == "chat_content"

    run(case)


def test_too_much_is_refused_for_a_while(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            _, (ana, bob) = await here.table_of("ana", "bob")
            for number in range(CHAT_WINDOW_MAX):
                await ana.done(msg.Chat, text=f"line {number}")
            assert await ana.refused(msg.Chat, text="more") == "chat_too_fast"
            assert await ana.refused(msg.Phrase, phrase="sorry") == "chat_too_fast"
            await bob.done(msg.Chat, text="quiet please")
            await here.turn(CHAT_WINDOW_MS)
            await ana.done(msg.Chat, text="sorry")
            assert await ana.refused(msg.Phrase, phrase="nonsense") == "unknown_phrase"

    run(case)


def test_who_is_muted_is_not_heard(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob, cid) = await here.table_of("ana", "bob", "cid")
            await ana.done(msg.Chat, text="before")
            await bob.done(msg.Mute, member=1)
            assert await bob.refused(msg.Mute, member=1) == "no_change"
            assert await bob.refused(msg.Mute, member=2) == "no_such_member"
            assert await bob.refused(msg.Mute, member=99) == "no_such_member"
            await ana.done(msg.Chat, text="after")
            assert heard(cid) == ["before", "after"]
            assert heard(bob) == ["before"]
            assert table.snapshot(bob.principal).chat == ()
            assert table.snapshot(bob.principal).you.muted == (1,)
            told = [e for m in ana.take() + ana.seen if isinstance(m, msg.Update) for e in m.events]
            assert not [event for event in told if isinstance(event, MuteChanged)]
            await bob.done(msg.Mute, member=1, muted=False)
            await ana.done(msg.Chat, text="again")
            assert heard(bob) == ["again"]
            again = here.join(table, "bob", since=1)
            assert heard(again) == ["before", "after", "again"]

    run(case)


def test_spectators_are_silent_unless_the_table_lets_them(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            quiet, (ana,) = await here.table_of("ana")
            eve = here.join(quiet, "eve")
            assert await eve.refused(msg.Chat, text="hi") == "chat_seated"
            assert await eve.refused(msg.Mute, member=1) == "not_member"
            assert not quiet.snapshot(eve.principal).you.may_chat
            open_table, (bob,) = await here.table_of("bob", spectator_chat=True)
            fay = here.join(open_table, "fay")
            await fay.done(msg.Chat, text="hi")
            assert heard(bob) == ["hi"]
            assert [member.name for member in open_table.snapshot(bob.principal).members] == ["bob", "fay"]
            off, (cid,) = await here.table_of("cid", chat=False)
            assert await cid.refused(msg.Chat, text="hi") == "chat_off"
            assert await cid.refused(msg.Phrase, phrase="hello") == "chat_off"
            assert not off.snapshot(cid.principal).you.may_chat
            assert ana.seat == 0

    run(case)


def test_what_spectators_say_during_a_match_is_for_themselves(tmp_path: Path) -> None:
    """No player hears it, neither at once nor by a snapshot nor after coming back; before the match all do."""

    async def case() -> None:
        async with club(tmp_path, TableSettings(bot_pause_ms=0, seed_wait_ms=0)) as here:
            table, (ana, bob) = await here.table_of("ana", "bob", rules="burraco", players=2, spectator_chat=True)
            eve, fay = here.join(table, "eve"), here.join(table, "fay")
            await eve.done(msg.Chat, text="good luck")
            for player in (ana, bob):
                await player.done(msg.Ready)
            assert table.fold.running
            begun = table.version
            await eve.done(msg.Chat, text="bob has two jokers")
            await fay.done(msg.Phrase, phrase="thanks")
            await ana.done(msg.Chat, text="hello all")
            assert heard(ana) == heard(bob) == ["good luck", "hello all"]
            assert heard(fay) == heard(eve) == ["good luck", "bob has two jokers", "thanks", "hello all"]
            shown = {name: table.snapshot(one.principal).chat for name, one in (("ana", ana), ("eve", eve))}
            assert [line.text for line in shown["ana"]] == ["good luck", "hello all"]
            assert [line.apart for line in shown["eve"]] == [False, True, True, False]
            assert heard(here.join(table, "bob", since=begun)) == ["hello all"]

    run(case)
