"""The texts for people, one JSON file per language.

A file has sections (``code``, ``field``, ``rule`` ...); the key of a text is the path to it, joined by dots, such as
``code.must_draw`` or ``value.opening.none``. Placeholders are written ``{name}``.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from buraco.errors import BuracoError

__all__ = ["UnknownText", "has_text", "languages", "text", "texts"]

_PACKAGE: Final = "buraco.texts"


class UnknownText(BuracoError, KeyError):
    """No such language (code ``unknown_language``), text (``unknown_text``), or a placeholder without its value
    (``missing_parameter``)."""

    def __str__(self) -> str:
        # KeyError would show the repr of the message.
        return self.message


@functools.cache
def languages() -> tuple[str, ...]:
    """Return the codes of the languages that have a file, in alphabetical order."""
    names = (entry.name for entry in files(_PACKAGE).iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


def _flatten(prefix: str, node: Any, found: dict[str, str]) -> None:
    if isinstance(node, str):
        found[prefix] = node
        return
    for name, child in node.items():
        _flatten(f"{prefix}.{name}" if prefix else name, child, found)


@functools.cache
def texts(language: str = "en") -> Mapping[str, str]:
    """Return every text of a language by its key, read-only.

    Raises UnknownText (code ``unknown_language``).
    """
    if language not in languages():
        raise UnknownText("unknown_language", f"there are no texts in the language {str(language)[:20]!r}")
    content = json.loads(files(_PACKAGE).joinpath(f"{language}.json").read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    _flatten("", content, found)
    return MappingProxyType(found)


def has_text(key: str, language: str = "en") -> bool:
    """Say whether a language has a text of that key. Raises UnknownText (code ``unknown_language``)."""
    return key in texts(language)


def text(key: str, /, language: str = "en", **params: object) -> str:
    """Return the text of a key with its placeholders filled.

    Raises UnknownText: code ``unknown_language``, ``unknown_text`` or ``missing_parameter``.
    """
    template = texts(language).get(key)
    if template is None:
        raise UnknownText("unknown_text", f"the language {language!r} has no text {str(key)[:80]!r}")
    try:
        return template.format_map(params)
    except KeyError as missing:
        raise UnknownText("missing_parameter", f"the text {key!r} needs {missing}") from missing
