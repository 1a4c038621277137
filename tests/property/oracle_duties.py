"""The comparison of oracle and engine where a step starts a duty: the top of a closed pile, the opening minimum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from buraco.engine import Deal
from buraco.rules import RuleSet
from tests.oracle import (
    Table,
    additions,
    can_be_wild,
    card_points,
    discard_allowed,
    new_melds,
    opening_possible,
    pile_takeable,
    text_of,
    turn_can_end,
    without,
)
from tests.oracle.bridge import TAKE_PILE, add_id, discard_id, new_meld_id
from tests.oracle.turns import grown_with, pile_use_ends
from tests.property.oracle_compare import Tally, random_table
from tests.property.oracle_random import added_card, random_meld
from tests.rules.setups import pack_of, position_of

__all__ = ["compare_opening", "compare_pile"]

PILE_SIZES: Final = (1, 1, 2, 2, 3, 6)


def _small_hand(random: Random, wanted: Sequence[str], left: Counter[str], size: int) -> list[str]:
    """Take up to ``size`` cards from what is left of the pack, those that help first."""
    hand: list[str] = []
    for card in [*wanted, *random.sample(sorted(left.elements()), 8)]:
        if len(hand) < size and left[card]:
            hand.append(card)
            left -= Counter([card])
    return hand


def compare_pile(rules: RuleSet, random: Random) -> Tally:
    """Compare whether a closed pile may be taken, and then every step that the duty to use its top card leaves."""
    left = pack_of(rules)
    table = random_table(random, rules, left, most=2)
    wanted = list(random_meld(random, rules).cards)
    random.shuffle(wanted)
    if table.melds and random.random() < 0.6:
        wanted = [added_card(random, random.choice(table.melds), rules) for _ in range(3)]
    below = random.choice(PILE_SIZES) - 1
    cards = _small_hand(random, wanted, left, 1 + random.choice((1, 2, 3, 3, 4, 5, 6)))
    top, hand = cards[0], cards[1:]
    pile = [*random.sample(sorted(left.elements()), below), top]
    deal = Deal.from_position(position_of(rules, hand, table, phase="draw", pile=pile))
    tally = Tally()
    expected = pile_takeable(hand, top, below, table, rules)
    tally.note(rules, expected, {"pile takeable"} if expected else {"pile not takeable"})
    where = f"{rules.name}: hand {hand}; pile {pile}; {[text_of(meld) for meld in table.melds]}; {table}"
    if (deal.check(TAKE_PILE) == 0) is not expected:
        tally.differences.append(f"{where}: the oracle says {expected}")
    elif expected:
        deal.apply(TAKE_PILE)
        steps = _top_steps(hand, top, below, table, rules)
        tally.note(rules, True)
        if sorted(steps) != deal.legal():
            tally.differences.append(f"{where}: the oracle's steps are {sorted(steps)}, the engine's {deal.legal()}")
    return tally


def _top_steps(hand: list[str], top: str, below: int, table: Table, rules: RuleSet) -> set[int]:
    """Return the steps after which the top card is used, or can be used on the meld that was grown for it."""
    steps = set()
    for meld in new_melds((*hand, top), table, rules):
        if top in meld.cards:
            rest = without((*hand, top), meld.cards)
            if pile_use_ends(rest, below, table.with_meld(meld), rules):
                steps.add(new_meld_id(meld))
    if rules.closed_top_wild == "new_meld" and can_be_wild(top):
        return steps
    for index, meld in enumerate(table.melds):
        for grown in additions(meld, top, rules):
            if pile_use_ends(tuple(hand), below, table.with_meld(grown, index), rules):
                steps.add(add_id(index, meld, top, grown))
        for card in set(hand) - {top}:
            rest = without(hand, (card,))
            for grown in additions(meld, card, rules):
                uses = grown_with(rest, grown, top, rules)
                if any(pile_use_ends(one, below, table.with_meld(last, index), rules) for one, last in uses):
                    steps.add(add_id(index, meld, card, grown))
    return steps


def compare_opening(rules: RuleSet, random: Random) -> Tally:
    """Compare every step of a side that has still to meet an opening minimum, at once or over the turn."""
    left = pack_of(rules)
    wanted = [card for _ in range(random.choice((1, 2, 3))) for card in random_meld(random, rules).cards]
    hand = _small_hand(random, wanted, left, random.choice((3, 4, 6, 7, 8, 9)))
    need = random.choice((rules.opening_vulnerable_minimum, 50, 65, 40, 90))
    if need > rules.opening_vulnerable_minimum:  # no position may ask more than its rules do
        rules = rules.replace(opening_vulnerable_minimum=need)
    state = random.choice(((True, 1), (False, 2), (False, 1)))
    table = Table((), *state)
    deal = Deal.from_position(position_of(rules, hand, table, opening_need=need))
    steps = {discard_id(card) for card in hand if discard_allowed(hand, card, table, rules)}
    opened = False
    for meld in new_melds(hand, table, rules):
        rest, after = without(hand, meld.cards), table.with_meld(meld)
        missing = need - card_points(meld.cards, rules)
        fits = turn_can_end(rest, after, rules) if missing <= 0 else rules.opening == "over_turn"
        if fits or (rules.opening == "at_once" and opening_possible(rest, missing, after, rules)):
            steps.add(new_meld_id(meld))
            opened = True
    tally = Tally()
    tally.note(rules, opened, {"opening possible"} if opened else {"opening not possible"})
    if sorted(steps) != deal.legal():
        tally.differences.append(
            f"{rules.name}: hand {hand}; need {need}; morto {state}: the oracle's steps are {sorted(steps)}, "
            f"the engine's {deal.legal()}"
        )
    return tally
