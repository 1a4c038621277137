"""Refusals that no walk meets: each in a position of its own, or shown to be a guard that no cards can reach."""

from __future__ import annotations

from dataclasses import replace

import pytest

from buraco.cards import parse_card
from buraco.engine.codes import CODES
from buraco.engine.constants import (
    ACTION_COUNT,
    ACTION_DISCARD,
    ACTION_KEEP,
    ACTION_REJECT,
    CODE_UNKNOWN_ACTION,
    MELD_SLOTS,
)
from buraco.engine.deal import Deal
from buraco.engine.shuffle import ordered_pack
from buraco.errors import RulesError
from buraco.rules import RULE_SETS, RuleSet
from buraco.texts import text
from tests.unit.making import game_sets, run, table

MELD_SIZE_MIN = 3


def discard(card: str) -> int:
    """The action that discards a card."""
    return ACTION_DISCARD + parse_card(card)


def test_every_code_has_a_text_and_no_two_are_called_alike() -> None:
    assert len(set(CODES)) == len(CODES)
    assert all(text(f"code.{code}") for code in CODES[1:])


@pytest.mark.parametrize("action", [-(2**40), -1, ACTION_COUNT, 2**31 - 1])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    deal = Deal(RULE_SETS["aberto"])
    assert deal.check(action) == CODE_UNKNOWN_ACTION
    assert deal.refusal(action) == "unknown_action"


def test_the_first_card_is_not_rejected_when_the_stock_has_no_second_one() -> None:
    position = table("aberto", "3c 9d", "4c", "5c", "6c", phase="choice", turn_count=0, drew_stock=True)
    assert position.stock is not None
    last = tuple(sorted((*(position.hands[3] or ()), *position.stock)))
    position = replace(
        position,
        hands=(*position.hands[:3], last),
        hand_counts=(*position.hand_counts[:3], len(last)),
        stock=(),
        stock_count=0,
        drawn_card=parse_card("9d"),
    )
    deal = Deal.from_position(position)
    assert deal.refusal(ACTION_REJECT) == "no_stock_to_reject"
    assert deal.legal() == [ACTION_KEEP]


@pytest.mark.parametrize(("name", "players"), [(n, p) for n, p in game_sets() if not RULE_SETS[n].closing_discard_wild])
@pytest.mark.parametrize("wild", ["X", "2c"])
def test_a_wild_as_the_last_card_does_not_close_where_it_may_not(name: str, players: int, wild: str) -> None:
    hands = [wild, "9d 9h", "5c 5d", "6c 6d"][:players]
    melds = ((run("h", 3, 9, wild="2s", slot=5),), ())
    position = table(name, *hands, melds=melds, owners=(0, -1), drew_stock=True, phase="play")
    assert Deal.from_position(position).refusal(discard(wild)) == "close_wild_discard"
    allowed = replace(position, rules=RULE_SETS[name].replace(closing_discard_wild=True))
    closed = Deal.from_position(allowed)
    closed.apply(discard(wild))
    assert closed.over


def test_the_largest_pack_cannot_fill_more_melds_than_there_are_numbers() -> None:
    # `too_many_melds` guards the numbering: with 36 melds no three cards are left to lay a 37th.
    largest = RuleSet(name="largest", title="The largest pack")
    with pytest.raises(RulesError, match="pack_copies"):
        largest.replace(pack_copies=3)
    with pytest.raises(RulesError, match="joker_count"):
        largest.replace(joker_count=5)
    assert len(ordered_pack(largest)) <= MELD_SLOTS * MELD_SIZE_MIN
    assert "too_many_melds" in CODES
