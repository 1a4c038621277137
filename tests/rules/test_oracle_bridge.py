"""The oracle's own translation to action ids and packed melds, held against the counts of docs/architecture.md."""

from __future__ import annotations

from random import Random

import pytest

from buraco.rules import RULE_SETS
from tests.oracle import CardSet, additions, parse_run, parse_set
from tests.oracle.bridge import ADD_BASE, RUN_BASE, SET_BASE, add_id, all_new_melds, new_meld_id, packed, unpacked
from tests.property.oracle_random import HOUSE_RULES, added_card, legal_meld, random_meld

ALL_RULES = {rules.name: rules for rules in (*RULE_SETS.values(), *HOUSE_RULES)}


def test_every_new_meld_has_one_id_in_the_documented_range() -> None:
    melds = all_new_melds()
    assert list(melds) == list(range(RUN_BASE, ADD_BASE))
    assert len(set(melds.values())) == len(melds)
    assert next(number for number, meld in melds.items() if isinstance(meld, CardSet)) == SET_BASE


def test_the_id_of_a_meld_is_where_it_is_listed() -> None:
    melds = all_new_melds()
    numbers = Random(4).sample(sorted(melds), 400)
    assert [new_meld_id(melds[number]) for number in numbers] == numbers


def test_known_ids_are_those_of_the_document() -> None:
    assert new_meld_id(parse_run("Ac 2c 3c")) == 57
    assert new_meld_id(parse_run("2c 2c 3c")) == 58
    assert new_meld_id(parse_run("Ad 2d 3d")) == 57 + 2655
    assert new_meld_id(parse_set("Ac Ac 2c")) == 10677
    assert new_meld_id(parse_set("Ac Ad 2c")) == 10677 + 5


def test_packed_melds_unpack_to_themselves() -> None:
    random = Random(5)
    melds = [random_meld(random, RULE_SETS["classico"]) for _ in range(500)]
    assert [unpacked(packed(meld)) for meld in melds] == melds


@pytest.mark.parametrize("name", ALL_RULES)
def test_the_id_of_an_addition_fixes_the_meld_it_gives(name: str) -> None:
    rules, random, seen = ALL_RULES[name], Random(name), 0
    for _ in range(300):
        meld = legal_meld(random, rules)
        card = added_card(random, meld, rules)
        grown = additions(meld, card, rules)
        seen += len(grown)
        assert len({add_id(0, meld, card, after) for after in grown}) == len(grown)
    assert seen > 100
