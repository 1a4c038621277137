"""Figures of the arena as people read them."""

from __future__ import annotations

from buraco.arena.statistics import Estimate
from buraco.arena.tally import Tally

__all__ = ["p_text", "points_text", "share_text", "tally_cells"]

_P_SHOWN = 1e-4


def points_text(points: Estimate) -> str:
    """Return a mean with the half-width of its interval: ``+152.3 ± 18.0``."""
    if points.low is None or points.high is None:
        return f"{points.mean:+.1f}"
    return f"{points.mean:+.1f} ± {(points.high - points.low) / 2:.1f}"


def p_text(p: float | None) -> str:
    """Return a probability: ``0.031``, or ``< 0.0001``."""
    if p is None:
        return ""
    return f"< {_P_SHOWN:.4f}" if p < _P_SHOWN else f"{p:.4f}" if p < 0.01 else f"{p:.3f}"


def share_text(share: float, low: float, high: float) -> str:
    """Return a share with its interval in percent: ``72 % (63-79)``."""
    return f"{100 * share:.0f} % ({100 * low:.0f}-{100 * high:.0f})"


def tally_cells(tally: Tally) -> tuple[str, ...]:
    """Return the cells of a player's row: decisions, nodes, illegal actions; median, 99 % and worst milliseconds."""
    times = tally.times()
    shown = ("", "", "") if times is None else (times.median_ms, times.p99_ms, times.worst_ms)
    told = (value if isinstance(value, str) else f"{value:.3g}" for value in shown)
    return (str(tally.decisions), str(tally.nodes or ""), str(tally.illegal), *told)
