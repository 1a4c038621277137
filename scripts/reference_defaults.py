"""Shows defaults in the reference as they are at run time, where the sources alone give a private name or a call.

``mkdocs.yml`` names this file as an extension of griffe, which reads the sources for the reference.
"""

from __future__ import annotations

import dataclasses
import importlib
from typing import Any

import griffe

from buraco.rules import RuleFields

__all__ = ["Defaults"]


class Defaults(griffe.Extension):
    """Puts values in the place of what makes them: the fields of `RuleFields`, private constants of a module."""

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Set the default of a field."""
        if attr.parent is not None and attr.parent.path == "buraco.rules.fields.RuleFields":
            defaults = {entry.name: entry.default for entry in dataclasses.fields(RuleFields)}
            default = defaults[attr.name]
            attr.value = None if default is dataclasses.MISSING else repr(default)
        elif attr.parent is not None and attr.parent.is_class:
            attr.value = _told(attr.value, attr.module.path)
        elif str(attr.value).startswith("_"):
            # How a constant of a module is made tells nobody what it is; its docstring does.
            attr.value = None

    def on_function_instance(self, *, func: griffe.Function, **_: Any) -> None:
        """Set the defaults of the parameters of a function."""
        for parameter in func.parameters:
            parameter.default = _told(parameter.default, func.module.path)


def _told(default: str | griffe.Expr | None, module: str) -> str | griffe.Expr | None:
    """Return a default with the value of the number or text that a private name of the module stands for."""
    name = str(default)
    if default is None or not name.isidentifier() or not name.startswith("_"):
        return default
    value = getattr(importlib.import_module(module), name, None)
    return repr(value) if isinstance(value, int | float | str) else default
