"""The mortos: who takes one, how, in which order, and what one costs that was never played (cases G6, G8, G16)."""

from __future__ import annotations

from typing import Any

import pytest

from buraco.engine import Deal
from tests.rules.positions import (
    ALL,
    CLEAN,
    OTHERS,
    SHORT,
    act,
    code_of,
    deal_of,
    each,
    hand_of,
    over_of,
    refused,
)

# Eleven cards worth 85 in every scale (rules §5 item 11), and eleven worth 105.
MORTO = "Kd Qc 9s 9h 7d 6c 5s 4h 3d 3c As"
DEAR = "Kd Qc 9s 9h Jd Jc 8s 8h 3d 3c As"
# Rules §3, row "direct morto".
DIRECT = {"aberto-sujo": "no_direct_morto", OTHERS: ""}


def sorted_text(text: str) -> list[str]:
    return sorted(text.split())


@each("G6-direct", DIRECT)
@pytest.mark.parametrize("play", ["meld 5c 6c 7c", "add 1 6s"])
def test_a_hand_emptied_by_melding_takes_the_morto_and_goes_on(name: str, expected: str, play: str) -> None:
    hand = "6s" if play.startswith("add") else "5c 6c 7c"
    deal = deal_of(name, hand, melds=[SHORT], next_morto=MORTO)
    assert code_of(deal, play) == expected
    if expected:
        return
    before = deal.turn_count
    act(deal, play)
    assert (deal.seat, deal.turn_count, deal.phase, deal.over) == (0, before, 2, False)
    assert sorted_text(hand_of(deal, 0)) == sorted_text(MORTO)
    assert deal.position().morto_owner == (0, -1)
    assert deal.position().unplayed == (False,) * 4
    act(deal, "discard Kd")
    assert deal.seat == 1


@each("G6-indirect", ALL)
def test_a_hand_emptied_by_the_discard_takes_the_morto_for_the_next_turn(name: str) -> None:
    hands = ["3c 7s", "8d 8s", "Jd Jc"]
    deal = act(deal_of(name, "9d", melds=[SHORT], others=hands, next_morto=MORTO), "discard 9d")
    assert (deal.seat, deal.phase, deal.out_seat) == (1, 0, -1)
    assert sorted_text(hand_of(deal, 0)) == sorted_text(MORTO)
    assert deal.position().morto_owner == (0, -1)
    assert deal.position().unplayed == (True, False, False, False)
    act(deal, "draw", "discard 3c", "draw", "discard 8d", "draw", "discard Jd")
    assert (deal.seat, deal.position().unplayed) == (0, (False,) * 4)


@each("G6-two-players", "aberto-104 aberto-sujo fechado fechado-stcl fechado-sujo burraco fechado-50 burraco-fibur")
def test_two_players_take_a_morto_each(name: str) -> None:
    deal = deal_of(name, "9d", melds=[SHORT], players=2, others=["3c 7s"])
    act(deal, "discard 9d", "draw", "discard 3c")
    assert (deal.seat, deal.hand_count(0), deal.position().morto_owner) == (0, 11, (0, -1))


@each("G6-second", ALL)
def test_a_side_takes_one_morto_only(name: str) -> None:
    # The partner's morto is the side's: another empty hand must close, and has no right to.
    deal = deal_of(name, "9d", melds=[SHORT], mortos="mine waiting")
    assert code_of(deal, "discard 9d").startswith("close_needs_")
    assert code_of(deal_of(name, "6s", melds=[SHORT], mortos="mine waiting"), "add 1 6s").startswith("close_needs_")


@each("S2.9-order", ALL)
def test_mortos_go_to_hands_in_the_order_in_which_they_were_made(name: str) -> None:
    parts: dict[str, Any] = {"other_melds": ["3d 4d 5d"], "others": ["6d", "8s", "Jc"], "stock": "Kc"}
    deal = deal_of(name, "9d", melds=[SHORT], next_morto=MORTO, **parts)
    second = deal.morto_cards(1)
    act(deal, "discard 9d")
    assert sorted_text(hand_of(deal, 0)) == sorted_text(MORTO)
    assert (deal.morto_cards(0), deal.morto_cards(1)) == ((), second)
    act(deal, "draw", "add 1 6d", "discard Kc")
    assert deal.hand(1) == tuple(sorted(second))
    assert deal.position().morto_owner == (0, 1)


@each("S2.9-order-stock", {"burraco-fibur": False, OTHERS: True})
def test_the_morto_that_becomes_the_stock_is_the_next_one_made(name: str, expected: bool) -> None:
    deal = deal_of(name, "9d Ks", melds=[SHORT], next_morto=MORTO, stock_count=0)
    act(deal, "discard Ks")
    if not expected:
        assert deal.over
        return
    assert sorted(deal.stock_cards()) == sorted(deal_of(name, MORTO).hand(0))
    assert deal.position().morto_owner == (2, -1)


@each("G16", "aberto classico aberto-104 aberto-sujo fechado fechado-stcl fechado-sujo burraco fechado-50")
def test_of_two_sides_that_want_the_last_morto_the_first_gets_it(name: str) -> None:
    deal = deal_of(
        name, "9d", melds=[SHORT], other_melds=["3d 4d 5d"], mortos="stock waiting", others=["Kc"], stock="6d"
    )
    act(deal, "discard 9d")
    assert (deal.hand_count(0), deal.mortos_gone) == (11, 2)
    act(deal, "draw")
    # Seat 1 could empty its hand by 6d and the king if a morto were left.
    refused(deal, "add 1 6d", "turn_could_not_end")
    act(deal, "discard Kc")
    assert hand_of(deal, 1) == "6d"


@each("G16-partner", ALL)
def test_the_partner_gets_no_second_morto(name: str) -> None:
    deal = deal_of(name, "9d", melds=[SHORT], others=["3c 7s", "Kc", "Jd Jc"], stock="3d 6s")
    act(deal, "discard 9d", "draw", "discard 3c", "draw")
    assert (deal.seat, hand_of(deal, 2)) == (2, "Kc 6s")
    refused(deal, "add 1 6s", "turn_could_not_end")


# What a morto costs that its taker never played. Its partner holds 3c, worth 5 (rules §3, §4 `aberto`, §5 item 11).

FLAT = "aberto-104 fechado fechado-stcl fechado-sujo"
CARDS = "aberto-sujo burraco fechado-50 burraco-fibur"
BY_STOCK = {f"aberto {FLAT}": (-100, -100), "classico": (-85, -100), CARDS: (-85, -105)}
PARTNER_OUT = {FLAT: (-100, -100), "classico": (-85, -100), f"aberto {CARDS}": (-85, -105)}
PLAYED = {OTHERS: (-85, -105)}


def after_indirect(name: str, morto: str, **parts: Any) -> Deal:
    """Return a deal in which seat 0 has just taken a morto by discarding its last card."""
    return act(deal_of(name, "9d", next_morto=morto, **parts), "discard 9d")


@each("G8-stock", BY_STOCK)
def test_the_stock_ends_the_deal_over_a_morto_just_taken(name: str, expected: tuple[int, int]) -> None:
    for morto, cost in zip((MORTO, DEAR), expected, strict=True):
        deal = after_indirect(name, morto, mortos="theirs waiting", stock_count=0, others=["4c", "3c", "4d"])
        assert (deal.over, deal.position().end_kind, deal.hand_count(0)) == (True, "stock", 11)
        assert deal.position().unplayed[0]
        assert deal.score(0) == cost - 5


@each("G8-opponents", BY_STOCK)
def test_the_opponents_close_before_the_morto_is_played(name: str, expected: tuple[int, int]) -> None:
    for morto, cost in zip((MORTO, DEAR), expected, strict=True):
        deal = after_indirect(
            name, morto, mortos="theirs waiting", other_melds=[CLEAN], stock="Th", others=["Kc", "3c", "4d"]
        )
        act(deal, "draw", "add 1 Th", "discard Kc")
        assert (deal.out_seat, deal.position().end_kind) == (1, "closed")
        assert deal.score(0) == cost - 5
        # 45 + 200 and the ten, 100 for going out, less the partner's four.
        assert deal.score(1) == 45 + 10 + 200 + 100 - 5


@each("G8-partner", PARTNER_OUT)
def test_the_partner_closes_before_the_morto_is_played(name: str, expected: tuple[int, int]) -> None:
    for morto, cost in zip((MORTO, DEAR), expected, strict=True):
        deal = after_indirect(
            name, morto, mortos="theirs waiting", melds=[CLEAN], stock="6d Th", others=["4c 7s", "Kc", "4d"]
        )
        act(deal, "draw", "discard 4c", "draw", "add 1 Th", "discard Kc")
        assert deal.out_seat == 2
        assert deal.score(0) == 45 + 10 + 200 + 100 + cost


@each("G8-played", PLAYED)
def test_a_morto_whose_taker_had_a_turn_counts_its_cards(name: str, expected: tuple[int, int]) -> None:
    for morto, cost in zip((MORTO, DEAR), expected, strict=True):
        stock, others = "6d 6h 7h 4s Th", ["Kc", "3c", "4d"]
        deal = after_indirect(name, morto, mortos="theirs waiting", other_melds=[CLEAN], stock=stock, others=others)
        for card in ("6d", "6h", "7h"):
            act(deal, "draw", f"discard {card}")
        assert (deal.seat, deal.position().unplayed) == (0, (False,) * 4)
        act(deal, "draw", "discard 4s", "draw", "add 1 Th", "discard Kc")
        assert (deal.out_seat, deal.score(0)) == (1, cost - 5)


# The penalty for a side that took no morto.


@each("S5.10", {"aberto": (0, 0), OTHERS: (-100, -100)})
def test_neither_side_took_a_morto(name: str, expected: tuple[int, int]) -> None:
    mortos = "waiting waiting" if name == "burraco-fibur" else "stock stock"
    deal = over_of(name, "/ / /", mortos=mortos)
    assert (deal.score(0), deal.score(1)) == expected


@each("S3-not-taken", ALL)
def test_the_side_that_alone_took_no_morto_pays(name: str) -> None:
    deal = over_of(name, "/ / /", mortos="theirs waiting")
    assert (deal.score(0), deal.score(1)) == (-100, 0)
    deal = over_of(name, "/ / /", mortos="mine theirs")
    assert (deal.score(0), deal.score(1)) == (0, 0)
