"""Near matches for names that people mistype."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from buraco.texts import joined, message

__all__ = ["near_hint", "near_matches"]

# A mistyped name is short; a long one would only cost time.
_LENGTH_MAX = 60


def near_matches(name: object, names: Iterable[str]) -> tuple[str, ...]:
    """Return at most three of the names that resemble a mistyped one, the nearest first."""
    word = str(name)[:_LENGTH_MAX] if isinstance(name, str) else ""
    return tuple(difflib.get_close_matches(word.lower(), list(names), n=3, cutoff=0.6))


def near_hint(name: object, names: Iterable[str]) -> str:
    """Return a question after the nearest names, with a leading blank, as a message; an empty text where nothing is
    near."""
    found = near_matches(name, names)
    return joined("", (" ", message("error.near", names=", ".join(found)))) if found else ""
