"""The arguments of the environments, checked: what cannot be is told before anything is made of it."""

from __future__ import annotations

import math
from operator import index
from typing import Final, SupportsFloat, SupportsIndex

from buraco.rules import RuleSet, get_rules

__all__ = ["REWARD_MAX", "reward_number", "rules_of", "whole_number"]

REWARD_MAX: Final = 1e12
"""How far from 0 a scale or a reward may be at most: points times that are still finite with 32 bits."""


def rules_of(rules: RuleSet | str) -> RuleSet:
    """Return a rule set, which may be given by its name. Raises RulesError (code ``unknown_rules``), TypeError."""
    if isinstance(rules, RuleSet):
        return rules
    if not isinstance(rules, str):
        raise TypeError(f"rules are a rule set or the name of one, not {type(rules).__name__}")
    return get_rules(rules)


def whole_number(name: str, value: SupportsIndex, low: int | None = None) -> int:
    """Return an argument as a whole number. Raises TypeError for what is none, ValueError for one below ``low``."""
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r:.40}") from None
    if low is not None and number < low:
        raise ValueError(f"{name} is {low} or more, not {number}")
    return number


def reward_number(name: str, value: SupportsFloat) -> float:
    """Return a scale or a reward. Raises TypeError for what is no number, ValueError for one beyond `REWARD_MAX`."""
    if isinstance(value, str | bytes):
        raise TypeError(f"{name} is a number, not {value!r:.40}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not abs(number) <= REWARD_MAX:
        raise ValueError(f"{name} is a number of at most {REWARD_MAX:.0e} either way")
    return number
