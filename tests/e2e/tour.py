"""A tour of all that the pages show, with a look at each thing: for checks that hold everywhere."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, TypeAlias

from playwright.sync_api import expect

from tests.e2e.scenes import PAGES, at_between, at_finished, at_page, at_room, middle, open_sheet, select
from tests.e2e.views import Visit

__all__ = ["MORE_SHEETS", "SHEETS", "Look", "tour_ends", "tour_pages", "tour_table"]

#: What is done with each thing that is shown; it is told what that is.
Look: TypeAlias = Callable[[str], None]
#: The sheets that the menu opens over a table: the first are full of controls, words of the server stand in some more.
SHEETS: Final = ("score", "shortcuts", "settings")
MORE_SHEETS: Final = ("log", "chat", "rules", "about", "match", "invite")


def tour_pages(guest: Visit, look: Look) -> None:
    """Every page beside the table, and a table's waiting room."""
    for path in PAGES:
        at_page(guest, path)
        look(path)
    at_room(guest)
    look("waiting room")


def tour_table(guest: Visit, look: Look, sheets: Collection[str] = SHEETS) -> None:
    """The own turn, everything that can lie over it, and the turn of another."""
    page = guest.page
    nothing_open = expect(page.locator("dialog[open]"))
    guest.stage(middle(phase="draw"))
    look("before the draw")
    guest.zone("pile").click()
    page.locator("dialog[open]").wait_for()
    look("pile sheet")
    page.keyboard.press("Escape")
    guest.house.stage(guest.code, middle())
    page.locator("[data-action=lay]").wait_for()
    select(page, "Td", "Jd", "Qd")
    page.locator("[data-can]").first.wait_for()
    look("own turn")
    page.locator("[data-action=menu]").click()
    page.locator("dialog[open]").wait_for()
    look("menu")
    page.keyboard.press("Escape")
    for sheet in sheets:
        open_sheet(page, sheet)
        expect(page.locator("dialog[open] p[role=status].note")).to_have_count(0)
        look(sheet)
        page.keyboard.press("Escape")
        nothing_open.to_have_count(0)
    open_sheet(page, "text", over="main.text")
    look("text table")
    open_sheet(page, "text", over="[data-action=sort]")
    guest.house.stage(guest.code, middle(seat=1, phase="draw"))
    expect(page.locator("[data-mine]")).to_have_count(0)
    look("another's turn")


def tour_ends(guest: Visit, look: Look) -> None:
    """The end of a deal, and of a match."""
    at_between(guest)
    look("between deals")
    at_finished(guest)
    look("finished")
