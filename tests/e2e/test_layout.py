"""Layout and legibility of the table: criteria 1 to 5, and the case U1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from buraco.notation import decode_action
from tests.e2e.hands import Player
from tests.e2e.measures import INSIDE, OVERFLOW, ROOM, SMALL, STRIPS
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


@pytest.mark.parametrize(("melds", "other_melds"), [(8, 1), (1, 7), (12, 7)])
def test_the_meld_areas_share_their_room_by_need(visit: Callable[..., Visit], melds: int, other_melds: int) -> None:
    """On a phone with both bars neither scrolls while the other has room for a row of melds."""
    guest = visit("S")
    guest.stage(full_table(14, melds=melds, other_melds=other_melds))
    guest.page.reload()
    guest.zone(f"meld-{melds}").wait_for()
    guest.page.wait_for_function("document.querySelector('.table').style.getPropertyValue('--room-ours') !== ''")
    (their_scroll, their_spare), (our_scroll, our_spare) = guest.page.evaluate(ROOM)
    assert our_scroll == 0 or their_spare < 60
    assert their_scroll == 0 or our_spare < 60


def test_the_meld_areas_keep_their_heights_within_a_turn(visit: Callable[..., Visit]) -> None:
    guest = visit("S")
    player = Player(guest)
    player.sit(full_table(14, melds=3, other_melds=1))
    heights = "['.them', '.us'].map(side => document.querySelector(`.board ${side}`).clientHeight)"
    guest.page.wait_for_function("document.querySelector('.table').style.getPropertyValue('--room-ours') !== ''")
    before = guest.page.evaluate(heights)
    count = guest.page.locator(".us [data-zone^=meld-]").count()
    view = guest.snapshot()["view"]["legal"]
    add = next(action for action in view["actions"] if decode_action(action).kind in ("add", "meld"))
    player.perform(add)
    assert guest.page.locator(".us [data-zone^=meld-]").count() >= count
    assert guest.page.evaluate(heights) == before
