"""How deals and matches end: the stock, stalemates, equal totals (cases E, rules §2 items 11-14, §4, §5 items 9-10)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from buraco.engine import Deal, Match, Position, unpack
from buraco.rules import RULE_SETS
from tests.rules.positions import (
    ALL,
    CLEAN,
    CLOSED,
    OTHERS,
    SHORT,
    act,
    code_of,
    deal_of,
    each,
    hand_of,
    is_over,
    legal_texts,
    over_of,
    refused,
    spread,
)

REFILLED = "aberto classico aberto-104 aberto-sujo fechado fechado-stcl fechado-sujo burraco fechado-50"
# Rules §3, row "stock end": with no morto to refill it the deal ends at so many cards.
LAST = {"burraco burraco-fibur": 2, OTHERS: 0}


# The stock.


@each("E4", REFILLED)
@pytest.mark.parametrize(
    ("mortos", "after"),
    [("waiting waiting", (2, -1)), ("theirs waiting", (1, 2)), ("mine waiting", (0, 2)), ("stock waiting", (2, 2))],
)
def test_a_morto_left_becomes_the_empty_stock_at_the_end_of_the_turn(
    name: str, mortos: str, after: tuple[int, int]
) -> None:
    deal = deal_of(name, "9d Ks", mortos=mortos, stock_count=0)
    act(deal, "discard Ks")
    assert (deal.over, deal.seat, deal.stock_count) == (False, 1, 11)
    assert deal.position().morto_owner == after
    act(deal, "draw")
    assert deal.stock_count == 10


@each("E4", "burraco-fibur")
@pytest.mark.parametrize("mortos", ["waiting waiting", "theirs waiting"])
def test_mortos_never_become_the_stock_in_tournament_play(name: str, mortos: str) -> None:
    deal = act(deal_of(name, "9d Ks", mortos=mortos, stock_count=2), "discard Ks")
    assert (deal.over, deal.position().end_kind, deal.stock_count) == (True, "stock", 2)


@each("E8", LAST)
def test_the_deal_is_over_when_the_stock_is_and_no_morto_is_left(name: str, expected: int) -> None:
    deal = deal_of(name, "9d Ks", mortos="mine theirs", phase="draw", stock_count=expected + 1, pile="4c 4d 4h")
    act(deal, "draw", "discard Ks")
    # Even the pile that the next seat could take does not prolong the deal.
    assert (deal.over, deal.position().end_kind, deal.out_seat) == (True, "stock", -1)
    assert deal.legal() == []
    for action in ("draw", "pile", "discard 9d"):
        refused(deal, action, "deal_over")


@each("E8-one-more", LAST)
def test_one_card_more_in_the_stock_lets_the_deal_go_on(name: str, expected: int) -> None:
    deal = deal_of(name, "9d Ks", mortos="mine theirs", phase="draw", stock_count=expected + 2)
    act(deal, "draw", "discard Ks")
    assert (deal.over, deal.seat) == (False, 1)


@each("S4-two-cards", {"burraco": False, "burraco-fibur": True, OTHERS: False})
@pytest.mark.parametrize("mortos", ["waiting waiting", "theirs waiting"])
@pytest.mark.parametrize("left", [1, 2])
def test_while_a_morto_is_left_the_stock_is_played_out_except_in_tournaments(
    name: str, expected: bool, mortos: str, left: int
) -> None:
    deal = act(deal_of(name, "9d Ks", mortos=mortos, stock_count=left), "discard Ks")
    assert deal.over is expected
    if not expected:
        assert (deal.stock_count, deal.seat) == (left, 1)


@each("S4-two-cards-morto", {"burraco burraco-fibur": True, OTHERS: False})
@pytest.mark.parametrize("left", [1, 2])
def test_whoever_takes_the_last_morto_over_two_cards_ends_a_burraco(name: str, expected: bool, left: int) -> None:
    deal = act(deal_of(name, "9d", melds=[SHORT], mortos="theirs waiting", stock_count=left), "discard 9d")
    assert (deal.over, deal.hand_count(0)) == (expected, 11)
    if name != "aberto-sujo":
        morto = "Kd Qc 9s 9h 7d 6c 5s 4h 3d 3c As"
        deal = deal_of(name, "6s", melds=[SHORT], mortos="theirs waiting", next_morto=morto, stock_count=left)
        act(deal, "add 1 6s")
        assert not is_over(deal)
        act(deal, "discard Kd")
        assert is_over(deal) is expected


@each("E11", LAST)
def test_the_last_drawer_finishes_the_turn(name: str, expected: int) -> None:
    deal = deal_of(
        name, "5c 6c Kd", melds=[CLEAN], mortos="mine theirs", phase="draw", stock="7c", stock_count=expected + 1
    )
    act(deal, "draw", "meld 5c 6c 7c", "discard Kd")
    assert (deal.position().end_kind, deal.out_seat) == ("closed", 0)


@each("E10", ALL)
def test_an_exhausted_deal_pays_nobody_for_going_out(name: str) -> None:
    deal = deal_of(name, "9d Ks", melds=[CLEAN], mortos="mine theirs", stock_count=0, others=["3c", "4c", "5d"])
    act(deal, "discard Ks")
    assert deal.over
    assert deal.out_seat == -1
    assert deal.score(0) == 45 + 200 - 10 - 5


@each("S5.9-direct", "aberto classico aberto-104 fechado fechado-stcl fechado-sujo burraco fechado-50 burraco-fibur")
def test_the_drawer_of_the_last_card_may_still_win_the_last_morto(name: str) -> None:
    morto = "Kd Qc 9s 9h 7d 6c 5s 4h 3d 3c As"
    deal = deal_of(
        name, "5c 6c", melds=[SHORT], mortos="theirs waiting", phase="draw", stock="7c", stock_count=1, next_morto=morto
    )
    act(deal, "draw", "meld 5c 6c 7c")
    assert (deal.over, deal.hand_count(0), deal.mortos_gone) == (False, 11, 2)
    act(deal, "discard Kd")
    assert (deal.position().end_kind, deal.position().unplayed[0]) == ("stock", False)


@each("S5.9-discard", {"aberto aberto-104 fechado fechado-stcl fechado-sujo": -100, OTHERS: -85})
def test_won_by_the_last_discard_the_morto_is_never_played(name: str, expected: int) -> None:
    morto = "Kd Qc 9s 9h 7d 6c 5s 4h 3d 3c As"
    deal = deal_of(name, "9d", mortos="theirs waiting", next_morto=morto, stock_count=0, others=["3c", "4c", "5d"])
    act(deal, "discard 9d")
    assert (deal.position().end_kind, deal.hand_count(0)) == ("stock", 11)
    assert deal.score(0) == expected - 5


@each("S5.9-kept", REFILLED)
def test_if_the_hand_is_not_emptied_the_morto_is_the_next_players_stock(name: str) -> None:
    deal = deal_of(name, "9d Ks", mortos="theirs waiting", stock_count=0)
    assert deal.morto_cards(1) != ()
    act(deal, "discard Ks")
    assert (deal.seat, deal.stock_count, deal.mortos_gone) == (1, 11, 2)
    assert "draw" in legal_texts(deal)


GONE = {
    "aberto": ("close_needs_morto", 0),
    "classico burraco fechado-50": ("close_needs_morto", -100),
    "aberto-104 aberto-sujo fechado fechado-stcl fechado-sujo": ("", -100),
}


@each("S5.10", GONE)
def test_when_both_mortos_became_stock(name: str, expected: tuple[str, int]) -> None:
    close, penalty = expected
    deal = deal_of(name, "9d", melds=[CLEAN], other_melds=["3d 4d 5d"], mortos="stock stock", others=["3c", "4c", "5d"])
    assert code_of(deal, "discard 9d") == close
    assert deal.score(0) == 45 + 200 - 10 - 5 + penalty
    assert deal.score(1) == 15 - 5 - 5 + penalty


# Stalemates.

QUIET_HANDS = ["3c 7s", "8d Ts", "Jd Kc"]


def quiet_turn(deal: Deal) -> None:
    """Take the pile and discard the first card that is not of it."""
    taken = {card for card, _, _ in deal.pile_cards()}
    act(deal, "pile")
    deal.apply(4 + next(card for card in deal.hand(deal.seat) if card not in taken))


@each("E1", {"aberto classico aberto-104 aberto-sujo": 20, "burraco burraco-fibur": 4})
@pytest.mark.parametrize("mortos", ["waiting waiting", "mine theirs"])
def test_turns_without_draw_or_meld_end_the_deal(name: str, expected: int, mortos: str) -> None:
    deal = deal_of(name, "9d Ks", melds=[CLEAN], phase="draw", pile="4c", others=QUIET_HANDS, mortos=mortos)
    for count in range(expected):
        assert (is_over(deal), deal.quiet_turns) == (False, count)
        quiet_turn(deal)
    assert (is_over(deal), deal.position().end_kind, deal.out_seat) == (True, "stalemate", -1)
    assert deal.legal() == []
    # No bonus for going out: the table, less both hands, less a morto not taken.
    unpaid = 0 if mortos == "mine theirs" or name == "aberto" else -100
    left = sum(5 if card % 13 < 7 else 10 for seat in (0, 2) for card in deal.hand(seat))
    assert deal.score(0) == 245 - left + unpaid


@each("E1-two-players", {"aberto-104 aberto-sujo": 20, "burraco burraco-fibur": 4})
def test_a_stalemate_takes_as_many_turns_with_two_players(name: str, expected: int) -> None:
    deal = deal_of(name, "9d Ks", phase="draw", pile="4c", players=2, others=["3c 7s"])
    for _ in range(expected - 1):
        quiet_turn(deal)
    assert not is_over(deal)
    quiet_turn(deal)
    assert is_over(deal)


LAST_QUIET = {"aberto classico aberto-104 aberto-sujo": 19, "burraco burraco-fibur": 3}


@each("E1-draw", LAST_QUIET)
def test_a_draw_from_the_stock_breaks_the_row(name: str, expected: int) -> None:
    deal = deal_of(name, "9d Ks", phase="draw", pile="4c", quiet_turns=expected)
    act(deal, "draw", "discard Ks")
    assert (deal.over, deal.quiet_turns) == (False, 0)


@each("E1-meld", LAST_QUIET)
def test_a_tabled_card_breaks_the_row(name: str, expected: int) -> None:
    deal = deal_of(name, "5c 6c 9d Ks", phase="draw", pile="4c", quiet_turns=expected)
    act(deal, "pile", "meld 4c 5c 6c", "discard Ks")
    assert (deal.over, deal.quiet_turns) == (False, 0)
    deal = deal_of(name, "6s 9d Ks", melds=[SHORT], phase="draw", pile="4c", quiet_turns=expected)
    act(deal, "pile", "add 1 6s", "discard Ks")
    assert (deal.over, deal.quiet_turns) == (False, 0)


@each("E1-failed", "classico")
def test_a_failed_opening_tables_nothing(name: str) -> None:
    deal = deal_of(
        name, "5c 6c 9d Ks", phase="draw", pile="4c", quiet_turns=19, opening_need=(50, 50), opened=(False, False)
    )
    act(deal, "pile", "meld 4c 5c 6c", "discard Ks")
    assert (deal.over, deal.position().end_kind) == (True, "stalemate")


@each("E1-larger-pile", {"aberto classico aberto-104 aberto-sujo": True, "burraco burraco-fibur": False})
def test_taking_a_larger_pile_counts_only_where_any_quiet_turn_does(name: str, expected: bool) -> None:
    quiet = 19 if expected else 3
    deal = deal_of(name, "9d Ks", phase="draw", pile="4c 4d", quiet_turns=quiet)
    act(deal, "pile", "discard Ks")
    assert (deal.over, deal.quiet_turns) == (expected, 20 if expected else 0)


@each("E3", CLOSED)
def test_with_a_closed_pile_every_turn_draws_or_tables(name: str) -> None:
    taken = 0
    for seed in range(8):
        deal = Deal(RULE_SETS[name], seed=seed)
        deal.seed(seed)
        while not is_over(deal):
            stock, tabled, turn = deal.stock_count, _tabled_count(deal), deal.turn_count
            took = False
            while not is_over(deal) and deal.turn_count == turn:
                action = deal.choose(1)
                took = took or action == 1
                deal.apply(action)
            assert deal.stock_count != stock or _tabled_count(deal) > tabled
            taken += took
    assert taken > 10


def _tabled_count(deal: Deal) -> int:
    return sum(unpack(meld).size for side in (0, 1) for meld in deal.meld_list(side))


# Who may end a deal, and how: case E9.

CLEAN_TO_CLOSE = ["aberto", "classico", "aberto-104", "fechado", "fechado-stcl", "fechado-50"]
TAKEN_TO_CLOSE = ["aberto", "classico", "burraco", "fechado-50", "burraco-fibur"]
QUIET_LIMIT = spread({"aberto classico aberto-104 aberto-sujo": 20, "burraco burraco-fibur": 4})


def entitled(name: str, position: Position, side: int) -> bool:
    """Say by the rules' text whether a side that has emptied a hand could close with this table."""
    shapes = [unpack(meld.packed) for meld in position.melds[side]]
    canastas = [shape for shape in shapes if shape.size >= 7 and not (shape.has_wild and name in CLEAN_TO_CLOSE)]
    taken = side in position.morto_owner
    none_left = taken or -1 not in position.morto_owner
    return bool(canastas) and (taken if name in TAKEN_TO_CLOSE else none_left)


@each("E9", ALL)
def test_a_deal_ends_only_by_the_rules(name: str) -> None:
    kinds = set()
    for policy, seed in ((0, 1), (1, 2), (1, 3), (2, 4), (2, 5)):
        deal = Deal(RULE_SETS[name], seed=seed)
        deal.seed(seed)
        while not is_over(deal):
            deal.apply(deal.choose(policy))
        end = deal.position()
        kinds.add(end.end_kind)
        if end.end_kind == "closed":
            assert end.hand_counts[end.out_seat] == 0
            assert entitled(name, end, end.out_seat & 1)
        elif end.end_kind == "stock":
            assert end.stock_count <= (2 if name.startswith("burraco") else 0)
            assert name == "burraco-fibur" or -1 not in end.morto_owner
        else:
            assert end.quiet_turns == QUIET_LIMIT[name]
    assert kinds


@each("E9", ALL)
def test_no_action_ends_a_deal_without_the_right_to(name: str) -> None:
    hand = "5c 6c 7c 6s 9d Ks"
    deal = deal_of(name, hand, melds=[SHORT], mortos="mine waiting")
    assert deal.legal()
    for action in deal.legal():
        after = deal.copy()
        after.apply(action)
        assert not is_over(after)


@each("E3", ALL)
def test_random_deals_end(name: str) -> None:
    for players in RULE_SETS[name].player_counts:
        for seed in range(3):
            deal = Deal(RULE_SETS[name], players, seed=seed)
            deal.playout(0, seed)
            assert deal.over


# Matches.

# Rules §3, row "target"; the score of a clean run from ace to king is 110 and the bonus of §3 "clean 13".
TARGET = {"aberto": 3000, "burraco-fibur": 2005, "fechado-50": 0, OTHERS: 2000}
KING = "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"
OTHER_KING = "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks"


def play_deal(match: Match, *, mine: tuple[str, ...] = (KING,), theirs: tuple[str, ...] = (OTHER_KING,)) -> None:
    """Play a deal that ends with these melds, empty hands and a morto each, without a bonus for the cut."""
    if match.rules.name == "classico":
        match.begin_deal(cut_count=1)
    else:
        match.begin_deal()
    match.end_deal(over_of(match.rules, "/ / /", melds=mine, other_melds=theirs, mortos="mine theirs"))


def match_over(match: Match) -> bool:
    """Say whether a match has ended."""
    return match.over


@each("S2.13", TARGET)
def test_a_match_ends_when_a_side_has_reached_the_target(name: str, expected: int) -> None:
    match = Match(RULE_SETS[name], first_dealer=0)
    while not match_over(match):
        assert max(match.totals) < expected or not match.results
        play_deal(match, theirs=(OTHER_KING, "3d 4d 5d"))
    assert max(match.totals) >= expected
    assert match.winner == 1


TIES = {
    "aberto classico burraco burraco-fibur": "another_deal",
    "aberto-104 aberto-sujo fechado fechado-stcl fechado-sujo": "starter",
    "fechado-50": "draw",
}


@each("E5", TIES)
@pytest.mark.parametrize("dealer", [0, 1])
def test_equal_totals_at_the_end(name: str, expected: str, dealer: int) -> None:
    match = Match(RULE_SETS[name], first_dealer=dealer)
    play_deal(match)
    while match.totals[0] < spread(TARGET)[name]:
        play_deal(match)
    assert match.totals[0] == match.totals[1]
    assert match_over(match) is (expected != "another_deal")
    if expected == "another_deal":
        play_deal(match, theirs=(OTHER_KING, "3d 4d 5d"))
        assert match_over(match)
        assert match.winner == 1
    else:
        # The player left of the dealer made the first move.
        assert match.winner == (None if expected == "draw" else 1 - dealer)


@each("E5", "aberto")
def test_three_thousand_and_fifty_each_lead_to_another_deal(name: str) -> None:
    match = Match(RULE_SETS[name], first_dealer=0)
    for _ in range(5):
        play_deal(match)
    assert match.totals == (3050, 3050)
    assert not match_over(match)
    play_deal(match, theirs=(OTHER_KING, "3d 4d 5d"))
    assert (match_over(match), match.winner) == (True, 1)


@each("E5-target", "fechado-50")
def test_with_a_target_equal_totals_lead_to_another_deal_in_fechado_50(name: str) -> None:
    match = Match(RULE_SETS[name].replace(target_points=600, deal_count=0), first_dealer=0)
    while match.totals[0] < 600:
        play_deal(match)
    assert match.totals[0] == match.totals[1]
    assert not match_over(match)


@each("S2.13-close", "aberto")
def test_going_out_does_not_by_itself_win(name: str) -> None:
    match = Match(RULE_SETS[name].replace(target_points=700), first_dealer=0)
    match.begin_deal()
    closed = over_of(name, "/ / /", melds=[CLEAN], other_melds=[KING, OTHER_KING], mortos="mine theirs", out_seat=0)
    match.end_deal(closed)
    assert match.totals == (345, 1220)
    assert match.winner == 1


@each("S2.2", ALL)
def test_play_and_deal_go_clockwise(name: str) -> None:
    for players in RULE_SETS[name].player_counts:
        deal = Deal(RULE_SETS[name], players, dealer=players - 1, seed=1)
        seats = [deal.seat]
        for _ in range(2 * players):
            act(deal, "draw")
            if "keep" in legal_texts(deal):
                act(deal, "keep")
            act(deal, legal_texts(deal, "discard")[0])
            seats.append(deal.seat)
        assert seats[0] == 0
        assert all(later == (seat + 1) % players for seat, later in pairwise(seats))


@each("S2.2-melds", ALL)
def test_nobody_adds_to_the_other_sides_melds(name: str) -> None:
    deal = deal_of(name, "6s 9d Ks", other_melds=[SHORT])
    refused(deal, "add 1 6s", "no_such_meld")
    assert hand_of(deal, 0) == "9d 6s Ks"


@each("S2.2-melds", ALL)
def test_a_sides_melds_are_common_to_its_players(name: str) -> None:
    deal = deal_of(name, "5c 6c 7c 9d Ks", others=["3d 7s", "8c Jd Qh", "Jd Jc"], stock="4d 4h")
    act(deal, "meld 5c 6c 7c", "discard Ks", "draw", "discard 3d", "draw", "add 1 8c", "discard Jd")
