"""``buraco admin``: for whoever runs a server. It works on the database; a running server obeys at once."""

from __future__ import annotations

import asyncio
import getpass
import secrets
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from buraco.cli.columns import show_table
from buraco.cli.common import EXIT_NO, JsonFlag, console, fail, language_of, print_json
from buraco.cli.db import DatabaseOption, DataOption
from buraco.cli.serve import settings_from
from buraco.texts import message, text

__all__ = ["register"]

_WAIT_S: Final = 5.0
_STEP_S: Final = 0.2

PersonArgument = Annotated[str, typer.Argument(metavar="PERSON", help="An identifier, or the name of an account.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    group = typer.Typer(help="Tables and people of a server, for whoever runs it.", no_args_is_help=True)
    group.command("list")(_list)
    group.command("end")(_end)
    group.command("ban")(_ban)
    group.command("unban")(_unban)
    group.command("revoke-bot")(_revoke_bot)
    group.command("reset-password")(_reset_password)
    app.add_typer(group, name="admin")


def _list(data: DataOption = None, database_url: DatabaseOption = None, as_json: JsonFlag = False) -> None:
    """List the unfinished tables, and the people who were seen last."""

    async def work(tools: Any) -> tuple[Any, Any]:
        return await tools.archive.open_tables(), await tools.people.listed(100)

    tables, people = _with_tools(data, database_url, work)
    if as_json:
        print_json(
            {
                "tables": [{"table": one[0], "code": one[1], "created_ms": one[2], "people": one[3]} for one in tables],
                "people": [
                    {
                        "person": one.person_id,
                        "name": one.name,
                        "login": one.login,
                        "bot_of": one.owner_id,
                        "seen_ms": one.seen_ms,
                        "banned": one.banned,
                    }
                    for one in people
                ],
            }
        )
        return
    out = console()
    _show_rows(out, ("table", "code", "made", "people"), [(a, b, _moment(c), str(d)) for a, b, c, d in tables])
    out.print()
    rows = [(p.person_id, p.name, _account(p), _moment(p.seen_ms), _told("barred") if p.banned else "") for p in people]
    _show_rows(out, ("person", "name", "account", "seen", ""), rows)


def _account(person: Any) -> str:
    return _told("bot_of", name=person.owner_name) if person.is_bot else person.login or ""


def _told(key: str, **values: object) -> str:
    """Return what an operator is told, in their language."""
    return text(f"server.{key}", language_of(), **values)


def _show_rows(out: Console, headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """Show a table whose first column is what orders are given by, so that it can be copied from one line."""
    show_table(out, [_told(f"column.{heading}") if heading else "" for heading in headings], rows, figures=False)


def _moment(ms: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(ms / 1000))


def _end(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The identifier or code of a table.")],
    data: DataOption = None,
    database_url: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> None:
    """End a table. An unfinished match is abandoned: it has no winner."""
    _order("end", _table_id(table, data, database_url), table, data, database_url, as_json)


def _ban(
    person: PersonArgument, data: DataOption = None, database_url: DatabaseOption = None, as_json: JsonFlag = False
) -> None:
    """Bar a person from the server. Their seats go to bots; open connections are closed."""
    _order("ban", *_person(person, data, database_url), data, database_url, as_json)


def _unban(
    person: PersonArgument, data: DataOption = None, database_url: DatabaseOption = None, as_json: JsonFlag = False
) -> None:
    """Let a barred person in again."""
    _order("unban", *_person(person, data, database_url), data, database_url, as_json)


def _revoke_bot(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The identifier of a bot account.")],
    data: DataOption = None,
    database_url: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> None:
    """End the token of a bot account; its open connections are closed. Its owner can give it another one."""

    async def work(tools: Any) -> str:
        found = await tools.people.find(bot)
        if found is None or not found.is_bot:
            fail("no_bot", message("server.no_bot", name=bot[:40]), EXIT_NO)
        await tools.people.revoke_token(found.person_id)
        await tools.orders.give("disconnect", found.person_id, tools.now_ms())
        return _who(found)

    who = _with_tools(data, database_url, work)
    if as_json:
        print_json({"bot": bot, "revoked": True})
    else:
        console().print(_told("order_done", what=who), soft_wrap=True)


def _reset_password(
    person: PersonArgument,
    stdin: Annotated[bool, typer.Option("--stdin", help="Read the new password from standard input.")] = False,
    data: DataOption = None,
    database_url: DatabaseOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Set a new password for an account, and end every earlier token.

    The password is asked for, read from standard input, or made up and shown where there is no terminal.
    """
    password = _new_password(stdin)

    async def work(tools: Any) -> tuple[str, str]:
        found = await tools.people.find_login(person) or await tools.people.find(person)
        if found is None or found.login is None:
            fail("no_account", message("server.no_account", name=person[:40]), EXIT_NO)
        code = await tools.people.reset_password(found.person_id, found.login, password or made)
        # Whoever is connected with an earlier token goes.
        await tools.orders.give("disconnect", found.person_id, tools.now_ms())
        return found.login, code

    made = secrets.token_urlsafe(12)
    login, code = _with_tools(data, database_url, work)
    if as_json:
        print_json({"login": login, "password": None if password else made, "recovery_code": code})
        return
    out = console()
    out.print(_told("password_set", login=login, code=code), soft_wrap=True)
    if not password:
        out.print(_told("password_is", password=made), soft_wrap=True)


def _new_password(stdin: bool) -> str:
    if stdin:
        return sys.stdin.readline().rstrip("\n")
    if not sys.stdin.isatty():
        return ""
    password = getpass.getpass(_told("password_new"))
    if password != getpass.getpass(_told("password_again")):
        fail("password", message("server.passwords_differ"), EXIT_NO)
    return password


def _person(person: str, data: Any, database_url: Any) -> tuple[str, str]:
    """Return the identifier of a person, and how they are told apart from others of the name."""

    async def work(tools: Any) -> tuple[str, str]:
        found = await tools.people.find(person) or await tools.people.find_login(person)
        if found is None:
            fail("no_person", message("server.no_person", name=person[:40]), EXIT_NO)
        return str(found.person_id), _who(found)

    identifier, who = _with_tools(data, database_url, work)
    return identifier, who


def _who(person: Any) -> str:
    account = _account(person)
    return f"{person.name} ({account}), {person.person_id}" if account else f"{person.name}, {person.person_id}"


def _table_id(table: str, data: Any, database_url: Any) -> str:
    async def work(tools: Any) -> str:
        found = await tools.archive.find_table(table)
        if found is None:
            fail("no_table", message("server.no_table", name=table[:40]), EXIT_NO)
        table_id, closed = found
        if closed:
            fail("table_closed", message("server.table_ended", name=table[:40]), EXIT_NO)
        return str(table_id)

    return str(_with_tools(data, database_url, work))


def _order(kind: str, target: str, told: str, data: Any, database_url: Any, as_json: bool) -> None:
    """Give an order, and wait a little for a running server to carry it out; ``told`` is its target, for people."""

    async def work(tools: Any) -> tuple[bool, str]:
        runs = await tools.server_runs()
        number = await tools.orders.give(kind, target, tools.now_ms())
        until = time.monotonic() + (_WAIT_S if runs else 0)
        while not (outcome := await tools.orders.outcome(number)) and time.monotonic() < until:
            await asyncio.sleep(_STEP_S)
        return runs, str(outcome)

    runs, outcome = _with_tools(data, database_url, work)
    if outcome not in ("", "done"):
        fail(outcome, message("server.order_failed", code=outcome), EXIT_NO)
    if as_json:
        print_json({"order": kind, "target": target, "outcome": outcome or "waiting"})
    elif outcome:
        console().print(_told("order_done", what=told), soft_wrap=True)
    elif runs:
        console().print(_told("order_soon"))
    else:
        console().print(_told("order_waits"))


def _with_tools(data: Any, database_url: Any, work: Callable[[Any], Awaitable[Any]]) -> Any:
    """Return what the work returns, with the people, tables and orders of the database at hand."""
    settings = settings_from({"data": data, "database_url": database_url})
    from buraco.server.tools import open_tools

    async def run() -> Any:
        async with open_tools(settings) as tools:
            return await work(tools)

    return asyncio.run(run())
