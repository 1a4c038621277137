"""Every field matters: changing it alone changes what is legal or what is scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from buraco.cards import cards_text, parse_card
from buraco.engine import Deal, MeldState, Position
from buraco.engine.match import Match
from buraco.engine.numbering import add_action, meld_action
from buraco.rules import FIELD_NAMES, RuleSet, get_rules
from tests.toy import TOY_OPEN
from tests.unit.making import run, same_rank, table

DRAW, PILE, REJECT, DISCARD = 0, 1, 3, 4

# The hands of seats 1 to 3; the partner's is worth 5 points.
OTHERS = ("3c 9s", "7s", "4d Qs")

Watch = Callable[[RuleSet], object]


@dataclass(frozen=True)
class Effect:
    """A field, rules in which it is alive, another value, and what is seen under the first and the second rules."""

    name: str
    rules: RuleSet
    value: object
    watch: Watch
    first: object
    second: object


def _at(rules: RuleSet, hand: str, own: tuple[MeldState, ...] = (), **changes: Any) -> Deal:
    """Return a deal in which seat 0 of four holds a hand, its side has melds, and the turn has drawn."""
    given: dict[str, Any] = {"phase": "play", "drew_stock": True} | changes
    return Deal.from_position(table(rules, hand, *OTHERS, melds=(own, ()), **given))


def _lay(hand: str, meld: MeldState, own: tuple[MeldState, ...] = (), **changes: Any) -> Watch:
    return lambda rules: _at(rules, hand, own, **changes).refusal(meld_action(meld.packed))


def _add(card: str, how: int, own: MeldState, high: int = 0) -> Watch:
    action = add_action(0, parse_card(card), how, high)
    return lambda rules: _at(rules, f"{card} 9d Kc", (own,)).refusal(action)


def _discard(card: str, own: tuple[MeldState, ...] = (), **changes: Any) -> Watch:
    return lambda rules: _at(rules, card, own, **changes).refusal(DISCARD + parse_card(card))


def _score(*own: MeldState, hand: str = "3d", **changes: Any) -> Watch:
    """Watch the score of side 0 with melds; its hands, 3d and 7s, cost 10 points."""

    def watch(rules: RuleSet) -> int:
        return _at(rules, hand, own, **({"owners": (0, -1)} | changes)).score(0)

    return watch


def _dealt(rules: RuleSet) -> int:
    return Deal(rules, rules.player_counts[-1]).stock_count


def _first_turn(rules: RuleSet) -> str:
    deal = Deal(rules, 4, seed=3)
    deal.apply(DRAW)
    return deal.refusal(REJECT)


def _players(rules: RuleSet) -> str:
    try:
        return f"{Deal(rules, 4).players} play"
    except ValueError:
        return "refused"


def _minimum(total: int) -> Watch:
    """Watch the minimum in force where the first side has a total before the deal."""

    def watch(rules: RuleSet) -> tuple[int, int]:
        return Deal(rules, 4, totals=(total, 0)).position().opening_need

    return watch


def _taken(hand: str, pile: str, *then: int, own: tuple[MeldState, ...] = ()) -> Watch:
    """Watch the last of some actions that begin with the draw phase."""

    def watch(rules: RuleSet) -> str:
        deal = _at(rules, hand, own, pile=pile, phase="draw", drew_stock=False)
        for action in then[:-1]:
            deal.apply(action)
        return deal.refusal(then[-1])

    return watch


def _ending(**changes: Any) -> Watch:
    """Watch how the deal goes on after seat 0 discards a king from a position."""

    def watch(rules: RuleSet) -> str:
        deal = _at(rules, "Kd Kc 5s", **changes)
        deal.apply(DISCARD + parse_card("Kd"))
        return deal.position().end_kind

    return watch


def _short_stock(count: int, owners: tuple[int, int]) -> Watch:
    """Watch how the deal goes on after a turn that leaves so many cards in the stock; the others lie in the pile."""

    def watch(rules: RuleSet) -> str:
        position: Position = _at(rules, "Kd Kc 5s", owners=owners).position()
        stock = position.stock or ()
        cards = cards_text(stock[count:])
        rest = table(rules, "Kd Kc 5s", *OTHERS, owners=owners, pile=cards, phase="play")
        deal = Deal.from_position(replace(rest, drew_stock=True))
        assert deal.stock_count == count
        deal.apply(DISCARD + parse_card("Kd"))
        return deal.position().end_kind

    return watch


def _failed_opening(rules: RuleSet) -> tuple[int, int]:
    meld = run("c", 3, 5)
    deal = _at(rules, "3c 4c 5c Kd Qs", opening_need=(50, 50), opened=(False, False))
    deal.apply(meld_action(meld.packed))
    deal.apply(DISCARD + parse_card("Kd"))
    return deal.position().opening_need


def _closed_out(rules: RuleSet) -> int:
    deal = _at(rules, "Kd", (run("h", 3, 9),), owners=(0, -1))
    deal.apply(DISCARD + parse_card("Kd"))
    assert deal.position().out_seat == 0
    return deal.score(0)


def _cut(count: int) -> Watch:
    def watch(rules: RuleSet) -> int:
        return max(Match(rules, 4, seed=1).begin_deal(cut_count=count).totals)

    return watch


def _played(rules: RuleSet, wanted: Callable[[tuple[int, int]], bool]) -> Match:
    """Return a match of two after its first deal, the first by seed whose totals are as wanted."""
    for seed in range(2000):
        match = Match(rules, 2, seed=seed)
        match.begin_deal()
        deal = match.deal()
        deal.playout(1, seed)
        match.end_deal(deal)
        if wanted(match.totals):
            return match
    raise AssertionError("no such deal")


def _reached(rules: RuleSet) -> bool:
    return _played(rules, lambda totals: 20 <= max(totals) < 10_000 and totals[0] != totals[1]).over


def _one_deal(rules: RuleSet) -> bool:
    return _played(rules, lambda totals: totals[0] != totals[1] and max(totals) < 100).over


def _tie(rules: RuleSet) -> tuple[bool, bool]:
    match = _played(rules, lambda totals: totals[0] == totals[1])
    return match.over, match.winner is None


CLEAN, DIRTY = run("h", 3, 9), run("h", 3, 9, "X", 6)
BOTH_GONE = {"owners": (2, 2)}
SHUT = {"owners": (0, -1)}
FECHADO, ABERTO, CLASSICO = get_rules("fechado"), get_rules("aberto"), get_rules("classico")
SUJO, BURRACO = get_rules("aberto-sujo"), get_rules("burraco")
SMALL = FECHADO.replace(hand_size=5)
OVER_TURN = ABERTO.replace(opening="over_turn", single_card_barred=False)
NO_TARGET = TOY_OPEN.replace(target_points=0, deal_count=1)
# A morto worth 85 that its taker never played.
UNPLAYED = _score(hand="Kd Qd Jd Td 9d 8d 7d 6d 5d 4d 3d", unplayed=(True, False, False, False), seat=1)

EFFECTS = [
    # The deal.
    Effect("player_counts", FECHADO, (2,), _players, "4 play", "refused"),
    Effect("pack_suits", SMALL, "cdh", _dealt, 66, 40),
    Effect("pack_ranks", CLASSICO.replace(hand_size=5), "A23456789TJQ", _dealt, 66, 58),
    Effect("pack_copies", BURRACO.replace(hand_size=3, morto_size=3), 1, _dealt, 89, 37),
    Effect("joker_count", FECHADO, 3, _dealt, 42, 41),
    Effect("hand_size", FECHADO, 12, _dealt, 42, 38),
    Effect("morto_size", FECHADO, 12, _dealt, 42, 40),
    Effect("up_card", FECHADO, True, _dealt, 42, 41),
    Effect("first_dealer", FECHADO, "lowest_card", lambda r: len(Match(r, 4).dealer_draw.rounds) > 0, False, True),
    Effect("cut_bonus", CLASSICO, 90, _cut(22), 100, 90),
    Effect("cut_bonus_count", CLASSICO, 23, _cut(22), 100, 0),
    # Melds and wilds.
    Effect("sets", FECHADO, False, _lay("7c 7d 7h Kc Kd", same_rank("7c 7d 7h")), "", "sets_not_allowed"),
    Effect(
        "one_set_per_rank",
        FECHADO,
        True,
        _lay("7c 7d 7h Kc Kd", same_rank("7c 7d 7h"), (same_rank("7c 7h 7s"),)),
        "",
        "rank_has_set",
    ),
    Effect("aces_both_ends", CLASSICO, False, _add("Ah", 0, run("h", 1, 13), 1), "", "aces_both_ends"),
    Effect("run_length_max", SUJO, 13, _add("X", 2, run("h", 1, 13)), "", "run_too_long"),
    Effect("wild_move", FECHADO, "low", _add("Qs", 2, run("s", 11, 13, "2h", 12)), "", "wild_may_not_move_there"),
    Effect("wild_changes_ends", FECHADO, True, _add("4h", 0, run("h", 6, 9, "X", 9)), "does_not_fit", ""),
    Effect("natural_two_pressed", FECHADO, True, _add("6h", 0, run("h", 2, 4)), "does_not_fit", ""),
    # The pile and the turn.
    Effect(
        "first_turn_option",
        FECHADO,
        True,
        _first_turn,
        "no_choice",
        "",
    ),
    Effect("pile_closed", OVER_TURN, True, _taken("8d 3d Kc", "9h 7c", PILE), "", "pile_unusable"),
    Effect(
        "closed_top_wild",
        FECHADO,
        "new_meld",
        _taken("8d 3d Kc", "9h X", PILE, own=(run("s", 5, 7),)),
        "",
        "pile_unusable",
    ),
    Effect(
        "single_card_barred",
        ABERTO,
        False,
        _taken("9d Ks", "4c", PILE, DISCARD + parse_card("4c")),
        "card_barred",
        "",
    ),
    # The opening.
    Effect(
        "opening",
        ABERTO,
        "over_turn",
        _lay("3c 4c 5c Kd Qs", run("c", 3, 5), opening_need=(75, 0), opened=(False, True)),
        "opening_short",
        "",
    ),
    Effect("opening_minimum", CLASSICO, 60, _minimum(0), (50, 50), (60, 60)),
    Effect("opening_vulnerable_minimum", CLASSICO, 90, _minimum(1500), (75, 50), (90, 50)),
    Effect("opening_vulnerable_from", CLASSICO, 1505, _minimum(1500), (75, 50), (50, 50)),
    Effect("opening_penalty", CLASSICO, 0, _failed_opening, (65, 50), (50, 50)),
    # The morto and closing.
    Effect("direct_morto", FECHADO, False, _lay("5c 6c 7c", run("c", 5, 7)), "", "no_direct_morto"),
    Effect("close_morto", FECHADO, "taken", _discard("Kd", (CLEAN,), **BOTH_GONE), "", "close_needs_morto"),
    Effect("close_canasta", FECHADO, "any", _discard("Kd", (DIRTY,), **SHUT), "close_needs_clean", ""),
    Effect(
        "close_by_meld",
        FECHADO,
        False,
        _lay("5c 6c 7c", run("c", 5, 7), (CLEAN,), **SHUT),
        "",
        "close_needs_discard",
    ),
    Effect("closing_discard_wild", FECHADO, False, _discard("2d", (CLEAN,), **SHUT), "", "close_wild_discard"),
    # Other ends of a deal.
    Effect("stock_refill", FECHADO, False, _short_stock(0, (-1, -1)), "none", "stock"),
    Effect("stock_end_count", FECHADO, 2, _short_stock(2, (0, 1)), "none", "stock"),
    Effect("stalemate", ABERTO, "one_card_pile", _ending(drew_stock=False, quiet_turns=19), "stalemate", "none"),
    Effect("turn_cap", ABERTO, 21, _ending(drew_stock=False, quiet_turns=19), "stalemate", "none"),
    # The score: 3 to 9 of hearts are worth 45, the hands minus 10.
    Effect("value_joker", FECHADO, 25, _score(run("h", 3, 5, "X", 4)), 20, 25),
    Effect("value_two", FECHADO, 15, _score(run("h", 3, 5, "2c", 4)), 10, 15),
    Effect("value_ace", FECHADO, 20, _score(run("h", 1, 3)), 20, 25),
    Effect("value_high", FECHADO, 12, _score(run("h", 8, 10)), 20, 26),
    Effect("value_low", FECHADO, 4, _score(run("h", 3, 5)), 5, 4),
    Effect("canasta_size", FECHADO, 8, _score(CLEAN), 235, 35),
    Effect("bonus_dirty", FECHADO, 90, _score(DIRTY), 150, 140),
    Effect("bonus_clean", FECHADO, 190, _score(CLEAN), 235, 225),
    Effect("bonus_semi_clean", FECHADO, 150, _score(run("h", 3, 10, "X", 10)), 155, 205),
    Effect("bonus_clean_13", FECHADO, None, _score(run("h", 1, 13)), 600, 300),
    Effect("bonus_clean_14", FECHADO, None, _score(run("h", 1, 14)), 1115, 315),
    Effect("clean_13_from_ace", FECHADO, True, _score(run("h", 2, 14)), 600, 300),
    Effect("big_canasta_at_once", FECHADO, True, _score(run("h", 1, 13)), 600, 300),
    Effect("bonus_out", FECHADO, 90, _closed_out, 340, 330),
    Effect("morto_penalty", FECHADO, 90, _score(owners=(1, -1)), -110, -100),
    Effect("morto_penalty_waived", FECHADO, True, _score(owners=(-1, -1)), -110, -10),
    Effect("unplayed_morto", FECHADO, "cards", UNPLAYED, -105, -90),
    Effect("unplayed_morto_points", FECHADO, 90, UNPLAYED, -105, -95),
    # The match.
    Effect("target_points", TOY_OPEN.replace(target_points=20), 10_000, _reached, True, False),
    Effect("deal_count", TOY_OPEN, 1, _one_deal, False, True),
    Effect("tie_break", NO_TARGET.replace(tie_break="draw"), "starter", _tie, (True, True), (True, False)),
    Effect("tie_break", NO_TARGET.replace(tie_break="draw"), "another_deal", _tie, (True, True), (False, True)),
]


@pytest.mark.parametrize("effect", EFFECTS, ids=[effect.name for effect in EFFECTS])
def test_changing_the_field_alone_changes_what_is_legal_or_scored(effect: Effect) -> None:
    changed = effect.rules.replace(**{effect.name: effect.value})
    assert effect.watch(effect.rules) == effect.first
    assert effect.watch(changed) == effect.second
    assert effect.first != effect.second


def test_every_field_but_the_names_has_an_effect() -> None:
    assert {effect.name for effect in EFFECTS} == set(FIELD_NAMES) - {"name", "title"}
