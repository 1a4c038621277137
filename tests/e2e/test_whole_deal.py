"""A whole deal against bots through the page alone: by mouse, by touch (criterion 18), by keyboard (criterion 19)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

import pytest

from buraco.engine import Deal
from buraco.notation import decode_action
from buraco.rules import RULE_SETS
from tests.e2e.company import choose
from tests.e2e.hands import By, Player
from tests.e2e.sheets import expect_breakdown
from tests.e2e.views import Visit

_ACTIONS_MAX: Final = 400


def _play(player: Player, seed: int) -> set[str]:
    """Play until the deal ends; return the kinds of actions that were taken."""
    rng = random.Random(seed)
    kinds: set[str] = set()
    for _ in range(_ACTIONS_MAX):
        if not player.my_turn():
            return kinds
        legal = player.visit.snapshot()["view"]["legal"]
        action = choose(legal, rng)
        player.perform(action)
        kinds.add(decode_action(action).kind)
    raise AssertionError("the deal does not end")


@pytest.mark.parametrize(
    ("view", "by", "rules", "seed"),
    [
        pytest.param("D", "mouse", "aberto", 29, id="by-mouse-with-drags"),
        pytest.param("P", "touch", "fechado", 11, id="18-by-touch-with-taps-alone"),
        pytest.param("D", "keyboard", "burraco", 11, id="19-by-keyboard-alone"),
    ],
)
def test_18_19_a_whole_deal_is_played_to_its_score(
    visit: Callable[..., Visit], view: str, by: By, rules: str, seed: int
) -> None:
    """18, 19. From the first draw to the score sheet, which equals the server's breakdown."""
    guest = visit(view)
    player = Player(guest, by)
    player.sit(Deal(RULE_SETS[rules], 4, 3, (0, 0), seed).position(), deal_count=1)
    kinds = _play(player, seed)
    assert kinds >= {"draw", "meld", "discard"}
    player.page.locator("[data-stage]").wait_for()
    expect_breakdown(player.page.locator("[data-stage]"), player.visit.snapshot()["deals"][-1])
