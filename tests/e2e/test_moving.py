"""Moving cards of the hand by taps and by keys, without a drag (criterion 18), and where dialogs put the focus (41)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.hands import By, Line, Player
from tests.e2e.measures import CUT, INSIDE, OVERFLOW, SMALL
from tests.e2e.scenes import middle
from tests.e2e.tables import MELDS, full_table
from tests.e2e.views import LANGUAGES, Visit
from tests.rules.positions import position_of

_HAND = "5h 6h 7h 8d Ks Qd 3c"
_SORTED = ["Ks", "5h", "6h", "7h", "3c", "8d", "Qd"]


def _sort(player: Player) -> None:
    """Sort the hand by suit, however it lies."""
    sort = player.button("sort")
    for by_what in ("rank", "suit"):
        if sort.get_attribute("data-sort") == by_what:
            player.push("[data-action=sort]")
    expect(sort).to_have_attribute("data-sort", "rank")
    assert player.faces() == _SORTED


@pytest.mark.parametrize(("view", "by"), [("P", "touch"), ("D", "keyboard")])
def test_18_the_hand_moves_cards_by_taps(visit: Callable[..., Visit], view: str, by: By) -> None:
    """18. Before a card and to the end, out of turn too; nothing is sent, and the order and the selection stay."""
    guest = visit(view)
    line = Line(guest.page)
    player = Player(guest, by, line)
    guest.stage(position_of("aberto", _HAND))
    _sort(player)
    move, end = player.button("move"), guest.page.locator("[data-action=move-end]")
    said = guest.page.locator("[data-moving]")
    expect(move).to_have_count(0)
    player.select("6h", "Qd")
    expect(move).to_have_attribute("aria-pressed", "false")
    player.push("[data-action=move]")
    expect(move).to_have_attribute("aria-pressed", "true")
    expect(said).to_have_text(re.compile("which card"))
    player.toggle(player.card("5h"))
    assert player.faces() == ["Ks", "6h", "Qd", "5h", "7h", "3c", "8d"]
    assert player.chosen() == ["6h", "Qd"]
    expect(move).to_have_attribute("aria-pressed", "false")
    expect(end).to_have_count(0)
    player.push("[data-action=move]")
    player.push("[data-action=move-end]")
    moved = ["Ks", "5h", "7h", "3c", "8d", "6h", "Qd"]
    assert player.faces() == moved
    assert player.chosen() == ["6h", "Qd"]
    expect(guest.page.locator("[data-zone=hand] :focus")).to_have_count(1)
    # Left by the button, and by Escape: the next tap selects again.
    player.push("[data-action=move]")
    player.push("[data-action=move]")
    expect(move).to_have_attribute("aria-pressed", "false")
    player.push("[data-action=move]")
    guest.page.keyboard.press("Escape")
    expect(said).to_have_count(0)
    player.select("Ks")
    assert player.chosen() == ["Ks", "6h", "Qd"]
    assert player.faces() == moved
    _come_back(player, line)
    assert player.faces() == moved
    assert player.commands() == []


def _come_back(player: Player, line: Line) -> None:
    """Lose the connection and find it again, and load the page anew."""
    count = player.visit.hand().count()
    line.cut_and_found(player.page)
    player.page.reload()
    expect(player.visit.hand()).to_have_count(count)


def test_18_cards_are_moved_by_taps_out_of_turn(visit: Callable[..., Visit]) -> None:
    """18, 20. While another player is to act."""
    guest = visit("P")
    player = Player(guest, "touch")
    guest.stage(position_of("aberto", _HAND, seat=1))
    expect(player.table).not_to_have_attribute("data-mine", "")
    _sort(player)
    player.select("Qd")
    player.push("[data-action=move]")
    player.toggle(player.card("Ks"))
    assert player.faces() == ["Qd", "Ks", "5h", "6h", "7h", "3c", "8d"]
    assert player.commands() == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_18_the_words_of_moving_fit_a_small_phone(visit: Callable[..., Visit], language: str) -> None:
    """18, 5. At 320 px with 22 cards, in every language: buttons in view, none cut, each large enough to hit."""
    guest = visit("XS", language=language)
    player = Player(guest, "touch")
    guest.stage(full_table(22, melds=4, other_melds=4))
    keys = [card.get_attribute("data-card") for card in guest.hand().all()[:3]]
    player.select(*(str(key) for key in keys))
    player.push("[data-action=move]")
    expect(guest.page.locator("[data-action=move-end]")).to_be_visible()
    assert guest.page.evaluate(OVERFLOW) == [0, 0]
    assert guest.page.evaluate(INSIDE, "[data-action], [data-zone=hand] [data-card]")
    assert guest.page.evaluate(SMALL) == []
    assert guest.page.evaluate(CUT) == []


def test_41_dialogs_begin_at_their_first_choice(visit: Callable[..., Visit]) -> None:
    """41. The first choice, the main button where it ends nothing, else what leaves all as it is."""
    guest = visit("D", settings={"confirmDiscards": True})
    player = Player(guest, "keyboard")
    guest.stage(middle())
    page = guest.page
    page.locator("[data-action=menu]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog [data-open=score]")).to_be_focused()
    # From one sheet to the next the focus stays in the dialog.
    page.keyboard.press("Enter")
    expect(page.locator("dialog .close")).to_be_focused()
    page.keyboard.press("Escape")
    player.select("Kh")
    page.keyboard.press("x")
    expect(page.locator("[data-question=discard]")).to_be_visible()
    expect(page.locator("dialog [data-action=confirm]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("[data-zone=hand] :focus")).to_have_count(1)
    # The joker is the five or the two: the first way is at hand.
    player.put(position_of("aberto", "3h 4h X Ks 8d", mortos="mine theirs"))
    player.select("3h", "4h", "X")
    page.keyboard.press("m")
    first = page.locator("dialog [data-option='0']")
    expect(first).to_be_focused()
    action = int(str(first.get_attribute("data-actions")))
    page.keyboard.press("Enter")
    expect(guest.zone("meld-1")).to_be_visible()
    assert player.acts() == [action]
    # The last card ends the deal: not by one key too many.
    player.put(position_of("aberto", "Kd", melds=MELDS[:3], mortos="mine theirs"))
    player.select("Kd")
    page.keyboard.press("x")
    expect(page.locator("[data-question=out]")).to_be_visible()
    expect(page.locator("dialog footer button").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert player.acts() == [action]
