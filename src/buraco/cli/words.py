"""Sentences of a terminal in the reader's language, with cards and names in their colours."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from buraco.texts import text

__all__ = ["sentence"]

# No text holds it, and no terminal shows it.
_MARK: Final = "\x00"


def sentence(key: str, language: str, style: str = "", **parts: Text | str | int) -> Text:
    """Return the text ``cli.<key>`` in a language and style; parts that are rich texts keep their own styles.

    Raises UnknownText as `buraco.texts.text` does.
    """
    values = {name: f"{_MARK}{name}{_MARK}" if isinstance(part, Text) else part for name, part in parts.items()}
    told = Text(style=style)
    for number, piece in enumerate(text(f"cli.{key}", language, **values).split(_MARK)):
        part = parts[piece] if number % 2 else piece
        told.append_text(part) if isinstance(part, Text) else told.append(str(part))
    return told
