"""``buraco doctor``: what the program needs, what of it is there, and how to mend what is not."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import typer
from rich.text import Text

from buraco.cli.checks import Check, Facts, checks
from buraco.cli.common import EXIT_NO, EXIT_OK, JsonFlag, LanguageOption, console, language_of, leave, print_json
from buraco.cli.db import DatabaseOption, DataOption
from buraco.texts import in_language, text

__all__ = ["register"]

# What has the same name in every language.
_NAMES: Final[Mapping[str, str]] = MappingProxyType({"python": "Python", "redis": "Redis", "chromium": "Chromium"})
_STYLES: Final[Mapping[str, str]] = MappingProxyType({"ok": "green", "note": "yellow", "fault": "bold red"})


def register(app: typer.Typer) -> None:
    """Add the command to the application. It works where the engine or the extra ``server`` is missing, too."""
    app.command("doctor")(_doctor)


def _doctor(
    data: DataOption = None,
    database_url: DatabaseOption = None,
    language: LanguageOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Look whether everything is there that the program needs, and say how to mend what is not.

    The settings are those of the environment, as `buraco serve` reads them. Nothing is changed. The exit code is 1 when
    there is a fault; a note is about something that only a part of the program needs.
    """
    reader = language_of(language)
    facts = Facts(environment=os.environ, flags={"data": data, "database_url": database_url})
    found = []
    for check in checks(facts):
        found.append(check)
        if not as_json:
            _show(check, reader)
    fault = any(check.state == "fault" for check in found)
    if as_json:
        print_json({"ok": not fault, "checks": [_form(check, reader) for check in found]})
    leave(EXIT_NO if fault else EXIT_OK)


def _form(check: Check, language: str) -> dict[str, str]:
    told, mend = (in_language(words, language) for words in (check.told, check.mend))
    return {"check": check.name, "state": check.state, "text": told, "mend": mend}


def _show(check: Check, language: str) -> None:
    out = console()
    state = text(f"cli.doctor.state.{check.state}", language)
    name = _NAMES.get(check.name) or text(f"cli.doctor.name.{check.name}", language)
    told = in_language(check.told, language)
    out.print(Text.assemble((f"{state:<8} ", _STYLES[check.state]), (f"{name}: ", "bold"), told), soft_wrap=True)
    if check.mend:
        out.print(Text(f"{'':<8}   {in_language(check.mend, language)}"), soft_wrap=True)
