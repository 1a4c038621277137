"""What somebody at a seat may ask: what cards would be, why something is refused, what a bot would do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from buraco.bots import HINT_LEVEL, Decision
from buraco.engine import Host, Refusal, SeatView
from buraco.notation import format_action
from buraco.server import messages as msg
from buraco.server.botpool import BotFailed
from buraco.server.deciding import Refuse, refusal_of
from buraco.server.logs import Log
from buraco.server.probe import probe_cards, rule_place
from buraco.server.replaying import Fold
from buraco.server.terms import Principal
from buraco.texts import message as text_of

__all__ = ["Choose", "Questions"]

Choose = Callable[[str, int, SeatView], Awaitable[Decision]]
"""Lets a bot of a level choose for a seat that sees this."""


class Questions:
    """Answers questions about a table, which it never changes."""

    def __init__(self, fold: Fold, choose: Choose, log: Log) -> None:
        self._fold = fold
        self._choose = choose
        self._log = log
        self._asking: set[str] = set()

    async def result(
        self, principal: Principal, message: msg.ClientMessage
    ) -> msg.ProbeResult | msg.WhyResult | msg.HintResult:
        """Return the answer to a `Probe`, `Why` or `Hint`. Raises Refuse, BuracoError."""
        fold, seat, host = self._fold, self._fold.seat_of(principal), self._fold.host
        if seat is None:
            raise Refuse(refusal_of("not_seated"))
        if host is None or fold.phase != "playing":
            raise Refuse(Refusal("no_deal", text_of("host.no_deal")))
        if isinstance(message, msg.Probe):
            return probe_cards(host, seat, message.cards, message.meld, principal.language)
        if isinstance(message, msg.Why):
            return _why(host, seat, message.action, principal.language)
        if not fold.hints_allowed(seat):
            raise Refuse(refusal_of("hints_off"))
        if host.seat != seat:
            raise Refuse(refusal_of("not_your_turn"))
        return await self._hint(principal, host.view(seat), seat)

    async def _hint(self, principal: Principal, view: SeatView, seat: int) -> msg.HintResult:
        if principal.token_id in self._asking:
            raise Refuse(refusal_of("busy"))
        self._asking.add(principal.token_id)
        play_at, level = self._fold.play_at, HINT_LEVEL
        try:
            decision = await self._choose(level, seat, view)
        except BotFailed as error:
            self._log.warning("hint_failed", code=error.code, bot=level, seat=seat)
            raise Refuse(refusal_of("hint_failed")) from None
        finally:
            self._asking.discard(principal.token_id)
        if self._fold.play_at != play_at:
            raise Refuse(refusal_of("stale_version"))
        reasons = tuple(
            msg.ReasonText(code=reason.code, values=dict(reason.values), text=reason.text(principal.language))
            for reason in decision.reasons
        )
        return msg.HintResult(
            action=decision.action,
            text=format_action(decision.action),
            level=level,
            reasons=reasons,
            evaluation=decision.evaluation,
        )


def _why(host: Host, seat: int, action: int, language: str) -> msg.WhyResult:
    refusal = host.why(seat, action)
    if refusal is None:
        return msg.WhyResult(legal=True)
    told = refusal.told(language)
    return msg.WhyResult(
        legal=False, code=told.code, text=told.text, citation=told.citation, rule=rule_place(told.rule)
    )
