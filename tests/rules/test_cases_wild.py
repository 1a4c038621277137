"""Where a replaced wild goes, in play and at counting (rules §5 items 1-4, §6)."""

from __future__ import annotations

import pytest

from tests.rules.positions import ALL, OTHERS, act, code_of, deal_of, each, melds_of, over_of, refused

JOKERS = "aberto classico aberto-sujo fechado fechado-stcl fechado-sujo burraco fechado-50 burraco-fibur"
# Rules §1: a 2 counts 20 on the Italian scale, 10 on the others.
TWENTY = "aberto-sujo burraco burraco-fibur"


def outcomes(name: str, meld: str, *plays: str) -> dict[str, str]:
    """Return what becomes of a meld by each play that is legal."""
    found = {}
    for play in plays:
        deal = deal_of(name, play.split()[2] + " Kd Qs", melds=[meld])
        if code_of(deal, play) == "":
            found[play] = melds_of(act(deal, play), 0)[0]
    return found


@each("S5.1", {TWENTY: (60, 65), OTHERS: (50, 55)})
def test_a_two_of_the_suit_goes_to_its_natural_slot_and_the_run_is_clean(name: str, expected: tuple[int, int]) -> None:
    dirty = "2h=3 4h 5h 6h 7h 8h 9h"
    assert over_of(name, "/ / /", melds=[dirty], mortos="mine theirs").score(0) == expected[0] + 100
    assert outcomes(name, dirty, "add 1 3h") == {"add 1 3h": "2h 3h 4h 5h 6h 7h 8h 9h"}
    clean = "2h 3h 4h 5h 6h 7h 8h 9h"
    assert over_of(name, "/ / /", melds=[clean], mortos="mine theirs").score(0) == expected[1] + 200


@each("S5.1-free", {"classico": "3h 4h 5h 6h 7h 8h 9h 2h=T", OTHERS: None})
def test_only_classico_may_send_that_two_to_the_high_end(name: str, expected: str | None) -> None:
    found = outcomes(name, "2h=3 4h 5h 6h 7h 8h 9h", "add 1 3h wild high", "add 1 3h wild low")
    assert found == ({} if expected is None else {"add 1 3h wild high": expected})


HIGH, LOW = "add 1 3h wild high", "add 1 3h wild low"
ENDS = {
    "aberto classico": (HIGH, LOW),
    "aberto-sujo fechado fechado-stcl fechado-sujo": (HIGH,),
    "burraco fechado-50 burraco-fibur": (LOW,),
}


@each("S5.1-joker", ENDS)
def test_a_joker_goes_to_an_end_and_the_run_stays_dirty(name: str, expected: tuple[str, ...]) -> None:
    run = {HIGH: "3h 4h 5h 6h 7h 8h 9h X=T", LOW: "X=2 3h 4h 5h 6h 7h 8h 9h"}
    found = outcomes(name, "X=3 4h 5h 6h 7h 8h 9h", HIGH, LOW, "add 1 3h")
    assert found == {play: run[play] for play in expected}


QUEEN_HIGH, QUEEN_LOW = "add 1 Qs wild high", "add 1 Qs wild low"


@each(
    "S5.2",
    {
        "aberto classico": (QUEEN_HIGH, QUEEN_LOW),
        "aberto-104 aberto-sujo fechado fechado-stcl fechado-sujo": (QUEEN_HIGH,),
        "burraco fechado-50 burraco-fibur": (QUEEN_LOW,),
    },
)
def test_the_two_of_another_suit_goes_to_the_end_that_the_rules_say(name: str, expected: tuple[str, ...]) -> None:
    run = {QUEEN_HIGH: "Js Qs Ks 2h=A", QUEEN_LOW: "2h=T Js Qs Ks"}
    assert outcomes(name, "Js 2h=Q Ks", QUEEN_HIGH, QUEEN_LOW) == {play: run[play] for play in expected}


@each("S5.3-high", ALL)
def test_the_high_end_is_shut_behind_the_ace(name: str) -> None:
    wild = "2c" if name == "aberto-104" else "X"
    found = outcomes(name, f"Td Jd {wild}=Q Kd Ad", "add 1 Qd wild high", "add 1 Qd wild low")
    assert found == {"add 1 Qd wild low": f"{wild}=9 Td Jd Qd Kd Ad"}


@each("S5.3-low", ALL)
def test_the_low_end_is_shut_before_the_ace(name: str) -> None:
    wild = "2c" if name == "aberto-104" else "X"
    found = outcomes(name, f"Ah {wild}=2 3h", "add 1 2h wild high", "add 1 2h wild low", "add 1 2h")
    assert found == {"add 1 2h wild high": f"Ah 2h 3h {wild}=4"}


TWO_ACES = "aberto classico aberto-104 fechado fechado-stcl fechado-sujo fechado-50"


@each("S5.4", TWO_ACES)
def test_a_full_run_has_no_place_for_a_replaced_wild(name: str) -> None:
    wild = "2c" if name == "aberto-104" else "X"
    deal = deal_of(name, "6h Kd Qs", melds=[f"Ah 2h 3h 4h 5h {wild}=6 7h 8h 9h Th Jh Qh Kh Ah"])
    for play in ("add 1 6h wild high", "add 1 6h wild low"):
        refused(deal, play, "wild_has_no_place")
    refused(deal, "add 1 6h", "place_impossible")


# Twelve naturals with both aces, 5 a card from 3 to 7, 10 from the 8 on, two aces and a natural two: 120 + the wild.
@each("S5.4-points", {"aberto classico fechado fechado-stcl fechado-sujo": 20, "fechado-50": 50, "aberto-104": 10})
def test_fourteen_cards_with_a_wild_are_a_dirty_canasta(name: str, expected: int) -> None:
    wild = "2c" if name == "aberto-104" else "X"
    meld = f"Ah 2h 3h 4h 5h {wild}=6 7h 8h 9h Th Jh Qh Kh Ah"
    deal = over_of(name, "/ / /", melds=[meld], mortos="mine theirs")
    assert deal.score(0) == 120 + expected + 100


@each("S3-aces", {"aberto-sujo": 100, "burraco-fibur": 150})
@pytest.mark.parametrize(
    "meld", ["Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh X=A", "X=A 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"]
)
def test_a_wild_may_be_the_fourteenth_card_where_one_end_has_an_ace(name: str, expected: int, meld: str) -> None:
    # A 15, the natural two 20, five cards of 5, six of 10, the joker 30.
    assert over_of(name, "/ / /", melds=[meld], mortos="mine theirs").score(0) == 150 + expected
    # The second ace has no place there.
    deal = deal_of(name, "Ah Kd Qs", melds=[meld])
    low = "add 1 Ah" if meld.startswith("X") else "add 1 Ah high"
    for play in (low, f"{low} wild high", f"{low} wild low"):
        assert code_of(deal, play) != ""


@each("S3-aces", "burraco")
def test_a_run_ends_at_thirteen_cards_in_burraco(name: str) -> None:
    deal = deal_of(name, "X 2c Kd", melds=["Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"])
    refused(deal, "add 1 X wild high", "run_too_long")
