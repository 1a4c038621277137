"""The part of a page that a script writes: what stands between two marks."""

from __future__ import annotations

__all__ = ["with_part"]


def with_part(page: str, marks: tuple[str, str], part: str) -> str:
    """Return a page with another part between its two marks. Raises ValueError where a mark is missing."""
    before, found, rest = page.partition(marks[0])
    _, closed, after = rest.partition(marks[1])
    if not found or not closed:
        raise ValueError(f"the page has no marks {marks[0]} and {marks[1]}")
    return f"{before}{marks[0]}\n{part}\n{marks[1]}{after}"
