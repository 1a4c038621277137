"""Finds the language of ours that comes nearest to what somebody wishes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

__all__ = ["DEFAULT_LANGUAGE", "nearest_language"]

DEFAULT_LANGUAGE: Final = "en"
"""The language of everyone who wishes none that we have; it has every text."""

# Whatever a header says, only this much of it is read.
_LENGTH_MAX: Final = 1000
_WISHES_MAX: Final = 50
_TAG: Final = re.compile(r"\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_WEIGHT: Final = re.compile(r"[01](?:\.\d{0,3})?")


def nearest_language(wish: str, offered: Sequence[str]) -> str | None:
    """Return which of the offered languages comes nearest to a wish, None if none does.

    A wish is a language tag (``pt-PT``), the name of a locale (``pt_PT.UTF-8``), or a header ``Accept-Language``
    (``it-CH, de;q=0.9``). A language is met by any of its kinds: ``pt-PT`` by ``pt-BR``. What is no wish is passed
    over.
    """
    for tag in _wishes(wish[:_LENGTH_MAX]):
        if tag == "*":
            return DEFAULT_LANGUAGE if DEFAULT_LANGUAGE in offered else next(iter(offered), None)
        found = _offered(tag, offered)
        if found is not None:
            return found
    return None


def _wishes(wish: str) -> Iterator[str]:
    """Yield the tags of a wish, in small letters, the dearest first."""
    weighed: list[tuple[float, str]] = []
    for part in wish.split(",")[:_WISHES_MAX]:
        name, *options = part.split(";")
        # A locale has its encoding after a dot, and a kind of its own after an at sign.
        tag = re.split("[.@]", name.strip().replace("_", "-"), maxsplit=1)[0].lower()
        weight = _weight(options)
        if weight > 0 and _TAG.fullmatch(tag):
            weighed.append((weight, tag))
    return (tag for _, tag in sorted(weighed, key=lambda one: -one[0]))


def _weight(options: Sequence[str]) -> float:
    for option in options:
        name, _, value = option.strip().partition("=")
        if name.strip().lower() == "q":
            return float(value) if _WEIGHT.fullmatch(value.strip()) else 0.0
    return 1.0


def _offered(tag: str, offered: Sequence[str]) -> str | None:
    exact = (one for one in offered if one.lower() == tag)
    main = tag.partition("-")[0]
    near = (one for one in offered if one.partition("-")[0].lower() == main)
    return next(exact, None) or next(near, None)
