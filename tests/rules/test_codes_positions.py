"""Every refusal code has a position in which exactly it comes, a text and a citation."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from buraco.cards import parse_card
from buraco.engine import ACTION_COUNT, CODES, Deal
from buraco.errors import IllegalAction
from buraco.rules import CODE_TOPICS, RULE_SETS, cite
from buraco.texts import has_text, text, texts
from tests.rules.positions import CLEAN, DIRTY, SHORT, act, deal_of, refused

KING: Final = "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"
FULL: Final = "Ah 2h 3h 4h 5h X=6 7h 8h 9h Th Jh Qh Kh Ah"
SET: Final = "7c 7d 7h"


@dataclass(frozen=True)
class Refused:
    """A refused play: the rule set, the hand of seat 0, what is played first, and the other parts of the position."""

    code: str
    name: str
    hand: str
    action: str
    first: tuple[str, ...] = ()
    parts: dict[str, Any] = field(default_factory=dict)

    def deal(self) -> Deal:
        """Return the deal in which the action is refused."""
        return act(deal_of(self.name, self.hand, **self.parts), *self.first)


def row(code: str, name: str, hand: str, action: str, *first: str, **parts: Any) -> Refused:
    """Return a play that is refused."""
    return Refused(code, name, hand, action, first, parts)


TAKEN: Final[dict[str, Any]] = {"mortos": "mine waiting"}
DRAW: Final[dict[str, Any]] = {"phase": "draw"}
UNOPENED: Final[dict[str, Any]] = {"opening_need": (75, 0), "opened": (False, True)}
CHOICE: Final[dict[str, Any]] = {"phase": "choice", "turn_count": 0, "drawn_card": parse_card("9d")}
ONE_LEFT: Final[dict[str, Any]] = {"mortos": "mine theirs", "stock_count": 0}
TOP_EIGHT: Final[dict[str, Any]] = {"phase": "draw", "pile": "3c 4d 8h", "melds": ["Th Jh Qh Kh", SHORT]}

POSITIONS: Final = (
    row("deal_over", "fechado", "9d Ks", "draw", "discard Ks", **ONE_LEFT),
    row("must_draw", "fechado", "9d Ks", "discard Ks", **DRAW),
    row("already_drawn", "fechado", "9d Ks", "draw"),
    row("must_choose", "aberto", "9d Ks", "discard Ks", **CHOICE),
    row("no_choice", "aberto", "9d Ks", "keep"),
    row("no_stock_to_reject", "aberto", "9d Ks", "reject", stock_count=0, **CHOICE),
    row("pile_empty", "aberto", "9d Ks", "pile", **DRAW),
    row("pile_unusable", "fechado", "9d Ks", "pile", pile="3c 4d 8h", **DRAW),
    row("must_use_top", "fechado", "6h 7h Ks", "discard Ks", "pile", pile="3c 4d 8h", **DRAW),
    row("top_needs_new_meld", "fechado-50", "Jh Qh 4d", "add 1 X wild low", "pile", pile="3c X", melds=[SHORT], **DRAW),
    row("top_other_meld", "fechado", "9h 6s Kc", "add 2 6s", "pile", "add 1 9h", **TOP_EIGHT),
    row("top_out_of_reach", "fechado", "9h 6s Kc", "add 2 6s", "pile", **TOP_EIGHT),
    row("top_turn_could_not_end", "fechado", "6h 7h Kc", "pile", pile="8h", **DRAW, **TAKEN),
    row("opening_melds_only", "aberto", "Jh Qh Kh Js Qs Ks 5c 6c 7c 9d 9c", "discard 9d", "meld 5c 6c 7c", **UNOPENED),
    row("opening_short", "aberto", "Jh Qh Kh Js Qs Ks 9d 9c", "meld Jh Qh Kh", **UNOPENED),
    row("discard_only", "classico", "3c 4c 5c", "meld 3c 4c 5c", "meld 3c 4c 5c", **UNOPENED),
    row("card_not_held", "fechado", "3c 4c 9d Ks", "meld 3c 4c 5c"),
    row("sets_not_allowed", "aberto", f"{SET} 9d Ks", f"meld {SET}"),
    row("rank_has_set", "burraco-fibur", f"{SET} 9d Ks", f"meld {SET}", melds=["7c 7d 7s"]),
    row("aces_both_ends", "aberto-sujo", "Ah 9d Ks", "add 1 Ah high", melds=[KING]),
    row("run_too_long", "burraco", "X 9d Ks", "add 1 X wild high", melds=[KING]),
    row("no_such_meld", "fechado", "6s 9d Ks", "add 2 6s", melds=[SHORT]),
    row("wrong_suit", "fechado", "6h 9d Ks", "add 1 6h", melds=[SHORT]),
    row("wrong_rank", "fechado", "8c 9d Ks", "add 1 8c", melds=[SET]),
    row("already_in_run", "fechado", "4s 9d Ks", "add 1 4s", melds=[SHORT]),
    row("does_not_fit", "fechado", "9s 9d Ks", "add 1 9s", melds=[SHORT]),
    row("two_wilds", "fechado", "2h 9d Ks", "add 1 2h wild low", melds=["3s 4s X=5"]),
    row("wild_is_natural", "fechado", "2s 9d Ks", "add 1 2s wild low", melds=[SHORT]),
    row("wild_may_not_move_there", "fechado", "Qs 9d Kd", "add 1 Qs wild low", melds=["Js 2h=Q Ks"]),
    row("wild_has_no_place", "fechado", "6h 9d Ks", "add 1 6h wild high", melds=[FULL]),
    row("place_impossible", "fechado", "6s 9d Ks", "add 1 6s wild high", melds=[SHORT]),
    row("card_barred", "aberto", "9d Ks", "discard 4c", "pile", pile="4c", **DRAW),
    row("no_direct_morto", "aberto-sujo", "6s", "add 1 6s", melds=[SHORT]),
    row("close_needs_morto", "classico", "9d", "discard 9d", melds=[CLEAN], mortos="stock stock"),
    row("close_needs_canasta", "burraco", "9d", "discard 9d", melds=[SHORT], **TAKEN),
    row("close_needs_clean", "fechado", "9d", "discard 9d", melds=[DIRTY], **TAKEN),
    row("close_needs_discard", "aberto", "6s", "add 2 6s", melds=[CLEAN, SHORT], **TAKEN),
    row("close_wild_discard", "burraco", "2c", "discard 2c", melds=[CLEAN], **TAKEN),
    row("turn_could_not_end", "fechado", "6s Kd", "add 1 6s", melds=[SHORT], **TAKEN),
)

#: Codes that no position can bring: each has a test of its own below.
BEYOND_POSITIONS: Final = ("unknown_action", "too_many_melds")


@pytest.mark.parametrize("case", POSITIONS, ids=lambda case: f"{case.code}-{case.name}")
def test_a_position_brings_exactly_this_code(case: Refused) -> None:
    refused(case.deal(), case.action, case.code)


@pytest.mark.parametrize("action", [-1, ACTION_COUNT, 10**9])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    deal = Deal(RULE_SETS["fechado"])
    before = deal.dump()
    assert deal.refusal(action) == "unknown_action"
    with pytest.raises(IllegalAction) as caught:
        deal.apply(action)
    assert caught.value.code == "unknown_action"
    assert deal.dump() == before


OVERFULL: Final = """
from buraco.notation import parse_action
from tests.rules.positions import deal_of
deal = deal_of("fechado", "3c 4c 5c 9d Ks")
for count in (34, 36):
    deal.n_melds[0] = count
    print(deal.refusal(parse_action("meld 3c 4c 5c")))
"""


def test_a_table_that_no_pack_can_fill_takes_no_more_melds() -> None:
    # Thirty-six melds need all 108 cards, and the next one three more: only a state made by force can ask for it, which
    # the uncompiled build lets a test make.
    found = subprocess.run(
        [sys.executable, "-c", OVERFULL],
        env={**os.environ, "BURACO_PURE": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert found.stdout.splitlines() == ["", "too_many_melds"]


@pytest.mark.parametrize("code", CODES[1:])
def test_every_code_has_a_position(code: str) -> None:
    assert [case.code for case in POSITIONS].count(code) == (0 if code in BEYOND_POSITIONS else 1)


@pytest.mark.parametrize("code", CODES[1:])
def test_every_code_has_a_text_and_a_citation(code: str) -> None:
    assert has_text(f"code.{code}")
    assert text(f"code.{code}").endswith(".")
    for rules in RULE_SETS.values():
        citation = cite(rules, code)
        assert citation.rule_set == rules.name
        assert citation.section
        assert citation.source
        assert str(citation)


def test_no_text_or_topic_names_a_code_that_is_not_there() -> None:
    assert {key.removeprefix("code.") for key in texts() if key.startswith("code.")} == set(CODES[1:])
    assert set(CODE_TOPICS) == set(CODES[1:])
