"""House rules that are possible can be played: nobody gets stuck, and every deal ends."""

from __future__ import annotations

import random
from typing import Any

import pytest

from buraco.engine import Deal
from buraco.rules import FIELD_NAMES, FIELD_SPECS, RULE_SETS, RuleSet, problems
from tests.toy import TOYS

_COUNTS = ((2,), (4,), (2, 4))
_SUITS = ("cdhs", "ch", "cdh", "s")
_RANKS = ("A23456789TJQK", "A23456", "3456789", "789TJQK", "A23456789TJQ", "23456789TJQK")
# Far more than any deal of a toy can take; a deal that reaches it goes round.
_STEPS_MAX = 5000


def _other(rng: random.Random, name: str, value: Any) -> Any:
    spec = FIELD_SPECS[name]
    if spec.kind == "boolean":
        return rng.random() < 0.5
    if spec.kind == "optional_integer":
        return rng.choice([None, 0, 300])
    if spec.kind == "integer":
        return rng.choice([0, 20, 60]) if spec.unit == "points" else rng.randint(spec.low, min(spec.high, 25))
    return rng.choice(
        {"choice": spec.choices, "counts": _COUNTS, "suits": _SUITS, "ranks": _RANKS}.get(spec.kind, [value])
    )


def _house_rules(rng: random.Random, base: RuleSet) -> RuleSet:
    """Return possible rules that differ from a base in up to ten fields drawn at random."""
    while True:
        values = {name: getattr(base, name) for name in FIELD_NAMES}
        for name in rng.sample(FIELD_NAMES, rng.randint(3, 10)):
            values[name] = _other(rng, name, values[name])
        if not problems(values):
            return RuleSet(**values)


def _play(rules: RuleSet, players: int, seed: int) -> str:
    deal = Deal(rules, players, totals=(seed % 2 * 1600, 0), seed=seed)
    rng = random.Random(seed)
    for _ in range(_STEPS_MAX):
        if deal.over:
            return deal.position().end_kind
        legal = deal.legal()
        assert legal, deal.position()
        deal.apply(rng.choice(legal))
    raise AssertionError(f"{rules} goes round")


@pytest.mark.parametrize("base", TOYS)
def test_random_house_rules_on_a_toy_are_playable(base: str) -> None:
    rng = random.Random(base)
    ends = set()
    for seed in range(40):
        rules = _house_rules(rng, TOYS[base])
        ends |= {_play(rules, players, seed) for players in rules.player_counts}
    assert "stock" in ends
    assert "none" not in ends


@pytest.mark.parametrize("base", RULE_SETS)
def test_random_house_rules_on_a_rule_set_are_playable(base: str) -> None:
    rules = _house_rules(random.Random(base), RULE_SETS[base])
    assert _play(rules, rules.player_counts[0], 1) != "none"
