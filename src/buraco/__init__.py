"""Buraco: an exact rules engine, bots, a referee and a table for the Buraco family of card games."""

from __future__ import annotations

from buraco import _pure
from buraco._pure import build_kind

__version__ = "0.1.0"
__all__ = ["__version__", "build_kind"]

# Before any module of the engine is imported: the form of the engine is chosen once for the whole process.
_pure.install()
