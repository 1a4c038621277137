"""Every field that concerns a match or its looks, changed alone."""

from __future__ import annotations

import pytest

from buraco.engine import Host, Match
from buraco.engine.events import MatchStarted
from buraco.errors import BuracoError, RulesError
from buraco.rules import RULE_SETS, RuleSet, cite, page
from tests.rules.one_field import changed
from tests.rules.positions import CLEAN, over_of

OTHER_CLEAN = "3s 4s 5s 6s 7s 8s 9s"
NO_CUT = RULE_SETS["classico"].replace(name="classico-no-cut", cut_bonus=0)


def play(match: Match, mine: tuple[str, ...] = (CLEAN,), theirs: tuple[str, ...] = (OTHER_CLEAN,)) -> None:
    """Play a deal that ends with these melds and nothing else."""
    match.begin_deal()
    match.end_deal(over_of(match.rules, "/ / /", melds=mine, other_melds=theirs, mortos="mine theirs"))


def is_over(match: Match) -> bool:
    """Say whether a match has ended."""
    return match.over


@changed("name", "aberto", "my-aberto")
def test_the_name_is_what_others_are_told(before: RuleSet, after: RuleSet) -> None:
    told = [Host(Match(rules, first_dealer=0)).events(None)[0] for rules in (before, after)]
    assert [event.rules_name for event in told if isinstance(event, MatchStarted)] == ["aberto", "my-aberto"]
    assert [cite(rules, "sets").rule_set for rules in (before, after)] == ["aberto", "my-aberto"]


@changed("title", "aberto", "Our own aberto")
def test_the_title_heads_the_rules_page(before: RuleSet, after: RuleSet) -> None:
    shown = ["Our own aberto" in page(rules) for rules in (before, after)]
    assert shown == [False, True]


@changed("player_counts", "aberto", (2, 4))
def test_a_match_takes_only_the_numbers_of_players_that_the_rules_allow(before: RuleSet, after: RuleSet) -> None:
    with pytest.raises(RulesError) as caught:
        Match(before, 2)
    assert caught.value.code == "players"
    assert Match(after, 2).players == 2


@changed("cut_bonus", NO_CUT, 100)
def test_lifting_the_right_number_pays_where_there_is_a_bonus(before: RuleSet, after: RuleSet) -> None:
    with pytest.raises(BuracoError) as caught:
        Match(before, first_dealer=0).begin_deal(cut_count=22)
    assert caught.value.code == "no_cut"
    assert Match(after, first_dealer=0).begin_deal(cut_count=22).totals == (0, 100)


@changed("cut_bonus_count", "classico", 30)
def test_only_the_agreed_number_of_cards_pays(before: RuleSet, after: RuleSet) -> None:
    for rules, paid in ((before, 22), (after, 30)):
        for count in (22, 30):
            start = Match(rules, first_dealer=0).begin_deal(cut_count=count)
            assert start.totals == (0, 100 if count == paid else 0)


@changed("target_points", "aberto", 245)
def test_a_match_ends_at_its_target(before: RuleSet, after: RuleSet) -> None:
    ended = []
    for rules in (before, after):
        match = Match(rules, first_dealer=0)
        play(match, theirs=())
        ended.append(match.over)
    assert ended == [False, True]


@changed("deal_count", "aberto", 2)
def test_a_match_ends_after_the_agreed_deals(before: RuleSet, after: RuleSet) -> None:
    ended = []
    for rules in (before, after):
        match = Match(rules, first_dealer=0)
        play(match, theirs=())
        assert not is_over(match)
        play(match, theirs=())
        ended.append(is_over(match))
    assert ended == [False, True]


@changed("tie_break", RULE_SETS["aberto"].replace(name="short", target_points=200), "starter")
def test_equal_totals_may_be_won_by_the_side_that_began(before: RuleSet, after: RuleSet) -> None:
    matches = [Match(rules, first_dealer=0) for rules in (before, after)]
    for match in matches:
        play(match)
    assert [match.over for match in matches] == [False, True]
    assert matches[1].winner == 1


@changed("tie_break", RULE_SETS["aberto"].replace(name="one-deal", target_points=0, deal_count=1), "draw")
def test_equal_totals_after_the_agreed_deals_may_be_a_draw(before: RuleSet, after: RuleSet) -> None:
    matches = [Match(rules, first_dealer=0) for rules in (before, after)]
    for match in matches:
        play(match)
    assert [match.over for match in matches] == [False, True]
    assert matches[1].winner is None


@changed("first_dealer", "aberto", "cut")
def test_the_first_dealer_may_be_cut_for(before: RuleSet, after: RuleSet) -> None:
    drawn, cut = (Match(rules, seed=3).dealer_draw for rules in (before, after))
    assert drawn.rounds == ()
    assert [seat for seat, _ in cut.rounds[0]] == [0, 1]
    assert cut.dealer in (0, 1)


@changed("first_dealer", "aberto", "lowest_card")
def test_the_first_dealer_may_be_who_draws_the_lowest_card(before: RuleSet, after: RuleSet) -> None:
    drawn, lowest = (Match(rules, seed=3).dealer_draw for rules in (before, after))
    assert drawn.rounds == ()
    assert [seat for seat, _ in lowest.rounds[0]] == [0, 1, 2, 3]
