"""Positions that fill the table: the hands and melds that criteria speak of."""

from __future__ import annotations

from typing import Final

from buraco.cards import cards_text
from buraco.engine import Position, ordered_pack, unpack
from buraco.notation import parse_meld
from buraco.rules import RULE_SETS
from tests.rules.positions import position_of

__all__ = ["MELDS", "OTHER_MELDS", "full_table"]

#: Seven melds of the own side and seven of the other one, a run of thirteen and one with a wild among them.
MELDS: Final = (
    "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks",
    "5h 6h X=7 8h 9h Th Jh",
    "6d 7d 8d",
    "8c 9c Tc",
    "3h 4h 5h",
    "3c 4c 5c",
    "Qd Kd Ad",
    "Jc Qc Kc",
    "Td Jd Qd",
    "3d 4d 5d",
    "6c 7c 8c",
    "Qh Kh Ah",
)
OTHER_MELDS: Final = (
    "3s 4s 5s 6s 7s 8s 9s",
    "2d 3d 4d X=5 6d 7d 8d",
    "6h 7h 8h",
    "9d Td Jd",
    "9h Th Jh",
    "Qc Kc Ac",
    "9c Tc Jc",
)


def full_table(hand_count: int, *, melds: int = 0, other_melds: int = 0, rules: str = "aberto") -> Position:
    """Return a position of a rule set with an open pile in which seat 0 is to act with so many cards and melds."""

    mine, theirs = MELDS[:melds], OTHER_MELDS[:other_melds]
    left = list(ordered_pack(RULE_SETS[rules]))
    for meld in (*mine, *theirs):
        for card in unpack(parse_meld(meld)).cards:
            left.remove(card)
    # Every seventh card, so that the hand has all suits and ranks.
    hand = [left.pop((7 * index) % len(left)) for index in range(hand_count)]
    return position_of(
        rules, cards_text(tuple(hand)), melds=mine, other_melds=theirs, mortos="mine theirs", stock_count=4
    )
