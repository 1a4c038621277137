"""The language of a reader: what a request or a socket asks for."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.types import Scope

from buraco.texts import DEFAULT_LANGUAGE, match_language

__all__ = ["LANGUAGE_PARAMETER", "SCOPE_LANGUAGE", "asked_language", "language_of"]

SCOPE_LANGUAGE: Final = "buraco.language"
"""Where the gate leaves the language of a request or socket for the layers below."""

LANGUAGE_PARAMETER: Final = "language"
"""The name of the query parameter."""


def asked_language(scope: Scope) -> str:
    """Return the language for the query parameter ``language`` of a request or socket, else for its header
    ``Accept-Language``: the nearest that we have, ``en`` if none is near."""
    query = parse_qs(scope.get("query_string", b"").decode("latin-1")[:4096], max_num_fields=50)
    return match_language(*query.get(LANGUAGE_PARAMETER, [])[:1], Headers(scope=scope).get("accept-language"))


def language_of(scope: Scope | Any) -> str:
    """Return the language that the gate found."""
    return str(scope.get(SCOPE_LANGUAGE, DEFAULT_LANGUAGE))
