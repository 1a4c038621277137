"""Viewports, and what a visitor of the pages does, in the words of a player."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

from playwright.sync_api import BrowserContext, Locator, Page

from buraco.cards import card_text
from buraco.engine import Position
from tests.e2e.house import House

__all__ = ["LANGUAGES", "VIEWPORTS", "WAIT_MS", "Motion", "Viewport", "Visit", "shows_hand", "until"]

#: The languages of the page, the one of the tests first.
LANGUAGES: Final = ("en", "pt-BR", "it", "es", "ru", "bg")

#: How long a state is waited for, on however slow and loaded a machine: only what never comes takes it.
WAIT_MS: Final = 60_000

#: What a visitor's system says about motion.
Motion: TypeAlias = Literal["reduce", "no-preference"]


@dataclass(frozen=True, slots=True)
class Viewport:
    """A screen, in CSS pixels."""

    width: int
    height: int
    touch: bool = False


#: What a link within the page does.
_GO: Final = """path => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
}"""
#: Whether the cards of the hand are these, in whatever order.
_HOLDS: Final = """faces => JSON.stringify(
    [...document.querySelectorAll('[data-zone=hand] [data-card]')].map(card => card.dataset.card).sort()
) === JSON.stringify(faces)"""
#: P phone, S phone with both bars of its browser, L phone on its side, D desktop, XS and M small phones.
VIEWPORTS: Final = MappingProxyType(
    {
        "P": Viewport(390, 844, touch=True),
        "S": Viewport(390, 664, touch=True),
        "L": Viewport(844, 390, touch=True),
        "D": Viewport(1440, 900),
        "XS": Viewport(320, 568, touch=True),
        "M": Viewport(360, 640, touch=True),
    }
)


def until(page: Page, holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds that the test is told of while the page is asked: a request, a socket, a message."""
    end = time.monotonic() + WAIT_MS / 1000
    while not holds():
        assert time.monotonic() < end, what
        page.evaluate("0")


def shows_hand(page: Page, cards: Sequence[int]) -> None:
    """Wait until the hand that a page shows is these cards: as many of another deal may lie there before."""
    page.wait_for_function(_HOLDS, arg=sorted(card_text(card) for card in cards))


class Visit:
    """A visitor with one page; what they do waits for what they see, never for a time."""

    def __init__(self, context: BrowserContext, house: House, page: Page) -> None:
        self.context = context
        self.house = house
        self.page = page
        self.code = ""
        #: Whether a page that is open is moved in, as its links do, rather than loaded anew: it is quicker.
        self.moves = False
        #: What the page did that no page may do; the harness fails a test that leaves something here.
        self.faults: list[str] = []

    # The server's side.

    def post(self, path: str, body: Any = None) -> Any:
        """Ask the server as this visitor."""
        answer = self.context.request.post(path, data=body, headers={"Origin": self.house.address})
        assert answer.ok, answer.text()
        return answer.json() if answer.status != 204 else None

    def play_now(self, **options: Any) -> str:
        """Begin a match against bots; return the code of its table."""
        made = self.post("/api/play-now", {"options": options})
        self.code = str(made["code"])
        return self.code

    def snapshot(self) -> Any:
        """Return what the server shows this visitor of the table."""
        answer = self.context.request.get(f"/api/tables/{self.code}")
        assert answer.ok, answer.text()
        return answer.json()

    # The page.

    def open(self, path: str = "") -> None:
        """Open the table, or another page."""
        path = path or f"/t/{self.code}"
        if self.moves and self.page.url.startswith(self.house.address):
            self.page.evaluate(_GO, path)
        else:
            self.page.goto(path)

    def stage(self, position: Position) -> None:
        """Sit down in a position against bots, as seat 0, and open the table."""
        self.play_now(rules=position.rules.name, players=position.players)
        self.open()
        self.hand().first.wait_for()
        self.house.stage(self.code, position)
        hand = position.hands[0]
        assert hand is not None, "the hand of seat 0 is known"
        shows_hand(self.page, hand)
        if position.melds[0]:
            self.zone(f"meld-{len(position.melds[0])}").wait_for()

    def hand(self) -> Locator:
        """The cards of the hand."""
        return self.page.locator("[data-zone=hand] [data-card]")

    def zone(self, name: str) -> Locator:
        """A zone of the table."""
        return self.page.locator(f"[data-zone={name}]")
