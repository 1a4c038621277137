"""What somebody at a seat may ask: what cards would be, why something is refused, what a bot would do, why one did."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from buraco.bots import Decision
from buraco.engine import Host, Refusal, SeatView
from buraco.notation import format_action
from buraco.server import messages as msg
from buraco.server.botpool import BotFailed
from buraco.server.deciding import Refuse, refusal_of
from buraco.server.explaining import Thoughts, reason_texts, weighed
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

    def __init__(self, fold: Fold, choose: Choose, hint_level: str, thoughts: Thoughts, log: Log) -> None:
        self._fold = fold
        self._thoughts = thoughts
        self._choose = choose
        self._hint_level = hint_level
        # Of the position that is on the table, by seat: asked again, the same hint costs no thought.
        self._hints: dict[int, tuple[object, Decision]] = {}
        self._log = log
        self._asking: set[str] = set()

    async def result(
        self, principal: Principal, message: msg.ClientMessage
    ) -> msg.ProbeResult | msg.WhyResult | msg.HintResult | msg.ExplainResult:
        """Return the answer to a `Probe`, `Why`, `Hint` or `Explain`. Raises Refuse, BuracoError."""
        fold, seat, host = self._fold, self._fold.seat_of(principal), self._fold.host
        if seat is None:
            raise Refuse(refusal_of("not_seated"))
        if isinstance(message, msg.Explain):
            return self._thoughts.explain(fold, seat, message.at, principal.language)
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
        play_at, level = self._fold.play_at, self._hint_level
        try:
            decision = await self._thought(play_at, level, seat, view)
        except BotFailed as error:
            self._log.warning("hint_failed", code=error.code, bot=level, seat=seat)
            raise Refuse(refusal_of("hint_failed")) from None
        finally:
            self._asking.discard(principal.token_id)
        if self._fold.play_at != play_at:
            raise Refuse(refusal_of("stale_version"))
        return msg.HintResult(
            action=decision.action,
            text=format_action(decision.action),
            level=level,
            reasons=reason_texts(decision.reasons, principal.language),
            evaluation=decision.evaluation,
            alternatives=weighed(decision),
        )

    async def _thought(self, play_at: object, level: str, seat: int, view: SeatView) -> Decision:
        known = self._hints.get(seat)
        if known is None or known[0] != play_at:
            known = self._hints[seat] = play_at, await self._choose(level, seat, view)
        return known[1]


def _why(host: Host, seat: int, action: int, language: str) -> msg.WhyResult:
    refusal = host.why(seat, action)
    if refusal is None:
        return msg.WhyResult(legal=True)
    told = refusal.told(language)
    return msg.WhyResult(
        legal=False, code=told.code, text=told.text, citation=told.citation, rule=rule_place(told.rule)
    )
