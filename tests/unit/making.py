"""Positions made by hand for tests."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, Final

from buraco.cards import JOKER, NO_CARD, SUITS, parse_card, parse_cards
from buraco.engine.constants import ACTION_ADD, ACTION_DISCARD, ACTION_RUN
from buraco.engine.position import MeldState, PileCard, Position
from buraco.engine.shuffle import ordered_pack
from buraco.rules import RULE_SETS, RuleSet

__all__ = ["DISCARDS", "MELDS", "fresh", "game_sets", "pile_of", "run", "same_rank", "table"]

#: The actions that discard a card, and those that lay a new meld.
DISCARDS: Final = range(ACTION_DISCARD, ACTION_RUN)
MELDS: Final = range(ACTION_RUN, ACTION_ADD)


def run(suit: str, low: int, high: int, wild: str = "", slot: int = 0, turn: int = -1) -> MeldState:
    """Return the run from slot ``low`` to ``high`` (14 the high ace), with a wild in ``slot``."""
    card = parse_card(wild) if wild else NO_CARD
    return MeldState(low | high << 4 | slot << 8 | card << 12 | SUITS.index(suit) << 18, turn)


def same_rank(cards: str, wild: str = "", turn: int = -1) -> MeldState:
    """Return the set of natural cards and a wild."""
    naturals = parse_cards(cards)
    counts = sum(1 << 4 + card // 13 * 2 for card in naturals)
    card = parse_card(wild) if wild else NO_CARD
    return MeldState(naturals[0] % 13 | counts | card << 12 | 1 << 20, turn)


def pile_of(cards: str, players: int = 4) -> tuple[PileCard, ...]:
    """Return a pile, bottom first, discarded by the seats in turn from seat 0."""
    return tuple(PileCard(card, index % players, index) for index, card in enumerate(parse_cards(cards)))


def table(
    rules: RuleSet | str,
    *hands: str,
    melds: tuple[tuple[MeldState, ...], tuple[MeldState, ...]] = ((), ()),
    pile: str = "",
    owners: tuple[int, int] = (-1, -1),
    **changes: Any,
) -> Position:
    """Return a full position: the hands given as texts, the rest of the pack in the mortos and the stock."""
    rule_set = RULE_SETS[rules] if isinstance(rules, str) else rules
    cards = tuple(tuple(sorted(parse_cards(hand))) for hand in hands)
    entries = pile_of(pile, len(hands))
    from buraco.engine.shapes import meld_cards

    used = Counter(card for hand in cards for card in hand)
    used.update(entry.card for entry in entries if entry.card is not None)
    used.update(card for side in melds for meld in side for card in meld_cards(meld.packed))
    rest = list((Counter(ordered_pack(rule_set)) - used).elements())
    mortos = []
    for owner in owners:
        size = rule_set.morto_size if owner == -1 else 0
        mortos.append(tuple(rest[:size]))
        del rest[:size]
    position = Position(
        rules=rule_set,
        players=len(hands),
        dealer=len(hands) - 1,
        seat=0,
        turn_count=max(40, len(entries)),
        hands=cards,
        hand_counts=tuple(len(hand) for hand in cards),
        known=tuple(() for _ in cards),
        melds=melds,
        pile=entries,
        stock=tuple(rest),
        stock_count=len(rest),
        mortos=(mortos[0], mortos[1]),
        morto_owner=owners,
        mortos_gone=sum(owner != -1 for owner in owners),
        unplayed=tuple(False for _ in cards),
    )
    return replace(position, **changes)


def fresh(rules: RuleSet | str, players: int = 4, **changes: Any) -> Position:
    """Return a position at the first draw: the unshuffled pack dealt out, the jokers in the stock."""
    rule_set = RULE_SETS[rules] if isinstance(rules, str) else rules
    pack = [card for card in ordered_pack(rule_set) if card != JOKER]
    size = rule_set.hand_size
    hands = [" ".join(_text(card) for card in pack[seat * size : (seat + 1) * size]) for seat in range(players)]
    return table(rule_set, *hands, **{"turn_count": 0, **changes})


def _text(card: int) -> str:
    from buraco.cards import card_text

    return card_text(card)


def game_sets() -> list[tuple[str, int]]:
    """Return every rule set with every number of players that it allows."""
    return [(name, players) for name, rules in sorted(RULE_SETS.items()) for players in rules.player_counts]
