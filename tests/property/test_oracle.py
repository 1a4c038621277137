"""The engine agrees with the independent oracle on random melds, additions, hands, piles and openings.

The long run is ``python scripts/oracle_long.py --count 5000000 --workers 2``.
"""

from __future__ import annotations

from random import Random

import pytest

from buraco.rules import RULE_SETS, RuleSet
from tests.oracle import Meld, additions
from tests.property import oracle_compare
from tests.property.oracle_compare import Tally, compare_deal, compare_melds
from tests.property.oracle_duties import compare_opening, compare_pile
from tests.property.oracle_random import HOUSE_RULES

MELDS_PER_RULE_SET = 10_000
DEALS_PER_RULE_SET = 12
PILES_PER_RULE_SET = 120
OPENINGS_PER_RULE_SET = 60

CLOSED = [name for name, rules in RULE_SETS.items() if rules.pile_closed]
OPENING = [name for name, rules in RULE_SETS.items() if rules.opening != "none"]


def kinds_of(rules: RuleSet) -> set[str]:
    """Return the kinds of melds and moves that must occur under a rule set."""
    kinds = {"natural two with wild", "moved wild", "wild from end", "two gone home"}
    kinds |= {"two aces"} if rules.aces_both_ends else set()
    kinds |= {"set", "set with wild"} if rules.sets else set()
    kinds |= {"two pressed"} if rules.natural_two_pressed else set()
    return kinds


def assert_agreement(tally: Tally) -> None:
    """Assert that nothing differs and that at least a third of what was compared is legal."""
    assert tally.differences == []
    assert tally.legal * 3 >= tally.compared


@pytest.mark.parametrize("name", RULE_SETS)
def test_random_melds_and_additions_agree(name: str) -> None:
    rules = RULE_SETS[name]
    tally = compare_melds([rules], Random(f"melds {name}"), MELDS_PER_RULE_SET)
    assert_agreement(tally)
    assert tally.rule_sets == {name: MELDS_PER_RULE_SET}
    assert kinds_of(rules) <= set(tally.kinds)


def test_random_melds_and_additions_agree_under_every_mix_of_the_fields() -> None:
    tally = compare_melds(HOUSE_RULES, Random("house rules"), 200 * len(HOUSE_RULES))
    assert_agreement(tally)
    assert set(tally.rule_sets) == {rules.name for rules in HOUSE_RULES}
    assert set(oracle_compare.KINDS) <= set(tally.kinds)


@pytest.mark.parametrize("name", RULE_SETS)
def test_all_legal_actions_of_random_hands_agree(name: str) -> None:
    tally, random = Tally(), Random(f"hands {name}")
    for _ in range(DEALS_PER_RULE_SET):
        tally.add(compare_deal(RULE_SETS[name], random))
    assert_agreement(tally)
    assert tally.legal > 10 * DEALS_PER_RULE_SET


@pytest.mark.parametrize("name", CLOSED)
def test_closed_piles_and_the_duty_to_use_the_top_card_agree(name: str) -> None:
    tally, random = Tally(), Random(f"piles {name}")
    for _ in range(PILES_PER_RULE_SET):
        tally.add(compare_pile(RULE_SETS[name], random))
    assert_agreement(tally)
    assert min(tally.kinds["pile takeable"], tally.kinds["pile not takeable"]) >= 10


@pytest.mark.parametrize("name", OPENING)
def test_openings_agree(name: str) -> None:
    tally, random = Tally(), Random(f"openings {name}")
    for _ in range(OPENINGS_PER_RULE_SET):
        tally.add(compare_opening(RULE_SETS[name], random))
    assert tally.differences == []
    assert tally.kinds["opening possible"] >= 10


def test_a_lost_move_of_the_wild_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_one(meld: Meld, card: str, rules: RuleSet) -> set[Meld]:
        return set(sorted(additions(meld, card, rules), key=repr)[1:])

    monkeypatch.setattr(oracle_compare, "additions", without_one)
    tally = compare_melds([RULE_SETS["aberto"]], Random(1), 100)
    assert len(tally.differences) > 10


def test_a_meld_taken_for_legal_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle_compare, "is_legal", lambda *_: True)
    tally = compare_melds([RULE_SETS["burraco"]], Random(1), 200)
    assert tally.differences


def test_a_wrong_score_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle_compare, "deal_score", lambda *_: 1)
    tally, random = Tally(), Random(2)
    for _ in range(3):
        tally.add(compare_deal(RULE_SETS["fechado"], random))
    assert any("the engine scores" in difference for difference in tally.differences)


def test_the_same_seed_compares_the_same() -> None:
    first, second = (compare_melds([RULE_SETS["classico"]], Random(3), 300) for _ in range(2))
    assert first == second
