"""The referee over HTTP: what is verified, and that nothing hostile takes long or holds others up."""

from __future__ import annotations

import asyncio
import json
import os
import re
import threading
from dataclasses import replace
from typing import Any

import pytest
from typer.testing import CliRunner

from buraco.cards import card_text
from buraco.cli.app import app as command
from buraco.engine.position import hide
from buraco.errors import BuracoError
from buraco.notation import (
    Record,
    format_action,
    format_record,
    legal_actions,
    parse_position,
    parse_record,
    record_json_text,
    replay,
)
from buraco.server import refereeing
from buraco.server.http import referee
from buraco.server.http.referee_forms import ReplayForm
from buraco.server.problems import ProblemError
from buraco.server.record_steps import DEAL_STEPS_MAX, replayed_deal
from buraco.server.referee_pool import RefereePool
from buraco.texts import in_language
from buraco.texts import text as text_in
from tests.server.net.clients import Guest, play_now
from tests.server.net.serving import Running
from tests.server.net.test_match import play_on
from tests.unit.fair_match import fair_record

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def record(running: Running) -> str:
    """The record of a short match."""
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


async def test_a_record_is_verified_as_the_command_verifies_it(running: Running, record: str) -> None:
    broken = format_record(with_other_seed(parse_record(record)))
    async with running.client() as client:
        good = (await client.post("/api/verify", json={"record": record})).json()
        assert (good["holds"], good["deals"]) == (True, 1)
        assert good == told_by_command(record)
        bad = (await client.post("/api/verify", json={"record": broken})).json()
        assert bad["holds"] is False
        assert "commitment_broken" in [finding["code"] for finding in bad["findings"]]
        assert bad == told_by_command(broken)
        form = json.loads(record_json_text(parse_record(record)))
        assert (await client.post("/api/verify", json={"record": form})).json() == good


async def test_a_witness_is_held_against_the_record(running: Running, record: str, tmp_path: Any) -> None:
    match = parse_record(record).name
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
            told = (await client.post("/api/verify", json={"record": record, "witnesses": [one]})).json()
            assert [finding["code"] for finding in told["findings"] if finding["fault"]] == ["witness_commitment"]
            assert told == told_by_command(record, str(path))


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


async def test_a_witness_that_is_none_is_a_problem(running: Running, record: str) -> None:
    async with running.client() as client:
        response = await client.post("/api/verify", json={"record": record, "witnesses": ["{}"]})
        assert (response.status_code, response.json()["code"]) == (422, "witness_form")


@pytest.mark.parametrize(
    ("path", "work"), [("/api/replay", "replayed"), ("/api/verify", "verified"), ("/api/judge", "judged")]
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


async def test_work_in_a_process_is_given_up_after_its_time_and_the_next_is_done() -> None:
    pool = RefereePool(1, 1)
    try:
        assert await pool.run(str.upper, "warm") == "WARM"
        waiting = asyncio.create_task(pool.run(str.upper, "next"))
        with pytest.raises(ProblemError) as caught:
            # A pattern that takes for ever.
            await pool.run(re.match, "(a*)*b", "a" * 60)
        assert (caught.value.code, caught.value.status) == ("too_much", 422)
        assert await waiting == "NEXT"
    finally:
        pool.close()


async def test_a_process_that_ends_or_refuses_is_said_and_the_next_work_is_done() -> None:
    pool = RefereePool(1, 60)
    try:
        assert await pool.run(str.upper, "warm") == "WARM"
        with pytest.raises(ProblemError) as caught:
            await pool.run(os._exit, 3)
        assert caught.value.code == "server_full"
        with pytest.raises(BuracoError) as refused:
            await pool.run(parse_record, "")
        assert refused.value.code == "record_text"
        assert await pool.run(str.upper, "again") == "AGAIN"
    finally:
        pool.close()


async def test_who_comes_when_too_many_wait_is_sent_away() -> None:
    pool, go_on = RefereePool(1, 60, "thread"), threading.Event()
    asked = [asyncio.create_task(pool.run(go_on.wait, 60)) for _ in range(32)]
    await asyncio.sleep(0)
    with pytest.raises(ProblemError) as caught:
        await pool.run(str.upper, "late")
    assert (caught.value.code, caught.value.headers) == ("server_full", {"Retry-After": "5"})
    go_on.set()
    assert await asyncio.gather(*asked) == [True] * 32
    pool.close()


def nested(depth: int, kind: str) -> str:
    return "[" * depth + "]" * depth if kind == "list" else '{"a":' * depth + "1" + "}" * depth


@pytest.mark.parametrize("kind", ["list", "object"])
async def test_json_within_json_without_end_is_a_problem_everywhere(running: Running, kind: str) -> None:
    guest = await Guest.make(running, "Ana")
    async with running.client(headers={**guest.headers, "Content-Type": "application/json"}) as client:
        for depth in (300, 900, 980, 1000, 5000):
            deep = nested(depth, kind)
            for path, body in (
                ("/api/rules/check", f'{{"rules":{{"base":"aberto","fields":{deep}}}}}'),
                (
                    "/api/rules/check",
                    json.dumps({"toml": f'base="aberto"\n[fields]\nbonus_out={nested(depth, "list")}'}),
                ),
                ("/api/judge", f'{{"position":{{"format":"buraco-position","version":1,"rules":{deep}}}}}'),
                ("/api/judge", json.dumps({"position": deep})),
                ("/api/replay", f'{{"record":{{"format":"buraco-record","version":1,"deals":{deep}}}}}'),
                ("/api/verify", json.dumps({"record": deep})),
                ("/api/verify", f'{{"record":"buraco-record 1","witnesses":[{{"deals":{deep}}}]}}'),
                ("/api/tables", f'{{"options":{{"rules":{{"base":"aberto","fields":{{"bonus_out":{deep}}}}}}}}}'),
            ):
                response = await client.post(path, content=body)
                if path == "/api/rules/check" and response.status_code == 200:
                    assert response.json()["possible"] is False
                else:
                    assert response.status_code == 422, (depth, path, response.text)


HALF = "\\ud800"


async def test_half_of_a_character_within_a_text_is_a_problem_everywhere(running: Running, long_record: Record) -> None:
    """What JSON within a text can write no answer could show: it was a fault of the server."""
    kept = record_json_text(long_record)
    name, action = '"name": "k7-31"', '"discard '
    assert name in kept
    assert action in kept
    position = f'{{"format":"buraco-position","version":1,"rules":"aberto","phase":"{HALF}"}}'
    async with running.client() as client:
        for path, body in (
            ("/api/judge", {"position": position}),
            ("/api/replay", {"record": kept.replace(name, f'"name": "{HALF}"')}),
            ("/api/replay/deal", {"record": kept.replace(action, f'"{HALF} ', 1), "deal": 1}),
            ("/api/verify", {"record": kept.replace(name, f'"name": "{HALF}"')}),
            ("/api/verify", {"record": kept, "witnesses": [f'{{"format":"buraco-witness","match":"{HALF}"}}']}),
        ):
            response = await client.post(path, json=body)
            assert (response.status_code, "half of a character" in response.text) == (422, True), response.text


HUGE = ("0x" + "f" * 15_000, "9" * 4200, "9" * 5000, "0b" + "1" * 16_000, "1e999", "inf", "nan")


@pytest.mark.parametrize("number", HUGE, ids=lambda number: number[:6] + str(len(number)))
async def test_numbers_without_end_are_a_problem_everywhere(running: Running, number: str) -> None:
    guest = await Guest.make(running, "Ana")
    toml = f'base = "aberto"\n[fields]\nbonus_out = {number}\n'
    async with running.client(headers={**guest.headers, "Content-Type": "application/json"}) as client:
        assert (await client.post("/api/rules/check", json={"toml": toml})).json()["possible"] is False
        bodies = [
            ("/api/tables", json.dumps({"options": {"rules_toml": toml}})),
            ("/api/judge", json.dumps({"position": f"buraco-position 1; rules=aberto; seat={number}"})),
            ("/api/replay", json.dumps({"record": f"buraco-record 1\nname: x\ndeal {number}\n"})),
        ]
        if number[0] in "19":
            bodies += [
                ("/api/judge", f'{{"position":{{"format":"buraco-position","version":{number}}}}}'),
                ("/api/verify", f'{{"record":{{"format":"buraco-record","version":{number}}}}}'),
                ("/api/tables", f'{{"options":{{"rules":{{"base":"aberto","fields":{{"bonus_out":{number}}}}}}}}}'),
            ]
        for path, body in bodies:
            response = await client.post(path, content=body)
            assert response.status_code == 422, (path, response.text[:200])


async def test_records_with_deals_without_end_are_refused(running: Running, record: str) -> None:
    form = json.loads(record_json_text(parse_record(record)))
    deal = {**form["deals"][0], "turns": []}
    del deal["outcome"]
    form["deals"] = [{**deal, "number": number + 1} for number in range(200)]
    many = {**form, "deals": [{}] * 100_000}
    lines = record[: record.index("deal 1\n")] + "deal 1\n" * 100_000
    async with running.client() as client:
        for long in (form, many, lines):
            for path in ("/api/replay", "/api/verify"):
                response = await client.post(path, json={"record": long})
                assert response.status_code in (200, 413, 422), response.text[:200]
                assert response.status_code != 200 or response.json()["holds"] is False


async def test_a_record_with_too_many_steps_is_refused(
    running: Running, record: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refereeing, "STEPS_MAX", 3)
    async with running.client() as client:
        for path in ("/api/replay", "/api/verify"):
            response = await client.post(path, json={"record": record})
            assert (response.status_code, response.json()["code"]) == (422, "record_too_long")


# A recorded deal step by step.


@pytest.fixture(scope="module")
def long_record() -> Record:
    """A match of two deals, the second broken off."""
    return fair_record("aberto", 4, last=20)


async def asked(running: Running, path: str, **body: Any) -> Any:
    async with running.client() as client:
        response = await client.post(path, json=body)
        assert response.status_code == 200, response.text
        return response.json()


async def test_a_deal_comes_step_by_step_as_it_was_played(running: Running, long_record: Record) -> None:
    text = format_record(long_record)
    for deal in (1, 2):
        told = await asked(running, "/api/replay/deal", record=text, deal=deal)
        played = [step for step in replay(long_record) if step.deal == deal and step.kind != "end"]
        assert [(step["turn"], step["seat"]) for step in told["steps"][1:]] == [
            (step.turn, step.seat) for step in played[1:]
        ]
        for step, found in zip(played, told["steps"], strict=True):
            hands = [[card_text(card) for card in hand or ()] for hand in step.position.hands]
            assert found["view"]["hands"] == hands
            assert found["view"]["stock_count"] == step.position.stock_count
        assert told["fault"] is None
        assert (told["deal_count"], [one["deal"] for one in told["deals"]]) == (2, [1])
        numbers = [event["number"] for step in told["steps"] for event in step["events"]]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


async def test_a_seat_sees_no_hidden_card_in_any_step(running: Running, long_record: Record) -> None:
    told = await asked(running, "/api/replay/deal", record=format_record(long_record), deal=2, seat=1)
    for step in told["steps"]:
        assert [hand is None for hand in step["view"]["hands"]] == [True, False, True, True]
    events = [one for step in told["steps"] for one in step["events"]]
    assert {one["seat"] for one in events if one["event"] in ("hand_dealt", "card_drawn", "morto_seen")} == {1}


async def test_a_record_that_does_not_hold_is_told_to_its_place_and_why_in_the_readers_language(
    running: Running, long_record: Record
) -> None:
    lines = format_record(long_record).splitlines()
    place = next(index for index, line in enumerate(lines) if line.startswith("turn 2 "))
    before = sum(line.count(";") + 1 for line in lines[:place] if line.startswith("turn "))
    lines[place] = lines[place].split(":")[0] + ": discard X"
    told = await asked(running, "/api/replay/deal?language=it", record="\n".join(lines))
    fault = told["fault"]
    assert (fault["deal"], fault["step"], fault["turn"], fault["action"]) == (1, before + 1, 2, "discard X")
    assert (format_action(fault["number"]), fault["undone"]) == ("discard X", 0)
    assert len(told["steps"]) == before + 1
    assert fault["code"] == "must_draw"
    assert fault["text"] == text_in("code.must_draw", "it")
    assert "sezione" in fault["citation"]
    assert fault["rule"]["section"] == "turn"
    lines[place] = lines[place].split(":")[0] + ": undo 2"
    fault = (await asked(running, "/api/replay/deal", record="\n".join(lines)))["fault"]
    assert (fault["action"], fault["number"], fault["undone"]) == ("undo 2", None, 2)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"dealer": 2}, ("record_deal", 2, 0)),
        ({"totals": (5, 5)}, ("record_deal", 2, 0)),
        ({"turns": ()}, None),
    ],
)
async def test_what_is_wrong_with_a_deal_itself_is_told_before_its_first_step(
    running: Running, long_record: Record, changes: Any, fault: Any
) -> None:
    first, second = long_record.deals
    assert second.dealer == 0
    record = format_record(replace(long_record, deals=(first, replace(second, **changes))))
    told = await asked(running, "/api/replay/deal", record=record, deal=2)
    found = told["fault"]
    assert (None if found is None else (found["code"], found["deal"], found["step"])) == fault
    assert len(told["steps"]) == (1 if fault is None else 0)


async def test_an_end_that_did_not_come_so_and_another_winner_are_told(running: Running, long_record: Record) -> None:
    first = long_record.deals[0]
    assert first.outcome is not None
    scored = replace(first, outcome=replace(first.outcome, scores=(1, 2)))
    for record, fault in (
        (replace(long_record, deals=(scored, *long_record.deals[1:])), ("record_outcome", 1)),
        (replace(fair_record("burraco", 2), winner="draw"), ("record_winner", None)),
    ):
        told = await asked(running, "/api/replay/deal", record=format_record(record))
        assert (told["fault"]["code"], told["fault"]["deal"]) == fault


async def test_the_position_of_a_moment_is_the_one_of_the_replay(running: Running, long_record: Record) -> None:
    text = format_record(long_record)
    steps = [step for step in replay(long_record) if step.deal == 2 and step.kind != "end"]
    for number in (0, 7, 20):
        whole = await asked(running, "/api/replay/position", record=text, deal=2, step=number)
        assert parse_position(whole["position"]) == steps[number].position
        own = await asked(running, "/api/replay/position", record=text, deal=2, step=number, seat=3)
        assert parse_position(own["position"]) == hide(steps[number].position, 3)


async def test_a_bot_of_a_replay_is_asked_again_where_its_hand_is_seen(running: Running, record: str) -> None:
    """A record keeps no reasons; the same position has the same answer each time."""
    read = parse_record(record)
    steps = [step for step in replay(read) if step.kind != "end"]
    at = next(number for number, step in enumerate(steps) if step.kind == "action" and step.seat == 1 and number > 4)

    async def told(**form: Any) -> Any:
        answer = await asked(running, "/api/replay/position", record=record, **form)
        return answer["asked"]

    first = await told(step=at)
    assert (first["seat"], first["level"]) == (1, read.seats[1].bot)
    assert first["reasons"]
    legal = [format_action(one) for one in legal_actions(steps[at - 1].position)]
    assert first["text"] in legal
    assert all(one["text"] in legal for one in first["alternatives"])
    assert await told(step=at, seat=1) == first
    assert await told(step=at, seat=0) is None, "its hand is hidden"
    assert await told(step=0) is None, "nobody has acted"
    mine = next(number for number, step in enumerate(steps) if step.kind == "action" and step.seat == 0)
    assert await told(step=mine) is None, "a person"


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/api/replay/deal", {"deal": 3}, "no_such_deal"),
        ("/api/replay/deal", {"deal": 0}, "invalid"),
        ("/api/replay/deal", {"seat": 4}, "invalid"),
        ("/api/replay/deal", {"record": "nonsense"}, "record_text"),
        ("/api/replay/position", {"deal": 2, "step": 21}, "no_such_step"),
        ("/api/replay/position", {"deal": 9}, "no_such_deal"),
    ],
)
async def test_a_moment_that_a_record_does_not_have_is_a_problem(
    running: Running, long_record: Record, path: str, body: dict[str, Any], code: str
) -> None:
    async with running.client() as client:
        response = await client.post(path, json={"record": format_record(long_record), **body})
        assert (response.status_code, response.json()["code"]) == (422, code)


@pytest.mark.parametrize("record", ["nonsense", {"a": 1}])
@pytest.mark.parametrize("path", ["/api/replay", "/api/replay/deal", "/api/replay/position", "/api/verify"])
async def test_of_what_is_no_record_it_is_said_in_the_readers_language_beside_the_place(
    running: Running, path: str, record: Any
) -> None:
    head = text_in("record.head", "it", head="buraco-record 1")
    reason = text_in("record.line", "it", n=1, reason=head)
    if isinstance(record, dict):
        reason = text_in("record.form.no_member", "it", name="a")
    async with running.client() as client:
        told = (await client.post(f"{path}?language=it", json={"record": record})).json()
    assert told["detail"] == text_in("http.not_record", "it", reason=reason)
    assert told["reasons"] == [told["detail"]]


def test_how_many_deals_a_record_has_is_told_in_words_that_fit_the_number() -> None:
    record = fair_record("burraco", 2, last=5)
    one = format_record(replace(record, deals=record.deals[:1]))
    with pytest.raises(BuracoError) as caught:
        replayed_deal(ReplayForm(record=one, deal=2), "en")
    assert caught.value.message == "The record has 1 deal."
    assert in_language(caught.value.message, "it") == "La registrazione ha 1 smazzata."


def test_a_seat_that_the_match_has_not_and_too_many_steps_are_refused() -> None:
    two = format_record(fair_record("burraco", 2, last=5))
    with pytest.raises(BuracoError) as caught:
        replayed_deal(ReplayForm(record=two, seat=3), "en")
    assert caught.value.code == "no_seat"
    lines = two.splitlines()
    place = next(index for index, line in enumerate(lines) if line.startswith("turn 0 "))
    lines[place] += "; draw" * DEAL_STEPS_MAX
    with pytest.raises(BuracoError) as caught:
        replayed_deal(ReplayForm(record="\n".join(lines)), "en")
    assert caught.value.code == "record_too_long"


@pytest.mark.parametrize(("accepted", "packed"), [("gzip", True), ("gzip;q=0, identity", False), ("x-gzip-2", False)])
async def test_a_deal_is_packed_for_whom_it_may_be(running: Running, record: str, accepted: str, packed: bool) -> None:
    async with running.client() as client:
        headers = {"Accept-Encoding": accepted}
        response = await client.post("/api/replay/deal", json={"record": record}, headers=headers)
        assert response.json()["deal"] == 1
        assert (response.headers.get("content-encoding") == "gzip") is packed
