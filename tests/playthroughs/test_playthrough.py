"""The recorded deals, played again, give the recorded text; and enough happens in them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from buraco.engine.codes import CODES
from buraco.errors import IllegalAction
from buraco.rules import RULE_SETS
from scripts import playthrough
from tests.build import COMPILED

#: Uncompiled, only some files are played again: each state is asked about every action.
NAMES: Final = list(RULE_SETS) if COMPILED else ["classico", "fechado-50"]
#: At least so many different refusals are shown in each file.
REFUSALS: Final = 12


def recorded(name: str) -> str:
    """Return the text of a file."""
    return (playthrough.FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_recorded_deal_gives_the_recorded_text(name: str) -> None:
    assert "\n".join(playthrough.differences(playthrough.FOLDER / f"{name}.txt")) == ""


@pytest.mark.parametrize("name", RULE_SETS)
def test_enough_happens_in_the_recorded_deal(name: str) -> None:
    rules, text = RULE_SETS[name], recorded(name)
    start, actions = playthrough.read(text)
    assert start.rules == rules
    assert playthrough.is_wanted(rules, playthrough.summary(start, actions))
    assert sum(f"({code})" in text for code in CODES) >= REFUSALS


def test_all_files_together_show_most_refusals() -> None:
    texts = "".join(recorded(name) for name in RULE_SETS)
    assert sum(f"({code})" in texts for code in CODES[1:]) >= 2 * (len(CODES) - 1) // 3


def test_a_changed_line_is_found_and_shown(tmp_path: Path) -> None:
    file = tmp_path / "changed.txt"
    text = recorded("fechado")
    file.write_text(text.replace("  draw 1 > draw", "  draw 7 > draw", 1), encoding="utf-8")
    lines = playthrough.differences(file)
    assert "-  draw 7 > draw" in lines
    assert "+  draw 1 > draw" in lines


def test_an_action_that_is_not_legal_any_more_is_told() -> None:
    start, actions = playthrough.read(recorded("fechado"))
    with pytest.raises(IllegalAction):
        playthrough.render(start, [actions[0], actions[0]])


def test_a_seed_is_looked_for_in_vain_where_there_is_none() -> None:
    with pytest.raises(LookupError, match="no seed"):
        playthrough.found_deal(RULE_SETS["aberto"], range(0))
