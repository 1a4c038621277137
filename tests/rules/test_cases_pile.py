"""The pile: the card of a one-card pile, the top of a closed one, who discarded what (cases P, X6, rules §4, §5.8)."""

from __future__ import annotations

import pytest

from buraco.engine import Deal
from buraco.rules import RULE_SETS
from tests.rules.positions import (
    ALL,
    CLEAN,
    CLOSED,
    OPEN,
    SHORT,
    act,
    allowed,
    code_of,
    deal_of,
    each,
    hand_of,
    legal_texts,
    melds_of,
    refused,
)

# Rules §3, row "single-card pile may not be discarded back".
SINGLE_CARD = {"aberto burraco burraco-fibur": "card_barred", "classico aberto-104 aberto-sujo": ""}
BARRED = "aberto burraco burraco-fibur"


@each("P1", SINGLE_CARD)
def test_the_card_of_a_one_card_pile_may_not_be_discarded_back(name: str, expected: str) -> None:
    deal = act(deal_of(name, "9d Ks", phase="draw", pile="4c"), "pile")
    assert code_of(deal, "discard 4c") == expected
    act(deal, "discard Ks")
    assert hand_of(deal, 0) == "4c 9d"


@each("P1-two", OPEN)
@pytest.mark.parametrize("pile", ["4c 5d", "5d 4c", "4c 4c"])
def test_a_card_of_a_larger_pile_may_be_discarded_back(name: str, pile: str) -> None:
    allowed(act(deal_of(name, "9d Ks", phase="draw", pile=pile), "pile"), "discard 4c")


@each("P1-next-turn", BARRED)
def test_the_card_may_go_in_the_next_turn(name: str) -> None:
    deal = deal_of(name, "9d Ks", phase="draw", pile="4c", others=["3d 7s", "8d 8s", "Jd Jc"])
    act(deal, "pile", "discard Ks", "draw", "discard 3d", "draw", "discard 8d", "draw", "discard Jd", "draw")
    assert deal.seat == 0
    allowed(deal, "discard 4c")


@each("P2", OPEN)
def test_with_a_twin_in_hand_the_twin_may_be_discarded(name: str) -> None:
    deal = act(deal_of(name, "4c Ks", phase="draw", pile="4c"), "pile", "discard 4c")
    assert hand_of(deal, 0) == "4c Ks"


@each("P2-joker", "aberto classico aberto-sujo burraco burraco-fibur")
def test_jokers_are_twins_of_each_other(name: str) -> None:
    allowed(act(deal_of(name, "X Ks", phase="draw", pile="X"), "pile"), "discard X")


@each("P1-joker", {"aberto burraco burraco-fibur": "card_barred", "classico aberto-sujo": ""})
def test_a_single_joker_of_the_pile_may_not_be_discarded_back(name: str, expected: str) -> None:
    assert code_of(act(deal_of(name, "9d Ks", phase="draw", pile="X"), "pile"), "discard X") == expected


@each("P2-tabled", BARRED)
def test_once_the_card_lies_on_the_table_a_twin_from_the_morto_may_go(name: str) -> None:
    morto = "4c 4s 6d 7d 9d Jd Kd 8h Th Qh Ks"
    deal = deal_of(name, "5c 6c", phase="draw", pile="4c", next_morto=morto)
    act(deal, "pile", "meld 4c 5c 6c")
    assert "4c" in hand_of(deal, 0).split()
    allowed(deal, "discard 4c")


@each("P6", SINGLE_CARD)
def test_a_player_with_one_card_may_take_the_pile(name: str, expected: str) -> None:
    deal = act(deal_of(name, "9d", melds=[SHORT], phase="draw", pile="4c", mortos="mine waiting"), "pile")
    assert code_of(deal, "discard 4c") == expected
    act(deal, "discard 9d")
    assert hand_of(deal, 0) == "4c"


@each("S5.8", OPEN)
def test_a_player_with_one_card_and_no_right_to_close_may_always_draw(name: str) -> None:
    deal = deal_of(name, "9d", melds=[SHORT], phase="draw", pile="4c", mortos="mine waiting", stock="Kd")
    assert legal_texts(deal) == ["draw", "pile"]
    act(deal, "draw")
    assert legal_texts(deal) == ["discard 9d", "discard Kd"]


@each(
    "S5.8-forced",
    {"aberto burraco burraco-fibur": ["discard 9d"], "classico aberto-104 aberto-sujo": ["discard 4c", "discard 9d"]},
)
def test_taking_a_one_card_pile_with_one_card_forces_the_other_card_out(name: str, expected: list[str]) -> None:
    deal = deal_of(name, "9d", melds=[SHORT], phase="draw", pile="4c", mortos="mine waiting")
    assert legal_texts(act(deal, "pile")) == expected


@each("P-empty", ALL)
def test_an_empty_pile_cannot_be_taken(name: str) -> None:
    refused(deal_of(name, "9d Ks", phase="draw"), "pile", "pile_empty")


@each("P-free", OPEN)
def test_an_open_pile_is_taken_without_any_use_for_it(name: str) -> None:
    deal = act(deal_of(name, "9d Ks", phase="draw", pile="4c 8h"), "pile")
    assert hand_of(deal, 0) == "4c 9d 8h Ks"
    assert deal.pile_count == 0
    allowed(deal, "discard 9d")


@each("P12", ALL)
def test_every_card_of_the_pile_keeps_who_discarded_it_and_when(name: str) -> None:
    hands = ["4c Td Ks", "5d 7s Kh", "8s Jd Kc", "6c 9s Qd"]
    deal = deal_of(name, hands[0], others=hands[1:], turn_count=50)
    act(deal, "discard 4c", "draw", "discard 5d", "draw", "discard 8s", "draw", "discard 6c")
    seen = [(card, seat, turn) for card, seat, turn in deal.pile_cards()]
    assert seen == [(3, 0, 50), (17, 1, 51), (46, 2, 52), (5, 3, 53)]
    assert [(entry.card, entry.seat, entry.turn) for entry in deal.position().pile] == seen


# The closed pile. Every position has four cards below the top one, unless the number of them is the point.


@each("P-closed", CLOSED)
def test_a_closed_pile_may_be_taken_for_a_new_meld_with_hand_cards(name: str) -> None:
    deal = act(deal_of(name, "5h 6h Kc", phase="draw", pile="3c 4d 8d Jd 7h"), "pile")
    assert hand_of(deal, 0) == "Kc 5h 6h 7h"
    assert deal.pile_count == 4
    act(deal, "meld 5h 6h 7h")
    # Only now the rest comes.
    assert hand_of(deal, 0) == "3c Kc 4d 8d Jd"
    assert deal.pile_count == 0


@each("P-closed", CLOSED)
def test_a_closed_pile_may_be_taken_for_an_addition(name: str) -> None:
    deal = act(deal_of(name, "8d Kc", melds=[SHORT], phase="draw", pile="3c 4d 8d Jd 6s"), "pile", "add 1 6s")
    assert melds_of(deal, 0) == ["3s 4s 5s 6s"]
    assert hand_of(deal, 0) == "3c Kc 4d 8d 8d Jd"


@each("P-closed-useless", CLOSED)
def test_a_closed_pile_without_a_use_for_its_top_card_is_refused(name: str) -> None:
    deal = deal_of(name, "8d 3d Kc", melds=[SHORT], phase="draw", pile="3c 4d 8d Jd 7h")
    refused(deal, "pile", "pile_unusable")
    refused(deal_of(name, "8d 3d Kc", phase="draw", pile="3c 4d 8d Jd 7h"), "pile", "pile_unusable")


@each("P-closed-lower", CLOSED)
def test_cards_lower_in_a_closed_pile_cannot_help(name: str) -> None:
    refused(deal_of(name, "6h Kc Kd", phase="draw", pile="5h 8h 4d 5h 7h"), "pile", "pile_unusable")


@each("P-closed-duty", CLOSED)
def test_nothing_else_is_done_before_the_top_card_is_used(name: str) -> None:
    deal = deal_of(name, "5h 6h 7c 8c 9c 6s Kc", melds=[SHORT], phase="draw", pile="3c 4d 8d Jd 7h")
    act(deal, "pile")
    refused(deal, "meld 7c 8c 9c", "must_use_top")
    refused(deal, "discard Kc", "must_use_top")
    refused(deal, "draw", "already_drawn")
    refused(deal, "add 1 6s", "top_out_of_reach")
    assert legal_texts(deal) == ["meld 5h 6h 7h"]


@each("X6", CLOSED)
def test_hand_cards_may_go_first_to_the_meld_that_the_top_card_joins(name: str) -> None:
    deal = deal_of(name, "2h 3d Kc", melds=["Th Jh Qh Kh"], phase="draw", pile="3c 4d 8d Jd 8h")
    act(deal, "pile")
    # The 2 bridges to the eight, so it may not go to the other end.
    assert legal_texts(deal) == ["add 1 2h wild low"]
    act(deal, "add 1 2h wild low")
    assert (deal.phase, legal_texts(deal)) == (3, ["add 1 8h"])
    act(deal, "add 1 8h")
    assert melds_of(deal, 0) == ["8h 2h=9 Th Jh Qh Kh"]
    assert hand_of(deal, 0) == "3c Kc 3d 4d 8d Jd"


@each("X6-without", CLOSED)
def test_without_the_card_between_the_top_card_is_out_of_reach(name: str) -> None:
    deal = deal_of(name, "3d Kc", melds=["Th Jh Qh Kh"], phase="draw", pile="3c 4d 8d Jd 8h")
    refused(deal, "pile", "pile_unusable")


@each("X6-other-meld", CLOSED)
def test_the_hand_cards_before_the_top_card_go_to_its_meld_alone(name: str) -> None:
    deal = deal_of(name, "9h 6s Kc", melds=["Th Jh Qh Kh", SHORT], phase="draw", pile="3c 4d 8d Jd 8h")
    act(deal, "pile")
    refused(deal, "add 2 6s", "top_out_of_reach")
    act(deal, "add 1 9h")
    refused(deal, "add 2 6s", "top_other_meld")
    refused(deal, "discard Kc", "must_use_top")
    act(deal, "add 1 8h", "add 2 6s", "discard Kc")


@each("X6-chain", CLOSED)
def test_several_hand_cards_may_lead_to_the_top_card(name: str) -> None:
    deal = deal_of(name, "6s 7s Kc", melds=[SHORT], phase="draw", pile="3c 4d 8d Jd 8s")
    act(deal, "pile", "add 1 6s")
    assert legal_texts(deal) == ["add 1 7s"]
    act(deal, "add 1 7s", "add 1 8s", "discard Kc")


WILD_TOP = {"fechado fechado-stcl fechado-sujo": True, "fechado-50": False}


@each("S4-top-joker", WILD_TOP)
def test_a_joker_on_top_goes_anywhere_except_where_it_needs_a_new_run(name: str, expected: bool) -> None:
    parts = {"melds": ["5s 6s 7s"], "phase": "draw", "pile": "3c 4d 8d Jd X"}
    stuck = deal_of(name, "8d 3d Kc", **parts)
    assert code_of(stuck, "pile") == ("" if expected else "pile_unusable")
    deal = act(deal_of(name, "Jh Qh 3d", **parts), "pile")
    new_runs = ["meld Jh Qh X=K", "meld X=T Jh Qh"]
    added = ["add 1 X wild high", "add 1 X wild low"]
    assert sorted(legal_texts(deal)) == (sorted(new_runs + added) if expected else new_runs)
    if not expected:
        refused(deal, "add 1 X wild low", "top_needs_new_meld")


@each("S4-top-two", WILD_TOP)
def test_a_natural_two_on_top_counts_as_a_two(name: str, expected: bool) -> None:
    parts = {"phase": "draw", "pile": "3c 4d 8d Jd 2s"}
    deal = deal_of(name, "8d 3d Kc", melds=["3s 4s 5s"], **parts)
    assert code_of(deal, "pile") == ("" if expected else "pile_unusable")
    allowed(deal_of(name, "3s 4s Kc", **parts), "pile")
    allowed(deal_of(name, "7h 8h Kc", **parts), "pile")


@each("P-closed-set", {"fechado fechado-sujo": "", "fechado-stcl fechado-50": "pile_unusable"})
def test_a_set_uses_the_top_card_where_sets_are_laid(name: str, expected: str) -> None:
    deal = deal_of(name, "7c 7d Kc", phase="draw", pile="3c 4d 8d Jd 7h")
    assert code_of(deal, "pile") == expected


# What the turn needs to end, whatever the hidden cards are (rules §2 item 10, §4 closed pile).

STUCK = {CLOSED: "top_turn_could_not_end"}


@each("P-stranded", STUCK)
def test_a_pile_of_one_may_not_leave_a_card_that_cannot_go(name: str, expected: str) -> None:
    deal = deal_of(name, "5h 6h Kc", phase="draw", pile="7h", mortos="mine waiting")
    refused(deal, "pile", expected)


@each("P-stranded-hidden", STUCK)
def test_one_hidden_card_must_be_one_that_may_go_whatever_it_is(name: str, expected: str) -> None:
    for below in ("8h", "2c"):
        deal = deal_of(name, "5h 6h", phase="draw", pile=f"{below} 7h", mortos="mine waiting")
        refused(deal, "pile", expected)


@each("P-stranded-bridge", STUCK)
def test_an_addition_of_the_top_card_may_not_strand_the_hand_either(name: str, expected: str) -> None:
    deal = deal_of(name, "6s Kc", melds=[SHORT], phase="draw", pile="7s", mortos="mine waiting")
    refused(deal, "pile", expected)


@each("P-two-hidden", CLOSED)
def test_two_hidden_cards_let_the_turn_end(name: str) -> None:
    deal = deal_of(name, "5h 6h", phase="draw", pile="8d Jd 7h", mortos="mine waiting")
    act(deal, "pile", "meld 5h 6h 7h", "discard 8d")
    assert hand_of(deal, 0) == "Jd"


@each("P-hidden-morto", CLOSED)
def test_one_hidden_card_is_enough_while_a_morto_waits(name: str) -> None:
    deal = deal_of(name, "5h 6h", phase="draw", pile="8d 7h")
    act(deal, "pile", "meld 5h 6h 7h")
    # The hand is judged empty only after the rest has come.
    assert (hand_of(deal, 0), deal.mortos_gone) == ("8d", 0)
    act(deal, "discard 8d")
    assert (deal.hand_count(0), deal.mortos_gone) == (11, 1)


@each("P-hidden-closes", CLOSED)
def test_one_hidden_card_is_enough_with_the_right_to_close(name: str) -> None:
    deal = deal_of(name, "5h 6h", melds=[CLEAN], phase="draw", pile="2c 7h", mortos="mine waiting")
    act(deal, "pile", "meld 5h 6h 7h", "discard 2c")
    assert deal.out_seat == 0


@each("P-emptied-morto", CLOSED)
def test_a_pile_of_one_may_empty_the_hand_for_the_morto(name: str) -> None:
    deal = act(deal_of(name, "5h 6h", phase="draw", pile="7h"), "pile", "meld 5h 6h 7h")
    assert (deal.seat, deal.hand_count(0), deal.mortos_gone) == (0, 11, 1)


@each("P-emptied-closes", CLOSED)
def test_a_pile_of_one_may_close_the_deal(name: str) -> None:
    deal = deal_of(name, "5h 6h", melds=[CLEAN], phase="draw", pile="7h", mortos="mine waiting")
    act(deal, "pile", "meld 5h 6h 7h")
    assert deal.out_seat == 0


@each("P-completes", CLOSED)
def test_the_top_card_itself_may_bring_the_right_to_close(name: str) -> None:
    deal = deal_of(name, "9h Kc", melds=["3h 4h 5h 6h 7h"], phase="draw", pile="8h", mortos="mine waiting")
    # Eight, then nine complete the canasta; the king closes. Taking the pile is judged by the eight alone.
    act(deal, "pile", "add 1 8h", "add 1 9h", "discard Kc")
    assert deal.out_seat == 0


# P5: a hand of thirty cards, any top. How long an answer takes is measured by the benchmarks; here it is right.

#: Every 3, 6, 9 and queen but 3d and 9s, twice: no card lies within one gap of another of its suit.
THIRTY = " ".join(f"{rank}{suit}" for suit in "cdhs" for rank in "369Q" if rank + suit not in ("3d", "9s")) + " "
THIRTY = THIRTY * 2 + "3d 9s"
TOPS = [f"{rank}{suit}" for rank in "A4578TJK" for suit in "cdhs"]


@each("P5", CLOSED)
def test_no_top_card_joins_a_hand_of_thirty_that_has_no_neighbours(name: str) -> None:
    for top in TOPS:
        refused(deal_of(name, THIRTY, phase="draw", pile=f"3d 9s {top}"), "pile", "pile_unusable")


@each("P5", CLOSED)
def test_with_one_wild_every_top_card_joins_a_hand_of_thirty(name: str) -> None:
    for top in TOPS:
        allowed(deal_of(name, THIRTY + " 2c", phase="draw", pile=f"3d 9s {top}"), "pile")


@each("P5-wild", {"fechado fechado-sujo": "", "fechado-stcl fechado-50": "pile_unusable"})
def test_a_joker_on_top_of_a_hand_without_neighbours_makes_a_set_or_nothing(name: str, expected: str) -> None:
    assert code_of(deal_of(name, THIRTY, phase="draw", pile="3d 9s X"), "pile") == expected


def test_a_deal_begins_with_the_pile_its_rules_say() -> None:
    for name in ALL.split():
        assert Deal(RULE_SETS[name]).pile_count == (1 if name in ("burraco", "burraco-fibur") else 0)
