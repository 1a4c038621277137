"""Both builds of the engine play the same deals: same state, same legal ids, same scores after every step."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from buraco.rules import RULE_SETS
from scripts import traces

ROOT = Path(__file__).resolve().parents[2]
#: How many for each rule set, by policy; the full size is a command in CONTRIBUTING.
DEALS = {"random": 200, "greedy": 200, "club": 30, "novice": 15}
POLICIES = list(DEALS)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_both_builds_play_the_same_deals_alike(name: str, policy: str) -> None:
    assert traces.compare([name], [policy], 1, DEALS[policy]) == (DEALS[policy], None)


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    """A copy of the sources in which ``bit`` loses what a 32-bit shift would lose."""
    source = tmp_path / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("*.so", "__pycache__", "*.egg-info"))
    bits = source / "buraco" / "engine" / "bits.py"
    sound = bits.read_text(encoding="utf-8")
    planted = sound.replace("return 1 << number", "return 1 << number if number < 51 else 0")
    assert planted != sound
    bits.write_text(planted, encoding="utf-8")
    return source


def test_a_planted_difference_is_found_with_its_deal_and_step(faulty: Path) -> None:
    equal, difference = traces.compare(["aberto"], ["random"], 1, 5, source=faulty)
    assert equal < 5
    assert difference is not None
    assert difference.deal.startswith("aberto random ")
    assert difference.first != difference.second


def test_a_trace_tells_deals_policies_and_rule_sets_apart() -> None:
    lines = list(traces.trace_lines(["aberto", "fechado"], POLICIES, 1, 2))
    assert len({line.split()[-1] for line in lines}) == len(lines) == 16
