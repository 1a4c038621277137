"""Melds as text."""

from __future__ import annotations

import pytest

from buraco.engine.constants import ACTION_ADD, ACTION_RUN
from buraco.engine.numbering import action_meld
from buraco.errors import ParseError, PositionError
from buraco.notation import format_meld, meld_from_words, meld_words, parse_meld


def test_every_meld_comes_back_from_its_text_and_its_words() -> None:
    for action in range(ACTION_RUN, ACTION_ADD, 3):
        packed = action_meld(action)
        assert parse_meld(format_meld(packed)) == packed
        assert meld_from_words(meld_words(packed)) == packed


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("3h 4h X 6h", "3h 4h X=5 6h"),
        ("3h 4h X=5 6h", "3h 4h X=5 6h"),
        ("X 3h 4h", "X=2 3h 4h"),
        ("3h 4h X", "3h 4h X=5"),
        ("2h 3h 4h", "2h 3h 4h"),
        ("2h 4h 5h", "2h=3 4h 5h"),
        ("As 2s 3s 2h 5s", "As 2s 3s 2h=4 5s"),
        ("2h 3h 4h 2h 6h", "2h 3h 4h 2h=5 6h"),
        ("Qh Kh Ah", "Qh Kh Ah"),
        ("2h Kh Ah", "2h=Q Kh Ah"),
        ("Ah 2h 3h 4h 5h 6h 7h 8h 9h 10h Jh Qh X Ah", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh X=K Ah"),
        ("7h 7s 2d 7c", "7c 7h 7s 2d=7"),
        ("Ah Ah As", "Ah Ah As"),
    ],
)
def test_a_written_meld_has_its_canonical_text(written: str, text: str) -> None:
    assert format_meld(parse_meld(written)) == text


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("", "meld_text"),
        ("3h 4h", "meld_text"),
        ("3h 5h 4h", "meld_text"),
        ("4h X 3h", "meld_text"),
        ("Kh Ah 2h", "meld_text"),
        ("3h 4h X=6", "meld_text"),
        ("3h X X", "meld_text"),
        ("7h 7h 7h", "meld_text"),
        ("2h 2d 2s", "meld_text"),
        ("3h 4h 5h=5", "card_text"),
        ("3h 4h X=", "card_text"),
        ("3h 4h X=Y", "card_text"),
        ("3h 4h Z", "card_text"),
        ("3h " * 1000, "meld_text"),
    ],
)
def test_cards_that_form_no_meld_in_their_order_are_refused(written: str, code: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_meld(written)
    assert caught.value.code == code


@pytest.mark.parametrize("packed", [-1, 0, 1 << 21, 1 << 20 | 1])
def test_a_number_that_packs_no_meld_has_no_text(packed: int) -> None:
    with pytest.raises(PositionError) as caught:
        format_meld(packed)
    assert caught.value.code == "meld_packed"
