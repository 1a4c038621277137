"""The referee: what is legal in a position, complete or not, and why something else is not."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from buraco.engine.deal import Deal
from buraco.engine.determinize import fill
from buraco.engine.position import PileCard, Position, sees_everything
from buraco.errors import PositionError
from buraco.notation.actions import readings
from buraco.rules import Citation, RuleSet, cite
from buraco.texts import message

__all__ = ["Judgement", "judge", "legal_actions", "most_telling", "no_reading"]

# As many random completions of a position as it takes to tell what follows from it from what is chance.
_COMPLETIONS: Final = 8
# Codes that say little about why an action is refused, those that say least first: another reading of the same words
# may say more.
_WEAK_CODES: Final = (
    "place_impossible",
    "no_such_meld",
    "wrong_suit",
    "does_not_fit",
    "wild_is_natural",
    "wild_may_not_move_there",
)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the referee says of an action.

    ``action`` is its id, -1 where the cards asked for form no meld at all. A refusal has a stable ``code``, a ``text``
    for people and the ``citation`` of the rule. A legal action has the ``position`` after it, in which what depends on
    hidden cards is hidden; None where even its public part depends on them. Text and citation are English; as a
    `Message` (see `buraco.texts`) they say themselves in any language. ``rule`` is where the rule is written, as data.
    """

    action: int
    legal: bool
    code: str = ""
    text: str = ""
    citation: str = ""
    position: Position | None = None
    rule: Citation | None = None


def legal_actions(position: Position) -> tuple[int, ...]:
    """Return the ids of all legal actions, ascending; none when the deal is over.

    Raises PositionError: ``position`` with every fault, ``hidden_hand`` if the seat to act shows no hand.
    """
    return tuple(_completions(position)[0].legal())


def judge(position: Position, text: str) -> tuple[Judgement, ...]:
    """Judge what a person asks for: one judgement for each legal reading of the text, or else one refusal.

    Raises ParseError (codes ``action_text``, ``card_text``) for a text that is no action, PositionError as
    ``legal_actions`` does.
    """
    found = readings(text, position)
    deals = _completions(position)
    legal = [action for action in found if not deals[0].check(action)]
    if legal:
        return tuple(Judgement(action, True, position=_after(deals, action)) for action in legal)
    if not found:
        return (no_reading(text, position.rules),)
    codes = [deals[0].refusal(action) for action in found]
    index = most_telling(codes)
    code = codes[index]
    return (_refused(position.rules, code, action=found[index]),)


def most_telling(codes: Sequence[str]) -> int:
    """Return the index of the code that says most about why none of several readings is legal; the first of equals."""
    weights = [_WEAK_CODES.index(code) if code in _WEAK_CODES else len(_WEAK_CODES) for code in codes]
    return weights.index(max(weights))


def no_reading(text: str, rules: RuleSet) -> Judgement:
    """Return the refusal of a text that has no reading at all (see ``readings``).

    Its code is ``no_such_meld`` for an addition where the side has no meld, else ``no_meld``: the cards form none.
    """
    if text.split()[0].lower() in ("a", "add"):
        return _refused(rules, "no_such_meld")
    rule = cite(rules, "runs")
    return Judgement(-1, False, "no_meld", message("error.no_meld"), rule.message, rule=rule)


def _refused(rules: RuleSet, code: str, action: int = -1) -> Judgement:
    rule = cite(rules, code)
    return Judgement(action, False, code, message(f"code.{code}"), rule.message, rule=rule)


def _completions(position: Position) -> list[Deal]:
    """Return deals that agree with the position: one if it is complete, else several that differ in what is hidden."""
    if sees_everything(position):
        return [Deal.from_position(position)]
    if position.hands[position.seat] is None and not position.over:
        raise PositionError("hidden_hand", message("typed.hidden_hand", seat=position.seat))
    return [Deal.from_position(fill(position, random.Random(seed))) for seed in range(_COMPLETIONS)]


def _after(deals: Sequence[Deal], action: int) -> Position | None:
    results = []
    for deal in deals:
        copy = deal.copy()
        copy.apply_unchecked(action)
        results.append(copy.position())
    merged = [_agreed(results, result) for result in results]
    return merged[0] if all(one == merged[0] for one in merged) else None


def _agreed(results: Sequence[Position], base: Position) -> Position:
    """Return a result with every card hidden that is not the same in all of them."""
    pile = tuple(
        entry if _same([one.pile[index : index + 1] for one in results]) else PileCard(None, entry.seat, entry.turn)
        for index, entry in enumerate(base.pile)
    )
    first, second = (_if_same([one.mortos[index] for one in results]) for index in (0, 1))
    return replace(
        base,
        hands=tuple(_if_same([one.hands[seat] for one in results]) for seat in range(base.players)),
        pile=pile,
        stock=_if_same([one.stock for one in results]),
        mortos=(first, second),
        drawn_card=base.drawn_card if _same([one.drawn_card for one in results]) else -1,
    )


def _same(values: Sequence[object]) -> bool:
    return all(value == values[0] for value in values)


def _if_same(values: Sequence[_T]) -> _T | None:
    return values[0] if _same(values) else None
