"""The migrations of the database, run by `buraco.server.upgrade`; each is one file in ``versions``."""

from __future__ import annotations

__all__: list[str] = []
