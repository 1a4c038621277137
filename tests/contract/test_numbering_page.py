"""The page and the engine number actions alike: both write every action with its cards, and both come to one digest."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from buraco.cards import card_text, cards_text
from buraco.engine import constants, unpack
from buraco.engine.numbering import action_meld, added_card, added_slot

_FILE = Path(__file__).parents[2] / "web" / "src" / "core" / "numbering.json"
_FIRST = ("draw", "pile", "keep", "reject")


def _line(action: int) -> str:
    """Return an action as ``kind|cards|meld``, as `actionCards` of the page knows it."""
    if action < len(_FIRST):
        return f"{_FIRST[action]}||"
    if action < constants.ACTION_RUN:
        return f"discard|{card_text(action - constants.ACTION_DISCARD)}|"
    if action < constants.ACTION_ADD:
        return f"lay|{cards_text(unpack(action_meld(action)).cards)}|"
    return f"add|{card_text(added_card(action))}|{added_slot(action) + 1}"


def test_the_page_reads_every_action_as_the_engine_numbers_it() -> None:
    text = "\n".join(_line(action) for action in range(constants.ACTION_COUNT))
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert json.loads(_FILE.read_text(encoding="utf-8")) == {"actions": constants.ACTION_COUNT, "sha256": digest}
