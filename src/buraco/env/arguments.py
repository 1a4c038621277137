"""The arguments of the environments, checked: what cannot be is told before anything is made of it."""

from __future__ import annotations

import math
from typing import Final, SupportsFloat

from buraco.rules import RuleSet, get_rules

__all__ = ["REWARD_MAX", "reward_number", "rules_of"]

REWARD_MAX: Final = 1e12
"""How far from 0 a scale or a reward may be at most: points times that are still finite with 32 bits."""


def rules_of(rules: RuleSet | str) -> RuleSet:
    """Return a rule set, which may be given by its name. Raises RulesError (code ``unknown_rules``), TypeError."""
    if isinstance(rules, RuleSet):
        return rules
    if not isinstance(rules, str):
        raise TypeError(f"rules are a rule set or the name of one, not {type(rules).__name__}")
    return get_rules(rules)


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
