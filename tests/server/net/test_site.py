"""Two servers on the same tables: races, sockets that move, a server that is killed, a Redis that goes away."""

from __future__ import annotations

import asyncio
import errno
import itertools
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from redis.asyncio import Redis

from buraco.server import signals
from tests.server.databases import only_site, redis_url, use_redis
from tests.server.net.clients import Guest, Seat, play_now
from tests.server.net.serving import Place, Running, child, running_server
from tests.server.net.test_commands import command
from tests.server.net.test_match import choose
from tests.server.net.test_postgresql import on_the_same_database, refusal
from tests.server.net.test_socket import close_code
from tests.server.net.trials import Written, written
from tests.server.relay import Relay, relay

pytestmark = [pytest.mark.anyio, only_site]


async def log_of(data: Path, table: str) -> Written:
    """Return what stands in the database of a table."""
    (found,) = await written(data, [table])
    return found


def check_written(found: Written) -> None:
    """Nothing counts twice, and every card is there."""
    assert [one.seq for one in found.entries] == list(range(1, len(found.entries) + 1))
    sent = [(one.entry.by, one.entry.id) for one in found.entries if one.entry.id]
    assert len(set(sent)) == len(sent)
    found.check_cards()


def moved(guest: Guest, running: Place) -> Guest:
    """Return somebody who turns to another server."""
    return Guest(running, guest.token, guest.person)


async def two_people(running: Running, **options: object) -> tuple[str, list[Guest], list[Seat]]:
    """Begin a match of two people, each at a server of their own; return the table, the people and their sockets."""
    guests = [await Guest.make(running.at(number), name) for number, name in enumerate(("Anabela", "Bobinho"))]
    made = await guests[0].ask("POST", "/api/tables", {"options": {"rules": "burraco", "players": 2, **options}})
    table = made.json()["table"]
    assert (await guests[1].ask("POST", f"/api/tables/{table}/join", {})).status_code == 200
    seats = [await guest.open(table) for guest in guests]
    for seat in seats:
        await seat.hear()
        assert (await seat.ask("ready"))["type"] == "ack"
    return table, guests, seats


async def act_once(seats: list[Seat]) -> tuple[Seat, Seat]:
    """Let whoever is to act do so, and the other one hear it; return both."""
    while not any(one.view is not None and one.view["legal"] for one in seats):
        await asyncio.wait([asyncio.ensure_future(one.hear()) for one in seats], return_when=asyncio.ALL_COMPLETED)
    acting = next(one for one in seats if one.view is not None and one.view["legal"])
    (other,) = (one for one in seats if one is not acting)
    assert acting.view is not None
    reply = await acting.ask("act", action=choose(acting.view["legal"]))
    assert reply["type"] == "ack", reply
    for one in seats:
        await one.until(lambda one=one: one.version >= reply["version"])  # type: ignore[misc]
    return acting, other


async def play_turns(seat: Seat, count: int) -> None:
    """Act so often, whenever it is the seat's turn."""
    while count:
        await seat.until(lambda: seat.view is not None and bool(seat.view["legal"]))
        assert seat.view is not None
        reply = await seat.ask("act", action=choose(seat.view["legal"]))
        count -= reply["type"] == "ack"
        assert reply["type"] == "ack" or reply["code"] == "stale_version", reply
        await seat.until(lambda: seat.version >= reply["version"])  # noqa: B023


def updates(seat: Seat) -> list[int]:
    """Return the versions that a socket has heard of, in order."""
    return [one["version"] for one in seat.heard if one["type"] in ("snapshot", "update")]


async def settled(seats: list[Seat]) -> None:
    """Wait until somebody is to act, as all sockets know."""
    for one in seats:
        await one.until(lambda one=one: one.view is not None and one.view["turn_seat"] is not None)  # type: ignore[misc]


async def test_what_is_done_at_one_server_is_heard_at_the_other_in_order(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        _, _, seats = await two_people(running)
        await settled(seats)
        for _ in range(30):
            await act_once(seats)
        for seat in seats:
            heard = updates(seat)
            assert heard == list(range(heard[0], heard[-1] + 1)), "nothing is left out or told twice"
        assert seats[0].view is not None
        assert seats[1].view is not None
        assert seats[0].view["melds"] == seats[1].view["melds"]
        hidden = [one["view"]["hands"][1 - number] for number, seat in enumerate(seats) for one in seat.heard
                  if one["type"] in ("snapshot", "update") and one.get("view")]  # fmt: skip
        assert hidden
        assert set(map(type, hidden)) == {type(None)}


async def test_who_writes_at_once_at_both_servers_is_put_in_one_order(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        table, guests, seats = await two_people(running)
        lines = [(seat, f"{guest.person['name']} {number}") for number in range(5)
                 for seat, guest in zip(seats, guests, strict=True)]  # fmt: skip
        for seat, (number, line) in zip(itertools.cycle(seats), enumerate(said for _, said in lines), strict=False):
            await seat.send({"type": "chat", "id": f"c{number}", "version": seat.version, "text": line})
        for seat in seats:
            await seat.until(
                lambda seat=seat: (
                    sum(e["event"] == "chat_said" for one in seat.heard for e in one.get("events", ()))  # type: ignore[misc]
                    == len(lines)
                )
            )
        replies = [one for seat in seats for one in seat.heard if one["type"] in ("ack", "refused")]
        assert {one["type"] for one in replies} == {"ack"}, replies
        said = [[e["line"]["text"] for one in seat.heard for e in one.get("events", ()) if e["event"] == "chat_said"]
                for seat in seats]  # fmt: skip
        assert said[0] == said[1]
        assert sorted(said[0]) == sorted(line for _, line in lines)
        entries = (await log_of(tmp_path, table)).entries
        assert [one.seq for one in entries] == list(range(1, len(entries) + 1))


async def test_one_message_sent_to_both_servers_counts_once(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        table, guests, seats = await two_people(running)
        await settled(seats)
        acting = next(one for one in seats if one.view is not None and one.view["legal"])
        guest = guests[seats.index(acting)]
        twin = await moved(guest, running.at(1 - seats.index(acting))).open(table)
        await twin.hear()
        assert acting.view is not None
        message = {"type": "act", "id": "once", "version": acting.version, "action": choose(acting.view["legal"])}
        await asyncio.gather(acting.send(message), twin.send(message))
        replies = await asyncio.gather(acting.reply_to("once"), twin.reply_to("once"))
        assert [one["type"] for one in replies] == ["ack", "ack"], replies
        assert replies[0]["version"] == replies[1]["version"]
        assert (await log_of(tmp_path, table)).counts["once"] == 1


async def test_a_socket_moves_to_the_other_server_in_mid_turn_and_nobody_is_away(tmp_path: Path) -> None:
    async with running_server(tmp_path, bot_after_s=1) as running:
        table, guests, seats = await two_people(running)
        await settled(seats)
        for number in range(6):
            acting, other = await act_once(seats)
            index = seats.index(acting)
            place = running.at(number % 2)
            seats[index] = await moved(guests[index], place).reopen(table, acting, acting.version)
            await acting.close()
            await settled(seats)
            assert other.table is not None
        told = [e["event"] for seat in seats for one in seat.heard for e in one.get("events", ())]
        assert "bot_took_over" not in told
        found = await log_of(tmp_path, table)
        check_written(found)


async def test_who_leaves_is_away_at_both_servers_and_a_bot_takes_over(tmp_path: Path) -> None:
    async with running_server(tmp_path, bot_after_s=1) as running:
        table, guests, seats = await two_people(running)
        await settled(seats)
        await seats[1].close()
        await seats[0].until(lambda: seats[0].heard[-1]["type"] == "presence" and len(seats[0].heard[-1]["here"]) == 1)
        await seats[0].until(lambda: seats[0].table is not None and seats[0].table["seats"][1]["played_by_bot"] != "")
        back = await moved(guests[1], running.at(0)).open(table)
        await back.until(lambda: back.table is not None and back.table["seats"][1]["played_by_bot"] == "")
        assert [type(one.entry).__name__ for one in (await log_of(tmp_path, table)).entries].count("TookOver") == 1


async def test_a_killed_server_leaves_nothing_undone(tmp_path: Path) -> None:
    async with child(tmp_path) as (theirs, process), running_server(tmp_path) as running:
        ana = await Guest.make(theirs, "Ana")
        made = await play_now(ana)
        seat = await ana.open(made["table"])
        await settled([seat])
        await play_turns(seat, 3)
        process.send_signal(signal.SIGKILL)
        await process.wait()
        # Bots play on and the seat is there, before anybody could know that the other server is dead.
        again = await moved(ana, running.first).reopen(made["table"], seat, seat.version)
        await play_turns(again, 3)
        async with asyncio.timeout(30):
            while running.parts.peers.alone() or not running.parts.peers.certain():
                await asyncio.sleep(0)
        found = await log_of(tmp_path, made["table"])
        check_written(found)


async def test_who_cannot_be_heard_at_one_server_goes_on_at_the_other(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        table, guests, seats = await two_people(running)
        await settled(seats)
        acting = next(one for one in seats if one.view is not None and one.view["legal"])
        index = seats.index(acting)
        full = [True]

        def refuse(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
            if full[0] and statement.startswith(("INSERT", "UPDATE")):
                raise sa.exc.OperationalError(statement, {}, OSError(errno.ENOSPC, "no space left on device"))

        sa.event.listen(running.everyone[index].service.store.engine.sync_engine, "before_cursor_execute", refuse)
        assert acting.view is not None
        message = {"type": "act", "id": "once", "version": acting.version, "action": choose(acting.view["legal"])}
        await acting.send(message)
        assert (await acting.reply_to("once"))["code"] == "storage"
        twin = await moved(guests[index], running.at(1 - index)).reopen(table, acting, acting.version)
        await twin.send(message)
        assert (await twin.reply_to("once"))["type"] == "ack"
        full[0] = False
        await acting.send(message)
        assert (await acting.reply_to("once"))["type"] == "ack", "it is the same message, and counts once"
        found = await log_of(tmp_path, table)
        assert found.counts["once"] == 1
        check_written(found)


@asynccontextmanager
async def with_a_line(folder: Path) -> AsyncIterator[tuple[Relay, Running]]:
    """Run a site whose line to Redis can be cut."""
    async with relay(redis_url(folder)) as (line, through):
        use_redis(folder, through)
        async with running_server(folder, bot_after_s=1) as running:
            yield line, running


async def certain(running: Running, *, wanted: bool) -> None:
    """Wait until all servers know, or do not know, who is connected to the others."""
    async with asyncio.timeout(60):
        while any(one.peers.certain() is not wanted for one in running.everyone):
            await asyncio.sleep(0)


async def test_without_redis_no_move_is_lost_and_nobody_loses_a_seat(tmp_path: Path) -> None:
    async with with_a_line(tmp_path) as (line, running):
        table, _, seats = await two_people(running)
        await settled(seats)
        await act_once(seats)
        line.down()
        await certain(running, wanted=False)
        for _ in range(4):
            await act_once(seats)
        async with running.client() as client:
            assert (await client.get("/readyz")).status_code == 200
        line.up()
        await certain(running, wanted=True)
        for _ in range(4):
            await act_once(seats)
        for seat in seats:
            heard = updates(seat)
            assert heard == list(range(heard[0], heard[-1] + 1))
        kinds = [type(one.entry).__name__ for one in (await log_of(tmp_path, table)).entries]
        assert "TookOver" not in kinds
        assert "Slept" not in kinds


async def test_bots_play_on_without_redis_where_somebody_is(tmp_path: Path) -> None:
    async with with_a_line(tmp_path) as (line, running):
        line.down()
        await certain(running, wanted=False)
        ana = await Guest.make(running)
        made = await play_now(ana)
        seat = await ana.open(made["table"])
        await play_turns(seat, 3)
        await seat.close()


async def test_who_was_deleted_meanwhile_is_nobody_when_redis_is_back(tmp_path: Path) -> None:
    async with with_a_line(tmp_path) as (line, running):
        table, guests, seats = await two_people(running)
        await settled(seats)
        line.down()
        await certain(running, wanted=False)
        assert (await guests[1].ask("DELETE", "/api/me")).status_code == 204
        line.up()
        async with asyncio.timeout(60):
            while b"Bobinho" in msgspec.json.encode((await guests[0].ask("GET", f"/api/tables/{table}")).json()):
                await asyncio.sleep(0)


async def test_who_was_barred_meanwhile_is_sent_away_when_redis_is_back(tmp_path: Path) -> None:
    async with with_a_line(tmp_path) as (line, running):
        _, guests, seats = await two_people(running)
        line.down()
        await certain(running, wanted=False)
        await running.parts.people.set_banned(guests[1].person["person"], True)
        line.up()
        assert await close_code(seats[1]) == 4003


async def test_a_deleted_person_has_no_name_at_any_server(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        table, guests, seats = await two_people(running)
        await settled(seats)
        await seats[1].ask("chat", text="hello from Bob")
        assert (await guests[1].ask("DELETE", "/api/me")).status_code == 204
        assert await close_code(seats[1]) == 4003
        async with asyncio.timeout(60):
            while "Bobinho" in (await guests[0].ask("GET", f"/api/tables/{table}")).text:
                await asyncio.sleep(0)


async def test_a_limit_holds_for_all_servers_together(tmp_path: Path) -> None:
    async with running_server(tmp_path, guests_per_hour=5) as running:
        codes = []
        for _ in range(8):
            async with running.client() as client:
                codes.append((await client.post("/api/guests", json={"name": "Ana"})).status_code)
        assert codes == [201] * 5 + [429] * 3


async def test_redis_hears_nothing_that_is_hidden_or_secret(tmp_path: Path) -> None:
    heard: list[bytes] = []
    async with (
        running_server(tmp_path) as running,
        Redis.from_url(redis_url(tmp_path)) as spy,
        spy.pubsub() as ear,
    ):
        await ear.psubscribe("*")
        table, guests, seats = await two_people(running)
        await settled(seats)
        for _ in range(10):
            await act_once(seats)
        await seats[0].ask("chat", text="a word of mine")
        while not {signals.News, signals.Here, signals.Beat} <= {type(signals.decode(data)) for data in heard}:
            got = await ear.get_message(timeout=30)
            if got is not None and got["type"] == "pmessage":
                heard.append(got["data"])
        while (got := await ear.get_message(timeout=0)) is not None:
            heard.append(got["data"])
    for data in heard:
        told = signals.decode(data)
        assert told is not None
        for part in _parts(msgspec.to_builtins(told)):
            fits = isinstance(part, int) or part is None or part in {table, *(g.person["person"] for g in guests)}
            assert fits or len(part) <= 16, part
    told_text = b"\n".join(heard)
    entries = (await log_of(tmp_path, table)).entries
    seeds = [one.entry.seed for one in entries if hasattr(one.entry, "seed")]
    assert seeds
    for word in (*seeds, "Anabela", "Bobinho", "a word of mine", *(guest.token for guest in guests)):
        assert word.encode() not in told_text


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [part for one in value.items() for each in one for part in _parts(each)]
    if isinstance(value, list | tuple):
        return [part for one in value for part in _parts(one)]
    return [value]


async def test_a_server_that_knows_of_no_others_and_a_site_keep_each_other_out(tmp_path: Path) -> None:
    alone = on_the_same_database(tmp_path)
    async with running_server(tmp_path):
        assert (await refusal(alone)).code == "data_in_use"
    async with running_server(alone):
        assert (await refusal(tmp_path)).code == "data_in_use"


async def test_a_server_with_another_key_is_kept_out(tmp_path: Path) -> None:
    other = on_the_same_database(tmp_path)
    use_redis(other, redis_url(tmp_path))
    async with running_server(tmp_path):
        assert (await refusal(other)).code == "token_key"


@pytest.mark.parametrize(
    ("address", "beside", "says"),
    [
        ("http://:Sesame0pen@localhost", "postgresql:///buraco", "redis://"),
        ("redis://:Sesame0pen@localhost:port", "postgresql:///buraco", "redis://"),
        ("redis://:Sesame0pen@", "postgresql:///buraco", "redis://"),
        ("Sesame0pen", "postgresql:///buraco", "redis://"),
        ("redis://:Sesame0pen@localhost", "", "--database-url"),
    ],
)
async def test_an_address_of_redis_that_cannot_be_is_told_without_its_password(
    address: str, beside: str, says: str, tmp_path: Path
) -> None:
    code, out, err = await command("serve", "--data", str(tmp_path), "--redis", address, "--database-url", beside)
    assert code == 2
    assert says in err
    assert "Sesame0pen" not in out + err
