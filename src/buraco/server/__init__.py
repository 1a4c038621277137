"""The table server: matches for people and bots over HTTP and WebSocket."""

from __future__ import annotations

__all__: list[str] = []
