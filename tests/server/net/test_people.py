"""Guests and accounts over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from buraco.server.upgrade import make_engine
from tests.server.databases import on_site
from tests.server.net.clients import Guest, play_now
from tests.server.net.serving import Running

pytestmark = [pytest.mark.anyio, on_site]

PASSWORD = "correct horse battery"


async def post(client: httpx.AsyncClient, path: str, body: object) -> httpx.Response:
    return await client.post(path, json=body)


async def registered(client: httpx.AsyncClient, login: str) -> str:
    """Make a guest of a client and an account of the guest; return the recovery code."""
    assert (await post(client, "/api/guests", {"name": login})).status_code == 201
    made = await post(client, "/api/accounts", {"login": login, "password": PASSWORD})
    assert made.status_code == 201, made.text
    return str(made.json()["recovery_code"])


async def everything(running: Running) -> str:
    """Return every row of the database."""
    engine = make_engine(running.parts.settings.storage_url)
    async with engine.connect() as connection:
        names = await connection.run_sync(lambda raw: sa.inspect(raw).get_table_names())
        rows = [str((await connection.execute(sa.text(f"select * from {name}"))).all()) for name in names]
    await engine.dispose()
    return "\n".join(rows)


async def test_a_guest_gets_a_cookie_that_scripts_cannot_read(running: Running) -> None:
    async with running.client() as client:
        response = await post(client, "/api/guests", {"name": "Ana"})
        cookie = response.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert response.json()["token"] is None
        assert "b1." not in response.text
        assert (await client.get("/api/me")).json()["name"] == "Ana"


async def test_a_program_gets_the_token_itself_and_no_cookie(running: Running) -> None:
    async with running.client() as client:
        response = await post(client, "/api/guests", {"name": "bot", "bearer": True})
        assert "set-cookie" not in response.headers
        assert (await client.get("/api/me")).status_code == 401
        headers = {"Authorization": f"Bearer {response.json()['token']}"}
        assert (await client.get("/api/me", headers=headers)).json()["name"] == "bot"


async def test_nobody_is_signed_in_without_a_token(running: Running) -> None:
    async with running.client() as client:
        assert (await client.get("/api/session")).json() == {"person": None, "token": None}
        response = await client.get("/api/me")
        assert (response.status_code, response.json()["code"]) == (401, "no_token")
        assert response.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "a\u202eb", "a\nb"])
async def test_a_name_that_cannot_be_is_refused(running: Running, name: str) -> None:
    async with running.client() as client:
        response = await post(client, "/api/guests", {"name": name})
        assert response.status_code == 422
        assert response.json()["code"] in ("name", "invalid")


async def test_s6_a_name_alone_gives_nobody_a_seat(running: Running) -> None:
    ana, other = await Guest.make(running, "Ana"), await Guest.make(running, "Ana")
    made = await play_now(ana)
    seat = await other.open(made["table"])
    snapshot = await seat.hear()
    assert snapshot["you"] == {**snapshot["you"], "seat": None, "owner": False}
    assert (await seat.ask("act", action=0))["code"] == "not_seated"
    await seat.close()


async def test_a_guest_who_makes_an_account_keeps_the_seat_on_another_device(running: Running) -> None:
    async with running.client() as phone, running.client() as desk:
        await post(phone, "/api/guests", {"name": "Eva"})
        table = (await post(phone, "/api/play-now", {})).json()["table"]
        assert (await post(phone, "/api/accounts", {"login": "Eva", "password": PASSWORD})).status_code == 201
        assert (await post(desk, "/api/accounts/login", {"login": "EVA", "password": PASSWORD})).status_code == 200
        mine = (await desk.get("/api/me/tables")).json()["tables"]
        assert [one["table"] for one in mine] == [table]
        assert (await desk.get(f"/api/tables/{table}")).json()["you"]["seat"] == 0


async def test_the_shown_name_stays_whatever_the_account_is_called(running: Running) -> None:
    async with running.client() as phone, running.client() as desk:
        await post(phone, "/api/guests", {"name": "Ana"})
        made = await post(phone, "/api/accounts", {"login": "ana_test", "password": PASSWORD})
        assert made.json()["person"]["name"] == "Ana"
        signed = await post(desk, "/api/accounts/login", {"login": "ana_test", "password": PASSWORD})
        assert (signed.json()["person"]["name"], signed.json()["person"]["login"]) == ("Ana", "ana_test")
        assert (await phone.get("/api/me")).json()["name"] == "Ana"


async def test_an_account_exists_once_whatever_its_letters_look_like(running: Running) -> None:
    async with running.client() as one, running.client() as two:
        await registered(one, "Straße")
        await post(two, "/api/guests", {"name": "x"})
        response = await post(two, "/api/accounts", {"login": "STRASSE", "password": PASSWORD})
        assert (response.status_code, response.json()["code"]) == (409, "taken")
        response = await post(one, "/api/accounts", {"login": "another", "password": PASSWORD})
        assert response.json()["code"] == "has_account"


async def test_two_who_take_one_name_at_once_get_it_once(running: Running) -> None:
    guests = [await Guest.make(running, f"g{number}") for number in range(4)]
    answers = await asyncio.gather(
        *(guest.ask("POST", "/api/accounts", {"login": "Uno", "password": PASSWORD}) for guest in guests)
    )
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]


@pytest.mark.parametrize("password", ["short", "PassWord", "x" * 201])
async def test_a_password_that_protects_nothing_is_refused(running: Running, password: str) -> None:
    async with running.client() as client:
        await post(client, "/api/guests", {"name": "Password"})
        response = await post(client, "/api/accounts", {"login": "Password", "password": password})
        assert response.status_code == 422


async def test_a_wrong_password_and_a_missing_account_look_the_same(running: Running) -> None:
    async with running.client() as client:
        await registered(client, "Iris")
        wrong = await post(client, "/api/accounts/login", {"login": "Iris", "password": "wrong password"})
        missing = await post(client, "/api/accounts/login", {"login": "Nobody", "password": "wrong password"})
        assert (wrong.status_code, wrong.json()) == (401, missing.json())


async def test_logging_out_everywhere_ends_every_token_and_closes_open_sockets(running: Running) -> None:
    async with running.client() as phone, running.client() as desk:
        await registered(phone, "Olga")
        await post(desk, "/api/accounts/login", {"login": "Olga", "password": PASSWORD})
        signed = (
            await post(desk, "/api/accounts/login", {"login": "Olga", "password": PASSWORD, "bearer": True})
        ).json()
        guest = Guest(running, signed["token"], signed["person"])
        seat = await guest.open((await play_now(guest))["table"])
        await seat.hear()
        assert (await phone.post("/api/me/logout-everywhere")).status_code == 204
        assert (await desk.get("/api/me")).status_code == 401
        assert (await guest.ask("GET", "/api/me")).status_code == 401
        await seat.connection.wait_closed()
        assert seat.connection.close_code == 4003


async def test_logging_out_here_takes_the_cookie_back(running: Running) -> None:
    async with running.client() as client:
        await post(client, "/api/guests", {"name": "Rui"})
        assert (await client.post("/api/me/logout")).status_code == 204
        assert (await client.get("/api/me")).status_code == 401


async def test_the_recovery_code_sets_a_new_password_once(running: Running) -> None:
    async with running.client() as client, running.client() as desk:
        code = await registered(client, "Nina")
        form = {"login": "Nina", "code": code.lower().replace("-", " "), "password": "another long one"}
        response = await post(desk, "/api/accounts/recover", form)
        assert response.status_code == 200
        assert response.json()["recovery_code"] != code
        assert (await desk.get("/api/me")).json()["login"] == "Nina"
        assert (await client.get("/api/me")).status_code == 401, "earlier tokens have ended"
        assert (await post(client, "/api/accounts/recover", form)).status_code == 401
        old = await post(client, "/api/accounts/login", {"login": "Nina", "password": PASSWORD})
        assert old.status_code == 401


async def test_changing_the_password_wants_the_old_one(running: Running) -> None:
    async with running.client() as client:
        await registered(client, "Pia")
        wrong = await post(client, "/api/me/password", {"old": "not the old one", "new": "a third long one"})
        assert wrong.status_code == 401
        assert (await post(client, "/api/me/password", {"old": PASSWORD, "new": "a third long one"})).status_code == 200
        assert (await client.get("/api/me")).status_code == 200, "this device got a new token"
        assert (
            await post(client, "/api/accounts/login", {"login": "Pia", "password": "a third long one"})
        ).status_code == 200


async def test_a_guest_has_no_password_to_change(running: Running) -> None:
    guest = await Guest.make(running)
    response = await guest.ask("POST", "/api/me/password", {"old": PASSWORD, "new": "a third long one"})
    assert response.json()["code"] == "no_account"


async def test_a_new_name_is_shown_and_checked(running: Running) -> None:
    guest = await Guest.make(running)
    assert (await guest.ask("PATCH", "/api/me", {"name": "Ana Lúcia"})).json()["name"] == "Ana Lúcia"
    assert (await guest.ask("PATCH", "/api/me", {"name": "a\u200bb"})).json()["code"] == "name"


async def test_deleting_my_data_leaves_nobody_at_the_seat(running: Running) -> None:
    ana, bob = await Guest.make(running, "Ana to delete"), await Guest.make(running, "Bob")
    made = (await ana.ask("POST", "/api/tables", {"options": {"public": True}})).json()
    assert (await bob.ask("POST", f"/api/tables/{made['code']}/join", {})).status_code == 200
    seat = await ana.open(made["table"])
    await seat.hear()
    await seat.ask("chat", text="my secret words")
    assert (await ana.ask("GET", "/api/me/export")).json()["said"] == ["my secret words"]
    assert (await ana.ask("DELETE", "/api/me")).status_code == 204
    assert (await ana.ask("GET", "/api/me")).status_code == 401
    await seat.connection.wait_closed()
    assert seat.connection.close_code in (4003, 4004)
    assert await running.parts.archive.said(ana.person["person"]) == []
    kept = await everything(running)
    assert "Bob" in kept
    for secret in ("Ana to delete", "my secret words", ana.person["person"]):
        assert secret not in kept, secret


async def test_deleting_my_data_takes_my_name_and_words_from_a_match_that_goes_on(running: Running) -> None:
    ana, bob = await Guest.make(running, "Ana to delete"), await Guest.make(running, "Bob")
    options = {"rules": "burraco", "players": 2}
    made = (await ana.ask("POST", "/api/tables", {"options": options})).json()
    assert (await bob.ask("POST", f"/api/tables/{made['code']}/join", {})).status_code == 200
    his = await bob.open(made["table"])
    await his.hear()
    assert (await his.ask("ready"))["type"] == "ack"
    hers = await ana.open(made["table"])
    await hers.hear()
    assert (await hers.ask("start"))["type"] == "ack"
    began = hers.version
    assert (await hers.ask("chat", text="my secret words"))["type"] == "ack"
    await his.until(lambda: any("my secret words" in text for text in his.raw))
    assert (await ana.ask("DELETE", "/api/me")).status_code == 204
    again = await bob.open(made["table"], since=began)
    await again.hear()
    shown = (await bob.ask("GET", f"/api/tables/{made['table']}")).text + "".join(again.raw)
    assert '"played_by_bot":"left"' in shown
    for secret in ("Ana to delete", "my secret words"):
        assert secret not in shown, secret


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/tables", {}),
        ("POST", "/api/play-now", {}),
        ("POST", "/api/lessons", {"lesson": "aberto"}),
        ("POST", "/api/tables/{table}/join", {}),
        ("POST", "/api/tables/{table}/messages", {"type": "sit", "id": "late", "version": 1, "seat": 1}),
        ("PATCH", "/api/me", {"name": "Vanished"}),
        ("POST", "/api/accounts", {"login": "Vanished", "password": "correct horse"}),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
async def test_who_is_deleted_while_a_slow_body_comes_is_nobody_once_it_is_there(
    running: Running, method: str, path: str, body: dict[str, Any]
) -> None:
    ana, bob = await Guest.make(running, "Vanished"), await Guest.make(running, "Bob")
    made = (await bob.ask("POST", "/api/tables", {})).json()
    content = json.dumps(body).encode()

    async def slowly() -> AsyncIterator[bytes]:
        yield content[:1]
        assert (await ana.ask("DELETE", "/api/me")).status_code == 204
        yield content[1:]

    headers = {**ana.headers, "Content-Type": "application/json"}
    async with running.client(headers=headers) as client:
        answer = await client.request(method, path.format(table=made["table"]), content=slowly())
    assert (answer.status_code, answer.json()["code"]) == (401, "no_token")
    kept = await everything(running)
    assert "Bob" in kept
    for secret in ("Vanished", ana.person["person"]):
        assert secret not in kept, secret


async def test_an_export_holds_what_is_kept_and_no_secret(running: Running) -> None:
    async with running.client() as client:
        await registered(client, "Zoe")
        await post(client, "/api/play-now", {})
        export = await client.get("/api/me/export")
        assert export.json()["person"]["login"] == "Zoe"
        assert len(export.json()["tables"]) == 1
        assert "argon2" not in export.text
        assert "b1." not in export.text


async def test_too_many_tries_at_a_password_are_slowed_down(running: Running) -> None:
    parts = running.parts
    async with running.client() as client:
        await registered(client, "Max")
        form = {"login": "Max", "password": "wrong password"}
        for _ in range(parts.settings.logins_per_hour):
            await parts.limiters.logins.allow("login 127.0.0.1 max")
        # It fills up again while the test goes on: on a slow machine one more try is needed.
        while (response := await post(client, "/api/accounts/login", form)).status_code == 401:
            pass
        assert (response.status_code, response.json()["code"]) == (429, "rate")
        assert response.headers["retry-after"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
async def test_a_body_that_a_plain_form_can_send_is_refused(running: Running, kind: str) -> None:
    async with running.client() as client:
        response = await client.post("/api/guests", content=b'{"name":"Ana"}', headers={"content-type": kind})
        assert (response.status_code, response.json()["code"]) == (415, "media_type")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "bad_json"),
        (b"{", 400, "bad_json"),
        (b"\xff\xfe", 400, "bad_json"),
        (b"[" * 5000, 422, "invalid"),
        (b"[]", 422, "invalid"),
        (b'{"name": 7}', 422, "invalid"),
        (b'{"name": "Ana", "admin": true}', 422, "invalid"),
        (b"{}", 422, "invalid"),
    ],
)
async def test_a_body_that_is_no_such_form_is_a_problem(running: Running, body: bytes, status: int, code: str) -> None:
    async with running.client() as client:
        response = await client.post("/api/guests", content=body, headers={"content-type": "application/json"})
        assert (response.status_code, response.json()["code"]) == (status, code)


@pytest.mark.parametrize("login", ["a\0b", "\0", "ﷺ" * 24, "\U0001f600" * 24], ids=ascii)
async def test_odd_names_of_accounts_are_answered_the_same_on_every_database(running: Running, login: str) -> None:
    async with running.client() as client:
        for path, more in (("login", {}), ("recover", {"code": "ABCDEF"})):
            wrong = await post(client, f"/api/accounts/{path}", {"login": login, "password": PASSWORD, **more})
            assert (wrong.status_code, wrong.json()["code"]) == (401, "bad_credentials")
        assert (await post(client, "/api/guests", {"name": "Odd"})).status_code == 201
        made = await post(client, "/api/accounts", {"login": login, "password": PASSWORD})
        if "\0" in login:
            assert (made.status_code, made.json()["code"]) == (422, "name")
        else:
            assert made.status_code == 201
            again = await post(client, "/api/accounts/login", {"login": login, "password": PASSWORD})
            assert again.status_code == 200
