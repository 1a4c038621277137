"""How many cards the cutter lifts, where the rules pay for the cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import pytest
from playwright.sync_api import expect

from buraco.notation import parse_action
from tests.e2e.hands import Player
from tests.e2e.house import House
from tests.e2e.views import Visit
from tests.rules.positions import CLEAN, position_of

#: After so many deals each of four seats has cut.
_DEALS_MAX: Final = 5


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that waits for the players before each deal, and for their seeds."""
    made = House(tmp_path_factory.mktemp("patient"), seed_wait_ms=60_000, next_deal_s=600)
    yield made
    made.stop()


def _as_cutter(player: Player) -> None:
    """Go out in deal after deal until the next one is the visitor's to cut."""
    asked = player.page.locator("[data-cut=now]")
    last = position_of("classico", "Kc", melds=[CLEAN], mortos="mine theirs")
    player.sit(last)
    for _ in range(_DEALS_MAX):
        player.perform(parse_action("discard Kc"))
        player.page.locator("[data-stage=between]").wait_for()
        player.page.locator("[data-stage] [data-action=ready]").click()
        asked.or_(player.visit.hand()).first.wait_for()
        if asked.count() > 0:
            return
        player.put(last)
    raise AssertionError("the visitor never cuts")


@pytest.mark.parametrize(("view", "wanted"), [("P", 22), ("D", 31)])
def test_the_cutter_says_how_many_cards_to_lift(visit: Callable[..., Visit], view: str, wanted: int) -> None:
    """`classico` pays 100 for lifting exactly 22, set beforehand; the arrow keys choose any number."""
    guest = visit(view)
    player = Player(guest)
    _as_cutter(player)
    form = guest.page.locator("[data-cut=now]")
    expect(form).to_contain_text("22")
    expect(form).to_contain_text("100")
    lifted = form.get_by_role("slider")
    expect(lifted).to_have_value("22")
    assert [lifted.get_attribute(name) for name in ("min", "max")] == ["1", "107"]
    lifted.focus()
    for _ in range(wanted - 22):
        guest.page.keyboard.press("ArrowRight")
    expect(form.locator("output")).to_contain_text(str(wanted))
    before = sum(frame["type"] == "seed" for frame in player.sent)
    form.locator("[data-action=cut]").click()
    expect(guest.hand()).to_have_count(11)
    seeds = [frame for frame in player.sent if frame["type"] == "seed"]
    assert [frame["cut_aim"] for frame in seeds[before:]] == [wanted]
    expect(guest.page.locator("[data-cut]")).to_have_count(0)


def test_rules_that_do_not_pay_ask_nobody_to_cut(visit: Callable[..., Visit]) -> None:
    """In the other rule sets the deal begins without a question."""
    guest = visit("D")
    player = Player(guest)
    guest.play_now(rules="aberto", players=4)
    guest.open()
    expect(guest.hand().first).to_be_visible()
    expect(guest.page.locator("[data-cut]")).to_have_count(0)
    assert all("cut_aim" not in frame for frame in player.sent)
