"""The fields of a rule set: type, default, unit and bounds of each.

What a field means is told by the text ``field.<name>`` (``buraco.texts``), where it comes from by
``buraco.rules.citations``. This module checks nothing; ``buraco.rules.problems`` does.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal

from buraco.cards import RANKS, SUITS

__all__ = [
    "FIELD_NAMES",
    "FIELD_SPECS",
    "CloseCanasta",
    "CloseMorto",
    "ClosedTopWild",
    "FieldSpec",
    "FirstDealer",
    "Opening",
    "RuleFields",
    "Stalemate",
    "TieBreak",
    "UnplayedMorto",
    "WildMove",
]

WildMove = Literal["player", "high", "low", "free"]
ClosedTopWild = Literal["any", "new_meld"]
Opening = Literal["none", "at_once", "over_turn"]
CloseMorto = Literal["taken", "none_left"]
CloseCanasta = Literal["clean", "any"]
Stalemate = Literal["none", "turn_cap", "one_card_pile"]
UnplayedMorto = Literal["penalty", "penalty_unless_partner_out", "smaller", "cards"]
TieBreak = Literal["another_deal", "starter", "draw"]
FirstDealer = Literal["random", "cut", "lowest_card"]

Kind = Literal["text", "suits", "ranks", "counts", "integer", "optional_integer", "boolean", "choice"]
Unit = Literal["", "players", "cards", "copies", "points", "turns", "deals"]

# Points stay far below 2^31 even if every card and every meld of a match counts this much.
_POINTS_MAX: Final = 10_000
_TOTAL_MAX: Final = 1_000_000


@dataclass(frozen=True, kw_only=True)
class FieldSpec:
    """What values a field may take.

    ``low`` and ``high`` bound an integer (both inclusive) or the length of a text; ``choices`` are the words of a
    choice; ``unit`` says what an integer counts, empty where nothing is counted.
    """

    kind: Kind
    unit: Unit = ""
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()


def _with(spec: FieldSpec, default: object = dataclasses.MISSING) -> Any:
    return dataclasses.field(default=default, metadata={"spec": spec})


def _integer(default: int, unit: Unit, low: int, high: int) -> Any:
    return _with(FieldSpec(kind="integer", unit=unit, low=low, high=high), default)


def _points(default: int, high: int = _POINTS_MAX) -> Any:
    return _integer(default, "points", 0, high)


def _optional_points() -> Any:
    return _with(FieldSpec(kind="optional_integer", unit="points", low=0, high=_POINTS_MAX), None)


def _boolean(default: bool) -> Any:
    return _with(FieldSpec(kind="boolean"), default)


def _words(*choices: str) -> Mapping[str, FieldSpec]:
    return {"spec": FieldSpec(kind="choice", choices=choices)}


@dataclass(frozen=True, kw_only=True)
class RuleFields:
    """The unchecked fields of a rule set, in the order of the rules page; ``RuleSet`` is the checked value.

    Points are whole numbers, sizes are numbers of cards. ``None`` in a bonus means: no such category.
    """

    name: str = _with(FieldSpec(kind="text", low=1, high=40))
    title: str = _with(FieldSpec(kind="text", low=1, high=80))

    player_counts: tuple[int, ...] = _with(FieldSpec(kind="counts", unit="players", low=2, high=4), (2, 4))
    pack_suits: str = _with(FieldSpec(kind="suits", low=1, high=4), SUITS)
    pack_ranks: str = _with(FieldSpec(kind="ranks", low=3, high=13), RANKS)
    pack_copies: int = _integer(2, "copies", 1, 2)
    joker_count: int = _integer(4, "cards", 0, 4)
    hand_size: int = _integer(11, "cards", 2, 40)
    morto_size: int = _integer(11, "cards", 2, 40)

    value_joker: int = _points(20)
    value_two: int = _points(10)
    value_ace: int = _points(15)
    value_high: int = _points(10)
    value_low: int = _points(5)

    sets: bool = _boolean(False)
    one_set_per_rank: bool = _boolean(False)
    aces_both_ends: bool = _boolean(True)
    run_length_max: int = _integer(14, "cards", 13, 14)

    wild_move: WildMove = field(default="high", metadata=_words("player", "high", "low", "free"))
    wild_changes_ends: bool = _boolean(False)
    natural_two_pressed: bool = _boolean(False)

    up_card: bool = _boolean(False)
    first_turn_option: bool = _boolean(False)
    pile_closed: bool = _boolean(False)
    closed_top_wild: ClosedTopWild = field(default="any", metadata=_words("any", "new_meld"))
    single_card_barred: bool = _boolean(False)

    opening: Opening = field(default="none", metadata=_words("none", "at_once", "over_turn"))
    opening_minimum: int = _points(0)
    opening_vulnerable_minimum: int = _points(0)
    opening_vulnerable_from: int = _points(1500, _TOTAL_MAX)
    opening_penalty: int = _points(0)
    cut_bonus: int = _points(0)
    cut_bonus_count: int = _integer(22, "cards", 1, 107)

    direct_morto: bool = _boolean(True)
    close_morto: CloseMorto = field(default="none_left", metadata=_words("taken", "none_left"))
    close_canasta: CloseCanasta = field(default="clean", metadata=_words("clean", "any"))
    close_by_meld: bool = _boolean(True)
    closing_discard_wild: bool = _boolean(True)

    stock_refill: bool = _boolean(True)
    stock_end_count: int = _integer(0, "cards", 0, 40)
    stalemate: Stalemate = field(default="turn_cap", metadata=_words("none", "turn_cap", "one_card_pile"))
    turn_cap: int = _integer(20, "turns", 1, 1000)

    canasta_size: int = _integer(7, "cards", 3, 14)
    bonus_dirty: int = _points(100)
    bonus_clean: int = _points(200)
    bonus_semi_clean: int | None = _optional_points()
    bonus_clean_13: int | None = _optional_points()
    bonus_clean_14: int | None = _optional_points()
    clean_13_from_ace: bool = _boolean(False)
    big_canasta_at_once: bool = _boolean(False)
    bonus_out: int = _points(100)
    morto_penalty: int = _points(100)
    morto_penalty_waived: bool = _boolean(False)
    unplayed_morto: UnplayedMorto = field(
        default="cards", metadata=_words("penalty", "penalty_unless_partner_out", "smaller", "cards")
    )
    unplayed_morto_points: int = _points(100)

    target_points: int = _points(2000, _TOTAL_MAX)
    deal_count: int = _integer(0, "deals", 0, 10_000)
    tie_break: TieBreak = field(default="another_deal", metadata=_words("another_deal", "starter", "draw"))
    first_dealer: FirstDealer = field(default="random", metadata=_words("random", "cut", "lowest_card"))


FIELD_NAMES: Final[tuple[str, ...]] = tuple(entry.name for entry in dataclasses.fields(RuleFields))
"""The names of all fields of a rule set, in their order."""

FIELD_SPECS: Final[Mapping[str, FieldSpec]] = MappingProxyType(
    {entry.name: entry.metadata["spec"] for entry in dataclasses.fields(RuleFields)}
)
"""What each field is: kind, unit, bounds, choices, by its name."""
