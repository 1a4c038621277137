"""What a bot is: it gets a seat's view and a limit, and returns a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from buraco.engine.arguments import whole_number
from buraco.engine.view import SeatView
from buraco.texts import text

__all__ = ["ALTERNATIVES_MAX", "REASONS_MAX", "Alternative", "Bot", "Decision", "Limit", "Reason"]

REASONS_MAX: Final = 3
"""The most reasons that a decision gives."""

ALTERNATIVES_MAX: Final = 5
"""The most alternatives that a decision names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """How much a bot may think: ``ms`` milliseconds and ``nodes`` positions looked at, each None for no limit.

    The same seed gives the same choice under a limit of nodes; a limit of time may only end a search sooner.
    Raises TypeError for what is no whole number.
    """

    ms: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        for name in ("ms", "nodes"):
            value = getattr(self, name)
            if value is not None and type(value) is not int:
                object.__setattr__(self, name, whole_number(name, value))


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for a choice: a stable ``code`` and the ``values`` of its text's placeholders."""

    code: str
    values: tuple[tuple[str, int | str], ...] = ()

    def text(self, language: str = "en") -> str:
        """Return the reason as a sentence. Raises UnknownText (code ``unknown_language``)."""
        return text(f"reason.{self.code}", language, **dict(self.values))


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another action id that was weighed, and its ``evaluation`` in points on the scale of the decision's own."""

    action: int
    evaluation: float


@dataclass(frozen=True, slots=True)
class Decision:
    """An action id with at most `REASONS_MAX` reasons, the weightiest first.

    ``evaluation`` is how many points the bot expects the action to gain for its side, or None if it does not judge.
    ``alternatives`` are the best of the other actions that it weighed, at most `ALTERNATIVES_MAX`, the best first.
    """

    action: int
    reasons: tuple[Reason, ...] = ()
    evaluation: float | None = None
    alternatives: tuple[Alternative, ...] = ()


class Bot(Protocol):
    """A player. What it is given holds no hidden card, and it keeps no state between choices."""

    @property
    def level(self) -> str:
        """The name of its level in the registry."""

    def choose(self, view: SeatView, limit: Limit) -> Decision:
        """Choose one of the legal actions of the seat whose view it is.

        Raises BuracoError (code ``not_your_turn``) if the seat is not to act.
        """
