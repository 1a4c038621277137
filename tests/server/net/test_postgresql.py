"""A server on PostgreSQL: one for a database, its commands, and a database that goes away and comes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import httpx
import pytest

from buraco.errors import BuracoError
from buraco.server.app import Ground
from buraco.server.clocks import ManualClock
from buraco.server.logs import Log
from buraco.server.postgres import claim
from tests.server.databases import Cluster, database_url, on_postgresql, use_database
from tests.server.net.clients import Guest, play_now
from tests.server.net.serving import Running, cheap_hasher, running_server
from tests.server.net.test_commands import answer, command, served
from tests.server.net.test_socket import close_code
from tests.server.relay import Relay, relay

pytestmark = [pytest.mark.anyio, on_postgresql]

SECRET = "Sesame0pen"


@asynccontextmanager
async def behind_a_line(folder: Path, ground: Ground | None = None) -> AsyncIterator[tuple[Relay, Running]]:
    """Run a server whose line to the database can be cut."""
    async with relay(database_url(folder)) as (line, through):
        use_database(folder, through)
        async with running_server(folder, ground) as running:
            yield line, running


class Ear:
    """A log that is listened to."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._news = asyncio.Event()

    def _hear(self, event: str) -> None:
        self.heard.append(event)
        self._news.set()

    info = warning = error = _hear

    async def until(self, event: str) -> None:
        """Wait until an event is told."""
        async with asyncio.timeout(60):
            while event not in self.heard:
                self._news.clear()
                await self._news.wait()

    @property
    def log(self) -> Log:
        """The log."""
        return cast(Log, self)


async def test_a_request_without_a_database_is_refused_and_later_done(tmp_path: Path) -> None:
    async with behind_a_line(tmp_path) as (line, running), running.client() as client:
        guest = await Guest.make(running)
        made = await play_now(guest)
        line.down()
        assert (await client.get("/readyz")).status_code == 503
        for method, path, body in (
            ("POST", "/api/guests", {"name": "Bob"}),
            ("GET", "/api/me", None),
            ("GET", "/api/results", None),
            ("GET", "/api/tables/NOSUCH", None),
            ("POST", "/api/tables", {}),
        ):
            refused = await guest.ask(method, path, body)
            assert (refused.status_code, refused.json()["code"]) == (503, "storage"), (path, refused.text)
        assert (await client.get("/healthz")).status_code == 200
        line.up()
        assert (await client.get("/readyz")).status_code == 200
        assert (await guest.ask("GET", "/api/me")).status_code == 200
        seat = await guest.open(made["table"])
        await seat.hear()
        await seat.close()


async def test_a_socket_without_a_database_is_told_to_come_back_and_later_opens(tmp_path: Path) -> None:
    async with behind_a_line(tmp_path) as (line, running):
        guest = await Guest.make(running)
        made = await play_now(guest)
        line.down()
        for name in (made["table"], "NOSUCH"):
            assert await close_code(await guest.open(name)) == 1013
        refused = await guest.ask("GET", "/api/me")
        assert (refused.status_code, refused.json()["code"]) == (503, "storage")
        assert int(refused.headers["retry-after"]) > 0
        told = running.parts.metrics.text().decode()
        assert 'buraco_socket_closes_total{code="1013"} 2.0' in told
        assert 'code="1011"' not in told
        line.up()
        seat = await guest.open(made["table"])
        assert (await seat.hear())["type"] == "snapshot"
        await seat.close()


async def test_housekeeping_goes_on_when_the_database_is_back(tmp_path: Path) -> None:
    clock = ManualClock(1_700_000_000_000)
    ground = Ground(clock=clock, bots="inline", hasher=cheap_hasher())
    async with behind_a_line(tmp_path, ground) as (line, running), asyncio.timeout(60):
        guest = await Guest.make(running, "old")
        line.down()
        while b"buraco_errors_total{" not in running.parts.metrics.text():
            clock.turn_to(clock.now_ms() + 3_600_000)
            await asyncio.sleep(0)
        line.up()
        while await running.parts.people.find(guest.person["person"]) is not None:
            clock.turn_to(clock.now_ms() + 86_400_000)
            await asyncio.sleep(0)


def on_the_same_database(folder: Path) -> Path:
    """Return another data folder, of a server on the database of this one."""
    other = folder / "other"
    other.mkdir()
    use_database(other, database_url(folder))
    return other


async def refusal(data: Path) -> BuracoError:
    """Return why a server on a data folder does not start."""
    with pytest.raises(BuracoError) as error:
        async with running_server(data):
            pass
    return error.value


async def test_a_second_server_on_a_database_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    other = on_the_same_database(tmp_path)
    async with running_server(tmp_path):
        refused = await refusal(other)
        assert refused.code == "data_in_use"
        assert "another server uses this database" in refused.message
        assert "--redis" in refused.message
    async with running_server(other) as running:
        assert (await Guest.make(running)).token


async def test_two_databases_of_one_cluster_have_a_server_each(tmp_path: Path, cluster: Cluster) -> None:
    other = tmp_path / "other"
    other.mkdir()
    with cluster.database() as url:
        use_database(other, url)
        async with running_server(tmp_path) as one, running_server(other) as two:
            assert one.address != two.address


async def test_the_claim_to_a_database_comes_back_after_a_lost_line(tmp_path: Path) -> None:
    url, ear = database_url(tmp_path), Ear()
    async with relay(url) as (line, through):
        async with claim(through, ear.log):
            line.down()
            line.up()
            await ear.until("database_claim_back")
            with pytest.raises(BuracoError) as error:
                async with claim(url, ear.log):
                    pass
            assert error.value.code == "data_in_use"
        async with claim(url, ear.log):
            pass
    assert ear.heard == ["database_claim_lost", "database_claim_back"]


async def test_a_claim_that_another_server_took_meanwhile_is_told_and_waited_for(tmp_path: Path) -> None:
    url, ear = database_url(tmp_path), Ear()
    async with relay(url) as (line, through), claim(through, ear.log):
        line.down()
        await ear.until("database_claim_lost")
        async with claim(url, ear.log):
            line.up()
            await ear.until("database_in_use")
        await ear.until("database_claim_back")


async def test_the_schema_is_made_by_its_command_and_the_server_says_so_before(
    tmp_path: Path, cluster: Cluster
) -> None:
    with cluster.database(empty=True) as url:
        place = ("--data", str(tmp_path), "--database-url", url)
        code, _, err = await command("serve", *place)
        assert code == 3
        assert "the database has no tables yet; run `buraco db upgrade` first" in err
        code, _, err = await command("admin", "list", *place)
        assert code == 3
        assert "run `buraco db upgrade` first" in err
        assert (await answer("db", "state", *place))["now"] == ""
        upgraded = await answer("db", "upgrade", *place)
        assert upgraded["before"] == ""
        assert await answer("db", "state", *place) == {"now": upgraded["after"], "newest": upgraded["after"]}
        async with (
            served(tmp_path, "--database-url", url) as (address, _),
            httpx.AsyncClient(base_url=address, verify=False) as client,
        ):
            assert (await client.get("/readyz")).text == "ready"
        assert not (tmp_path / "buraco.db").exists()


async def test_an_administrator_works_on_the_database_beside_the_server(tmp_path: Path) -> None:
    place = ("--data", str(tmp_path), "--database-url", database_url(tmp_path))
    async with running_server(tmp_path) as running:
        guest = await Guest.make(running, "Ana")
        made = await play_now(guest)
        listed = await answer("admin", "list", *place)
        assert [one["table"] for one in listed["tables"]] == [made["table"]]
        assert [one["name"] for one in listed["people"]] == ["Ana"]
        assert (await answer("admin", "end", made["table"], *place))["outcome"] == "done"
        assert (await answer("admin", "list", *place))["tables"] == []
        assert (await answer("admin", "ban", guest.person["person"], *place))["outcome"] == "done"


async def test_the_kind_of_an_address_may_be_in_capitals(tmp_path: Path) -> None:
    url = database_url(tmp_path).replace("postgresql://", "POSTGRESQL://", 1)
    place = ("--data", str(tmp_path), "--database-url", url)
    state = await answer("db", "state", *place)
    assert state["now"] == state["newest"]
    use_database(tmp_path, url)
    async with running_server(tmp_path) as running:
        await play_now(await Guest.make(running))
        assert len((await answer("admin", "list", *place))["tables"]) == 1
    assert not (tmp_path / "buraco.db").exists()


async def test_a_backup_is_the_work_of_the_databases_own_programs(tmp_path: Path) -> None:
    url = database_url(tmp_path)
    code, out, err = await command("backup", str(tmp_path / "copy"), "--data", str(tmp_path), "--database-url", url)
    assert code == 3
    assert "pg_dump" in err
    assert url not in out + err
    assert not (tmp_path / "copy").exists()


WRONG = f"buraco:{SECRET}@127.0.0.1:{{port}}/x"


@pytest.mark.parametrize(
    ("words", "address"),
    [
        (["serve"], WRONG),
        (["serve"], f"buraco:x/{SECRET}@127.0.0.1:{{port}}/x"),
        (["serve"], f"b:{SECRET}@@/:/"),
        (["admin", "list"], WRONG),
        (["db", "state"], WRONG),
        (["db", "upgrade"], WRONG),
        (["backup"], WRONG),
    ],
)
async def test_no_command_tells_the_password(
    words: list[str], address: str, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BURACO_DATABASE_URL", f"postgresql://{address.format(port=cluster.port)}")
    code, out, err = await command(*words, "--data", str(tmp_path))
    assert code in (2, 3), err
    assert len([line for line in err.splitlines() if not line.startswith("{")]) == 1, err
    assert SECRET not in out + err
