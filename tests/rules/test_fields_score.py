"""Every field that says what is scored, changed alone: one deal with two scores."""

from __future__ import annotations

from typing import Any

from buraco.engine import Deal, MeldState
from buraco.notation import parse_meld
from buraco.rules import RULE_SETS, RuleSet
from tests.rules.one_field import changed
from tests.rules.positions import CLEAN, DIRTY, act, deal_of, over_of

A_TO_K = "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"
TWO_TO_A = "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"
A_TO_A = f"{A_TO_K} Ah"


def scores(before: RuleSet, after: RuleSet, hands: str = "/ / /", **parts: Any) -> list[int]:
    """Return what side 0 scores under both rule sets for a deal that is over, both sides with a morto."""
    return [over_of(rules, hands, **{"mortos": "mine theirs", **parts}).score(0) for rules in (before, after)]


@changed("value_joker", "fechado", 7)
def test_a_joker_counts_its_value_wherever_it_lies(before: RuleSet, after: RuleSet) -> None:
    assert scores(before, after, melds=["3h 4h X=5"]) == [30, 17]
    assert scores(before, after, "X X / / /") == [-40, -14]


@changed("value_two", "fechado", 7)
def test_a_two_counts_its_value_natural_or_wild(before: RuleSet, after: RuleSet) -> None:
    # Case C4: 6h 7h and a two of ten points make twenty.
    assert scores(before, after, melds=["6h 7h 2h=8"]) == [20, 17]
    assert scores(before, after, melds=["2h 3h 4h"]) == [20, 17]


@changed("value_ace", "fechado", 1)
def test_an_ace_counts_its_value_at_either_end(before: RuleSet, after: RuleSet) -> None:
    assert scores(before, after, melds=["Ah 2h 3h"]) == [30, 16]
    assert scores(before, after, melds=["Qh Kh Ah"]) == [35, 21]


@changed("value_high", "fechado", 11)
def test_cards_from_eight_to_king_count_alike(before: RuleSet, after: RuleSet) -> None:
    assert scores(before, after, melds=["8h 9h Th Jh Qh Kh"]) == [60, 66]
    assert scores(before, after, melds=["5h 6h 7h"]) == [15, 15]


@changed("value_low", "fechado", 4)
def test_cards_from_three_to_seven_count_alike(before: RuleSet, after: RuleSet) -> None:
    assert scores(before, after, melds=["3h 4h 5h 6h 7h"]) == [25, 20]
    assert scores(before, after, melds=["8h 9h Th"]) == [30, 30]


@changed("canasta_size", "fechado", 6)
def test_a_meld_becomes_a_canasta_at_its_size(before: RuleSet, after: RuleSet) -> None:
    assert scores(before, after, melds=["3h 4h 5h 6h 7h 8h"]) == [35, 235]


@changed("bonus_dirty", "fechado", 0)
def test_a_dirty_canasta_pays_its_bonus_and_zero_is_zero(before: RuleSet, after: RuleSet) -> None:
    # Case C5.
    assert scores(before, after, melds=[DIRTY]) == [150, 50]


@changed("bonus_clean", "fechado", 300)
def test_a_clean_canasta_pays_its_bonus(before: RuleSet, after: RuleSet) -> None:
    assert scores(before, after, melds=[CLEAN]) == [245, 345]
    assert scores(before, after, melds=[DIRTY]) == [150, 150]


@changed("bonus_semi_clean", "fechado", 150)
def test_a_semi_clean_canasta_exists_where_it_has_a_bonus(before: RuleSet, after: RuleSet) -> None:
    assert scores(before, after, melds=["3h 4h 5h 6h 7h 8h 9h 2s=T"]) == [155, 205]
    # Six naturals on one side of the wild are too few.
    assert scores(before, after, melds=[DIRTY]) == [150, 150]


@changed("bonus_clean_13", "classico", 500)
def test_thirteen_clean_cards_are_a_category_where_they_have_a_bonus(before: RuleSet, after: RuleSet) -> None:
    assert scores(before, after, melds=[A_TO_K]) == [310, 610]
    assert scores(before, after, melds=[A_TO_A]) == [325, 325]


@changed("bonus_clean_14", "classico", 1000)
def test_fourteen_clean_cards_are_a_category_where_they_have_a_bonus(before: RuleSet, after: RuleSet) -> None:
    # Case C10.
    assert scores(before, after, melds=[A_TO_A]) == [325, 1125]
    assert scores(before, after, melds=[A_TO_K]) == [310, 310]


@changed("clean_13_from_ace", "fechado", True)
def test_a_clean_thirteen_may_have_to_begin_with_the_ace(before: RuleSet, after: RuleSet) -> None:
    assert scores(before, after, melds=[TWO_TO_A]) == [610, 310]
    assert scores(before, after, melds=[A_TO_K]) == [610, 610]


@changed("big_canasta_at_once", "fechado", True)
def test_a_big_canasta_may_have_to_be_laid_in_one_turn(before: RuleSet, after: RuleSet) -> None:
    assert scores(before, after, melds=[A_TO_K]) == [610, 310]
    assert scores(before, after, melds=[A_TO_A]) == [1125, 325]
    at_once = [MeldState(parse_meld(A_TO_K), 12)]
    assert scores(before, after, melds=at_once) == [610, 610]


@changed("bonus_out", "fechado", 150)
def test_going_out_pays_its_bonus(before: RuleSet, after: RuleSet) -> None:
    assert scores(before, after, melds=[CLEAN], out_seat=2) == [345, 395]
    assert scores(before, after, melds=[CLEAN], out_seat=1) == [245, 245]


@changed("morto_penalty", "fechado", 70)
def test_a_morto_not_taken_costs_its_penalty(before: RuleSet, after: RuleSet) -> None:
    assert scores(before, after, mortos="theirs waiting") == [-100, -70]


@changed("morto_penalty_waived", "fechado", True)
def test_nobody_may_pay_where_neither_side_took_a_morto(before: RuleSet, after: RuleSet) -> None:
    assert scores(before, after, mortos="stock stock") == [-100, 0]
    assert scores(before, after, mortos="theirs stock") == [-100, -100]


# Eleven cards worth 85, and eleven worth 105.
MORTO = "Kd Qc 9s 9h 7d 6c 5s 4h 3d 3c As"
DEAR = "Kd Qc 9s 9h Jd Jc 8s 8h 3d 3c As"


def unplayed(rules: RuleSet, morto: str, **parts: Any) -> int:
    """Return what a morto never played costs side 0, its partner's hand being empty."""
    deal: Deal = over_of(rules, f"{morto} / / /", mortos="mine theirs", unplayed=(True, False, False, False), **parts)
    return deal.score(0)


@changed("unplayed_morto", "fechado", "cards")
def test_a_morto_never_played_may_count_its_cards(before: RuleSet, after: RuleSet) -> None:
    assert [unplayed(rules, MORTO) for rules in (before, after)] == [-100, -85]


@changed("unplayed_morto", "fechado", "smaller")
def test_a_morto_never_played_may_cost_the_smaller_sum(before: RuleSet, after: RuleSet) -> None:
    assert [unplayed(rules, MORTO) for rules in (before, after)] == [-100, -85]
    assert [unplayed(rules, DEAR) for rules in (before, after)] == [-100, -100]


@changed("unplayed_morto", "fechado", "penalty_unless_partner_out")
def test_a_morto_never_played_may_count_its_cards_when_the_partner_goes_out(before: RuleSet, after: RuleSet) -> None:
    assert [unplayed(rules, DEAR) for rules in (before, after)] == [-100, -100]
    out = [unplayed(rules, DEAR, out_seat=2) for rules in (before, after)]
    assert out == [100 - 100, 100 - 105]
    assert [unplayed(rules, DEAR, out_seat=1) for rules in (before, after)] == [-100, -100]


@changed("unplayed_morto_points", "fechado", 60)
def test_the_flat_sum_of_a_morto_never_played(before: RuleSet, after: RuleSet) -> None:
    assert [unplayed(rules, MORTO) for rules in (before, after)] == [-100, -60]


def test_a_big_canasta_laid_and_completed_in_one_turn_counts_as_laid_at_once() -> None:
    rules = RULE_SETS["fechado-50"]
    hand = f"{A_TO_K} 9d 9c"
    deal = act(deal_of(rules, hand, mortos="mine theirs", others=["3c", "4c", "5d"]), f"meld {A_TO_K[:-3]}")
    act(deal, "add 1 Kh")
    # 110 and 500, less the two nines and the partner's four.
    assert deal.score(0) == 610 - 20 - 5
    later = deal_of(rules, "Kh 9d 9c", melds=[A_TO_K[:-3]], mortos="mine theirs", others=["3c", "4c", "5d"])
    act(later, "add 1 Kh")
    assert later.score(0) == 310 - 20 - 5
