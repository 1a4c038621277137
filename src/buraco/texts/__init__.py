"""The texts for people, one JSON file per language.

A file has sections (``code``, ``field``, ``rule`` ...); the key of a text is the path to it, joined by dots, such as
``code.must_draw`` or ``value.opening.none``. Placeholders are written ``{name}``. A text whose wording depends on a
number ``{n}`` may be an object of its plural forms by the categories of the Unicode CLDR: always ``one`` and ``other``,
and ``few`` and ``many`` where a language has them.

English has every text. Where another language has none of a key, the English one stands in for it.

Whoever knows the reader asks for `text` in their language. Whoever does not, as an error is made far from its reader,
makes a `Message`: the English sentence, which also says itself in any other language (`in_language`).
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, Self

from buraco.errors import BuracoError
from buraco.texts.matching import DEFAULT_LANGUAGE, nearest_language
from buraco.texts.plurals import PLURAL_CATEGORIES, plural_categories, plural_category

__all__ = [
    "DEFAULT_LANGUAGE",
    "PLURAL_CATEGORIES",
    "Message",
    "UnknownText",
    "has_text",
    "in_language",
    "is_plural",
    "joined",
    "languages",
    "match_language",
    "message",
    "plural_categories",
    "plural_category",
    "text",
    "texts",
]

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


def match_language(*wishes: str | None) -> str:
    """Return the language of ours for the first wish that one of them meets; ``en`` if none does.

    A wish is a language tag, the name of a locale (``pt_PT.UTF-8``) or a header ``Accept-Language``; None and whatever
    is no wish are passed over.
    """
    for wish in wishes:
        found = nearest_language(wish, languages()) if wish else None
        if found is not None:
            return found
    return DEFAULT_LANGUAGE


def _flatten(prefix: str, node: Any, found: dict[str, str]) -> None:
    if isinstance(node, str):
        found[prefix] = node
        return
    for name, child in node.items():
        _flatten(f"{prefix}.{name}" if prefix else name, child, found)


@functools.cache
def texts(language: str = DEFAULT_LANGUAGE) -> Mapping[str, str]:
    """Return every text of a language by its key, read-only; plural forms under their key and category
    (``unit.cards.few``).

    Raises UnknownText (code ``unknown_language``).
    """
    if language not in languages():
        raise UnknownText("unknown_language", f"there are no texts in the language {str(language)[:20]!r}")
    content = json.loads(files(_PACKAGE).joinpath(f"{language}.json").read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    _flatten("", content, found)
    return MappingProxyType(found)


def is_plural(key: str, language: str = DEFAULT_LANGUAGE) -> bool:
    """Say whether the text of a key has plural forms. Raises UnknownText (code ``unknown_language``)."""
    known = texts(language)
    return f"{key}.other" in known and f"{key}.one" in known


def has_text(key: str, language: str = DEFAULT_LANGUAGE) -> bool:
    """Say whether a language has a text of that key itself. Raises UnknownText (code ``unknown_language``)."""
    return key in texts(language) or is_plural(key, language)


def _template(key: str, language: str, number: object) -> str | None:
    """Return a text with its placeholders, in the form for a number, None if the language has none of that key."""
    known = texts(language)
    if key in known or not is_plural(key, language):
        return known.get(key)
    category = plural_category(language, number) if isinstance(number, int) else "other"
    return known.get(f"{key}.{category}", known[f"{key}.other"])


def text(key: str, /, language: str = DEFAULT_LANGUAGE, **params: object) -> str:
    """Return the text of a key with its placeholders filled, in English where the language has none; of several plural
    forms the one for the parameter ``n``.

    Raises UnknownText: code ``unknown_language``, ``unknown_text`` or ``missing_parameter``.
    """
    number = params.get("n")
    template = _template(key, language, number)
    if template is None and language != DEFAULT_LANGUAGE:
        template = _template(key, DEFAULT_LANGUAGE, number)
    if template is None:
        raise UnknownText("unknown_text", f"the language {language!r} has no text {str(key)[:80]!r}")
    try:
        return template.format_map(params)
    except KeyError as missing:
        raise UnknownText("missing_parameter", f"the text {key!r} needs {missing}") from missing


class Message(str):
    """An English text that also says itself in another language (`in_language`); made by `message` and `joined`.

    It is data until it is read: a key with its values, which may be messages in their turn, or several texts in a row.
    """

    __slots__ = ("_key", "_parts", "_values")

    _key: str
    _values: Mapping[str, object]
    _parts: tuple[str, ...]

    def __new__(cls, key: str, values: Mapping[str, object], parts: tuple[str, ...] = ()) -> Self:
        """Make the message of a key, or, where the key is empty, of texts in a row. Raises as `message` does."""
        made = super().__new__(cls, _said(key, values, parts, DEFAULT_LANGUAGE))
        made._key, made._values, made._parts = key, values, parts
        return made

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle it as what it is made of."""
        return (type(self), (self._key, dict(self._values), self._parts))

    def text(self, language: str = DEFAULT_LANGUAGE) -> str:
        """Return it in a language, as a plain string. Raises UnknownText (code ``unknown_language``)."""
        return _said(self._key, self._values, self._parts, language)


def _said(key: str, values: Mapping[str, object], parts: tuple[str, ...], language: str) -> str:
    if not key:
        return "".join(in_language(part, language) for part in parts)
    told = {name: in_language(value, language) if isinstance(value, str) else value for name, value in values.items()}
    return text(key, language, **told)


def message(key: str, /, **values: object) -> Message:
    """Return the message of a key. Raises UnknownText: code ``unknown_text`` or ``missing_parameter``."""
    return Message(key, values)


def joined(separator: str, parts: Iterable[str]) -> Message:
    """Return texts, any of which may be messages, joined to one message."""
    rows: list[str] = []
    for part in parts:
        rows += [separator, part] if rows else [part]
    return Message("", {}, tuple(rows))


def in_language(told: str, language: str = DEFAULT_LANGUAGE) -> str:
    """Return a text in a language, as a plain string: a message in that language, any other text as it is.

    Raises UnknownText (code ``unknown_language``).
    """
    return told.text(language) if isinstance(told, Message) else told
