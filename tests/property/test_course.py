"""Whole deals go as the independent oracle says: every place of every card, every end, every score, step by step."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from types import MappingProxyType
from typing import Final

import pytest

from buraco.cards import card_text
from buraco.engine import Deal
from buraco.engine.constants import ACTION_ADD, ACTION_DISCARD, ACTION_RUN
from buraco.notation import decode_action, format_action
from buraco.rules import RULE_SETS, RuleSet
from tests.build import COMPILED
from tests.oracle import Course, Discarded, Meld, additions
from tests.oracle.bridge import add_id, all_new_melds, packed
from tests.property.states import GAMES
from tests.property.walks import STYLES, Walk, choose, walks

#: Deals of each game, by all styles and by sides on either side of the threshold of a raised opening.
DEALS: Final = 2 * len(STYLES) if COMPILED else 2


@cache
def new_melds() -> MappingProxyType[int, Meld]:
    """Return the oracle's meld of every action that lays one."""
    return MappingProxyType(all_new_melds())


def course_of(deal: Deal, rules: RuleSet) -> Course:
    """Return the oracle's deal of the pack that a deal was dealt from, under rules that may be others."""
    order: list[int] = [0] * deal.card_count
    hands = [list(deal.hand(seat)) for seat in range(deal.players)]
    for index in range(deal.players * rules.hand_size):
        order[index] = hands[(deal.dealer + 1 + index) % deal.players].pop()
    rest = [*deal.morto_cards(0), *deal.morto_cards(1)]
    rest += [card for card, _, _ in deal.pile_cards()]
    order[deal.players * rules.hand_size :] = [*rest, *reversed(deal.stock_cards())]
    return Course(rules, deal.players, deal.dealer, [card_text(card) for card in order], deal.totals)


def follow(course: Course, action: int) -> None:
    """Do an action in the oracle's deal."""
    parts = decode_action(action)
    if action < ACTION_DISCARD:
        (course.draw, course.take_pile, course.keep, course.reject)[action]()
    elif action < ACTION_RUN:
        course.discard(card_text(parts.card))
    elif action < ACTION_ADD:
        course.lay(new_melds()[action])
    else:
        index, card = parts.meld_number - 1, card_text(parts.card)
        before = course.melds[course.side][index]
        (grown,) = (
            meld for meld in additions(before, card, course.rules) if add_id(index, before, card, meld) == action
        )
        course.add(index, card, grown)


def told(course: Course) -> dict[str, object]:
    """Return everything about the oracle's deal in words that `seen` uses too."""
    return {
        "hands": [sorted(hand.elements()) for hand in course.hands],
        "melds": [[packed(meld) for meld in side] for side in course.melds],
        "meld turns": [list(turns) for turns in course.meld_turns],
        "pile": course.lying,
        "stock": course.stock,
        "mortos": course.mortos,
        "took a morto": course.took_morto,
        "minimums": course.needs,
        "end": (course.end, course.out_seat),
        "scores": [course.score(side) for side in (0, 1)],
        "turn": (course.turn_number, course.quiet_turns),
        "to act": None if course.end != "none" else (course.seat, course.unplayed, course.turn.first_card),
        "top card": course.turn.top,
    }


def seen(deal: Deal) -> dict[str, object]:
    """Return everything about the engine's deal."""
    position = deal.position()
    first = card_text(position.drawn_card) if position.drawn_card >= 0 else ""
    return {
        "hands": [sorted(map(card_text, deal.hand(seat))) for seat in range(deal.players)],
        "melds": [list(deal.meld_list(side)) for side in (0, 1)],
        "meld turns": [list(deal.meld_turns(side)) for side in (0, 1)],
        "pile": [Discarded(card_text(card), seat, turn) for card, seat, turn in deal.pile_cards()],
        "stock": [card_text(card) for card in reversed(deal.stock_cards())],
        "mortos": [[card_text(card) for card in deal.morto_cards(index)] for index in range(deal.mortos_gone, 2)],
        "took a morto": [side in position.morto_owner for side in (0, 1)],
        "minimums": list(position.opening_need),
        "end": (position.end_kind, position.out_seat),
        "scores": [deal.score(side) for side in (0, 1)],
        "turn": (position.turn_count, position.quiet_turns),
        "to act": None if deal.over else (position.seat, list(position.unplayed), first),
        "top card": card_text(position.top_card) if position.top_card >= 0 else "",
    }


def differences(walk: Walk, rules: RuleSet) -> Iterator[str]:
    """Play a walk in both; yield what differs after the first action after which anything does."""
    deal, source = walk.deal(), random.Random(walk.seed)
    course = course_of(deal, rules)
    action = -1
    while True:
        engine, oracle = seen(deal), told(course)
        if engine != oracle:
            after = "the deal" if action < 0 else format_action(action)
            yield from (
                f"{walk}: after {after}: {name}: the engine {engine[name]}, the oracle {oracle[name]}"
                for name in engine
                if engine[name] != oracle[name]
            )
            return
        if deal.over:
            return
        action = choose(deal, walk.style, source)
        deal.apply(action)
        follow(course, action)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_deal_goes_as_the_oracle_says(name: str, players: int) -> None:
    rules = RULE_SETS[name]
    for _, walk in zip(range(DEALS), walks(rules, players), strict=False):
        assert list(differences(walk, rules)) == []


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("aberto", {"turn_cap": 19}),
        ("aberto", {"morto_penalty_waived": False}),
        ("classico", {"opening_penalty": 10}),
        ("fechado", {"stock_refill": False}),
        ("burraco", {"stock_end_count": 3}),
        ("fechado-50", {"big_canasta_at_once": False, "bonus_dirty": 95}),
    ],
)
def test_a_deal_that_goes_by_another_rule_is_noticed(name: str, changes: dict[str, int | bool]) -> None:
    rules = RULE_SETS[name]
    found = Counter[str]()
    for _, walk in zip(range(40), walks(rules, rules.player_counts[-1]), strict=False):
        found.update(differences(walk, rules.replace(**changes)))
        if found:
            return
    raise AssertionError("no deal shows the difference")
