"""The commands around a server: serve, backup, admin, db."""

from __future__ import annotations

import asyncio
import io
import json
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from buraco.cli import admin as admin_commands
from buraco.cli import run
from buraco.server.addresses import listen
from buraco.server.settings import FIRST_PORT, Settings
from buraco.server.upgrade import make_engine
from tests.server.databases import database_url, on_site
from tests.server.net.clients import Guest, play_now
from tests.server.net.serving import Running, running_server
from tests.server.net.test_logs import captured
from tests.server.net.test_socket import close_code

pytestmark = pytest.mark.anyio
ADDRESS = re.compile(r"buraco serves at (http://127\.0\.0\.1:\d+)")


async def command(*words: str, text: str = "") -> tuple[int, str, str]:
    """Run a command of the command line beside the event loop; return its exit code and what it wrote."""

    def work() -> int:
        return run(words)

    out, err, typed = io.StringIO(), io.StringIO(), sys.stdin
    with captured(), redirect_stdout(out), redirect_stderr(err):
        sys.stdin = io.StringIO(text)
        try:
            code = await asyncio.wait_for(asyncio.to_thread(work), 120)
        finally:
            sys.stdin = typed
    return code, out.getvalue(), err.getvalue()


def place_of(folder: Path) -> tuple[str, ...]:
    """Return the flags that name the data and the database of a test."""
    url = database_url(folder)
    data = ("--data", str(folder))
    return data if url.startswith("sqlite") else (*data, "--database-url", url)


async def answer(*words: str, text: str = "") -> Any:
    """Return what a command says as JSON."""
    code, out, err = await command(*words, "--json", text=text)
    assert code == 0, (out, err)
    return json.loads(out)


@asynccontextmanager
async def served(data: Path, *flags: str) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """Run ``buraco serve`` and give its address."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "from buraco.cli import main; main()",
        "serve",
        "--data",
        str(data),
        *flags,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        line = (await asyncio.wait_for(process.stdout.readline(), 120)).decode()
        found = ADDRESS.search(line)
        assert found, line
        yield found[1], process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.mark.parametrize("one", [signal.SIGINT, signal.SIGTERM])
async def test_serve_prints_its_address_and_a_signal_stops_it_cleanly(tmp_path: Path, one: signal.Signals) -> None:
    async with served(tmp_path) as (address, process):
        async with httpx.AsyncClient(base_url=address) as client:
            assert (await client.get("/readyz")).text == "ready"
        process.send_signal(one)
        out, err = await asyncio.wait_for(process.communicate(), 60)
        assert process.returncode == 0
        assert b"--host 0.0.0.0" in out
        events = [json.loads(line)["event"] for line in err.decode().splitlines()]
        assert events[0] == "tables_restored"
        assert events[-1] == "stopped"
        assert "only_this_computer" in events
        assert "fault" not in events


async def test_a_second_server_on_the_same_data_is_refused(tmp_path: Path) -> None:
    async with running_server(tmp_path):
        code, _, err = await command("serve", "--data", str(tmp_path))
        assert code == 3
        assert "another server uses" in err
        # It never began, so it did not stop.
        assert "stopped" not in err


COMMANDS = [
    ["serve"],
    ["backup"],
    ["admin", "list"],
    ["admin", "end", "x"],
    ["admin", "ban", "x"],
    ["admin", "unban", "x"],
    ["admin", "reset-password", "x"],
    ["db", "state"],
    ["db", "upgrade"],
    ["restore", "x"],
]


def assert_one_line(err: str) -> None:
    """Hold an error to one line; the log of a server may stand before it."""
    lines = [line for line in err.splitlines() if not line.startswith("{")]
    assert len(lines) == 1, err
    assert lines[0].startswith("buraco: ")


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("kind", ["noise", "folder"])
async def test_what_is_no_database_is_an_error_in_one_line(words: list[str], kind: str, tmp_path: Path) -> None:
    path = tmp_path / "buraco.db"
    if kind == "folder":
        path.mkdir()
    else:
        path.write_bytes(bytes(range(256)) * 64)
    code, out, err = await command(*words, "--data", str(tmp_path))
    assert (code, out) == (3, "")
    assert_one_line(err)


async def test_a_database_of_an_unknown_step_is_an_error_in_one_line(tmp_path: Path) -> None:
    await answer("db", "upgrade", "--data", str(tmp_path))
    with closing(sqlite3.connect(tmp_path / "buraco.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    for words in (["serve"], ["admin", "list"], ["db", "upgrade"]):
        code, out, err = await command(*words, "--data", str(tmp_path))
        assert (code, out) == (3, "")
        assert_one_line(err)


async def test_an_argument_that_is_no_text_is_wrong_usage(tmp_path: Path) -> None:
    await answer("db", "upgrade", "--data", str(tmp_path))
    code, out, err = await command("admin", "ban", "\udcff\udcfe", "--data", str(tmp_path))
    assert (code, out) == (2, "")
    assert_one_line(err)


@pytest.mark.parametrize("words", [*COMMANDS[1:4], *COMMANDS[7:]], ids=" ".join)
@pytest.mark.parametrize("url", ["nonsense", "://", "nobody://here"])
async def test_what_is_no_address_of_a_database_is_an_error_in_one_line(words: list[str], url: str) -> None:
    code, out, err = await command(*words, "--database-url", url)
    assert code in (2, 3)
    assert out == ""
    assert_one_line(err)


def test_the_first_free_port_is_taken() -> None:
    with closing(listen(Settings())) as first, closing(listen(Settings())) as second:
        one, two = first.getsockname()[1], second.getsockname()[1]
        assert FIRST_PORT <= one < two


async def test_a_port_in_use_that_was_asked_for_is_an_error(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = str(taken.getsockname()[1])
        code, _, err = await command("serve", "--data", str(tmp_path), "--port", port)
        assert code == 3
        assert f"127.0.0.1:{port}" in err
        assert "Traceback" not in err


async def test_wrong_settings_are_named_all_at_once(tmp_path: Path) -> None:
    code, _, err = await command("serve", "--data", str(tmp_path), "--queue-max", "1", "--public-url", "x")
    assert code == 2
    assert "--queue-max" in err
    assert "--public-url" in err


async def test_a_data_folder_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("", encoding="ascii")
    code, _, err = await command("serve", "--data", str(path))
    assert code == 3
    assert "--data" in err


async def test_a_backup_of_a_running_server_holds_everything(tmp_path: Path) -> None:
    async with running_server(tmp_path / "data") as running:
        guest = await Guest.make(running)
        made = await play_now(guest)
        target = tmp_path / "copy" / "buraco.db"
        said = await answer("backup", str(target), "--data", str(tmp_path / "data"))
        assert said["bytes"] == target.stat().st_size
        code, _, err = await command("backup", str(target), "--data", str(tmp_path / "data"))
        assert (code, "is there already" in err) == (3, True)
        named = await answer("backup", "--data", str(tmp_path / "data"))
        assert Path(named["file"]).is_file()
    assert [entry.name for entry in target.parent.iterdir()] == ["buraco.db"]
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("select count(*) from entry where table_id = ?", (made["table"],)).fetchone()[0] >= 3
    (tmp_path / "data" / "token.key").rename(target.parent / "token.key")
    async with running_server(target.parent) as again:
        back = Guest(again, guest.token, guest.person)
        assert (await back.ask("GET", f"/api/tables/{made['table']}")).json()["you"]["seat"] == 0


async def test_a_backup_without_a_database_is_an_error(tmp_path: Path) -> None:
    code, _, err = await command("backup", "--data", str(tmp_path))
    assert (code, "there is no database" in err) == (3, True)


async def test_a_backup_that_cannot_be_written_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    await answer("db", "upgrade", "--data", str(tmp_path))
    (tmp_path / "file").touch()
    target = tmp_path / "file" / "copy.db"
    code, _, err = await command("backup", str(target), "--data", str(tmp_path))
    assert code == 3
    assert f"{target}: " in err
    assert ".part" not in err


async def test_a_backup_comes_back_and_what_was_there_is_kept(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy.db"
    async with running_server(data) as running:
        guest = await Guest.make(running)
        first = await play_now(guest)
        await answer("backup", str(copy), "--data", str(data))
        second = await play_now(guest)
        code, _, err = await command("restore", str(copy), "--data", str(data))
        assert (code, "another server uses" in err) == (3, True)
    # As after a kill: a log lies beside the database that must not be taken for that of the backup.
    (data / "buraco.db-wal").write_bytes(b"stale")
    code, out, err = await command("restore", str(copy), "--data", str(data))
    assert (code, err) == (0, "")
    assert f"{copy} is now the database in {data}" in out
    assert not (data / "buraco.db-wal").exists()
    kept = next((data / "backups").glob("replaced-*.db"))
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == b"stale"
    assert str(kept) in out
    async with running_server(data) as again:
        back = Guest(again, guest.token, guest.person)
        assert (await back.ask("GET", f"/api/tables/{first['table']}")).status_code == 200
        assert (await back.ask("GET", f"/api/tables/{second['table']}")).status_code == 404
    assert sorted(entry.name for entry in data.iterdir() if entry.name.startswith(".")) == []


async def test_a_backup_comes_back_where_there_is_no_database_and_over_a_damaged_one(tmp_path: Path) -> None:
    await answer("db", "upgrade", "--data", str(tmp_path / "first"))
    copy = tmp_path / "copy.db"
    await answer("backup", str(copy), "--data", str(tmp_path / "first"))
    data = tmp_path / "data"
    assert (await answer("restore", str(copy), "--data", str(data)))["kept"] is None
    for _ in range(2):
        (data / "buraco.db").write_bytes(b"no database at all")
        code, _, err = await command("admin", "list", "--data", str(data))
        assert (code, "buraco restore FILE" in err) == (3, True)
        kept = Path((await answer("restore", str(copy), "--data", str(data)))["kept"])
        assert kept.read_bytes() == b"no database at all"
        assert (await answer("admin", "list", "--data", str(data))) == {"tables": [], "people": []}
    assert len(list((data / "backups").iterdir())) == 2


@pytest.mark.parametrize("kind", ["noise", "foreign", "newer", "none", "folder"])
async def test_what_is_no_backup_is_refused_and_changes_nothing(kind: str, tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy.db"
    await answer("db", "upgrade", "--data", str(data))
    if kind == "noise":
        copy.write_bytes(bytes(range(256)) * 64)
    elif kind == "folder":
        copy.mkdir()
    elif kind == "foreign":
        with closing(sqlite3.connect(copy)) as database, database:
            database.execute("create table other (value)")
    elif kind == "newer":
        await answer("backup", str(copy), "--data", str(data))
        with closing(sqlite3.connect(copy)) as database, database:
            database.execute("UPDATE alembic_version SET version_num = '9999'")
    before = (data / "buraco.db").read_bytes()
    code, out, err = await command("restore", str(copy), "--data", str(data))
    assert (code, out) == (3, "")
    assert_one_line(err)
    assert (data / "buraco.db").read_bytes() == before
    assert not [entry.name for entry in data.iterdir() if ".part" in entry.name or entry.name == "backups"]


async def test_an_order_says_whom_it_was_about(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        guest = await Guest.make(running, "Ana")
        await guest.ask("POST", "/api/accounts", {"login": "ana", "password": "correct horse"})
        person = guest.person["person"]
        code, out, _ = await command("admin", "ban", "ANA", "--data", str(tmp_path))
        assert (code, out) == (0, f"Done: Ana (ana), {person}.\n")
        listed = await answer("admin", "list", "--data", str(tmp_path))
        assert [(one["name"], one["banned"], one["seen_ms"] > 0) for one in listed["people"]] == [("Ana", True, True)]


async def test_the_schema_is_upgraded_by_command_and_its_state_told(tmp_path: Path) -> None:
    where = ("--data", str(tmp_path))
    code, _, err = await command("db", "state", *where)
    assert (code, "there is no database" in err) == (3, True)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "buraco.db").touch()
    before = await answer("db", "state", *where)
    assert before["now"] != before["newest"]
    assert (await answer("db", "upgrade", *where))["after"] == before["newest"]
    assert await answer("db", "state", *where) == {"now": before["newest"], "newest": before["newest"]}
    assert (await answer("admin", "list", *where)) == {"tables": [], "people": []}


@on_site
async def test_an_administrator_lists_ends_and_bars(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        guest = await Guest.make(running, "Ana")
        made = await play_now(guest)
        seat = await guest.open(made["table"])
        await seat.hear()
        where = place_of(tmp_path)
        listed = await answer("admin", "list", *where)
        assert [one["table"] for one in listed["tables"]] == [made["table"]]
        assert [one["name"] for one in listed["people"]] == ["Ana"]
        assert (await answer("admin", "end", made["code"], *where))["outcome"] == "done"
        await seat.until(lambda: seat.table is not None and seat.table["phase"] == "closed")
        code, _, err = await command("admin", "end", "NOSUCH", *where)
        assert (code, "there is no table 'NOSUCH'" in err) == (1, True)
        code, _, err = await command("admin", "end", made["table"], *where)
        assert (code, "has ended already" in err) == (1, True)
        person = guest.person["person"]
        await Guest(running, guest.token, guest.person).ask("GET", "/api/me")
        assert (await answer("admin", "ban", person, *where))["outcome"] == "done"
        assert (await guest.ask("GET", "/api/me")).json()["code"] == "banned"
        assert (await answer("admin", "unban", person, *where))["outcome"] == "done"
        assert (await guest.ask("GET", "/api/me")).status_code == 200
        code, _, err = await command("admin", "ban", "nobody", *where)
        assert (code, "there is nobody" in err) == (1, True)


@on_site
async def test_an_administrator_resets_a_password(tmp_path: Path) -> None:
    where = place_of(tmp_path)
    async with running_server(tmp_path) as running, running.client() as client:
        await client.post("/api/guests", json={"name": "Ana"})
        await client.post("/api/accounts", json={"login": "Ana", "password": "correct horse"})
        made_up = await answer("admin", "reset-password", "ana", *where)
        assert (await client.get("/api/me")).status_code == 401
        assert await signs_in(running, made_up["password"])
        read = await answer("admin", "reset-password", "Ana", "--stdin", *where, text="battery staple\n")
        assert read["password"] is None
        assert await signs_in(running, "battery staple")
        form = {"login": "Ana", "code": read["recovery_code"], "password": "yet another"}
        assert (await client.post("/api/accounts/recover", json=form)).status_code == 200
        code, _, err = await command("admin", "reset-password", "nobody", *where)
        assert (code, "there is no account" in err) == (1, True)


@on_site
async def test_a_reset_password_ends_what_is_open_with_a_token_of_before(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        guest = await Guest.make(running, "Ana")
        await guest.ask("POST", "/api/accounts", {"login": "Ana", "password": "correct horse"})
        made = await play_now(guest)
        seat = await guest.open(made["table"])
        await answer("admin", "reset-password", "Ana", *place_of(tmp_path))
        assert await close_code(seat) == 4003
        assert (await guest.ask("GET", "/api/me")).status_code == 401


@on_site
async def test_an_administrator_revokes_the_token_of_a_bot(tmp_path: Path) -> None:
    where = place_of(tmp_path)
    async with running_server(tmp_path) as running:
        guest = await Guest.make(running, "Ana")
        await guest.ask("POST", "/api/accounts", {"login": "Ana", "password": "correct horse"})
        made = (await guest.ask("POST", "/api/me/bots", {"name": "Robo"})).json()
        bot = Guest(running, made["token"], made["bot"])
        seat = await bot.open((await play_now(bot))["table"])
        listed = {one["name"]: one["bot_of"] for one in (await answer("admin", "list", *where))["people"]}
        assert listed == {"Ana": None, "Robo": guest.person["person"]}
        assert (await answer("admin", "revoke-bot", made["bot"]["person"], *where))["revoked"] is True
        assert await close_code(seat) == 4003
        assert (await bot.ask("GET", "/api/me")).status_code == 401
        for nobody in ("nobody", guest.person["person"]):
            code, _, err = await command("admin", "revoke-bot", nobody, *where)
            assert (code, "there is no bot account" in err) == (1, True)


async def signs_in(running: Running, password: str) -> bool:
    async with running.client() as client:
        form = {"login": "Ana", "password": password}
        return (await client.post("/api/accounts/login", json=form)).status_code == 200


@on_site
async def test_an_order_waits_for_the_next_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_server(tmp_path) as running:
        guest = await Guest.make(running)
        made = await play_now(guest)
    where = place_of(tmp_path)
    for words in (("end", "NOSUCH"), ("ban", "nobody"), ("unban", "nobody"), ("reset-password", "nobody")):
        code, out, err = await command("admin", *words, *where)
        assert (code, out) == (1, "")
        assert "there is no" in err
        assert f"'{words[1]}'" in err
    # Nobody waits for a server that is not there, and what was refused is no order.
    monkeypatch.setattr(admin_commands, "_WAIT_S", 10**6)
    waiting = await answer("admin", "end", made["code"].lower(), *where)
    assert waiting["outcome"] == "waiting"
    engine = make_engine(database_url(tmp_path))
    async with engine.connect() as connection:
        orders = (await connection.execute(sa.text("SELECT kind, target FROM admin_order"))).fetchall()
    await engine.dispose()
    assert [tuple(order) for order in orders] == [("end", made["table"])]
    async with running_server(tmp_path) as running:
        async with asyncio.timeout(30):
            while running.parts.service.tables:
                await asyncio.sleep(0)
