"""Who thinks next: places for a bounded number at once, and a fair turn for every table that waits."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass

__all__ = ["Lanes"]


@dataclass(frozen=True, slots=True, eq=False)
class _Wish:
    """Somebody who waits; ``searches``: for one of the places of those that take long."""

    searches: bool
    told: asyncio.Future[None]


class Lanes:
    """``places`` in all, and one of them, where there are two or more, never for those that take long.

    The lanes (tables) that wait take turns, however much one of them asks for; in a lane the first comes first.
    """

    def __init__(self, places: int) -> None:
        self.places = max(1, places)
        self.search_places = max(1, self.places - 1)
        self._lanes: OrderedDict[str, deque[_Wish]] = OrderedDict()
        self._busy = 0
        self._searching = 0
        self._wanting = 0

    @property
    def busy(self) -> int:
        """How many places are taken."""
        return self._busy

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return sum(len(lane) for lane in self._lanes.values())

    @property
    def wanting_search(self) -> int:
        """How many search or wait to."""
        return self._wanting

    async def enter(self, lane: str, *, searches: bool) -> None:
        """Wait for a place, which `leave` gives back."""
        wish = _Wish(searches, asyncio.get_running_loop().create_future())
        self._lanes.setdefault(lane, deque()).append(wish)
        self._wanting += searches
        self._admit()
        try:
            await wish.told
        except asyncio.CancelledError:
            if wish.told.done() and not wish.told.cancelled():
                self.leave(searches=searches)
            else:
                self._wanting -= searches
                self._remove(lane, wish)
            raise

    def leave(self, *, searches: bool) -> None:
        """Give a place back."""
        self._busy -= 1
        self._searching -= searches
        self._wanting -= searches
        self._admit()

    def _admit(self) -> None:
        while self._busy < self.places:
            name = next((name for name, lane in self._lanes.items() if self._may(lane[0])), None)
            if name is None:
                return
            wish = self._lanes[name].popleft()
            self._lanes.move_to_end(name)
            if not self._lanes[name]:
                del self._lanes[name]
            if wish.told.cancelled():
                continue
            self._busy += 1
            self._searching += wish.searches
            wish.told.set_result(None)

    def _may(self, wish: _Wish) -> bool:
        return not wish.searches or self._searching < self.search_places

    def _remove(self, name: str, wish: _Wish) -> None:
        lane = self._lanes.get(name, deque())
        if wish in lane:
            lane.remove(wish)
            if not lane:
                del self._lanes[name]
        self._admit()
