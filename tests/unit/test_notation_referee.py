"""The referee judges positions, complete or not, and never lets an invented card show."""

from __future__ import annotations

import pytest

from buraco.engine.deal import Deal
from buraco.engine.position import hide
from buraco.errors import ParseError, PositionError
from buraco.notation import (
    Judgement,
    format_action,
    format_position,
    judge,
    legal_actions,
    most_telling,
    parse_position,
)
from buraco.rules import RULE_SETS, get_rules

NOTHING_TO_CLOSE = "seat=0; phase=play; morto1=side 0"
CLEAN = f"{NOTHING_TO_CLOSE}; melds0=3h 4h 5h 6h 7h 8h 9h"


def asked(rules: str, statements: str, action: str) -> tuple[Judgement, ...]:
    return judge(parse_position(f"buraco-position 1; rules={rules}; {statements}"), action)


@pytest.mark.parametrize("name", list(RULE_SETS))
def test_position_6_is_refused_everywhere(name: str) -> None:
    # The side has opened: while an opening over the turn is short, any number of cards may be left.
    (one,) = asked(name, f"hand0=5c 6c 7c Kd; {NOTHING_TO_CLOSE}; melds0=9h Th Jh", "m 5c 6c 7c")
    assert (one.legal, one.code, one.position) == (False, "turn_could_not_end", None)
    assert one.text
    assert one.citation.startswith(f"{name}, section ")


@pytest.mark.parametrize("name", list(RULE_SETS))
def test_position_5_closes_where_a_meld_may_close(name: str) -> None:
    # §5 item 5; one morto is left, which only the rule "none left for the side" could ask for, and the side took one.
    (one,) = asked(name, f"hand0=5c 6c 7c; {CLEAN}", "m 5c 6c 7c")
    assert one.legal == get_rules(name).close_by_meld
    if one.legal:
        assert one.position is not None
        assert (one.position.end_kind, one.position.out_seat) == ("closed", 0)


def test_an_ambiguous_text_is_judged_in_each_legal_reading() -> None:
    found = asked("aberto", f"hand0=3h 4h X Kd 9s; {NOTHING_TO_CLOSE}", "m 4h 3h x")
    assert [format_action(one.action) for one in found] == ["meld X=2 3h 4h", "meld 3h 4h X=5"]
    assert all(one.legal for one in found)


def test_cards_that_form_no_meld_are_refused_with_a_citation() -> None:
    (one,) = asked("aberto", f"hand0=2h 2s X 9d 9s; {NOTHING_TO_CLOSE}", "m 2h 2s X")
    assert (one.action, one.legal, one.code) == (-1, False, "no_meld")
    assert "000" in one.citation


def test_an_addition_without_any_meld_is_refused() -> None:
    (one,) = asked("aberto", f"hand0=2h 2s X 9d 9s; {NOTHING_TO_CLOSE}", "a 2h")
    assert (one.action, one.code) == (-1, "no_such_meld")


def test_the_most_telling_refusal_is_given() -> None:
    (one,) = asked("aberto", f"hand0=3c 4c 8c Kd; {CLEAN}", "a 1 Kd")
    assert one.code == "wrong_suit"


@pytest.mark.parametrize(
    ("codes", "index"),
    [
        (["place_impossible", "wild_may_not_move_there", "place_impossible"], 1),
        (["wrong_suit", "does_not_fit"], 1),
        (["two_wilds", "turn_could_not_end"], 0),
        (["place_impossible"], 0),
    ],
)
def test_a_refusal_that_only_says_where_cards_may_not_lie_gives_way(codes: list[str], index: int) -> None:
    assert most_telling(codes) == index


def test_a_drawn_card_that_nobody_knows_stays_hidden() -> None:
    (one,) = asked("aberto", "seat=0; turn_count=1; hand0=3c 4c; pile=9h 3@0", "d")
    assert one.position is not None
    assert one.position.hands == (None, None, None, None)
    assert one.position.hand_counts[0] == 3
    assert one.position.stock is None


def test_an_open_pile_taken_is_known_to_the_last_card() -> None:
    (one,) = asked("aberto", "seat=0; turn_count=1; hand0=3c 4c; pile=9h 3@0, Kd 0@0", "p")
    assert one.position is not None
    assert one.position.hand_counts[0] == 4
    assert one.position.hands[0] is not None
    assert one.position.hands[1:] == (None, None, None)


def test_the_closed_pile_of_the_specification() -> None:
    # rules §4, fechado-50: top X, own run 5s 6s 7s, hand Jh Qh 3d.
    table = "seat=0; melds0=5s 6s 7s; pile=?, X"
    (taken,) = asked("fechado-50", f"{table}; hand0=Jh Qh 3d", "p")
    assert taken.position is not None
    uses = {format_action(action) for action in legal_actions(taken.position)}
    assert uses == {"meld X=T Jh Qh", "meld Jh Qh X=K"}
    (refused,) = asked("fechado-50", f"{table}; hand0=8d 3d Kc", "p")
    assert (refused.legal, refused.code) == (False, "pile_unusable")


def test_a_view_is_judged_as_the_whole_deal_is() -> None:
    deal = Deal(get_rules("burraco"), seed=4)
    for _ in range(60):
        if deal.over:
            break
        whole = deal.position()
        assert legal_actions(whole) == tuple(deal.legal())
        assert legal_actions(hide(whole, whole.seat)) == tuple(deal.legal())
        deal.apply(deal.choose(1, 7))


def test_a_complete_position_is_followed_exactly() -> None:
    deal = Deal(get_rules("aberto"), seed=4)
    (one,) = judge(deal.position(), "d")
    deal.apply(0)
    assert one.position == deal.position()
    assert format_position(one.position) == format_position(deal.position())


def test_the_hand_of_the_seat_to_act_must_be_known() -> None:
    with pytest.raises(PositionError) as caught:
        asked("aberto", "seat=1; hand0=3h", "d")
    assert caught.value.code == "hidden_hand"


def test_a_text_that_is_no_action_is_not_judged() -> None:
    with pytest.raises(ParseError):
        asked("aberto", "seat=0; hand0=3h", "fly")


def test_nothing_is_legal_when_the_deal_is_over() -> None:
    text = "buraco-position 1; rules=aberto; phase=over; end_kind=stock; stock=0; hand0=68; morto1=stock; morto2=stock"
    assert legal_actions(parse_position(text.replace("hand0=68", "hand0=75"))) == ()
