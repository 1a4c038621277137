"""Closing: who has the right, how the last card goes, what a refused close leaves (cases G, rules §5 items 5-7)."""

from __future__ import annotations

from collections import Counter

import pytest

from buraco.engine import Deal, Match, ordered_pack, unpack
from buraco.engine.constants import ACTION_DISCARD, POLICY_GREEDY
from buraco.rules import RULE_SETS
from tests.rules.positions import (
    ALL,
    CLEAN,
    DIRTY,
    OTHERS,
    SHORT,
    act,
    code_of,
    deal_of,
    each,
    hand_of,
    is_over,
    legal_texts,
    melds_of,
    refused,
)
from tests.unit.making import DISCARDS

# What is missing where no canasta lies: rules §3, row "closing needs".
NO_CANASTA = {
    "aberto classico aberto-104 fechado fechado-stcl fechado-50": "close_needs_clean",
    "aberto-sujo fechado-sujo burraco burraco-fibur": "close_needs_canasta",
}
ONLY_DIRTY = {
    "aberto classico aberto-104 fechado fechado-stcl fechado-50": "close_needs_clean",
    "aberto-sujo fechado-sujo burraco burraco-fibur": "",
}
# Rules §3, row "last card when closing".
BY_MELD = {
    "aberto aberto-sujo burraco burraco-fibur": "close_needs_discard",
    "classico aberto-104 fechado fechado-stcl fechado-sujo fechado-50": "",
}
MELD_CLOSES = "classico aberto-104 fechado fechado-stcl fechado-sujo fechado-50"
# Rules §3, row "closing needs": a morto taken by the side, or none left to take.
NEEDS_TAKEN = {
    "aberto classico burraco fechado-50": "close_needs_morto",
    "aberto-104 aberto-sujo fechado fechado-stcl fechado-sujo": "",
}


@each("G1", NO_CANASTA)
def test_the_last_card_may_not_be_discarded_without_the_right_to_close(name: str, expected: str) -> None:
    deal = deal_of(name, "9d", melds=[SHORT], mortos="mine waiting")
    refused(deal, "discard 9d", expected)


@each("G1", ALL)
def test_no_meld_may_leave_a_single_card_that_cannot_be_discarded(name: str) -> None:
    deal = deal_of(name, "5c 6c 7c Kd", melds=[SHORT], mortos="mine waiting")
    refused(deal, "meld 5c 6c 7c", "turn_could_not_end")


@each("G1", ALL)
def test_no_addition_may_leave_a_single_card_that_cannot_be_discarded(name: str) -> None:
    deal = deal_of(name, "6s Kd", melds=[SHORT], mortos="mine waiting")
    refused(deal, "add 1 6s", "turn_could_not_end")


@each("G1", ALL)
def test_a_meld_may_leave_two_cards_without_the_right_to_close(name: str) -> None:
    deal = deal_of(name, "5c 6c 7c Kd Qd", melds=[SHORT], mortos="mine waiting")
    act(deal, "meld 5c 6c 7c", "discard Kd")
    assert hand_of(deal, 0) == "Qd"


@each("S5.5", BY_MELD)
def test_the_last_cards_are_melded_only_where_a_meld_may_close(name: str, expected: str) -> None:
    deal = deal_of(name, "5c 6c 7c", melds=[CLEAN], mortos="mine waiting")
    assert code_of(deal, "meld 5c 6c 7c") == expected


@each("G3", MELD_CLOSES)
@pytest.mark.parametrize("mortos", ["mine waiting", "mine theirs"])
def test_a_new_meld_closes_the_deal(name: str, mortos: str) -> None:
    deal = deal_of(name, "5c 6c 7c", melds=[CLEAN], mortos=mortos, others=["Kc", "Kd", "Ks"])
    act(deal, "meld 5c 6c 7c")
    assert (deal.position().end_kind, deal.out_seat) == ("closed", 0)
    assert deal.legal() == []
    # 45 + 200 for the canasta, 15 for the meld, 100 for going out, less the partner's king.
    assert deal.score(0) == 350
    assert deal.score(1) == -20 - (100 if mortos == "mine waiting" else 0)


@each("G3", BY_MELD)
def test_an_addition_of_the_last_card_closes_only_where_a_meld_may_close(name: str, expected: str) -> None:
    deal = deal_of(name, "6s", melds=[CLEAN, SHORT], mortos="mine waiting")
    assert code_of(deal, "add 2 6s") == expected


@each("G4", NO_CANASTA)
def test_a_refused_close_brings_nothing(name: str, expected: str) -> None:
    deal = deal_of(name, "9d", melds=[SHORT], mortos="mine waiting", others=["Kc", "Kd", "Ks"])
    before = deal.score(0)
    assert before == 15 - 10 - 10
    refused(deal, "discard 9d", expected)
    assert (deal.score(0), deal.out_seat, deal.over) == (before, -1, False)


@each("G5", NO_CANASTA)
def test_a_meld_may_not_empty_the_hand_without_the_right_to_close(name: str, expected: str) -> None:
    deal = deal_of(name, "5c 6c 7c", melds=[SHORT], mortos="mine waiting")
    refused(deal, "meld 5c 6c 7c", expected)
    assert (hand_of(deal, 0), melds_of(deal, 0)) == ("5c 6c 7c", [SHORT])


@each("G10", ONLY_DIRTY)
def test_a_dirty_canasta_closes_only_where_any_canasta_does(name: str, expected: str) -> None:
    deal = deal_of(name, "9d", melds=[DIRTY], mortos="mine waiting")
    assert code_of(deal, "discard 9d") == expected
    if not expected:
        act(deal, "discard 9d")
        assert (deal.position().end_kind, deal.out_seat) == ("closed", 0)


@each("G10-clean", ALL)
def test_a_clean_canasta_closes_by_a_discard_everywhere(name: str) -> None:
    deal = deal_of(name, "9d", melds=[CLEAN], mortos="mine waiting", others=["Kc", "Kd", "Ks"])
    act(deal, "discard 9d")
    assert (deal.position().end_kind, deal.out_seat) == ("closed", 0)
    assert deal.score(0) == 45 + 200 + 100 - 10


@each("G10-completes", ALL)
def test_the_play_before_the_closing_discard_may_complete_the_canasta(name: str) -> None:
    deal = deal_of(name, "9h Kd", melds=["3h 4h 5h 6h 7h 8h"], mortos="mine waiting")
    act(deal, "add 1 9h", "discard Kd")
    assert deal.out_seat == 0


@each("G10-completes", MELD_CLOSES)
def test_the_closing_addition_itself_may_complete_the_canasta(name: str) -> None:
    deal = deal_of(name, "9h", melds=["3h 4h 5h 6h 7h 8h"], mortos="mine waiting")
    act(deal, "add 1 9h")
    assert deal.out_seat == 0


@each(
    "G10-spoils",
    {
        "aberto classico aberto-104 fechado fechado-stcl fechado-50": "turn_could_not_end",
        "aberto-sujo fechado-sujo burraco burraco-fibur": "",
    },
)
def test_a_play_may_not_spoil_the_canasta_that_the_last_card_needs(name: str, expected: str) -> None:
    deal = deal_of(name, "2s Kd", melds=[CLEAN], mortos="mine waiting")
    assert code_of(deal, "add 1 2s wild high") == expected


@each("G10-spoils-last", {MELD_CLOSES.replace(" fechado-sujo", ""): "close_needs_clean", "fechado-sujo": ""})
def test_the_last_card_may_not_spoil_the_canasta_that_its_close_needs(name: str, expected: str) -> None:
    deal = deal_of(name, "2s", melds=[CLEAN], mortos="mine waiting")
    assert code_of(deal, "add 1 2s wild high") == expected


@each("S5.6", ALL)
def test_the_last_card_after_a_meld_must_be_one_that_may_close(name: str) -> None:
    deal = deal_of(name, "5c 6c 7c Kd", melds=[CLEAN], mortos="mine waiting")
    act(deal, "meld 5c 6c 7c", "discard Kd")
    assert deal.out_seat == 0


@each(
    "S5.6-joker",
    {
        "burraco burraco-fibur": "turn_could_not_end",
        "aberto classico aberto-sujo fechado fechado-stcl fechado-sujo fechado-50": "",
    },
)
def test_a_joker_left_by_a_meld_strands_the_hand_where_it_may_not_close(name: str, expected: str) -> None:
    # The run from ace to king has no place for the joker in `burraco`; in `burraco-fibur` it might be added, but a
    # meld may not take the last card there.
    deal = deal_of(name, "5c 6c 7c X", melds=["As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks"], mortos="mine waiting")
    assert code_of(deal, "meld 5c 6c 7c") == expected


CLOSING_WILD = {"burraco burraco-fibur": "close_wild_discard", OTHERS: ""}


@each("S3-closing-two", CLOSING_WILD)
@pytest.mark.parametrize("card", ["2c", "2h"])
def test_the_closing_discard_may_be_a_two_except_in_burraco(name: str, expected: str, card: str) -> None:
    assert code_of(deal_of(name, card, melds=[CLEAN], mortos="mine waiting"), f"discard {card}") == expected


@each(
    "S3-closing-joker",
    {
        "burraco burraco-fibur": "close_wild_discard",
        "aberto classico aberto-sujo fechado fechado-stcl fechado-sujo fechado-50": "",
    },
)
def test_the_closing_discard_may_be_a_joker_except_in_burraco(name: str, expected: str) -> None:
    assert code_of(deal_of(name, "X", melds=[CLEAN], mortos="mine waiting"), "discard X") == expected


@each("S3-morto-two", ALL)
def test_a_two_may_be_discarded_for_the_morto_everywhere(name: str) -> None:
    deal = deal_of(name, "2c", melds=[CLEAN])
    act(deal, "discard 2c")
    assert (deal.hand_count(0), deal.over) == (11, False)


@each("S5.7", {"aberto-sujo": "no_direct_morto", OTHERS: ""})
def test_a_side_may_take_its_morto_directly_and_close_in_the_same_turn(name: str, expected: str) -> None:
    morto = "3c 4c 5c 6c 7c 8c 9c Td Jd Qd Kd"
    deal = deal_of(name, "5c 6c 7c", melds=[CLEAN], next_morto=morto)
    assert code_of(deal, "meld 5c 6c 7c") == expected
    if expected:
        return
    act(deal, "meld 5c 6c 7c")
    assert (deal.seat, deal.over, hand_of(deal, 0)) == (0, False, "3c 4c 5c 6c 7c 8c 9c Td Jd Qd Kd")
    act(deal, "meld 3c 4c 5c 6c 7c 8c 9c", "meld Td Jd Qd", "discard Kd")
    assert (deal.position().end_kind, deal.out_seat) == ("closed", 0)


@each("G8-mortos-gone", NEEDS_TAKEN)
@pytest.mark.parametrize("mortos", ["stock stock", "theirs stock", "stock theirs"])
def test_a_side_that_never_took_a_morto_closes_only_where_none_left_is_enough(
    name: str, expected: str, mortos: str
) -> None:
    deal = deal_of(name, "9d", melds=[CLEAN], mortos=mortos)
    assert code_of(deal, "discard 9d") == expected
    assert code_of(deal_of(name, "5c 6c 7c Kd", melds=[CLEAN], mortos=mortos), "meld 5c 6c 7c") == (
        "turn_could_not_end" if expected else ""
    )


@each("S2.10-added", MELD_CLOSES)
def test_the_last_card_may_be_one_that_only_an_addition_can_place(name: str) -> None:
    # Nothing closes before the seventh heart lies: the nine left in the hand completes the canasta.
    deal = deal_of(name, "5c 6c 7c 9h", melds=["3h 4h 5h 6h 7h 8h"], mortos="mine waiting")
    act(deal, "meld 5c 6c 7c")
    assert legal_texts(deal) == ["add 1 9h"]
    act(deal, "add 1 9h")
    assert deal.out_seat == 0


@each("S2.10-added", "aberto aberto-sujo burraco burraco-fibur")
def test_the_last_card_may_not_wait_for_an_addition_where_a_discard_must_close(name: str) -> None:
    deal = deal_of(name, "5c 6c 7c 9h", melds=["3h 4h 5h 6h 7h 8h"], mortos="mine waiting")
    refused(deal, "meld 5c 6c 7c", "turn_could_not_end")


def _closed_by_discard(name: str) -> tuple[Match, Deal, int]:
    """Return a match of which a deal was just closed by a discard, that deal, and the closing card."""
    match = Match(RULE_SETS[name].replace(target_points=1_000_000, deal_count=0), seed=1, first_dealer=0)
    for seed in range(60):
        match.begin_deal()
        deal = match.deal()
        deal.seed(seed)
        action = -1
        while not deal.over:
            action = deal.choose(POLICY_GREEDY)
            deal.apply(action)
        match.end_deal(deal)
        if deal.out_seat >= 0 and action in DISCARDS:
            return match, deal, action - ACTION_DISCARD
    raise AssertionError("no deal was closed by a discard")


@each("G11", ALL)
def test_the_closing_discard_belongs_to_the_old_deal(name: str) -> None:
    match, old, card = _closed_by_discard(name)
    assert old.pile_cards()[-1][:2] == (card, old.out_seat)
    match.begin_deal()
    new = match.deal()
    up_cards = 1 if name in ("burraco", "burraco-fibur") else 0
    assert new.pile_count == up_cards
    assert [new.hand_count(seat) for seat in range(4)] == [11] * 4
    for deal in (old, new):
        assert _all_cards(deal) == Counter(ordered_pack(RULE_SETS[name]))


def _all_cards(deal: Deal) -> Counter[int]:
    found = Counter(card for seat in range(deal.players) for card in deal.hand(seat))
    found.update(card for side in (0, 1) for meld in deal.meld_list(side) for card in unpack(meld).cards)
    found.update(card for card, _, _ in deal.pile_cards())
    found.update(deal.stock_cards())
    found.update((*deal.morto_cards(0), *deal.morto_cards(1)))
    return found


@each("G13", ALL)
def test_every_turn_ends_by_a_discard_or_a_close(name: str) -> None:
    ends = set()
    for seed in range(6):
        deal = Deal(RULE_SETS[name], seed=seed)
        deal.seed(seed)
        while not deal.over:
            seat, turn = deal.seat, deal.turn_count
            action = deal.choose(1)
            deal.apply(action)
            discarded = 4 <= action < 57
            if deal.turn_count > turn or is_over(deal):
                closed = is_over(deal) and deal.out_seat == seat and deal.hand_count(seat) == 0
                assert discarded or closed
                ends.add((discarded, closed))
            else:
                assert not discarded
                assert deal.seat == seat
    assert (True, False) in ends
