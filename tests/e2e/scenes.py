"""What the pages show in their main states, each set up in a line: for tests of all of them, and for pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from playwright.sync_api import Page, expect

from buraco.cards import cards_text, parse_cards
from buraco.engine import Position, ordered_pack, unpack
from buraco.notation import parse_meld
from buraco.rules import RULE_SETS
from tests.e2e.views import Visit
from tests.rules.positions import position_of

__all__ = ["PAGES", "TABLE_SCENES", "at_between", "at_finished", "at_page", "at_room", "middle", "open_sheet", "select"]

#: Every page beside the table.
PAGES: Final = (
    "/",
    "/create",
    "/rules/burraco",
    "/compare/aberto/aberto-104",
    "/house#aberto&sets=t&hand_size=90",
    "/settings",
    "/account",
    "/games",
    "/learn",
    "/watch",
    "/replay",
    "/fair",
    "/no-such-page",
)
#: What stands on a page as long as it asks the server for more.
_LOADING: Final = "main p[role=status]:not([data-count])"
#: What else comes later, by the beginning of the address.
_LATER: Final = MappingProxyType({"/account": "main input", "/house": "[data-fault]"})
_HAND: Final = "Ac 4c 5c 6c Td Jd Qd 2h Qh Kh Th Jh Js"
_MELDS: Final = ("As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks", "5h 6h X=7 8h 9h Th Jh", "6d 7d 8d 9d", "8c 9c Tc Jc Qc")
_OTHER_MELDS: Final = ("3s 4s 5s 6s 7s 8s 9s", "3d 4d 2d=5 6d 7d 8d 9d", "3h 4h 5h 6h", "Qc Kc Ac")
_PILE: Final = "2c 4d Ks Kh 3c 7h Jd 8h"
_COUNTS: Final = (9, 14, 6)


def middle(rules: str = "aberto", **fields: Any) -> Position:
    """Return a deal well under way: canastas of several kinds, a pile worth a look, a hand of thirteen."""
    left = list(ordered_pack(RULE_SETS[rules]))
    melded = [card for meld in (*_MELDS, *_OTHER_MELDS) for card in unpack(parse_meld(meld)).cards]
    for card in (*parse_cards(f"{_HAND} {_PILE}"), *melded):
        left.remove(card)
    # Every seventh card, so that each hand has all suits.
    others = [cards_text(tuple(left.pop((7 * index) % len(left)) for index in range(count))) for count in _COUNTS]
    return position_of(
        rules,
        _HAND,
        melds=_MELDS,
        other_melds=_OTHER_MELDS,
        others=others,
        pile=_PILE,
        mortos="mine theirs",
        **fields,
    )


def _last_card() -> Position:
    """Return a position in which the discard of the one card left ends the deal."""
    return position_of(
        "aberto",
        "Kd",
        melds=_MELDS,
        other_melds=_OTHER_MELDS,
        others=("3c 3d 4h", "5d 7h 8c", "Th X"),
        pile="2c 4d",
        mortos="mine theirs",
    )


def select(page: Page, *faces: str) -> None:
    """Select cards of the hand."""
    for face in faces:
        card = page.locator(f'[data-zone=hand] [data-card="{face}"][aria-selected=false]').first
        card.click(position={"x": 8, "y": 10})
    expect(page.locator("[data-zone=hand] [aria-selected=true]")).to_have_count(len(faces))


def open_sheet(page: Page, name: str, over: str = "dialog[open]") -> None:
    """Open a sheet over the table, or what else its menu has, from there."""
    page.locator("[data-action=menu]").click()
    page.locator(f"[data-open={name}]").click()
    page.locator(over).wait_for()


def _end(guest: Visit, **options: object) -> None:
    guest.play_now(rules="aberto", players=4, **options)
    guest.open()
    guest.hand().first.wait_for()
    guest.house.stage(guest.code, _last_card())
    expect(guest.hand()).to_have_count(1)
    select(guest.page, "Kd")
    guest.page.locator("[data-action=discard]").click()
    confirm = guest.page.locator("[data-action=confirm]")
    confirm.or_(guest.page.locator("[data-stage]")).first.wait_for()
    if confirm.count() > 0:
        confirm.click()


def at_between(guest: Visit) -> None:
    """A deal is over; its score is shown until the next."""
    _end(guest)
    guest.page.locator("[data-stage=between]").wait_for()


def at_finished(guest: Visit) -> None:
    """The match is over."""
    _end(guest, deal_count=1, target_points=0)
    guest.page.locator("[data-stage=result]").wait_for()


def at_page(guest: Visit, path: str) -> None:
    """One of the pages, with all that it has."""
    guest.open(path)
    guest.page.locator("main h1, main h2, main h3").first.wait_for()
    expect(guest.page.locator(_LOADING)).to_have_count(0)
    for begin, part in _LATER.items():
        if path.startswith(begin):
            guest.page.locator(part).first.wait_for()


def at_room(guest: Visit) -> None:
    """A table waits for people."""
    made = guest.post("/api/tables", {"options": {"rules": "aberto", "players": 4}, "seat": 0})
    guest.code = str(made["code"])
    guest.open()
    guest.page.locator("[data-stage=room]").wait_for()


def _own_turn(guest: Visit) -> None:
    guest.stage(middle())


def _selected(guest: Visit) -> None:
    guest.stage(middle())
    select(guest.page, "Td", "Jd", "Qd")
    guest.page.locator("[data-can]").first.wait_for()


def _draw(guest: Visit) -> None:
    guest.stage(middle(phase="draw"))


def _pile_sheet(guest: Visit) -> None:
    guest.stage(middle(phase="draw"))
    guest.zone("pile").click()
    guest.page.locator("dialog[open]").wait_for()


def _score_sheet(guest: Visit) -> None:
    guest.stage(middle())
    open_sheet(guest.page, "score")


def _settings(guest: Visit) -> None:
    guest.stage(middle())
    open_sheet(guest.page, "settings")


def _shortcuts(guest: Visit) -> None:
    guest.stage(middle())
    open_sheet(guest.page, "shortcuts")


def _menu(guest: Visit) -> None:
    guest.stage(middle())
    guest.page.locator("[data-action=menu]").click()
    guest.page.locator("dialog[open]").wait_for()


def _text(guest: Visit) -> None:
    guest.stage(middle())
    guest.page.locator("[data-action=menu]").click()
    guest.page.locator("[data-open=text]").click()
    guest.page.locator("main.text").wait_for()


#: The phases of the table, each with what brings a visitor there; another's turn takes a second person (`Company`).
TABLE_SCENES: Final[Mapping[str, Callable[[Visit], None]]] = MappingProxyType(
    {
        "own-turn": _own_turn,
        "selected": _selected,
        "draw": _draw,
        "pile": _pile_sheet,
        "score": _score_sheet,
        "settings": _settings,
        "shortcuts": _shortcuts,
        "menu": _menu,
        "text": _text,
        "room": at_room,
        "between": at_between,
        "finished": at_finished,
    }
)
