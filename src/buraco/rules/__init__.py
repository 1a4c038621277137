"""Rule sets as data: the ten rule sets, house rules, their faults, sources and pages."""

from __future__ import annotations

from buraco.rules.citations import CODE_TOPICS, SECTIONS, SHARED_TOPICS, TOPIC_SECTIONS, Citation, basis, cite
from buraco.rules.fields import FIELD_NAMES, FIELD_SPECS, FieldSpec, RuleFields
from buraco.rules.loader import (
    TEXT_LENGTH_MAX,
    from_json,
    json_schema,
    load_toml,
    to_json,
    to_toml,
    toml_base,
    toml_faults,
)
from buraco.rules.page import (
    Decision,
    Difference,
    Outline,
    PageField,
    PageSection,
    Statement,
    diff,
    outline,
    page,
    plays_a_role,
    show_field,
    statements,
)
from buraco.rules.problems import Fault, faults, opening_points_max, pack_points, pack_size, problems
from buraco.rules.ruleset import RuleSet
from buraco.rules.sets import DEFAULT_RULES, RULE_SETS, get_rules
from buraco.rules.titles import title_in, title_of_name
from buraco.rules.victory_points import VICTORY_DEALS, victory_points

__all__ = [
    "CODE_TOPICS",
    "DEFAULT_RULES",
    "FIELD_NAMES",
    "FIELD_SPECS",
    "RULE_SETS",
    "SECTIONS",
    "SHARED_TOPICS",
    "TEXT_LENGTH_MAX",
    "TOPIC_SECTIONS",
    "VICTORY_DEALS",
    "Citation",
    "Decision",
    "Difference",
    "Fault",
    "FieldSpec",
    "Outline",
    "PageField",
    "PageSection",
    "RuleFields",
    "RuleSet",
    "Statement",
    "basis",
    "cite",
    "diff",
    "faults",
    "from_json",
    "get_rules",
    "json_schema",
    "load_toml",
    "opening_points_max",
    "outline",
    "pack_points",
    "pack_size",
    "page",
    "plays_a_role",
    "problems",
    "show_field",
    "statements",
    "title_in",
    "title_of_name",
    "to_json",
    "to_toml",
    "toml_base",
    "toml_faults",
    "victory_points",
]
