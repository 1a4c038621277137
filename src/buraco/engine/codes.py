"""The refusal codes and other words for the engine's numbers."""

from __future__ import annotations

from typing import Final

from buraco.engine import constants
from buraco.engine.arguments import whole_number

__all__ = ["CODES", "END_KINDS", "MELD_CATEGORIES", "PHASES", "POLICIES", "code_name"]


def _names(prefix: str) -> tuple[str, ...]:
    numbered = {value: key for key, value in vars(constants).items() if key.startswith(prefix)}
    return tuple(numbered[number].removeprefix(prefix).lower() for number in range(len(numbered)))


CODES: Final = _names("CODE_")
"""Names of the refusal codes by number; number 0 is ``legal``."""

PHASES: Final = _names("PHASE_")
"""Names of the phases by number: draw, choice, play, top, opening, discard, over."""

END_KINDS: Final = _names("END_")
"""Names of the kinds of end by number: none, closed, stock, stalemate."""

POLICIES: Final = _names("POLICY_")
"""Names of the policies that ``Deal.choose`` and ``Deal.playout`` know."""

MELD_CATEGORIES: Final = ("plain", "dirty", "semi_clean", "clean", "clean_13", "clean_14")
"""Names of what a meld counts as, by number."""


def code_name(code: int) -> str:
    """Return the stable string of a refusal code; the empty string for 0 (legal).

    Raises ValueError for a number that is no code, TypeError for what is no whole number.
    """
    code = whole_number("a code", code, 0)
    if code >= len(CODES):
        raise ValueError(f"there is no code {code}; codes are 0 to {len(CODES) - 1}")
    return CODES[code] if code else ""
