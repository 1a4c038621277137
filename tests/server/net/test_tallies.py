"""The results of a person by the rules that were played, and how finished matches are told."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

import pytest

from buraco.server.archive import DELETED
from buraco.server.schema import game_table, result_seat_table, result_table
from tests.server.databases import on_both
from tests.server.net.clients import Guest
from tests.server.net.serving import Running

pytestmark = [pytest.mark.anyio, on_both]

_BOT: dict[str, Any] = {"token_id": None, "account_id": None, "name": "greedy", "bot": "greedy"}


def _person(person: str, name: str = "Ana", bot: str = "") -> dict[str, Any]:
    """Return who sits at a seat, and the level of the bot that plays it on, if one does."""
    return {"token_id": person or None, "account_id": None, "name": name, "bot": bot}


#: Rules, the seat of the person, the winner, the totals of the sides.
_MATCHES = (
    ("burraco", 0, 0, (2100, 1500)),
    ("burraco", 1, 0, (2005, 900)),
    ("burraco", 1, 1, (-300, 2050)),
    ("burraco", 0, None, (10, 20)),
    ("aberto-house", 0, 1, (2900, 3005)),
    ("ours", 0, 0, (50, 40)),
)


async def _write(running: Running, match: int, rules: str, seats: Sequence[dict[str, Any]], **ends: Any) -> None:
    """Write a finished match of a table of its own."""
    table = f"{uuid.uuid4().hex}"
    game = {"table_id": table, "code": table[:12], "created_ms": 1, "closed_ms": 2}
    result = {
        "table_id": table, "match": match, "ended_ms": match, "kind": "played", "winner": None, "total_0": 0,
        "total_1": 0, "players": 2, "rules_name": rules, "public": False, "record": "{}", **ends,
    }  # fmt: skip
    rows = [{"table_id": table, "match": match, "seat": seat, **one} for seat, one in enumerate(seats)]
    async with running.parts.service.store.engine.begin() as connection:
        await connection.execute(game_table.insert().values(game))
        await connection.execute(result_table.insert().values(result))
        await connection.execute(result_seat_table.insert().values(rows))


async def test_results_are_counted_by_rules_from_the_own_side(running: Running) -> None:
    ana, other = await Guest.make(running, "Ana"), await Guest.make(running, "Bia")
    assert (await ana.ask("GET", "/api/me/tallies")).json() == {"tallies": []}
    own = _person(ana.person["person"])
    for match, (rules, seat, winner, totals) in enumerate(_MATCHES, 1):
        seats = (own, _BOT) if seat == 0 else (_BOT, own)
        await _write(running, match, rules, seats, winner=winner, total_0=totals[0], total_1=totals[1])
    tallies = (await ana.ask("GET", "/api/me/tallies?language=it")).json()["tallies"]
    assert tallies[0] == {
        "rules_name": "burraco",
        "rules_title": "Burraco (italiano)",
        "played": 4,
        "won": 2,
        "lost": 1,
        "points": 2100 + 900 + 2050 + 10,
        "points_against": 1500 + 2005 - 300 + 20,
    }
    shown = [(one["rules_title"], one["played"], one["won"], one["lost"]) for one in tallies[1:]]
    assert shown == [("Buraco aperto, regole della casa", 1, 0, 1), ("ours", 1, 1, 0)]
    assert (await other.ask("GET", "/api/me/tallies")).json() == {"tallies": []}
    async with running.client() as nobody:
        assert (await nobody.get("/api/me/tallies")).status_code == 401


async def test_a_finished_match_says_which_seats_bots_had(running: Running) -> None:
    guest = await Guest.make(running, "greedy")
    # Somebody who is called as a level is, whose seat such a bot played on; somebody whose data was deleted.
    person, gone = _person(guest.person["person"], "greedy", "greedy"), _person("", DELETED, "greedy")
    await _write(running, 1, "aberto-house", (person, _BOT, gone, _BOT))
    (found,) = (await guest.ask("GET", "/api/me/history?language=es")).json()["results"]
    assert found["names"] == ["greedy", "greedy", DELETED, "greedy"]
    assert found["bots"] == ["", "greedy", "", "greedy"]
    assert found["rules_title"] == "Buraco abierto, reglas de la casa"
