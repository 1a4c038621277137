"""Buraco: an exact rules engine, bots, a referee and a table for the Buraco family of card games."""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["__version__"]
