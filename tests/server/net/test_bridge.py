"""The bridge of the examples: a bot of the line protocol plays online, and comes back when the connection is lost."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from buraco.rules import to_json
from buraco.server.terms import CLOSE_STOPPING
from tests.server.net.clients import Guest, Seat
from tests.server.net.serving import Running
from tests.server.net.test_bot_accounts import Owner
from tests.toy import TOY_CLOSED

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parents[3]
BOT = (sys.executable, str(ROOT / "examples" / "highest_meld.py"))


@pytest.fixture(scope="module")
def database_kind() -> str:
    """The bridge speaks to the server only, whatever its database."""
    return "sqlite"


@asynccontextmanager
async def bridge(running: Running, token: str, *words: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the bridge while the context is open."""
    options = ("--server", running.address, *words)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(ROOT / "examples" / "bridge.py"),
        *options,
        env={**os.environ, "BURACO_BOT_TOKEN": token},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def ended(process: asyncio.subprocess.Process) -> tuple[int, str, str]:
    out, err = await asyncio.wait_for(process.communicate(), 120)
    return process.returncode or 0, out.decode(), err.decode()


async def table_of(ana: Guest, **options: object) -> dict[str, Any]:
    # So few cards that a deal is soon over.
    rules = to_json(TOY_CLOSED.replace(target_points=0, deal_count=3))
    form = {"options": {"rules": rules, "players": 2, **options}}
    made: dict[str, Any] = (await ana.ask("POST", "/api/tables", form)).json()
    return made


async def act(seat: Seat) -> None:
    """Let a person do something, if it is their turn by what they heard last."""
    legal = None if seat.view is None else seat.view["legal"]
    if legal is None:
        await seat.hear()
    else:
        # Melds and additions have the highest ids, so that the deal does not last.
        await seat.ask("act", action=legal["actions"][-1])


async def test_a_bot_of_the_line_protocol_plays_a_match_online_and_comes_back(running: Running) -> None:
    owner = await Owner.of(running, "bridge-owner")
    robo, ana = await owner.bot("Robo"), await Guest.make(running, "Ana")
    made = await table_of(ana)
    seat = await ana.open(made["table"])
    await seat.hear()
    acts = 0
    async with bridge(running, robo.token, "--table", made["code"], "--", *BOT) as process:
        await seat.until(lambda: seat.table is not None and seat.table["seats"][1]["ready"])
        assert (await seat.ask("ready"))["type"] == "ack"
        while seat.table is not None and seat.table["phase"] != "finished":
            view = seat.view
            if seat.table["phase"] == "between" and not seat.table["seats"][0]["ready"]:
                await seat.ask("ready")
            elif seat.table["phase"] == "playing" and view is not None and view["turn_seat"] == 0:
                await act(seat)
                acts += 1
                if acts in (2, 12):
                    running.parts.sockets.close_person(robo.person["person"], CLOSE_STOPPING, "come back")
            else:
                await seat.hear()
        code, out, err = await ended(process)
    assert (code, err) == (0, "")
    assert out.count("connected to table") == 3
    assert re.search(r"the match is over: \[-?\d+, -?\d+\]", out)
    record = (await ana.ask("GET", f"/api/tables/{made['table']}/records/1")).text
    assert "Robo" in record
    await seat.close()


async def test_a_token_that_does_not_hold_ends_the_bridge(running: Running) -> None:
    ana = await Guest.make(running, "Ana")
    made = await table_of(ana)
    async with bridge(running, "bot1.nobody", "--table", made["code"], "--", *BOT) as process:
        code, out, err = await ended(process)
    assert (code, out) == (1, "")
    assert err.startswith("no seat: ")


async def test_a_bot_that_fails_too_often_ends_the_bridge(running: Running, tmp_path: Path) -> None:
    owner = await Owner.of(running, "failing-owner")
    robo, ana = await owner.bot("Robo"), await Guest.make(running, "Ana")
    made = await table_of(ana)
    seat = await ana.open(made["table"])
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit(7)")
    words = ("--table", made["code"], "--", sys.executable, str(broken))
    async with bridge(running, robo.token, *words) as process:
        await seat.until(lambda: seat.table is not None and seat.table["seats"][1]["ready"])
        await seat.ask("ready")
        waiting = asyncio.create_task(ended(process))
        await seat.until(lambda: seat.view is not None)
        while seat.view is not None and seat.view["turn_seat"] == 0:
            await act(seat)
        code, _, err = await waiting
    assert code == 1
    assert err.count("exit code 7") == 3
    await seat.close()
