"""Simple charts as SVG: a curve with its intervals, and bars. For whatever was measured, without another package."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from buraco.arena.picture import GROUND, STYLE, tick_step

__all__ = ["CurvePoint", "bars_svg", "curve_svg"]

_WIDTH: Final = 720
_HEIGHT: Final = 400
_LEFT: Final = 76
_RIGHT: Final = 24
_TOP: Final = 64
_BOTTOM: Final = 60
_TICKS: Final = 6
_MORE_STYLE: Final = (
    ".band{fill:#2f7d5b;fill-opacity:.18}.curve{fill:none;stroke:#17533a;stroke-width:2.5}.block{fill:#2f7d5b}"
    ".zero{stroke:#52645b;stroke-dasharray:4 3}.end{text-anchor:end;font-size:11px;fill:#52645b}"
)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of a curve: where it is across, its height, and the half-width of the interval of that."""

    x: float
    y: float
    half_width: float = 0.0


@dataclass(frozen=True, slots=True)
class _Axis:
    """A scale from ``low`` to ``high`` with a tick at each multiple of ``step``, drawn from ``start`` to ``end``."""

    low: float
    high: float
    step: float
    start: float
    end: float

    @classmethod
    def of(cls, low: float, high: float, start: float, end: float) -> _Axis:
        step = tick_step(max(high - low, 1e-9), _TICKS)
        first, last = math.floor(low / step), math.ceil(high / step)
        return cls(first * step, max(last, first + 1) * step, step, start, end)

    def at(self, value: float) -> float:
        return round(self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low), 1)

    def ticks(self) -> list[float]:
        return [self.low + number * self.step for number in range(round((self.high - self.low) / self.step) + 1)]


def curve_svg(points: Sequence[CurvePoint], title: str, across: str, up: str) -> str:
    """Return a curve through the points with a band of their intervals, as the text of an SVG file.

    ``across``, ``up``: what the axes are. Raises ValueError for no points.
    """
    if not points:
        raise ValueError("a curve has a point at least")
    x = _Axis.of(min(one.x for one in points), max(one.x for one in points), _LEFT, _WIDTH - _RIGHT)
    lows, highs = [one.y - one.half_width for one in points], [one.y + one.half_width for one in points]
    y = _Axis.of(min(0.0, *lows), max(0.0, *highs), _HEIGHT - _BOTTOM, _TOP)
    band = [*zip(points, highs, strict=True), *reversed(list(zip(points, lows, strict=True)))]
    inside = [
        f'<polygon class="band" points="{" ".join(f"{x.at(one.x)},{y.at(value)}" for one, value in band)}"/>',
        f'<polyline class="curve" points="{" ".join(f"{x.at(one.x)},{y.at(one.y)}" for one in points)}"/>',
        *(f'<circle class="dot" cx="{x.at(one.x)}" cy="{y.at(one.y)}" r="3.5"/>' for one in points),
    ]
    ticks = [f'<text class="tick" x="{x.at(tick)}" y="{_HEIGHT - _BOTTOM + 18}">{tick:g}</text>' for tick in x.ticks()]
    return _chart(title, across, up, y, [*ticks, *inside])


def bars_svg(bars: Sequence[tuple[str, float]], title: str, across: str, up: str) -> str:
    """Return bars with their names, as the text of an SVG file; of many names only some are written.

    ``across``, ``up``: what the axes are. Raises ValueError for no bars or a height below 0.
    """
    if not bars or min(height for _, height in bars) < 0:
        raise ValueError("there is a bar at least, and none below 0")
    y = _Axis.of(0.0, max(1e-9, *(height for _, height in bars)), _HEIGHT - _BOTTOM, _TOP)
    room = (_WIDTH - _LEFT - _RIGHT) / len(bars)
    skip = math.ceil(len(bars) / 12)
    inside = []
    for number, (name, height) in enumerate(bars):
        left, top = round(_LEFT + room * (number + 0.1), 1), y.at(height)
        size = f'width="{room * 0.8:.1f}" height="{y.at(0.0) - top:.1f}"'
        told = f"<title>{escape(name)}: {height:g}</title>"
        inside.append(f'<rect class="block" x="{left}" y="{top}" {size}>{told}</rect>')
        if number % skip == 0:
            middle = round(_LEFT + room * (number + 0.5), 1)
            inside.append(f'<text class="tick" x="{middle}" y="{_HEIGHT - _BOTTOM + 18}">{escape(name)}</text>')
    return _chart(title, across, up, y, inside)


def _chart(title: str, across: str, up: str, y: _Axis, inside: Sequence[str]) -> str:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}{_MORE_STYLE}</style>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="8" fill="{GROUND}"/>',
        f'<text class="title" x="20" y="28">{escape(title)}</text>',
        f'<text class="small" x="20" y="{_TOP - 16}">{escape(up)}</text>',
        f'<text class="end" x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 16}">{escape(across)}</text>',
    ]
    for tick in y.ticks():
        kind = "zero" if tick == 0 else "grid"
        parts.append(f'<line class="{kind}" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y.at(tick)}" y2="{y.at(tick)}"/>')
        parts.append(f'<text class="end" x="{_LEFT - 10}" y="{y.at(tick) + 4}">{tick:g}</text>')
    return "\n".join([*parts, *inside, "</svg>"]) + "\n"
