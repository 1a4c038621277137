"""Why a bot did it: the moves of the log explain themselves when the deal is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.e2e.hands import Player
from tests.e2e.views import Visit
from tests.rules.positions import position_of

_OVER = """() => document.querySelector('[data-panel=log] [data-event=deal_ended]') !== null"""


def _finish(player: Player) -> None:
    """Play the few turns that the stock is good for, by the protocol: what the page shows follows."""
    visit = player.visit
    while (shown := visit.snapshot())["table"]["phase"] == "playing":
        legal = shown["view"]["legal"]
        if legal is None:
            continue
        actions = legal["actions"]
        act: dict[str, Any] = {"type": "act", "id": f"w{shown['version']}", "version": shown["version"]}
        visit.post(f"/api/tables/{visit.code}/messages", {**act, "action": actions[0]})


def test_the_moves_of_bots_explain_themselves_when_the_deal_is_over(visit: Callable[..., Visit]) -> None:
    player = Player(visit("D"))
    page = player.visit.page
    # A level that weighs alternatives.
    player.sit(position_of("aberto", "5h 9c Kd 3s", mortos="mine theirs", stock_count=5), bot_level="club")
    page.locator("[data-tab=log]").click()
    assert page.locator("[data-action=why]").count() == 0
    _finish(player)
    page.wait_for_function(_OVER)
    why = page.locator("[data-panel=log] li[data-event=discarded] [data-action=why]").first
    why.dispatch_event("click")
    told = page.locator("[data-panel=why]")
    expect(told.locator("p").first).not_to_be_empty()
    expect(told).to_contain_text("said so")
    expect(why).to_have_attribute("aria-expanded", "true")
    others = told.locator("[data-panel=weighed]")
    others.locator("summary").click()
    expect(others.locator("li").nth(1)).to_be_visible()
    for target in (why, others.locator("summary")):
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40, box
