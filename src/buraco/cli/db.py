"""``buraco db``: the schema of the server's database."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from buraco.cli.common import JsonFlag, console, language_of, print_json
from buraco.cli.serve import settings_from
from buraco.texts import text

__all__ = ["DataOption", "DatabaseOption", "register"]

DataOption = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="The server's data folder [BURACO_DATA].", show_default=False),
]
DatabaseOption = Annotated[
    str | None,
    typer.Option("--database-url", metavar="URL", help="Another database [BURACO_DATABASE_URL].", show_default=False),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    group = typer.Typer(help="The schema of the server's database.", no_args_is_help=True)
    group.command("upgrade")(_upgrade)
    group.command("state")(_state)
    app.add_typer(group, name="db")


def _upgrade(data: DataOption = None, database_url: DatabaseOption = None, as_json: JsonFlag = False) -> None:
    """Bring the schema up to date. With SQLite `buraco serve` does so itself at its start."""
    before, after = asyncio.run(_run(settings_from({"data": data, "database_url": database_url}), True))
    if as_json:
        print_json({"before": before, "after": after})
    else:
        key = "server.upgraded" if before != after else "server.same"
        console().print(text(key, language_of(), after=after, before=_step(before)))


def _state(data: DataOption = None, database_url: DatabaseOption = None, as_json: JsonFlag = False) -> None:
    """Say at which step the schema is, and which is the newest."""
    settings = settings_from({"data": data, "database_url": database_url})
    from buraco.server.tools import require_database

    require_database(settings)
    now, newest = asyncio.run(_run(settings, False))
    if as_json:
        print_json({"now": now, "newest": newest})
    else:
        console().print(text("server.state", language_of(), now=_step(now), newest=newest))


def _step(step: str) -> str:
    """Return a step as it is told: before any migration there is none."""
    return step or text("server.nothing", language_of())


async def _run(settings: Any, upgrade: bool) -> tuple[str, str]:
    """Return the step before and after an upgrade; without one, the step now and the newest."""
    from buraco.server.upgrade import make_engine, schema_state, upgrade_schema

    # A step may take as long as there are rows.
    engine = make_engine(settings.storage_url, None)
    try:
        before, newest = await schema_state(engine)
        if not upgrade:
            return before, newest
        await upgrade_schema(engine)
        return before, (await schema_state(engine))[0]
    finally:
        await engine.dispose()
