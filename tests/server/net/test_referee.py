"""The referee over HTTP: what is verified, and that nothing hostile takes long or holds others up."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import replace
from typing import Any

import pytest
from typer.testing import CliRunner

from buraco.cli.app import app as command
from buraco.notation import Record, format_record, parse_record, record_json_text
from buraco.server.http import referee
from tests.server.net.clients import Guest, play_now
from tests.server.net.serving import Running
from tests.server.net.test_match import play_on

pytestmark = pytest.mark.anyio


async def played(running: Running) -> str:
    """Play a short match; return its record."""
    guest = await Guest.make(running, "Ana")
    made = await play_now(guest, rules="burraco", players=2, deal_count=1, target_points=0)
    seat = await guest.open(made["table"])
    await play_on(seat)
    await seat.close()
    return (await guest.ask("GET", f"/api/tables/{made['table']}/records/1")).text


def told_by_command(record: str, *witnesses: str) -> dict[str, Any]:
    """Return what `buraco verify --json` says."""
    options = [part for one in witnesses for part in ("--witness", one)]
    result = CliRunner().invoke(command, ["verify", "-", "--json", *options], input=record)
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def with_other_seed(record: Record) -> Record:
    """Return a record that reveals another seed than the one committed to."""
    first = record.deals[0]
    return replace(record, deals=(replace(first, revealed_seed="ab" * 32), *record.deals[1:]))


async def test_a_record_is_verified_as_the_command_verifies_it(running: Running) -> None:
    text = await played(running)
    broken = format_record(with_other_seed(parse_record(text)))
    async with running.client() as client:
        good = (await client.post("/api/verify", json={"record": text})).json()
        assert (good["holds"], good["deals"]) == (True, 1)
        assert good == told_by_command(text)
        bad = (await client.post("/api/verify", json={"record": broken})).json()
        assert bad["holds"] is False
        assert "commitment_broken" in [finding["code"] for finding in bad["findings"]]
        assert bad == told_by_command(broken)
        form = json.loads(record_json_text(parse_record(text)))
        assert (await client.post("/api/verify", json={"record": form})).json() == good


async def test_a_witness_is_held_against_the_record(running: Running, tmp_path: Any) -> None:
    text = await played(running)
    match = parse_record(text).name
    witness = {
        "format": "buraco-witness",
        "version": 1,
        "match": match,
        "deals": [{"number": 1, "commitment": "0" * 64}],
    }
    path = tmp_path / "witness.json"
    path.write_text(json.dumps(witness), encoding="utf-8")
    async with running.client() as client:
        for one in (witness, json.dumps(witness)):
            told = (await client.post("/api/verify", json={"record": text, "witnesses": [one]})).json()
            assert [finding["code"] for finding in told["findings"] if finding["fault"]] == ["witness_commitment"]
            assert told == told_by_command(text, str(path))


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"record": "nonsense"}, 422, "record_text"),
        ({"record": {}}, 422, "record_form"),
        ({"record": {"deals": [{"number": 1.5}]}}, 422, "invalid"),
        ({"record": "buraco-record 1\n", "witnesses": [{}] * 9}, 422, "invalid"),
        ({}, 422, "invalid"),
    ],
)
async def test_what_cannot_be_verified_is_a_problem(running: Running, body: Any, status: int, code: str) -> None:
    async with running.client() as client:
        response = await client.post("/api/verify", json=body)
        assert response.headers["content-type"] == "application/problem+json"
        assert (response.status_code, response.json()["code"]) == (status, code)


async def test_a_witness_that_is_none_is_a_problem(running: Running) -> None:
    text = await played(running)
    async with running.client() as client:
        response = await client.post("/api/verify", json={"record": text, "witnesses": ["{}"]})
        assert (response.status_code, response.json()["code"]) == (422, "witness_form")


@pytest.mark.parametrize(
    ("path", "work"), [("/api/replay", "_replayed"), ("/api/verify", "_verified"), ("/api/judge", "_judged")]
)
async def test_work_that_does_not_end_holds_nobody_else_up(
    running: Running, monkeypatch: pytest.MonkeyPatch, path: str, work: str
) -> None:
    go_on, begun, real = threading.Event(), threading.Event(), getattr(referee, work)

    def slow(*arguments: object) -> object:
        begun.set()
        assert go_on.wait(60)
        return real(*arguments)

    monkeypatch.setattr(referee, work, slow)
    guest = await Guest.make(running, "Ana")
    made = await play_now(guest)
    seat = await guest.open(made["table"])
    await seat.hear()
    body = {"position": "x"} if path == "/api/judge" else {"record": "x"}
    async with running.client() as client:
        asked = asyncio.create_task(client.post(path, json=body))
        await asyncio.to_thread(begun.wait, 60)
        for _ in range(5):
            assert (await seat.ask("why", action=0))["type"] in ("ack", "refused")
        assert (await guest.ask("GET", "/api/me")).status_code == 200
        assert not asked.done()
        go_on.set()
        assert (await asked).status_code == 422
    await seat.close()
