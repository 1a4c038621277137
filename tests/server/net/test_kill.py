"""kill -9 during a match at the named points: no acked action is lost, none is doubled, every card is there."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from buraco.engine.position import visible_cards
from buraco.engine.shuffle import ordered_pack
from buraco.server.entries import Acted, Logged
from buraco.server.replaying import Fold
from buraco.server.store import Store
from buraco.server.terms import FAULT_POINTS
from tests.server.databases import database_url, on_both
from tests.server.net.clients import Seat
from tests.server.net.serving import running_server
from tests.server.net.test_match import choose

pytestmark = pytest.mark.anyio

#: Where it dies: in the making of the table, in the first turns, in mid-deal.
DEATHS = (("before_commit", 2), ("before_commit", 40), ("after_commit", 9), ("after_commit", 41), ("after_ack", 12))


@asynccontextmanager
async def child(data: Path, point: str, nth: int) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """Run a server in a process; give its address and the process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.server.net.child", str(data), point, str(nth), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        address = (await asyncio.wait_for(process.stdout.readline(), 60)).decode().strip()
        assert address, "the server did not start"
        yield address, process
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
        await process.wait()


@dataclass
class Played:
    """What a client knows of its match: what was acked, and what was sent without a reply."""

    table: str = ""
    token: str = ""
    acked: dict[str, int] = field(default_factory=dict)
    open_message: dict[str, Any] | None = None


async def begin(address: str, played: Played) -> None:
    """Make a guest and a table at which bots take all other seats."""
    async with httpx.AsyncClient(base_url=address, verify=False) as client:
        guest = await client.post("/api/guests", json={"name": "Ana", "bearer": True})
        played.token = guest.json()["token"]
        headers = {"Authorization": f"Bearer {played.token}"}
        made = await client.post("/api/play-now", json={}, headers=headers)
        played.table = made.json()["table"]


async def sit(address: str, played: Played) -> Seat:
    """Open the socket of the seat."""
    where = f"{address.replace('http', 'ws')}/api/tables/{played.table}/socket"
    return Seat(await connect(where, additional_headers={"Authorization": f"Bearer {played.token}"}, proxy=None))


async def play_until_it_dies(address: str, played: Played) -> None:
    """Act whenever it is the seat's turn, and note what was acked, until the server is gone."""
    await begin(address, played)
    seat = await sit(address, played)
    number = 0
    while True:
        if seat.view is None or seat.view["legal"] is None:
            await seat.hear()
            continue
        number += 1
        own_id = f"a{number}"
        message = {"type": "act", "id": own_id, "version": seat.version, "action": choose(seat.view["legal"])}
        played.open_message = message
        await seat.send(message)
        reply = await seat.reply_to(own_id)
        played.open_message = None
        if reply["type"] == "ack":
            played.acked[reply["id"]] = reply["version"]
        version = seat.version
        await seat.until(lambda: seat.version > version)  # noqa: B023


async def log_of(data: Path, table: str) -> list[Logged]:
    """Return the log of a table as it stands in the database."""
    store = await Store.open(database_url(data))
    try:
        return await store.log_of(table)
    finally:
        await store.close()


async def fold_of(data: Path, table: str) -> Fold:
    """Return the state that follows from the log."""
    store = await Store.open(database_url(data))
    try:
        people, entries = await store.people_of(table), await store.log_of(table)
    finally:
        await store.close()
    fold = Fold(people)
    for logged in entries:
        fold.apply(logged)
    return fold


def own_acts(entries: list[Logged]) -> Counter[str]:
    """Count the actions of the client in a log by the ids of their messages."""
    return Counter(one.entry.id for one in entries if isinstance(one.entry, Acted) and one.entry.id)


def test_it_dies_at_every_named_point() -> None:
    assert {point for point, _ in DEATHS} == set(FAULT_POINTS)


@on_both
@pytest.mark.parametrize(("point", "nth"), DEATHS)
async def test_a_killed_server_has_lost_no_acked_action_and_doubled_none(tmp_path: Path, point: str, nth: int) -> None:
    played = Played()
    async with child(tmp_path, point, nth) as (address, process):
        with suppress(ConnectionClosed, httpx.HTTPError, TimeoutError, OSError):
            await play_until_it_dies(address, played)
        assert await asyncio.wait_for(process.wait(), 30) == -signal.SIGKILL
    if not played.table:
        # It died before the client had heard of a table, so there is nothing that it was told.
        assert nth == DEATHS[0][1]
        return
    entries = await log_of(tmp_path, played.table)
    assert [one.seq for one in entries] == list(range(1, len(entries) + 1))
    acts = own_acts(entries)
    assert set(played.acked) <= set(acts), "an acked action was lost"
    assert set(acts.values()) <= {1}, "an action was doubled"
    assert all(version <= len(entries) for version in played.acked.values())
    async with running_server(tmp_path) as running:
        await come_back(running.address, played, acts)
    assert set(own_acts(await log_of(tmp_path, played.table)).values()) <= {1}
    await check_cards(tmp_path, played.table)


async def come_back(address: str, played: Played, acts: Counter[str]) -> None:
    """Open the seat again; say once more what had no reply and what had one."""
    seat = await sit(address, played)
    snapshot = await seat.hear()
    assert snapshot["type"] == "snapshot"
    assert snapshot["you"]["seat"] == 0
    assert snapshot["version"] >= max(played.acked.values(), default=0)
    message = played.open_message
    if message is not None:
        await seat.send(message)
        reply = await seat.reply_to(message["id"])
        # What had been written is acked now; what had not is taken now, or is stale.
        assert reply["type"] == "ack" or (reply["code"] == "stale_version" and not acts[message["id"]]), reply
    for message_id, version in played.acked.items():
        again = {"type": "act", "id": message_id, "version": 0, "action": 0}
        await seat.send(again)
        reply = await seat.reply_to(message_id)
        assert reply == {**reply, "type": "ack", "version": version} or reply["code"] == "stale_version", reply
    await seat.close()


async def check_cards(data: Path, table: str) -> None:
    """Every card of the pack is in its place."""
    fold = await fold_of(data, table)
    if fold.host is None:
        return
    assert visible_cards(fold.host.position()) == Counter(ordered_pack(fold.rules))
