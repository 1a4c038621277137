"""A whole match over the socket."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from buraco.notation import SeatRecord, parse_record, verify
from tests.server.databases import on_site
from tests.server.net.clients import Guest, Seat, play_now
from tests.server.net.serving import running_server

pytestmark = [pytest.mark.anyio, on_site]


def choose(legal: dict[str, Any]) -> int:
    """Return an action that brings the deal forward: lay and add what may be, else discard."""
    if legal["draw"]:
        return 0
    actions: list[int] = legal["actions"]
    beyond = [action for action in actions if action > 56]
    return beyond[0] if beyond else actions[-1]


async def play_on(seat: Seat, *until: str) -> None:
    """Play until the match is over, or in another phase first."""
    while seat.table is None or seat.table["phase"] not in ("finished", "closed", *until):
        view = seat.view
        if view is not None and view["legal"] is not None and seat.table is not None:
            reply = await seat.ask("act", action=choose(view["legal"]))
            assert reply["type"] == "ack" or reply["code"] == "stale_version", reply
            version = seat.version
            await seat.until(lambda: seat.version > version)  # noqa: B023
        elif seat.table is not None and seat.table["phase"] == "between":
            await seat.ask("ready")
            await seat.until(lambda: seat.table is not None and seat.table["phase"] != "between")
        else:
            await seat.hear()


async def test_a_match_against_bots_is_played_to_its_end_and_has_a_record(tmp_path: Path) -> None:
    """Whatever somebody is called: in a record a bar parts the name of a seat from its bot."""
    async with running_server(tmp_path) as running:
        guest = await Guest.make(running, '"Ana | Rui')
        made = await play_now(guest, deal_count=1, target_points=0)
        seat = await guest.open(made["code"])
        await play_on(seat)
        assert seat.table is not None
        assert seat.table["result"]["kind"] == "played"
        record = await guest.ask("GET", f"/api/tables/{made['table']}/records/1")
        assert record.text.startswith("buraco-record")
        replayed = await guest.ask("POST", "/api/replay", {"record": record.text})
        assert replayed.status_code == 200, replayed.text
        assert parse_record(record.text).seats[0] == SeatRecord('"Ana | Rui')
        history = (await guest.ask("GET", "/api/me/history")).json()["results"]
        assert [(one["kind"], one["own_seat"]) for one in history] == [("played", 0)]
        await seat.close()


async def test_who_has_a_seat_checks_the_deals_that_have_ended_while_the_match_is_on(tmp_path: Path) -> None:
    """Nobody else gets them, and nothing of the deal that is on is in the record."""
    async with running_server(tmp_path) as running:
        guest, other = await Guest.make(running), await Guest.make(running, "Rui")
        made = await play_now(guest, deal_count=2, target_points=0)
        path = f"/api/tables/{made['table']}/records/1"
        seat = await guest.open(made["code"])
        await seat.until(lambda: seat.view is not None and seat.view["legal"] is not None)
        assert (await guest.ask("GET", path)).status_code == 404, "no deal has ended"
        await play_on(seat, "between")
        ended = (await guest.ask("GET", path)).text
        await seat.ask("ready")
        await seat.until(lambda: seat.view is not None and seat.view["deal"] == 2)
        assert (await guest.ask("GET", path)).text == ended
        record = parse_record(ended)
        assert [deal.number for deal in record.deals] == [1]
        assert record.winner == ""
        assert not any(one.fault for one in verify(record))
        assert (await other.ask("GET", path)).status_code == 404, "who watches"
        assert (await guest.ask("GET", path.replace("records/1", "records/2"))).status_code == 404
        await seat.close()
