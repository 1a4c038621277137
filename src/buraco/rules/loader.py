"""House rules as TOML, complete rule sets as JSON: reading names every fault at once."""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final, NoReturn

from buraco.cards import RANKS
from buraco.errors import ParseError, RulesError
from buraco.rules.citations import basis
from buraco.rules.fields import FIELD_NAMES, FIELD_SPECS, FieldSpec
from buraco.rules.near import near_hint
from buraco.rules.problems import Fault, faults, show_value
from buraco.rules.ruleset import RuleSet
from buraco.rules.sets import RULE_SETS
from buraco.rules.titles import HOUSE_SUFFIX
from buraco.texts import Message, joined, message, text

__all__ = ["TEXT_LENGTH_MAX", "from_json", "json_schema", "load_toml", "to_json", "to_toml", "toml_base", "toml_faults"]

TEXT_LENGTH_MAX: Final = 16_384
"""The longest TOML or JSON text that is read, in characters."""

_TOP_KEYS: Final = ("base", "name", "title", "fields")
_REASONS_MAX: Final = 100
_DETAIL_MAX: Final = 200
# The TOML reader takes quadratic time for the parts of a dotted key.
_DOTS_MAX: Final = 100
# How the TOML reader ends what it says.
_TOML_PLACE: Final = re.compile(r" \(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)$")


def _check_length(content: str) -> None:
    if len(content) > TEXT_LENGTH_MAX:
        raise ParseError("text_too_long", message("error.text_too_long", count=len(content), most=TEXT_LENGTH_MAX))


def _syntax_error(code: str, error: Exception, content: str) -> ParseError:
    # Parsers raise RecursionError for deep nesting and plain ValueError for endless digits.
    own = next((told for told in error.args if isinstance(told, Message)), None)
    detail = message("error.too_nested") if isinstance(error, RecursionError) else own or _placed(error, content)
    if "integer string conversion" in detail:
        detail = message("error.huge_number")
    return ParseError(code, message(f"error.{code}", detail=detail))


def _placed(error: Exception, content: str) -> str:
    """Return what a parser says of a text, with the line and the column it is about where it knows them."""
    if isinstance(error, json.JSONDecodeError):
        return message("error.placed", detail=error.msg, line=error.lineno, column=error.colno)
    told = str(error)
    place = _TOML_PLACE.search(told)
    if place is None:
        return told[:_DETAIL_MAX]
    before, _, last = content.rpartition("\n")
    end = (before.count("\n") + 1 + ("\n" in content), len(last) + 1)
    line, column = (int(place[1]), int(place[2])) if place[1] else end
    return message("error.placed", detail=told[: place.start()][:_DETAIL_MAX], line=line, column=column)


def _refuse(reasons: list[str]) -> RulesError:
    shown = tuple(reasons[:_REASONS_MAX])
    return RulesError("impossible_rules", message("error.impossible_rules", reasons=joined(" ", shown)), shown)


def _unknown_fields(names: Iterable[object]) -> list[str]:
    # Looking for near names takes time, so a hostile text gets no more of them than are shown.
    unknown = itertools.islice((name for name in names if name not in FIELD_NAMES), _REASONS_MAX)
    return [
        message("error.unknown_field", name=show_value(name), near=near_hint(name, FIELD_NAMES)) for name in unknown
    ]


def _plain(value: object) -> object:
    """Return a value with a list as a tuple, which is how rule sets hold it."""
    return tuple(value) if isinstance(value, list) else value


def _toml_value(name: str, value: object) -> object:
    # TOML has no null, so the word stands for it.
    absent = value == "none" and FIELD_SPECS[name].kind == "optional_integer"
    return None if absent else _plain(value)


def _unknown_top_keys(table: Mapping[str, object]) -> list[str]:
    reasons: list[str] = []
    for key in itertools.islice((key for key in table if key not in _TOP_KEYS), _REASONS_MAX):
        if key in FIELD_NAMES:
            reasons.append(message("error.field_outside", name=key))
        else:
            near = near_hint(key, (*_TOP_KEYS, *FIELD_NAMES))
            reasons.append(message("error.unknown_key", name=show_value(key), near=near))
    return reasons


def _changes(table: Mapping[str, object], reasons: list[str]) -> dict[str, object]:
    """Return the field values that a TOML table gives, and note what is wrong with its keys."""
    fields = table.get("fields", {})
    if not isinstance(fields, dict):
        reasons.append(message("error.fields_no_table", value=show_value(fields)))
        fields = {}
    reasons.extend(_unknown_fields(fields))
    changes = {name: _toml_value(name, value) for name, value in fields.items() if name in FIELD_NAMES}
    for name in ("name", "title"):
        if name in table:
            if name in changes:
                reasons.append(message("error.given_twice", name=name))
            changes[name] = table[name]
    return changes


def _base_values(table: Mapping[str, object], changed: bool, reasons: list[str]) -> dict[str, object] | None:
    """Return the fields of the base; nothing but the defaults without one; None for a base that does not exist."""
    if "base" not in table:
        return {}
    name = table["base"]
    if not isinstance(name, str) or name not in RULE_SETS:
        reasons.append(message("error.unknown_base", name=show_value(name), near=near_hint(name, RULE_SETS)))
        return None
    values: dict[str, object] = {field: getattr(RULE_SETS[name], field) for field in FIELD_NAMES}
    if changed:
        values["name"] = f"{name}{HOUSE_SUFFIX}"
        values["title"] = text("page.house_title", title=values["title"])
    return values


def _table(content: str) -> dict[str, object]:
    _check_length(content)
    try:
        if any(line.count(".") > _DOTS_MAX for line in content.splitlines()):
            raise RecursionError
        return tomllib.loads(content)
    except (ValueError, RecursionError) as error:
        raise _syntax_error("toml_syntax", error, content) from error


def load_toml(content: str) -> RuleSet:
    """Return the house rules that a TOML text describes.

    ``base`` names one of the ten rule sets (without it every field has its default), ``name`` and ``title`` the new
    rules (with a base and changed fields they may be left out: ``<base>-house``), the table ``fields`` what differs;
    the word ``"none"`` stands for an absent bonus category.
    Raises ParseError (code ``text_too_long`` or ``toml_syntax``), or RulesError (code ``impossible_rules``) with every
    fault in ``reasons``: unknown keys with near matches, wrong types, impossible mixes.
    """
    table = _table(content)
    reasons, found, values = _judged(table)
    reasons += [fault.message for fault in found]
    if reasons:
        raise _refuse(reasons)
    return RuleSet(**_typed(values))


def toml_base(content: str) -> str:
    """Return the rule set of ours that a TOML text of house rules names as its base; empty where it names none."""
    try:
        name = _table(content).get("base")
    except ParseError:
        return ""
    return name if isinstance(name, str) and name in RULE_SETS else ""


def toml_faults(content: str) -> tuple[Fault, ...]:
    """Return the faults of the fields that a TOML text of house rules describes, of those that ``load_toml`` names as
    reasons; none for a text that cannot be read at all."""
    try:
        table = _table(content)
    except ParseError:
        return ()
    return tuple(_judged(table)[1])


def _judged(table: Mapping[str, object]) -> tuple[list[str], list[Fault], dict[str, object]]:
    """Return what is wrong with the keys of a TOML table, the faults of its fields, and the values of all fields."""
    reasons = _unknown_top_keys(table)
    changes = _changes(table, reasons)
    base = _base_values(table, bool(changes), reasons)
    values = (base or {}) | changes
    # Without its base a mix says nothing, and only what was written can be wrong.
    found = [
        fault for fault in faults(values) if base is not None or (len(fault.fields) == 1 and fault.fields[0] in changes)
    ]
    return reasons, found, values


def _typed(values: Mapping[str, object]) -> dict[str, Any]:
    return dict(values)


def _toml_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return '"none"'
    if isinstance(value, tuple):
        return "[" + ", ".join(str(item) for item in value) + "]"
    # A JSON text without control characters is a TOML text too.
    return json.dumps(value, ensure_ascii=False)


def to_toml(rules: RuleSet) -> str:
    """Return a TOML text from which ``load_toml`` makes equal rules: the base they rest on, and what differs."""
    base = basis(rules)
    lines = [f"base = {_toml_text(base.name)}"]
    changed = [name for name in FIELD_NAMES if getattr(rules, name) != getattr(base, name)]
    if changed:
        lines += [f"name = {_toml_text(rules.name)}", f"title = {_toml_text(rules.title)}"]
    inner = [f"{name} = {_toml_text(getattr(rules, name))}" for name in changed if name not in ("name", "title")]
    if inner:
        lines += ["", "[fields]", *inner]
    return "\n".join(lines) + "\n"


def to_json(rules: RuleSet) -> dict[str, object]:
    """Return all fields of a rule set as plain JSON values, in the order of the fields."""
    values = ((name, getattr(rules, name)) for name in FIELD_NAMES)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values}


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the members of a JSON object. Raises ValueError for a name that is there twice: which one would count?"""
    found = dict(pairs)
    if len(found) != len(pairs):
        name = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(message("error.member_twice", name=show_value(name)))
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(message("error.no_json_number", word=word))


def from_json(data: str | Mapping[str, object]) -> RuleSet:
    """Return the rule set of a JSON text, or of the mapping that such a text holds; every field must be there.

    Raises ParseError (code ``text_too_long``, ``json_syntax`` or ``json_no_object``), or RulesError (code
    ``impossible_rules``) with every fault in ``reasons``.
    """
    if isinstance(data, str):
        _check_length(content := data)
        try:
            data = json.loads(content, object_pairs_hook=_members, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise _syntax_error("json_syntax", error, content) from error
    if not isinstance(data, Mapping):
        raise ParseError("json_no_object", message("error.json_no_object", value=show_value(data)))
    reasons = _unknown_fields(data)
    missing = [name for name in FIELD_NAMES if name not in data]
    reasons += [message("problem.missing", field=name) for name in missing]
    values = {name: _plain(data[name]) for name in FIELD_NAMES if name in data}
    for fault in faults(values):
        if not missing or (len(fault.fields) == 1 and fault.fields[0] in values):
            reasons.append(fault.message)
    if reasons:
        raise _refuse(reasons)
    return RuleSet(**_typed(values))


def _field_schema(name: str, spec: FieldSpec) -> dict[str, object]:
    match spec.kind:
        case "text":
            pattern = {"pattern": "^[a-z0-9][a-z0-9-]*$"} if name == "name" else {}
            return {"type": "string", "minLength": spec.low, "maxLength": spec.high} | pattern
        case "suits":
            return {"type": "string", "minLength": 1, "pattern": "^c?d?h?s?$"}
        case "ranks":
            lengths = range(spec.low, spec.high + 1)
            return {"enum": [RANKS[i : i + size] for size in lengths for i in range(len(RANKS) - size + 1)]}
        case "counts":
            return {"enum": [[2], [4], [2, 4]]}
        case "boolean":
            return {"type": "boolean"}
        case "choice":
            return {"enum": list(spec.choices)}
        case _:
            kind: object = ["integer", "null"] if spec.kind == "optional_integer" else "integer"
            return {"type": kind, "minimum": spec.low, "maximum": spec.high}


def json_schema() -> dict[str, object]:
    """Return the JSON Schema (draft 2020-12) of ``to_json``: fields, types and bounds, but not the impossible mixes."""
    properties = {
        name: {"description": text(f"field.{name}.text")} | _field_schema(name, spec)
        for name, spec in FIELD_SPECS.items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rule set",
        "type": "object",
        "additionalProperties": False,
        "required": list(FIELD_NAMES),
        "properties": properties,
    }
