"""The HTTP API: FastAPI routes over msgspec structs."""

from __future__ import annotations

__all__: list[str] = []
