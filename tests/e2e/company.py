"""Tables of several people: who sits where is arranged, and played, without a page where none is needed."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import Page

from buraco.engine import Position, unpack
from buraco.notation import decode_action, parse_action
from buraco.server.table import Table
from buraco.server.terms import Principal
from tests.e2e.house import House
from tests.e2e.views import Visit, shows_hand

__all__ = ["Company", "Teller", "choose", "count_messages", "heard_count", "play_alone", "wait_until"]

#: Counts what the page's sockets hear, each message before the page does.
_COUNTING: Final = """
    window.heardCount = 0;
    window.WebSocket = class extends WebSocket {
        constructor(...all) {
            super(...all);
            this.addEventListener('message', () => { window.heardCount += 1; });
        }
    };
"""


def count_messages(page: Page) -> None:
    """Have a page that is not open yet count the messages of its sockets."""
    page.add_init_script(_COUNTING)


def heard_count(page: Page) -> int:
    """Return how many messages the page's sockets have heard."""
    return int(page.evaluate("window.heardCount"))


def choose(legal: dict[str, Any], rng: random.Random) -> int:
    """Choose an action as a hasty player would, who lays what can be laid and takes the pile now and then."""
    by_kind: dict[str, list[int]] = {}
    for action in legal["actions"]:
        by_kind.setdefault(decode_action(action).kind, []).append(action)
    if "draw" in by_kind:
        return by_kind["pile"][0] if "pile" in by_kind and rng.random() < 0.4 else by_kind["draw"][0]
    for kind in ("keep", "pile"):
        if kind in by_kind:
            return by_kind[kind][0]
    if "meld" in by_kind:
        return max(by_kind["meld"], key=lambda one: _worth(decode_action(one).meld))
    return rng.choice(by_kind.get("add") or by_kind["discard"])


def _worth(packed: int) -> int:
    shape = unpack(packed)
    return len(shape.cards) - (3 if shape.has_wild else 0)


def wait_until(house: House, code: str, holds: Callable[[Table], bool]) -> None:
    """Wait, as one who watches, until something holds of a table."""

    async def wait(table: Table) -> None:
        watching = table.subscribe(Principal("stage", "stage"))
        try:
            while not holds(table):
                await watching.next()
        finally:
            watching.close()
        await table.settled()

    house.do(wait(house.table(code)))


def is_turn(table: Table, seat: int) -> bool:
    """Say whether a seat is to act."""
    return table.fold.phase == "playing" and table.fold.host is not None and table.fold.host.seat == seat


def play_alone(visit: Visit, seed: int, turns: int) -> None:
    """Play some turns of seat 0 against bots, without the page."""
    rng = random.Random(seed)
    teller = Teller(visit)
    played = set()
    while True:
        wait_until(visit.house, visit.code, lambda table: is_turn(table, 0) or table.fold.phase != "playing")
        view = visit.snapshot()["view"]
        played.add(view["turn_count"])
        if view["legal"] is None or len(played) > turns:
            return
        teller.act(choose(view["legal"], rng))


class Teller:
    """Tells the table something in the name of a visitor, without their page."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit

    def tell(self, type_: str, **members: Any) -> dict[str, Any]:
        """Send a message and return its reply, which must be an ack."""
        version = self.visit.snapshot()["version"]
        message = {"type": type_, "id": uuid.uuid4().hex, "version": version, **members}
        reply = self.visit.post(f"/api/tables/{self.visit.code}/messages", message)
        assert reply["type"] == "ack", reply
        return dict(reply)

    def act(self, action: int | str) -> int:
        """Take an action of the game, by its number or as it is written; return the version after it."""
        number = action if isinstance(action, int) else parse_action(action)
        return int(self.tell("act", action=number)["version"])


class Company:
    """People who sit together at a table, from seat 0 on, each with the page open, in a match that has begun."""

    def __init__(self, *visits: Visit, **options: Any) -> None:
        self.visits = visits
        self.house = visits[0].house
        made = visits[0].post(
            "/api/tables", {"options": {"players": len(visits), "bot_level": "greedy", **options}, "seat": 0}
        )
        self.code = str(made["code"])
        self.tellers = [Teller(visit) for visit in visits]
        for seat, teller in enumerate(self.tellers):
            teller.visit.code = self.code
            if seat > 0:
                teller.tell("sit", seat=seat)
            teller.visit.open()
            # A table waits while nobody is there.
            teller.visit.page.locator("[data-line=open]").first.wait_for()
        for teller in self.tellers:
            if teller.visit.snapshot()["table"]["phase"] == "open":
                teller.tell("ready")
        for visit in visits:
            visit.hand().first.wait_for()

    def snapshot(self) -> Any:
        """Return what the first of them is shown."""
        return self.visits[0].snapshot()

    def turn(self) -> int:
        """Return the seat that is to act."""
        seat = self.snapshot()["view"]["turn_seat"]
        assert seat is not None, "somebody is to act"
        return int(seat)

    def stage(self, position: Position) -> None:
        """Put a position on the table, in which seat 0 is to act, and wait until all pages show it."""
        rng = random.Random(1)
        while self.turn() != 0:
            self.hasty_turn(rng)
        self.house.stage(self.code, position)
        for visit, hand in zip(self.visits, position.hands, strict=True):
            shows_hand(visit.page, hand or ())

    def act(self, action: int | str) -> int:
        """Whoever is to act takes an action; return the version after it."""
        return self.tellers[self.turn()].act(action)

    def hasty_turn(self, rng: random.Random, after: Callable[[], object] = lambda: None) -> bool:
        """Whoever is to act plays a turn; say whether the deal goes on."""
        seat = self.turn()
        while True:
            snapshot = self.visits[seat].snapshot()
            if snapshot["table"]["phase"] != "playing":
                return False
            if snapshot["view"]["turn_seat"] != seat:
                return True
            self.tellers[seat].act(choose(snapshot["view"]["legal"], rng))
            after()
