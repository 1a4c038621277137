"""Deals set up in a line or two: cards as text, the side of seat 0 to act, everything unsaid out of the way.

Melds and actions are in the notation of games (``3h 4h X=5``, ``discard Ks``), rule sets go by name. What a case
expects of each rule set stands in the test, copied from the rules by hand, and never follows from a field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

import pytest

from buraco.cards import cards_text, parse_cards
from buraco.engine import Deal, MeldState, PileCard, Position, ordered_pack, unpack
from buraco.errors import IllegalAction
from buraco.notation import format_action, format_meld, parse_action, parse_meld
from buraco.rules import RULE_SETS, RuleSet

__all__ = [
    "ALL",
    "CLEAN",
    "CLOSED",
    "DIRTY",
    "OPEN",
    "OTHERS",
    "SHORT",
    "TURN",
    "act",
    "allowed",
    "cards",
    "code_of",
    "deal_of",
    "each",
    "hand_of",
    "is_over",
    "legal_texts",
    "melds_of",
    "over_of",
    "position_of",
    "refused",
    "rules_of",
    "spread",
]

ALL: Final = "aberto classico aberto-104 aberto-sujo fechado fechado-stcl fechado-sujo burraco fechado-50 burraco-fibur"
#: The rule sets with an open and with a closed pile (rules §3, row "pile").
OPEN: Final = "aberto classico aberto-104 aberto-sujo burraco burraco-fibur"
CLOSED: Final = "fechado fechado-stcl fechado-sujo fechado-50"
#: In a table of outcomes: every rule set that it does not name.
OTHERS: Final = "*"

#: A clean canasta, a dirty one (its 2 is the ten of hearts) and a meld that is no canasta: 45, 50 and 15 points (BR).
CLEAN: Final = "3h 4h 5h 6h 7h 8h 9h"
DIRTY: Final = "4h 5h 6h 7h 8h 9h 2s=T"
SHORT: Final = "3s 4s 5s"

#: The turn in which a position stands unless it says otherwise.
TURN: Final = 40

_OWNERS: Final = {"waiting": -1, "mine": 0, "theirs": 1, "stock": 2}
_Value = TypeVar("_Value")
_Test = TypeVar("_Test", bound=Callable[..., None])


def rules_of(rules: RuleSet | str) -> RuleSet:
    """Return a rule set, by name or as it is."""
    return RULE_SETS[rules] if isinstance(rules, str) else rules


def spread(table: Mapping[str, _Value]) -> dict[str, _Value]:
    """Return the outcome of each rule set named in a table, whose keys are names parted by blanks, or `OTHERS`."""
    found: dict[str, _Value] = {}
    for names, value in table.items():
        for name in names.split() if names != OTHERS else []:
            assert name in RULE_SETS, f"there is no rule set {name}"
            assert name not in found, f"{name} has two outcomes"
            found[name] = value
    if OTHERS in table:
        found |= {name: table[OTHERS] for name in RULE_SETS if name not in found}
    return {name: found[name] for name in RULE_SETS if name in found}


def each(case: str, table: Mapping[str, Any] | str) -> Callable[[_Test], _Test]:
    """Run a test for each rule set of a table (arguments ``name`` and ``expected``) or of a list (``name``).

    The id of each run is the case and the rule set, such as ``G3-fechado``.
    """
    if isinstance(table, str):
        return pytest.mark.parametrize("name", [pytest.param(name, id=f"{case}-{name}") for name in table.split()])
    rows = [pytest.param(name, expected, id=f"{case}-{name}") for name, expected in spread(table).items()]
    return pytest.mark.parametrize(("name", "expected"), rows)


def cards(text: str) -> tuple[int, ...]:
    """Return the cards of a text, sorted as a hand is."""
    return tuple(sorted(parse_cards(text)))


def _melds(melds: Sequence[str | MeldState]) -> tuple[MeldState, ...]:
    return tuple(MeldState(parse_meld(meld)) if isinstance(meld, str) else meld for meld in melds)


def _pile(text: str, players: int, turn: int) -> tuple[PileCard, ...]:
    """Return a pile, bottom first, whose top card was discarded in the turn before, the others in turns before that."""
    entries = parse_cards(text)
    turns = [turn - len(entries) + index for index in range(len(entries))]
    return tuple(PileCard(card, at % players, at) for card, at in zip(entries, turns, strict=True))


def position_of(
    rules: RuleSet | str,
    hand: str,
    *,
    melds: Sequence[str | MeldState] = (),
    other_melds: Sequence[str | MeldState] = (),
    others: Sequence[str] = (),
    pile: str = "",
    stock: str = "",
    stock_count: int | None = None,
    mortos: str = "waiting waiting",
    next_morto: str = "",
    players: int = 0,
    **fields: Any,
) -> Position:
    """Return a position in which seat 0 is to act (by default after a draw from the stock).

    ``melds`` lie before side 0, ``other_melds`` before side 1; ``others`` are the hands of the next seats (three cards
    or so where none is given); ``pile`` is bottom first; ``stock`` names the next cards, first to be drawn first, of
    ``stock_count``; ``mortos`` says of both whether they are waiting, mine, theirs or became the stock; ``next_morto``
    names cards of the first that waits. ``fields`` are fields of the position as they are. Cards that nobody names
    fill what is left; too many for a short stock are in the hand of seat 1.
    """
    rule_set = rules_of(rules)
    players = players or max(rule_set.player_counts)
    turn = fields.get("turn_count", TURN)
    mine, theirs, heap = _melds(melds), _melds(other_melds), _pile(pile, players, turn)
    owners = tuple(_OWNERS[word] for word in mortos.split())
    known = [cards(hand), *(cards(other) for other in others)]
    fixed = [entry.card for entry in heap if entry.card is not None]
    fixed += [card for meld in (*mine, *theirs) for card in unpack(meld.packed).cards]
    rest = _left(rule_set, [*(card for one in known for card in one), *fixed], stock, next_morto)
    reserve = _mortos(owners, rule_set.morto_size, list(parse_cards(next_morto)), rest)
    hands, drawn = _filled(known, players, list(parse_cards(stock)), stock_count, rest)
    position = Position(
        rules=rule_set,
        players=players,
        dealer=players - 1,
        seat=0,
        phase="play",
        turn_count=turn,
        hands=tuple(hands),
        hand_counts=tuple(len(one) for one in hands),
        known=((),) * players,
        melds=(mine, theirs),
        pile=heap,
        stock=tuple(reversed(drawn)),
        stock_count=len(drawn),
        mortos=reserve,
        morto_owner=(owners[0], owners[1]),
        mortos_gone=sum(owner != -1 for owner in owners),
        unplayed=(False,) * players,
        drew_stock=fields.get("phase", "play") not in ("draw", "over"),
    )
    return replace(position, **fields)


def _left(rules: RuleSet, named: Sequence[int], stock: str, next_morto: str) -> list[int]:
    """Return the cards of the pack that nobody names, sorted."""
    left = Counter(ordered_pack(rules))
    left.subtract([*named, *parse_cards(stock), *parse_cards(next_morto)])
    assert min(left.values()) >= 0, "the pack has not so many of " + cards_text(-left)
    return sorted(left.elements())


def _filled(
    known: Sequence[tuple[int, ...]], players: int, stock: list[int], stock_count: int | None, rest: list[int]
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return all hands, and the stock in the order in which it is drawn, made of what is named and of the rest."""
    hands = list(known)
    while len(hands) < players:
        hands.append(tuple(rest.pop(0) for _ in range(min(3, len(rest) // 4))))
    wanted = len(rest) if stock_count is None else stock_count - len(stock)
    hands[1] = tuple(sorted((*hands[1], *rest[wanted:])))
    return hands, [*stock, *rest[:wanted]]


def _mortos(
    owners: Sequence[int], size: int, named: list[int], rest: list[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    found = []
    for owner in owners:
        while owner == -1 and len(named) < size:
            named.append(rest.pop(0))
        found.append(tuple(named) if owner == -1 else ())
        named = [] if owner == -1 else named
    return (found[0], found[1])


def deal_of(rules: RuleSet | str, hand: str, **parts: Any) -> Deal:
    """Return the deal of a position as `position_of` makes it."""
    return Deal.from_position(position_of(rules, hand, **parts))


def over_of(rules: RuleSet | str, hands: str, **parts: Any) -> Deal:
    """Return a deal that is over: ``hands`` of all seats parted by ``/``, an empty one where a hand is empty.

    Without ``out_seat`` it ended by the stock, with it by a close.
    """
    first, *others = (hand.strip() for hand in hands.split("/"))
    kind = "closed" if parts.get("out_seat", -1) >= 0 else "stock"
    return deal_of(rules, first, others=others, players=len(others) + 1, **{"phase": "over", "end_kind": kind, **parts})


def code_of(deal: Deal, action: str) -> str:
    """Return the code of the refusal of an action, empty if it is legal; both doors must agree and nothing change."""
    number, before = parse_action(action), deal.dump()
    code = deal.refusal(number)
    assert (number in deal.legal()) is (code == "")
    if code:
        with pytest.raises(IllegalAction) as caught:
            deal.apply(number)
        assert caught.value.code == code
    assert deal.dump() == before
    return code


def refused(deal: Deal, action: str, code: str) -> None:
    """Assert that an action is refused with a code, by every door, and changes nothing."""
    assert code, "a refusal has a code"
    assert code_of(deal, action) == code


def allowed(deal: Deal, action: str) -> None:
    """Assert that an action is legal by every door."""
    assert code_of(deal, action) == ""


def act(deal: Deal, *actions: str) -> Deal:
    """Carry out actions, each of which must be legal, and return the deal."""
    for action in actions:
        assert deal.refusal(parse_action(action)) == "", action
        deal.apply(parse_action(action))
    return deal


def legal_texts(deal: Deal, *kinds: str) -> list[str]:
    """Return the texts of the legal actions, or of those kinds of them (``discard``, ``meld`` ...)."""
    texts = [format_action(action) for action in deal.legal()]
    return [text for text in texts if not kinds or text.split()[0] in kinds]


def is_over(deal: Deal) -> bool:
    """Say whether a deal has ended."""
    return deal.over


def hand_of(deal: Deal, seat: int) -> str:
    """Return a hand as text."""
    return cards_text(deal.hand(seat))


def melds_of(deal: Deal, side: int) -> list[str]:
    """Return the melds of a side as texts."""
    return [format_meld(meld) for meld in deal.meld_list(side)]
