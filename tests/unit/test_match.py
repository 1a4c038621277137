"""Matches: the first dealer, the cut, rotation, totals, the end and ties."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from buraco.engine.deal import Deal
from buraco.engine.match import CUT_SPREAD, Match
from buraco.engine.position import MeldState
from buraco.engine.shuffle import ordered_pack
from buraco.errors import BuracoError, RulesError
from buraco.rules import RULE_SETS, RuleSet
from tests.unit.making import run, table

CLUBS = run("c", 3, 9)
"""Worth 45 and 200."""
DIAMONDS = run("d", 3, 9)


def ended(rules: RuleSet, first: tuple[MeldState, ...], second: tuple[MeldState, ...]) -> Deal:
    """A deal that ended with these melds, each hand holding a seven, both sides without a morto."""
    position = table(
        rules, "7h", "7s", "7h", "7s", melds=(first, second), phase="over", end_kind="stock", owners=(2, 2)
    )
    return Deal.from_position(position)


def is_over(match: Match) -> bool:
    return match.over


def play(match: Match, first: tuple[MeldState, ...] = (), second: tuple[MeldState, ...] = ()) -> None:
    match.begin_deal()
    match.end_deal(ended(match.rules, first, second))


def rules(**changes: Any) -> RuleSet:
    return RULE_SETS["aberto"].replace(**{"target_points": 200, **changes})


@pytest.mark.parametrize("players", [2, 3])
def test_number_of_players_must_suit_the_rules(players: int) -> None:
    with pytest.raises(RulesError) as caught:
        Match(RULE_SETS["aberto"], players)
    assert caught.value.code == "players"


def test_first_dealer_at_random_is_any_seat() -> None:
    dealers = Counter(Match(RULE_SETS["aberto"], seed=seed).dealer for seed in range(200))
    assert sorted(dealers) == [0, 1, 2, 3]
    assert min(dealers.values()) > 20


def draw_rounds(name: str, ace: int) -> list[int]:
    """Check the draws of many matches against the rule in words, and return how many rounds they took."""
    order = "23456789TJQKAX" if ace else "3456789TJQKA2X"
    ranks = {card: order.index("X" if card == 52 else "A23456789TJQK"[card % 13]) for card in range(53)}
    lengths = []
    for seed in range(120):
        match = Match(RULE_SETS[name], seed=seed)
        seats = [0, 1] if name == "classico" else [0, 1, 2, 3]
        for drawn in match.dealer_draw.rounds:
            assert [seat for seat, _ in drawn] == seats
            lowest = min(ranks[card] for _, card in drawn)
            seats = [seat for seat, card in drawn if ranks[card] == lowest]
        assert seats == [match.dealer]
        lengths.append(len(match.dealer_draw.rounds))
    return lengths


def test_the_lower_of_two_cut_cards_deals_and_equal_ones_are_cut_again() -> None:
    assert set(draw_rounds("classico", 1)) >= {1, 2}


@pytest.mark.parametrize("name", ["burraco", "burraco-fibur"])
def test_the_lowest_drawn_card_deals_and_ties_draw_again(name: str) -> None:
    assert set(draw_rounds(name, 0)) >= {1, 2}


def test_the_deal_goes_round_clockwise() -> None:
    match = Match(rules(target_points=0, deal_count=6), first_dealer=2)
    dealers = []
    while not match.over:
        dealers.append(match.dealer)
        assert match.cutter == (match.dealer + 3) % 4
        play(match, (CLUBS,))
    assert dealers == [2, 3, 0, 1, 2, 3]


def test_packs_come_from_the_seed_and_differ_by_deal_and_name() -> None:
    one, same, other = Match(rules(), seed=5), Match(rules(), seed=5), Match(rules(), seed=5, name="other")
    first, again, third = one.begin_deal(), same.begin_deal(), other.begin_deal()
    assert first == again
    assert first.pack != third.pack
    one.end_deal(ended(one.rules, (), ()))
    assert one.begin_deal().pack != first.pack


def test_given_packs_are_dealt_in_their_order() -> None:
    pack = ordered_pack(rules())
    match = Match(rules(), packs=[pack], first_dealer=0)
    assert match.begin_deal().pack == pack
    deal = match.deal()
    assert deal.hand(1) == tuple(sorted(pack[0:44:4]))
    assert deal.hand(0) == tuple(sorted(pack[3:44:4]))


def test_a_pack_that_lacks_a_card_is_refused() -> None:
    pack = [*ordered_pack(rules())[1:], 52]
    with pytest.raises(BuracoError) as caught:
        Match(rules(), packs=[pack])
    assert caught.value.code == "pack"


def test_a_first_dealer_that_is_not_there_is_refused() -> None:
    with pytest.raises(BuracoError) as caught:
        Match(rules(), first_dealer=4)
    assert caught.value.code == "no_seat"


def test_totals_add_up_deal_by_deal() -> None:
    match = Match(rules(target_points=1000), first_dealer=0)
    play(match, (CLUBS,))
    play(match, (CLUBS,), (run("d", 3, 5),))
    assert [result.scores for result in match.results] == [(235, -10), (235, 5)]
    assert match.totals == (470, -5)
    assert [sheet.total for sheet in match.results[1].sheets] == [235, 5]


def test_the_match_ends_when_a_side_reaches_the_target() -> None:
    match = Match(rules(), first_dealer=0)
    play(match)
    assert not is_over(match)
    play(match, (), (CLUBS, DIAMONDS))
    assert is_over(match)
    assert match.winner == 1
    with pytest.raises(BuracoError) as caught:
        match.begin_deal()
    assert caught.value.code == "match_over"


def test_going_past_the_target_later_does_not_win_by_itself() -> None:
    match = Match(rules(), first_dealer=0)
    play(match, (CLUBS,), (DIAMONDS, run("d", 8, 10)))
    assert match.totals[1] > match.totals[0] >= 200
    assert match.winner == 1


def test_case_e5_equal_totals_lead_to_another_deal() -> None:
    match = Match(rules(), first_dealer=0)
    play(match, (CLUBS,), (DIAMONDS,))
    assert match.totals == (235, 235)
    assert not is_over(match)
    play(match, (), (run("d", 3, 5),))
    # The deal after the tie decides.
    assert match.totals == (225, 240)
    assert match.winner == 1


def test_the_deal_after_a_tie_decides_below_the_target_too() -> None:
    match = Match(RULE_SETS["aberto"].replace(target_points=235), first_dealer=0)
    play(match, (CLUBS,), (DIAMONDS,))
    play(match, (), (run("d", 3, 3 + 2, "X", 5),))
    assert is_over(match)
    match = Match(RULE_SETS["aberto"].replace(target_points=235), first_dealer=0)
    play(match, (CLUBS,), (DIAMONDS,))
    play(match)
    assert match.totals == (225, 225)
    assert not is_over(match)


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_equal_totals_are_won_by_the_side_that_began(dealer: int) -> None:
    match = Match(rules(tie_break="starter"), first_dealer=dealer)
    play(match, (CLUBS,), (DIAMONDS,))
    assert is_over(match)
    assert match.winner == (dealer + 1) % 2


def test_equal_totals_after_the_agreed_deals_are_a_draw() -> None:
    match = Match(rules(tie_break="draw", deal_count=1, target_points=0), first_dealer=0)
    play(match, (CLUBS,), (DIAMONDS,))
    assert is_over(match)
    assert match.winner is None


def test_equal_totals_at_a_target_lead_to_another_deal_where_only_agreed_deals_draw() -> None:
    match = Match(rules(tie_break="draw"), first_dealer=0)
    play(match, (CLUBS,), (DIAMONDS,))
    assert not is_over(match)


def test_agreed_deals_end_the_match_whatever_the_totals() -> None:
    match = Match(rules(target_points=0, deal_count=2), first_dealer=0)
    play(match, (CLUBS,))
    assert not is_over(match)
    play(match)
    assert match.winner == 0


def cut_match(seed: int = 0) -> Match:
    return Match(RULE_SETS["classico"], seed=seed, first_dealer=0)


def test_lifting_exactly_the_right_number_pays_at_once() -> None:
    match = cut_match()
    start = match.begin_deal(cut_count=22)
    assert start.cut is not None
    assert (start.cut.seat, start.cut.points, start.totals) == (3, 100, (0, 100))
    assert match.totals == (0, 100)
    assert match.deal().position().totals == (0, 100)


@pytest.mark.parametrize("count", [21, 23])
def test_lifting_another_number_pays_nothing(count: int) -> None:
    start = cut_match().begin_deal(cut_count=count)
    assert start.cut is not None
    assert (start.cut.points, start.totals) == (0, (0, 0))


def test_the_bonus_for_the_cut_counts_before_the_minimum_is_fixed() -> None:
    match = Match(RULE_SETS["classico"].replace(opening_vulnerable_from=100), first_dealer=0)
    match.begin_deal(cut_count=22)
    assert match.deal().position().opening_need == (50, 75)


def test_the_bonus_for_the_cut_stays_in_the_totals() -> None:
    match = cut_match()
    match.begin_deal(cut_count=22)
    result = match.end_deal(ended(match.rules, (), ()))
    assert result.cut_points == (0, 100)
    assert result.totals == (result.scores[0], result.scores[1] + 100)
    assert match.totals == result.totals


def test_an_aim_is_missed_by_a_few_cards_at_most_and_hit_sometimes() -> None:
    counts = Counter(_count(cut_match(seed)) for seed in range(300))
    assert min(counts) >= 22 - CUT_SPREAD
    assert max(counts) <= 22 + CUT_SPREAD
    # Four throws of 0 to 4 give their middle sum 85 times in 625.
    assert 20 < counts[22] < 65


def _count(match: Match) -> int:
    cut = match.begin_deal().cut
    assert cut is not None
    return cut.count


def test_another_aim_moves_the_cut_by_as_many_cards() -> None:
    assert cut_match(3).begin_deal(cut_aim=40).cut is not None
    assert [_aimed(seed, 40) - _aimed(seed, 22) for seed in range(20)] == [18] * 20


def _aimed(seed: int, aim: int) -> int:
    cut = cut_match(seed).begin_deal(cut_aim=aim).cut
    assert cut is not None
    return cut.count


@pytest.mark.parametrize("count", [0, 108, -3])
def test_a_cut_out_of_range_is_refused(count: int) -> None:
    match = cut_match()
    with pytest.raises(BuracoError) as caught:
        match.begin_deal(cut_count=count)
    assert caught.value.code == "cut_range"
    assert match.start is None


def test_an_aim_where_no_cut_pays_is_refused() -> None:
    with pytest.raises(BuracoError) as caught:
        Match(rules()).begin_deal(cut_aim=22)
    assert caught.value.code == "no_cut"


def test_a_deal_begins_once_and_ends_once() -> None:
    match = Match(rules(), first_dealer=0)
    with pytest.raises(BuracoError) as none:
        match.deal()
    match.begin_deal()
    with pytest.raises(BuracoError) as twice:
        match.begin_deal()
    with pytest.raises(BuracoError) as running:
        match.end_deal(match.deal())
    match.end_deal(ended(match.rules, (), ()))
    with pytest.raises(BuracoError) as ended_twice:
        match.end_deal(ended(match.rules, (), ()))
    codes = [caught.value.code for caught in (none, twice, running, ended_twice)]
    assert codes == ["no_deal", "deal_running", "deal_running", "no_deal"]


def test_case_g11_the_next_deal_has_all_its_cards() -> None:
    match = Match(rules(), first_dealer=0)
    play(match)
    match.begin_deal()
    position = match.deal().position()
    assert position.hand_counts == (11, 11, 11, 11)
    assert (position.stock_count, position.pile) == (42, ())
    assert position.dealer == 1
