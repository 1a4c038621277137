"""The rule set: a frozen value of typed fields that cannot be constructed with an impossible mix."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Self

from buraco.errors import RulesError
from buraco.rules.fields import FIELD_NAMES, RuleFields
from buraco.rules.near import near_hint
from buraco.rules.problems import problems
from buraco.texts import joined, message

__all__ = ["RuleSet"]


@dataclass(frozen=True, kw_only=True)
class RuleSet(RuleFields):
    """A complete set of rules.

    Fields, defaults and units are those of ``RuleFields``; ``docs/architecture.md`` has the table.
    Construction raises RulesError (code ``impossible_rules``) with every fault in ``reasons``.
    """

    def __post_init__(self) -> None:
        reasons = problems(self)
        if reasons:
            told = message("error.impossible_rules", reasons=joined(" ", reasons))
            raise RulesError("impossible_rules", told, reasons)

    def replace(self, **changes: Any) -> Self:
        """Return the house rules that differ from these by the given fields.

        Raises RulesError: code ``unknown_field`` for a name that is no field (with near matches), code
        ``impossible_rules`` for an impossible mix.
        """
        unknown = [name for name in changes if name not in FIELD_NAMES]
        if unknown:
            reasons = tuple(
                message("error.unknown_field", name=name, near=near_hint(name, FIELD_NAMES)) for name in unknown
            )
            raise RulesError("unknown_field", joined(" ", reasons), reasons)
        return dataclasses.replace(self, **changes)
