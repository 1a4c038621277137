"""The bots that are policies of the engine: the same code plays inside playouts and, through a view, at a seat."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Final

from buraco.bots.explain import reasons_for, table_points
from buraco.bots.protocol import Decision, Limit, Reason
from buraco.engine.codes import POLICIES
from buraco.engine.deal import Deal
from buraco.engine.determinize import determinize
from buraco.engine.view import SeatView
from buraco.errors import BuracoError
from buraco.texts import message

__all__ = ["PolicyBot", "view_seed"]

_RANDOM: Final = POLICIES.index("random")


class PolicyBot:
    """A bot that asks a policy of the engine about a state that fits the seat's view.

    ``policy`` is the policy's number, ``seed`` what the random policies draw from. The policy sees no more than the
    seat does, so that it does not matter how the hidden cards are filled in.
    """

    def __init__(self, level: str, policy: int, seed: int = 0) -> None:
        self._level = level
        self._policy = policy
        self._seed = seed

    @property
    def level(self) -> str:
        """The name of its level in the registry."""
        return self._level

    def choose(self, view: SeatView, limit: Limit) -> Decision:  # noqa: ARG002 one step needs no limit
        """Choose as the policy does. Raises BuracoError (code ``not_your_turn``) if the seat is not to act."""
        if not view.to_act or view.seat is None:
            raise BuracoError("not_your_turn", message("host.not_your_turn"))
        seed = view_seed(view, self._seed)
        return self._decide(view, determinize(view, seed), seed)

    def _decide(self, view: SeatView, deal: Deal, seed: int) -> Decision:
        """Decide for the view's seat in a state that fits the view."""
        action = deal.choose(self._policy, seed)
        if self._policy == _RANDOM:
            return Decision(action, (Reason("at_random", (("count", len(view.legal)),)),))
        after = deal.copy()
        after.apply(action)
        gain = table_points(after, deal.seat & 1) - table_points(deal, deal.seat & 1)
        return Decision(action, reasons_for(view, deal, after, action), float(gain))


def view_seed(view: SeatView, seed: int) -> int:
    """Return 31 bits from the bot's seed and from what the seat sees: other draws at every step, the same each time."""
    position = view.position
    seen = [seed, view.seat, position.turn_count, position.stock_count, len(position.pile), *view.hand, -1, *view.legal]
    return int.from_bytes(sha256(json.dumps(seen).encode()).digest()[:4], "big") >> 1
