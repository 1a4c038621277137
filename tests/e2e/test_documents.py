"""The site of the documents in a browser: it asks its own server only, complains of nothing, and can be searched."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, expect

from tests.documents.site import build_site


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Say nothing on standard error."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the built site is served."""
    site, told = build_site(tmp_path_factory.getbasetemp())
    assert told.endswith("exit code 0\n"), told
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_the_documents_ask_only_their_own_server_and_can_be_searched(chromium: Browser, address: str) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    asked: list[str] = []
    complaints: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    context.on("console", lambda line: complaints.append(line.text) if line.type in ("error", "warning") else None)
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    page = context.new_page()
    for name in ("index", "architecture", "rules/index", "reference/engine"):
        page.goto(f"{address}/{name}.html", wait_until="networkidle")
        expect(page.locator("h1")).to_be_visible()
    # The page reads what is written when a key goes up, not when a value is put in.
    page.get_by_role("textbox", name="Search").press_sequentially("pozzetto")
    expect(page.locator(".md-search-result__item").first).to_be_visible()
    context.close()
    assert [url for url in asked if not url.startswith((f"{address}/", "data:", f"blob:{address}/"))] == []
    assert len(asked) > 10
    assert complaints == []
