"""The weight of the page: criterion 42, by what a browser really asks for on its first visit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from playwright.sync_api import Request, expect

from tests.e2e.views import Visit

_JS_MAX: Final = 120 * 1024
_LOAD_MAX: Final = 140 * 1024


class _Loads:
    """What a page loads: address to bytes of the body as they come over the line."""

    def __init__(self, guest: Visit) -> None:
        self.sizes: dict[str, int] = {}
        guest.page.on("requestfinished", self._finished)

    def _finished(self, request: Request) -> None:
        path = request.url.split("/", 3)[3]
        if not path.startswith("api/"):
            # What the browser had already comes with no bytes the second time.
            self.sizes[path] = max(self.sizes.get(path, 0), request.sizes()["responseBodySize"])

    def sum(self, *ends: str) -> int:
        """Return the bytes of all, or of those whose names end so."""
        return sum(size for path, size in self.sizes.items() if path.endswith(ends or ("",)))


def test_42_the_first_load_of_the_table_is_within_the_budget(visit: Callable[..., Visit]) -> None:
    """42. At most 140 KiB compressed, for whoever opens the table first: words of one language and fonts too."""
    for language in ("en", "ru"):
        guest = visit("P", language=language)
        loads = _Loads(guest)
        guest.play_now(rules="aberto", players=4)
        guest.open()
        guest.hand().first.wait_for()
        guest.page.wait_for_load_state("networkidle")
        assert loads.sum(".js") > 20_000
        assert loads.sum(".css") > 5_000
        assert loads.sum() <= _LOAD_MAX, loads.sizes


def test_42_the_scripts_of_home_and_table_are_within_the_budget(visit: Callable[..., Visit]) -> None:
    """42. At most 120 KiB of JavaScript for whoever comes by the home page, compressed."""
    guest = visit("P")
    loads = _Loads(guest)
    guest.open("/")
    guest.page.get_by_role("heading").first.wait_for()
    guest.page.wait_for_load_state("networkidle")
    code = guest.play_now(rules="aberto", players=4)
    guest.page.evaluate("code => { location.href = `/t/${code}`; }", code)
    guest.hand().first.wait_for()
    guest.page.wait_for_load_state("networkidle")
    expect(guest.hand().first).to_be_visible()
    scripts = {path: size for path, size in loads.sizes.items() if path.endswith(".js")}
    assert len(scripts) >= 3
    assert sum(scripts.values()) <= _JS_MAX, scripts
