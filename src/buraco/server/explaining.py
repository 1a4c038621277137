"""Why a bot did what it did: what its decisions said, kept in the memory of the table and told when they may be.

The reasons of a bot come from its hand. So another seat's are told only when the deal is over, and until then nothing
of them leaves this module, not even whether there are any. Whose seat a bot plays sees that hand, and is told at once.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import msgspec

from buraco.bots import Decision, Reason
from buraco.notation import format_action
from buraco.server import messages as msg
from buraco.server.deciding import Refuse, refusal_of
from buraco.server.replaying import Fold

__all__ = ["THOUGHTS_MAX", "Thoughts", "reason_texts", "weighed"]

THOUGHTS_MAX: Final = 500
"""The decisions that a table keeps: those of about two deals. After a restart of the server none is known."""


@dataclass(frozen=True, slots=True)
class _Thought:
    """A decision at a seat, as JSON since most are never asked for; ``match`` and ``deal`` say when."""

    match: int
    deal: int
    seat: int
    level: str
    decision: bytes


class Thoughts:
    """The latest decisions of the bots of a table, by the versions that their actions made."""

    def __init__(self, *, several: bool = False) -> None:
        """``several``: other processes drive the table too, and keep what the bots that they asked said."""
        self._several = several
        self._kept: OrderedDict[int, _Thought] = OrderedDict()

    def __len__(self) -> int:
        """Return how many are kept."""
        return len(self._kept)

    def add(self, fold: Fold, seat: int, level: str, decision: Decision) -> None:
        """Keep the decision whose action has just been applied as the latest version of the table."""
        host = fold.host
        if host is None:
            return
        # The action may have ended the deal.
        deal = len(host.results) - (host.seat is None)
        thought = _Thought(fold.match, deal, seat, level, msgspec.json.encode(decision))
        self._kept[fold.version] = thought
        if len(self._kept) > THOUGHTS_MAX:
            self._kept.popitem(last=False)

    def explain(self, fold: Fold, seat: int, at: int, language: str) -> msg.ExplainResult:
        """Return why a bot took the action of a version, for whoever holds a seat.

        Raises Refuse: ``not_yet`` for other seats while the deal is on, whoever acted there; else ``not_known``,
        or ``not_known_here`` where another process may know it.
        """
        thought = self._kept.get(at)
        if thought is None or thought.seat != seat:
            self._check_over(fold, at, thought)
        if thought is None:
            raise Refuse(refusal_of("not_known_here" if self._several else "not_known"))
        decision = msgspec.json.decode(thought.decision, type=Decision)
        return msg.ExplainResult(
            seat=thought.seat,
            level=thought.level,
            action=decision.action,
            text=format_action(decision.action),
            reasons=reason_texts(decision.reasons, language),
            evaluation=decision.evaluation,
            alternatives=weighed(decision),
        )

    def _check_over(self, fold: Fold, at: int, thought: _Thought | None) -> None:
        """Raise Refuse (``not_yet``) if a version belongs to the deal that is on."""
        if fold.phase != "playing" or fold.host is None:
            return
        if thought is None:
            # Whether a bot acted at all shows in the events; that nothing is known of it must not depend on the seat.
            if at >= fold.phase_at:
                raise Refuse(refusal_of("not_yet"))
        elif (thought.match, thought.deal) == (fold.match, len(fold.host.results)):
            raise Refuse(refusal_of("not_yet"))


def reason_texts(reasons: tuple[Reason, ...], language: str) -> tuple[msg.ReasonText, ...]:
    """Return reasons as they are told, in a language."""
    return tuple(
        msg.ReasonText(code=reason.code, values=dict(reason.values), text=reason.text(language)) for reason in reasons
    )


def weighed(decision: Decision) -> tuple[msg.Weighed, ...]:
    """Return the other actions that a decision weighed, the best first."""
    return tuple(
        msg.Weighed(action=other.action, text=format_action(other.action), evaluation=other.evaluation)
        for other in decision.alternatives
    )
