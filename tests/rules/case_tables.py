"""Known cases of melds, additions and points as tables: the same rows test the oracle and the engine.

A row names the case, the rule sets it applies to and the outcome. Cards are texts (``7h``, ``X``); a layout is the
cards in their places, lowest first. Where rule sets differ, a case has several rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, TypeVar

from buraco.rules import RULE_SETS, RuleSet

__all__ = [
    "ADDITIONS",
    "BEST",
    "POINTS",
    "READINGS",
    "AdditionCase",
    "BestCase",
    "PointCase",
    "ReadingCase",
    "applied",
    "identified",
    "span",
]

Applies: TypeAlias = Callable[[RuleSet], bool]


def every(rules: RuleSet) -> bool:
    """Apply to every rule set."""
    return bool(rules.name)


def jokers(rules: RuleSet) -> bool:
    """Apply where the pack has jokers."""
    return rules.joker_count > 0


def sets(rules: RuleSet) -> bool:
    """Apply where sets are laid."""
    return rules.sets


def no_sets(rules: RuleSet) -> bool:
    """Apply where sets are not laid."""
    return not rules.sets


def two_aces(rules: RuleSet) -> bool:
    """Apply where aces lie at both ends."""
    return rules.aces_both_ends


def one_ace(rules: RuleSet) -> bool:
    """Apply where a run has one ace."""
    return not rules.aces_both_ends


def moves(*names: str) -> Applies:
    """Apply where a replaced wild goes by one of these rules."""
    return lambda rules: rules.wild_move in names


def named(*names: str) -> Applies:
    """Apply to the rule sets of these names."""
    return lambda rules: rules.name in names


def values(joker: int, two: int) -> Applies:
    """Apply where a joker and a 2 are worth this."""
    return lambda rules: (rules.value_joker, rules.value_two) == (joker, two)


def both(*filters: Applies) -> Applies:
    """Apply where all of these apply."""
    return lambda rules: all(one(rules) for one in filters)


def span(suit: str, ranks: str) -> str:
    """Return the cards of these ranks in one suit, in order."""
    return " ".join(rank + suit for rank in ranks)


BR: Final = values(20, 10)
IT: Final = values(30, 20)
GD: Final = values(50, 10)
BURRACO: Final = named("burraco", "burraco-fibur")


class _Case(Protocol):
    @property
    def case(self) -> str: ...
    @property
    def applies(self) -> Applies: ...


C = TypeVar("C", bound=_Case)


def applied(cases: Iterable[C]) -> list[tuple[RuleSet, C]]:
    """Return every case with every rule set it applies to."""
    return [(rules, case) for case in cases for rules in RULE_SETS.values() if case.applies(rules)]


def identified(rows: Iterable[tuple[RuleSet, _Case]]) -> list[str]:
    """Return the test id of each row: the case and the rule set."""
    return [f"{case.case}-{rules.name}" for rules, case in rows]


@dataclass(frozen=True)
class ReadingCase:
    """Loose cards and every layout they may be laid in as one new meld."""

    case: str
    applies: Applies
    cards: str
    layouts: tuple[str, ...]


@dataclass(frozen=True)
class AdditionCase:
    """A meld, a card, and every layout that its addition may give."""

    case: str
    applies: Applies
    meld: str
    card: str
    layouts: tuple[str, ...]


@dataclass(frozen=True)
class PointCase:
    """A meld as it lies, the value of its cards and its bonus."""

    case: str
    applies: Applies
    meld: str
    cards: int
    bonus: int
    at_once: bool = True


@dataclass(frozen=True)
class BestCase:
    """Loose cards, what their best reading scores in all, and that reading (one of these)."""

    case: str
    applies: Applies
    cards: str
    total: int
    layouts: tuple[str, ...]


HEARTS_TO_Q: Final = span("h", "A23456789TJQ")
HEARTS_TO_K: Final = span("h", "A23456789TJQK")
HEARTS_3_TO_K: Final = span("h", "3456789TJQK")

READINGS: Final[tuple[ReadingCase, ...]] = (
    ReadingCase("M1", every, "Ah 2h 2s", ("Ah 2h 2s",)),
    ReadingCase("M2", jokers, "Ah 2h X", ("Ah 2h X",)),
    ReadingCase("M3", every, "2h 3h 2s", ("2h 3h 2s", "2s 2h 3h")),
    ReadingCase("M4", jokers, "2h 3h X", ("2h 3h X", "X 2h 3h")),
    ReadingCase("M7", every, "Ah 2h 2h", ("Ah 2h 2h",)),
    ReadingCase("M9", every, "2h 2s 3h 4h", ("2s 2h 3h 4h", "2h 3h 4h 2s")),
    ReadingCase("M10a", jokers, "2h 2s X", ()),
    ReadingCase("M10b", every, "2h 2h 2s", ()),
    ReadingCase("M10c", jokers, "X 2h 2h", ()),
    ReadingCase("M10d", jokers, "X X 2h", ()),
    ReadingCase("M11", no_sets, "7c 7c 7d", ()),
    ReadingCase("M14", both(jokers, two_aces), f"{HEARTS_TO_Q} X Ah", (f"{HEARTS_TO_Q} X Ah",)),
    ReadingCase("M14", both(jokers, one_ace), f"{HEARTS_TO_Q} X Ah", ()),
    ReadingCase("M14-two", two_aces, f"{HEARTS_TO_Q} 2s Ah", (f"{HEARTS_TO_Q} 2s Ah",)),
    ReadingCase("M14-two", one_ace, f"{HEARTS_TO_Q} 2s Ah", ()),
    ReadingCase("M14-natural", two_aces, f"{HEARTS_TO_K} Ah", (f"{HEARTS_TO_K} Ah",)),
    ReadingCase("M14-natural", one_ace, f"{HEARTS_TO_K} Ah", ()),
    ReadingCase("M15a", every, "Kh Ah 2h", ("2h Kh Ah",)),
    ReadingCase("M15b", every, "Kh Ah 2h 3h", ()),
    ReadingCase("M17", every, span("h", "A23456789T"), (span("h", "A23456789T"),)),
    ReadingCase("M18", every, span("h", "2345678"), (span("h", "2345678"), span("h", "3456782"))),
    ReadingCase("M19", every, "4h 6h 7h", ()),
    ReadingCase("M22a", jokers, "5h 7h X", ("5h X 7h",)),
    ReadingCase("M22b", jokers, "5h 2s X", ()),
    ReadingCase("M23", every, "4c 2d 7c", ()),
    ReadingCase("M24-run", every, "Ac 2c 3c", ("Ac 2c 3c",)),
    ReadingCase("M24-high", every, "Qc Kc Ac", ("Qc Kc Ac",)),
    ReadingCase("M24-set", sets, "Ac Ad Ah", ("Ac Ad Ah",)),
    ReadingCase("M25", sets, "Ah Ah As", ("Ah Ah As",)),
    ReadingCase("M25", no_sets, "Ah Ah As", ()),
    ReadingCase("M27", every, "2d 2h 2s", ()),
    ReadingCase("X2", every, "8h 2h Th Jh", ("8h 2h Th Jh",)),
    ReadingCase("X8", every, "3h 4h 2h 6h", ("3h 4h 2h 6h",)),
    ReadingCase("S2.4-one-wild", every, "As 2s 3s 2h 5s", ("As 2s 3s 2h 5s",)),
    ReadingCase("S2.4-second-two", every, "2h 3h 4h 2h 6h", ("2h 3h 4h 2h 6h",)),
    ReadingCase("S2.5-nine", sets, "7c 7c 7d 7d 7h 7h 7s 7s 2c", ("7c 7c 7d 7d 7h 7h 7s 7s 2c",)),
    ReadingCase("S2.5-two-wilds", sets, "7c 7d 2c 2d", ()),
    ReadingCase("S2.5-jokers", jokers, "X X X", ()),
    ReadingCase("S4-printed-slip", every, "3c 4d 5h", ()),
    ReadingCase("C1", jokers, f"Ah X {HEARTS_3_TO_K}", (f"Ah X {HEARTS_3_TO_K}", f"X {HEARTS_3_TO_K} Ah")),
    ReadingCase(
        "S4-ace-low-wild-high",
        named("aberto-sujo", "burraco-fibur"),
        f"{HEARTS_TO_K} X",
        (
            f"{HEARTS_TO_K} X",
            f"X {span('h', '23456789TJQKA')}",
        ),
    ),
    ReadingCase("S4-ace-low-wild-high", named("burraco"), f"{HEARTS_TO_K} X", ()),
    ReadingCase(
        "S4-ace-low-wild-high",
        both(jokers, two_aces),
        f"{HEARTS_TO_K} X",
        (
            f"{HEARTS_TO_K} X",
            f"X {span('h', '23456789TJQKA')}",
        ),
    ),
)

NINE_FROM_TWO: Final = span("h", "23456789")

ADDITIONS: Final[tuple[AdditionCase, ...]] = (
    AdditionCase("M12", two_aces, span("h", "23456789TJQK"), "Ah", (HEARTS_TO_K, span("h", "23456789TJQKA"))),
    AdditionCase("M12", one_ace, span("h", "23456789TJQK"), "Ah", (HEARTS_TO_K, span("h", "23456789TJQKA"))),
    AdditionCase("M12-again", one_ace, HEARTS_TO_K, "Ah", ()),
    AdditionCase("M12-again", two_aces, HEARTS_TO_K, "Ah", (f"{HEARTS_TO_K} Ah",)),
    AdditionCase("M12-third", two_aces, f"{HEARTS_TO_K} Ah", "Ah", ()),
    AdditionCase("M20", every, "4h 5h 6h", "7c", ()),
    AdditionCase("M24", every, "2c 3c 4c", "Ac", ("Ac 2c 3c 4c",)),
    AdditionCase("M24-high", every, "Jc Qc Kc", "Ac", ("Jc Qc Kc Ac",)),
    AdditionCase("X1", moves("player", "high", "low"), "3h 4h 5h 6h 7h 2h 9h", "8h", (NINE_FROM_TWO,)),
    AdditionCase("X1", moves("free"), "3h 4h 5h 6h 7h 2h 9h", "8h", (NINE_FROM_TWO, "3h 4h 5h 6h 7h 8h 9h 2h")),
    AdditionCase("X4", jokers, "3h 4h X 6h", "2h", ("2h 3h 4h X 6h",)),
    AdditionCase("X4-two", every, "3h 4h 2s 6h", "2h", ("2h 3h 4h 2s 6h",)),
    AdditionCase("X7-three", every, "4h 5h 6h", "3h", ("3h 4h 5h 6h",)),
    AdditionCase("X7-two", every, "3h 4h 5h 6h", "2h", ("2h 3h 4h 5h 6h", "3h 4h 5h 6h 2h")),
    AdditionCase("X7-two-first", every, "4h 5h 6h", "2h", ("2h 4h 5h 6h", "4h 5h 6h 2h")),
    AdditionCase("X7-three-last", moves("player", "high", "low"), "2h 4h 5h 6h", "3h", ("2h 3h 4h 5h 6h",)),
    AdditionCase("X7-three-last", moves("free"), "2h 4h 5h 6h", "3h", ("2h 3h 4h 5h 6h", "3h 4h 5h 6h 2h")),
    AdditionCase("X10-joker", jokers, "Js Qs Ks", "X", ("X Js Qs Ks", "Js Qs Ks X")),
    AdditionCase("X10-nine", jokers, "X Js Qs Ks", "9s", ("9s X Js Qs Ks",)),
    AdditionCase("X10-ace", both(jokers, moves("player", "high")), "Js Qs Ks X", "9s", ()),
    AdditionCase("X10-ace", both(jokers, named("fechado-50")), "Js Qs Ks X", "9s", ()),
    AdditionCase("X10-ace", both(jokers, moves("free")), "Js Qs Ks X", "9s", ("9s X Js Qs Ks",)),
    AdditionCase("X10-ace", BURRACO, "Js Qs Ks X", "9s", ("9s X Js Qs Ks",)),
    AdditionCase("S5.1", moves("player", "high", "low"), "2h 4h 5h 6h 7h 8h 9h", "3h", (NINE_FROM_TWO,)),
    AdditionCase("S5.1", moves("free"), "2h 4h 5h 6h 7h 8h 9h", "3h", (NINE_FROM_TWO, f"{span('h', '34567892')}")),
    AdditionCase(
        "S5.1-joker", both(jokers, moves("high")), "X 4h 5h 6h 7h 8h 9h", "3h", (f"{span('h', '3456789')} X",)
    ),
    AdditionCase("S5.1-joker", moves("low"), "X 4h 5h 6h 7h 8h 9h", "3h", (f"X {span('h', '3456789')}",)),
    AdditionCase(
        "S5.1-joker",
        moves("player", "free"),
        "X 4h 5h 6h 7h 8h 9h",
        "3h",
        (
            f"X {span('h', '3456789')}",
            f"{span('h', '3456789')} X",
        ),
    ),
    AdditionCase("S5.2", moves("low"), "Js 2h Ks", "Qs", ("2h Js Qs Ks",)),
    AdditionCase("S5.2", moves("high"), "Js 2h Ks", "Qs", ("Js Qs Ks 2h",)),
    AdditionCase("S5.2", moves("player", "free"), "Js 2h Ks", "Qs", ("2h Js Qs Ks", "Js Qs Ks 2h")),
    AdditionCase("S5.2-joker", moves("low"), "Js X Ks", "Qs", ("X Js Qs Ks",)),
    AdditionCase("S5.3-high-shut", jokers, "Td Jd X Kd Ad", "Qd", ("X Td Jd Qd Kd Ad",)),
    AdditionCase("S5.3-high-shut-two", every, "Td Jd 2s Kd Ad", "Qd", ("2s Td Jd Qd Kd Ad",)),
    AdditionCase("S5.3-low-shut", jokers, "Ah X 3h", "2h", ("Ah 2h 3h X",)),
    AdditionCase("S5.3-low-shut-two", every, "Ah 2s 3h", "2h", ("Ah 2h 3h 2s",)),
    AdditionCase("S5.4", both(jokers, two_aces), f"{HEARTS_TO_Q} X Ah", "Kh", ()),
    AdditionCase("S5.4-two", two_aces, f"{HEARTS_TO_Q} 2s Ah", "Kh", ()),
    AdditionCase("S5.4-own-two", two_aces, f"{span('h', 'A23456')} 2h {span('h', '89TJQKA')}", "7h", ()),
    AdditionCase("S5.4-one-ace", named("aberto-sujo", "burraco-fibur"), f"{HEARTS_TO_K} X", "Ah", ()),
    AdditionCase("S4-thirteen", named("burraco"), HEARTS_TO_K, "X", ()),
    AdditionCase(
        "S4-thirteen", both(jokers, lambda rules: rules.run_length_max == 14), HEARTS_TO_K, "X", (f"{HEARTS_TO_K} X",)
    ),
    AdditionCase("S4-thirteen-mirror", named("burraco"), span("h", "23456789TJQKA"), "X", ()),
    AdditionCase(
        "S4-thirteen-mirror",
        both(jokers, lambda rules: rules.run_length_max == 14),
        span("h", "23456789TJQKA"),
        "X",
        (f"X {span('h', '23456789TJQKA')}",),
    ),
    AdditionCase("S4-own-two-home", moves("player", "high", "low"), "3s 2s 5s", "4s", ("2s 3s 4s 5s",)),
    AdditionCase("S4-own-two-home", moves("free"), "3s 2s 5s", "4s", ("2s 3s 4s 5s", "3s 4s 5s 2s")),
    AdditionCase("S2.8-two-four", moves("player", "high", "low"), "2h 4h 5h", "3h", ("2h 3h 4h 5h",)),
    AdditionCase("S3-pressed", lambda rules: rules.natural_two_pressed, "2h 3h 4h 5h", "7h", ("3h 4h 5h 2h 7h",)),
    AdditionCase("S3-pressed", lambda rules: not rules.natural_two_pressed, "2h 3h 4h 5h", "7h", ()),
    AdditionCase("S3-pressed-unneeded", every, "2h 3h 4h 5h", "6h", ("2h 3h 4h 5h 6h",)),
    AdditionCase("S3-pressed-ace-stays", every, "Ah 2h 3h 4h 5h", "7h", ()),
    AdditionCase("S3-ends-to-high", BURRACO, "X 4h 5h 6h", "8h", ("4h 5h 6h X 8h",)),
    AdditionCase("S3-ends-to-high", both(jokers, moves("free")), "X 4h 5h 6h", "8h", ("4h 5h 6h X 8h",)),
    AdditionCase("S3-ends-to-high", both(jokers, moves("player", "high")), "X 4h 5h 6h", "8h", ()),
    AdditionCase("S3-ends-to-high", named("fechado-50"), "X 4h 5h 6h", "8h", ()),
    AdditionCase("S3-ends-to-low", BURRACO, "6h 7h 8h 2s", "4h", ("4h 2s 6h 7h 8h",)),
    AdditionCase("S3-ends-unneeded", BURRACO, "X 4h 5h 6h", "7h", ("X 4h 5h 6h 7h",)),
    AdditionCase("S2.5-wild", both(sets, jokers), "7c 7d 7s", "X", ("7c 7d 7s X",)),
    AdditionCase("S2.5-natural", sets, "7c 7d 7s", "7c", ("7c 7c 7d 7s",)),
    AdditionCase("S2.5-second-wild", both(sets, jokers), "7c 7d 2s", "X", ()),
    AdditionCase("S2.5-rank", sets, "7c 7d 7s", "8c", ()),
)

POINTS: Final[tuple[PointCase, ...]] = (
    PointCase("M1", BR, "Ah 2h 2s", 35, 0),
    PointCase("M14", both(BR, jokers, two_aces), f"{HEARTS_TO_Q} X Ah", 135, 100),
    PointCase("M14", GD, f"{HEARTS_TO_Q} X Ah", 165, 100),
    PointCase("M17", BR, span("h", "A23456789T"), 80, 200),
    PointCase("M18", BR, span("h", "2345678"), 45, 200),
    PointCase("M18-nine", BR, span("h", "3456782"), 45, 100),
    PointCase("X8", BR, "3h 4h 2h 6h", 25, 0),
    PointCase("C4", BR, "6h 7h 2h", 20, 0),
    PointCase("C4", IT, "6h 7h 2h", 30, 0),
    PointCase("C4", GD, "6h 7h 2h", 20, 0),
    PointCase("S4-45", BR, span("h", "3456789"), 45, 200),
    PointCase("S5.1", BR, "2h 4h 5h 6h 7h 8h 9h", 50, 100),
    PointCase("S5.1", both(IT, lambda rules: rules.bonus_semi_clean is None), "2h 4h 5h 6h 7h 8h 9h", 60, 100),
    PointCase("S5.1", GD, "2h 4h 5h 6h 7h 8h 9h", 50, 100),
    PointCase("S5.1-clean", BR, NINE_FROM_TWO, 55, 200),
    PointCase("S5.1-clean", IT, NINE_FROM_TWO, 65, 200),
    PointCase("S5.1-clean", GD, NINE_FROM_TWO, 55, 200),
    PointCase("S5.1-joker", both(BR, jokers), f"{span('h', '3456789')} X", 65, 100),
    PointCase("C10-A-K", both(BR, lambda rules: rules.name != "classico"), HEARTS_TO_K, 110, 500),
    PointCase("C10-A-K", named("classico"), HEARTS_TO_K, 110, 200),
    PointCase("C10-A-K", named("aberto-sujo"), HEARTS_TO_K, 120, 500),
    PointCase("C10-A-K", BURRACO, HEARTS_TO_K, 120, 200),
    PointCase("C10-A-K", GD, HEARTS_TO_K, 110, 500),
    PointCase("C10-A-K-grown", GD, HEARTS_TO_K, 110, 200, at_once=False),
    PointCase("C10-A-K-grown", both(BR, lambda rules: rules.name != "classico"), HEARTS_TO_K, 110, 500, at_once=False),
    PointCase("C10-2-A", both(BR, lambda rules: rules.name != "classico"), span("h", "23456789TJQKA"), 110, 500),
    PointCase("C10-2-A", named("classico", "fechado-50"), span("h", "23456789TJQKA"), 110, 200),
    PointCase("C10-2-A", named("aberto-sujo"), span("h", "23456789TJQKA"), 120, 500),
    PointCase("C10-2-A", BURRACO, span("h", "23456789TJQKA"), 120, 200),
    PointCase("C10-A-A", both(BR, lambda rules: rules.name != "classico"), f"{HEARTS_TO_K} Ah", 125, 1000),
    PointCase("C10-A-A", named("classico"), f"{HEARTS_TO_K} Ah", 125, 200),
    PointCase("C10-A-A", GD, f"{HEARTS_TO_K} Ah", 125, 1000),
    PointCase("C10-A-A-grown", GD, f"{HEARTS_TO_K} Ah", 125, 200, at_once=False),
    PointCase("C10-twelve", lambda rules: rules.value_two == 10, span("h", "23456789TJQK"), 95, 200),
    PointCase("C10-twelve", IT, span("h", "23456789TJQK"), 105, 200),
    PointCase("S4-sujo-fourteen", named("aberto-sujo"), f"{HEARTS_TO_K} X", 150, 100),
    PointCase("S4-sujo-mirror", named("aberto-sujo"), f"X {span('h', '23456789TJQKA')}", 150, 100),
    PointCase("S6-fourteen", named("burraco-fibur"), f"{HEARTS_TO_K} X", 150, 150),
    PointCase("S6-set", named("burraco-fibur"), "7c 7c 7d 7d 7h 7h 7s 2c", 55, 150),
    PointCase("S6-set", named("burraco"), "7c 7c 7d 7d 7h 7h 7s 2c", 55, 100),
    PointCase("S6-set-of-six", BURRACO, "7c 7c 7d 7d 7h 7h 2c", 50, 100),
    PointCase("S6-set-clean", BURRACO, "7c 7c 7d 7d 7h 7h 7s", 35, 200),
    PointCase("S6-whatever-beyond", named("burraco-fibur"), f"{span('h', '3456789')} X Jh Qh", 95, 150),
    PointCase("S6-six-beside", named("burraco-fibur"), f"{span('h', '456789')} X Jh Qh", 90, 100),
    PointCase("C9-dirty-set", both(sets, BR), "Kc Kc Kd Kd Kh Kh X", 80, 100),
    PointCase("W1", IT, "4s 4s 4c 2h", 35, 0),
    PointCase("W2", IT, "Tc Ts Td X", 60, 0),
    PointCase("W3", IT, "7h 8h 9h", 25, 0),
    PointCase("W4", IT, "As 2s 3s 2h 5s", 65, 0),
    PointCase("W5", IT, "9c 2c Jc", 40, 0),
    PointCase("W6", IT, "X 5d 6d", 40, 0),
)


def _c3(number: int, cards: str, total: int, layout: str, semi: int | None = None) -> tuple[BestCase, ...]:
    plain = both(IT, lambda rules: rules.bonus_semi_clean is None)
    other = both(IT, lambda rules: rules.bonus_semi_clean is not None)
    return (
        BestCase(f"C3.{number}", plain, cards, total, (layout,)),
        BestCase(f"C3.{number}", other, cards, total if semi is None else semi, (layout,)),
    )


LOW_C1: Final = f"Ah X {HEARTS_3_TO_K}"
HIGH_C1: Final = f"X {HEARTS_3_TO_K} Ah"

BEST: Final[tuple[BestCase, ...]] = (
    BestCase("C1", both(BR, jokers), LOW_C1, 220, (LOW_C1, HIGH_C1)),
    BestCase("C1", GD, LOW_C1, 250, (LOW_C1, HIGH_C1)),
    BestCase("C1", named("burraco", "aberto-sujo"), LOW_C1, 230, (LOW_C1, HIGH_C1)),
    BestCase("C1", named("burraco-fibur"), LOW_C1, 280, (LOW_C1, HIGH_C1)),
    BestCase("M18", BR, span("h", "2345678"), 245, (span("h", "2345678"),)),
    *_c3(1, "3d 4d 5d", 15, "3d 4d 5d"),
    *_c3(2, "Qd Kd Ad", 35, "Qd Kd Ad"),
    *_c3(3, "Ad 2h Kd", 45, "2h Kd Ad"),
    *_c3(4, span("d", "A234567"), 260, span("d", "A234567")),
    *_c3(5, f"Ad 2h {span('d', '34567')}", 160, f"Ad 2h {span('d', '34567')}"),
    *_c3(6, f"Ad 2h {span('d', '3456789')}", 180, f"Ad 2h {span('d', '3456789')}", 230),
    *_c3(7, span("d", "A23456789"), 280, span("d", "A23456789")),
    *_c3(8, f"{span('d', 'A2345')} X 7d 8d 9d", 205, f"{span('d', 'A2345')} X 7d 8d 9d"),
    *_c3(9, span("d", "23456789"), 265, span("d", "23456789")),
    *_c3(10, f"2h {span('d', '3456789')}", 165, f"2h {span('d', '3456789')}", 215),
    *_c3(11, span("d", "289TJQKA"), 195, span("d", "289TJQKA"), 245),
    *_c3(12, span("d", "29TJQKA"), 185, span("d", "29TJQKA")),
    *_c3(13, span("d", "89TJ2KA"), 185, span("d", "89TJ2KA")),
)
