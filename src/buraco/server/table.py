"""One table: the only one who may change it, what it tells whom, and its timers."""

from __future__ import annotations

from buraco.server.messages import Ack, ClientMessage, Refused, ServerMessage, Snapshot
from buraco.server.terms import Principal

__all__ = ["Subscription", "Table"]


class Subscription:
    """What one connection of one principal gets from a table, in order."""

    @property
    def principal(self) -> Principal:
        """Whose it is."""
        raise NotImplementedError

    async def next(self) -> ServerMessage:
        """Return the next message for this connection, when there is one.

        Raises SubscriptionClosed (with the socket's close code) when it has ended and everything was delivered.
        """
        raise NotImplementedError

    def close(self) -> None:
        """End it: the connection is gone. Presence follows; harmless when repeated."""
        raise NotImplementedError


class Table:
    """A table, made by `buraco.server.service.TableService`."""

    @property
    def table_id(self) -> str:
        """Its identifier, which is in addresses."""
        raise NotImplementedError

    @property
    def code(self) -> str:
        """The short code of an invitation."""
        raise NotImplementedError

    @property
    def version(self) -> int:
        """The number of its last change."""
        raise NotImplementedError

    async def handle(
        self, principal: Principal, message: ClientMessage, subscription: Subscription | None = None
    ) -> Ack | Refused:
        """Answer one message of a person; never raises for what they say.

        With a subscription the reply is also put into it, before the news that the message makes: the connection
        then sends what `Subscription.next` returns and nothing else. An `Ack` means that what was accepted is durable.
        """
        raise NotImplementedError

    def subscribe(self, principal: Principal, since: int | None = None) -> Subscription:
        """Begin to tell somebody about the table; its first message is a `Snapshot`, or with ``since`` the updates
        after that version where they are at hand, then `Presence`.

        Raises ServerError: ``not_allowed`` (spectators are not allowed), ``table_closed``, ``stopping``.
        """
        raise NotImplementedError

    def snapshot(self, principal: Principal) -> Snapshot:
        """Return what somebody may see now. Raises ServerError (code ``not_allowed``)."""
        raise NotImplementedError

    async def admin_close(self) -> None:
        """Close the table for good, whatever it is doing; an unfinished match ends as ``abandoned``."""
        raise NotImplementedError
