"""The socket of a table: replies, closes, two sockets of one seat, slow readers, coming back, stopping."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from buraco.server.app import Ground
from buraco.server.ws import CLOSE_CODES, SUBPROTOCOL
from tests.server.databases import on_site
from tests.server.net.clients import Guest, Seat, open_seat, play_now
from tests.server.net.serving import Running, cheap_hasher, running_server
from tests.server.net.test_match import choose

pytestmark = pytest.mark.anyio


async def close_code(seat: Seat) -> int:
    """Return the code with which the server closes a socket."""
    try:
        while True:
            await seat.hear()
    except ConnectionClosed:
        code = seat.connection.close_code
        assert code is not None
        return code


async def seated(running: Running, **options: object) -> tuple[Guest, Seat, dict[str, Any]]:
    guest = await Guest.make(running)
    made = await play_now(guest, **options)
    seat = await guest.open(made["table"])
    await seat.hear()
    return guest, seat, made


async def own_turn(seat: Seat) -> None:
    await seat.until(lambda: seat.view is not None and seat.view["legal"] is not None)


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("{", 1007),
        ("", 1007),
        ("nonsense", 1007),
        ("[" * 8000, 1007),
        ('[1,"a", {', 1007),
        ('{"id":"a","version":NaN}', 1007),
        ('{"id":"a","version":01}', 1007),
        ('{"id":"a","more":' + "[" * 3000 + "}", 1007),
        ('{"type":"act","version":1e400}', 4000),
        (b"{}", 1003),
        ("7", 4000),
        ("null", 4000),
        ("[]", 4000),
        ("{}", 4000),
        ('{"type":"act"}', 4000),
        ('{"type":"act","id":7,"version":0}', 4000),
        ('{"type":"act","id":"","version":0}', 4000),
        ('{"type":"act","id":"a b","version":0}', 4000),
        ('{"type":"act","id":"' + "x" * 41 + '","version":0}', 4000),
        ('{"type":"chat","id":"a","version":0,"text":"' + "x" * 20_000 + '"}', 1009),
        ('{"type":"chat","id":"a","version":0,"text":"' + "é" * 9_000 + '"}', 1009),
    ],
    ids=lambda value: str(value)[:30],
)
async def test_what_gets_no_reply_is_closed_with_a_documented_code(
    running: Running, sent: str | bytes, code: int
) -> None:
    _, seat, _ = await seated(running)
    await seat.connection.send(sent)
    assert await close_code(seat) == code
    assert code in CLOSE_CODES


@pytest.mark.parametrize(
    "message",
    [
        {"type": "fly"},
        {"type": "act"},
        {"type": "act", "action": "draw"},
        {"type": "act", "action": -1},
        {"type": "act", "action": 2**60},
        {"type": "act", "action": 0, "seat": 1},
        {"type": "act", "action": 0, "version": -1},
        {"type": "chat", "text": ""},
        {"type": "chat", "text": "x" * 301},
        {"type": "seed", "deal": 1, "seed": "xyz"},
        {"type": "probe", "cards": []},
        {"type": "probe", "cards": ["7h"] * 201},
        {"type": "sit", "seat": 9},
        {"id": "here"},
    ],
    ids=json.dumps,
)
async def test_json_that_is_no_message_is_refused_by_its_id(running: Running, message: dict[str, Any]) -> None:
    _, seat, _ = await seated(running)
    await seat.send({"id": "here", "version": 0, **message})
    reply = await seat.reply_to("here")
    assert (reply["type"], reply["code"]) == ("refused", "bad_message")
    assert (await seat.ask("act", action=10**6))["type"] == "refused", "the socket is still open"
    await seat.close()


# What is JSON, and yet more than a decoder takes: numbers without bounds, depth, letters that are none.
TOO_MUCH = {
    "huge": str(2**70),
    "negative": "-1",
    "very_negative": str(-(2**70)),
    "infinite": "1e400",
    "fraction": "1.5",
    "whole_fraction": "1.0",
    "exponent": "1e2",
    "digits": "9" * 5000,
    "fraction_digits": "0." + "1" * 5000,
    "deep": "[" * 3000 + "]" * 3000,
    "half_a_pair": '"\\ud800"',
}


@pytest.mark.parametrize("where", ["version", "action", "unknown"])
async def test_json_beyond_any_bound_is_refused_by_its_id_too(running: Running, where: str) -> None:
    guest, seat, made = await seated(running)
    texts = []
    for name, value in TOO_MUCH.items():
        members = {"type": '"act"', "version": "0", "action": "0", where: value, "id": f'"{name}"'}
        for order in (list(members), list(reversed(members))):
            texts.append((name, "{" + ", ".join(f'"{member}": {members[member]}' for member in order) + "}"))
    async with running.client(headers={**guest.headers, "Content-Type": "application/json"}) as client:
        for name, text in texts:
            await seat.connection.send(text)
            response = await client.post(f"/api/tables/{made['table']}/messages", content=text)
            assert response.status_code == 200, name
            for reply in (await seat.reply_to(name), response.json()):
                assert (reply["type"], reply["code"], reply["id"]) == ("refused", "bad_message", name)
                assert reply["version"] > 0
    assert (await seat.ask("why", action=10**6)).get("code") != "bad_message", "the socket is still open"
    await seat.close()


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"{", 400, "bad_json"),
        (b'{"id":"a","version":NaN}', 400, "bad_json"),
        (b'{"id":"a","text":"\xff"}', 400, "bad_json"),
        (b'{"type":"act","version":0,"action":1e400}', 422, "invalid"),
        (b"[]", 422, "invalid"),
    ],
    ids=repr,
)
async def test_over_http_what_has_no_id_is_a_problem(running: Running, sent: bytes, status: int, code: str) -> None:
    guest, seat, made = await seated(running)
    async with running.client(headers={**guest.headers, "Content-Type": "application/json"}) as client:
        response = await client.post(f"/api/tables/{made['table']}/messages", content=sent)
    assert (response.status_code, response.json()["code"]) == (status, code)
    await seat.close()


async def test_over_http_a_message_is_as_long_as_over_a_socket(running: Running) -> None:
    guest, seat, made = await seated(running)
    for count, status in ((1_000, 200), (running.parts.settings.message_bytes_max, 413)):
        message = {"type": "chat", "id": "long", "version": 0, "text": "x" * count}
        response = await guest.ask("POST", f"/api/tables/{made['table']}/messages", message)
        assert response.status_code == status
        assert response.json()["code"] == ("bad_message" if status == 200 else "too_long")
    await seat.close()


async def test_over_http_nobody_talks_to_a_table_that_they_may_not_see(running: Running) -> None:
    _, seat, made = await seated(running, spectators=False)
    stranger = await Guest.make(running, "Bob")
    message = {"type": "why", "id": "a", "version": 0, "action": 0}
    response = await stranger.ask("POST", f"/api/tables/{made['table']}/messages", message)
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")
    await seat.close()


@on_site
async def test_nobody_without_a_token_hears_anything(running: Running) -> None:
    _, seat, made = await seated(running)
    for headers in ({}, {"Authorization": "Bearer b1.x"}, {"Cookie": "buraco=nonsense"}):
        stranger = await open_seat(running, made["table"], headers)
        assert await close_code(stranger) == 4001
        assert stranger.heard == []
    await seat.close()


@on_site
async def test_nobody_is_asked_for_a_token_at_a_table_that_there_is_not(running: Running) -> None:
    for headers in ({}, {"Authorization": "Bearer b1.x"}):
        stranger = await open_seat(running, "ZZZZZZ", headers)
        assert await close_code(stranger) == 4004
        assert stranger.heard == []


@on_site
async def test_s3_an_action_needs_the_seats_own_token(running: Running) -> None:
    _, seat, made = await seated(running)
    await own_turn(seat)
    other = await Guest.make(running, "Ana")
    foreign = await other.open(made["table"])
    await foreign.hear()
    reply = await foreign.ask("act", action=0, version=seat.version)
    assert (reply["type"], reply["code"]) == ("refused", "not_seated")
    await foreign.close()
    await seat.close()


@on_site
@pytest.mark.parametrize("name", ["NOSUCH", "-", "a%20b", "x" * 60])
async def test_a_table_that_is_not_there_closes_the_socket(running: Running, name: str) -> None:
    guest = await Guest.make(running)
    assert await close_code(await guest.open(name)) == 4004


async def test_a_table_without_spectators_is_closed_to_them(running: Running) -> None:
    _, seat, made = await seated(running, spectators=False)
    stranger = await Guest.make(running, "Bob")
    assert await close_code(await stranger.open(made["table"])) == 4003
    await seat.close()


async def test_a_version_that_is_none_closes_the_socket(running: Running) -> None:
    guest, seat, made = await seated(running)
    address = f"{running.socket_address}/api/tables/{made['table']}/socket?since=yesterday"
    wrong = Seat(await connect(address, additional_headers=guest.headers, proxy=None))
    assert await close_code(wrong) == 4000
    await seat.close()


async def test_the_subprotocol_is_agreed_or_refused(running: Running) -> None:
    guest, seat, made = await seated(running)
    address = f"{running.socket_address}/api/tables/{made['table']}/socket"
    good = await connect(address, additional_headers=guest.headers, subprotocols=[SUBPROTOCOL], proxy=None)  # type: ignore[list-item]
    assert good.subprotocol == SUBPROTOCOL
    await good.close()
    other = await connect(address, additional_headers=guest.headers, subprotocols=["buraco.99"], proxy=None)  # type: ignore[list-item]
    assert await close_code(Seat(other)) == 4000
    await seat.close()


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
async def test_a_page_of_another_site_gets_no_socket(running: Running, origin: str) -> None:
    guest, seat, made = await seated(running)
    address = f"{running.socket_address}/api/tables/{made['table']}/socket"
    with pytest.raises(InvalidStatus) as caught:
        await connect(address, additional_headers={**guest.headers, "Origin": origin}, proxy=None)
    assert caught.value.response.status_code == 403
    await seat.close()


async def test_messages_beyond_the_rate_close_the_socket(tmp_path: Path) -> None:
    # No allowance fills up again while the test goes on.
    ground = Ground(steady=lambda: 0.0, bots="inline", hasher=cheap_hasher())
    async with running_server(tmp_path, ground, messages_per_s=1, messages_burst=5) as running:
        _, seat, _ = await seated(running)
        for number in range(8):
            await seat.send({"type": "why", "id": f"w{number}", "version": 0, "action": 0})
        assert await close_code(seat) == 4029
        replies = [one for one in seat.heard if one["type"] in ("ack", "refused")]
        assert [one["id"] for one in replies] == [f"w{number}" for number in range(5)]


@on_site
async def test_only_so_many_sockets_are_open(tmp_path: Path) -> None:
    async with running_server(tmp_path, connections_per_person=2) as site:
        # Each server counts its own.
        running = site.first
        guest, first, made = await seated(running)
        second = await guest.open(made["table"])
        await second.hear()
        assert await close_code(await guest.open(made["table"])) == 4028
        await second.close()
        await until(lambda: running.parts.sockets.counts.total == 1)
        third = await guest.open(made["table"])
        assert (await third.hear())["type"] == "snapshot"
        await third.close()
        await first.close()
        await until(lambda: running.parts.sockets.counts.total == 0)


async def until(holds: Any) -> None:
    """Let the loop work until something holds."""
    async with asyncio.timeout(30):
        while not holds():
            await asyncio.sleep(0)


@on_site
async def test_two_sockets_on_one_seat_see_the_same_and_act_once(running: Running) -> None:
    guest, first, made = await seated(running)
    second = await guest.open(made["table"])
    await own_turn(first)
    await own_turn(second)
    assert first.view == second.view
    version = first.version
    message = {"type": "act", "id": "same", "version": version, "action": 0}
    await first.send(message)
    await second.send(message)
    one, two = await first.reply_to("same"), await second.reply_to("same")
    assert one == two
    assert one["type"] == "ack"
    other = {**message, "id": "other"}
    await second.send(other)
    late = await second.reply_to("other")
    assert (late["type"], late["code"]) == ("refused", "stale_version")
    await first.until(lambda: first.version == one["version"])
    await second.until(lambda: second.version == one["version"])
    assert first.view == second.view
    await first.close()
    await second.close()


@on_site
async def test_s12_a_repeated_message_has_one_effect_and_one_reply(running: Running) -> None:
    _, seat, _ = await seated(running)
    await own_turn(seat)
    message = {"type": "act", "id": "once", "version": seat.version, "action": 0}
    await seat.send(message)
    await seat.send(message)
    first = await seat.reply_to("once")
    second = await seat.reply_to("once")
    assert first == second
    await seat.close()


@on_site
async def test_s5_s13_a_dropped_player_returns_and_hears_what_was_missed_in_order(running: Running) -> None:
    guest, seat, made = await seated(running)
    await own_turn(seat)
    version = seat.version
    seat.connection.transport.abort()
    again = await guest.open(made["table"], since=version)
    assert (await again.hear())["type"] in ("update", "presence")
    reply = await again.ask("act", action=0, version=version)
    assert reply["type"] == "ack"
    await again.until(lambda: again.version >= reply["version"])
    versions = [one["version"] for one in again.heard if one["type"] == "update"]
    assert versions == list(range(version + 1, version + 1 + len(versions)))
    fresh = await guest.open(made["table"])
    snapshot = await fresh.hear()
    assert snapshot["type"] == "snapshot"
    assert snapshot["you"]["seat"] == 0
    await again.close()
    await fresh.close()


@on_site
async def test_s8_who_leaves_for_good_is_played_by_a_bot_and_may_come_back(running: Running) -> None:
    _, seat, _ = await seated(running)
    await own_turn(seat)
    assert (await seat.ask("leave"))["type"] == "ack"
    await seat.until(lambda: seat.table is not None and seat.table["seats"][0]["played_by_bot"] == "left")
    assert (await seat.ask("take_back"))["type"] == "ack"
    await seat.until(lambda: seat.table is not None and seat.table["seats"][0]["played_by_bot"] == "")
    await seat.close()


async def test_a_client_that_reads_nothing_holds_nobody_up_and_is_dropped(tmp_path: Path) -> None:
    async with running_server(tmp_path, send_s=1, queue_max=16) as running:
        guest, seat, made = await seated(running)
        deaf = await raw_socket(running, made["table"], guest.token)
        await until(lambda: running.parts.sockets.counts.total == 2)
        asked = 0
        while running.parts.sockets.counts.total == 2:
            # Its own questions are answered into the void; the table plays on.
            frames = b"".join(
                masked({"type": "resume", "id": f"r{asked + i}", "version": 0, "since": 0}) for i in range(20)
            )
            asked += 20
            deaf.send(frames)
            if seat.view is not None and seat.view["legal"] is not None:
                await seat.ask("act", action=choose(seat.view["legal"]))
            else:
                # Also where nothing happens any more: the match may end before the server has filled its window.
                await seat.ask("why", action=0)
        deaf.close()
        assert (await seat.ask("why", action=0))["type"] in ("ack", "refused")
        await seat.close()


class Deaf:
    """A connection that sends and never reads."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def send(self, data: bytes) -> None:
        try:
            self._connection.send(data)
        except (BlockingIOError, ConnectionError):
            # Its own messages wait as well, or it was dropped.
            return

    def close(self) -> None:
        self._connection.close()


async def raw_socket(running: Running, table: str, token: str) -> Deaf:
    """Open a socket by hand, with a small window, and read only the answer to the handshake."""
    host, port = running.address.removeprefix("http://").split(":")
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(connection, (host, int(port)))
    lines = (
        f"GET /api/tables/{table}/socket HTTP/1.1",
        f"Host: {host}:{port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Authorization: Bearer {token}",
    )
    await loop.sock_sendall(connection, ("\r\n".join(lines) + "\r\n\r\n").encode())
    assert b"101" in await loop.sock_recv(connection, 64)
    return Deaf(connection)


def masked(message: dict[str, Any]) -> bytes:
    """Return a text frame of a client with an empty mask."""
    content = json.dumps(message).encode()
    assert len(content) < 126
    return bytes((0x81, 0x80 | len(content), 0, 0, 0, 0)) + content


@on_site
async def test_a_stop_tells_the_clients_and_the_table_goes_on_afterwards(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        guest, seat, made = await seated(running)
        await own_turn(seat)
        reply = await seat.ask("act", action=0)
        assert reply["type"] == "ack"
        stopping = asyncio.create_task(close_code(seat))
    assert await stopping == 1012
    assert any(one["type"] == "stopping" for one in seat.heard)
    async with running_server(tmp_path) as again:
        back = Guest(again, guest.token, guest.person)
        fresh = await back.open(made["table"])
        snapshot = await fresh.hear()
        assert snapshot["version"] >= reply["version"]
        assert snapshot["you"]["seat"] == 0
        assert snapshot["view"]["hands"][0] == (seat.view or {})["hands"][0]
        await fresh.close()


@on_site
async def test_a_person_who_is_barred_is_shut_out(running: Running) -> None:
    guest, seat, made = await seated(running)
    await running.parts.people.set_banned(guest.person["person"], True)
    assert (await guest.ask("GET", "/api/me")).json()["code"] == "banned"
    assert await close_code(await guest.open(made["table"])) == 4003
    await running.parts.people.set_banned(guest.person["person"], False)
    assert (await guest.ask("GET", "/api/me")).status_code == 200
    await seat.close()
