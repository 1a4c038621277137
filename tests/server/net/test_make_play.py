"""``make play`` as a stranger starts it: no terminal, an address, a card played, a clean stop."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from tests.server.net.clients import Seat
from tests.server.net.test_match import choose

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).resolve().parents[3]


async def test_make_play_serves_a_table_at_which_a_card_is_played(tmp_path: Path) -> None:
    make = shutil.which("make")
    assert make is not None
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    process = await asyncio.create_subprocess_exec(
        make,
        "-s",
        "-f",
        str(ROOT / "Makefile"),
        "play",
        cwd=ROOT,
        env={
            **environment,
            "BURACO_DATA": str(tmp_path),
            "BURACO_BOT_PAUSE_MS": "0",
            "BURACO_LOG_FILE": str(tmp_path / "server.log"),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        address = await printed_address(process.stdout)
        await play_a_card(address)
        # What Ctrl-C does: the whole group hears it, make and the server.
        os.killpg(process.pid, signal.SIGINT)
        await asyncio.wait_for(process.wait(), 60)
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    assert '"event": "stopped"' in (tmp_path / "server.log").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "hosts"),
    [([], []), (["HOST=0.0.0.0"], ["--host", '"0.0.0.0"'])],
    ids=["this computer", "the local network"],
)
async def test_only_an_argument_of_make_play_lets_the_local_network_in(arguments: list[str], hosts: list[str]) -> None:
    make = shutil.which("make")
    assert make is not None
    # Under `make test` this make would be a part of that one: with its options, and telling of its folder.
    environment = {
        name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    }
    environment["HOST"] = "the-name-of-this-computer"
    told = subprocess.run(
        [make, "--no-print-directory", "-n", "play", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    command = told.stdout.splitlines()[-1].split()
    assert command[: command.index("--open")][:3] == ["exec", ".venv/bin/buraco", "serve"]
    assert command[command.index("--open") + 1 :] == hosts


async def printed_address(output: asyncio.StreamReader) -> str:
    """Return the address that is printed; the set-up may say something before."""
    async with asyncio.timeout(300):
        while line := await output.readline():
            found = re.search(r"http://127\.0\.0\.1:\d+", line.decode())
            if found:
                return found[0]
    raise AssertionError("no address was printed")


async def play_a_card(address: str) -> None:
    """Open the page, play now as a guest, and act until a card of the own hand lies on the table."""
    async with httpx.AsyncClient(base_url=address) as client:
        page = (await client.get("/")).text
        assert "<title>Buraco</title>" in page
        for file in re.findall(r'(?:src|href)="(/assets/[^"]+)"', page):
            assert (await client.get(file)).status_code == 200
        assert "/assets/" in page
        token = (await client.post("/api/guests", json={"name": "Ana", "bearer": True})).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        made = (await client.post("/api/play-now", json={}, headers=headers)).json()
    where = f"{address.replace('http', 'ws')}/api/tables/{made['code']}/socket"
    seat = Seat(await connect(where, additional_headers=headers, proxy=None))
    while not any(event["event"] == "discarded" and event["seat"] == 0 for event in events(seat)):
        if seat.view is not None and seat.view["legal"] is not None:
            assert (await seat.ask("act", action=choose(seat.view["legal"])))["type"] == "ack"
        await seat.hear()
    await seat.close()


def events(seat: Seat) -> list[dict[str, object]]:
    return [event for one in seat.heard if one["type"] == "update" for event in one["events"]]
