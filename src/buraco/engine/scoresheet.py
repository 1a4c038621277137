"""The score of a side, one line per item, adding up to the engine's own figure (rules §2 item 12)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from buraco.engine.arguments import whole_number
from buraco.engine.position import MeldState, Position
from buraco.engine.shapes import cards_points, unpack
from buraco.errors import PositionError

if TYPE_CHECKING:
    from buraco.engine.shapes import MeldShape
    from buraco.rules import RuleSet

__all__ = ["ScoreLine", "ScoreSheet", "meld_bonus", "meld_category", "meld_points", "score_sheet"]


class _HasPosition(Protocol):
    def position(self) -> Position: ...


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One item of a score sheet.

    ``kind``: ``meld`` (the values of a meld's cards), ``bonus`` (of a canasta), ``out`` (going out), ``hand`` (cards
    left in a hand), ``unplayed`` (a morto never played, at its flat sum instead of its cards), ``morto`` (none was
    taken). ``points`` may be negative. ``seat`` is the hand's or the one that went out, ``meld`` the number of the meld
    from 0, each -1 where it does not apply; ``category`` is a canasta's category, else empty.
    """

    kind: str
    points: int
    cards: tuple[int, ...] = ()
    seat: int = -1
    meld: int = -1
    category: str = ""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The score of a side for a deal, line by line."""

    side: int
    lines: tuple[ScoreLine, ...]

    @property
    def total(self) -> int:
        """The sum of the lines: the side's score for the deal."""
        return sum(line.points for line in self.lines)


def meld_category(rules: RuleSet, meld: MeldState) -> str:
    """Return what a meld counts as: ``plain``, ``dirty``, ``semi_clean``, ``clean``, ``clean_13`` or ``clean_14``.

    A meld has its highest category only. Raises PositionError (code ``meld_packed``).
    """
    shape = unpack(meld.packed)
    if shape.size < rules.canasta_size:
        return "plain"
    if shape.has_wild:
        semi_clean = rules.bonus_semi_clean is not None and shape.longest_natural >= rules.canasta_size
        return "semi_clean" if semi_clean else "dirty"
    return _clean_category(rules, shape, at_once=meld.turn >= 0)


def _clean_category(rules: RuleSet, shape: MeldShape, *, at_once: bool) -> str:
    if not shape.is_run or (rules.big_canasta_at_once and not at_once):
        return "clean"
    if shape.size == 14 and rules.bonus_clean_14 is not None:
        return "clean_14"
    if shape.size == 13 and rules.bonus_clean_13 is not None and (shape.low == 1 or not rules.clean_13_from_ace):
        return "clean_13"
    return "clean"


def meld_bonus(rules: RuleSet, category: str) -> int:
    """Return the bonus of a category in points; a plain meld has none, and a bonus of 0 is 0."""
    bonuses = {
        "dirty": rules.bonus_dirty,
        "semi_clean": rules.bonus_semi_clean,
        "clean": rules.bonus_clean,
        "clean_13": rules.bonus_clean_13,
        "clean_14": rules.bonus_clean_14,
    }
    return bonuses.get(category) or 0


def meld_points(rules: RuleSet, meld: MeldState) -> int:
    """Return what a meld on the table counts in points: the values of its cards and its bonus.

    Raises PositionError (code ``meld_packed``).
    """
    return cards_points(rules, unpack(meld.packed).cards) + meld_bonus(rules, meld_category(rules, meld))


def score_sheet(source: Position | _HasPosition, side: int) -> ScoreSheet:
    """Return the score sheet of a side, of a deal or of a position, as if the deal ended at this moment.

    Raises PositionError: ``hidden_hand`` if a hand of the side is hidden, ``no_side`` for a side other than 0 and 1;
    TypeError for what is no whole number.
    """
    side = whole_number("a side", side)
    position = source if isinstance(source, Position) else source.position()
    if side not in (0, 1):
        raise PositionError("no_side", f"there is no side {side}; sides are 0 and 1")
    lines: list[ScoreLine] = []
    for number, meld in enumerate(position.melds[side]):
        lines += _meld_lines(position.rules, meld, number)
    if position.out_seat >= 0 and position.out_seat & 1 == side:
        lines.append(ScoreLine("out", position.rules.bonus_out, seat=position.out_seat))
    for seat in range(side, position.players, 2):
        lines += _hand_lines(position, seat)
    if side not in position.morto_owner and not _morto_waived(position):
        lines.append(ScoreLine("morto", -position.rules.morto_penalty))
    return ScoreSheet(side, tuple(lines))


def _meld_lines(rules: RuleSet, meld: MeldState, number: int) -> list[ScoreLine]:
    cards = unpack(meld.packed).cards
    lines = [ScoreLine("meld", cards_points(rules, cards), cards, meld=number)]
    category = meld_category(rules, meld)
    if category != "plain":
        lines.append(ScoreLine("bonus", meld_bonus(rules, category), meld=number, category=category))
    return lines


def _hand_lines(position: Position, seat: int) -> list[ScoreLine]:
    hand = position.hands[seat]
    if hand is None:
        raise PositionError("hidden_hand", f"the hand of seat {seat} is hidden; it cannot be counted")
    if not hand:
        return []
    points = cards_points(position.rules, hand)
    if position.unplayed[seat]:
        flat = _unplayed_points(position, seat, points)
        if flat is not None:
            return [ScoreLine("unplayed", -flat, hand, seat)]
    return [ScoreLine("hand", -points, hand, seat)]


def _unplayed_points(position: Position, seat: int, points: int) -> int | None:
    """Return what a morto never played costs, or None where its cards count as in any hand."""
    rules = position.rules
    flat = rules.unplayed_morto_points
    partner_out = position.out_seat >= 0 and position.out_seat & 1 == seat & 1
    if rules.unplayed_morto == "penalty" or (rules.unplayed_morto == "penalty_unless_partner_out" and not partner_out):
        return flat
    if rules.unplayed_morto == "smaller" and flat < points:
        return flat
    return None


def _morto_waived(position: Position) -> bool:
    taken = Counter(owner for owner in position.morto_owner if owner in (0, 1))
    return position.rules.morto_penalty_waived and not taken
