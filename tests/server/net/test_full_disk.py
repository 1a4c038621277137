"""Over HTTP and sockets, while nothing can be written: what is asked for is refused as `storage`, and works later."""

from __future__ import annotations

from pathlib import Path

import pytest

from buraco.server.accounts import SEEN_STEP_MS
from buraco.server.app import Ground
from buraco.server.clocks import ManualClock
from tests.server.disks import Disk
from tests.server.net.clients import Guest, play_now
from tests.server.net.serving import cheap_hasher, running_server
from tests.server.net.test_logs import captured, lines_of

pytestmark = pytest.mark.anyio


async def test_while_nothing_can_be_written_requests_that_write_are_refused_and_others_work(tmp_path: Path) -> None:
    clock = ManualClock(1_700_000_000_000)
    ground = Ground(clock=clock, bots="inline", hasher=cheap_hasher())
    async with running_server(tmp_path, ground) as running:
        disk = Disk(running.parts.service.store.engine)
        guest = await Guest.make(running, "Ana")
        made = await play_now(guest)
        seat = await guest.open(made["table"])
        await seat.hear()
        version = seat.version
        disk.fault = "read_only"
        # Who was there long ago is to be noted again, which cannot be; they may read all the same.
        clock.turn_to(clock.now_ms() + SEEN_STEP_MS + 1)
        writes = [
            ("POST", "/api/guests", {"name": "Bob"}),
            ("POST", "/api/play-now", {}),
            ("POST", "/api/tables", {}),
            ("PATCH", "/api/me", {"name": "Eva"}),
            ("POST", "/api/accounts", {"login": "Ana", "password": "correct horse"}),
            ("POST", "/api/me/logout-everywhere", None),
            ("DELETE", "/api/me", None),
        ]
        with captured("info") as stream:
            for method, path, body in writes:
                response = await guest.ask(method, path, body)
                assert (response.status_code, response.json()["code"]) == (503, "storage"), (path, response.text)
                assert response.headers["retry-after"]
            for path in ("/api/me", "/api/me/tables", "/api/me/export", "/api/tables", "/readyz"):
                assert (await guest.ask("GET", path)).status_code == 200, path
            refused = await seat.ask("chat", text="hello", id="said")
            assert (refused["type"], refused["code"]) == ("refused", "storage")
            over_http = {"type": "chat", "id": "said", "version": version, "text": "hello"}
            response = await guest.ask("POST", f"/api/tables/{made['table']}/messages", over_http)
            assert (response.json()["type"], response.json()["code"]) == ("refused", "storage")
        lines = [line for line in lines_of(stream) if line["level"] == "error"]
        assert {line["event"] for line in lines} <= {"storage_failed", "not_saved", "housekeeping_failed"}
        assert "fault" not in {line["event"] for line in lines}
        disk.fault = ""
        assert (await seat.ask("chat", text="hello", id="said"))["type"] == "ack"
        assert (await guest.ask("POST", "/api/play-now", {})).status_code == 201
        # The deletion that could not be is done when it is asked for again.
        assert (await guest.ask("DELETE", "/api/me")).status_code == 204
        assert (await guest.ask("GET", "/api/me")).status_code == 401


async def test_a_fault_of_the_program_is_a_problem_without_details(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_server(tmp_path) as running:

        async def fail(_: int) -> None:
            raise ValueError("the hand is 7h Ks")

        monkeypatch.setattr(running.parts.archive, "results", fail)
        with captured("info") as stream:
            async with running.client() as client:
                response = await client.get("/api/results")
        assert (response.status_code, response.json()["code"]) == (500, "fault")
        assert response.headers["content-type"] == "application/problem+json"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert "7h" not in response.text
        lines = [line for line in lines_of(stream) if line["level"] == "error"]
        assert [(line["event"], line["error"]) for line in lines] == [("fault", "ValueError")]
        assert 'buraco_errors_total{kind="ValueError"} 1.0' in running.parts.metrics.text().decode()
