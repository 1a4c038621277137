"""What one connection gets from a table: a bounded queue of messages in order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from buraco.server.messages import Ack, Presence, Refused, Reply, ServerMessage, Snapshot
from buraco.server.shown import You
from buraco.server.terms import CLOSE_GONE, CLOSE_SLOW, Principal, SubscriptionClosed

__all__ = ["Subscription"]


class Subscription:
    """What one connection of one principal gets from a table, in order.

    News beyond the limit are dropped, and a fresh snapshot takes their place once the reader has caught up; replies are
    never dropped: a reader who leaves as many as the limit unread is disconnected.
    """

    __slots__ = (
        "_end",
        "_lagging",
        "_listener",
        "_on_close",
        "_queue",
        "_queue_max",
        "_snapshot",
        "delayed",
        "principal",
        "seat",
        "you",
    )

    def __init__(
        self,
        principal: Principal,
        queue_max: int,
        *,
        snapshot: Callable[[Subscription], Snapshot],
        on_close: Callable[[Subscription], None],
    ) -> None:
        self.principal = principal
        self.seat: int | None = None
        self.you: You | None = None
        self.delayed = False
        # A list: it is short, and mostly empty, when a deque takes as much as everything else here.
        self._queue: list[ServerMessage] = []
        self._queue_max = queue_max
        self._snapshot = snapshot
        self._on_close = on_close
        self._lagging = False
        self._end: tuple[int, str] | None = None
        self._listener: Callable[[], None] | None = None

    @property
    def closed(self) -> bool:
        """Whether it has ended, though there may be messages left to deliver."""
        return self._end is not None

    @property
    def waiting(self) -> int:
        """The number of messages that wait."""
        return len(self._queue)

    def put(self, message: ServerMessage) -> None:
        """Add news; used by the table."""
        if self._end is not None or self._lagging:
            return
        if isinstance(message, Presence) and self._queue and isinstance(self._queue[-1], Presence):
            self._queue.pop()
        if len(self._queue) >= self._queue_max:
            self._drop_news()
            self._lagging = True
        else:
            self._queue.append(message)
        self._tell_listener()

    def reply(self, message: Reply) -> None:
        """Add a reply; used by the table."""
        if self._end is not None:
            return
        if len(self._queue) >= self._queue_max:
            self._drop_news()
            self._lagging = True
            if len(self._queue) >= self._queue_max:
                self._queue.clear()
                self.end(CLOSE_SLOW, "too many replies were not read")
                return
        self._queue.append(message)
        self._tell_listener()

    def restart(self, messages: list[ServerMessage]) -> None:
        """Replace all news that wait by these; used by the table. Too many become a snapshot."""
        self._drop_news()
        self._lagging = len(self._queue) + len(messages) > self._queue_max
        if not self._lagging:
            self._queue.extend(messages)
        self._tell_listener()

    def end(self, code: int, reason: str) -> None:
        """End it with the socket's close code once everything that waits is delivered; used by the table."""
        if self._end is None:
            self._end = (code, reason)
            self._tell_listener()
            self._on_close(self)

    def _drop_news(self) -> None:
        replies = [message for message in self._queue if isinstance(message, Ack | Refused)]
        self._queue.clear()
        self._queue.extend(replies)

    def next_now(self) -> ServerMessage | None:
        """Return the next message for this connection, None while there is none.

        Raises SubscriptionClosed (with the socket's close code) when it has ended and everything was delivered.
        """
        if self._queue:
            return self._queue.pop(0)
        if self._end is not None:
            raise SubscriptionClosed(*self._end)
        if not self._lagging:
            return None
        self._lagging = False
        return self._snapshot(self)

    async def next(self) -> ServerMessage:
        """Return the next message, when there is one; for a reader who does nothing else, in the place of `listen`.
        Raises SubscriptionClosed as `next_now` does."""
        while (message := self.next_now()) is None:
            news = asyncio.Event()
            self._listener = news.set
            await news.wait()
        return message

    def listen(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` now, and whenever `next_now` may have more to say; it must not do so at once."""
        self._listener = listener
        listener()

    def _tell_listener(self) -> None:
        if self._listener is not None:
            self._listener()

    def close(self) -> None:
        """End it: the connection is gone, nobody listens. Presence follows; harmless when repeated."""
        self._listener = None
        self._queue.clear()
        self.end(CLOSE_GONE, "the connection is gone")
