"""Opening minimums: at once in `aberto`, over the turn in `classico` (rules §3, §4, §5 item 12)."""

from __future__ import annotations

from typing import Any

import pytest

from buraco.engine import Deal, Match
from buraco.rules import RULE_SETS
from tests.rules.positions import (
    ALL,
    OTHERS,
    act,
    allowed,
    cards,
    code_of,
    deal_of,
    each,
    hand_of,
    legal_texts,
    melds_of,
    over_of,
    refused,
)

# 30 points, then 40; with the queen 50.
SEVENTY = "Ah 2h 3h 8s 9s Ts Js"
EIGHTY = f"{SEVENTY} Qs"


def unopened(name: str, hand: str, need: int, **parts: Any) -> Deal:
    """Return a deal in which the side of seat 0 has still to meet a minimum."""
    return deal_of(name, hand, **{"opening_need": (need, 0), "opened": (need == 0, True), **parts})


@pytest.mark.parametrize(
    ("totals", "aberto", "classico"),
    [
        ((0, 0), (0, 0), (50, 50)),
        ((1500, 1495), (75, 0), (75, 50)),
        ((1495, 2990), (0, 75), (50, 75)),
        ((-300, 1505), (0, 75), (50, 75)),
    ],
)
@each("S3-minimum", ALL)
def test_the_minimum_follows_from_the_total_before_the_deal(
    name: str, totals: tuple[int, int], aberto: tuple[int, int], classico: tuple[int, int]
) -> None:
    expected = {"aberto": aberto, "classico": classico}.get(name, (0, 0))
    assert Deal(RULE_SETS[name], totals=totals).position().opening_need == expected


@each("S5.12", {"aberto": False, OTHERS: True})
def test_seventy_points_do_not_open_at_fifteen_hundred_in_aberto_alone(name: str, expected: bool) -> None:
    # `classico` at 1500 has a minimum too, but lets the player try.
    need = {"aberto": 75, "classico": 75}.get(name, 0)
    deal = unopened(name, f"{SEVENTY} 4c 6d", need)
    for meld in ("meld Ah 2h 3h", "meld 8s 9s Ts Js"):
        assert code_of(deal, meld) == ("" if expected else "opening_short")


@each("S5.12-1495", "aberto")
def test_below_fifteen_hundred_nothing_is_asked_of_an_opening(name: str) -> None:
    allowed(unopened(name, f"{SEVENTY} 4c 6d", 0), "meld Ah 2h 3h")


@each("S5.12-joker", "aberto")
def test_ninety_points_with_a_joker_open_step_by_step(name: str) -> None:
    deal = unopened(name, f"{SEVENTY} X 4c 6d", 75)
    act(deal, "meld Ah 2h 3h")
    assert (deal.phase, deal.laid_points) == (4, 30)
    act(deal, "meld 8s 9s Ts Js X=Q")
    assert (deal.phase, deal.laid_points, deal.position().opening_need) == (2, 0, (0, 0))
    act(deal, "discard 4c")


@each("S4-at-once", "aberto")
def test_until_the_minimum_is_reached_only_new_melds_are_legal(name: str) -> None:
    deal = act(unopened(name, f"{EIGHTY} 4h 6d", 75), "meld Ah 2h 3h")
    refused(deal, "discard 6d", "opening_melds_only")
    refused(deal, "add 1 4h", "opening_melds_only")
    refused(deal, "draw", "already_drawn")
    assert legal_texts(deal) == ["meld 8s 9s Ts Js Qs"]
    act(deal, "meld 8s 9s Ts Js Qs", "add 1 4h", "discard 6d")


@each("S4-at-once-step", "aberto")
def test_a_step_after_which_the_opening_cannot_be_completed_is_refused(name: str) -> None:
    deal = unopened(name, f"{EIGHTY} 4c 6d", 75)
    # 30 in hearts need at least 45 in spades: all five cards.
    for meld in ("8s 9s Ts", "9s Ts Js", "Ts Js Qs", "8s 9s Ts Js", "9s Ts Js Qs"):
        refused(deal, f"meld {meld}", "opening_short")
    assert legal_texts(deal, "meld") == ["meld Ah 2h 3h", "meld 8s 9s Ts Js Qs"]


@each("S4-at-once-exact", "aberto")
def test_seventy_five_points_are_enough(name: str) -> None:
    deal = unopened(name, "Jh Qh Kh Js Qs Ks 5c 6c 7c 4d 6d", 75)
    act(deal, "meld 5c 6c 7c", "meld Jh Qh Kh", "meld Js Qs Ks", "discard 4d")


@each("S4-at-once-bonus", "aberto")
def test_the_bonus_of_a_canasta_does_not_help_to_open(name: str) -> None:
    deal = unopened(name, "3h 4h 5h 6h 7h 8h 9h 4c 6d", 75)
    refused(deal, "meld 3h 4h 5h 6h 7h 8h 9h", "opening_short")


@each("S4-at-once-morto", "aberto")
def test_a_morto_picked_up_by_the_opening_cannot_help(name: str) -> None:
    deal = unopened(name, "Jh Qh Kh Js Qs Ks", 75, next_morto="5c 6c 7c")
    refused(deal, "meld Jh Qh Kh", "opening_short")


@each("S4-at-once-empties", "aberto")
def test_an_opening_may_empty_the_hand_for_the_morto(name: str) -> None:
    deal = unopened(name, "Jh Qh Kh Js Qs Ks 5c 6c 7c", 75)
    act(deal, "meld 5c 6c 7c", "meld Jh Qh Kh", "meld Js Qs Ks")
    assert (deal.seat, deal.hand_count(0), deal.mortos_gone) == (0, 11, 1)


@each("S4-at-once-strands", "aberto")
@pytest.mark.parametrize(("rest", "possible"), [("", False), (" 4d", False), (" 8c", False), (" 4d 6d", True)])
def test_an_opening_must_leave_a_turn_that_can_end(name: str, rest: str, possible: bool) -> None:
    # No morto is left, and without one taken nobody of the side can close: two cards must stay in the hand.
    deal = unopened(name, "Jh Qh Kh Js Qs Ks 5c 6c 7c" + rest, 75, mortos="theirs stock")
    assert bool(legal_texts(deal, "meld")) is possible


@each("S4-at-once-barred", "aberto")
def test_a_barred_card_left_alone_must_join_a_meld_of_the_opening(name: str) -> None:
    # Ah may not be discarded. It goes onto the hearts only where the joker is their king, or into a run at once.
    barred = cards("Ah")[0]
    deal = unopened(name, "Jh Qh X Ah 7c 8c 9c Tc", 75, barred_card=barred, took_single=True, drew_stock=False)
    act(deal, "meld 7c 8c 9c Tc")
    assert sorted(legal_texts(deal, "meld")) == ["meld Jh Qh X=K", "meld Jh Qh X=K Ah", "meld Qh X=K Ah"]
    refused(deal, "meld X=T Jh Qh", "turn_could_not_end")
    act(deal, "meld Jh Qh X=K", "add 2 Ah high")
    assert deal.mortos_gone == 1


@each("S4-at-once-no-penalty", "aberto")
def test_a_refused_opening_raises_nothing(name: str) -> None:
    deal = unopened(name, f"{SEVENTY} 4c 6d", 75)
    refused(deal, "meld Ah 2h 3h", "opening_short")
    act(deal, "discard 4c")
    assert deal.position().opening_need == (75, 0)


@each("S4-side", {"aberto": 75, "classico": 75})
def test_the_partner_need_not_open_again(name: str, expected: int) -> None:
    hands = ["3d 7s 9c", "5c 6c 7c Kd Qd 3s", "Jd Jc 8d"]
    deal = unopened(name, f"{EIGHTY} 4c 6d", expected, others=hands, opening_need=(75, 75), opened=(False, False))
    act(deal, "meld Ah 2h 3h", "meld 8s 9s Ts Js Qs", "discard 4c", "draw")
    assert deal.position().opening_need == (0, 75)
    act(deal, "discard 3d", "draw", "meld 5c 6c 7c")


# The opening over the turn.


def classico(hand: str, need: int = 50, **parts: Any) -> Deal:
    return unopened("classico", hand, need, **parts)


FORTY_FIVE = "3h 4h 5h 6h 7h 8h 9h"


@each("S4-over-turn", "classico")
def test_a_short_opening_returns_the_cards_and_raises_the_minimum(name: str) -> None:
    deal = unopened(name, f"{FORTY_FIVE} 4c 6d", 50)
    act(deal, f"meld {FORTY_FIVE}")
    assert (deal.phase, deal.laid_points) == (2, 45)
    act(deal, "discard 4c")
    assert deal.hand(0) == cards(f"{FORTY_FIVE} 6d")
    assert melds_of(deal, 0) == []
    assert deal.position().opening_need == (65, 0)
    assert (deal.seat, deal.pile_cards()[-1][0]) == (1, cards("4c")[0])


@each("S4-over-turn", "classico")
def test_what_a_failed_opening_showed_everyone_knows(name: str) -> None:
    deal = act(unopened(name, f"{FORTY_FIVE} 4c 6d", 50), f"meld {FORTY_FIVE}", "discard 4c")
    assert deal.known(0) == cards(FORTY_FIVE)


@each("S4-over-turn", "classico")
def test_additions_count_towards_the_minimum(name: str) -> None:
    deal = act(unopened(name, "Jh Qh Kh Th Ah 4c 6d", 50), "meld Jh Qh Kh", "add 1 Th")
    assert (deal.laid_points, deal.position().opening_need) == (40, (50, 0))
    act(deal, "add 1 Ah high")
    assert deal.position().opening_need == (0, 0)
    act(deal, "discard 4c")
    assert melds_of(deal, 0) == ["Th Jh Qh Kh Ah"]


@each("S4-over-turn", "classico")
def test_several_melds_of_the_turn_count_together(name: str) -> None:
    deal = act(unopened(name, "Jh Qh Kh 8s 9s Ts 4c 6d", 50), "meld Jh Qh Kh", "meld 8s 9s Ts", "discard 4c")
    assert deal.position().opening_need == (0, 0)
    assert len(melds_of(deal, 0)) == 2


@each("S4-over-turn", "classico")
@pytest.mark.parametrize(("need", "raised"), [(50, (65, 80, 95)), (75, (90, 105, 120))])
def test_every_failure_raises_the_minimum_by_fifteen(name: str, need: int, raised: tuple[int, ...]) -> None:
    hands = ["3d 7s 9c Ts", "5c 6c 7c Kd Qd 3s", "Jd Jc 8d As"]
    deal = unopened(name, "3h 4h 5h 4c 6d 9d Jc", need, others=hands, opening_need=(need, 75), opened=(False, False))
    # Seat 0 fails, then its partner, then seat 0 again: the minimum is the side's.
    act(deal, "meld 3h 4h 5h", "discard 4c")
    assert deal.position().opening_need == (raised[0], 75)
    act(deal, "draw", "discard 3d", "draw", "meld 5c 6c 7c", "discard Kd")
    assert deal.position().opening_need == (raised[1], 75)
    act(deal, "draw", "discard Jd", "draw", "meld 3h 4h 5h", "discard 6d")
    assert deal.position().opening_need == (raised[2], 75)


@each("S4-over-turn", "classico")
def test_a_raised_minimum_is_no_longer_met_by_the_old_one(name: str) -> None:
    deal = act(unopened(name, "Ah Kh Qh Jh Th 4c 6d", 65), "meld Th Jh Qh Kh Ah", "discard 4c")
    assert (melds_of(deal, 0), deal.position().opening_need) == ([], (80, 0))


@each("S4-over-turn", "classico")
def test_a_turn_that_lays_nothing_is_not_tested(name: str) -> None:
    deal = act(unopened(name, f"{FORTY_FIVE} 4c 6d", 50), "discard 4c")
    assert deal.position().opening_need == (50, 0)


@each("S4-over-turn-empty", "classico")
@pytest.mark.parametrize("plays", [("meld 3c 4c 5c 6c",), ("meld 3c 4c 5c", "add 1 6c")])
def test_a_hand_emptied_while_short_leaves_only_the_discard(name: str, plays: tuple[str, ...]) -> None:
    deal = act(unopened(name, "3c 4c 5c 6c", 50), *plays)
    assert (deal.phase, deal.seat, hand_of(deal, 0)) == (5, 0, "3c 4c 5c 6c")
    assert deal.position().opening_need == (65, 0)
    assert deal.mortos_gone == 0
    assert legal_texts(deal) == ["discard 3c", "discard 4c", "discard 5c", "discard 6c"]
    refused(deal, "meld 3c 4c 5c", "discard_only")
    refused(deal, "draw", "already_drawn")
    act(deal, "discard 5c")
    # The opening has failed once, not twice.
    assert (deal.seat, deal.position().opening_need) == (1, (65, 0))


@each("S4-over-turn-last", "classico")
def test_the_last_card_may_be_discarded_while_short_and_the_melds_return(name: str) -> None:
    deal = unopened(name, "3c 4c 5c Kd", 50, mortos="mine waiting")
    act(deal, "meld 3c 4c 5c", "discard Kd")
    assert (hand_of(deal, 0), deal.seat, deal.mortos_gone) == ("3c 4c 5c", 1, 1)
    assert deal.position().opening_need == (65, 0)


@each("S4-over-turn-left", "classico")
@pytest.mark.parametrize("mortos", ["waiting waiting", "mine waiting", "theirs stock"])
def test_while_short_any_number_of_cards_may_be_left(name: str, mortos: str) -> None:
    for hand in ("3c 4c 5c", "3c 4c 5c Kd", "3c 4c 5c Kd Qs"):
        allowed(unopened(name, hand, 50, mortos=mortos), "meld 3c 4c 5c")


@each("S4-over-turn-bound", "classico")
def test_once_the_minimum_is_reached_the_turn_must_be_able_to_end(name: str) -> None:
    parts: dict[str, Any] = {"mortos": "mine waiting"}
    refused(unopened(name, "Th Jh Qh Kh Ah Kd", 50, **parts), "meld Th Jh Qh Kh Ah", "turn_could_not_end")
    refused(unopened(name, "Th Jh Qh Kh Ah", 50, **parts), "meld Th Jh Qh Kh Ah", "close_needs_clean")
    deal = act(unopened(name, "Th Jh Qh Kh Ah Kd", 50, **parts), "meld Th Jh Qh Kh")
    refused(deal, "add 1 Ah high", "turn_could_not_end")


@each("S4-over-turn-direct", "classico")
def test_an_opening_that_is_met_may_empty_the_hand_for_the_morto(name: str) -> None:
    deal = act(unopened(name, "Th Jh Qh Kh Ah", 50), "meld Th Jh Qh Kh Ah")
    assert (deal.seat, deal.phase, deal.hand_count(0), deal.position().opening_need) == (0, 2, 11, (0, 0))


@each("S4-over-turn-discarded", "classico")
def test_a_tabled_card_cannot_be_the_discard_of_a_short_opening(name: str) -> None:
    deal = act(unopened(name, "3c 4c 5c Kd 9s", 50), "meld 3c 4c 5c")
    refused(deal, "discard 3c", "card_not_held")


def ended_with_350(name: str) -> Deal:
    """A deal in which side 1 made 350 points and side 0 none, both with a morto."""
    melds = ["3h 4h 5h 6h 7h 8h 9h", "8s 9s Ts Js Qs Ks", "Td Jd Qd", "3c 4c 5c"]
    return over_of(name, "/ / /", other_melds=melds, mortos="mine theirs")


@pytest.mark.parametrize(("lifted", "total", "need"), [(22, 1500, 75), (21, 1400, 50), (23, 1400, 50)])
@each("S4-cut", "classico")
def test_the_bonus_for_the_cut_makes_fourteen_hundred_vulnerable_at_once(
    name: str, lifted: int, total: int, need: int
) -> None:
    match = Match(RULE_SETS[name], first_dealer=0)
    for _ in range(4):
        match.begin_deal(cut_count=1)
        match.end_deal(ended_with_350(name))
    assert match.totals == (0, 1400)
    # The fifth deal is seat 0's again; the cutter on its right plays for side 1.
    start = match.begin_deal(cut_count=lifted)
    assert start.totals == (0, total)
    assert match.deal().position().opening_need == (50, need)


@each("S3-cut", {"classico": 100, OTHERS: None})
def test_lifting_twenty_two_pays_in_classico_only(name: str, expected: int | None) -> None:
    cut = Match(RULE_SETS[name], first_dealer=0).begin_deal().cut
    assert (cut is None) is (expected is None)
    if expected is not None:
        paid = Match(RULE_SETS[name], first_dealer=0).begin_deal(cut_count=22)
        assert paid.cut is not None
        assert (paid.cut.seat, paid.cut.points, paid.totals) == (3, expected, (0, expected))
