"""Layout and legibility of the table: criteria 1 to 5, and the case U1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from tests.e2e.hands import Player
from tests.e2e.measures import INSIDE, OVERFLOW, SMALL, STRIPS
from tests.e2e.scenes import PAGES, TABLE_SCENES, at_page
from tests.e2e.tables import full_table
from tests.e2e.views import Visit

MOTION: Final = "reduce"


@pytest.mark.parametrize("view", ["P", "S", "L", "D"])
def test_1_every_card_of_the_hand_has_a_strip_to_hit(visit: Callable[..., Visit], view: str) -> None:
    """1. With 11, 22, 30 and 40 cards each card has a visible strip of 24 px."""
    player = Player(visit(view))
    player.sit(full_table(11))
    for count in (11, 22, 30, 40):
        player.put(full_table(count))
        strips = player.page.evaluate(STRIPS, "[data-zone=hand]")
        assert len(strips) == count
        assert min(strips) >= 24, (count, strips)


@pytest.mark.parametrize("view", ["P", "S", "L", "D", "XS", "M"])
def test_2_the_table_never_scrolls(visit: Callable[..., Visit], view: str) -> None:
    """2. No page scroll at the table, with a full hand and full meld areas."""
    guest = visit(view)
    guest.stage(full_table(30, melds=7, other_melds=7))
    assert guest.page.evaluate(OVERFLOW) == [0, 0]


@pytest.mark.parametrize("view", ["P", "D"])
def test_3_each_index_of_a_meld_is_free(visit: Callable[..., Visit], view: str) -> None:
    """3. In a run of thirteen each card has a strip of 14 px."""
    guest = visit(view)
    guest.stage(full_table(12, melds=2, other_melds=2))
    strips = guest.page.evaluate(STRIPS, "[data-zone=meld-1]")
    assert len(strips) == 13
    assert min(strips) >= 14, strips


def test_4_bar_piles_and_hand_are_in_view(visit: Callable[..., Visit]) -> None:
    """4. With seven melds a side and 30 cards in hand on a phone with both bars."""
    guest = visit("S")
    guest.stage(full_table(30, melds=7, other_melds=7))
    for part in ("[data-zone=hand] [data-card]", "[data-zone=pile]", "[data-zone=stock]", "[data-action]"):
        assert guest.page.locator(part).count() > 0, part
        assert guest.page.evaluate(INSIDE, part), part


@pytest.mark.parametrize("view", ["P", "L", "D"])
def test_5_targets_are_large_enough(visit: Callable[..., Visit], view: str) -> None:
    """5. Every button and target can be hit within 40 by 40 px."""
    guest = visit(view)
    guest.stage(full_table(22, melds=4, other_melds=4))
    assert guest.page.evaluate(SMALL) == []


def test_5_targets_are_large_enough_on_pages_and_sheets(visit: Callable[..., Visit]) -> None:
    """5. On every page, and on what lies over the table or stands in its place, on a phone."""
    guest = visit("P", expected=("404",))
    faults: list[str] = []
    for path in PAGES:
        at_page(guest, path)
        faults += [f"{path}: {one}" for one in guest.page.evaluate(SMALL)]
    for scene in ("menu", "score", "settings", "room", "between", "finished", "text"):
        TABLE_SCENES[scene](guest)
        faults += [f"{scene}: {one}" for one in guest.page.evaluate(SMALL)]
    assert faults == [], "\n".join(faults)


def test_u1_forty_cards_and_twelve_melds_are_reachable_on_a_small_phone(visit: Callable[..., Visit]) -> None:
    """U1. At 360 by 640 each card can be hit, and each meld can be scrolled into view and hit."""
    guest = visit("M")
    guest.stage(full_table(40, melds=12))
    assert min(guest.page.evaluate(STRIPS, "[data-zone=hand]")) >= 24
    for number in range(1, 13):
        meld = guest.zone(f"meld-{number}")
        meld.scroll_into_view_if_needed()
        meld.click(trial=True)
