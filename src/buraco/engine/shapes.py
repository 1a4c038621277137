"""Packed melds in plain values: for positions, score sheets, views and their checks.

The engine's inner loop works on the packed integers themselves; everything around it reads them through this module.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from buraco.cards import JOKER, NO_CARD, RANKS, SUITS, card_text, is_wild_card
from buraco.engine.arguments import whole_number
from buraco.errors import PositionError

if TYPE_CHECKING:
    from buraco.rules import RuleSet

__all__ = ["MeldShape", "card_at", "card_points", "cards_points", "meld_cards", "shape_faults", "unpack"]

_SET_FLAG: Final = 1 << 20


def card_at(suit: int, slot: int) -> int:
    """Return the natural card of a slot of a run (1 the low ace, 14 the high one)."""
    return suit * 13 + (slot - 1) % 13


def card_points(rules: RuleSet, card: int) -> int:
    """Return the value of a card in points; it keeps its own value wherever it lies (rules §1)."""
    if card == JOKER:
        return rules.value_joker
    rank = card % 13
    if rank == 0:
        return rules.value_ace
    if rank == 1:
        return rules.value_two
    return rules.value_high if rank >= 7 else rules.value_low


def cards_points(rules: RuleSet, cards: tuple[int, ...]) -> int:
    """Return the value of several cards in points."""
    return sum(card_points(rules, card) for card in cards)


@dataclass(frozen=True, slots=True)
class MeldShape:
    """A meld in plain values.

    A run has ``suit`` and the slots ``low`` to ``high`` (1 the low ace, 14 the high one), ``rank`` is -1. A set has
    ``rank`` (0 the ace) and ``counts`` of naturals per suit (c d h s); ``suit`` is -1, ``low`` and ``high`` are 0.
    ``wild_card`` is -1 without a wild; ``wild_slot`` is the slot a run's wild fills, else 0.
    """

    is_run: bool
    suit: int
    rank: int
    low: int
    high: int
    counts: tuple[int, int, int, int]
    wild_card: int
    wild_slot: int

    @property
    def has_wild(self) -> bool:
        """Whether a wild lies in the meld (which is then dirty)."""
        return self.wild_card >= 0

    @property
    def size(self) -> int:
        """The number of cards, the wild included."""
        return self.high - self.low + 1 if self.is_run else sum(self.counts) + self.has_wild

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards as they lie: a run by slots, a set by suits and its wild last."""
        if self.is_run:
            return tuple(
                self.wild_card if slot == self.wild_slot else card_at(self.suit, slot)
                for slot in range(self.low, self.high + 1)
            )
        naturals = tuple(suit * 13 + self.rank for suit in range(4) for _ in range(self.counts[suit]))
        return naturals + ((self.wild_card,) if self.has_wild else ())

    @property
    def longest_natural(self) -> int:
        """The number of natural cards in unbroken sequence on one side of the wild; in a set all naturals."""
        if not self.is_run:
            return sum(self.counts)
        if not self.has_wild:
            return self.size
        return max(self.wild_slot - self.low, self.high - self.wild_slot)


def unpack(packed: int) -> MeldShape:
    """Return the shape of a packed meld, whether or not any rules allow it.

    Raises PositionError (code ``meld_packed``) for a number that describes no meld at all, TypeError for what is no
    whole number.
    """
    if type(packed) is not int:
        packed = whole_number("a packed meld", packed)
    if packed < 0 or packed >= 1 << 21:
        raise PositionError("meld_packed", f"{packed} is no packed meld")
    card = packed >> 12 & 63
    wild_card = -1 if card == NO_CARD else card
    if wild_card >= 0 and not (wild_card <= JOKER and is_wild_card(wild_card)):
        raise PositionError("meld_packed", f"{packed} is no packed meld: card {wild_card} is neither a 2 nor a joker")
    if packed & _SET_FLAG:
        return _unpack_set(packed, wild_card)
    low, high, wild_slot = packed & 15, packed >> 4 & 15, packed >> 8 & 15
    if not 1 <= low < high <= 14 or (wild_slot == 0) != (wild_card < 0) or wild_slot and not low <= wild_slot <= high:
        raise PositionError("meld_packed", f"{packed} is no packed meld: slots {low} to {high}, wild in {wild_slot}")
    return MeldShape(True, packed >> 18 & 3, -1, low, high, (0, 0, 0, 0), wild_card, wild_slot)


def _unpack_set(packed: int, wild_card: int) -> MeldShape:
    rank = packed & 15
    if rank > 12 or rank == 1 or packed >> 18 & 3:
        raise PositionError("meld_packed", f"{packed} is no packed meld: a set of rank {rank}")
    field = packed >> 4
    counts = (field & 3, field >> 2 & 3, field >> 4 & 3, field >> 6 & 3)
    return MeldShape(False, -1, rank, 0, 0, counts, wild_card, 0)


def meld_cards(packed: int) -> tuple[int, ...]:
    """Return the cards of a packed meld as they lie (see `MeldShape.cards`)."""
    return unpack(packed).cards


def shape_faults(rules: RuleSet, shape: MeldShape) -> tuple[str, ...]:
    """Name everything that keeps a meld from lying on a table under the rules (rules §2 items 4 and 5)."""
    faults = _run_faults(rules, shape) if shape.is_run else _set_faults(rules, shape)
    strange = sorted({card for card in shape.cards if not _in_pack(rules, card)})
    faults += [f"{card_text(card)} is not in the pack" for card in strange]
    return tuple(faults)


def _in_pack(rules: RuleSet, card: int) -> bool:
    """Say whether the pack of the rules holds a card at all."""
    if card == JOKER:
        return rules.joker_count > 0
    return SUITS[card // 13] in rules.pack_suits and RANKS[card % 13] in rules.pack_ranks


def _run_faults(rules: RuleSet, shape: MeldShape) -> list[str]:
    faults = []
    if shape.size < 3:
        faults.append("a run has three cards or more")
    if shape.size > rules.run_length_max:
        faults.append(f"a run has at most {rules.run_length_max} cards")
    if shape.low == 1 and shape.high == 14 and not rules.aces_both_ends and shape.wild_slot not in (1, 14):
        faults.append("a run may not have natural aces at both ends")
    if shape.wild_slot == 2 and shape.wild_card == shape.suit * 13 + 1:
        faults.append("a 2 of the run's suit below the 3 is natural, not a wild")
    return faults


def _set_faults(rules: RuleSet, shape: MeldShape) -> list[str]:
    faults = []
    if not rules.sets:
        faults.append("sets are not allowed")
    if shape.size < 3:
        faults.append("a set has three cards or more")
    if sum(shape.counts) < 2:
        faults.append("a set has two natural cards or more")
    if max(shape.counts) > rules.pack_copies:
        faults.append("a set holds more copies of a card than the pack")
    return faults
