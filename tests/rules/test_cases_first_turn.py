"""The first turn: keep or reject the first stock card, and what starts the pile (rules §3, §4 `aberto`, §5 item 13)."""

from __future__ import annotations

import pytest

from buraco.engine import Deal, ordered_pack
from buraco.engine.constants import PHASE_PLAY
from buraco.rules import RULE_SETS
from tests.rules.positions import ALL, act, allowed, each, legal_texts, refused

OPTION = {
    "aberto classico": True,
    "aberto-104 aberto-sujo fechado fechado-stcl fechado-sujo burraco fechado-50 burraco-fibur": False,
}
UP_CARD = "burraco burraco-fibur"


def dealt(name: str, players: int = 4) -> Deal:
    """The unshuffled pack dealt out by the last seat."""
    rules = RULE_SETS[name]
    return Deal.from_pack(rules, players, ordered_pack(rules), dealer=players - 1)


# Cards dealt to each of two or four players and both mortos leave so many (rules §2 item 1).
STOCK = {
    "aberto": {4: 42},
    "classico": {4: 42},
    "aberto-104": {4: 38, 2: 60},
    "aberto-sujo": {4: 42, 2: 64},
    "fechado": {4: 42, 2: 64},
    "fechado-stcl": {4: 42, 2: 64},
    "fechado-sujo": {4: 42, 2: 64},
    "burraco": {4: 41, 2: 63},
    "fechado-50": {4: 42, 2: 64},
    "burraco-fibur": {4: 41, 2: 63},
}
TABLES = [pytest.param(name, players, id=f"C9-{name}-{players}") for name in STOCK for players in STOCK[name]]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_stock_has_the_cards_that_the_deal_leaves(name: str, players: int) -> None:
    deal = dealt(name, players)
    assert deal.stock_count == STOCK[name][players]
    assert [deal.hand_count(seat) for seat in range(players)] == [11] * players
    assert (len(deal.morto_cards(0)), len(deal.morto_cards(1))) == (11, 11)
    assert deal.pile_count == (1 if name in UP_CARD.split() else 0)
    assert deal.card_count == (104 if name == "aberto-104" else 108)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_cards_are_dealt_one_at_a_time_from_the_dealers_left(name: str, players: int) -> None:
    rules = RULE_SETS[name]
    pack = ordered_pack(rules)
    for dealer in range(players):
        deal = Deal.from_pack(rules, players, pack, dealer=dealer)
        assert deal.seat == (dealer + 1) % players
        for turn in range(players):
            assert deal.hand((dealer + 1 + turn) % players) == tuple(sorted(pack[turn : 11 * players : players]))


@each("S4-choice", OPTION)
def test_only_some_rules_let_the_first_player_reject_the_first_card(name: str, expected: bool) -> None:
    deal = act(dealt(name), "draw")
    assert deal.phase == (1 if expected else 2)
    if not expected:
        refused(deal, "keep", "no_choice")
        refused(deal, "reject", "no_choice")


@each("S4-keep", "aberto classico")
def test_a_kept_first_card_stays_in_the_hand(name: str) -> None:
    deal = dealt(name)
    first = deal.stock_cards()[-1]
    act(deal, "draw")
    assert legal_texts(deal) == ["keep", "reject"]
    act(deal, "keep")
    assert (deal.phase, deal.stock_count, deal.pile_count) == (2, 41, 0)
    assert first in deal.hand(deal.seat)
    refused(deal, "reject", "no_choice")


@each("S5.13", "aberto classico")
def test_a_rejected_first_card_starts_the_pile_and_a_second_is_drawn(name: str) -> None:
    deal = dealt(name)
    first, second = deal.stock_cards()[-1], deal.stock_cards()[-2]
    before = deal.hand(deal.seat)
    act(deal, "draw", "reject")
    assert deal.pile_cards() == ((first, 0, 0),)
    assert (deal.phase, deal.stock_count) == (2, 40)
    assert deal.hand(deal.seat) == tuple(sorted((*before, second)))
    refused(deal, "keep", "no_choice")
    refused(deal, "reject", "no_choice")
    refused(deal, "draw", "already_drawn")


@each("S5.13", "aberto classico")
def test_the_next_player_may_take_the_rejected_card_and_the_discard(name: str) -> None:
    deal = dealt(name)
    first = deal.stock_cards()[-1]
    act(deal, "draw", "reject")
    discard = legal_texts(deal, "discard")[0]
    act(deal, discard)
    assert deal.pile_cards()[0][0] == first
    assert deal.pile_count == 2
    before = deal.hand_count(deal.seat)
    act(deal, "pile")
    assert deal.hand_count(deal.seat) == before + 2
    # A pile of two bars nothing.
    allowed(deal, discard)


@each("S4-choice-duty", "aberto classico")
def test_nothing_else_is_done_before_the_choice(name: str) -> None:
    deal = dealt(name)
    refused(deal, "keep", "no_choice")
    act(deal, "draw")
    refused(deal, "draw", "must_choose")
    refused(deal, "pile", "must_choose")
    refused(deal, legal_texts(act(deal.copy(), "keep"), "discard")[0], "must_choose")


@each("S4-choice-once", "aberto classico")
def test_the_second_player_and_the_first_in_the_next_round_have_no_choice(name: str) -> None:
    deal = act(dealt(name), "draw", "keep")
    for _ in range(4):
        act(deal, legal_texts(deal, "discard")[0], "draw")
        assert deal.phase == PHASE_PLAY


@each("S3-up-card", ALL)
def test_the_first_player_may_take_the_up_card(name: str) -> None:
    deal = dealt(name)
    if name in UP_CARD.split():
        assert deal.pile_cards()[0][1:] == (-1, -1)
        # A pile of one: that very card may not go back at once.
        card = deal.pile_cards()[0][0]
        held = card in deal.hand(deal.seat)
        act(deal, "pile")
        assert (deal.barred_card == card) is not held
    else:
        refused(deal, "pile", "pile_empty")
