"""Bit helpers for uncompiled runs; c_bits.pxd gives compiled code the same as inline C.

``bit(c)`` stands for ``1 << c``: compiled, a literal left of ``<<`` would be a 32-bit C int and lose the upper cards.
"""

from __future__ import annotations

from typing import Any

__all__ = ["bit", "copy_bytes", "copy_words", "ctz", "fetch", "item", "popcount"]


def ctz(mask: int) -> int:
    """Return the number of the lowest set bit; the mask must not be 0."""
    return (mask & -mask).bit_length() - 1


def popcount(mask: int) -> int:
    """Return how many bits are set."""
    return mask.bit_count()


def bit(number: int) -> int:
    """Return the mask with one bit set."""
    return 1 << number


def copy_words(target: Any, source: Any, count: int) -> None:
    """Copy the first ``count`` 64-bit numbers of an array."""
    target[:count] = source[:count]


def copy_bytes(target: Any, source: Any, count: int) -> None:
    """Copy the first ``count`` bytes of an array."""
    target[:count] = source[:count]


def item(items: Any, index: int) -> Any:
    """Return an element of a list; compiled, a bare pointer, which `cython.cast` makes an object of without the GIL."""
    return items[index]


def fetch(element: Any) -> None:
    """Do nothing; compiled, ask for the memory of an object that will be wanted soon."""
