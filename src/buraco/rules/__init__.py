"""Rule sets as data: the ten rule sets, house rules, their faults, sources and pages."""

from __future__ import annotations

from buraco.rules.fields import FIELD_NAMES, FIELD_SPECS, FieldSpec, RuleFields
from buraco.rules.problems import Fault, faults, pack_points, pack_size, problems
from buraco.rules.ruleset import RuleSet
from buraco.rules.sets import RULE_SETS, get_rules

__all__ = [
    "FIELD_NAMES",
    "FIELD_SPECS",
    "RULE_SETS",
    "Fault",
    "FieldSpec",
    "RuleFields",
    "RuleSet",
    "faults",
    "get_rules",
    "pack_points",
    "pack_size",
    "problems",
]
