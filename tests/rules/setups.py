"""Deals in which a hand and a table are as a case says; the cards nobody speaks of lie where they do no harm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from buraco.cards import parse_card
from buraco.engine import Deal
from buraco.engine.position import MeldState, Position
from buraco.rules import RuleSet
from tests.oracle import DealEnd, Meld, SideEnd, Table
from tests.oracle.bridge import packed, unpacked
from tests.rules import positions
from tests.rules.positions import TURN

__all__ = ["ended_position_of", "pack_of", "position_of", "settles", "tabled"]


def pack_of(rules: RuleSet) -> Counter[str]:
    """Return the cards of the pack."""
    pack = Counter({rank + suit: rules.pack_copies for suit in rules.pack_suits for rank in rules.pack_ranks})
    if rules.joker_count:
        pack["X"] = rules.joker_count
    return pack


def _morto_words(took: bool, left: int, rules: RuleSet) -> str:
    """Say whose the mortos are for side 0; a morto that neither side took became the stock, where that can be."""
    if took:
        return "mine waiting" if left else "mine theirs"
    if left:
        return "waiting waiting" if left == 2 else "theirs waiting"
    return "stock stock" if rules.stock_refill else "theirs theirs"


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
    mortos and the stock share the rest of the pack.
    """
    return positions.position_of(
        rules,
        " ".join(hand),
        melds=[MeldState(packed(meld), TURN - 1 if at_once else -1) for meld in table.melds],
        other_melds=[MeldState(packed(meld)) for meld in other_melds],
        pile=" ".join(pile),
        mortos=_morto_words(table.took_morto, table.mortos_left, rules),
        phase=phase,
        turn_count=TURN,
        barred_card=-1 if table.barred is None else parse_card(table.barred),
        took_single=table.barred is not None,
        drew_stock=phase == "play" and table.barred is None,
        opening_need=(opening_need, 0),
        opened=(opening_need == 0, True),
    )


def _end_words(end: DealEnd, rules: RuleSet) -> str:
    takers = [word for side, word in ((0, "mine"), (1, "theirs")) if end.sides[side].took_morto]
    rest = "stock" if rules.stock_refill else "waiting"
    return " ".join((*takers, rest, rest)[:2])


def ended_position_of(rules: RuleSet, end: DealEnd) -> Position:
    """Return a deal of four that is over, with these melds, hands and mortos; seats 0 and 2 are side 0."""
    hands: list[tuple[str, ...]] = []
    for seat in range(4):
        side_hands = end.sides[seat % 2].hands or ((), ())
        hands.append(side_hands[seat // 2])
    unplayed = [(end.sides[seat % 2].unplayed or (False, False))[seat // 2] for seat in range(4)]
    outs = [seat for seat in range(4) if end.sides[seat % 2].went_out and not hands[seat]]
    first, *others = (" ".join(hand) for hand in hands)
    return positions.position_of(
        rules,
        first,
        melds=_meld_states(end.sides[0]),
        other_melds=_meld_states(end.sides[1]),
        others=others,
        mortos=_end_words(end, rules),
        players=4,
        phase="over",
        turn_count=TURN,
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
