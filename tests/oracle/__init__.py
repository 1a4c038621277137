"""The independent oracle: the rules of melds, points, hand ends and the course of a deal, naively, without the engine.

Everything here works on card texts (``7h``, ``X``) and small dataclasses. It is slow on purpose: it tries what the
rules allow one by one. It never imports ``buraco.engine``, so that agreement with the engine means something.
"""

from __future__ import annotations

from tests.oracle.additions import additions
from tests.oracle.course import Course, Discarded
from tests.oracle.model import CardSet, Meld, Run, can_be_wild, parse_meld, parse_run, parse_set, text_of
from tests.oracle.points import Points, best_reading, card_points, meld_points
from tests.oracle.readings import is_legal, readings
from tests.oracle.scores import DealEnd, SideEnd, deal_score
from tests.oracle.turns import (
    Table,
    add_allowed,
    discard_allowed,
    lay_allowed,
    may_close,
    morto_to_come,
    new_melds,
    opening_possible,
    pile_takeable,
    turn_can_end,
    without,
)

__all__ = [
    "CardSet",
    "Course",
    "DealEnd",
    "Discarded",
    "Meld",
    "Points",
    "Run",
    "SideEnd",
    "Table",
    "add_allowed",
    "additions",
    "best_reading",
    "can_be_wild",
    "card_points",
    "deal_score",
    "discard_allowed",
    "is_legal",
    "lay_allowed",
    "may_close",
    "meld_points",
    "morto_to_come",
    "new_melds",
    "opening_possible",
    "parse_meld",
    "parse_run",
    "parse_set",
    "pile_takeable",
    "readings",
    "text_of",
    "turn_can_end",
    "without",
]
