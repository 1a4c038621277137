"""How long the levels of bots think at a seat with forty cards in the hand, through ``choose(view)``."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median
from types import MappingProxyType
from typing import Final

from buraco.bots import Limit, make_bot
from buraco.engine import Deal, Position, SeatView, view_of
from buraco.engine.constants import POLICY_GREEDY
from buraco.rules import RULE_SETS, RuleSet

__all__ = ["HAND", "decision_ms", "forty_card_views", "rows"]

AIMS: Final = MappingProxyType({"expert": "< 300 a turn", "master": "< 1500 a turn"})
"""What a decision of a level that searches has to stay within: it has a share of its turn's time."""

VIEWS_OF_SEARCH: Final = 40
"""How many of the views a level that searches is asked about."""

HAND: Final = 40
"""The cards in the hand of the seat that is asked."""


def _enlarged(position: Position) -> Position | None:
    """Return the position with the hand of the seat to act filled up from the stock, None if that is too short."""
    hand, stock = position.hands[position.seat], position.stock
    if hand is None or stock is None:
        return None
    missing = HAND - len(hand)
    if missing < 0 or len(stock) - missing < 2:
        return None
    hands = list(position.hands)
    hands[position.seat] = tuple(sorted((*hand, *stock[len(stock) - missing :])))
    counts = [len(cards or ()) for cards in hands]
    left = stock[: len(stock) - missing]
    return replace(position, hands=tuple(hands), hand_counts=tuple(counts), stock=left, stock_count=len(left))


def forty_card_views(rules: RuleSet, deals: int) -> Iterator[SeatView]:
    """Yield views in the middle of deals of two or four, at every phase that comes up, with forty cards in the hand."""
    for seed in range(deals):
        deal = Deal(rules, min(rules.player_counts), seed=seed)
        for step in range(60):
            if deal.over:
                break
            if step % 3 == 2 and (large := _enlarged(deal.position())) is not None:
                yield view_of(Deal.from_position(large), deal.seat)
            deal.apply(deal.choose(POLICY_GREEDY))


def decision_ms(level: str, views: Sequence[SeatView], limit: Limit | None = None) -> tuple[float, float]:
    """Return the median and the worst time of a decision in milliseconds."""
    bot, spent = make_bot(level, 1), []
    for view in views:
        begin = time.perf_counter()
        bot.choose(view, limit or Limit())
        spent.append((time.perf_counter() - begin) * 1000)
    return median(spent), max(spent)


def rows(levels: Sequence[str], deals: int = 6) -> list[str]:
    """Return the table of the times of some levels, over all rule sets."""
    views = [view for rules in RULE_SETS.values() for view in forty_card_views(rules, deals)]
    lines = [
        f"Bots: {len(views)} decisions with {HAND} cards in the hand, over all rule sets, one core.",
        "",
        "| level | median ms | worst ms | aim |",
        "|---|---:|---:|---|",
    ]
    for level in levels:
        asked = views[:: max(1, len(views) // VIEWS_OF_SEARCH)] if level in AIMS else views
        middle, worst = decision_ms(level, asked)
        lines.append(f"| `{level}` | {middle:.2f} | {worst:.1f} | {AIMS.get(level, '< 5 median, < 50 worst')} |")
    return lines
