"""Positions: what a seat may see of one, and every fault named."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from buraco.cards import parse_card, parse_cards
from buraco.engine.deal import Deal
from buraco.engine.position import (
    MeldState,
    PileCard,
    Position,
    hide,
    public_hand,
    sees_everything,
    validate,
    visible_cards,
)
from buraco.engine.shuffle import ordered_pack
from buraco.errors import PositionError
from buraco.rules import RULE_SETS
from tests.unit.making import fresh, game_sets, run, same_rank, table
from tests.unit.walking import deal_states


def at_table(rules: str = "aberto", **changes: Any) -> Position:
    """A position in the middle of a deal, every card known."""
    hands = ("7h 8c Kd", "7c 7c", "8h 9h Td", "Qd Ks")
    position = table(
        rules, *hands, melds=((run("h", 3, 6),), (run("s", 4, 7, "2s", 7),)), pile="4c 9d Kc", owners=(0, -1)
    )
    return replace(position, **changes)


@pytest.mark.parametrize(("name", "players"), game_sets())
def test_first_position_has_no_fault(name: str, players: int) -> None:
    assert validate(fresh(name, players)) == ()


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_middle_of_a_deal_has_no_fault(name: str) -> None:
    assert validate(at_table(name)) == ()


@pytest.mark.parametrize("seat", [None, 0, 1, 2, 3])
@pytest.mark.parametrize("name", ["aberto", "fechado"])
def test_a_view_is_a_position_without_fault(name: str, seat: int | None) -> None:
    shown = hide(at_table(name), seat)
    assert validate(shown) == ()
    assert not sees_everything(shown)


@pytest.mark.parametrize("seat", [None, 0, 1, 2, 3])
def test_only_the_own_hand_is_shown(seat: int | None) -> None:
    position = at_table()
    shown = hide(position, seat)
    assert shown.hands == tuple(hand if index == seat else None for index, hand in enumerate(position.hands))
    assert (shown.stock, shown.mortos) == (None, ((), None))
    assert (shown.hand_counts, shown.stock_count) == (position.hand_counts, position.stock_count)


def test_an_open_pile_is_shown_and_of_a_closed_one_the_top() -> None:
    assert hide(at_table("aberto"), 1).pile == at_table("aberto").pile
    closed = hide(at_table("fechado"), 0).pile
    assert [entry.card for entry in closed] == [None, None, parse_card("Kc")]
    assert [(entry.seat, entry.turn) for entry in closed] == [(0, 0), (1, 1), (2, 2)]


def test_the_rest_of_a_closed_pile_stays_hidden_while_its_top_card_is_used() -> None:
    position = at_table("fechado", phase="top", top_card=parse_card("Kd"))
    assert validate(position) == ()
    for seat in range(4):
        assert [entry.card for entry in hide(position, seat).pile] == [None, None, None]
    assert public_hand(hide(position, 1), 0) == parse_cards("Kd")


def test_the_first_turn_card_is_for_its_owner_only() -> None:
    position = fresh("aberto")
    stock = position.stock
    assert stock is not None
    assert position.hands[0] is not None
    drawn = stock[-1]
    hand = tuple(sorted((*position.hands[0], drawn)))
    position = replace(
        position,
        phase="choice",
        drawn_card=drawn,
        drew_stock=True,
        hands=(hand, *position.hands[1:]),
        hand_counts=(12, 11, 11, 11),
        stock=stock[:-1],
        stock_count=len(stock) - 1,
    )
    assert validate(position) == ()
    assert hide(position, 0).drawn_card == drawn
    assert [hide(position, seat).drawn_card for seat in (None, 1, 2, 3)] == [-1] * 4
    assert validate(hide(position, 1)) == ()


def test_whether_a_taken_card_is_barred_is_for_its_owner_only() -> None:
    position = at_table(
        phase="play", took_single=True, barred_card=parse_card("Kd"), known=((parse_card("Kd"),), (), (), ())
    )
    assert validate(position) == ()
    assert hide(position, 0).barred_card == parse_card("Kd")
    assert hide(position, 1).barred_card == -1


def test_cards_that_everyone_knows_stay_known() -> None:
    position = at_table(known=((), parse_cards("7c"), (), ()))
    shown = hide(position, 0)
    assert public_hand(shown, 1) == parse_cards("7c")
    assert visible_cards(shown)[parse_card("7c")] == 1


def test_hands_lie_open_when_the_deal_is_over() -> None:
    position = at_table(phase="over", end_kind="stalemate")
    assert hide(position, None).hands == position.hands
    assert hide(position, None).stock is None


@pytest.mark.parametrize("seat", [None, 0, 3])
def test_hiding_twice_is_hiding_once(seat: int | None) -> None:
    once = hide(at_table("fechado"), seat)
    assert hide(once, seat) == once


@pytest.mark.parametrize("seat", [-1, 4])
def test_hiding_from_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    with pytest.raises(PositionError) as caught:
        hide(at_table(), seat)
    assert caught.value.code == "no_seat"


KD = parse_card("Kd")

UNOPENED: dict[str, Any] = {"opening_need": (75, 0), "opened": (False, True)}
FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("aberto", {"players": 3}, "3 players"),
    ("aberto", {"hand_counts": (3, 2, 3)}, "hand_counts has 3 entries"),
    ("aberto", {"opened": (True,)}, "opened has 1 entries"),
    ("aberto", {"dealer": 4}, "dealer 4"),
    ("aberto", {"seat": -1}, "seat -1"),
    ("aberto", {"out_seat": 7}, "out_seat 7"),
    ("aberto", {"phase": "nap"}, "no phase 'nap'"),
    ("aberto", {"end_kind": "bored"}, "no end 'bored'"),
    ("aberto", {"turn_count": -1}, "turn_count is -1"),
    ("aberto", {"totals": (10**13, 0)}, "out of range"),
    ("aberto", {"morto_owner": (3, -1)}, "owner of a morto"),
    ("aberto", {"pile": (PileCard(0, 9),)}, "seat that is not there"),
    ("aberto", {"barred_card": 99}, "no card has the number 99"),
    ("aberto", {"stock": (60,)}, "no card has the number 60"),
    ("aberto", {"hand_counts": (4, 2, 3, 2)}, "its count is 4"),
    ("aberto", {"hands": ((KD, 0, 1), None, None, None)}, "is not sorted"),
    ("aberto", {"known": ((0,), (), (), ())}, "everyone knows Ac in the hand of seat 0"),
    ("aberto", {"hands": (None,) * 4, "known": ((), (1, 2, 3), (), ())}, "everyone knows more cards"),
    ("aberto", {"hand_counts": (0, 2, 3, 2), "hands": (None,) * 4}, "seat 0 has no card"),
    ("aberto", {"melds": ((MeldState(5),), ())}, "is no packed meld"),
    ("aberto", {"melds": ((run("h", 3, 4),), ())}, "three cards or more"),
    ("burraco", {"melds": ((run("h", 1, 14, "X", 7),), ())}, "at most 13"),
    ("aberto-sujo", {"melds": ((run("h", 1, 14, "X", 7),), ())}, "natural aces at both ends"),
    ("aberto", {"melds": ((run("h", 2, 5, "2h", 2),), ())}, "is natural, not a wild"),
    ("aberto-104", {"melds": ((run("h", 2, 5, "X", 2),), ())}, "X is not in the pack"),
    ("aberto", {"melds": ((same_rank("7h 7s 7c"),), ())}, "sets are not allowed"),
    ("classico", {"melds": ((same_rank("7h 7s"),), ())}, "three cards or more"),
    ("classico", {"melds": ((same_rank("7h", "X"),), ())}, "two natural cards or more"),
    ("classico", {"melds": ((same_rank("7h 7h 7h"),), ())}, "more copies"),
    ("burraco-fibur", {"melds": ((same_rank("7h 7s 7d"), same_rank("7h 7s 7d")), ())}, "two sets of one rank"),
    ("aberto", {"melds": ((run("h", 3, 6, turn=41),), ())}, "this is turn 40"),
    ("aberto", {"melds": ((run("h", 3, 6),) * 37, ())}, "at most 36 can be numbered"),
    ("aberto", {"melds": ((run("h", 3, 6),) * 3, ())}, "3h lies 4 times on view"),
    ("aberto", {"morto_owner": (0, 0), "mortos": ((), ()), "mortos_gone": 2}, "taken both mortos"),
    ("aberto", {"morto_owner": (-1, 0)}, "second morto is gone before the first"),
    ("burraco-fibur", {"morto_owner": (2, -1)}, "which the rules do not allow"),
    ("aberto", {"mortos_gone": 2}, "2 mortos are gone"),
    ("aberto", {"mortos": ((), (1, 2))}, "morto 2 has 2 cards instead of 11"),
    ("aberto", {"mortos": ((1,), None)}, "morto 1 has 1 cards instead of 0"),
    ("aberto", {"unplayed": (False, True, False, False)}, "its side has taken none"),
    ("aberto", {"unplayed": (False, False, True, False)}, "not its 11 cards"),
    ("aberto", {"unplayed": (True, False, False, False)}, "it is its turn"),
    ("aberto", {"unplayed": (True, False, True, False)}, "both players of side 0"),
    ("aberto", {"stock": None, "stock_count": 3}, "the cards add up to"),
    ("aberto", {"stock_count": 3}, "its count is 3"),
    ("aberto", {"phase": "over"}, "does not go with the end"),
    ("aberto", {"end_kind": "stock"}, "does not go with the end"),
    ("aberto", {"out_seat": 1}, "if, and only if, the deal was closed"),
    ("aberto", {"phase": "over", "end_kind": "closed", "out_seat": 1}, "went out with cards"),
    ("aberto", {"stock": (), "stock_count": 0}, "no turn begins with an empty stock"),
    ("aberto", {"phase": "choice"}, "in the first turn only"),
    ("fechado", {"phase": "choice", "turn_count": 0}, "where the rules have the option"),
    ("aberto", {"phase": "choice", "turn_count": 0}, "phase 'choice' needs drawn_card"),
    ("aberto", {"phase": "choice", "turn_count": 0, "rejected": True}, "was rejected already"),
    ("fechado", {"rejected": True}, "which the rules do not allow"),
    ("aberto", {"phase": "top", "top_card": KD}, "top card of a closed pile"),
    ("fechado", {"phase": "opening"}, "no opening that must be completed"),
    ("aberto", {"phase": "discard"}, "only after a failed opening"),
    ("aberto", {"turn_count": 0, "rejected": True}, "was rejected already"),
    ("aberto", {"drew_stock": True}, "drew_stock does not go with phase 'draw'"),
    ("aberto", {"tabled": True}, "tabled does not go with phase 'draw'"),
    ("aberto", {"took_single": True}, "took_single does not go with phase 'draw'"),
    ("aberto", {"laid_points": 20}, "laid_points does not go with phase 'draw'"),
    ("fechado", {"phase": "top"}, "a top card must be used in phase 'top'"),
    ("fechado", {"phase": "play", "rest_waits": True}, "rest_waits goes with a closed pile"),
    ("fechado", {"phase": "play", "top_slot": 0}, "top_slot needs a top card"),
    ("fechado", {"phase": "top", "top_card": KD, "top_slot": 4}, "no such meld"),
    ("fechado", {"phase": "top", "top_card": 0}, "top_card Ac is not in the hand"),
    ("aberto", {"phase": "play", "barred_card": KD}, "only after a pile of one card"),
    ("aberto", {"drawn_card": KD}, "drawn_card goes with phase 'choice' only"),
    ("fechado", {"opening_need": (50, 0)}, "the rules have none"),
    ("classico", {"opening_need": (50, 0)}, "but a minimum is in force"),
    ("aberto", {"phase": "opening"}, "needs a minimum in force"),
    ("aberto", {"phase": "opening", "melds": ((), ())} | UNOPENED, "phase 'opening' begins with a meld"),
    ("classico", {"opened": (False, True)}, "side 0 has not opened, but no minimum is in force"),
    ("aberto", UNOPENED, "side 0 has melds, but an opening minimum of 75 is in force"),
    (
        "aberto",
        {"opening_need": (0, 75), "opened": (True, False), "melds": ((), (run("h", 3, 5),))},
        "side 1 has melds",
    ),
    ("classico", {"phase": "discard"} | UNOPENED, "side 0 has melds, but"),
    ("classico", {"phase": "discard", "melds": ((), ())}, "phase 'discard' follows a failed opening"),
    ("classico", {"phase": "play"} | UNOPENED, "are of this turn: write @40"),
    ("classico", {"phase": "play", "melds": ((run("h", 3, 6, turn=40),), ())} | UNOPENED, "laid_points is 0, but"),
    (
        "classico",
        {"phase": "play", "melds": ((run("h", 3, 14, turn=40),), ()), "pile": (), "stock": None} | UNOPENED,
        "so no minimum of 75 is left",
    ),
    ("aberto", {"phase": "play", "laid_points": 20}, "laid_points counts the melds of an opening"),
    ("aberto", {"pile": (PileCard(3, 1, 41),)}, "in a turn to come; this is turn 40"),
    ("aberto", {"pile": (PileCard(3, 1, 10**15),)}, "in a turn to come; this is turn 40"),
    ("aberto", {"pile": (PileCard(3, 1, -2),)}, "in a turn to come"),
]


@pytest.mark.parametrize(("rules", "changes", "words"), FAULTS, ids=[f"{one[0]}-{one[2][:30]}" for one in FAULTS])
def test_fault_is_named(rules: str, changes: dict[str, Any], words: str) -> None:
    found = validate(at_table(rules, **changes))
    assert any(words in fault for fault in found), found


def test_all_faults_are_named_at_once() -> None:
    position = at_table("aberto", phase="play", barred_card=KD, mortos_gone=2, known=((0,), (), (), ()))
    assert len(validate(position)) == 3


def test_unknown_numbers_of_melds_and_cards_never_break_the_check() -> None:
    for packed in range(-3, 1 << 21, 4099):
        position = at_table("classico", melds=((MeldState(packed),), ()))
        assert isinstance(validate(position), tuple)


@pytest.mark.parametrize(("name", "players"), game_sets())
def test_every_reached_position_has_no_fault_and_can_be_set_up_again(name: str, players: int) -> None:
    for index, deal in enumerate(deal_states(name, players, 31)):
        if index % 7 and not deal.over:
            continue
        position = deal.position()
        assert validate(position) == ()
        again = Deal.from_position(position)
        assert again.position() == position
        assert again.legal() == deal.legal()
        assert (again.score(0), again.score(1)) == (deal.score(0), deal.score(1))
        assert visible_cards(position) == Counter(ordered_pack(position.rules))


def test_a_position_with_faults_is_not_set_up_and_all_are_named() -> None:
    position = at_table("aberto", phase="play", mortos_gone=2, known=((0,), (), (), ()))
    with pytest.raises(PositionError) as caught:
        Deal.from_position(position)
    assert caught.value.code == "position"
    assert caught.value.reasons == validate(position)
    assert len(caught.value.reasons) == 2


def test_a_position_that_hides_cards_is_not_set_up() -> None:
    with pytest.raises(PositionError) as caught:
        Deal.from_position(hide(at_table(), 0))
    assert caught.value.code == "hidden_cards"
