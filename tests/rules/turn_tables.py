"""Known cases of the end of a turn, the closed pile, the opening and the score of a side, as tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from buraco.rules import RuleSet
from tests.oracle import DealEnd, Meld, SideEnd, Table, parse_meld
from tests.rules.case_tables import Applies, both, every, jokers, named, span

__all__ = [
    "DISCARDS",
    "LAYS",
    "OPENINGS",
    "PILES",
    "SCORES",
    "AddOrLay",
    "Discard",
    "Opening",
    "Pile",
    "Score",
    "table_of",
]

CLEAN: Final = span("h", "3456789")
DIRTY: Final = span("h", "345678") + " 2s"
SHORT: Final = span("s", "345")


def taken(rules: RuleSet) -> bool:
    """Apply where closing needs a morto taken."""
    return rules.close_morto == "taken"


def none_left(rules: RuleSet) -> bool:
    """Apply where closing needs no morto to take."""
    return rules.close_morto == "none_left"


def clean_closes(rules: RuleSet) -> bool:
    """Apply where closing needs a clean canasta."""
    return rules.close_canasta == "clean"


def any_closes(rules: RuleSet) -> bool:
    """Apply where closing needs any canasta."""
    return rules.close_canasta == "any"


def meld_closes(rules: RuleSet) -> bool:
    """Apply where a meld may take the last card."""
    return rules.close_by_meld


def discard_closes(rules: RuleSet) -> bool:
    """Apply where the last card must be discarded."""
    return not rules.close_by_meld


def wild_closes(rules: RuleSet) -> bool:
    """Apply where the last discard may be a wild."""
    return rules.closing_discard_wild


def no_wild_closes(rules: RuleSet) -> bool:
    """Apply where the last discard may not be a wild."""
    return not rules.closing_discard_wild


def direct(rules: RuleSet) -> bool:
    """Apply where a meld may empty the hand for a morto."""
    return rules.direct_morto


def not_direct(rules: RuleSet) -> bool:
    """Apply where a meld may never empty the hand."""
    return not rules.direct_morto


def closed(rules: RuleSet) -> bool:
    """Apply where the pile is closed."""
    return rules.pile_closed


def top_free(rules: RuleSet) -> bool:
    """Apply where a wild on top of a closed pile may be used anyhow."""
    return rules.pile_closed and rules.closed_top_wild == "any"


def top_new(rules: RuleSet) -> bool:
    """Apply where a wild on top of a closed pile begins a meld."""
    return rules.pile_closed and rules.closed_top_wild == "new_meld"


def table_of(melds: tuple[str, ...], took_morto: bool, mortos_left: int, barred: str | None = None) -> Table:
    """Return the table of a side whose melds are texts."""
    return Table(tuple(parse_meld(meld) for meld in melds), took_morto, mortos_left, barred)


@dataclass(frozen=True)
class AddOrLay:
    """A play from a hand: a new meld as it is to lie, or with ``index`` a card added so that that meld lies so."""

    case: str
    applies: Applies
    allowed: bool
    hand: str
    layout: str
    melds: tuple[str, ...] = ()
    took_morto: bool = True
    mortos_left: int = 1
    index: int | None = None
    card: str = ""
    barred: str | None = None


@dataclass(frozen=True)
class Discard:
    """A discard from a hand."""

    case: str
    applies: Applies
    allowed: bool
    hand: str
    card: str
    melds: tuple[str, ...] = ()
    took_morto: bool = True
    mortos_left: int = 1
    barred: str | None = None


@dataclass(frozen=True)
class Pile:
    """Whether a closed pile may be taken: its top card, the number of cards below, the hand and the side's melds."""

    case: str
    applies: Applies
    allowed: bool
    hand: str
    top: str
    below: int = 4
    melds: tuple[str, ...] = ()
    took_morto: bool = False
    mortos_left: int = 2


@dataclass(frozen=True)
class Opening:
    """Whether a hand can open with a minimum."""

    case: str
    applies: Applies
    allowed: bool
    hand: str
    need: int


@dataclass(frozen=True)
class Score:
    """The score of side 0 when a deal ends like this."""

    case: str
    applies: Applies
    total: int
    own: SideEnd
    other: SideEnd = field(default_factory=SideEnd)

    @property
    def end(self) -> DealEnd:
        """The end of the deal."""
        return DealEnd((self.own, self.other))


LAYS: Final[tuple[AddOrLay, ...]] = (
    AddOrLay("S5.5", discard_closes, False, "5c 6c 7c", "5c 6c 7c", (CLEAN,)),
    AddOrLay("S5.5", meld_closes, True, "5c 6c 7c", "5c 6c 7c", (CLEAN,)),
    AddOrLay("G3", meld_closes, True, "5c 6c 7c", "5c 6c 7c", (CLEAN,), mortos_left=0),
    AddOrLay("S5.6", every, False, "5c 6c 7c Kd", "5c 6c 7c", (SHORT,)),
    AddOrLay("S5.6-canasta", every, True, "5c 6c 7c Kd", "5c 6c 7c", (CLEAN,)),
    AddOrLay("S5.6-wild", both(jokers, wild_closes), True, "5c 6c 7c X", "5c 6c 7c", (CLEAN,)),
    AddOrLay(
        "S5.6-wild-stuck", both(jokers, no_wild_closes), False, "5c 6c 7c X", "5c 6c 7c", (span("s", "A23456789TJQK"),)
    ),
    AddOrLay("S5.7", direct, True, "5c 6c 7c", "5c 6c 7c", (CLEAN,), took_morto=False),
    AddOrLay("S5.7", not_direct, False, "5c 6c 7c", "5c 6c 7c", (CLEAN,), took_morto=False),
    AddOrLay("G5", every, False, "5c 6c 7c", "5c 6c 7c", (SHORT,)),
    AddOrLay("G1-two-left", every, True, "5c 6c 7c Kd Qd", "5c 6c 7c", (SHORT,)),
    AddOrLay("G10-dirty", clean_closes, False, "5c 6c 7c Kd", "5c 6c 7c", (DIRTY,)),
    AddOrLay("G10-dirty", any_closes, True, "5c 6c 7c Kd", "5c 6c 7c", (DIRTY,)),
    AddOrLay("G8-no-morto-left", taken, False, "5c 6c 7c Kd", "5c 6c 7c", (CLEAN,), took_morto=False, mortos_left=0),
    AddOrLay("G8-no-morto-left", none_left, True, "5c 6c 7c Kd", "5c 6c 7c", (CLEAN,), took_morto=False, mortos_left=0),
    AddOrLay("M11-set", every, False, "7c 7d Kd Qs Js", "7c 7c 7d", ()),
    AddOrLay("M11-run", every, False, "7c 8c Kd Qs Js", "7c 8c 9c", ()),
    AddOrLay(
        "G10-completes", meld_closes, True, "9h", span("h", "3456789"), (span("h", "345678"),), index=0, card="9h"
    ),
    AddOrLay(
        "G10-completes", discard_closes, False, "9h", span("h", "3456789"), (span("h", "345678"),), index=0, card="9h"
    ),
    AddOrLay(
        "G10-completes-then-discard",
        every,
        True,
        "9h Kd",
        span("h", "3456789"),
        (span("h", "345678"),),
        index=0,
        card="9h",
    ),
    AddOrLay("G10-spoils", clean_closes, False, "2s Kd", span("h", "3456789") + " 2s", (CLEAN,), index=0, card="2s"),
    AddOrLay("G10-spoils", any_closes, True, "2s Kd", span("h", "3456789") + " 2s", (CLEAN,), index=0, card="2s"),
    AddOrLay("G1-add", every, False, "6s Kd", "3s 4s 5s 6s", (SHORT,), index=0, card="6s"),
    AddOrLay("G1-add-two-left", every, True, "6s Kd Qd", "3s 4s 5s 6s", (SHORT,), index=0, card="6s"),
    AddOrLay("G6-add-direct", direct, True, "6s", "3s 4s 5s 6s", (SHORT,), took_morto=False, index=0, card="6s"),
    AddOrLay("G6-add-direct", not_direct, False, "6s", "3s 4s 5s 6s", (SHORT,), took_morto=False, index=0, card="6s"),
    AddOrLay("G6-one-left", every, True, "6s Kd", "3s 4s 5s 6s", (SHORT,), took_morto=False, index=0, card="6s"),
    AddOrLay("S2.10-last-added", both(meld_closes, jokers), True, "5c 6c 7c 8c", "5c 6c 7c", (CLEAN,)),
    AddOrLay(
        "S2.10-barred-left",
        lambda rules: rules.single_card_barred,
        False,
        "5c 6c 7c Kd",
        "5c 6c 7c",
        (CLEAN,),
        barred="Kd",
    ),
    AddOrLay(
        "S2.10-barred-two-left",
        lambda rules: rules.single_card_barred,
        True,
        "5c 6c 7c Kd Qs",
        "5c 6c 7c",
        (CLEAN,),
        barred="Kd",
    ),
    AddOrLay("S6-one-set", lambda rules: rules.one_set_per_rank, False, "Kc Kd Kh 3c 4d", "Kc Kd Kh", ("Kc Kd Ks",)),
    AddOrLay(
        "S6-one-set",
        lambda rules: rules.sets and not rules.one_set_per_rank,
        True,
        "Kc Kd Kh 3c 4d",
        "Kc Kd Kh",
        ("Kc Kd Ks",),
    ),
    AddOrLay("S6-one-set-other-rank", lambda rules: rules.sets, True, "Qc Qd Qh 3c 4d", "Qc Qd Qh", ("Kc Kd Ks",)),
    AddOrLay("S2.7-runs", every, True, "3s 4s 5s 3c 4d", "3s 4s 5s", ("3s 4s 5s",)),
)

DISCARDS: Final[tuple[Discard, ...]] = (
    Discard("G1", every, False, "9d", "9d", (SHORT,)),
    Discard("G1-morto-waits", every, True, "9d", "9d", (SHORT,), took_morto=False),
    Discard("G1-two", every, True, "9d Kc", "9d", (SHORT,)),
    Discard("G10-clean", every, True, "9d", "9d", (CLEAN,)),
    Discard("G10-dirty", clean_closes, False, "9d", "9d", (DIRTY,)),
    Discard("G10-dirty", any_closes, True, "9d", "9d", (DIRTY,)),
    Discard("S3-closing-two", wild_closes, True, "2c", "2c", (CLEAN,)),
    Discard("S3-closing-two", no_wild_closes, False, "2c", "2c", (CLEAN,)),
    Discard("S3-closing-joker", both(jokers, no_wild_closes), False, "X", "X", (CLEAN,)),
    Discard("S3-morto-joker", jokers, True, "X", "X", (CLEAN,), took_morto=False),
    Discard("S5.8", lambda rules: rules.single_card_barred, False, "4c 9d", "4c", (SHORT,), barred="4c"),
    Discard("S5.8-other", lambda rules: rules.single_card_barred, True, "4c 9d", "9d", (SHORT,), barred="4c"),
    Discard("S5.10-mortos-gone", taken, False, "9d", "9d", (CLEAN,), took_morto=False, mortos_left=0),
    Discard("S5.10-mortos-gone", none_left, True, "9d", "9d", (CLEAN,), took_morto=False, mortos_left=0),
)

PILES: Final[tuple[Pile, ...]] = (
    Pile("X6", closed, True, "2h 3d Kc", "8h", melds=("Th Jh Qh Kh",)),
    Pile("X6-without-two", closed, False, "3d Kc", "8h", melds=("Th Jh Qh Kh",)),
    Pile("S4-top-joker", closed, True, "Jh Qh 3d", "X", melds=("5s 6s 7s",)),
    Pile("S4-top-joker-no-run", top_new, False, "8d 3d Kc", "X", melds=("5s 6s 7s",)),
    Pile("S4-top-joker-no-run", top_free, True, "8d 3d Kc", "X", melds=("5s 6s 7s",)),
    Pile("S4-top-natural-two", top_new, False, "8d 3d Kc", "2s", melds=("3s 4s 5s",)),
    Pile("S4-top-natural-two", top_free, True, "8d 3d Kc", "2s", melds=("3s 4s 5s",)),
    Pile("S4-top-natural-two-new", top_new, True, "3s 4s Kc", "2s"),
    Pile("P-none", closed, False, "8d 3d Kc", "7h", melds=("3s 4s 5s",)),
    Pile("P-new", closed, True, "5h 6h Kc", "7h"),
    Pile("P-add", closed, True, "8d 3d Kc", "6s", melds=("3s 4s 5s",)),
    Pile("P-bridge", closed, True, "6s 3d Kc", "7s", melds=("3s 4s 5s",)),
    Pile("P-below-cannot-help", closed, False, "6h Kc Kd", "7h", below=10),
    Pile("P-stranded", closed, False, "5h 6h Kc", "7h", below=0, took_morto=True, mortos_left=1),
    Pile("P-stranded-hidden", closed, False, "5h 6h", "7h", below=1, took_morto=True, mortos_left=1),
    Pile("P-two-hidden", closed, True, "5h 6h", "7h", below=2, took_morto=True, mortos_left=1),
    Pile("P-hidden-morto", closed, True, "5h 6h", "7h", below=1),
    Pile("P-hidden-closes", closed, True, "5h 6h", "7h", 1, (span("s", "3456789"),), took_morto=True, mortos_left=1),
    Pile("P-emptied-morto", both(closed, direct), True, "5h 6h", "7h", below=0),
    Pile("P-emptied-closes", both(closed, meld_closes), True, "5h 6h", "7h", 0, (span("s", "3456789"),), True, 1),
)

SEVENTY: Final = "Ah 2h 3h 8s 9s Ts Js"


def at_once(rules: RuleSet) -> bool:
    """Apply where the opening minimum is met at once."""
    return rules.opening == "at_once"


OPENINGS: Final[tuple[Opening, ...]] = (
    Opening("S5.12-short", at_once, False, f"{SEVENTY} 4c 6d", 75),
    Opening("S5.12-exact", at_once, True, f"{SEVENTY} 4c 6d", 70),
    Opening("S5.12-joker", at_once, True, f"{SEVENTY} X 6d 4c", 75),
    Opening("S5.12-bonus-no-help", at_once, False, f"{span('h', '3456789')} 4c 6d", 75),
    Opening("S5.12-two-runs-short", at_once, False, "Jh Qh Kh Js Qs Ks 4c 6d", 75),
    Opening("S5.12-three-runs", at_once, True, "Jh Qh Kh Js Qs Ks 5c 6c 7c 4c 6d", 75),
    Opening("S5.12-strands", at_once, True, "Jh Qh Kh Js Qs Ks 5c 6c 7c 4d", 75),
)

MORTO: Final = ("Kd", "Qc", "9s", "9h", "7d", "6c", "5s", "4h", "3d", "3c", "As")
MORTO_OVER_100: Final = ("Kd", "Qc", "9s", "9h", "Jd", "Jc", "8s", "8h", "3d", "3c", "As")


def melds_of(*texts: str) -> tuple[tuple[Meld, bool], ...]:
    """Return melds whose cards were tabled in several turns."""
    return tuple((parse_meld(text), False) for text in texts)


SUM_180: Final = melds_of(span("h", "3456789"), span("s", "89TJQK"), span("c", "89TJQK"), span("d", "345"))


def flat(rules: RuleSet) -> bool:
    """Apply where a morto never played costs a flat sum, however the deal ended."""
    return rules.unplayed_morto == "penalty"


def at_face(rules: RuleSet) -> bool:
    """Apply where a morto never played costs its cards."""
    return rules.unplayed_morto == "cards"


UNPLAYED: Final = SideEnd(hands=(MORTO, ("3c",)), unplayed=(True, False))
UNPLAYED_PARTNER_OUT: Final = SideEnd(hands=(MORTO, ()), unplayed=(True, False), went_out=True)
UNPLAYED_DEAR: Final = SideEnd(hands=(MORTO_OVER_100, ()), unplayed=(True, False))
PLAYED: Final = SideEnd(hands=(MORTO, ("3c",)), unplayed=(False, False))
NO_MORTO: Final = SideEnd(took_morto=False)

SCORES: Final[tuple[Score, ...]] = (
    Score("S4-465", every, 465, SideEnd(SUM_180, ((), ("Ad",)), went_out=True)),
    Score("E10", every, 365, SideEnd(SUM_180, ((), ("Ad",)))),
    Score("S5.10", named("aberto"), 0, NO_MORTO, NO_MORTO),
    Score("S5.10", lambda rules: rules.name != "aberto", -100, NO_MORTO, NO_MORTO),
    Score("S3-morto-not-taken", every, -100, NO_MORTO, SideEnd()),
    Score("S3-morto-taken", every, 0, SideEnd(), NO_MORTO),
    Score("S5.11", named("aberto"), -105, UNPLAYED),
    Score("S5.11", flat, -105, UNPLAYED),
    Score("S5.11", named("classico"), -90, UNPLAYED),
    Score("S5.11", at_face, -90, UNPLAYED),
    Score("S5.11-opponents-out", named("aberto"), -105, UNPLAYED, SideEnd(went_out=True)),
    Score("S5.11-partner-out", named("aberto"), 15, UNPLAYED_PARTNER_OUT),
    Score("S5.11-partner-out", flat, 0, UNPLAYED_PARTNER_OUT),
    Score("S5.11-partner-out", named("classico"), 15, UNPLAYED_PARTNER_OUT),
    Score("S5.11-partner-out", at_face, 15, UNPLAYED_PARTNER_OUT),
    Score("S5.11-dear", named("aberto", "classico"), -100, UNPLAYED_DEAR),
    Score("S5.11-dear", flat, -100, UNPLAYED_DEAR),
    Score("S5.11-dear", at_face, -105, UNPLAYED_DEAR),
    Score("S5.11-played", every, -90, PLAYED),
    Score("S4-hand-of-both", every, -30, SideEnd(hands=(("Ad",), ("Kc", "4d")))),
)
