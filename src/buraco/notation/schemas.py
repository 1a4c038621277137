"""The JSON Schemas of the JSON forms, as they lie in ``schema/``."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Final

from buraco.errors import BuracoError

__all__ = ["SCHEMA_NAMES", "schema"]

SCHEMA_NAMES: Final = ("action", "position", "record", "witness")
"""The names of the JSON Schemas that `schema` gives."""


def schema(name: str) -> dict[str, object]:
    """Return a JSON Schema (draft 2020-12) by name, one of ``SCHEMA_NAMES``.

    Raises BuracoError (code ``unknown_schema``).
    """
    if name not in SCHEMA_NAMES:
        raise BuracoError("unknown_schema", f"there is no schema {name[:40]!r}; there are {', '.join(SCHEMA_NAMES)}")
    found: dict[str, object] = json.loads(
        files("buraco.notation").joinpath("schema", f"{name}.json").read_text("utf-8")
    )
    return found
