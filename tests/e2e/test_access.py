"""Accessibility: criterion 38, with axe-core on every page and in every phase of the table, in each language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.company import Teller
from tests.e2e.house import House
from tests.e2e.measures import CUT, OVERFLOW
from tests.e2e.scenes import PAGES, TABLE_SCENES, at_between, at_page, middle
from tests.e2e.tour import MORE_SHEETS, SHEETS, tour_ends, tour_pages, tour_table
from tests.e2e.views import LANGUAGES, Visit

MOTION: Final = "reduce"
#: Colours do not go by the language: their contrast, which takes axe most of its time, is looked at on a desk, in one
#: language on a phone, in the light table and in large print.
_COLOURED: Final = "pt-BR"
_NO_COLOURS: Final = ("color-contrast",)
#: What the tabulator should come to, with one of each group of radio buttons and one card of the hand.
_STOPS: Final = """() => {
    const seen = one => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[inert]');
    const root = document.querySelector('dialog[open]') ?? document;
    const all = [...root.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
        .filter(one => seen(one) && !one.disabled && one.tabIndex >= 0);
    const groups = new Set();
    window.stops = all.filter(one => {
        if (one.type !== 'radio') return true;
        const fresh = !groups.has(one.name);
        groups.add(one.name);
        return fresh;
    });
    return window.stops.length;
}"""
#: Notes where the focus is; says whether it is seen there, and what it is on.
_STAND: Final = """() => {
    const here = document.activeElement;
    if (here === null || here === document.body) return null;
    window.reached ??= new Set();
    window.reached.add(here.type === 'radio' ? here.name : here);
    const around = [here, here.closest('label'), ...(here.parentElement?.children ?? [])].filter(Boolean);
    const ring = one => {
        const style = getComputedStyle(one);
        return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
    };
    return [around.some(ring), here.outerHTML.slice(0, 160)];
}"""
_MISSED: Final = """() => window.stops
    .filter(one => one.isConnected && !window.reached.has(one.type === 'radio' ? one.name : one))
    .map(one => one.outerHTML.slice(0, 160))"""


#: Keeps what the polite region tells from now on.
_LISTEN: Final = """() => {
    window.told = [];
    const region = document.querySelector('[data-live=polite][aria-live=polite]');
    new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(
        node => window.told.push(node.textContent)))).observe(region, { childList: true });
}"""
_TOLD: Final = "starts => starts.every(start => window.told.some(one => one.startsWith(start)))"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server whose next deal begins only when it is asked for: what is looked at stays."""
    made = House(tmp_path_factory.mktemp("quiet-house"), next_deal_s=3600)
    yield made
    made.stop()


class _Look:
    """Asks axe about what is shown and keeps what it finds, so that one test tells all."""

    def __init__(self, page: Page, *, omitted: Sequence[str] = (), fits: bool = False, unasked: Collection[str] = ()):
        self._page = page
        self._omitted = omitted
        self._fits = fits
        self._unasked = unasked
        self.found: list[str] = []

    def __call__(self, where: str) -> None:
        """Look at what is shown now; with ``fits`` also at whether it does, and axe is not asked of what is unasked."""
        if where not in self._unasked:
            self._note(where, violations(self._page, self._omitted))
        if self._fits:
            self._note(where, self._page.evaluate(CUT))
            wide, high = self._page.evaluate(OVERFLOW)
            self._note(where, [f"scrolls by {wide}, {high}"] if wide or (high and where in _UNSCROLLED) else [])

    def _note(self, where: str, faults: Sequence[str]) -> None:
        self.found += [f"{where}: {one}" for one in faults]


#: Where not even the height may be more than the screen's.
_UNSCROLLED: Final = ("before the draw", "own turn", "another's turn")


def test_38_axe_finds_no_violation_at_a_desk(visit: Callable[..., Visit]) -> None:
    """38. On every page, each loaded for itself, in every phase of the table and on every sheet."""
    guest = visit("D", bypass_csp=True, expected=("404",))
    look = _Look(guest.page)
    tour_pages(guest, look)
    tour_table(guest, look, (*SHEETS, *MORE_SHEETS))
    tour_ends(guest, look)
    assert look.found == [], "\n".join(look.found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_38_39_axe_finds_no_violation_and_nothing_overflows_on_a_phone(
    visit: Callable[..., Visit], language: str
) -> None:
    """38, 39. In each language, on every page, in every phase of the table and on its sheets."""
    guest = visit("P", language=language, bypass_csp=True, expected=("404",))
    guest.moves = True
    omitted = () if language == _COLOURED else _NO_COLOURS
    look = _Look(guest.page, omitted=omitted, fits=True, unasked=MORE_SHEETS)
    tour_pages(guest, look)
    expect(guest.page.locator("html")).to_have_attribute("lang", language)
    tour_table(guest, look, (*SHEETS, *MORE_SHEETS))
    tour_ends(guest, look)
    assert look.found == [], "\n".join(look.found)


#: Faults, each by the rule that it breaks. The last button but one has a word beside its drawn card, the last has none.
_PLANTED: Final = {
    "<button class='button'></button>": "button-name",
    "<p style='color: #777; background: #888'>hardly to be read</p>": "color-contrast",
    "<button class='button' aria-label='Meld 1, Clean'><i class='card'>7</i>Dirty</button>"
    "<button class='button' aria-label='Meld 1, Clean'><i class='card'>7</i>Clean</button>": (
        "label-content-name-mismatch"
    ),
}


def test_38_axe_finds_what_is_wrong(visit: Callable[..., Visit]) -> None:
    """38. Planted faults are found: the test above looks at something."""
    guest = visit("D", bypass_csp=True, expected=("404",))
    guest.open("/")
    guest.page.locator("main h1").wait_for()
    guest.page.evaluate(
        "plants => document.querySelector('main').insertAdjacentHTML('beforeend', plants.join(''))", list(_PLANTED)
    )
    found = violations(guest.page)
    for rule in _PLANTED.values():
        assert sum(one.startswith(rule) for one in found) == 1, (rule, found)


@pytest.mark.parametrize(
    "settings", [{"theme": "light"}, {"largePrint": True, "cardSize": "big"}], ids=["light", "large"]
)
def test_38_axe_finds_no_violation_in_another_dress(visit: Callable[..., Visit], settings: dict[str, object]) -> None:
    """38. The light table, and the large print with big cards."""
    guest = visit("P", settings=settings, bypass_csp=True, expected=("404",))
    guest.moves = True
    look = _Look(guest.page)
    tour_pages(guest, look)
    tour_table(guest, look)
    at_between(guest)
    look("between deals")
    assert look.found == [], "\n".join(look.found)


def _walk(page: Page) -> list[str]:
    """Go through a page with the tabulator; return what it never comes to, and where the focus is not seen."""
    count = page.evaluate(_STOPS)
    faults = set()
    for _ in range(count + 8):
        page.keyboard.press("Tab")
        stand = page.evaluate(_STAND)
        if stand is not None and not stand[0]:
            faults.add(f"no ring on {stand[1]}")
    return sorted(faults) + [f"never at {one}" for one in page.evaluate(_MISSED)]


def test_38_41_everything_is_reached_by_the_tabulator_and_the_focus_is_seen(visit: Callable[..., Visit]) -> None:
    """38, 41. On every page, at the table, in the waiting room and over it."""
    guest = visit("D", expected=("404",))
    for path in PAGES:
        at_page(guest, path)
        assert _walk(guest.page) == [], path
    for scene in ("own-turn", "room", "settings", "text"):
        TABLE_SCENES[scene](guest)
        assert _walk(guest.page) == [], scene


def test_38_what_others_do_is_told_politely_and_the_own_turn_at_once(visit: Callable[..., Visit]) -> None:
    """38. The live region tells each public event of the others; the own turn is told assertively."""
    guest = visit("D")
    guest.stage(middle())
    guest.page.evaluate(_LISTEN)
    Teller(guest).act("discard Ac")
    guest.page.locator("[data-mine]").wait_for()
    guest.page.wait_for_function(_TOLD, arg=["Bot 2 discards", "Bot 3 discards", "Bot 4 discards"])
    expect(guest.page.locator("[data-live=assertive]")).not_to_be_empty()
    assert guest.page.locator("[data-live=assertive]").get_attribute("aria-live") == "assertive"
