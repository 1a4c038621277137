"""The plain page: the table as text, and buttons for what may be done."""

from __future__ import annotations

__all__: list[str] = []
