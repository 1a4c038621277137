"""The file of results: each command writes its own part of it and leaves the others as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Final

__all__ = ["ENV_TITLE", "RESULTS", "SERVER_TITLE", "WEB_TITLE", "with_part", "without_parts"]

RESULTS: Final = Path(__file__).parent / "results.md"
"""The file of results."""

ENV_TITLE: Final = "## Environments"
"""The heading of the part that `benchmarks.env` writes."""
SERVER_TITLE: Final = "## The server under load"
"""The heading of the part that `benchmarks.server` writes."""
WEB_TITLE: Final = "## The table in the browser"
"""The heading of the part that `benchmarks.web` writes."""
_TITLES: Final = (ENV_TITLE, SERVER_TITLE, WEB_TITLE)


def _parts(path: Path) -> dict[str, str]:
    """Return the parts of the file by their titles, in their order; that of the engine has none and comes first."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    found: dict[str, str] = {}
    for title in reversed(_TITLES):
        text, mark, rest = text.partition(title)
        found[title] = mark + rest
    found[""] = text
    return {title: found[title].strip() for title in ("", *_TITLES)}


def _joined(parts: dict[str, str]) -> str:
    return "\n\n".join(part for part in parts.values() if part) + "\n"


def with_part(path: Path, title: str, part: str) -> str:
    """Return the text of the file with one part, whose first line is ``title``, put in or replaced."""
    return _joined({**_parts(path), title: part.strip()})


def without_parts(path: Path, text: str) -> str:
    """Return a new text of the part without a title, followed by all others as they are in the file."""
    return _joined({**_parts(path), "": text.strip()})
