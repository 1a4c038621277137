"""An SQLite database that stops taking what is written, as when its disk is full, and takes it again."""

from __future__ import annotations

from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

__all__ = ["Disk", "Fault"]

Fault = Literal["", "full", "read_only"]


class Disk:
    """What a database lies on. ``fault`` is ``full`` (the file cannot grow), ``read_only``, or nothing."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.fault: Fault = ""
        sa.event.listen(engine.sync_engine, "checkout", self._set)

    def _set(self, connection: Any, _record: Any, _proxy: Any) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA query_only = {'ON' if self.fault == 'read_only' else 'OFF'}")
        # The least that it may be is what it has.
        cursor.execute(f"PRAGMA max_page_count = {1 if self.fault == 'full' else 2**30}")
        cursor.close()
