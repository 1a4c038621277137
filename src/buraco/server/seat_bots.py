"""The bots of one table: who plays a seat, how long it may think about it, and what is done when it fails."""

from __future__ import annotations

import hashlib

from buraco.bots import Decision
from buraco.engine import SeatView
from buraco.server.botpool import BotFailed, BotPool
from buraco.server.logs import Log
from buraco.server.replaying import Fold
from buraco.server.terms import TableSettings
from buraco.server.thinking import hint_level, offered_levels, played_level, turn_ms
from buraco.server.timeouts import fallback_action

__all__ = ["SeatBots"]


class SeatBots:
    """Asks the server's bots for the seats of one table, which it never changes."""

    def __init__(self, fold: Fold, bots: BotPool, settings: TableSettings, log: Log) -> None:
        self._fold = fold
        self._bots = bots
        self._settings = settings
        self._offered = offered_levels(settings.bot_levels)
        self._log = log

    @property
    def hint_level(self) -> str:
        """Who gives hints."""
        return hint_level(self._offered)

    async def hint(self, level: str, seat: int, view: SeatView) -> Decision:
        """Return what a bot would do at a seat. Raises BotFailed."""
        return await self._choose(level, seat, view)

    async def action(self, seat: int, view: SeatView) -> tuple[str, Decision]:
        """Return the level of the bot of a seat and what it does; if it fails, what the table does when time is up."""
        level = played_level(self._fold.bot_level(seat), self._offered)
        try:
            return level, await self._choose(level, seat, view)
        except BotFailed as error:
            self._log.warning("bot_failed", code=error.code, bot=level, seat=seat)
            return level, Decision(fallback_action(view))

    async def _choose(self, level: str, seat: int, view: SeatView) -> Decision:
        ms = turn_ms(level, self._settings.bot_ms)
        table = self._fold.options.table
        label = f"{table}/{self._fold.match}/{seat}".encode()
        seed = int.from_bytes(hashlib.sha256(label).digest()[:4], "big")
        return await self._bots.choose(level, seed, view, ms, lane=table)
