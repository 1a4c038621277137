"""The known cases of melds, additions and points, asked of the engine by its public door."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import pytest

from buraco.cards import card_text
from buraco.engine import Deal
from buraco.rules import RULE_SETS, RuleSet
from tests.oracle import Table, card_points, parse_meld
from tests.oracle.bridge import ADD_BASE, RUN_BASE, add_ids_of_card, all_new_melds, discard_id, new_meld_id
from tests.rules.case_tables import (
    ADDITIONS,
    BEST,
    POINTS,
    READINGS,
    AdditionCase,
    BestCase,
    PointCase,
    ReadingCase,
    applied,
    identified,
)
from tests.rules.setups import pack_of, position_of, tabled

NEW_MELDS: Final = all_new_melds()


def in_pack(rules: RuleSet, cards: Sequence[str]) -> bool:
    """Say whether the pack has these cards."""
    return not Counter(cards) - pack_of(rules)


READING_ROWS = [row for row in applied(READINGS) if in_pack(row[0], row[1].cards.split())]
ADDITION_ROWS = [row for row in applied(ADDITIONS) if in_pack(row[0], [*row[1].meld.split(), row[1].card])]
LACKING_ROWS = [row for row in applied(ADDITIONS) if row not in ADDITION_ROWS]
POINT_ROWS = applied(POINTS)
BEST_ROWS = applied(BEST)


def fillers(rules: RuleSet, cards: Sequence[str]) -> list[str]:
    """Return two ordinary cards that the pack still has, so that the end of the turn is no question."""
    left = pack_of(rules) - Counter(cards)
    return [card for card in ("9d", "Qd", "4d", "Js") if left[card]][:2]


@pytest.mark.parametrize(("rules", "case"), READING_ROWS, ids=identified(READING_ROWS))
def test_a_hand_may_lay_exactly_the_stated_melds_of_its_cards(rules: RuleSet, case: ReadingCase) -> None:
    cards = case.cards.split()
    deal = Deal.from_position(position_of(rules, [*cards, *fillers(rules, cards)], Table()))
    laid = {action: NEW_MELDS[action] for action in deal.legal() if RUN_BASE <= action < ADD_BASE}
    whole = {action for action, meld in laid.items() if sorted(meld.cards) == sorted(cards)}
    assert whole == {new_meld_id(parse_meld(layout)) for layout in case.layouts}
    for action in whole:
        after = deal.copy()
        after.apply(action)
        assert tabled(after, 0) == (NEW_MELDS[action],)


def grown_by(deal: Deal, card: str) -> dict[int, object]:
    """Return what meld 0 becomes by each accepted addition of a card, as the engine leaves it."""
    found: dict[int, object] = {}
    for action in add_ids_of_card(0, card):
        if deal.check(action) == 0:
            after = deal.copy()
            after.apply(action)
            found[action] = tabled(after, 0)[0]
    return found


@pytest.mark.parametrize(("rules", "case"), ADDITION_ROWS, ids=identified(ADDITION_ROWS))
def test_a_card_added_gives_exactly_the_stated_melds(rules: RuleSet, case: AdditionCase) -> None:
    hand = [case.card, *fillers(rules, [*case.meld.split(), case.card])]
    grown = grown_by(Deal.from_position(position_of(rules, hand, Table((parse_meld(case.meld),)))), case.card)
    expected = {parse_meld(layout) for layout in case.layouts}
    assert set(grown.values()) == expected
    assert len(grown) == len(expected)


@pytest.mark.parametrize(("rules", "case"), LACKING_ROWS, ids=identified(LACKING_ROWS))
def test_a_card_that_the_pack_has_not_cannot_be_added(rules: RuleSet, case: AdditionCase) -> None:
    hand = fillers(rules, case.meld.split())
    deal = Deal.from_position(position_of(rules, hand, Table((parse_meld(case.meld),))))
    assert grown_by(deal, case.card) == {}


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_card_held_once_is_added_once(name: str) -> None:
    """M12."""
    run = parse_meld("2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh")
    deal = Deal.from_position(position_of(RULE_SETS[name], ["Ah", "9d", "Qd"], Table((run,))))
    first = min(grown_by(deal, "Ah"))
    deal.apply(first)
    assert grown_by(deal, "Ah") == {}
    assert [deal.refusal(action) for action in add_ids_of_card(0, "Ah")] == ["card_not_held"] * 6


@pytest.mark.parametrize(("rules", "case"), POINT_ROWS, ids=identified(POINT_ROWS))
def test_a_meld_on_the_table_scores_the_stated_points(rules: RuleSet, case: PointCase) -> None:
    table = Table((parse_meld(case.meld),), took_morto=True, mortos_left=0)
    deal = Deal.from_position(position_of(rules, ["9d"], table, at_once=case.at_once))
    held = [card_text(card) for seat in range(0, deal.players, 2) for card in deal.hand(seat)]
    assert deal.score(0) == case.cards + case.bonus - card_points(held, rules)


@pytest.mark.parametrize(("rules", "case"), BEST_ROWS, ids=identified(BEST_ROWS))
def test_a_meld_counts_as_it_lies(rules: RuleSet, case: BestCase) -> None:
    """C1, C3: in a deal the places of the cards are known."""
    for layout in case.layouts:
        deal = Deal.from_position(position_of(rules, ["9c"], Table((parse_meld(layout),), True, 0)))
        held = [card_text(card) for seat in range(0, deal.players, 2) for card in deal.hand(seat)]
        assert deal.score(0) == case.total - card_points(held, rules)


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_first_card_of_the_numbering_is_a_card(name: str) -> None:
    """M24: the ace of clubs, card 0, is held, discarded, laid and added like any other."""
    deal = Deal.from_position(position_of(RULE_SETS[name], ["Ac", "9d", "Qd"], Table((parse_meld("2c 3c 4c"),))))
    assert deal.check(discard_id("Ac")) == 0
    assert list(grown_by(deal, "Ac").values()) == [parse_meld("Ac 2c 3c 4c")]
    deal.apply(discard_id("Ac"))
    assert [card for card, *_ in deal.pile_cards()] == [0]


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_deal_uses_exactly_the_pack_of_its_rules(name: str, seed: int) -> None:
    """C9: 104 cards where there are no jokers, else 108."""
    rules = RULE_SETS[name]
    for players in rules.player_counts:
        deal = Deal(rules, players, seed=seed)
        position = deal.position()
        assert all(hand is not None and len(hand) == 11 for hand in position.hands)
        dealt = [*position.hands, position.stock, *position.mortos]
        cards = [card_text(card) for part in dealt for card in part or ()]
        cards += [card_text(entry.card) for entry in position.pile if entry.card is not None]
        assert Counter(cards) == pack_of(rules)
        assert len(cards) == (104 if name == "aberto-104" else 108)
