"""The picture of a ladder: an SVG with a row for each player, its rating and its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

from buraco.arena.ratings import Rating

__all__ = ["GROUND", "STYLE", "ladder_svg", "tick_step"]

# Narrow, so that the letters are still legible on a phone.
_WIDTH: Final = 500
_LEFT: Final = 170
_RIGHT: Final = 106
_TOP: Final = 56
_ROW: Final = 34
_BOTTOM: Final = 48
_NAME_MAX: Final = 22
_TICKS: Final = 4

GROUND: Final = "#f7faf8"
# Readable on light and on dark ground: the picture brings its own ground.
STYLE: Final = (
    "text{font-family:system-ui,sans-serif;font-size:13px;fill:#1d2b24}"
    ".title{font-size:15px;font-weight:600}.small{font-size:11px;fill:#52645b}.number{text-anchor:start}"
    ".name{text-anchor:end}.tick{text-anchor:middle;font-size:11px;fill:#52645b}"
    ".grid{stroke:#d5ddd8}.bar{stroke:#2f7d5b;stroke-width:3}.dot{fill:#17533a}"
)


def ladder_svg(found: Sequence[Rating], title: str) -> str:
    """Return the picture of ratings, in their order from the top, as the text of an SVG file.

    Raises ValueError for no ratings.
    """
    low, high = min(one.low for one in found), max(one.high for one in found)
    step = tick_step(max(high - low, 1.0), _TICKS)
    first, last = math.floor(low / step), math.ceil(high / step)
    span = max(last - first, 1) * step
    height = _TOP + _ROW * len(found) + _BOTTOM

    def across(rating: float) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * (rating - first * step) / span, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<rect width="{_WIDTH}" height="{height}" rx="8" fill="{GROUND}"/>',
        f'<text class="title" x="20" y="28">{escape(title)}</text>',
    ]
    for tick in range(first, last + 1):
        x = across(tick * step)
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{_TOP - 12}" y2="{height - _BOTTOM + 4}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{height - _BOTTOM + 20}">{tick * step:g}</text>')
    for row, one in enumerate(found):
        parts.append(_row(one, _TOP + _ROW * row + _ROW // 2, across(one.low), across(one.rating), across(one.high)))
    parts.append(
        f'<text class="small" x="20" y="{height - 10}">Bradley and Terry: 400 points are odds of ten to one. '
        "Bars: 95 % intervals.</text>"
    )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(one: Rating, y: int, low: float, middle: float, high: float) -> str:
    name = one.player if len(one.player) <= _NAME_MAX else one.player[: _NAME_MAX - 1] + "…"
    return (
        f'<text class="name" x="{_LEFT - 14}" y="{y + 4}">{escape(name)}</text>'
        f'<line class="bar" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>'
        f'<circle class="dot" cx="{middle}" cy="{y}" r="5"/>'
        f'<text class="number" x="{_WIDTH - _RIGHT + 14}" y="{y + 4}">'
        f"{one.rating:+.0f} ± {(one.high - one.low) / 2:.0f}</text>"
    )


def tick_step(span: float, ticks: int) -> float:
    """Return the distance of ticks, 1, 2 or 5 times a power of ten, for about ``ticks`` of them."""
    power = 10.0 ** math.floor(math.log10(span / ticks))
    return next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if power * factor * ticks >= span)
