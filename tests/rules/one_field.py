"""Pairs of rule sets that differ in one field: a test gets both and shows what that field alone changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from buraco.rules import FIELD_NAMES, RuleSet
from tests.rules.positions import rules_of

__all__ = ["changed", "fields_of"]

_Test = TypeVar("_Test", bound=Callable[..., None])


def changed(field: str, base: RuleSet | str, to: Any) -> Callable[[_Test], _Test]:
    """Run a test with ``before``, the base, and ``after``, which differs from it in one field; its id is the field."""
    before = rules_of(base)
    after = before.replace(**{field: to})
    differing = [name for name in FIELD_NAMES if getattr(before, name) != getattr(after, name)]
    assert differing == [field], f"{base} and its change differ in {differing}"
    return pytest.mark.parametrize(("before", "after"), [pytest.param(before, after, id=f"{field}-{before.name}")])


def fields_of(test: object) -> set[str]:
    """Return the fields that a test function changes, each alone."""
    found = set()
    for mark in getattr(test, "pytestmark", []):
        for row in mark.args[1] if mark.args and mark.args[0] == ("before", "after") else []:
            before, after = row.values
            found |= {one.name for one in dataclasses.fields(before) if _differ(before, after, one.name)}
    return found


def _differ(before: RuleSet, after: RuleSet, name: str) -> bool:
    return bool(getattr(before, name) != getattr(after, name))
