"""The OpenAPI document: complete, with examples that hold, and true under generated requests."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from buraco.server.http import examples
from buraco.server.http.openapi import all_forms
from tests.server.net.clients import Guest, play_now
from tests.server.net.serving import child

#: Requests for each operation.
EXAMPLES = 8
METHODS = ("get", "post", "put", "patch", "delete")


class Served:
    """A server in a process of its own, for tools that are not asynchronous; a thread looks after it.

    Not in this process: Python 3.11 does not stand that two threads parse Python at the same time, as Hypothesis does.
    """

    def __init__(self, data: Path) -> None:
        self._data = data
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._work)
        self.address = ""
        self.token = ""
        self.tables: list[str] = []

    def _work(self) -> None:
        try:
            self._loop.run_until_complete(self._run())
        finally:
            self._loop.close()
            self._ready.set()

    async def _run(self) -> None:
        async with child(self._data) as (place, _):
            guest = await Guest.make(place, "schema")
            self.tables = [(await play_now(guest))["table"]]
            self.address, self.token = place.address, guest.token
            self._ready.set()
            await self._stop.wait()

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._thread.start()
        assert self._ready.wait(60)
        assert self.address, "the server did not start"

    def stop(self) -> None:
        """Stop it."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(60)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    one = Served(tmp_path_factory.mktemp("openapi"))
    one.start()
    yield one
    one.stop()


@pytest.fixture(scope="module")
def document(served: Served) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(f"{served.address}/api/openapi.json").json()
    return found


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield method, path, item[method]


def test_every_operation_is_described_with_examples_and_problems(document: dict[str, Any]) -> None:
    names = []
    for method, path, operation in operations(document):
        where = f"{method} {path}"
        names.append(operation["operationId"])
        assert operation["summary"], where
        assert operation["description"], where
        good = [status for status in operation["responses"] if status.startswith("2")]
        assert len(good) == 1, where
        for content in operation["responses"][good[0]].get("content", {}).values():
            assert "schema" in content, where
        if method in ("post", "patch") and "requestBody" in operation:
            assert "example" in operation["requestBody"]["content"]["application/json"], where
        for status, response in operation["responses"].items():
            if status >= "4":
                assert list(response["content"]) == ["application/problem+json"], f"{where} {status}"
    assert len(set(names)) == len(names)


def test_every_path_of_the_application_is_in_the_document(document: dict[str, Any]) -> None:
    wanted = {"/api/guests", "/api/play-now", "/api/tables/{name}/join", "/api/judge", "/api/replay", "/api/results"}
    assert wanted <= set(document["paths"])


def test_every_example_fits_its_schema(document: dict[str, Any]) -> None:
    checked = 0
    for method, path, operation in operations(document):
        contents = [operation.get("requestBody", {}).get("content", {})]
        contents += [response.get("content", {}) for response in operation["responses"].values()]
        for content in contents:
            for kind, one in content.items():
                if "example" in one and kind == "application/json":
                    schema = {**one["schema"], "components": document["components"]}
                    jsonschema.validate(one["example"], schema)
                    checked += 1
        assert operation, f"{method} {path}"
    assert checked > 25


@pytest.mark.parametrize("name", sorted(set(examples.__all__) - {"RECORD_TEXT"}))
def test_an_example_is_a_value_of_its_struct(name: str) -> None:
    value = getattr(examples, name)
    assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value


def test_examples_that_can_be_sent_are_answered(served: Served, document: dict[str, Any]) -> None:
    for path in ("/api/rules/check", "/api/judge"):
        body = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["example"]
        response = httpx.post(f"{served.address}{path}", json=body)
        assert response.status_code == 200, response.text
        assert response.json()


def test_the_judged_example_is_what_the_server_says(served: Served) -> None:
    body = msgspec.to_builtins(examples.JUDGE)
    assert httpx.post(f"{served.address}/api/judge", json=body).json() == json.loads(
        msgspec.json.encode(examples.JUDGED)
    )


def test_every_form_is_in_the_document(document: dict[str, Any]) -> None:
    assert set(all_forms()) <= set(document["components"]["schemas"])


def generated(served: Served) -> Any:
    """Return the schema as schemathesis reads it."""
    return schemathesis.openapi.from_url(f"{served.address}/api/openapi.json")


@pytest.mark.parametrize("signed_in", [True, False], ids=["signed-in", "nobody"])
def test_generated_requests_are_answered_as_the_document_says(served: Served, signed_in: bool) -> None:
    headers = {"Authorization": f"Bearer {served.token}"} if signed_in else {}
    checks = (
        not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_schema_conformance,
        unsupported_method,
    )
    ended = {"deleteMe", "logOutEverywhere"} if signed_in else set()
    asked = 0
    for result in generated(served).get_all_operations():
        operation = result.ok()
        if operation.definition.raw["operationId"] in ended:
            continue

        def check(case: Any) -> None:
            case.call_and_validate(checks=checks, headers=headers)

        bounded = settings(
            max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
        )
        bounded(given(case=operation.as_strategy())(check))()
        asked += 1
    assert asked > 25
