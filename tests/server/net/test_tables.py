"""Tables, rules, positions and records over HTTP."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from buraco.rules import RULE_SETS
from buraco.server.addresses import invitation_hint, invitation_link, public_address
from buraco.server.settings import Settings
from tests.server.databases import on_site
from tests.server.net.clients import Guest, play_now
from tests.server.net.serving import Running, running_server

pytestmark = [pytest.mark.anyio, on_site]


async def make(guest: Guest, **options: object) -> dict[str, Any]:
    response = await guest.ask("POST", "/api/tables", {"options": options})
    assert response.status_code == 201, response.text
    made: dict[str, Any] = response.json()
    return made


async def test_a_public_table_is_in_the_lobby_and_a_private_one_is_not(running: Running) -> None:
    guest = await Guest.make(running)
    public, private = await make(guest, public=True), await make(guest)
    shown = {one["table"] for one in (await guest.ask("GET", "/api/tables")).json()["tables"]}
    assert public["table"] in shown
    assert private["table"] not in shown


async def test_a_code_leads_to_the_table_in_either_case(running: Running) -> None:
    ana, bob = await Guest.make(running, "Ana"), await Guest.make(running, "Bob")
    made = await make(ana)
    assert made["link"].endswith(f"/t/{made['code']}")
    joined = await bob.ask("POST", f"/api/tables/{made['code'].lower()}/join", {})
    assert joined.json()["table"] == made["table"]
    assert (await bob.ask("GET", f"/api/tables/{made['table']}")).json()["you"]["seat"] == 1


async def test_s4_of_two_who_join_one_seat_at_once_one_gets_it(running: Running) -> None:
    owner = await Guest.make(running)
    made = await make(owner)
    guests = [await Guest.make(running, f"g{number}") for number in range(5)]
    answers = await asyncio.gather(
        *(guest.ask("POST", f"/api/tables/{made['code']}/join", {"seat": 2}) for guest in guests)
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409]
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"taken"}
    winner = guests[[answer.status_code for answer in answers].index(200)]
    state = (await owner.ask("GET", f"/api/tables/{made['table']}")).json()["table"]
    assert state["seats"][2]["name"] == winner.person["name"]


async def test_a_full_table_says_so(running: Running) -> None:
    guests = [await Guest.make(running, f"g{number}") for number in range(5)]
    made = await make(guests[0])
    for guest in guests[1:4]:
        assert (await guest.ask("POST", f"/api/tables/{made['code']}/join", {})).status_code == 200
    last = await guests[4].ask("POST", f"/api/tables/{made['code']}/join", {})
    assert (last.status_code, last.json()["code"]) == (409, "table_full")


@pytest.mark.parametrize("path", ["/api/tables/NOSUCH", "/api/tables/NOSUCH/records/1"])
async def test_what_is_not_there_is_not_found(running: Running, path: str) -> None:
    guest = await Guest.make(running)
    assert (await guest.ask("GET", path)).status_code == 404


async def test_a_closed_table_is_gone(running: Running) -> None:
    guest = await Guest.make(running)
    made = await make(guest)
    state = (await guest.ask("GET", f"/api/tables/{made['table']}")).json()
    message = {"type": "close_table", "id": "c1", "version": state["version"]}
    assert (await guest.ask("POST", f"/api/tables/{made['table']}/messages", message)).json()["type"] == "ack"
    gone = await guest.ask("GET", f"/api/tables/{made['table']}")
    assert (gone.status_code, gone.json()["code"]) == (410, "table_closed")


async def test_the_options_of_a_table_are_checked_all_at_once(running: Running) -> None:
    guest = await Guest.make(running)
    toml = 'base = "aberto"\n[fields]\ncanasta_size = 99\nno_such_field = 1\n'
    response = await guest.ask("POST", "/api/tables", {"options": {"rules_toml": toml}})
    assert (response.status_code, response.json()["code"]) == (422, "options")
    assert len(response.json()["reasons"]) >= 2


async def test_a_message_without_a_socket_gets_the_same_reply_again(running: Running) -> None:
    guest = await Guest.make(running)
    made = await make(guest)
    version = (await guest.ask("GET", f"/api/tables/{made['table']}")).json()["version"]
    message = {"type": "ready", "id": "r1", "version": version}
    first = (await guest.ask("POST", f"/api/tables/{made['table']}/messages", message)).json()
    assert first["type"] == "ack"
    assert (await guest.ask("POST", f"/api/tables/{made['table']}/messages", message)).json() == first


async def test_nobody_makes_more_tables_than_allowed(tmp_path: Path) -> None:
    async with running_server(tmp_path, tables_per_person=2, tables_max=3) as running:
        # Those that are being made, each server counts for itself.
        ana, bob = await Guest.make(running.first, "Ana"), await Guest.make(running.first, "Bob")
        for _ in range(2):
            await make(ana)
        third = await ana.ask("POST", "/api/tables", {})
        assert (third.status_code, third.json()["code"]) == (429, "tables_limit")
        await make(bob)
        full = await bob.ask("POST", "/api/play-now", {})
        assert (full.status_code, full.json()["code"]) == (503, "server_full")


async def test_tables_made_at_once_count_too(tmp_path: Path) -> None:
    async with running_server(tmp_path, tables_per_person=2, tables_max=3) as running:
        # Those that are being made, each server counts for itself.
        ana, bob = await Guest.make(running.first, "Ana"), await Guest.make(running.first, "Bob")
        made = await asyncio.gather(*(ana.ask("POST", "/api/tables", {}) for _ in range(6)))
        assert sorted(one.status_code for one in made) == [201] * 2 + [429] * 4
        made = await asyncio.gather(*(bob.ask("POST", "/api/play-now", {}) for _ in range(4)))
        assert sorted(one.status_code for one in made) == [201] + [503] * 3


async def test_there_is_no_record_before_the_end(running: Running) -> None:
    guest = await Guest.make(running)
    made = await play_now(guest)
    response = await guest.ask("GET", f"/api/tables/{made['table']}/records/1")
    assert (response.status_code, response.json()["code"]) == (404, "no_record")


async def test_the_levels_of_bots_come_with_the_usual_one(running: Running) -> None:
    async with running.client() as client:
        told = (await client.get("/api/bots")).json()
    assert told["usual"] in [level["name"] for level in told["levels"]]


async def test_every_rule_set_is_told_in_full(running: Running) -> None:
    async with running.client() as client:
        listed = (await client.get("/api/rule-sets")).json()["rule_sets"]
        assert [one["name"] for one in listed] == list(RULE_SETS)
        for one in listed:
            page = (await client.get(f"/api/rule-sets/{one['name']}")).json()
            assert page["page"].startswith("#")
            again = await client.post("/api/rules/check", json={"toml": page["toml"]})
            assert again.json()["rules"] == page["rules"]
        missing = await client.get("/api/rule-sets/nonsense")
        assert (missing.status_code, missing.json()["code"]) == (404, "unknown_rules")


async def test_a_table_tells_its_own_rules_with_what_its_maker_changed(running: Running) -> None:
    guest = await Guest.make(running)
    options = {"rules": {"base": "fechado", "bonus_out": 250}, "target_points": 1234, "spectators": False}
    made = (await guest.ask("POST", "/api/tables", {"options": options, "seat": 0})).json()
    found = (await guest.ask("GET", f"/api/tables/{made['code']}/rules?language=it")).json()
    assert (found["rules"]["bonus_out"], found["rules"]["target_points"]) == (250, 1234)
    assert found["page"].startswith("#")
    assert "1234" in found["page"]
    english = (await guest.ask("GET", f"/api/tables/{made['code']}/rules?language=en")).json()
    assert english["page"] != found["page"]
    missing = await guest.ask("GET", "/api/tables/nonsense/rules")
    assert (missing.status_code, missing.json()["code"]) == (404, "no_table")


async def test_the_rules_of_a_match_without_spectators_are_for_its_players(running: Running) -> None:
    guest, other = await Guest.make(running), await Guest.make(running, "Bob")
    made = (await guest.ask("POST", "/api/play-now", {"options": {"spectators": False}})).json()
    refused = await other.ask("GET", f"/api/tables/{made['table']}/rules")
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert (await guest.ask("GET", f"/api/tables/{made['table']}/rules")).status_code == 200


async def test_house_rules_are_judged_with_every_fault(running: Running) -> None:
    async with running.client() as client:
        good = await client.post("/api/rules/check", json={"rules": {"base": "aberto", "bonus_out": 200}})
        assert good.json()["possible"]
        bad = (await client.post("/api/rules/check", json={"toml": "base = 1\nx = 2\n"})).json()
        assert bad["possible"] is False
        assert len(bad["reasons"]) >= 2
        both = await client.post("/api/rules/check", json={"toml": "", "rules": "aberto"})
        assert both.status_code == 422


async def test_a_position_is_judged_with_the_rule(running: Running) -> None:
    position = "buraco-position 1; rules=aberto; seat=0; phase=play; hand0=5c 6c 7c Kd"
    async with running.client() as client:
        legal = (await client.post("/api/judge", json={"position": position})).json()
        assert "discard Kd" in [one["text"] for one in legal["legal"]]
        good = (await client.post("/api/judge", json={"position": position, "action": "m 5c 6c 7c"})).json()
        assert good["judgements"][0]["legal"]
        bad = (await client.post("/api/judge", json={"position": position, "action": "x Ks"})).json()["judgements"][0]
        assert (bad["legal"], bad["code"]) == (False, "card_not_held")
        assert bad["citation"]
        asked = {"position": {"format": "buraco-position", "version": 1, "rules": "aberto"}, "action": "draw"}
        hidden = await client.post("/api/judge", json=asked)
        assert (hidden.status_code, hidden.json()["code"]) == (422, "hidden_hand")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/judge", {"position": "nonsense"}),
        ("/api/judge", {"position": {"a": 1.5}}),
        ("/api/judge", {"position": "buraco-position 1; rules=aberto", "action": "dance"}),
        ("/api/replay", {"record": "nonsense"}),
        ("/api/replay", {"record": {"deals": [{"number": 1e300}]}}),
        ("/api/replay", {"record": {}}),
    ],
)
async def test_a_text_that_is_none_is_a_problem_with_its_reason(running: Running, path: str, body: object) -> None:
    async with running.client() as client:
        response = await client.post(path, json=body)
        assert response.status_code == 422
        assert response.json()["detail"]


async def test_the_server_says_how_others_could_reach_it(running: Running) -> None:
    async with running.client() as client:
        told = (await client.get("/api/server")).json()
        assert told["local_only"] is True
        assert "--host" in told["hint"]
        assert "--public-url" in told["hint"]


def test_links_carry_an_address_that_others_can_open() -> None:
    behind = Settings(public_url="https://cards.example/")
    assert invitation_link(public_address(behind, 8321), "K7MPQ2") == "https://cards.example/t/K7MPQ2"
    assert invitation_hint(behind) == ""
    assert public_address(Settings(host="192.168.7.3"), 8321) == "http://192.168.7.3:8321"
    assert public_address(Settings(host="::1"), 8321) == "http://[::1]:8321"
    assert invitation_hint(Settings(host="0.0.0.0")) == ""


async def test_health_readiness_and_metrics(running: Running) -> None:
    async with running.first.client() as client:
        assert (await client.get("/healthz")).text == "ok"
        assert (await client.get("/readyz")).text == "ready"
        text = (await client.get("/metrics")).text
        assert "buraco_http_requests_total" in text
        running.parts.state.stopping = True
        try:
            assert (await client.get("/readyz")).status_code == 503
        finally:
            running.parts.state.stopping = False


async def test_the_metrics_count_tables_by_their_state(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running, running.client() as client:
        guest = await Guest.make(running, "Ana")
        await guest.ask("POST", "/api/tables", {})
        made = await play_now(guest)
        seat = await guest.open(made["table"])
        await seat.until(lambda: seat.view is not None)
        text = (await client.get("/metrics")).text
        counts = {
            state: f'buraco_tables{{state="{state}"}} {count}.0' for state, count in (("open", 1), ("running", 1))
        }
        assert counts["open"] in text
        assert counts["running"] in text
        assert 'buraco_tables{state="finished"} 0.0' in text
        assert (await seat.ask("resign"))["type"] == "ack"
        assert 'buraco_tables{state="finished"} 1.0' in (await client.get("/metrics")).text
        await seat.close()


async def test_metrics_are_for_whom_the_settings_name(tmp_path: Path) -> None:
    served = running_server(tmp_path, trusted_proxies=("127.0.0.1",), metrics_allow=("10.0.0.0/8",))
    async with served as running, running.client() as client:
        for address, status in (("1.2.3.4", 404), ("10.1.2.3", 200)):
            response = await client.get("/metrics", headers={"x-forwarded-for": address})
            assert response.status_code == status
