"""Whether a turn can end, a closed pile can be taken, an opening can be made: by trying everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from buraco.rules import RuleSet
from tests.oracle.additions import additions
from tests.oracle.model import CardSet, Meld, can_be_wild
from tests.oracle.points import card_points, is_clean
from tests.oracle.readings import readings

__all__ = [
    "Table",
    "add_allowed",
    "discard_allowed",
    "grown_with",
    "lay_allowed",
    "may_close",
    "morto_to_come",
    "new_melds",
    "opening_possible",
    "pile_takeable",
    "pile_use_ends",
    "turn_can_end",
    "without",
]


@dataclass(frozen=True)
class Table:
    """What a side has before it: its melds, whether it took a morto, how many wait, the card it may not discard."""

    melds: tuple[Meld, ...] = ()
    took_morto: bool = False
    mortos_left: int = 2
    barred: str | None = None

    def with_meld(self, meld: Meld, index: int | None = None) -> Table:
        """Return the table with a new meld, or with the meld of an index become this one."""
        if index is None:
            return replace(self, melds=(*self.melds, meld))
        return replace(self, melds=(*self.melds[:index], meld, *self.melds[index + 1 :]))


def morto_to_come(table: Table) -> bool:
    """Say whether an emptied hand takes a morto."""
    return not table.took_morto and table.mortos_left > 0


def may_close(table: Table, rules: RuleSet) -> bool:
    """Say whether the side may end the deal by emptying a hand (the way it is emptied apart)."""
    if morto_to_come(table) or (rules.close_morto == "taken" and not table.took_morto):
        return False
    canastas = [meld for meld in table.melds if len(meld.cards) >= rules.canasta_size]
    return any(rules.close_canasta == "any" or is_clean(meld) for meld in canastas)


def discard_allowed(hand: Sequence[str], card: str, table: Table, rules: RuleSet) -> bool:
    """Say whether a card of a hand may be discarded."""
    if card not in hand or card == table.barred:
        return False
    if len(hand) > 1 or morto_to_come(table):
        return True
    return may_close(table, rules) and (rules.closing_discard_wild or not can_be_wild(card))


def turn_can_end(hand: Sequence[str], table: Table, rules: RuleSet) -> bool:
    """Say whether the turn can end legally after a play that left this hand and this table."""
    if len(hand) >= 2:
        return True
    if len(hand) == 1:
        if discard_allowed(hand, hand[0], table, rules):
            return True
        return any(
            turn_can_end((), table.with_meld(grown, index), rules)
            for index, meld in enumerate(table.melds)
            for grown in additions(meld, hand[0], rules)
        )
    if morto_to_come(table):
        return rules.direct_morto
    return rules.close_by_meld and may_close(table, rules)


def lay_allowed(hand: Sequence[str], meld: Meld, table: Table, rules: RuleSet) -> bool:
    """Say whether a hand may lay a new meld as it is, no opening and no top card of a pile being due."""
    if any(hand.count(card) < meld.cards.count(card) for card in meld.cards):
        return False
    if meld not in readings(meld.cards, rules) or _set_barred(meld, table, rules):
        return False
    return turn_can_end(without(hand, meld.cards), table.with_meld(meld), rules)


def add_allowed(hand: Sequence[str], index: int, card: str, grown: Meld, table: Table, rules: RuleSet) -> bool:
    """Say whether a hand may add a card to the meld of an index so that it lies as stated."""
    if card not in hand or grown not in additions(table.melds[index], card, rules):
        return False
    return turn_can_end(without(hand, (card,)), table.with_meld(grown, index), rules)


def _set_barred(meld: Meld, table: Table, rules: RuleSet) -> bool:
    return isinstance(meld, CardSet) and rules.one_set_per_rank and _has_set(table, meld.rank)


def without(hand: Sequence[str], used: Sequence[str]) -> tuple[str, ...]:
    """Return what is left of a hand; raises ValueError for a card that it has not."""
    rest = list(hand)
    for card in used:
        rest.remove(card)
    return tuple(rest)


def new_melds(hand: Sequence[str], table: Table, rules: RuleSet) -> set[Meld]:
    """Return every meld that some cards of a hand make and that the side may begin."""
    found: set[Meld] = set()
    for count in range(3, min(len(hand), 14) + 1):
        for cards in set(combinations(sorted(hand), count)):
            found |= {meld for meld in readings(cards, rules) if not _set_barred(meld, table, rules)}
    return found


def _has_set(table: Table, rank: str) -> bool:
    return any(isinstance(meld, CardSet) and meld.rank == rank for meld in table.melds)


def opening_possible(hand: Sequence[str], need: int, table: Table, rules: RuleSet) -> bool:
    """Say whether new melds from this hand alone reach the missing points, after which the turn can end."""
    for meld in new_melds(hand, table, rules):
        rest = without(hand, meld.cards)
        after = table.with_meld(meld)
        missing = need - card_points(meld.cards, rules)
        if missing <= 0 and turn_can_end(rest, after, rules):
            return True
        if opening_possible(rest, missing, after, rules):
            return True
    return False


def grown_with(hand: Sequence[str], meld: Meld, top: str, rules: RuleSet) -> Iterator[tuple[tuple[str, ...], Meld]]:
    """Yield what is left of a hand and a meld after some cards of the hand and then the top card went to it."""
    for grown in additions(meld, top, rules):
        yield tuple(hand), grown
    for card in sorted(set(hand)):
        for grown in additions(meld, card, rules):
            yield from grown_with(without(hand, (card,)), grown, top, rules)


def _top_uses(hand: Sequence[str], top: str, table: Table, rules: RuleSet) -> Iterator[tuple[tuple[str, ...], Table]]:
    """Yield what is left of the hand and the table after each use of the top card of a closed pile."""
    for meld in new_melds((*hand, top), table, rules):
        if top in meld.cards:
            yield without((*hand, top), meld.cards), table.with_meld(meld)
    if rules.closed_top_wild == "new_meld" and can_be_wild(top):
        return
    for index, meld in enumerate(table.melds):
        for rest, grown in grown_with(hand, meld, top, rules):
            yield rest, table.with_meld(grown, index)


def pile_takeable(hand: Sequence[str], top: str, below_count: int, table: Table, rules: RuleSet) -> bool:
    """Say whether a closed pile may be taken: its top card used at once, and a turn that can end whatever lies below.

    ``hand`` is the hand before the pile is taken, ``below_count`` the number of cards below the top one.
    """
    return any(pile_use_ends(rest, below_count, after, rules) for rest, after in _top_uses(hand, top, table, rules))


def pile_use_ends(rest: Sequence[str], below_count: int, after: Table, rules: RuleSet) -> bool:
    """Say whether the turn can end when the top card was used and the cards below it, whatever they are, come to hand.

    ``rest`` is what the use left of the hand, ``after`` the table after it.
    """
    if len(rest) + below_count >= 2:
        return True
    if below_count == 0:
        return turn_can_end(rest, after, rules)
    # One unknown card is all that is left: any card must do as the last discard.
    return morto_to_come(after) or (may_close(after, rules) and rules.closing_discard_wild)
