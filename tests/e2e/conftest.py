"""Browser tests: the system's Chromium against a real server, a context of its own for every test."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    expect,
    sync_playwright,
)

from tests.e2e.browser import launch
from tests.e2e.house import House
from tests.e2e.views import VIEWPORTS, WAIT_MS, Motion, Visit

__all__: list[str] = []

expect.set_options(timeout=WAIT_MS)

#: No traffic of its own: a browser under test asks nobody but our server.
_FLAGS: Final = (
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps", "--mute-audio",
)  # fmt: skip


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The server of this worker."""
    made = House(tmp_path_factory.mktemp("house"))
    yield made
    made.stop()


@pytest.fixture(scope="session")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that begins no deal by itself, and puts a bot at once where somebody goes away."""
    made = House(tmp_path_factory.mktemp("patient"), next_deal_s=3600, bot_after_s=1)
    yield made
    made.stop()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright itself."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """The system's Chromium."""
    browser = launch(playwright, *_FLAGS)
    yield browser
    browser.close()


class _Watch:
    """What no page may do: ask another origin, or complain."""

    def __init__(self, address: str) -> None:
        self._address = address
        self.faults: list[str] = []
        self.expected: tuple[str, ...] = ()

    def request(self, request: Request) -> None:
        """Hear of a request."""
        self._ask(request.url)

    def page(self, page: Page) -> None:
        """Hear of a page; its sockets are no requests."""
        page.on("websocket", lambda socket: self._ask(socket.url))

    def _ask(self, url: str) -> None:
        own = (f"{self._address}/", self._address.replace("http", "ws", 1) + "/", "data:", "blob:")
        if not url.startswith(own):
            self.faults.append(f"request to {url}")

    def console(self, message: ConsoleMessage) -> None:
        """Hear of a line on the console."""
        expected = (*self.expected, "Service Worker registration blocked by Playwright")
        if message.type in ("error", "warning") and not any(word in message.text for word in expected):
            self.faults.append(f"console {message.type}: {message.text}")

    def error(self, error: Any) -> None:
        """Hear of an exception that nobody caught."""
        self.faults.append(f"exception: {error}")


#: A page that has not chosen yet has the settings of its visitor.
_CHOOSE: Final = """
    if (location.protocol.startsWith('http') && !localStorage.getItem('buraco.settings'))
        localStorage.setItem('buraco.settings', {chosen});
"""


class _Door:
    """Lets visitors in, each with a context of their own, and watches what their pages do."""

    def __init__(self, chromium: Browser, house: House, motion: Motion) -> None:
        self._chromium = chromium
        self._house = house
        self._motion = motion
        self._made: list[tuple[BrowserContext, _Watch]] = []

    def visit(
        self,
        view: str = "D",
        *,
        name: str = "Ana",
        language: str = "en",
        settings: dict[str, object] | None = None,
        expected: tuple[str, ...] = (),
        guest: bool = True,
        at: House | None = None,
        **options: Any,
    ) -> Visit:
        """Let a visitor in."""
        house = at or self._house
        context = self._context(view, house, expected, options)
        chosen = {"language": language, "pace": "none", **(settings or {})}
        # Written as the page itself writes it.
        kept = json.dumps(chosen, separators=(",", ":"))
        context.add_init_script(_CHOOSE.replace("{chosen}", json.dumps(kept)))
        if guest:
            answer = context.request.post("/api/guests", data={"name": name}, headers={"Origin": house.address})
            assert answer.ok, answer.text()
        visitor = Visit(context, house, context.new_page())
        visitor.faults = self._made[-1][1].faults
        return visitor

    def _context(self, view: str, house: House, expected: tuple[str, ...], options: dict[str, Any]) -> BrowserContext:
        shape = VIEWPORTS[view]
        context = self._chromium.new_context(
            viewport={"width": shape.width, "height": shape.height},
            has_touch=shape.touch,
            is_mobile=False,
            base_url=house.address,
            # What the page keeps for later is fetched where a test is about that, and nowhere else.
            **{"locale": "en-GB", "service_workers": "block", **options},
        )
        context.set_default_timeout(WAIT_MS)
        watch = _Watch(house.address)
        watch.expected = expected
        context.on("request", watch.request)
        context.on("page", watch.page)
        context.on("console", watch.console)
        context.on("weberror", lambda error: watch.error(error.error))
        self._made.append((context, watch))
        return context

    def close(self) -> None:
        """Close all contexts; no page may have done what no page may do."""
        for context, _ in self._made:
            context.close()
        for _, watch in self._made:
            assert not watch.faults, "\n".join(watch.faults)


@pytest.fixture
def motion(request: pytest.FixtureRequest) -> Motion:
    """What the system of visitors says about motion: the constant ``MOTION`` of a module that looks at what is shown
    or can be done, not at how it comes there, in many places: each frame of a motion costs as much again."""
    said: Motion = getattr(request.module, "MOTION", "no-preference")
    return said


@pytest.fixture
def visit(chromium: Browser, house: House, motion: Motion) -> Iterator[Callable[..., Visit]]:
    """Make a visitor: a browser context with a viewport, settings and a language, signed in as a guest by name.

    After the test no page may have complained on its console or asked another origin (criterion 44); ``expected``
    names what a line of the console may contain, such as the connection that a test takes away. ``at`` is another
    server than that of this worker.
    """
    door = _Door(chromium, house, motion)
    yield door.visit
    door.close()


@pytest.fixture(scope="session")
def pictures() -> Path:
    """Where screenshots go when they are wanted (BURACO_PICTURES)."""
    folder = Path(os.environ.get("BURACO_PICTURES", "build/pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
