"""A whole deal against bots through the page alone: by mouse, by touch (criterion 18), by keyboard (criterion 19)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from buraco.engine import Deal, unpack
from buraco.notation import decode_action
from buraco.rules import RULE_SETS
from tests.e2e.hands import By, Player
from tests.e2e.views import Visit

_ACTIONS_MAX: Final = 400


def _choose(legal: dict[str, Any], rng: random.Random) -> int:
    """Choose an action as a hasty player would: lay what can be laid, with few wilds; take the pile now and then."""
    by_kind: dict[str, list[int]] = {}
    for action in legal["actions"]:
        by_kind.setdefault(decode_action(action).kind, []).append(action)
    if "draw" in by_kind:
        return by_kind["pile"][0] if "pile" in by_kind and rng.random() < 0.4 else by_kind["draw"][0]
    for kind in ("keep", "pile"):
        if kind in by_kind:
            return by_kind[kind][0]
    if "meld" in by_kind:
        return max(by_kind["meld"], key=lambda one: _worth(decode_action(one).meld))
    return rng.choice(by_kind.get("add") or by_kind["discard"])


def _worth(packed: int) -> int:
    shape = unpack(packed)
    return len(shape.cards) - (3 if shape.has_wild else 0)


def _play(player: Player, seed: int) -> set[str]:
    """Play until the deal ends; return the kinds of actions that were taken."""
    rng = random.Random(seed)
    kinds: set[str] = set()
    for _ in range(_ACTIONS_MAX):
        if not player.my_turn():
            return kinds
        legal = player.visit.snapshot()["view"]["legal"]
        action = _choose(legal, rng)
        player.perform(action)
        kinds.add(decode_action(action).kind)
    raise AssertionError("the deal does not end")


def _sheet_equals_breakdown(player: Player) -> None:
    """The score sheet that is shown has the server's lines and totals."""
    deal = player.visit.snapshot()["deals"][-1]
    sheet = player.page.locator("[data-stage]")
    for side in (0, 1):
        shown = sheet.locator(f"[data-side='{side}'] [data-line]").evaluate_all(
            "lines => lines.map(line => `${line.dataset.line} ${line.dataset.points}`)"
        )
        lines = [f"{line['kind']} {line['points']}" for line in deal["sheets"][side]["lines"]]
        if deal["cut_points"][side] != 0:
            lines.append(f"cut {deal['cut_points'][side]}")
        lines.append(f"sum {deal['scores'][side] + deal['cut_points'][side]}")
        assert sorted(shown) == sorted(lines)
    totals = sheet.locator("[data-sheet] [data-total]")
    expect(totals).to_have_count(2)
    assert totals.evaluate_all("cells => cells.map(cell => Number(cell.dataset.total))") == deal["totals"]


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
    _sheet_equals_breakdown(player)
