"""Log lines: JSON, without secrets, without cards, over whole matches of every rule set."""

from __future__ import annotations

import ast
import asyncio
import io
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from buraco.rules import RULE_SETS
from buraco.server.identity import new_bot_token, new_id
from buraco.server.logs import FIELDS, make_log, set_up_logging, shorten
from tests.server.net.clients import Guest, play_now
from tests.server.net.serving import Running
from tests.server.net.test_match import play_on
from tests.server.net.test_socket import close_code

pytestmark = pytest.mark.anyio

#: A card as it is written, a token, 64 hexadecimal digits (a seed), standing alone.
SECRET = re.compile(r"(?<![\w-])(?:[A2-9TJQK][cdhs]|X|b(?:ot)?1\.[\w.-]+|[0-9a-f]{64})(?![\w-])")
ROOT = Path(__file__).resolve().parents[3]
IDENTIFIERS = ("table", "person", "time", "url", "address")


@contextmanager
def captured(level: str = "debug") -> Iterator[io.StringIO]:
    """Send every log line to a text while the context is open."""
    root, own = logging.getLogger(), logging.getLogger("buraco")
    before, levels = list(root.handlers), (root.level, own.level)
    stream = io.StringIO()
    for handler in before:
        root.removeHandler(handler)
    set_up_logging(level, stream=stream)
    try:
        yield stream
    finally:
        for handler in list(root.handlers):
            root.removeHandler(handler)
        for handler in before:
            root.addHandler(handler)
        root.setLevel(levels[0])
        own.setLevel(levels[1])


def lines_of(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def leaks(lines: list[dict[str, Any]]) -> list[str]:
    """Return what no line may hold."""
    texts = [json.dumps({name: value for name, value in line.items() if name not in IDENTIFIERS}) for line in lines]
    return [found for text in texts for found in SECRET.findall(text)]


@pytest.mark.parametrize("name", RULE_SETS)
async def test_no_line_of_a_whole_match_tells_a_card_or_a_secret(running: Running, name: str) -> None:
    players = max(RULE_SETS[name].player_counts)
    with captured() as stream:
        guest = await Guest.make(running, "Ana")
        made = await play_now(guest, rules=name, players=players, deal_count=1, target_points=0)
        seat = await guest.open(made["table"])
        await play_on(seat)
        await seat.send({"type": "nonsense", "id": "7h", "version": 0})
        await seat.connection.send("Ks 7h")
        await guest.ask("POST", "/api/judge", {"position": "buraco-position 1; rules=aberto; hand0=7h Ks"})
        await guest.ask("GET", f"/api/tables/{made['table']}/records/1")
    lines = lines_of(stream)
    assert {line["event"] for line in lines} >= {"guest_made", "table_made", "request"}
    assert leaks(lines) == []
    assert guest.token not in stream.getvalue()
    assert all(set(line) <= FIELDS for line in lines)


@pytest.mark.parametrize(
    "planted",
    [
        {"code": "Ks"},
        {"error": "the hand is 7h X"},
        {"places": ["hand 2d"]},
        {"code": "f41b8c24aef5495c852be1a565b7516e90cc0f20e78ed6d5e899134e70fda497"},
    ],
    ids=str,
)
def test_a_planted_leak_is_found(planted: dict[str, Any]) -> None:
    with captured() as stream:
        make_log().info("table_made", **planted)
    assert leaks(lines_of(stream))


def test_a_field_that_nobody_allowed_is_left_out_and_named() -> None:
    with captured() as stream:
        make_log().info("table_made", table="t", hand=["7h"], password="pw", code={"card": "Ks"})
    (line,) = lines_of(stream)
    assert line["removed"] == "code,hand,password"
    assert "7h" not in stream.getvalue()
    assert "pw" not in json.dumps(line["removed"])


def fields_logged() -> dict[str, set[str]]:
    """Return the fields that the code of the server gives to its log, by the events."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "src" / "buraco" / "server").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if not re.search(r"\b_?log\.(?:debug|info|warning|error)$", ast.unparse(node.func)):
                continue
            fields = {keyword.arg for keyword in node.keywords if keyword.arg is not None}
            found.setdefault(ast.unparse(node.args[0]), set()).update(fields - {"exc_info"})
    return found


def test_every_field_that_the_server_logs_is_written() -> None:
    found = fields_logged()
    assert found["'site_changed'"] == {"count", "certain"}
    assert {event: fields - FIELDS for event, fields in found.items() if fields - FIELDS} == {}


def test_an_exception_is_told_by_kind_and_place_only() -> None:
    with captured() as stream:
        try:
            raise ValueError("the hand is 7h Ks")
        except ValueError as error:
            make_log().error("fault", exc_info=error)
    (line,) = lines_of(stream)
    assert line["error"] == "ValueError"
    assert line["places"][-1].startswith("test_logs.py:")
    assert leaks([line]) == []


def test_the_texts_of_libraries_are_not_written() -> None:
    with captured() as stream:
        logging.getLogger("somebody").warning("the hand is %s", "7h")
    (line,) = lines_of(stream)
    assert (line["event"], line["logger"], line["level"]) == ("library", "somebody", "warning")
    assert "7h" not in stream.getvalue()


HANDSHAKE = (
    "GET /api/tables/x/socket HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{more}\r\n"
)


async def sent(running: Running, text: bytes) -> bytes:
    """Send bytes to a server and end; return the first line of what comes."""
    host, port = running.address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(text)
    writer.write_eof()
    first = await reader.readline()
    await reader.read()
    writer.close()
    return first


@pytest.mark.parametrize(
    ("host", "more", "code", "status"),
    [
        ("127.0.0.1", "Origin: https://evil.example\r\n", "cross_site", 403),
        ("evil.example", "", "host", 421),
    ],
)
async def test_a_refused_handshake_is_one_line_that_says_why(
    running: Running, host: str, more: str, code: str, status: int
) -> None:
    with captured("info") as stream:
        first = await sent(running, HANDSHAKE.format(host=host, more=more).encode())
    assert f" {status} ".encode() in first
    (line,) = lines_of(stream)
    assert (line["event"], line["level"], line["code"], line["status"]) == ("socket_refused", "info", code, status)
    assert line["address"] == "127.0.0.1"


async def test_what_clients_do_is_no_error_of_the_server(running: Running) -> None:
    guest = await Guest.make(running, "Ana")
    made = await play_now(guest)
    with captured("info") as stream:
        assert b" 400 " in await sent(running, b"\x16\x03\x01 no request\r\n\r\n")
        half = b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        assert await sent(running, half + b'Content-Length: 100\r\n\r\n{"name"') == b""
        seat = await guest.open(made["table"])
        await seat.hear()
        seat.connection.transport.write(bytes((0x81, 0x82, 0, 0, 0, 0)) + b"\xff\xff")
        assert await close_code(seat) == 1007
        seat = await guest.open(made["table"])
        await seat.hear()
        seat.connection.transport.write(bytes((0xFF, 0x82, 0, 0, 0, 0)) + b"\xff\xff")
        assert await close_code(seat) == 1002
    lines = lines_of(stream)
    assert [(line["event"], line["level"]) for line in lines] == [("bad_request", "warning"), ("bad_utf8", "warning")]
    assert "buraco_errors_total{" not in running.parts.metrics.text().decode()


def test_a_token_in_a_text_is_replaced() -> None:
    assert shorten("GET /?t=b1.abcdefghijklmnopqrstuv.0.17.xyz HTTP") == "GET /?t=[token] HTTP"
    assert shorten(f"GET /?t={new_bot_token(new_id())} HTTP") == "GET /?t=[token] HTTP"


def test_a_long_text_is_cut() -> None:
    assert len(shorten("x" * 1000)) == 300


def test_a_log_file_is_made_with_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "server.log"
    with captured():
        set_up_logging("info", file=str(path))
        make_log().info("serving", port=1)
        make_log().debug("request")
        logging.getLogger().handlers[0].close()
    (line,) = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    assert (line["event"], line["port"]) == ("serving", 1)
