"""Impossible rule sets: every fault at once, each with a code and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final

from buraco.cards import RANKS, SUITS
from buraco.rules.fields import FIELD_NAMES, FIELD_SPECS, FieldSpec, RuleFields
from buraco.rules.near import near_hint
from buraco.texts import message

__all__ = ["Fault", "faults", "opening_points_max", "pack_points", "pack_size", "problems", "show_value"]

_NAME_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
# No deal can begin with less: the first-turn option needs two stock cards, and somebody must get a second turn.
_STOCK_MIN: Final = 3


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One reason why a rule set cannot be: a stable code, the fields concerned, a `Message` for people."""

    code: str
    fields: tuple[str, ...]
    message: str


def show_value(value: object) -> str:
    """Return a short text, perhaps a `Message`, of any value, however large or nested it is."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "none"}[value]
    if isinstance(value, int):
        return str(value) if abs(value) < 10**12 else message("error.huge_number")
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:40] + "…")
    if isinstance(value, tuple) and len(value) <= 4 and all(type(item) is int for item in value):
        return "[" + ", ".join(show_value(item) for item in value) + "]"
    return message("error.value_of_type", type=type(value).__name__)


def pack_size(rules: RuleFields) -> int:
    """Return the number of cards in the pack of a rule set."""
    return len(rules.pack_suits) * len(rules.pack_ranks) * rules.pack_copies + rules.joker_count


def pack_points(rules: RuleFields) -> int:
    """Return the sum of all card values in the pack, in points."""
    values = {"A": rules.value_ace, "2": rules.value_two}
    one_suit = sum(
        values.get(rank, rules.value_low if rank in "34567" else rules.value_high) for rank in rules.pack_ranks
    )
    return one_suit * len(rules.pack_suits) * rules.pack_copies + rules.joker_count * rules.value_joker


def _text_fault(name: str, spec: FieldSpec, value: object) -> str:
    if not isinstance(value, str):
        return "missing" if value is None else "type"
    if not spec.low <= len(value) <= spec.high or not value.isprintable() or value.strip() != value:
        return "text"
    if name == "name" and (set(value) - _NAME_LETTERS or value[0] == "-"):
        return "name"
    return ""


def _ranked_fault(track: str, spec: FieldSpec, value: object) -> str:
    """Check a run of letters that must stand in the order of a track (suits may have gaps, ranks may not)."""
    if not isinstance(value, str):
        return "type"
    if not spec.low <= len(value) <= spec.high:
        return spec.kind
    if spec.kind == "ranks":
        return "" if value in track else "ranks"
    return "" if value == "".join(letter for letter in track if letter in value) else "suits"


def _counts_fault(value: object) -> str:
    if not isinstance(value, tuple) or not all(type(item) is int for item in value):
        return "type"
    return "" if value in ((2,), (4,), (2, 4)) else "counts"


def _integer_fault(spec: FieldSpec, value: object) -> str:
    if value is None and spec.kind == "optional_integer":
        return ""
    if type(value) is not int:
        return "type"
    return "" if spec.low <= value <= spec.high else "range"


def _choice_fault(spec: FieldSpec, value: object) -> str:
    if not isinstance(value, str):
        return "type"
    return "" if value in spec.choices else "choice"


def _value_fault(name: str, spec: FieldSpec, value: object) -> str:
    """Return which kind of fault a value has: a key of ``problem``, or nothing."""
    match spec.kind:
        case "text":
            return _text_fault(name, spec, value)
        case "suits":
            return _ranked_fault(SUITS, spec, value)
        case "ranks":
            return _ranked_fault(RANKS, spec, value)
        case "counts":
            return _counts_fault(value)
        case "boolean":
            return "" if isinstance(value, bool) else "type"
        case "choice":
            return _choice_fault(spec, value)
        case _:
            return _integer_fault(spec, value)


def _value_faults(values: Mapping[str, object]) -> Iterator[Fault]:
    for name, spec in FIELD_SPECS.items():
        kind = _value_fault(name, spec, values[name])
        if kind:
            told = message(
                f"problem.{kind}",
                field=name,
                value=show_value(values[name]),
                expected=message(f"expected.{spec.kind}"),
                low=spec.low,
                high=spec.high,
                choices=", ".join(spec.choices),
                near=near_hint(values[name], spec.choices),
            )
            yield Fault(code=kind, fields=(name,), message=told)


def _needed_cards(rules: RuleFields) -> int:
    dealt = max(rules.player_counts) * rules.hand_size + 2 * rules.morto_size + int(rules.up_card)
    return dealt + rules.stock_end_count + _STOCK_MIN


def _has_wilds(rules: RuleFields) -> bool:
    return rules.joker_count > 0 or "2" in rules.pack_ranks


def _longest_clean_run(rules: RuleFields) -> int:
    return min(len(rules.pack_ranks) + int(rules.aces_both_ends), rules.run_length_max)


def _longest_clean_set(rules: RuleFields) -> int:
    ranks_with_sets = set(rules.pack_ranks) - {"2"}
    return len(rules.pack_suits) * rules.pack_copies if rules.sets and ranks_with_sets else 0


def _canasta_out_of_reach(rules: RuleFields) -> bool:
    wild = int(_has_wilds(rules) and rules.close_canasta == "any")
    run = min(_longest_clean_run(rules) + wild, rules.run_length_max)
    return max(run, _longest_clean_set(rules) + wild) < rules.canasta_size


def _semi_clean_out_of_reach(rules: RuleFields) -> bool:
    by_run = _longest_clean_run(rules) >= rules.canasta_size < rules.run_length_max
    by_set = _longest_clean_set(rules) >= rules.canasta_size
    return rules.bonus_semi_clean is not None and not (_has_wilds(rules) and (by_run or by_set))


def _wild_rule_without_wilds(rules: RuleFields) -> bool:
    asks = rules.wild_changes_ends or rules.closed_top_wild == "new_meld" or not rules.closing_discard_wild
    return asks and not _has_wilds(rules)


def _aces_pack_short(rules: RuleFields) -> bool:
    # Two aces of one suit and the twelve slots between them, one of which a wild may fill.
    enough = rules.pack_ranks == RANKS or (rules.pack_ranks == RANKS[:12] and _has_wilds(rules))
    return rules.aces_both_ends and not (enough and rules.pack_copies == 2)


def _endless_by_failed_openings(rules: RuleFields) -> bool:
    # The top card of a closed pile is tabled for good unless a failed opening takes it back.
    return rules.pile_closed and rules.opening == "over_turn" and rules.stalemate == "none"


def opening_points_max(rules: RuleFields) -> int:
    """Return the highest minimum, in points, for which the engine searches an opening: 30 of the cheaper plain cards.

    The search is exact, and its work grows with the number of cards that a minimum takes: 150 points where 3 to 7 are
    worth 5 each. Real tables ask 50 to 120.
    """
    return 30 * min(rules.value_low, rules.value_high)


@dataclass(frozen=True)
class _Mix:
    code: str
    fields: tuple[str, ...]
    impossible: Callable[[Any], bool]


_PACK_FIELDS: Final = ("pack_suits", "pack_ranks", "pack_copies", "joker_count")

_MIXES: Final[tuple[_Mix, ...]] = (
    _Mix(
        "pack_too_small",
        (*_PACK_FIELDS, "player_counts", "hand_size", "morto_size", "up_card", "stock_end_count"),
        lambda r: pack_size(r) < _needed_cards(r),
    ),
    _Mix(
        "sets_out_of_reach",
        ("sets", *_PACK_FIELDS),
        lambda r: r.sets and (_longest_clean_set(r) < 2 or _longest_clean_set(r) + int(_has_wilds(r)) < 3),
    ),
    _Mix("one_set_without_sets", ("one_set_per_rank", "sets"), lambda r: r.one_set_per_rank and not r.sets),
    _Mix(
        "aces_need_fourteen", ("aces_both_ends", "run_length_max"), lambda r: r.aces_both_ends and r.run_length_max < 14
    ),
    _Mix("aces_pack_short", ("aces_both_ends", *_PACK_FIELDS), _aces_pack_short),
    _Mix(
        "two_pressed_without_twos",
        ("natural_two_pressed", "pack_ranks"),
        lambda r: r.natural_two_pressed and "2" not in r.pack_ranks,
    ),
    _Mix(
        "wild_rule_without_wilds",
        ("wild_changes_ends", "closed_top_wild", "closing_discard_wild", "pack_ranks", "joker_count"),
        _wild_rule_without_wilds,
    ),
    _Mix("single_card_closed", ("single_card_barred", "pile_closed"), lambda r: r.single_card_barred and r.pile_closed),
    _Mix(
        "top_wild_open",
        ("closed_top_wild", "pile_closed"),
        lambda r: r.closed_top_wild != "any" and not r.pile_closed,
    ),
    _Mix("endless_deal", ("stalemate", "pile_closed"), lambda r: r.stalemate == "none" and not r.pile_closed),
    _Mix("endless_openings", ("stalemate", "pile_closed", "opening"), _endless_by_failed_openings),
    _Mix(
        "stalemate_closed",
        ("stalemate", "pile_closed", "opening"),
        lambda r: r.pile_closed and r.stalemate != "none" and r.opening != "over_turn",
    ),
    _Mix(
        "minimum_without_opening",
        ("opening", "opening_minimum", "opening_vulnerable_minimum", "opening_penalty"),
        lambda r: (
            r.opening == "none" and (r.opening_minimum, r.opening_vulnerable_minimum, r.opening_penalty) != (0, 0, 0)
        ),
    ),
    _Mix(
        "opening_without_minimum",
        ("opening", "opening_minimum", "opening_vulnerable_minimum"),
        lambda r: r.opening != "none" and r.opening_minimum == 0 == r.opening_vulnerable_minimum,
    ),
    _Mix(
        "opening_penalty_at_once",
        ("opening", "opening_penalty"),
        lambda r: r.opening == "at_once" and r.opening_penalty > 0,
    ),
    _Mix(
        "opening_out_of_reach",
        ("opening_minimum", "opening_vulnerable_minimum", *_PACK_FIELDS)
        + ("value_joker", "value_two", "value_ace", "value_high", "value_low"),
        lambda r: max(r.opening_minimum, r.opening_vulnerable_minimum) > pack_points(r),
    ),
    _Mix(
        "opening_too_high",
        ("opening", "opening_minimum", "opening_vulnerable_minimum", "value_high", "value_low"),
        lambda r: (
            r.opening == "at_once" and max(r.opening_minimum, r.opening_vulnerable_minimum) > opening_points_max(r)
        ),
    ),
    _Mix(
        "cut_out_of_reach",
        ("cut_bonus", "cut_bonus_count", *_PACK_FIELDS),
        lambda r: r.cut_bonus > 0 and r.cut_bonus_count >= pack_size(r),
    ),
    _Mix(
        "canasta_out_of_reach",
        ("canasta_size", "close_canasta", "sets", "aces_both_ends", "run_length_max", *_PACK_FIELDS),
        _canasta_out_of_reach,
    ),
    _Mix(
        "semi_clean_out_of_reach",
        ("bonus_semi_clean", "canasta_size", "sets", "aces_both_ends", "run_length_max", *_PACK_FIELDS),
        _semi_clean_out_of_reach,
    ),
    _Mix(
        "clean_13_out_of_reach",
        ("bonus_clean_13", "pack_ranks", "canasta_size"),
        lambda r: r.bonus_clean_13 is not None and (r.pack_ranks != RANKS or r.canasta_size > 13),
    ),
    _Mix(
        "clean_14_out_of_reach",
        ("bonus_clean_14", "pack_ranks", "aces_both_ends"),
        lambda r: r.bonus_clean_14 is not None and (r.pack_ranks != RANKS or not r.aces_both_ends),
    ),
    _Mix(
        "from_ace_without_bonus",
        ("clean_13_from_ace", "bonus_clean_13"),
        lambda r: r.clean_13_from_ace and r.bonus_clean_13 is None,
    ),
    _Mix(
        "at_once_without_bonus",
        ("big_canasta_at_once", "bonus_clean_13", "bonus_clean_14"),
        lambda r: r.big_canasta_at_once and r.bonus_clean_13 is None is r.bonus_clean_14,
    ),
    _Mix("match_without_end", ("target_points", "deal_count"), lambda r: r.target_points == 0 == r.deal_count),
)


def _values(rules: RuleFields | Mapping[str, object]) -> dict[str, object]:
    if isinstance(rules, RuleFields):
        return {name: getattr(rules, name) for name in FIELD_NAMES}
    # A missing name or title shows as the wrong value None.
    defaults = {entry.name: None if entry.default is MISSING else entry.default for entry in fields(RuleFields)}
    return {name: rules.get(name, defaults[name]) for name in FIELD_NAMES}


def _mix_faults(values: Mapping[str, Any], wrong: frozenset[str]) -> Iterator[Fault]:
    rules = RuleFields(**values)
    for mix in _MIXES:
        if wrong.isdisjoint(mix.fields) and mix.impossible(rules):
            params: dict[str, Any] = {name: show_value(values[name]) for name in mix.fields}
            if mix.code == "pack_too_small":
                params |= {"pack": pack_size(rules), "needed": _needed_cards(rules)}
            yield Fault(code=mix.code, fields=mix.fields, message=message(f"problem.{mix.code}", **params))


def faults(rules: RuleFields | Mapping[str, object]) -> tuple[Fault, ...]:
    """Return every fault of a rule set: wrong values first, in the order of the fields, then impossible mixes.

    A mapping may leave fields out: they have their defaults (``name`` and ``title`` have none). Other keys are ignored.
    """
    values = _values(rules)
    found = list(_value_faults(values))
    wrong = frozenset(name for fault in found for name in fault.fields)
    found.extend(_mix_faults(values, wrong))
    return tuple(found)


def problems(rules: RuleFields | Mapping[str, object]) -> tuple[str, ...]:
    """Return the sentences of ``faults(rules)``; empty where the rules are possible."""
    return tuple(fault.message for fault in faults(rules))
