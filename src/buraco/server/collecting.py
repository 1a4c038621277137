"""Python's garbage collection in short pieces: with many tables a whole one would stop the server for half a second.

What has lived through a whole collection is set aside, so that the next one looks only at what is newer. What is set
aside and then left in a circle of references is found by one that looks at everything, once an hour.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

__all__ = ["collect_everything", "short_collections"]

_EVERYTHING_S: Final = 3600.0
_OLDEST: Final = 2


@contextmanager
def short_collections() -> Iterator[None]:
    """Collect in short pieces as long as this runs. For use in a running event loop."""
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle | None = None

    def look_at_everything() -> None:
        nonlocal timer
        collect_everything()
        timer = loop.call_later(_EVERYTHING_S, look_at_everything)

    gc.callbacks.append(_set_aside)
    timer = loop.call_later(_EVERYTHING_S, look_at_everything)
    try:
        yield
    finally:
        timer.cancel()
        gc.callbacks.remove(_set_aside)
        gc.unfreeze()


def collect_everything() -> int:
    """Collect also among what was set aside; return how many objects were found that nothing needs."""
    gc.unfreeze()
    return gc.collect()


def _set_aside(phase: str, about: dict[str, Any]) -> None:
    if phase == "stop" and about["generation"] == _OLDEST:
        gc.freeze()
