"""One file for each step of the schema, in the order of their numbers."""

from __future__ import annotations

__all__: list[str] = []
