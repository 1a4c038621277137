"""Which build of the engine is under test."""

from __future__ import annotations

from typing import Final

import buraco

__all__ = ["COMPILED"]

#: Tests that walk through many states take fewer of them with the uncompiled engine.
COMPILED: Final = buraco.build_kind() == "compiled"
