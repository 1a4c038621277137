"""The rule set: a frozen value of typed fields that cannot be constructed with an impossible mix."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Self

from buraco.errors import RulesError
from buraco.rules.fields import FIELD_NAMES, RuleFields
from buraco.rules.near import near_hint
from buraco.rules.problems import problems
from buraco.texts import text

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
            raise RulesError("impossible_rules", text("error.impossible_rules", reasons=" ".join(reasons)), reasons)

    def replace(self, **changes: Any) -> Self:
        """Return the house rules that differ from these by the given fields.

        Raises RulesError: code ``unknown_field`` for a name that is no field (with near matches), code
        ``impossible_rules`` for an impossible mix.
        """
        unknown = [name for name in changes if name not in FIELD_NAMES]
        if unknown:
            reasons = tuple(
                text("error.unknown_field", name=name, near=near_hint(name, FIELD_NAMES)) for name in unknown
            )
            raise RulesError("unknown_field", " ".join(reasons), reasons)
        return dataclasses.replace(self, **changes)
