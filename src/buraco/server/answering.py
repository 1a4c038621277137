"""The answers of one table to questions: each is found once, kept, and refused where it has to be."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from buraco.engine import Refusal
from buraco.errors import BuracoError
from buraco.server import messages as msg
from buraco.server.deciding import Refuse, refusal_of
from buraco.server.questions import Questions
from buraco.server.replaying import Fold
from buraco.server.replies import Replies
from buraco.server.terms import Principal

__all__ = ["Answers", "is_question"]

_QUESTIONS: Final = (msg.Probe, msg.Why, msg.Hint, msg.Explain, msg.Resume)


def is_question(message: msg.ClientMessage) -> bool:
    """Say whether a message asks for something and changes nothing."""
    return isinstance(message, _QUESTIONS)


class Answers:
    """Answers questions about a table, which it never changes. ``seen`` gives the table as somebody may see it now."""

    def __init__(self, questions: Questions, replies: Replies, seen: Callable[[Principal], Fold]) -> None:
        self._questions = questions
        self._replies = replies
        self._seen = seen
        self._answering: dict[tuple[str, str], asyncio.Task[msg.Reply]] = {}

    async def answer(self, principal: Principal, message: msg.ClientMessage, *, resumes: bool) -> msg.Reply:
        """Return the reply to a question. ``resumes``: it came over a subscription, which `Resume` asks for."""
        reply = self._replies.kept(principal, message.id)
        if reply is not None:
            return reply
        key = (principal.token_id, message.id)
        # The same question may come again, over another connection, while its answer is still being thought about.
        if key not in self._answering:
            finding = asyncio.create_task(self._find(principal, message, resumes))
            self._answering[key] = finding
            finding.add_done_callback(lambda _: self._answering.pop(key, None))
        return await self._answering[key]

    async def _find(self, principal: Principal, message: msg.ClientMessage, resumes: bool) -> msg.Reply:
        try:
            result = await self._result(principal, message, resumes)
            version = self._seen(principal).version
            return self._replies.keep(principal, msg.Ack(id=message.id, version=version, result=result))
        except Refuse as refused:
            return self._replies.keep(principal, self._replies.refused(principal, message, refused.refusal))
        except BuracoError as error:
            refusal = Refusal(error.code, error.message)
            return self._replies.keep(principal, self._replies.refused(principal, message, refusal))

    async def _result(
        self, principal: Principal, message: msg.ClientMessage, resumes: bool
    ) -> msg.ProbeResult | msg.WhyResult | msg.HintResult | msg.ExplainResult | None:
        version = self._seen(principal).version
        if message.version > version:
            raise Refuse(refusal_of("future_version"))
        if isinstance(message, msg.Resume):
            if not resumes:
                raise Refuse(refusal_of("resume_here"))
            if message.since > version:
                raise Refuse(refusal_of("future_version"))
            return None
        return await self._questions.result(principal, message)
