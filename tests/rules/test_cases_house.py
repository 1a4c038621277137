"""House rules that bring together duties which none of the ten rule sets combines."""

from __future__ import annotations

from typing import Any, Final

import pytest

from buraco.engine import Deal
from buraco.engine.constants import PHASE_OPENING
from buraco.rules import RULE_SETS, RuleSet
from tests.rules.positions import CLEAN, SHORT, act, allowed, cards, deal_of, hand_of, legal_texts, melds_of, refused

#: A closed pile and an opening of 40 points at once.
CLOSED_AT_ONCE: Final = RULE_SETS["fechado"].replace(name="closed-at-once", opening="at_once", opening_minimum=40)
#: A closed pile and an opening over the turn.
CLOSED_OVER_TURN: Final = RULE_SETS["classico"].replace(name="closed-over-turn", pile_closed=True)
#: An opening over the turn, and the card of a one-card pile may not go back.
BARRED_OVER_TURN: Final = RULE_SETS["classico"].replace(name="barred-over-turn", single_card_barred=True)
#: One set of each rank, and an opening at once.
SETS_AT_ONCE: Final = RULE_SETS["burraco-fibur"].replace(name="sets-at-once", opening="at_once", opening_minimum=60)
#: The last card must be discarded, mortos too, and an opening at once.
DISCARD_AT_ONCE: Final = RULE_SETS["aberto-sujo"].replace(name="discard-at-once", opening="at_once", opening_minimum=40)
#: No closing by a wild, and a closed pile.
CLOSED_NO_WILD: Final = RULE_SETS["fechado"].replace(name="closed-no-wild", closing_discard_wild=False)


def unopened(rules: RuleSet, hand: str, need: int, **parts: Any) -> Deal:
    """Return a deal in which the side of seat 0 has still to meet a minimum."""
    return deal_of(rules, hand, **{"opening_need": (need, 0), "opened": (False, True), **parts})


def test_the_rest_of_a_closed_pile_waits_until_the_opening_is_complete() -> None:
    deal = unopened(CLOSED_AT_ONCE, "5h 6h 8s 9s Ts Kc", 40, phase="draw", pile="3c 4d 7h")
    act(deal, "pile")
    # The first meld must hold the top card; the second alone would open without it.
    refused(deal, "meld 8s 9s Ts", "must_use_top")
    act(deal, "meld 5h 6h 7h")
    assert (deal.phase, deal.rest_waits, deal.pile_count) == (4, 1, 2)
    assert legal_texts(deal) == ["meld 8s 9s Ts"]
    act(deal, "meld 8s 9s Ts")
    assert (deal.phase, deal.rest_waits, hand_of(deal, 0)) == (2, 0, "3c Kc 4d")


def test_a_closed_pile_that_cannot_open_is_not_taken() -> None:
    # With the cards below, which nobody sees, the side could open; with the hand alone it cannot.
    deal = unopened(CLOSED_AT_ONCE, "5h 6h 8s 9s Kc", 40, phase="draw", pile="Ts 4d 7h")
    refused(deal, "pile", "opening_short")


def test_the_waiting_cards_let_an_opening_leave_the_hand_empty() -> None:
    parts: dict[str, Any] = {"phase": "draw", "mortos": "theirs stock"}
    stuck = unopened(CLOSED_AT_ONCE, "5h 6h 8s 9s Ts", 40, pile="7h", **parts)
    refused(stuck, "pile", "opening_short")
    deal = unopened(CLOSED_AT_ONCE, "5h 6h 8s 9s Ts", 40, pile="3c 4d 7h", **parts)
    act(deal, "pile", "meld 5h 6h 7h", "meld 8s 9s Ts")
    assert (hand_of(deal, 0), deal.over) == ("3c 4d", False)


def test_the_opening_itself_may_close_the_deal() -> None:
    # Both mortos are gone, which is enough to close here, and the second meld is a clean canasta.
    parts: dict[str, Any] = {"mortos": "theirs stock", "opening_need": (60, 0), "opened": (False, True)}
    rules = CLOSED_AT_ONCE.replace(opening_minimum=60)
    deal = deal_of(rules, f"{CLEAN} 5c 6c 7c", **parts)
    act(deal, "meld 5c 6c 7c")
    assert deal.phase == PHASE_OPENING
    act(deal, f"meld {CLEAN}")
    assert (deal.over, deal.out_seat) == (True, 0)


def test_a_short_opening_with_the_top_card_takes_the_rest_and_may_fail() -> None:
    deal = unopened(CLOSED_OVER_TURN, "5h 6h Kc 9d", 50, phase="draw", pile="3c 4d 7h")
    act(deal, "pile", "meld 5h 6h 7h")
    assert (deal.phase, hand_of(deal, 0)) == (2, "3c Kc 4d 9d")
    act(deal, "discard Kc")
    assert hand_of(deal, 0) == "3c 4d 9d 5h 6h 7h"
    assert deal.position().opening_need == (65, 0)


def test_a_closed_pile_taken_and_given_back_is_a_quiet_turn() -> None:
    deal = unopened(CLOSED_OVER_TURN, "5h 6h Kc 9d", 50, phase="draw", pile="3c 4d 7h", quiet_turns=19)
    act(deal, "pile", "meld 5h 6h 7h", "discard Kc")
    assert (deal.over, deal.position().end_kind) == (True, "stalemate")


def test_a_barred_card_returned_by_a_failed_opening_is_still_barred() -> None:
    deal = unopened(BARRED_OVER_TURN, "5c 6c", 50, phase="draw", pile="4c")
    act(deal, "pile", "meld 4c 5c 6c")
    assert (deal.phase, hand_of(deal, 0)) == (5, "4c 5c 6c")
    assert legal_texts(deal) == ["discard 5c", "discard 6c"]
    refused(deal, "discard 4c", "card_barred")


def test_a_short_opening_may_not_leave_only_the_barred_card() -> None:
    deal = unopened(BARRED_OVER_TURN, "5c 6c 7c", 50, phase="draw", pile="Kd")
    act(deal, "pile")
    refused(deal, "meld 5c 6c 7c", "turn_could_not_end")
    free = unopened(BARRED_OVER_TURN, "5c 6c 7c", 50, phase="draw", pile="Kd 9s")
    allowed(act(free, "pile"), "meld 5c 6c 7c")


@pytest.mark.parametrize(("hand", "opens"), [("Kc Kc Kd Kd Kh Kh 4c 4d 9s", True), ("Kc Kc Kd Kd 5h 6h 7h 9s", False)])
def test_two_sets_of_one_rank_do_not_open_where_one_is_allowed(hand: str, opens: bool) -> None:
    # Six kings make sixty as one set of six; two sets of three would be sixty as well, but the second is barred.
    deal = unopened(SETS_AT_ONCE, hand, 60)
    sets = [text for text in legal_texts(deal, "meld") if "K" in text]
    assert sets == (["meld Kc Kc Kd Kd Kh Kh"] if opens else [])


@pytest.mark.parametrize(("rest", "opens"), [("", False), (" 9d", True)])
def test_an_opening_keeps_the_card_that_must_be_discarded(rest: str, opens: bool) -> None:
    deal = unopened(DISCARD_AT_ONCE, "8s 9s Ts Js" + rest, 40)
    assert ("meld 8s 9s Ts Js" in legal_texts(deal, "meld")) is opens
    if not opens:
        refused(deal, "meld 8s 9s Ts Js", "no_direct_morto")


def test_one_hidden_card_that_might_be_a_wild_does_not_close() -> None:
    parts: dict[str, Any] = {"melds": [CLEAN], "phase": "draw", "mortos": "mine waiting"}
    for below in ("3c", "X"):
        refused(deal_of(CLOSED_NO_WILD, "5h 6h", pile=f"{below} 7h", **parts), "pile", "top_turn_could_not_end")
    allowed(deal_of(CLOSED_NO_WILD, "5h 6h", pile="3c 4c 7h", **parts), "pile")


def test_a_side_that_has_opened_by_the_top_card_adds_freely() -> None:
    deal = unopened(CLOSED_AT_ONCE, "Jh Qh Ah 9h Kc", 40, phase="draw", pile="3c 4d Kh")
    act(deal, "pile", "meld Jh Qh Kh Ah")
    assert melds_of(deal, 0) == ["Jh Qh Kh Ah"]
    assert cards(hand_of(deal, 0)) == cards("9h Kc 3c 4d")
    act(deal, "discard Kc")


def test_a_morto_of_two_cards_strands_nobody() -> None:
    rules = RULE_SETS["fechado"].replace(name="small-mortos", morto_size=2)
    deal = act(deal_of(rules, "6s", melds=[SHORT], next_morto="7s 9d"), "add 1 6s")
    # The side has its morto and nothing to close with: one card must stay.
    assert hand_of(deal, 0) == "9d 7s"
    refused(deal, "add 1 7s", "turn_could_not_end")
    assert legal_texts(deal) == ["discard 9d", "discard 7s"]


#: The cards 3 to 7 of three suits, twice, worth 150, and three that join nothing.
RUNS_ONLY: Final = " ".join(f"{rank}{suit}" for suit in "cdh" for rank in "34567")
THIRTY_THREE: Final = f"{RUNS_ONLY} {RUNS_ONLY} Ks Qh Jd"


@pytest.mark.parametrize(("lost", "opens"), [("", True), ("7h ", False)])
def test_a_high_minimum_is_judged_for_a_hand_of_many_melds(lost: str, opens: bool) -> None:
    # Every order of ten melds was once tried here, for every first meld: such a table hung.
    rules = RULE_SETS["fechado-stcl"].replace(name="high", opening="at_once", opening_minimum=150)
    deal = unopened(rules, THIRTY_THREE.replace(lost, "Ac ", 1) if lost else THIRTY_THREE, 150)
    first = "meld 3c 4c 5c 6c 7c"
    assert (first in legal_texts(deal, "meld")) is opens
    # Nothing may be wasted: three cards of five leave two that join nothing but their twins' run.
    assert "meld 4c 5c 6c" not in legal_texts(deal, "meld")


def test_a_hand_of_many_melds_is_judged_where_one_set_a_rank_is_allowed_and_no_morto_is_to_come() -> None:
    # Nothing was remembered here once, and every choice of melds tried: such a table hung.
    rules = RULE_SETS["burraco"].replace(name="one-set", one_set_per_rank=True, opening="at_once", opening_minimum=150)
    hand = THIRTY_THREE.replace("7h ", "Ac ", 1)
    deal = unopened(rules, hand, 150, mortos="theirs stock")
    # The sets of 3 to 7 add nothing that runs of the same cards do not, and one card of the 150 points is missing.
    assert legal_texts(deal, "meld") == []


def test_the_table_before_an_opening_decides_whether_its_barred_card_can_go() -> None:
    # The barred 7c may not be discarded; it can be added to a run that ends with the six, not to one that ends with
    # the five. Both first melds leave the same hand.
    barred = cards("7c")[0]
    parts: dict[str, Any] = {"barred_card": barred, "took_single": True, "drew_stock": False}
    deal = unopened(RULE_SETS["aberto"], "3c 4c 4c 5c 7c 2d 5d 6d X X", 60, **parts)
    allowed(deal, "meld 4c 5c 2d=6")
    refused(deal, "meld 2d=3 4c 5c", "opening_short")
    act(deal, "meld 4c 5c 2d=6", "meld 3c 4c X=5", "meld 5d 6d X=7", "add 1 7c")
    assert deal.mortos_gone == 1


@pytest.mark.parametrize("jokers", [1, 2, 3, 4])
def test_every_joker_of_a_hand_helps_one_run_of_an_opening(jokers: int) -> None:
    # Runs of 30, 35 and 40 points, each with a joker of 20; a fourth joker finds no company, nor does the nine.
    rules = RULE_SETS["aberto"].replace(name="high-at-once", opening_vulnerable_minimum=120)
    hand = "3c 4c 7d 8d Qs Ks 9h" + " X" * jokers
    for need, least in ((40, 1), (75, 2), (105, 3)):
        deal = unopened(rules, hand, need)
        assert ("meld Qs Ks X=A" in legal_texts(deal, "meld")) is (jokers >= least), need
    assert legal_texts(unopened(rules, hand, 110), "meld") == []
