"""Which form of a text goes with a number, by the plural rules of the Unicode CLDR for the languages that we have."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["PLURAL_CATEGORIES", "plural_categories", "plural_category"]

PLURAL_CATEGORIES: Final = ("zero", "one", "two", "few", "many", "other")
"""Every category that a text with plural forms may have; ``other`` it always has."""

_MILLION: Final = 1_000_000
# What whole numbers need. French, Italian, Portuguese and Spanish have "many" for round millions too ("un milione di
# punti"), but no number of ours gets there, and `other` stands in.
_NEEDED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({"ru": ("one", "few", "many", "other")})
_USUAL: Final = ("one", "other")


def plural_category(language: str, number: int) -> str:
    """Return the CLDR category of a whole number: ``one``, ``few``, ``many`` or ``other``; that of a language that we
    do not have is the English one."""
    count = abs(number)
    main = language.partition("-")[0].lower()
    if main == "ru":
        return _russian(count)
    if main in ("it", "es", "pt") and count and count % _MILLION == 0:
        return "many"
    if count == 1 or (main == "pt" and count == 0):
        return "one"
    return "other"


def _russian(count: int) -> str:
    last, before = count % 10, count // 10 % 10
    if before == 1 or last == 0 or last >= 5:
        return "many"
    return "one" if last == 1 else "few"


def plural_categories(language: str) -> tuple[str, ...]:
    """Return the categories that a text with plural forms must have in a language."""
    return _NEEDED.get(language.partition("-")[0].lower(), _USUAL)
