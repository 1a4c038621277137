"""The file of results: each command writes its own part of it and leaves the others as they are."""

from __future__ import annotations

from pathlib import Path

__all__ = ["WEB_TITLE", "with_part", "without_part"]

#: The heading of the part that `benchmarks.web` writes; it stands last.
WEB_TITLE = "## The table in the browser"


def _cut(path: Path) -> tuple[str, str]:
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    first, mark, last = text.partition(WEB_TITLE)
    return first, mark + last


def with_part(path: Path, part: str) -> str:
    """Return the text of the file with the part of the browser replaced."""
    return f"{_cut(path)[0].rstrip()}\n\n{part}"


def without_part(path: Path, text: str) -> str:
    """Return a new text of everything else, followed by the part of the browser as it is in the file."""
    part = _cut(path)[1]
    return f"{text.rstrip()}\n\n{part}" if part else text
