"""Environments for training agents."""

from __future__ import annotations

__all__: list[str] = []
