"""The page as an app: criterion 43. It can be installed, opens without a connection, and asks before it loads a new
version of itself, never at a table."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from buraco.server.http import pages
from buraco.texts import text
from tests.e2e.house import House
from tests.e2e.views import Visit

#: The page registers its service worker once it has all that it needs itself.
_LATER_MS: Final = 10_000
_CONTROLLED: Final = "() => navigator.serviceWorker.controller !== null"
_LOOKED_AT: Final = "() => { document.dispatchEvent(new Event('visibilitychange')); }"
_LOOKED_AT_AND_KEPT: Final = """async count => {
    document.dispatchEvent(new Event('visibilitychange'));
    return (await caches.keys()).length === count;
}"""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[House]:
    """A server that the test may stop, and that may get another page."""
    made = House(tmp_path / "own")
    yield made
    if made.runs:
        made.stop()


def _with_worker(visit: Callable[..., Visit], house: House, view: str) -> Visit:
    """Let a visitor in whose browser has the service worker of the page already."""
    visitor = visit(
        view,
        at=house,
        service_workers="allow",
        expected=("ERR_CONNECTION_REFUSED", "WebSocket", "Failed to load resource"),
    )
    page = visitor.page
    page.clock.install()
    visitor.open("/")
    page.get_by_role("heading").first.wait_for()
    page.clock.fast_forward(_LATER_MS)
    page.wait_for_function(_CONTROLLED)
    return visitor


def _another_page(folder: Path) -> Path:
    """Return the page in another version: its first script has another name."""
    shutil.copytree(str(files("buraco.server").joinpath("static")), folder)
    (script,) = (folder / "assets").glob("index-*.js")
    other = f"index-{'n' * 8}.js"
    for name in ("index.html", "sw.js"):
        page = folder / name
        page.write_text(page.read_text(encoding="utf-8").replace(script.name, other), encoding="utf-8")
        folder.joinpath(f"{name}.gz").unlink(missing_ok=True)
    worker = folder / "sw.js"
    written = re.sub(r'"[0-9a-f]{16}"', '"ffffffffffffffff"', worker.read_text(encoding="utf-8"), count=1)
    worker.write_text(written, encoding="utf-8")
    shutil.copy(script, script.with_name(other))
    return folder


def test_43_the_page_can_be_installed_and_opens_without_a_connection_with_a_note(
    visit: Callable[..., Visit], own: House
) -> None:
    visitor = _with_worker(visit, own, "P")
    page = visitor.page
    tools = visitor.context.new_cdp_session(page)
    manifest = tools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"] == f"{own.address}/manifest.webmanifest"
    faults = tools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A context of a test keeps nothing, as a private window does.
    assert {one["errorId"] for one in faults} <= {"in-incognito"}
    # In the settings is how to do it; with an offer of the browser a button.
    visitor.open("/settings")
    expect(page.locator("[data-install]")).to_contain_text(text("web.install.by_hand"))
    page.evaluate(
        """() => {
            const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }),
                { prompt: async () => { window.asked = true; } });
            window.dispatchEvent(offer);
        }"""
    )
    page.locator("[data-action=install]").click()
    expect(page.locator("[data-action=install]")).to_have_count(0)
    assert page.evaluate("() => window.asked")
    own.stop()
    for path in ("/", "/learn", "/t/ABCDEF"):
        visitor.open(path)
        expect(page.locator("header .logo")).to_be_visible()
        expect(page.get_by_role("alert").or_(page.locator("main p"))).to_contain_text([text("web.problem.offline")])
    own.start()
    visitor.open("/")
    expect(page.locator("main h1")).to_have_text(text("web.home.title"))


def _entry(page: Page) -> str:
    return str(page.evaluate("() => [...document.scripts].map(one => one.src).find(src => src.includes('/index-'))"))


def test_43_a_new_version_asks_before_it_loads_and_never_at_a_table(
    visit: Callable[..., Visit], own: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = _with_worker(visit, own, "D")
    page, banner = visitor.page, visitor.page.locator("[data-fresh-version]")
    visitor.play_now(rules="burraco", players=2)
    visitor.open()
    visitor.hand().first.wait_for()
    page.clock.fast_forward(_LATER_MS)
    page.wait_for_function(_CONTROLLED)
    before = _entry(page)
    other = _another_page(tmp_path / "other")
    monkeypatch.setattr(pages, "_built", lambda: other)
    # It is looked at again until it listens: that it does is seen by nothing else.
    page.wait_for_function(_LOOKED_AT_AND_KEPT, arg=2, polling=500)
    expect(visitor.hand().first).to_be_visible()
    expect(banner).to_have_count(0)
    # Elsewhere it is; a page that was not fetched yet comes from what was kept of the version that is open.
    page.evaluate("() => { window.same = true; history.pushState(null, '', '/settings'); }")
    page.evaluate("() => { window.dispatchEvent(new PopStateEvent('popstate')); }")
    expect(banner).to_contain_text(text("web.install.fresh"))
    assert page.evaluate("() => window.same")
    banner.locator("[data-action=later]").click()
    expect(banner).to_have_count(0)
    assert _entry(page) == before
    page.reload()
    page.locator("[data-install]").wait_for()
    assert _entry(page) != before


def test_43_the_offer_of_a_new_version_loads_it(
    visit: Callable[..., Visit], own: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = _with_worker(visit, own, "P")
    page = visitor.page
    before = _entry(page)
    other = _another_page(tmp_path / "other")
    monkeypatch.setattr(pages, "_built", lambda: other)
    page.evaluate(_LOOKED_AT)
    page.locator("[data-fresh-version] [data-action=reload]").click()
    page.wait_for_function(
        "before => [...document.scripts].every(one => one.src !== before) && document.querySelector('main h1')",
        arg=before,
    )
    assert _entry(page) != before
