"""The language of a reader: what a request or a socket asks for."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.types import Scope

from buraco.texts import DEFAULT_LANGUAGE, match_language

__all__ = ["LANGUAGE_PARAMETER", "SCOPE_LANGUAGE", "asked_language", "language_of"]

SCOPE_LANGUAGE: Final = "buraco.language"
"""Where the gate leaves the language of a request or socket for the layers below."""

LANGUAGE_PARAMETER: Final = "language"
"""The name of the query parameter."""

# However long a query is, only this much of it is looked through, in bytes.
_QUERY_MAX: Final = 4096


def asked_language(scope: Scope) -> str:
    """Return the language for the query parameter ``language`` of a request or socket, else for its header
    ``Accept-Language``: the nearest that we have, ``en`` if none is near."""
    fields = parse_qsl(scope.get("query_string", b"").decode("latin-1")[:_QUERY_MAX])
    wish = next((value for name, value in fields if name == LANGUAGE_PARAMETER), None)
    return match_language(wish, Headers(scope=scope).get("accept-language"))


def language_of(scope: Scope | Any) -> str:
    """Return the language that the gate found."""
    return str(scope.get(SCOPE_LANGUAGE, DEFAULT_LANGUAGE))
