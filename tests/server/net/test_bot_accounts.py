"""Bot accounts: programs with a token of their own, whom everybody at a table sees to be bots."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

import httpx
import pytest

from buraco.engine import SeatView
from buraco.notation import format_action, legal_actions, position_from_json
from buraco.server.accounts import People, Person
from buraco.server.identity import cookie_name
from buraco.server.retention import carry_out
from tests.server.databases import on_site
from tests.server.net.clients import Guest, Seat, play_now
from tests.server.net.serving import Running
from tests.server.net.test_people import everything

pytestmark = [pytest.mark.anyio, on_site]

PASSWORD = "correct horse battery"


class Owner(Guest):
    """Somebody with an account, and their bots."""

    @classmethod
    async def of(cls, running: Running, name: str) -> Owner:
        guest = await Guest.make(running, name)
        made = await guest.ask("POST", "/api/accounts", {"login": name, "password": PASSWORD})
        assert made.status_code == 201, made.text
        return cls(running, guest.token, guest.person)

    async def bot(self, name: str = "Robo") -> Guest:
        made = await self.ask("POST", "/api/me/bots", {"name": name})
        assert made.status_code == 201, made.text
        return Guest(self.running, made.json()["token"], made.json()["bot"])


async def close_code(seat: Seat) -> int:
    """Return the code with which a socket is closed."""
    await asyncio.wait_for(seat.connection.wait_closed(), 30)
    return int(seat.connection.close_code or 0)


async def code_of(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


@pytest.fixture
async def owner(running: Running) -> Owner:
    """An account of this test alone."""
    return await Owner.of(running, f"o{secrets.token_hex(6)}")


async def test_a_bot_comes_in_with_its_token(owner: Owner) -> None:
    bot = await owner.bot("Robo")
    me = (await bot.ask("GET", "/api/me")).json()
    assert (me["person"], me["name"], me["login"]) == (bot.person["person"], "Robo", None)
    assert me["bot_of"] == owner.person["name"]
    assert (await owner.ask("GET", "/api/me")).json()["bot_of"] is None


async def test_the_token_is_shown_once_and_kept_nowhere(running: Running, owner: Owner) -> None:
    bot = await owner.bot()
    listed = await owner.ask("GET", "/api/me/bots")
    assert [one["name"] for one in listed.json()["bots"]] == ["Robo"]
    assert listed.json()["bots"][0]["has_token"] is True
    secret = bot.token.rpartition(".")[2]
    assert secret not in listed.text
    assert secret not in await everything(running)


async def test_a_cookie_makes_nobody_a_bot(running: Running, owner: Owner) -> None:
    bot = await owner.bot()
    async with running.client(cookies={cookie_name(secure=False): bot.token}) as client:
        assert await code_of(await client.get("/api/me")) == (401, "no_token")


@pytest.mark.parametrize("change", ["other_secret", "other_bot", "no_secret", "signed"])
async def test_a_token_that_is_not_quite_right_is_none(running: Running, owner: Owner, change: str) -> None:
    bot, other = await owner.bot("one"), await owner.bot("two")
    _, person, secret = bot.token.split(".")
    signed = await running.parts.people.find(person)
    assert signed is not None
    wrong = {
        "other_secret": f"bot1.{person}.{'A' * 43}",
        "other_bot": f"bot1.{other.person['person']}.{secret}",
        "no_secret": f"bot1.{person}.",
        "signed": running.parts.people.token(signed),
    }[change]
    assert await code_of(await Guest(running, wrong, {}).ask("GET", "/api/me")) == (401, "no_token")


async def test_only_an_account_makes_bots(running: Running) -> None:
    guest = await Guest.make(running, "guest")
    assert await code_of(await guest.ask("POST", "/api/me/bots", {"name": "Robo"})) == (422, "no_account")


async def test_there_are_no_more_bots_than_the_server_allows(running: Running, owner: Owner) -> None:
    most = running.parts.settings.bots_per_account
    answers = await asyncio.gather(
        *(owner.ask("POST", "/api/me/bots", {"name": f"b{number}"}) for number in range(most + 2))
    )
    assert sorted(answer.status_code for answer in answers) == [201] * most + [429] * 2
    listed = (await owner.ask("GET", "/api/me/bots")).json()
    assert (len(listed["bots"]), listed["most"]) == (most, most)
    gone = listed["bots"][0]["person"]
    assert (await owner.ask("DELETE", f"/api/me/bots/{gone}")).status_code == 204
    assert (await owner.ask("POST", "/api/me/bots", {"name": "again"})).status_code == 201


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "a\u202eb"])
async def test_the_name_of_a_bot_is_one_that_people_may_have(owner: Owner, name: str) -> None:
    assert (await owner.ask("POST", "/api/me/bots", {"name": name})).status_code == 422


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/me/bots", {"name": "Robo"}),
        ("GET", "/api/me/bots", None),
        ("POST", "/api/accounts", {"login": "Robo", "password": PASSWORD}),
        ("POST", "/api/me/password", {"old": PASSWORD, "new": PASSWORD}),
        ("POST", "/api/me/logout-everywhere", None),
        ("PATCH", "/api/me", {"name": "Ana"}),
        ("DELETE", "/api/me", None),
    ],
)
async def test_a_bot_changes_no_account(owner: Owner, method: str, path: str, body: object) -> None:
    bot = await owner.bot()
    assert await code_of(await bot.ask(method, path, body)) == (403, "bot_account")
    assert (await bot.ask("GET", "/api/me")).status_code == 200


async def test_nobody_touches_the_bots_of_others(running: Running, owner: Owner) -> None:
    bot = await owner.bot()
    other = await Owner.of(running, f"x{owner.person['name']}")
    path = f"/api/me/bots/{bot.person['person']}"
    for method, where in (("DELETE", path), ("POST", f"{path}/token"), ("DELETE", f"{path}/token")):
        assert await code_of(await other.ask(method, where)) == (404, "no_bot")
    # A person is no bot, not even one's own.
    assert await code_of(await owner.ask("DELETE", f"/api/me/bots/{owner.person['person']}")) == (404, "no_bot")
    assert (await bot.ask("GET", "/api/me")).status_code == 200


async def watching(bot: Guest) -> tuple[str, Seat]:
    made = await play_now(bot)
    seat = await bot.open(made["table"])
    await seat.hear()
    return made["table"], seat


async def test_another_token_ends_the_one_of_before(owner: Owner) -> None:
    bot = await owner.bot()
    _, seat = await watching(bot)
    renewed = (await owner.ask("POST", f"/api/me/bots/{bot.person['person']}/token")).json()
    assert await close_code(seat) == 4003
    assert (await bot.ask("GET", "/api/me")).status_code == 401
    assert (await Guest(bot.running, renewed["token"], bot.person).ask("GET", "/api/me")).status_code == 200


async def test_a_revoked_token_ends_at_once(owner: Owner) -> None:
    bot = await owner.bot()
    table, seat = await watching(bot)
    assert (await owner.ask("DELETE", f"/api/me/bots/{bot.person['person']}/token")).status_code == 204
    assert await close_code(seat) == 4003
    assert (await bot.ask("GET", "/api/me")).status_code == 401
    assert await close_code(await bot.open(table)) == 4001
    assert (await owner.ask("GET", "/api/me/bots")).json()["bots"][0]["has_token"] is False


async def test_a_token_that_is_revoked_while_a_socket_opens_ends_it(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = await owner.bot()
    table = (await play_now(bot))["table"]
    looked_up = People.of_token
    revoked: list[httpx.Response] = []

    async def of_token(people: People, token: str) -> Person | None:
        person = await looked_up(people, token)
        if token == bot.token and not revoked:
            revoked.append(await owner.ask("DELETE", f"/api/me/bots/{bot.person['person']}/token"))
        return person

    monkeypatch.setattr(People, "of_token", of_token)
    assert await close_code(await bot.open(table)) == 4001
    assert [answer.status_code for answer in revoked] == [204]


async def test_a_deleted_bot_is_gone_from_everything(running: Running, owner: Owner) -> None:
    bot = await owner.bot("Vanishing")
    await watching(bot)
    assert (await owner.ask("DELETE", f"/api/me/bots/{bot.person['person']}")).status_code == 204
    left = await everything(running)
    assert "Vanishing" not in left
    assert bot.person["person"] not in left


async def test_who_deletes_their_data_deletes_their_bots(running: Running, owner: Owner) -> None:
    bot = await owner.bot("Orphan")
    await watching(bot)
    assert (await owner.ask("DELETE", "/api/me")).status_code == 204
    assert (await bot.ask("GET", "/api/me")).status_code == 401
    left = await everything(running)
    assert "Orphan" not in left
    assert owner.person["name"] not in left


async def test_the_export_of_an_owner_names_the_bots(owner: Owner) -> None:
    await owner.bot("Listed")
    export = (await owner.ask("GET", "/api/me/export")).json()
    assert [one["name"] for one in export["bots"]] == ["Listed"]


async def test_who_is_barred_is_barred_with_their_bots(running: Running, owner: Owner) -> None:
    from buraco.server.admin import Orders
    from buraco.server.upgrade import make_engine

    bot = await owner.bot()
    _, seat = await watching(bot)
    engine = make_engine(running.parts.settings.storage_url)
    orders = Orders(engine)
    await orders.give("ban", owner.person["person"], 1)
    await carry_out(running.parts, orders)
    await engine.dispose()
    assert await close_code(seat) == 4003
    assert await code_of(await bot.ask("GET", "/api/me")) == (403, "banned")


async def test_bots_are_kept_when_guests_go(running: Running, owner: Owner) -> None:
    bot = await owner.bot()
    guest = await Guest.make(running, "passing")
    old = await running.parts.people.old_guests(2**62, 100_000)
    assert guest.person["person"] in old
    assert bot.person["person"] not in old


# At a table.


async def test_everybody_at_a_table_sees_that_a_bot_is_one(running: Running, owner: Owner) -> None:
    bot = await owner.bot("Robo")
    ana = await Guest.make(running, "Ana")
    made = (await ana.ask("POST", "/api/tables", {"options": {"rules": "aberto", "public": True}})).json()
    seat = await ana.open(made["table"])
    await seat.hear()
    assert (await bot.ask("POST", f"/api/tables/{made['code']}/join", {})).status_code == 200
    await seat.until(lambda: any(message["type"] == "update" for message in seat.heard))
    told = next(message for message in seat.heard if message["type"] == "update")
    whose = owner.person["name"]
    sat: dict[str, Any] = next(event for event in told["events"] if event["event"] == "sat_down")
    assert (sat["name"], sat["bot_of"]) == ("Robo", whose)
    own, robo = told["table"]["seats"][:2]
    assert (own["kind"], own["bot_of"]) == ("person", None)
    assert (robo["kind"], robo["name"], robo["bot_of"]) == ("person", "Robo", whose)
    snapshot = (await ana.ask("GET", f"/api/tables/{made['table']}")).json()
    assert [(member["name"], member["bot_of"]) for member in snapshot["members"]] == [("Ana", None), ("Robo", whose)]
    async with running.client() as client:
        lobby = (await client.get("/api/tables")).json()["tables"]
    (line,) = [line for line in lobby if line["table"] == made["table"]]
    assert line["seats"][1]["bot_of"] == whose
    await seat.close()


async def test_a_bot_plays_through_the_socket(owner: Owner) -> None:
    bot = await owner.bot()
    table, seat = await watching(bot)
    await seat.until(lambda: seat.view is not None and seat.view["legal"] is not None)
    assert seat.view is not None
    assert (await seat.ask("act", action=seat.view["legal"]["actions"][0]))["type"] == "ack"
    snapshot = (await bot.ask("GET", f"/api/tables/{table}")).json()
    assert snapshot["table"]["seats"][0]["bot_of"] == owner.person["name"]
    await seat.close()


async def test_a_table_gives_a_position_that_a_program_can_choose_from(owner: Owner) -> None:
    bot = await owner.bot()
    table, seat = await watching(bot)
    await seat.until(lambda: seat.view is not None and seat.view["legal"] is not None)
    assert seat.view is not None
    found = (await bot.ask("GET", f"/api/tables/{table}/position")).json()
    position = position_from_json(found["position"])
    assert (found["version"], found["seat"]) == (seat.version, 0)
    assert [one["id"] for one in found["legal"]] == seat.view["legal"]["actions"] == list(legal_actions(position))
    assert [one["text"] for one in found["legal"]] == [format_action(one["id"]) for one in found["legal"]]
    view = SeatView(position, 0, tuple(one["id"] for one in found["legal"]))
    assert view.to_act
    assert position.hands[1] is None
    await seat.close()


async def test_who_only_watches_gets_the_public_position(running: Running, owner: Owner) -> None:
    bot = await owner.bot()
    table, seat = await watching(bot)
    await seat.until(lambda: seat.view is not None)
    guest = await Guest.make(running, "watcher")
    found = (await guest.ask("GET", f"/api/tables/{table}/position")).json()
    assert (found["seat"], found["legal"]) == (None, [])
    assert position_from_json(found["position"]).hands == (None,) * 4
    await seat.close()


async def test_a_table_without_a_deal_has_no_position(owner: Owner) -> None:
    made = (await owner.ask("POST", "/api/tables", {"options": {"rules": "aberto"}})).json()
    assert await code_of(await owner.ask("GET", f"/api/tables/{made['table']}/position")) == (409, "no_deal")
