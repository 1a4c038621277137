"""Over HTTP and the socket: the query parameter, else the header, says in which language somebody reads."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect

from buraco.notation import format_record, verify
from buraco.rules import RULE_SETS, cite, from_json, page, title_in
from buraco.server.http import examples
from buraco.texts import languages, text
from tests.server.net.clients import Guest, play_now
from tests.server.net.serving import Running
from tests.unit.fair_match import fair_record

pytestmark = pytest.mark.anyio

OTHERS = [language for language in languages() if language != "en"]
ACCEPTED = {
    "bg": "bg-BG,bg;q=0.9",
    "en": "en-GB",
    "es": "es-419",
    "it": "it-CH, en;q=0.5",
    "pt-BR": "pt-PT,pt;q=0.8",
    "ru": "de, ru;q=0.3",
}


async def got(running: Running, path: str, language: str | None = None, accept: str | None = None) -> dict[str, Any]:
    """Return the JSON that a path gives to somebody who asks for a language."""
    headers = {} if accept is None else {"Accept-Language": accept}
    params = {} if language is None else {"language": language}
    async with running.client(headers=headers) as client:
        found: dict[str, Any] = (await client.get(path, params=params)).json()
        return found


@pytest.mark.parametrize("language", languages())
async def test_a_rules_page_is_in_the_language_that_is_asked_for(running: Running, language: str) -> None:
    rules = RULE_SETS["fechado"]
    for found in (
        await got(running, "/api/rule-sets/fechado", language),
        await got(running, "/api/rule-sets/fechado", accept=ACCEPTED[language]),
        await got(running, "/api/rule-sets/fechado", language.lower(), accept="de, en"),
    ):
        assert (found["page"], found["title"]) == (page(rules, language), title_in(rules, language))
        assert found["name"] == "fechado"


async def test_a_query_of_many_fields_is_a_query_like_any_other(running: Running) -> None:
    async with running.client() as client:
        found = await client.get(f"/api/rule-sets/fechado?{'x=1&' * 60}language=it")
    assert (found.status_code, found.json()["title"]) == (200, title_in(RULE_SETS["fechado"], "it"))


@pytest.mark.parametrize(
    ("language", "accept"), [(None, None), ("xx", None), ("", ""), ("\0", "fr"), ("C", "*"), ("x" * 3000, None)]
)
async def test_whoever_asks_for_nothing_that_we_have_reads_english(
    running: Running, language: str | None, accept: str | None
) -> None:
    assert (await got(running, "/api/rule-sets/fechado", language, accept))["page"] == page(RULE_SETS["fechado"])


async def test_what_the_parameter_cannot_give_the_header_may(running: Running) -> None:
    found = await got(running, "/api/rule-sets/fechado", "xx", "it")
    assert found["page"] == page(RULE_SETS["fechado"], "it")


@pytest.mark.parametrize("language", languages())
async def test_problems_are_in_the_readers_language(running: Running, language: str) -> None:
    async with running.client() as client:
        answers = {
            "no_token": await client.get("/api/me", params={"language": language}),
            "nothing_here": await client.get("/api/nothing", params={"language": language}),
            "method": await client.delete("/api/server", params={"language": language}),
            "bad_json": await client.post(
                "/api/judge", params={"language": language}, content="{", headers={"Content-Type": "application/json"}
            ),
            "cross_site": await client.post(
                "/api/guests", params={"language": language}, json={"name": "A"}, headers={"Origin": "http://evil.test"}
            ),
            "host": await client.get("/api/server", params={"language": language}, headers={"Host": "evil.test"}),
        }
    for key, answer in answers.items():
        problem = answer.json()
        assert problem["detail"] == text(f"http.{key}", language)
        assert problem["reasons"] == [problem["detail"]]
        assert problem["title"] == text(f"http.title.{answer.status_code}", language)
        assert answer.headers["content-language"] == language
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("language", languages())
async def test_house_rules_are_reported_on_in_the_readers_language(running: Running, language: str) -> None:
    async with running.client(headers={"Accept-Language": language}) as client:
        report = (await client.post("/api/rules/check", json={"toml": 'base = "aberto"\ncolour = 1'})).json()
        good = (await client.post("/api/rules/check", json={"rules": {"base": "aberto", "hand_size": 12}})).json()
    assert report["reasons"] == [text("error.unknown_key", language, name="'colour'", near="")]
    assert report["page"] == ""
    assert good["page"] == page(from_json(good["rules"]), language)


@pytest.mark.parametrize("language", languages())
async def test_a_judgement_is_in_the_readers_language_with_the_place_of_the_rule(
    running: Running, language: str
) -> None:
    body = msgspec.to_builtins(examples.JUDGE)
    async with running.client() as client:
        answer = (await client.post("/api/judge", params={"language": language}, json=body)).json()
    judged = answer["judgements"][0]
    rule = cite(RULE_SETS["aberto"], "runs")
    assert judged["code"] == "no_meld"
    assert judged["text"] == text("error.no_meld", language)
    assert judged["citation"] == rule.text(language)
    assert judged["rule"] == {"rule_set": "aberto", "section": "melds", "number": 4, "topic": "runs"}


@pytest.mark.parametrize("language", OTHERS)
async def test_findings_of_a_verification_are_in_the_readers_language(running: Running, language: str) -> None:
    fair = fair_record("burraco", 2, last=12)
    broken = replace(fair, deals=(replace(fair.deals[0], revealed_seed="ab" * 32), *fair.deals[1:]))
    async with running.client() as client:
        answer = await client.post("/api/verify", params={"language": language}, json={"record": format_record(broken)})
    findings = answer.json()["findings"]
    assert "commitment_broken" in [one["code"] for one in findings]
    assert [one["text"] for one in findings] == [one.text(language) for one in verify(broken)]
    assert [one["code"] for one in findings] == [one.code for one in verify(broken)]


@pytest.mark.parametrize("language", languages())
async def test_a_table_over_http_is_in_the_readers_language(running: Running, language: str) -> None:
    guest = await Guest.make(running, "Ana")
    made = await play_now(guest, rules="fechado", players=2)
    title = title_in(RULE_SETS["fechado"], language)
    shown = (await guest.ask("GET", f"/api/tables/{made['table']}?language={language}")).json()
    assert shown["table"]["rules_title"] == title
    mine = (await guest.ask("GET", f"/api/me/tables?language={language}")).json()
    assert {one["rules_title"] for one in mine["tables"]} == {title}
    message = {"type": "sit", "id": "a", "version": shown["version"], "seat": 1}
    refused = (await guest.ask("POST", f"/api/tables/{made['table']}/messages?language={language}", message)).json()
    assert refused["text"] == text(f"table.{refused['code']}", language)
    unread = (await guest.ask("POST", f"/api/tables/{made['table']}/messages?language={language}", {"id": "b"})).json()
    assert unread["code"] == "bad_message"
    assert unread["text"].startswith(text("table.bad_message", language, reason="\0").partition("\0")[0])


@pytest.mark.parametrize("language", languages())
async def test_an_invitation_says_in_the_readers_language_how_others_get_in(running: Running, language: str) -> None:
    found = await got(running, "/api/server", language)
    assert found["hint"] == text("http.only_here", language)


@pytest.mark.parametrize("by_header", [False, True])
@pytest.mark.parametrize("language", languages())
async def test_the_socket_speaks_the_language_of_its_address_or_header(
    running: Running, language: str, by_header: bool
) -> None:
    guest = await Guest.make(running, "Ana")
    made = await play_now(guest, rules="fechado", players=2)
    address = f"{running.address.replace('http', 'ws', 1)}/api/tables/{made['table']}/socket"
    headers = guest.headers | (
        {"Accept-Language": ACCEPTED.get(language, "en")} if by_header else {"Accept-Language": "de"}
    )
    query = "" if by_header else f"?language={language}"
    async with connect(address + query, additional_headers=headers, proxy=None) as socket:
        first = json.loads(await socket.recv())
        assert first["table"]["rules_title"] == title_in(RULE_SETS["fechado"], language)
        await socket.send(json.dumps({"type": "sit", "id": "a", "version": first["version"], "seat": 1}))
        while (message := json.loads(await socket.recv()))["type"] != "refused":
            pass
        assert message["text"] == text(f"table.{message['code']}", language)


async def test_the_document_names_the_parameter_at_every_operation_of_the_api(running: Running) -> None:
    document = await got(running, "/api/openapi.json")
    for path, operations in document["paths"].items():
        for operation in operations.values():
            named = [one["name"] for one in operation.get("parameters", [])]
            assert named.count("language") == (1 if path.startswith("/api/") else 0), path
