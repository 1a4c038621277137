"""The gate: hosts, origins, rates, bodies, headers, faults."""

from __future__ import annotations

import json
from collections.abc import Mapping

import httpx
import pytest
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from buraco.server.logs import make_log
from buraco.server.metrics import Metrics
from buraco.server.problems import ProblemError
from buraco.server.security import Gate, client_address, host_allowed, origin_allowed, policy, within
from buraco.server.settings import Settings
from buraco.texts import text

pytestmark = pytest.mark.anyio
LOCAL = "127.0.0.1:8321"
ODD_HOSTS = (
    "127.0.0.1:1; script-src *",
    "ana@127.0.0.1",
    "127.0.0.1:1,evil.example",
    "127.0.0.1/x",
    "[::1",
    "127.0.0.1:x",
)


async def echo(_: Scope, receive: Receive, send: Send) -> None:
    """Read the whole body, then answer with its length."""
    length = 0
    while True:
        message = await receive()
        length += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(length).encode()})


def gate(settings: Settings | None = None, app: ASGIApp = echo) -> httpx.AsyncClient:
    """Return a client of an application behind the gate."""
    outer = Gate(app, settings or Settings(), Metrics(), make_log(), lambda: 0.0)
    transport = httpx.ASGITransport(app=outer, client=("127.0.0.1", 5))
    return httpx.AsyncClient(transport=transport, base_url=f"http://{LOCAL}")


def code_of(response: httpx.Response) -> str:
    assert response.headers["content-type"] == "application/problem+json"
    return str(response.json()["code"])


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "evil.example:8321", *ODD_HOSTS])
async def test_a_foreign_name_of_this_computer_is_refused(host: str) -> None:
    async with gate() as client:
        response = await client.get("/", headers={"host": host})
        assert (response.status_code, code_of(response)) == (421, "host")


@pytest.mark.parametrize("host", ["127.0.0.1:9", "[::1]:9", "localhost", "192.168.7.3:8321", "buraco.localhost:1"])
async def test_addresses_and_this_computers_own_names_are_served(host: str) -> None:
    async with gate() as client:
        assert (await client.get("/", headers={"host": host})).status_code == 200


def test_the_public_name_is_served() -> None:
    settings = Settings(public_url="https://cards.example")
    assert host_allowed("cards.example", settings)
    assert host_allowed("CARDS.example:443", settings)
    assert not host_allowed("evil.example", settings)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": f"https://{LOCAL}.evil.example"},
        {"origin": "http://[bad"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
async def test_a_page_of_another_site_changes_nothing(method: str, headers: dict[str, str]) -> None:
    async with gate() as client:
        response = await client.request(method, "/", headers=headers)
        assert (response.status_code, code_of(response)) == (403, "cross_site")


@pytest.mark.parametrize("headers", [{}, {"origin": f"http://{LOCAL}"}, {"sec-fetch-site": "same-origin"}])
async def test_our_own_page_and_programs_may(headers: dict[str, str]) -> None:
    async with gate() as client:
        assert (await client.post("/", headers=headers)).status_code == 200


async def test_links_of_other_sites_may_be_followed() -> None:
    async with gate() as client:
        assert (await client.get("/", headers={"origin": "https://other.example"})).status_code == 200


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"origin": "https://cards.example", "host": "10.0.0.2:80"}, True),
        ({"origin": "https://app.example", "host": "10.0.0.2:80"}, True),
        ({"origin": "https://evil.example", "host": "10.0.0.2:80"}, False),
        ({"origin": "https://cards.example.evil.example", "host": "10.0.0.2:80"}, False),
        ({"origin": "http://", "host": ""}, False),
    ],
)
def test_named_origins_are_our_own(headers: Mapping[str, str], allowed: bool) -> None:
    settings = Settings(public_url="https://cards.example", allowed_origins=("https://app.example",))
    assert origin_allowed(headers, settings) is allowed


async def test_a_rate_beyond_the_limit_is_refused_and_health_is_not() -> None:
    async with gate(Settings(requests_per_s=1, requests_burst=2)) as client:
        codes = [(await client.get("/api/me")).status_code for _ in range(3)]
        assert codes == [200, 200, 429]
        assert (await client.get("/api/me")).headers["retry-after"]
        assert (await client.get("/healthz")).status_code == 200


FIRST_LOAD_FILES = ("/", *(f"/assets/{name}" for name in "abcdefghijk"), "/icon.svg", "/manifest.webmanifest")
FIRST_LOAD_CALLS = ("server", "rule-sets", "bots", "me/tables", "tables", "guests", "play-now", "tables/ABCDEF/socket")


async def test_a_club_of_forty_behind_one_address_may_open_the_page_at_once() -> None:
    async with gate() as client:
        for _ in range(40):
            for path in (*FIRST_LOAD_FILES, *(f"/api/{call}" for call in FIRST_LOAD_CALLS)):
                assert (await client.get(path)).status_code == 200, path
    connections = 6 * 40
    assert Settings().http_connections_per_address >= connections


async def test_files_of_the_page_use_up_nothing_of_what_the_api_may_be_asked() -> None:
    settings = Settings(requests_per_s=1, requests_burst=2, files_per_s=1, files_burst=3)
    async with gate(settings) as client:
        assert [(await client.get("/assets/a.js")).status_code for _ in range(4)] == [200, 200, 200, 429]
        assert [(await client.get("/api/server")).status_code for _ in range(3)] == [200, 200, 429]


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/api/x"), ("GET", "/metrics"), ("POST", "/"), ("GET", "/api"), ("DELETE", "/assets/a")],
)
async def test_only_what_reads_a_file_is_counted_as_one(method: str, path: str) -> None:
    async with gate(Settings(requests_per_s=1, requests_burst=1, files_per_s=1, files_burst=1)) as client:
        assert (await client.get("/assets/a.js")).status_code == 200
        assert [(await client.request(method, path)).status_code for _ in range(2)] == [200, 429]


async def test_a_body_that_declares_too_much_is_refused_before_it_is_read() -> None:
    async with gate(Settings(body_bytes_max=1024)) as client:
        response = await client.post("/", content=b"x" * 1025)
        assert (response.status_code, code_of(response)) == (413, "too_long")
        assert (await client.post("/", content=b"x" * 1024)).text == "1024"


async def test_a_body_that_does_not_declare_its_length_is_cut_off() -> None:
    async def parts() -> object:
        for _ in range(10):
            yield b"x" * 200

    async with gate(Settings(body_bytes_max=1024)) as client:
        response = await client.post("/", content=parts())  # type: ignore[arg-type]
        assert (response.status_code, code_of(response)) == (413, "too_long")


@pytest.mark.parametrize("length", ["-1", "1e9", "0x10", "9" * 30])
async def test_a_length_that_is_none_is_refused(length: str) -> None:
    async with gate() as client:
        response = await client.post("/", headers={"content-length": length})
        assert code_of(response) == "too_long"


async def test_every_response_has_the_security_headers() -> None:
    async def refuse(_: Scope, __: Receive, ___: Send) -> None:
        raise ProblemError("no_table", "There is no such table.")

    async with gate(app=refuse) as client:
        for response in (await client.get("/"), await client.get("/", headers={"host": "evil.example"})):
            rules = response.headers["content-security-policy"]
            assert "default-src 'none'" in rules
            assert "unsafe" not in rules
            assert "evil.example" not in rules
            assert response.headers["x-content-type-options"] == "nosniff"
            assert response.headers["x-frame-options"] == "DENY"
            assert response.headers["referrer-policy"] == "same-origin"
            assert "strict-transport-security" not in response.headers


async def test_https_is_kept_to_where_the_public_address_has_it() -> None:
    async with gate(Settings(public_url="https://cards.example")) as client:
        assert "strict-transport-security" in (await client.get("/")).headers


def test_the_policy_lets_sockets_to_the_own_host_only() -> None:
    assert "connect-src 'self' ws://h:1 wss://h:1;" in policy("h:1")


@pytest.mark.parametrize("language", ["pt-BR", "it", "es", "ru", "bg", "en"])
async def test_a_socket_is_refused_in_the_readers_language(language: str) -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    scope = {
        "type": "websocket",
        "path": "/api/tables/ABCDEF/socket",
        "query_string": f"language={language}".encode(),
        "headers": [(b"host", b"evil.example")],
        "client": ("127.0.0.1", 5),
        "extensions": {"websocket.http.response": {}},
    }
    await Gate(echo, Settings(), Metrics(), make_log(), lambda: 0.0)(scope, receive, send)
    assert sent[0]["status"] == 421
    assert (b"content-language", language.encode()) in sent[0]["headers"]
    assert sent[1]["body"].decode() == text("http.host", language)


async def test_a_fault_inside_is_a_problem_without_details() -> None:
    async def fail(_: Scope, __: Receive, ___: Send) -> None:
        raise ValueError("the hand is 7h Ks")

    async with gate(app=fail) as client:
        response = await client.get("/")
        assert (response.status_code, code_of(response)) == (500, "fault")
        assert "7h" not in json.dumps(response.json())


@pytest.mark.parametrize(
    ("proxies", "peer", "forwarded", "address"),
    [
        ((), "10.0.0.1", "1.2.3.4", "10.0.0.1"),
        # A server that listens to both kinds is told addresses of IPv4 as such of IPv6.
        ((), "::ffff:10.0.0.1", "", "10.0.0.1"),
        (("10.0.0.0/8",), "::ffff:10.0.0.1", "::ffff:1.2.3.4, ::ffff:10.0.0.2", "1.2.3.4"),
        (("::ffff:10.0.0.0/104",), "::ffff:10.0.0.1", "2001:db8::7", "2001:db8::7"),
        (("10.0.0.0/8",), "10.0.0.1", "1.2.3.4", "1.2.3.4"),
        (("10.0.0.0/8",), "10.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.2", "1.2.3.4"),
        (("10.0.0.0/8",), "9.9.9.9", "1.2.3.4", "9.9.9.9"),
        (("10.0.0.0/8",), "10.0.0.1", "", "10.0.0.1"),
        (("10.0.0.0/8",), "10.0.0.1", "nonsense", "10.0.0.1"),
    ],
)
def test_only_a_trusted_proxy_tells_who_asks(proxies: tuple[str, ...], peer: str, forwarded: str, address: str) -> None:
    headers = Headers({"x-forwarded-for": forwarded})
    assert client_address({"client": (peer, 1)}, headers, Settings(trusted_proxies=proxies)) == address


def test_what_is_no_address_lies_in_no_network() -> None:
    assert not within("unknown", ("0.0.0.0/0",))
    assert within("::1", ("::1/128",))
    assert within("::ffff:127.0.0.1", ("127.0.0.0/8",))


async def test_the_addresses_of_a_network_of_ipv6_have_one_limit_together() -> None:
    async with gate(Settings(requests_per_s=1, requests_burst=2, trusted_proxies=("127.0.0.1",))) as client:

        async def codes(*addresses: str) -> list[int]:
            return [(await client.get("/api/me", headers={"X-Forwarded-For": one})).status_code for one in addresses]

        assert await codes("2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:ffff::3") == [200, 200, 429]
        assert await codes("2001:db8:1:3::1", "10.0.0.1", "10.0.0.2", "::ffff:10.0.0.1") == [200] * 4
        assert await codes("10.0.0.1") == [429]
