"""Every field that says what is legal, changed alone: one play that only one of the two rule sets allows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from buraco.cards import RANKS
from buraco.engine import Deal, ordered_pack
from buraco.errors import PositionError
from buraco.rules import RULE_SETS, RuleSet
from tests.rules.one_field import changed
from tests.rules.positions import CLEAN, DIRTY, SHORT, act, allowed, deal_of, melds_of, position_of, refused

TWO_PLAYERS = RULE_SETS["burraco"].replace(name="burraco-two", player_counts=(2,))


def refused_position(rules: RuleSet, hand: str, **parts: Any) -> str:
    """Return why a position cannot be under the rules; it is laid out with the whole pack."""
    full = position_of(RULE_SETS["aberto"], hand, **parts)
    with pytest.raises(PositionError) as caught:
        Deal.from_position(replace(full, rules=rules))
    return str(caught.value)


# The pack and the deal.


@changed("player_counts", "aberto", (2, 4))
def test_the_numbers_of_players_say_how_many_may_play(before: RuleSet, after: RuleSet) -> None:
    with pytest.raises(ValueError, match="for 4 players"):
        Deal(before, 2)
    assert Deal(after, 2).players == 2


@changed("pack_suits", "aberto", "cdh")
def test_the_suits_of_the_pack_say_which_cards_there_are(before: RuleSet, after: RuleSet) -> None:
    allowed(deal_of(before, "3s 4s 5s 9d Kd"), "meld 3s 4s 5s")
    assert "the pack has 0" in refused_position(after, "3s 4s 5s 9d Kd")
    assert (Deal(before).stock_count, Deal(after).stock_count) == (42, 16)


@changed("pack_ranks", "classico", RANKS[:12])
def test_the_ranks_of_the_pack_say_which_cards_there_are(before: RuleSet, after: RuleSet) -> None:
    allowed(deal_of(before, "Js Qs Ks 9d 4d"), "meld Js Qs Ks")
    assert "the pack has 0" in refused_position(after, "Js Qs Ks 9d 4d")
    assert (Deal(before).stock_count, Deal(after).stock_count) == (42, 34)


@changed("pack_copies", TWO_PLAYERS, 1)
def test_the_copies_of_the_pack_say_how_many_twins_there_are(before: RuleSet, after: RuleSet) -> None:
    deal = deal_of(before, "Kc Kc Kd 9d 4d")
    allowed(deal, "meld Kc Kc Kd")
    assert max(ordered_pack(after).count(card) for card in range(52)) == 1
    assert (Deal(before, 2).card_count, Deal(after, 2).card_count) == (108, 56)


@changed("joker_count", "fechado", 0)
def test_the_jokers_of_the_pack_say_how_many_may_come(before: RuleSet, after: RuleSet) -> None:
    allowed(deal_of(before, "3s 4s X 9d Kd"), "meld 3s 4s X=5")
    assert "the pack has 0" in refused_position(after, "3s 4s X 9d Kd")
    assert (Deal(before).stock_count, Deal(after).stock_count) == (42, 38)


@changed("hand_size", "fechado", 9)
def test_the_hand_size_says_how_many_cards_are_dealt(before: RuleSet, after: RuleSet) -> None:
    assert [Deal(rules).hand_count(0) for rules in (before, after)] == [11, 9]
    assert [Deal(rules).stock_count for rules in (before, after)] == [42, 50]


@changed("morto_size", "fechado", 7)
def test_the_morto_size_says_how_many_cards_an_empty_hand_gets(before: RuleSet, after: RuleSet) -> None:
    counts = [act(deal_of(rules, "6s", melds=[SHORT]), "add 1 6s").hand_count(0) for rules in (before, after)]
    assert counts == [11, 7]


# Melds.


@changed("sets", "fechado-stcl", True)
def test_sets_are_laid_only_where_they_are_allowed(before: RuleSet, after: RuleSet) -> None:
    refused(deal_of(before, "7c 7d 7h 9d Kd"), "meld 7c 7d 7h", "sets_not_allowed")
    allowed(deal_of(after, "7c 7d 7h 9d Kd"), "meld 7c 7d 7h")


@changed("one_set_per_rank", "burraco", True)
def test_a_second_set_of_a_rank_may_be_barred(before: RuleSet, after: RuleSet) -> None:
    allowed(deal_of(before, "7c 7d 7h 9d Kd", melds=["7c 7d 7s"]), "meld 7c 7d 7h")
    refused(deal_of(after, "7c 7d 7h 9d Kd", melds=["7c 7d 7s"]), "meld 7c 7d 7h", "rank_has_set")


KING = "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"


@changed("aces_both_ends", "classico", False)
def test_both_aces_of_a_suit_may_lie_in_one_run(before: RuleSet, after: RuleSet) -> None:
    allowed(deal_of(before, "Ah 9d Kd", melds=[KING]), "add 1 Ah high")
    refused(deal_of(after, "Ah 9d Kd", melds=[KING]), "add 1 Ah high", "aces_both_ends")


@changed("run_length_max", "burraco", 14)
def test_a_run_ends_at_its_greatest_length(before: RuleSet, after: RuleSet) -> None:
    refused(deal_of(before, "X 9d Kd", melds=[KING]), "add 1 X wild high", "run_too_long")
    allowed(deal_of(after, "X 9d Kd", melds=[KING]), "add 1 X wild high")


@changed("wild_move", "fechado", "low")
def test_a_replaced_wild_goes_where_the_rules_say(before: RuleSet, after: RuleSet) -> None:
    for rules, end in ((before, "high"), (after, "low")):
        deal = deal_of(rules, "Qs 9d Kd", melds=["Js 2h=Q Ks"])
        refused(deal, f"add 1 Qs wild {'low' if end == 'high' else 'high'}", "wild_may_not_move_there")
        allowed(deal, f"add 1 Qs wild {end}")


@changed("wild_changes_ends", "fechado", True)
def test_a_wild_at_an_end_may_fill_a_gap_beyond_the_other(before: RuleSet, after: RuleSet) -> None:
    refused(deal_of(before, "8s 9d Kd", melds=["X=4 5s 6s"]), "add 1 8s", "does_not_fit")
    deal = act(deal_of(after, "8s 9d Kd", melds=["X=4 5s 6s"]), "add 1 8s")
    assert melds_of(deal, 0) == ["5s 6s X=7 8s"]


@changed("natural_two_pressed", "fechado", True)
def test_a_natural_two_may_be_pressed_into_service(before: RuleSet, after: RuleSet) -> None:
    refused(deal_of(before, "6h 9d Kd", melds=["2h 3h 4h"]), "add 1 6h", "does_not_fit")
    deal = act(deal_of(after, "6h 9d Kd", melds=["2h 3h 4h"]), "add 1 6h")
    assert melds_of(deal, 0) == ["3h 4h 2h=5 6h"]


@changed("canasta_size", "fechado", 6)
def test_a_canasta_of_fewer_cards_closes(before: RuleSet, after: RuleSet) -> None:
    six = ["3h 4h 5h 6h 7h 8h"]
    refused(deal_of(before, "9d", melds=six, mortos="mine waiting"), "discard 9d", "close_needs_clean")
    allowed(deal_of(after, "9d", melds=six, mortos="mine waiting"), "discard 9d")


# The pile and the first turn.


@changed("up_card", "aberto-104", True)
def test_an_up_card_starts_the_pile(before: RuleSet, after: RuleSet) -> None:
    refused(Deal(before), "pile", "pile_empty")
    allowed(Deal(after), "pile")


@changed("first_turn_option", "fechado", True)
def test_the_first_card_may_be_rejected(before: RuleSet, after: RuleSet) -> None:
    refused(act(Deal(before), "draw"), "reject", "no_choice")
    allowed(act(Deal(after), "draw"), "reject")


@changed("pile_closed", "classico", True)
def test_a_closed_pile_needs_a_use_for_its_top_card(before: RuleSet, after: RuleSet) -> None:
    allowed(deal_of(before, "9d Ks", phase="draw", pile="4c 7h"), "pile")
    refused(deal_of(after, "9d Ks", phase="draw", pile="4c 7h"), "pile", "pile_unusable")


@changed("closed_top_wild", "fechado", "new_meld")
def test_a_wild_on_top_may_need_a_new_meld(before: RuleSet, after: RuleSet) -> None:
    parts: dict[str, Any] = {"melds": ["5s 6s 7s"], "phase": "draw", "pile": "4c X"}
    allowed(deal_of(before, "9d Kh 4h", **parts), "pile")
    refused(deal_of(after, "9d Kh 4h", **parts), "pile", "pile_unusable")


@changed("single_card_barred", "classico", True)
def test_the_card_of_a_one_card_pile_may_be_barred(before: RuleSet, after: RuleSet) -> None:
    allowed(act(deal_of(before, "9d Ks", phase="draw", pile="4c"), "pile"), "discard 4c")
    refused(act(deal_of(after, "9d Ks", phase="draw", pile="4c"), "pile"), "discard 4c", "card_barred")


# Openings. The cards are the unshuffled pack's, so that the sides' totals alone fix the minimum.


def minimum(rules: RuleSet, total: int) -> int:
    """Return the minimum that a side's total brings."""
    return Deal(rules, totals=(total, 0)).position().opening_need[0]


def unopened(rules: RuleSet, hand: str, need: int) -> Deal:
    """Return a deal in which the side of seat 0 has still to meet a minimum."""
    return deal_of(rules, hand, opening_need=(need, 0), opened=(False, True))


@changed("opening", "aberto", "over_turn")
def test_an_opening_is_made_at_once_or_over_the_turn(before: RuleSet, after: RuleSet) -> None:
    refused(unopened(before, "5c 6c 7c 9d Kd", 75), "meld 5c 6c 7c", "opening_short")
    allowed(unopened(after, "5c 6c 7c 9d Kd", 75), "meld 5c 6c 7c")


@changed("opening_minimum", "aberto", 50)
def test_a_minimum_holds_below_the_threshold(before: RuleSet, after: RuleSet) -> None:
    assert [minimum(rules, 0) for rules in (before, after)] == [0, 50]
    assert [minimum(rules, 1500) for rules in (before, after)] == [75, 75]


@changed("opening_vulnerable_minimum", "aberto", 90)
def test_another_minimum_holds_from_the_threshold_on(before: RuleSet, after: RuleSet) -> None:
    assert [minimum(rules, 1500) for rules in (before, after)] == [75, 90]
    assert [minimum(rules, 1495) for rules in (before, after)] == [0, 0]


@changed("opening_vulnerable_from", "aberto", 1000)
def test_the_threshold_says_from_which_total_on(before: RuleSet, after: RuleSet) -> None:
    assert [minimum(rules, 1000) for rules in (before, after)] == [0, 75]
    assert [minimum(rules, 995) for rules in (before, after)] == [0, 0]


@changed("opening_penalty", "classico", 25)
def test_a_failed_opening_raises_the_minimum(before: RuleSet, after: RuleSet) -> None:
    needs = []
    for rules in (before, after):
        deal = act(unopened(rules, "5c 6c 7c 9d Kd", 50), "meld 5c 6c 7c", "discard 9d")
        needs.append(deal.position().opening_need[0])
    assert needs == [65, 75]


# Mortos and closing.


@changed("direct_morto", "fechado", False)
def test_a_meld_may_empty_the_hand_only_with_direct_mortos(before: RuleSet, after: RuleSet) -> None:
    allowed(deal_of(before, "6s", melds=[SHORT]), "add 1 6s")
    refused(deal_of(after, "6s", melds=[SHORT]), "add 1 6s", "no_direct_morto")


@changed("close_morto", "fechado", "taken")
def test_closing_may_need_a_morto_taken(before: RuleSet, after: RuleSet) -> None:
    allowed(deal_of(before, "9d", melds=[CLEAN], mortos="stock stock"), "discard 9d")
    refused(deal_of(after, "9d", melds=[CLEAN], mortos="stock stock"), "discard 9d", "close_needs_morto")


@changed("close_canasta", "fechado", "any")
def test_closing_may_need_a_clean_canasta(before: RuleSet, after: RuleSet) -> None:
    refused(deal_of(before, "9d", melds=[DIRTY], mortos="mine waiting"), "discard 9d", "close_needs_clean")
    allowed(deal_of(after, "9d", melds=[DIRTY], mortos="mine waiting"), "discard 9d")
    refused(deal_of(after, "9d", melds=[SHORT], mortos="mine waiting"), "discard 9d", "close_needs_canasta")


@changed("close_by_meld", "fechado", False)
def test_the_last_card_may_have_to_be_discarded(before: RuleSet, after: RuleSet) -> None:
    allowed(deal_of(before, "6s", melds=[CLEAN, SHORT], mortos="mine waiting"), "add 2 6s")
    refused(deal_of(after, "6s", melds=[CLEAN, SHORT], mortos="mine waiting"), "add 2 6s", "close_needs_discard")


@changed("closing_discard_wild", "fechado", False)
def test_the_closing_discard_may_not_be_a_wild(before: RuleSet, after: RuleSet) -> None:
    allowed(deal_of(before, "2c", melds=[CLEAN], mortos="mine waiting"), "discard 2c")
    refused(deal_of(after, "2c", melds=[CLEAN], mortos="mine waiting"), "discard 2c", "close_wild_discard")


# The end of a deal.


@changed("stock_refill", "fechado", False)
def test_a_morto_refills_the_stock_or_does_not(before: RuleSet, after: RuleSet) -> None:
    deals = [act(deal_of(rules, "9d Ks", stock_count=0), "discard Ks") for rules in (before, after)]
    assert [deal.over for deal in deals] == [False, True]
    allowed(deals[0], "draw")
    refused(deals[1], "draw", "deal_over")


@changed("stock_end_count", "fechado", 3)
def test_the_deal_ends_with_so_many_cards_in_the_stock(before: RuleSet, after: RuleSet) -> None:
    parts: dict[str, Any] = {"mortos": "mine theirs", "stock_count": 3}
    deals = [act(deal_of(rules, "9d Ks", **parts), "discard Ks") for rules in (before, after)]
    assert [deal.over for deal in deals] == [False, True]
    allowed(deals[0], "draw")
    refused(deals[1], "draw", "deal_over")


@changed("stalemate", "aberto", "one_card_pile")
def test_only_piles_of_one_card_may_count_towards_a_stalemate(before: RuleSet, after: RuleSet) -> None:
    deals = [deal_of(rules, "9d Ks", phase="draw", pile="4c 4d", quiet_turns=19) for rules in (before, after)]
    assert [act(deal, "pile", "discard Ks").over for deal in deals] == [True, False]


@changed("turn_cap", "aberto", 5)
def test_so_many_quiet_turns_end_the_deal(before: RuleSet, after: RuleSet) -> None:
    deals = [deal_of(rules, "9d Ks", phase="draw", pile="4c 4d", quiet_turns=4) for rules in (before, after)]
    assert [act(deal, "pile", "discard Ks").over for deal in deals] == [False, True]
