"""Rule sets in positions and records: by name, or field by field.

The form is the name of a built-in rule set, or an object: ``base`` (a built-in name, may be left out) and the fields
that differ from it; without a base the fields that are left out have their defaults. ``rules_form`` writes the shortest
that is exact: the name, the changed fields of the built-in rule set of that name, or all fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from buraco.errors import ParseError, RulesError
from buraco.rules import FIELD_NAMES, RULE_SETS, RuleSet, get_rules, to_json
from buraco.texts import message

__all__ = ["field_text", "rules_form", "rules_from_form"]


def field_text(value: object) -> str:
    """Return a field's value as JSON in which no ``;``, ``#`` or line end occurs."""
    return json.dumps(value).replace(";", "\\u003b").replace("#", "\\u0023")


def rules_form(rules: RuleSet) -> str | dict[str, object]:
    """Return the JSON form of rules: a name, or an object with ``base`` and the changed fields, or with all fields."""
    base = RULE_SETS.get(rules.name)
    if base is None:
        return to_json(rules)
    if rules == base:
        return rules.name
    usual = to_json(base)
    changed = {name: value for name, value in to_json(rules).items() if value != usual[name]}
    return {"base": rules.name, **changed}


def rules_from_form(form: object) -> RuleSet:
    """Return the rules of their JSON form.

    Raises ParseError (code ``rules``, every fault in ``reasons``) for an unknown name or field, a value of a wrong type
    or an impossible mix.
    """
    try:
        if isinstance(form, str):
            return get_rules(form)
        if not isinstance(form, Mapping):
            raise ParseError("rules", message("record.form.rules"))
        base = form.get("base")
        fields = {str(name): tuple(v) if isinstance(v, list) else v for name, v in form.items() if name != "base"}
        strange = (name for name in fields if name not in FIELD_NAMES)
        unknown = tuple(message("record.form.no_field", name=name[:40]) for name in strange)
        if base is None:
            missing = (name for name in ("name", "title") if name not in fields)
            unknown += tuple(message("record.form.no_rules", name=name) for name in missing)
        if unknown:
            raise ParseError("rules", unknown[0], unknown)
        if base is not None:
            return get_rules(base if isinstance(base, str) else "").replace(**fields)
        # The values are checked, types included, when the rule set is constructed.
        return RuleSet(**fields)  # type: ignore[arg-type]
    except RulesError as error:
        raise ParseError("rules", error.message, error.reasons) from None
