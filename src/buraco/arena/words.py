"""Figures of the arena as people read them."""

from __future__ import annotations

from typing import Final

from buraco.arena.running import Outcome
from buraco.arena.statistics import Estimate
from buraco.arena.tally import Tally

__all__ = ["code_text", "p_text", "plain_text", "points_text", "share_text", "stop_text", "tally_cells"]

_P_SHOWN: Final = 1e-4
_MARKS: Final = frozenset("<>&|`*[]\\")


def plain_text(text: str) -> str:
    """Return a line of text as Markdown shows it, also in a table: no sign in it marks anything."""
    return "".join(f"&#{ord(letter)};" if letter in _MARKS else letter for letter in text)


def code_text(text: str) -> str:
    """Return a line of text as code in Markdown, also in a table."""
    if "`" in text or "|" in text:
        return f"<code>{plain_text(text)}</code>"
    return f"`{text}`"


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


def stop_text(outcome: Outcome) -> str:
    """Return what the sequential test of a run says; nothing without one."""
    verdict, stop = outcome.verdict, outcome.plan.stop
    if verdict is None or stop is None:
        return ""
    ends = {
        "low": f"the mean is {stop.low:g} or less rather than {stop.high:g}",
        "high": f"the mean is {stop.high:g} or more rather than {stop.low:g}",
    }
    told = ends.get(verdict.state, "undecided after all pairs" if outcome.finished else "undecided so far")
    below, above = stop.bounds
    return f"{told} (log ratio {verdict.log_ratio:.2f}, bounds {below:.2f} and {above:.2f})"


def tally_cells(tally: Tally) -> tuple[str, ...]:
    """Return the cells of a player's row: decisions, nodes, illegal actions; median, 99 % and worst milliseconds."""
    times = tally.times()
    shown = ("", "", "") if times is None else (times.median_ms, times.p99_ms, times.worst_ms)
    # Three digits; whole milliseconds where those would need a power of ten.
    told = (value if isinstance(value, str) else f"{value:.3g}" if value < 999.5 else f"{value:.0f}" for value in shown)
    return (str(tally.decisions), str(tally.nodes or ""), str(tally.illegal), *told)
