"""What ``buraco doctor`` looks at: each thing that the program needs, whether it is there, and how to mend it.

Nothing here needs the engine or the extra ``server`` to be there when it is imported; what lacks is what is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal

from buraco import build_kind
from buraco._pure import lacks
from buraco.cli.common import CommandError
from buraco.cli.serve import has_display, settings_from
from buraco.errors import BuracoError
from buraco.texts import Message, joined, message

__all__ = ["CHROMIUM", "OTHER_VARIABLES", "PYTHON", "Check", "Facts", "checks"]

PYTHON: Final = (3, 11)
"""The oldest Python that serves."""

CHROMIUM: Final = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The names of the browser in which the tests look at the page."""

OTHER_VARIABLES: Final = (
    "BURACO_BOT_TOKEN",
    "BURACO_LANGUAGE",
    "BURACO_LONG",
    "BURACO_PURE",
    "BURACO_SANITIZE",
    "BURACO_SETUP_LOCKED",
    "BURACO_TEST_DATABASE",
    "BURACO_TOKEN_KEY",
)
"""Variables of the environment that something else than the settings of a server reads."""

_SERVER: Final = re.compile(r"""([\w.-]+).*;.*\bextra\s*==\s*['"]server['"]""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What was found of one thing. A ``fault`` keeps the program from its work, a ``note`` from a part of it at most.

    ``told`` is the finding, ``mend`` what to do about it, empty where all is well; both may be a `Message`.
    """

    name: str
    state: Literal["ok", "note", "fault"]
    told: str
    mend: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the checks see of the world."""

    environment: Mapping[str, str]
    flags: Mapping[str, object]
    python: tuple[int, ...] = sys.version_info[:3]
    which: Callable[[str], str | None] = shutil.which
    page: Callable[[], bool] = lambda: files("buraco.server").joinpath("static", "index.html").is_file()
    browser: Callable[[], bool] = has_display
    requires: Callable[[], list[str]] = lambda: metadata.requires("buraco") or []


def _text(key: str, **values: object) -> Message:
    return message(f"cli.doctor.{key}", **values)


def _ok(name: str, told: str) -> Check:
    return Check(name=name, state="ok", told=told)


def _note(name: str, told: str, mend: str = "") -> Check:
    return Check(name=name, state="note", told=told, mend=_text(f"mend.{mend or name}"))


def _fault(name: str, told: str, mend: str = "") -> Check:
    return Check(name=name, state="fault", told=told, mend=_text(f"mend.{mend or name}"))


def checks(facts: Facts) -> Iterator[Check]:
    """Yield each check when it is done, in the order in which one needs the other."""
    yield _python(facts)
    engine = _engine()
    yield engine
    yield _compiler(facts, needed=engine.state == "fault")
    server = _server(facts)
    yield server
    yield from _of_server(facts, ready=engine.state != "fault" and server.state == "ok")
    yield _page(facts)
    yield _browser(facts)
    yield _chromium(facts)


def _python(facts: Facts) -> Check:
    version = ".".join(map(str, facts.python))
    return _ok("python", version) if facts.python >= PYTHON else _fault("python", _text("python_old", version=version))


def _engine() -> Check:
    try:
        kind = build_kind()
        import_module("buraco.engine")
    except ImportError as error:
        return _fault("engine", _text("engine_none", name=error.name or str(error)))
    if kind == "uncompiled":
        return _note("engine", _text("engine_pure"), "engine_pure")
    return _ok("engine", _text("engine_compiled"))


def _compiler(facts: Facts, *, needed: bool) -> Check:
    lacking = lacks(facts.environment)
    if lacking is None:
        return _ok("compiler", facts.environment.get("CC") or facts.which("cc") or "cc")
    kind, name = lacking
    told = _text("compiler_none", name=name) if kind == "compiler" else _text("headers_none")
    return (_fault if needed else _note)("compiler", told)


def _server(facts: Facts) -> Check:
    """Look for every package that the extra asks for."""
    missing = []
    asked = [found[1] for line in facts.requires() if (found := _SERVER.match(line))]
    for name in asked:
        try:
            metadata.version(name)
        except metadata.PackageNotFoundError:
            # The one that Windows does not have is not asked for there.
            missing.append(name)
    if missing:
        return _note("server", _text("server_none", names=", ".join(sorted(missing))))
    return _ok("server", _text("server_ok"))


def _settings(environment: Mapping[str, str]) -> Check:
    """Find variables that are near a setting and are none: nobody reads them, so nobody says so elsewhere."""
    from buraco.rules.near import near_matches
    from buraco.server.settings import SECRETS, setting_fields, variable_of

    names = [one.name for one in setting_fields()]
    known = {*map(variable_of, names), *(f"{variable_of(name)}_FILE" for name in SECRETS), *OTHER_VARIABLES}
    told = []
    for name in sorted(one for one in environment if one.startswith("BURACO_") and one not in known):
        if near := ", ".join(map(variable_of, near_matches(name.removeprefix("BURACO_"), names))):
            told.append(_text("settings_unknown", name=name, near=joined("", (" ", message("error.near", names=near)))))
    return _note("settings", joined(" ", told)) if told else _ok("settings", _text("settings_ok"))


def _of_server(facts: Facts, *, ready: bool) -> Iterator[Check]:
    """Yield what only the server needs, as far as its own code can be loaded to ask."""
    names = ("settings", "folder", "database", "redis", "port")
    if not ready:
        yield from (_unchecked(name) for name in names)
        return
    try:
        settings = settings_from(dict(facts.flags), facts.environment)
    except CommandError as error:
        yield _fault("settings", "; ".join(error.reasons) or error.message)
        yield from (_unchecked(name) for name in names[1:])
        return
    yield _settings(facts.environment)
    yield _folder(settings.data)
    database, runs = asyncio.run(_database(settings))
    yield database
    yield asyncio.run(_redis(settings))
    yield _port(settings, runs=runs)


def _unchecked(name: str) -> Check:
    return Check(name=name, state="note", told=_text("unchecked"))


def _folder(folder: Path) -> Check:
    """Try to write in a folder, or where it would be made; what is written for it is gone afterwards."""
    there = next(one for one in (folder.absolute(), *folder.absolute().parents) if one.exists())
    try:
        with tempfile.TemporaryDirectory(prefix=".buraco-", dir=there):
            pass
    except OSError as error:
        return _fault("folder", message("server.folder", folder=folder, reason=error.strerror))
    return _ok("folder", _text("folder_ok", folder=folder))


async def _database(settings: Any) -> tuple[Check, bool]:
    """Return the check, and whether a server runs on the database."""
    from buraco.server.tools import open_tools
    from buraco.server.upgrade import is_sqlite

    runs = False
    try:
        sqlite = is_sqlite(settings.storage_url)
        try:
            async with open_tools(settings) as tools:
                runs = await tools.server_runs()
        except BuracoError as error:
            # With SQLite the start itself makes the database, and brings it up to date.
            if not sqlite or error.code not in ("no_database", "schema_old"):
                raise
            if error.code == "no_database":
                return _ok("database", _text("database_new", folder=settings.data)), False
        return _ok("database", _text("database_ok", kind="SQLite" if sqlite else "PostgreSQL")), runs
    except BuracoError as error:
        return _fault("database", error.message, "" if settings.database_url else "database_file"), False


async def _redis(settings: Any) -> Check:
    if not settings.redis:
        return _ok("redis", _text("redis_none"))
    from buraco.server.wire import ping

    try:
        await ping(settings.redis)
    except BuracoError as error:
        return _fault("redis", _text("redis_away", reason=error.message))
    return _ok("redis", _text("redis_ok"))


def _port(settings: Any, *, runs: bool) -> Check:
    """Try to listen where the server would, for a moment."""
    from buraco.server.addresses import listen

    try:
        with contextlib.closing(listen(settings)) as listening:
            host, port = listening.getsockname()[:2]
    except BuracoError as error:
        if runs:
            return _ok("port", _text("port_own", address=f"{settings.host}:{settings.port}"))
        return _fault("port", error.message)
    return _ok("port", _text("port_ok", address=f"{host}:{port}"))


def _page(facts: Facts) -> Check:
    return _ok("page", _text("page_ok")) if facts.page() else _fault("page", _text("page_none"))


def _browser(facts: Facts) -> Check:
    if facts.browser():
        with contextlib.suppress(webbrowser.Error):
            return _ok("browser", getattr(webbrowser.get(), "name", "") or "ok")
    return _note("browser", _text("browser_none"))


def _chromium(facts: Facts) -> Check:
    found = next(filter(None, map(facts.which, CHROMIUM)), None)
    return _ok("chromium", found) if found else _note("chromium", _text("chromium_none"))
