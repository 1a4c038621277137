"""The picture of a table."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from buraco.cards import card_text
from buraco.engine import Deal
from buraco.engine.constants import POLICY_MELD_FIRST
from buraco.env import aec
from buraco.env.picture import PICTURE_SHAPE, table_picture
from buraco.rules import RULE_SETS
from tests.rules.positions import deal_of
from tests.unit.making import game_sets

# Where the pile lies: the band between the melds of the sides.
_PILE = (slice(PICTURE_SHAPE[0] // 2 - 38, PICTURE_SHAPE[0] // 2 + 38), slice(200, None))
GAMES = game_sets()


def test_the_environment_shows_the_picture_of_its_deal() -> None:
    env = aec("fechado", render_mode="rgb_array")
    env.reset(seed=2)
    shown = env.render()
    assert isinstance(shown, np.ndarray)
    assert (shown.shape, shown.dtype.name) == (PICTURE_SHAPE, "uint8")
    assert np.array_equal(shown, table_picture(env.episode.deal, (0, 0)))


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_state_of_a_deal_can_be_drawn_and_what_is_done_is_seen(name: str, players: int) -> None:
    deal = Deal(RULE_SETS[name], players, seed=4)
    pictures = [table_picture(deal, (0, 0))]
    while not deal.over:
        for _ in range(45):
            if not deal.over:
                deal.apply(deal.choose(POLICY_MELD_FIRST))
        pictures.append(table_picture(deal, (120, -35)))
    assert all(not np.array_equal(one, two) for one, two in pairwise(pictures))


def test_each_card_has_a_face_of_its_own() -> None:
    faces = {
        table_picture(deal_of("aberto", "3c 4c", pile=card_text(card), phase="draw"), (0, 0))[_PILE].tobytes()
        for card in range(53)
    }
    assert len(faces) == 53
