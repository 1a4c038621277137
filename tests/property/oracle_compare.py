"""The comparison of oracle and engine: random melds and additions by the direct door, whole hands by the public one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from types import MappingProxyType
from typing import Any, Final

from buraco.cards import card_text
from buraco.engine import Deal
from buraco.engine.melds import add_to_meld, new_meld
from buraco.rules import RuleSet
from tests.oracle import (
    DealEnd,
    Meld,
    Run,
    SideEnd,
    Table,
    add_allowed,
    additions,
    deal_score,
    discard_allowed,
    is_legal,
    lay_allowed,
    text_of,
)
from tests.oracle.bridge import (
    ADD_BASE,
    RUN_BASE,
    add_id,
    add_ids_of_card,
    all_new_melds,
    card_of,
    discard_id,
    packed,
    unpacked,
)
from tests.property.oracle_random import added_card, legal_meld, meld_kinds, move_kinds, random_meld
from tests.rules.setups import pack_of, position_of, settles, tabled

__all__ = ["KINDS", "Tally", "compare_deal", "compare_melds", "random_table"]

#: What must occur in a run of the comparison, wherever the rules allow it.
KINDS: Final = (
    "natural two with wild",
    "two aces",
    "moved wild",
    "set with wild",
    "two gone home",
    "wild from end",
    "two pressed",
)


@dataclass
class Tally:
    """How much was compared: claims, legal ones, kinds among these, by rule set, and every difference in words."""

    compared: int = 0
    legal: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    rule_sets: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def note(self, rules: RuleSet, legal: bool, kinds: Sequence[str] | set[str] = ()) -> None:
        """Count one comparison."""
        self.compared += 1
        self.legal += legal
        self.rule_sets[rules.name] += 1
        self.kinds.update(kinds)

    def add(self, other: Tally) -> None:
        """Count what another tally counted."""
        self.compared += other.compared
        self.legal += other.legal
        self.kinds += other.kinds
        self.rule_sets += other.rule_sets
        self.differences += other.differences

    def plain(self) -> dict[str, Any]:
        """Return the tally in values that JSON knows; `from_plain` reads them."""
        return {
            "compared": self.compared,
            "legal": self.legal,
            "kinds": dict(self.kinds),
            "rule_sets": dict(self.rule_sets),
            "differences": list(self.differences),
        }

    @staticmethod
    def from_plain(plain: dict[str, Any]) -> Tally:
        """Return the tally that `plain` told of."""
        return Tally(**{**plain, "kinds": Counter(plain["kinds"]), "rule_sets": Counter(plain["rule_sets"])})


def meld_rules_of(rules: RuleSet) -> int:
    """Return the number by which the engine's meld functions know a rule set."""
    return Deal(rules, max(rules.player_counts)).meld_rules


def _compare_new(random: Random, rules: RuleSet, number: int, tally: Tally) -> None:
    meld = random_meld(random, rules)
    legal = is_legal(meld, rules)
    tally.note(rules, legal, meld_kinds(meld) if legal else ())
    if (new_meld(packed(meld), number) == 0) is not legal:
        tally.differences.append(f"{rules.name}: {text_of(meld)}: the oracle says {legal}")


def _compare_addition(random: Random, rules: RuleSet, number: int, tally: Tally) -> None:
    meld = legal_meld(random, rules)
    card = added_card(random, meld, rules)
    grown = additions(meld, card, rules)
    kinds = {kind for after in grown for kind in meld_kinds(after) | move_kinds(meld, after)}
    tally.note(rules, bool(grown), kinds)
    expected = {add_id(0, meld, card, after): packed(after) for after in grown}
    found = {}
    for action in add_ids_of_card(0, card):
        high, how = divmod(action - ADD_BASE, 159) if action - ADD_BASE >= 159 else (0, action - ADD_BASE)
        result = add_to_meld(packed(meld), card_of(card), how % 3, high, number)
        if result > 0:
            found[action] = result
    if found != expected or len(expected) != len(grown):
        engine = sorted(text_of(unpacked(result)) for result in found.values())
        oracle = sorted(text_of(after) for after in grown)
        tally.differences.append(f"{rules.name}: {text_of(meld)} + {card}: oracle {oracle}, engine {engine}")


def compare_melds(rule_sets: Sequence[RuleSet], random: Random, count: int) -> Tally:
    """Compare some random melds (one in four) and additions (the others) under rule sets in turn."""
    numbers = [(rules, meld_rules_of(rules)) for rules in rule_sets]
    tally = Tally()
    for index in range(count):
        rules, number = numbers[index % len(numbers)]
        if random.random() < 0.25:
            _compare_new(random, rules, number, tally)
        else:
            _compare_addition(random, rules, number, tally)
    return tally


@cache
def _new_melds() -> MappingProxyType[int, tuple[Meld, Counter[str]]]:
    return MappingProxyType({action: (meld, Counter(meld.cards)) for action, meld in all_new_melds().items()})


def random_table(random: Random, rules: RuleSet, left: Counter[str], most: int = 4) -> Table:
    """Make the table of a side with some melds and any state of the mortos; their cards leave the pack."""
    melds: list[Meld] = []
    for _ in range(random.randint(0, most)):
        meld = legal_meld(random, rules)
        ranks = {one.rank for one in melds if not isinstance(one, Run)}
        if Counter(meld.cards) - left or (rules.one_set_per_rank and not isinstance(meld, Run) and meld.rank in ranks):
            continue
        melds.append(meld)
        left -= Counter(meld.cards)
    took, mortos = random.choice([state for state in MORTO_STATES if settles(rules, *state)])
    return Table(tuple(melds), took, mortos)


MORTO_STATES: Final = ((True, 0), (True, 1), (False, 2), (False, 1), (False, 0))


def _random_hand(random: Random, rules: RuleSet, table: Table, left: Counter[str]) -> list[str]:
    """Make a hand of 1 to 20 cards that often holds melds, cards to add and twos."""
    size = random.choice((1, 2, 3, 3, 4, 4, 5, 6, 8, 11, 14, 20))
    hand: list[str] = []
    while len(hand) < size:
        roll = random.random()
        if roll < 0.3:
            cards = list(random_meld(random, rules).cards)
        elif roll < 0.65 and table.melds:
            cards = [added_card(random, random.choice(table.melds), rules)]
        else:
            cards = [random.choice(sorted(left.elements()))]
        for card in cards[: size - len(hand)]:
            if left[card]:
                hand.append(card)
                left -= Counter([card])
    return hand


def _expected_actions(hand: list[str], table: Table, rules: RuleSet) -> dict[int, Table]:
    """Return every legal step of a turn after the draw, with the table after it."""
    held = Counter(hand)
    found = {discard_id(card): table for card in held if discard_allowed(hand, card, table, rules)}
    for action, (meld, cards) in _new_melds().items():
        if cards <= held and lay_allowed(hand, meld, table, rules):
            found[action] = table.with_meld(meld)
    for index, before in enumerate(table.melds):
        for card in held:
            for grown in additions(before, card, rules):
                if add_allowed(hand, index, card, grown, table, rules):
                    found[add_id(index, before, card, grown)] = table.with_meld(grown, index)
    return found


def _score_of(deal: Deal, table: Table, old_count: int, rules: RuleSet) -> int:
    """Return what side 0 would score if the deal ended now; melds after the first ones were laid in this turn."""
    position = deal.position()
    sides = []
    for side in (0, 1):
        seats = range(side, deal.players, 2)
        hands = tuple(tuple(card_text(card) for card in deal.hand(seat)) for seat in seats)
        unplayed = tuple(position.unplayed[seat] for seat in seats)
        melds = tuple((meld, index >= old_count) for index, meld in enumerate(table.melds)) if side == 0 else ()
        went_out = deal.out_seat >= 0 and deal.out_seat & 1 == side
        sides.append(SideEnd(melds, hands, unplayed, side in position.morto_owner, went_out))
    return deal_score(DealEnd((sides[0], sides[1])), 0, rules)


def _compare_after(deal: Deal, action: int, table: Table, old_count: int, rules: RuleSet) -> str:
    """Return how the deal after an action differs from the expected table and its score; empty when it does not."""
    after = deal.copy()
    after.apply(action)
    if tabled(after, 0) != table.melds:
        return f"the engine leaves {[text_of(meld) for meld in tabled(after, 0)]}"
    expected = _score_of(after, table, old_count, rules)
    return "" if after.score(0) == expected else f"the engine scores {after.score(0)}, the oracle {expected}"


def _near_misses(random: Random, hand: list[str], table: Table) -> list[int]:
    """Return actions that may be illegal: some new melds, and what could be done with a card of the hand."""
    actions = random.sample(range(RUN_BASE, ADD_BASE), 20)
    card = random.choice(hand)
    for index in range(len(table.melds)):
        actions += add_ids_of_card(index, card)
    return actions


def compare_deal(rules: RuleSet, random: Random) -> Tally:
    """Compare all legal actions of one random hand and table, the table after each, and what the side then scores."""
    left = pack_of(rules)
    table = random_table(random, rules, left)
    hand = _random_hand(random, rules, table, left)
    deal = Deal.from_position(position_of(rules, hand, table))
    expected = _expected_actions(hand, table, rules)
    found = deal.legal()
    tally = Tally()
    melds = [text_of(meld) for meld in table.melds]
    where = f"{rules.name}: hand {' '.join(hand)}; table {melds}; morto {table.took_morto} {table.mortos_left}"
    for action in sorted({*found, *expected, *_near_misses(random, hand, table)}):
        legal = action in expected
        tally.note(rules, legal)
        fault = ""
        if not (legal is (action in found) is (deal.check(action) == 0)):
            fault = f"the oracle says {legal}, the engine {deal.refusal(action) or 'yes'}"
        elif legal:
            fault = _compare_after(deal, action, expected[action], len(table.melds), rules)
        if fault:
            tally.differences.append(f"{where}: action {action}: {fault}")
    return tally
