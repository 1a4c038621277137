"""Whether a line of a document names a command of `buraco` that exists, with options that it has."""

from __future__ import annotations

import functools
import re
from typing import Any, Final

import typer

from buraco.cli.app import app

__all__ = ["fault_of"]

#: A command of the page may stand for several: `buraco serve`, `COMMAND` for any of them.
_PLACEHOLDER: Final = re.compile(r"[A-Z][A-Z_-]*|\.\.\.")


@functools.cache
def _command() -> Any:
    return typer.main.get_command(app)


def fault_of(line: str) -> str:
    """Return what is wrong with a line that begins with `buraco`, or ""."""
    words = re.split(r"\s+", re.split(r"\s#|\s[|&>]|;", line)[0].strip())[1:]
    command: Any = _command()
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        name = words.pop(0)
        if _PLACEHOLDER.fullmatch(name):
            return ""
        if name not in command.commands:
            return f"no command {name}"
        command = command.commands[name]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    named = [word.split("=")[0] for word in words if re.match(r"--[a-z]", word)]
    return next((f"no option {word}" for word in named if word not in {*known, "--help"}), "")
