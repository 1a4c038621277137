"""Measuring: repeat a piece of work until it has taken long enough, and take the best of a few such rounds."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Rate", "best_rate", "machine"]


@dataclass(frozen=True)
class Rate:
    """Units of work per second, the best of several rounds."""

    per_second: float
    rounds: int


def best_rate(work: Callable[[int], float], seconds: float = 1.0, rounds: int = 3) -> Rate:
    """Return the best rate of ``work(number)``, which does something ``number``-sized and returns the units it did."""
    number, best = 1, 0.0
    while True:
        begin = time.perf_counter()
        units = work(number)
        spent = time.perf_counter() - begin
        if spent >= seconds / 4:
            break
        number = max(number * 2, int(number * seconds / 2 / max(spent, 1e-6))) if spent > 0.001 else number * 16
    best = units / spent
    for _ in range(rounds):
        begin = time.perf_counter()
        units = work(number)
        best = max(best, units / (time.perf_counter() - begin))
    return Rate(best, rounds + 1)


def machine() -> str:
    """Return a line that names the machine and the interpreter."""
    model = "unknown processor"
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    load = os.getloadavg()[0]
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}, load {load:.1f} at the start"
    )
