"""What a learner is told of their lesson: the words of the step, and what it needs of the table."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from buraco.cards import card_text
from buraco.engine import unpack
from buraco.notation import decode_action
from buraco.server.lessons.script import OWN_SEAT
from buraco.server.replaying import Fold
from buraco.server.shown import LessonState
from buraco.texts import text

__all__ = ["lesson_state"]

_ZONES: Final = MappingProxyType(
    {"draw": "stock", "pile": "pile", "discard": "pile", "keep": "keep", "reject": "reject", "meld": "new-meld"}
)


def lesson_state(fold: Fold, language: str) -> LessonState | None:
    """Return how far the lesson of a table has come, in words of a language; None where none is."""
    lesson, options = fold.lesson, fold.options
    if lesson is None or options.lesson is None:
        return None
    name = options.lesson.name
    own = bool(lesson.way) and fold.play is not None and fold.play.seat == OWN_SEAT
    lost = not lesson.over and not lesson.way and fold.phase != "shuffling"
    key = "over" if lesson.over else "lost" if lost else lesson.text if own else "others"
    cards, zones = _needs(lesson.way) if own else ((), ())
    return LessonState(
        name=name,
        step=lesson.step,
        steps=lesson.step_count,
        text=text(f"lesson.{key}", language),
        actions=lesson.way if own else (),
        cards=cards,
        zones=zones,
        over=lesson.over,
        lost=lost,
    )


def _needs(way: tuple[int, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the cards of the hand and the zones of the table that actions use."""
    cards: list[str] = []
    zones: dict[str, None] = {}
    for action in way:
        move = decode_action(action)
        if move.kind == "meld":
            cards += [card_text(card) for card in unpack(move.meld).cards]
        elif move.card >= 0:
            cards.append(card_text(move.card))
        zones[_ZONES.get(move.kind, f"meld-{move.meld_number}")] = None
    return tuple(cards), tuple(zones)
