"""What no criterion names but somebody will do: long names, huge hands, another tab, a newer server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import WebSocketRoute, expect

from tests.e2e.measures import INSIDE, OVERFLOW
from tests.e2e.tables import full_table
from tests.e2e.views import Visit

#: Parts of the page that lie beyond the edge of the screen.
_OUT = """parts => parts.filter(part => {
    const box = part.getBoundingClientRect();
    return box.width > 0 && (box.left < -1 || box.right > innerWidth + 1);
}).map(part => part.outerHTML.slice(0, 120))"""


def test_names_of_one_long_word_push_nothing_out_of_the_waiting_room(visit: Callable[..., Visit]) -> None:
    host = visit("XS", name="W" * 24)
    made = host.post("/api/tables", {"options": {}, "seat": 0})
    friend = visit("XS", name="<img src=x onerror=x()>")
    friend.open(f"/t/{made['code']}")
    friend.page.locator("[data-panel=room] [data-seat='2'] button").first.click()
    friend.page.locator("[data-action=ready]").click()
    expect(friend.page.locator("[data-panel=room] [role=status]").first).to_contain_text("WWWW")
    parts = friend.page.locator("[data-panel=room] button, [data-panel=room] [data-seat], [data-panel=room] header p")
    assert parts.evaluate_all(_OUT) == []
    assert friend.page.locator("[data-panel=room] img").count() == 0


def test_a_hand_of_sixty_cards_leaves_room_for_the_rest(visit: Callable[..., Visit]) -> None:
    guest = visit("P")
    guest.stage(full_table(60, melds=1))
    assert guest.page.evaluate(OVERFLOW) == [0, 0]
    for part in ("[data-zone=hand] [data-card]", "[data-zone=pile]", "[data-zone=stock]", "[data-action]"):
        assert guest.page.evaluate(INSIDE, part), part
    guest.page.locator("[data-zone=hand] [data-card]").first.click()
    expect(guest.page.locator("[data-zone=hand] [aria-selected=true]")).to_have_count(1)


def test_a_whole_hand_as_one_meld_is_refused_in_words(visit: Callable[..., Visit]) -> None:
    guest = visit("D")
    guest.stage(full_table(22))
    for card in guest.hand().all():
        card.click()
    guest.page.keyboard.press("m")
    expect(guest.page.locator("[data-notice]")).to_contain_text("form no meld")


def test_a_tab_that_gave_way_says_where_the_table_is(visit: Callable[..., Visit]) -> None:
    guest = visit("D")
    guest.stage(full_table(11))
    other = guest.context.new_page()
    other.goto(f"/t/{guest.code}")
    expect(guest.page.locator("[data-table]")).to_have_attribute("data-line", "elsewhere")
    said = guest.page.locator("[data-action=play-here]").locator("xpath=..").locator("p").inner_text()
    guest.page.keyboard.press("x")
    expect(guest.page.locator("[data-notice]")).to_contain_text(said)


def test_a_newer_server_may_tell_of_what_the_page_does_not_know(visit: Callable[..., Visit]) -> None:
    """Unknown messages, events and fields are passed over; the match goes on."""
    guest = visit("D")

    def between(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def tell(text: str | bytes) -> None:
            message = {**json.loads(text), "novel": {"of": ["what"]}}
            if message["type"] == "update":
                message["events"].append({"event": "comet_seen", "seat": 0, "cards": ["Zz"]})
            page.send(json.dumps(message))
            page.send(json.dumps({"type": "comet", "version": 1}))

        server.on_message(tell)

    guest.page.route_web_socket(re.compile("/socket"), between)
    guest.stage(full_table(11))
    guest.hand().last.click()
    guest.page.locator("[data-action=discard]").click()
    expect(guest.hand()).to_have_count(10)
    expect(guest.page.locator("[data-table]")).to_have_attribute("data-line", "open")


def test_who_gives_up_sees_the_result_and_may_play_again(visit: Callable[..., Visit]) -> None:
    guest = visit("P")
    guest.play_now(rules="aberto-104", players=2)
    guest.open()
    guest.hand().first.wait_for()
    page = guest.page
    page.locator("[data-action=menu]").click()
    page.get_by_text("Draw, give up, leave").click()
    page.locator("[data-offer=resign] button").click()
    page.get_by_role("button", name="Give up", exact=True).last.click()
    expect(page.locator("[data-stage=result]")).to_be_visible()
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.locator("[data-action=rematch]").dblclick()
    expect(page.locator("[data-table]")).to_have_attribute("data-phase", "playing")
