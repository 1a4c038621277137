"""What is wrong with the value of a request or message, told in the reader's language.

The libraries that check values say so in English; what they say is read here, and whatever is not known of it becomes a
sentence that at least names the place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from buraco.texts import Message
from buraco.texts import message as text_of

__all__ = ["SAID_MAX", "told_of_body", "told_of_parameter"]

SAID_MAX: Final = 80
"""The most of a name, value or place that is repeated, in characters."""

_PLACE: Final = re.compile(r"(?s)(.*) - at `(.*)`")
_KINDS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "short": re.compile(r"Expected `[^`]*` of length >= (?P<bound>\d+)"),
        "long": re.compile(r"Expected `[^`]*` of length <= (?P<bound>\d+)"),
        "least": re.compile(r"Expected `[^`]*` >= (?P<bound>\S+)"),
        "most": re.compile(r"Expected `[^`]*` <= (?P<bound>\S+)"),
        "type": re.compile(r"Expected `(?P<expected>[^`]*)`, got `(?P<got>[^`]*)`"),
        "missing": re.compile(r"Object missing required field `(?P<name>[^`]*)`"),
        "unknown": re.compile(r"(?s)Object contains unknown field `(?P<name>.*)`"),
        "choice": re.compile(r"(?s)Invalid (?:enum )?value (?P<value>.*)"),
    }
)


def told_of_body(error: Exception) -> Message:
    """Return what an error of msgspec says of JSON that is no such value."""
    said = str(error)
    place = _PLACE.fullmatch(said)
    what, where = (place[1], place[2]) if place is not None else (said, "")
    for key, pattern in _KINDS.items():
        found = pattern.fullmatch(what)
        if found is not None:
            values = {name: value[:SAID_MAX] for name, value in found.groupdict().items()}
            return _at(text_of(f"form.{key}", **values), where)
    return _at(text_of("form.other"), where)


def told_of_parameter(error: Mapping[str, Any]) -> Message:
    """Return what an error of Pydantic says of a part of a path or query."""
    where = ".".join(str(part) for part in error["loc"][1:])
    bounds = error.get("ctx", {})
    if error["type"] == "greater_than_equal":
        return _at(text_of("form.least", bound=bounds["ge"]), where)
    if error["type"] == "less_than_equal":
        return _at(text_of("form.most", bound=bounds["le"]), where)
    if error["type"] == "missing":
        return text_of("form.missing", name=where)
    return _at(text_of("form.number" if error["type"].startswith("int_") else "form.other"), where)


def _at(why: Message, where: str) -> Message:
    return text_of("form.at", why=why, where=where[:SAID_MAX]) if where else why
