"""Whole numbers from callers outside: what is none is refused, before anything is cut off or guessed."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex

__all__ = ["whole_number"]


def whole_number(name: str, value: SupportsIndex, low: int | None = None) -> int:
    """Return an argument as a whole number; what is as good as one (a bool, a number of NumPy) becomes one.

    Raises TypeError for what is none, such as 1.5, 1.0 or a text; ValueError for one below ``low``.
    """
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r:.40}") from None
    if low is not None and number < low:
        raise ValueError(f"{name} is {low} or more, not {number}")
    return number
