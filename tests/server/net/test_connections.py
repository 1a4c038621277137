"""Connections of clients that are slow, silent, deaf, or too many."""

from __future__ import annotations

import asyncio
import gc
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from buraco.server.connections import Doors, http_protocol
from buraco.server.settings import Settings
from tests.server.net.clients import Guest, play_now
from tests.server.net.serving import Running, running_server

pytestmark = pytest.mark.anyio

GET = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
POST = b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


class Wire:
    """A connection of bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, running: Running) -> Wire:
        """Connect."""
        host, port = running.address.removeprefix("http://").split(":")
        return cls(*await asyncio.open_connection(host, int(port)))

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self.writer.write(data)

    async def send_on(self, data: bytes) -> None:
        """Send bytes again and again. Raises ConnectionError when the connection ends."""
        try:
            while True:
                self.send(data)
                await self.writer.drain()
        finally:
            self.writer.close()

    async def status(self) -> int:
        """Await the head of an answer; return its status."""
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), 30)
        return int(head.split()[1])

    async def ended(self) -> bytes:
        """Await the end of the connection; return what came before."""
        found = b""
        with suppress(ConnectionError):
            found = await asyncio.wait_for(self.reader.read(), 30)
        self.writer.close()
        return found


async def drip(wire: Wire, data: bytes) -> None:
    """Send byte for byte, each when the last is gone, until the connection ends."""
    with suppress(ConnectionError):
        for byte in data:
            wire.send(bytes((byte,)))
            await wire.writer.drain()
            await asyncio.sleep(0)


@pytest.fixture(scope="module")
async def strict(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """A server that waits for nobody longer than a second."""
    async with running_server(tmp_path_factory.mktemp("strict"), header_s=1, body_s=1, send_s=1) as served:
        yield served


async def test_a_request_whose_head_does_not_come_is_dropped(strict: Running) -> None:
    wires = []
    for sent in (b"", b"GET /heal", GET, GET + b"X-Slow: ", b"\r\n\r\n", GET + b"\r\n" + b"GE"):
        wires.append(await Wire.open(strict))
        wires[-1].send(sent)
    answers = await asyncio.gather(*(wire.ended() for wire in wires))
    assert answers[:5] == [b""] * 5
    assert answers[5].startswith(b"HTTP/1.1 200 ")
    async with strict.client() as client:
        assert (await client.get("/healthz")).text == "ok"


async def test_a_head_without_end_is_refused(running: Running) -> None:
    wire = await Wire.open(running)
    wire.send(GET)
    line = b"X-More: " + b"x" * 1000 + b"\r\n"
    with pytest.raises(ConnectionError):
        await wire.send_on(line)


async def test_a_body_that_does_not_come_is_refused(strict: Running) -> None:
    wires = []
    for sent in (b"Content-Length: 100\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"):
        wires.append(await Wire.open(strict))
        wires[-1].send(POST + sent)
    for answer in await asyncio.gather(*(wire.ended() for wire in wires)):
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b'"code":"too_slow"' in answer


async def test_a_body_that_drips_on_after_its_refusal_is_dropped(strict: Running) -> None:
    wire = await Wire.open(strict)
    # Nobody reads this body: there is no such operation.
    wire.send(POST.replace(b"/api/guests", b"/api/nowhere") + b"Content-Length: 200000\r\n\r\n")
    dripping = asyncio.create_task(drip(wire, b"x" * 199_999))
    assert await wire.status() == 404
    await wire.ended()
    dripping.cancel()


class Full(asyncio.Transport):
    """A transport whose other end takes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.aborted = asyncio.Event()

    def is_closing(self) -> bool:
        return self.aborted.is_set()

    def abort(self) -> None:
        self.aborted.set()

    def close(self) -> None:
        """Wait for ever until everything is taken."""


async def test_a_client_that_reads_no_answer_is_dropped() -> None:
    doors = Doors(Settings(send_s=1, header_s=600))
    config = uvicorn.Config(never, lifespan="off", log_config=None)
    config.load()
    transports = [Full(), Full()]
    for transport in transports:
        protocol: Any = http_protocol(doors)(config=config, server_state=ServerState(), app_state={})  # type: ignore[call-arg]
        protocol.connection_made(transport)
        protocol.pause_writing()
    # This one reads in time.
    protocol.resume_writing()
    await asyncio.wait_for(transports[0].aborted.wait(), 30)
    assert not transports[1].aborted.is_set()
    protocol.connection_lost(None)
    assert doors.total == 1


async def never(_: object, __: object, ___: object) -> None:
    """Answer nothing."""


async def test_a_socket_may_be_silent_for_longer_than_a_request(strict: Running) -> None:
    guest = await Guest.make(strict)
    seat = await guest.open((await play_now(guest))["table"])
    silent = await Wire.open(strict)
    await silent.ended()
    assert (await seat.ask("why", action=0))["type"] in ("ack", "refused")
    await seat.close()


async def test_of_too_many_connections_the_last_are_sent_away(tmp_path: Path) -> None:
    async with running_server(tmp_path, http_connections_per_address=3) as running:
        wires = [await Wire.open(running) for _ in range(3)]
        for wire in wires:
            wire.send(GET + b"\r\n")
            assert await wire.status() == 200
        late = await Wire.open(running)
        assert (await late.ended()).startswith(b"HTTP/1.1 503 ")
        wires[0].send(GET + b"Connection: close\r\n\r\n")
        await wires[0].ended()
        again = await Wire.open(running)
        again.send(GET + b"\r\n")
        assert await again.status() == 200
        for wire in (*wires[1:], again):
            wire.writer.close()


async def test_sockets_are_counted_by_themselves(tmp_path: Path) -> None:
    async with running_server(tmp_path, http_connections_per_address=2) as running:
        guest = await Guest.make(running)
        table = (await play_now(guest))["table"]
        seats = [await guest.open(table) for _ in range(4)]
        for seat in seats:
            assert (await seat.hear())["type"] == "snapshot"
        for seat in seats:
            await seat.close()


def test_the_doors_let_a_proxy_carry_many_and_have_an_end() -> None:
    doors = Doors(Settings(http_connections_max=4, http_connections_per_address=1, trusted_proxies=("10.0.0.0/8",)))
    assert [doors.enter(address) for address in ("1.1.1.1", "1.1.1.1", "10.0.0.1", "10.0.0.1")] == [
        True,
        False,
        True,
        True,
    ]
    assert [doors.enter(address) for address in ("2.2.2.2", "3.3.3.3")] == [True, False]
    doors.leave("1.1.1.1")
    assert doors.enter("1.1.1.1")
    for address in ("1.1.1.1", "10.0.0.1", "10.0.0.1", "2.2.2.2"):
        doors.leave(address)
    assert (doors.total, doors.addresses) == (0, {})


def test_the_doors_count_a_network_of_ipv6_as_one_address() -> None:
    doors = Doors(Settings(http_connections_max=9, http_connections_per_address=2))
    told = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1", "::1", "::1", "::1"]
    assert [doors.enter(address) for address in told] == [True, True, False, True, True, True, False]
    doors.leave("2001:db8::2")
    assert doors.enter("2001:db8::3")
    for address in ("2001:db8::1", "2001:db8::3", "2001:db8:0:1::1", "::1", "::1"):
        doors.leave(address)
    assert (doors.total, doors.addresses) == (0, {})


@pytest.mark.parametrize("path", ["/api/replay", "/api/guests"])
async def test_a_body_that_is_too_long_gets_its_answer_while_it_is_still_sent(running: Running, path: str) -> None:
    settings = running.parts.settings
    limit = settings.record_bytes_max if path == "/api/replay" else settings.body_bytes_max
    async with running.client() as client:
        for count in (limit + 1, 3 * limit):
            body = b'{"record":"' + b"x" * count + b'"}'
            response = await client.post(path, content=body, headers={"Content-Type": "application/json"})
            assert (response.status_code, response.json()["code"]) == (413, "too_long")
    wire = await Wire.open(running)
    wire.send(POST + b"Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n")
    assert await wire.status() == 413
    wire.writer.close()


@pytest.mark.parametrize("path", ["/api/replay", "/api/replay/deal", "/api/replay/position", "/api/verify"])
async def test_a_record_may_be_longer_than_other_bodies_wherever_one_is_read(running: Running, path: str) -> None:
    async with running.client() as client:
        response = await client.post(path, json={"record": "x" * (running.parts.settings.body_bytes_max + 1)})
        assert response.json()["code"] != "too_long"


async def test_a_body_that_is_packed_is_refused(running: Running) -> None:
    async with running.client() as client:
        headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        response = await client.post("/api/guests", content=b"\x1f\x8b\x08", headers=headers)
        assert (response.status_code, response.json()["code"]) == (415, "media_type")
        assert "Content-Encoding" in response.json()["detail"]


def kept(text: str) -> list[object]:
    """Return what of this process holds a text, or its bytes, as it is."""
    wanted = frozenset((text, text.encode()))
    found: list[object] = []
    for one in gc.get_objects():
        if type(one) in (list, tuple, dict):
            held = one.values() if isinstance(one, dict) else one
            if any(type(part) in (str, bytes) and part in wanted for part in held):
                found.append(one)
    return found


async def test_an_open_socket_keeps_nothing_of_the_request_that_opened_it(running: Running) -> None:
    guest = await Guest.make(running)
    table = (await play_now(guest))["table"]
    wire = await Wire.open(running)
    mark = secrets.token_hex(20)
    wire.send(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nX-Mark: {mark}\r\n"
        f"Authorization: Bearer {guest.token}\r\n\r\n".encode()
    )
    assert await wire.status() == 101
    # The snapshot is there: whoever serves the socket has taken what it needs.
    assert b"snapshot" in await asyncio.wait_for(wire.reader.readuntil(b"snapshot"), 30)
    gc.collect()
    assert kept(mark) == []
    wire.writer.close()
