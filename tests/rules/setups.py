"""Deals in which a hand and a table are as a case says; the cards nobody speaks of lie where they do no harm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from buraco.cards import parse_card
from buraco.engine import Deal
from buraco.engine.position import MeldState, PileCard, Position
from buraco.rules import RuleSet
from tests.oracle import DealEnd, Meld, SideEnd, Table
from tests.oracle.bridge import packed, unpacked

__all__ = ["TURN", "ended_position_of", "pack_of", "position_of", "settles", "tabled"]

#: The turn in which the cases take place: late enough for anything to have happened before.
TURN: Final = 9


def pack_of(rules: RuleSet) -> Counter[str]:
    """Return the cards of the pack."""
    pack = Counter({rank + suit: rules.pack_copies for suit in rules.pack_suits for rank in rules.pack_ranks})
    if rules.joker_count:
        pack["X"] = rules.joker_count
    return pack


def _numbers(cards: Iterable[str]) -> tuple[int, ...]:
    return tuple(sorted(parse_card(card) for card in cards))


def _morto_owners(took: bool, left: int, rules: RuleSet) -> tuple[int, int]:
    """Say whose the mortos are for side 0; a morto that neither side took became the stock, where that can be."""
    if took:
        return (0, -1) if left else (0, 1)
    if left:
        return (-1, -1) if left == 2 else (1, -1)
    return (2, 2) if rules.stock_refill else (1, 1)


def position_of(
    rules: RuleSet,
    hand: Sequence[str],
    table: Table,
    *,
    phase: str = "play",
    pile: Sequence[str] = (),
    other_melds: Sequence[Meld] = (),
    opening_need: int = 0,
    at_once: bool = False,
) -> Position:
    """Return a deal in which seat 0 is to act with this hand and side 0 has this table.

    ``pile`` is bottom first; ``at_once``: each meld of side 0 was tabled in one turn. The other hands, the waiting
    mortos and the stock share the rest of the pack, each hand one card at least. Raises ValueError when the pack has
    not the cards.
    """
    melds = [*table.melds, *other_melds]
    used = Counter([*hand, *pile, *(card for meld in melds for card in meld.cards)])
    pack = pack_of(rules)
    if used - pack:
        raise ValueError(f"the pack has no {sorted(used - pack)}")
    rest = [parse_card(card) for card in sorted((pack - used).elements())]
    owners = _morto_owners(table.took_morto, table.mortos_left, rules)
    mortos = tuple(tuple(rest.pop() for _ in range(rules.morto_size)) if owner == -1 else () for owner in owners)
    players = max(rules.player_counts)
    others = [tuple(sorted(rest.pop() for _ in range(min(3, len(rest) // 4)))) for _ in range(players - 1)]
    hands = (_numbers(hand), *others)
    return Position(
        rules=rules,
        players=players,
        dealer=players - 1,
        seat=0,
        phase=phase,
        turn_count=TURN,
        hands=hands,
        hand_counts=tuple(len(one) for one in hands),
        known=((),) * players,
        melds=(
            tuple(MeldState(packed(meld), TURN - 1 if at_once else -1) for meld in table.melds),
            tuple(MeldState(packed(meld)) for meld in other_melds),
        ),
        pile=tuple(PileCard(parse_card(card), 3 % players, TURN - 1) for card in pile),
        stock=tuple(rest),
        stock_count=len(rest),
        mortos=(mortos[0], mortos[1]),
        morto_owner=owners,
        mortos_gone=sum(owner != -1 for owner in owners),
        unplayed=(False,) * players,
        barred_card=-1 if table.barred is None else parse_card(table.barred),
        took_single=table.barred is not None,
        drew_stock=phase == "play" and table.barred is None,
        opening_need=(opening_need, 0),
        opened=(opening_need == 0, True),
    )


def _end_owners(end: DealEnd, rules: RuleSet) -> tuple[int, int]:
    takers = [side for side in (0, 1) if end.sides[side].took_morto]
    rest = 2 if rules.stock_refill else -1
    return ((*takers, rest, rest)[0], (*takers, rest, rest)[1])


def ended_position_of(rules: RuleSet, end: DealEnd) -> Position:
    """Return a deal of four that is over, with these melds, hands and mortos; seats 0 and 2 are side 0."""
    hands: list[tuple[str, ...]] = []
    for seat in range(4):
        side_hands = end.sides[seat % 2].hands or ((), ())
        hands.append(side_hands[seat // 2])
    unplayed = [(end.sides[seat % 2].unplayed or (False, False))[seat // 2] for seat in range(4)]
    outs = [seat for seat in range(4) if end.sides[seat % 2].went_out and not hands[seat]]
    melds = [meld for side in end.sides for meld, _ in side.melds]
    used = Counter([card for cards in (*hands, *(meld.cards for meld in melds)) for card in cards])
    rest = [parse_card(card) for card in sorted((pack_of(rules) - used).elements())]
    owners = _end_owners(end, rules)
    mortos = tuple(tuple(rest.pop() for _ in range(rules.morto_size)) if owner == -1 else () for owner in owners)
    return Position(
        rules=rules,
        players=4,
        dealer=3,
        seat=0,
        phase="over",
        turn_count=TURN,
        hands=tuple(_numbers(hand) for hand in hands),
        hand_counts=tuple(len(hand) for hand in hands),
        known=((),) * 4,
        melds=(_meld_states(end.sides[0]), _meld_states(end.sides[1])),
        stock=tuple(rest),
        stock_count=len(rest),
        mortos=(mortos[0], mortos[1]),
        morto_owner=owners,
        mortos_gone=sum(owner != -1 for owner in owners),
        unplayed=tuple(unplayed),
        end_kind="closed" if outs else "stock",
        out_seat=outs[0] if outs else -1,
    )


def _meld_states(side: SideEnd) -> tuple[MeldState, ...]:
    return tuple(MeldState(packed(meld), TURN - 1 if at_once else -1) for meld, at_once in side.melds)


def tabled(deal: Deal, side: int) -> tuple[Meld, ...]:
    """Return the melds of a side as they lie in a deal."""
    return tuple(unpacked(meld) for meld in deal.meld_list(side))


def settles(rules: RuleSet, took_morto: bool, mortos_left: int) -> bool:
    """Say whether the mortos can have gone like this: one that neither side took became the stock."""
    return took_morto or mortos_left > 0 or rules.stock_refill
