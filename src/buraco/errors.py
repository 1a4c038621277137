"""The errors of the package: codes first, then a sentence for people."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["BuracoError", "IllegalAction", "ParseError", "PositionError", "RecordError", "RulesError"]


class BuracoError(Exception):
    """Base of every error that the package raises on purpose.

    ``code`` is a stable string, ``message`` a sentence, ``reasons`` every fault found (at least the message).
    """

    def __init__(self, code: str, message: str, reasons: Iterable[str] = ()) -> None:
        self.code = code
        self.message = message
        self.reasons: tuple[str, ...] = tuple(reasons) or (message,)
        super().__init__(message)


class ParseError(BuracoError):
    """A text is not what it should be."""


class RulesError(BuracoError):
    """A rule set is unknown or impossible."""


class PositionError(BuracoError):
    """A position cannot exist."""


class RecordError(BuracoError):
    """A game record does not hold."""


class IllegalAction(BuracoError):
    """An action is refused; nothing has changed."""
