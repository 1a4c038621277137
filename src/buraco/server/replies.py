"""The replies of one table: what was answered to which message, so that a message that comes again counts once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from buraco.engine import Refusal
from buraco.server import messages as msg
from buraco.server.deciding import refusal_of
from buraco.server.probe import rule_place
from buraco.server.replaying import Fold
from buraco.server.terms import Principal

__all__ = ["Replies"]

_REPLIES_MAX: Final = 1024


class Replies:
    """Makes and remembers replies. ``fold`` is the table as it is, ``seen`` gives it as somebody may see it now."""

    def __init__(self, fold: Fold, seen: Callable[[Principal], Fold]) -> None:
        self._fold = fold
        self._seen = seen
        self._kept: OrderedDict[tuple[str, str], msg.Reply] = OrderedDict()

    def kept(self, principal: Principal, message_id: str) -> msg.Reply | None:
        """Return what somebody was answered to a message of this id."""
        return self._kept.get((principal.token_id, message_id))

    def known(self, principal: Principal, message: msg.ClientMessage) -> msg.Reply | None:
        """Return the reply of a message that came before, or that is too old to tell whether it did."""
        reply = self.kept(principal, message.id)
        if reply is not None:
            return reply
        person = self._fold.person_of(principal)
        ids = None if person is None else self._fold.ids.get(person.number)
        if ids is None:
            return None
        version = ids.get(message.id)
        if version is not None:
            return self.accepted(principal, message.id, version)
        return self.refused(principal, message, refusal_of("stale_version")) if message.version < ids.floor else None

    def keep(self, principal: Principal, reply: msg.Reply) -> msg.Reply:
        """Remember a reply, and return it."""
        self._kept[principal.token_id, reply.id] = reply
        if len(self._kept) > _REPLIES_MAX:
            self._kept.popitem(last=False)
        return reply

    def forget(self, token_id: str) -> None:
        """Forget what somebody was answered."""
        self._kept = OrderedDict((key, reply) for key, reply in self._kept.items() if key[0] != token_id)

    def accepted(self, principal: Principal, message_id: str, version: int) -> msg.Ack:
        """Return the reply to what was done."""
        return msg.Ack(id=message_id, version=min(version, self._seen(principal).version))

    def refused(self, principal: Principal, message: msg.ClientMessage, refusal: Refusal) -> msg.Refused:
        """Return the reply to what was not, in the language of the reader."""
        version, told = self._seen(principal).version, refusal.told(principal.language)
        return msg.Refused(
            id=message.id,
            version=version,
            code=told.code,
            text=told.text,
            citation=told.citation,
            rule=rule_place(told.rule),
        )
