"""The open sockets by person, so that they can be closed when the person is barred or logs out everywhere."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable

from sqlalchemy.exc import SQLAlchemyError

from buraco.server.limits import Connections
from buraco.server.peers import Peers
from buraco.server.store import StorageError

__all__ = ["Judge", "Kick", "Sockets"]


Judge = Callable[[], Awaitable[tuple[int, str] | None]]
"""Says with which code and for what reason a socket has to be closed, None if it may stay open."""


class Kick:
    """One open socket, which may have to be closed. ``judge`` looks whether its person may still be there."""

    __slots__ = ("_listener", "_told", "judge")

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self._told: tuple[int, str] | None = None
        self._listener: Callable[[int, str], None] | None = None

    def tell(self, code: int, reason: str) -> None:
        """Ask for the socket to be closed."""
        self._told = (code, reason)
        if self._listener is not None:
            self._listener(code, reason)

    def listen(self, listener: Callable[[int, str], None]) -> None:
        """Call ``listener`` with the code and the reason when the socket has to be closed, at once if that was asked
        before."""
        self._listener = listener
        if self._told is not None:
            listener(*self._told)


class Sockets:
    """Every open socket of this process; ``peers`` have others."""

    def __init__(self, counts: Connections, peers: Peers) -> None:
        self.counts = counts
        self._peers = peers
        self._kicks: defaultdict[str, set[Kick]] = defaultdict(set)
        self._judging: asyncio.Task[None] | None = None
        self._to_judge = False

    def open(self, person_id: str, judge: Judge) -> Kick:
        """Note that a socket of a person is open."""
        kick = Kick(judge)
        self._kicks[person_id].add(kick)
        return kick

    def closed(self, person_id: str, kick: Kick) -> None:
        """Note that a socket is gone."""
        kicks = self._kicks[person_id]
        kicks.discard(kick)
        if not kicks:
            del self._kicks[person_id]

    def close_person(self, person_id: str, code: int, reason: str) -> int:
        """Ask for every socket of a person to be closed, at all processes; return how many there are here."""
        self._peers.kick(person_id, code, reason)
        return self.close_here(person_id, code, reason)

    def judge_all(self) -> None:
        """Begin to close the sockets of whoever may no longer be there: others may have asked for it, unheard."""
        # Those that are judged just now may have been looked at too early.
        self._to_judge = True
        if self._judging is None or self._judging.done():
            self._judging = asyncio.create_task(self._judge_all(), name="judge sockets")

    async def _judge_all(self) -> None:
        while self._to_judge:
            self._to_judge = False
            for kick in [kick for kicks in self._kicks.values() for kick in kicks]:
                try:
                    told = await kick.judge()
                except (SQLAlchemyError, StorageError):
                    # Without the database nothing is certain, and all are judged again when it is.
                    return
                if told is not None:
                    kick.tell(*told)

    def close_here(self, person_id: str, code: int, reason: str) -> int:
        """Ask for every socket of a person to this process to be closed; return how many there are."""
        kicks = list(self._kicks.get(person_id, ()))
        for kick in kicks:
            kick.tell(code, reason)
        return len(kicks)
