"""A whole match over the socket."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

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


async def play_on(seat: Seat) -> None:
    """Play until the match is over."""
    while seat.table is None or seat.table["phase"] not in ("finished", "closed"):
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
    async with running_server(tmp_path) as running:
        guest = await Guest.make(running)
        made = await play_now(guest, deal_count=1, target_points=0)
        seat = await guest.open(made["code"])
        await play_on(seat)
        assert seat.table is not None
        assert seat.table["result"]["kind"] == "played"
        record = await guest.ask("GET", f"/api/tables/{made['table']}/records/1")
        assert record.text.startswith("buraco-record")
        replayed = await guest.ask("POST", "/api/replay", {"record": record.text})
        assert replayed.status_code == 200, replayed.text
        history = (await guest.ask("GET", "/api/me/history")).json()["results"]
        assert [(one["kind"], one["own_seat"]) for one in history] == [("played", 0)]
        await seat.close()
