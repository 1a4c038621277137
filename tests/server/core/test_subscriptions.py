"""Bounded queues: a slow reader gets a snapshot, one that reads not even its replies is disconnected."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from buraco.server import messages as msg
from buraco.server.subscriptions import Subscription
from buraco.server.terms import CLOSE_GONE, CLOSE_SLOW, SubscriptionClosed
from tests.server.core.playing import QUICK, Player, club, run, someone

SHORT = replace(QUICK, queue_max=16)


def reply(number: int) -> msg.Ack:
    return msg.Ack(id=str(number), version=number)


def update(version: int) -> msg.Update:
    return msg.Update(version=version, at_ms=0, events=())


def presence(at_ms: int) -> msg.Presence:
    return msg.Presence(at_ms=at_ms, here=(), away_since_ms=(), bot_at_ms=(), spectators=0)


def subscription(queue_max: int = 4) -> Subscription:
    def no_snapshot(_: Subscription) -> msg.Snapshot:
        raise LookupError("a snapshot is wanted")

    return Subscription(someone("ana"), queue_max, snapshot=no_snapshot, on_close=lambda _: None)


def test_messages_come_in_order_and_presence_only_once() -> None:
    async def case() -> None:
        one = subscription()
        one.put(update(1))
        one.put(presence(1))
        one.put(presence(2))
        one.reply(reply(1))
        assert [one.next_now() for _ in range(3)] == [update(1), presence(2), reply(1)]
        assert one.next_now() is None

    run(case)


def test_a_reader_waits_for_the_next_message_and_the_end() -> None:
    async def case() -> None:
        one = subscription()
        for _ in range(2):
            waiting = asyncio.create_task(one.next())
            await asyncio.sleep(0)
            one.put(update(2))
            assert await waiting == update(2)
        waiting = asyncio.create_task(one.next())
        await asyncio.sleep(0)
        one.end(4000, "over")
        with pytest.raises(SubscriptionClosed, match="over"):
            await waiting

    run(case)


def test_a_listener_is_told_of_all_that_comes_until_the_connection_is_gone() -> None:
    async def case() -> None:
        one = subscription(2)
        heard: list[str] = []
        one.put(update(1))
        one.listen(lambda: heard.append("told"))
        assert heard == ["told"]
        assert one.next_now() == update(1)
        one.put(update(2))
        one.reply(reply(1))
        one.restart([])
        one.end(4000, "over")
        assert heard == ["told"] * 5
        one.close()
        assert heard == ["told"] * 5

    run(case)


def test_too_much_news_becomes_a_snapshot_behind_the_replies() -> None:
    async def case() -> None:
        one = subscription()
        one.reply(reply(1))
        for version in range(5):
            one.put(update(version))
        assert one.waiting == 1
        one.put(update(9))
        one.reply(reply(2))
        assert [one.next_now(), one.next_now()] == [reply(1), reply(2)]
        with pytest.raises(LookupError):
            one.next_now()
        one.put(update(10))
        assert one.next_now() == update(10)

    run(case)


def test_unread_replies_end_it() -> None:
    async def case() -> None:
        one = subscription()
        for number in range(6):
            one.reply(reply(number))
        with pytest.raises(SubscriptionClosed) as closed:
            one.next_now()
        assert closed.value.code == CLOSE_SLOW
        one.put(update(1))
        one.reply(reply(7))
        one.end(1, "again")
        with pytest.raises(SubscriptionClosed) as still:
            one.next_now()
        assert still.value.code == CLOSE_SLOW

    run(case)


def test_what_waits_is_delivered_before_the_end() -> None:
    async def case() -> None:
        one = subscription()
        one.put(update(1))
        one.end(4000, "over")
        assert one.closed
        assert one.next_now() == update(1)
        with pytest.raises(SubscriptionClosed, match="over"):
            one.next_now()
        other = subscription()
        other.put(update(1))
        other.close()
        with pytest.raises(SubscriptionClosed) as closed:
            other.next_now()
        assert closed.value.code == CLOSE_GONE

    run(case)


def test_a_slow_reader_gets_a_snapshot_and_then_goes_on(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, SHORT) as here:
            table, (ana, bob) = await here.table_of("ana", "bob")
            bob.take()
            for number in range(20):
                await ana.done(msg.Mute, member=2, muted=number % 2 == 0)
                ana.take()
            assert bob.subscription.waiting <= SHORT.queue_max
            first = bob.take()
            assert [type(message).__name__ for message in first] == ["Snapshot"]
            assert isinstance(first[0], msg.Snapshot)
            assert first[0].version == table.version
            await ana.done(msg.Chat, text="hello")
            assert [type(message).__name__ for message in bob.take()] == ["Update"]

    run(case)


def test_a_resume_over_an_open_connection(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana, bob) = await here.match_of("ana", "bob")
            begun = table.version
            for said in ("one", "two", "three"):
                await ana.done(msg.Chat, text=said)
            await bob.done(msg.Resume, since=begun)
            told = [message for message in bob.take() if isinstance(message, msg.Update)]
            assert [message.version for message in told[-3:]] == [begun + 1, begun + 2, begun + 3]
            assert await bob.refused(msg.Resume, since=table.version + 1) == "future_version"
            await bob.done(msg.Resume, since=1)
            assert isinstance(bob.take()[-1], msg.Snapshot)
            answer = await table.handle(bob.principal, msg.Resume(id="alone", version=0, since=0))
            assert isinstance(answer, msg.Refused)
            assert answer.code == "resume_here"

    run(case)


def test_of_a_short_history_a_snapshot_is_left(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path, replace(QUICK, history_max=3)) as here:
            table, (ana, _) = await here.match_of("ana", "bob")
            begun = table.version
            for said in ("one", "two", "three", "four"):
                await ana.done(msg.Chat, text=said)
            assert isinstance(here.join(table, "bob", since=begun).take()[0], msg.Snapshot)
            assert isinstance(here.join(table, "bob", since=begun + 1).take()[0], msg.Update)
            assert isinstance(here.join(table, "bob", since=table.version + 5).take()[0], msg.Snapshot)
            assert isinstance(here.join(table, "bob", since=table.version).take()[0], msg.Presence)

    run(case)


def test_two_connections_of_one_person_hear_the_same(tmp_path: Path) -> None:
    async def case() -> None:
        async with club(tmp_path) as here:
            table, (ana,) = await here.match_of("ana", rules="burraco", players=2)
            other = here.join(table, "ana")
            for player in (ana, other):
                player.take()
                player.seen.clear()
            await ana.done(msg.Act, action=0)
            reply_, *news = ana.take()
            assert isinstance(reply_, msg.Ack)
            assert news == other.take()
            assert isinstance(news[0], msg.Update)
            assert news[0].view is not None
            assert news[0].view.hands[0] is not None
            again = Player(table, ana.principal, other.subscription)
            replies = await asyncio.gather(ana.say(msg.Chat, text="a"), again.say(msg.Chat, text="b"))
            assert all(isinstance(one, msg.Ack) for one in replies)

    run(case)
