"""The bots of the engine's heuristic, the club player and the beginner: a choice, why, and what else was weighed."""

from __future__ import annotations

from buraco.bots.basic import PolicyBot
from buraco.bots.club_reasons import club_reasons
from buraco.bots.protocol import ALTERNATIVES_MAX, Alternative, Decision
from buraco.engine.deal import CLUB_FORBIDDEN, Deal
from buraco.engine.view import SeatView

__all__ = ["HeuristicBot", "alternatives_of"]


def alternatives_of(scored: list[tuple[int, int]], chosen: int) -> tuple[Alternative, ...]:
    """Return the best of the scored actions besides the chosen one, the best first, none that is never done."""
    others = sorted(
        ((action, value) for action, value in scored if action != chosen and value > CLUB_FORBIDDEN),
        key=lambda pair: (-pair[1], pair[0]),
    )
    return tuple(Alternative(action, float(value)) for action, value in others[:ALTERNATIVES_MAX])


class HeuristicBot(PolicyBot):
    """A bot that gives every legal action a value in points (docs/bots.md) and takes the best.

    ``policy`` is ``club`` or ``novice`` by the engine's number; ``seed`` decides the lapses of the beginner. The values
    depend on what the seat sees alone, so that it does not matter how the hidden cards are filled in.

    The evaluation of a decision and of its alternatives is in points against standing still: a discard costs what
    leaves the hand and what it may bring the opponents, a play stands above the best discard by what it gains.
    """

    def _decide(self, view: SeatView, deal: Deal, seed: int) -> Decision:
        scored = deal.scored(self._policy)
        action = deal.choose(self._policy, seed)
        value = dict(scored)[action]
        after = deal.copy()
        after.apply(action)
        reasons = club_reasons(view, deal, after, action, scored)
        evaluation = float(value) if value > CLUB_FORBIDDEN else None
        return Decision(action, reasons, evaluation, alternatives_of(scored, action))
