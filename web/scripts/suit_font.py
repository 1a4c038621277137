"""Make `src/fonts/suits.woff2`: the suits and the crown of the joker as glyphs, from the outlines in `cards.ts`.

Run it by hand after a change of an outline, in an environment with fontTools and Brotli:
``pip install fonttools brotli && python web/scripts/suit_font.py``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.svgLib.path import parse_path

WEB: Final = Path(__file__).resolve().parents[1]
UNITS: Final = 960
SCALE: Final = UNITS / 24
SYMBOLS: Final = {"s": "♠", "h": "♥", "c": "♣", "d": "♦", "x": "♛"}


def outlines() -> dict[str, str]:
    """Return the outline of each suit, as written in ``cards.ts``."""
    source = (WEB / "src/core/cards.ts").read_text("utf-8")
    return dict(re.findall(r'^  ([shcdx]): "(M[^"]+Z)",$', source, flags=re.M))


def glyph(path: str) -> object:
    """Return an outline in a box of 24 units as a glyph that fills its em, the top of the box at the ascent."""
    pen = TTGlyphPen(None)
    parse_path(path, TransformPen(Cu2QuPen(pen, max_err=1), (SCALE, 0, 0, -SCALE, 0, UNITS)))
    return pen.glyph()


def main() -> None:
    """Write the font."""
    paths = outlines()
    names = [".notdef", *paths]
    builder = FontBuilder(UNITS, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(SYMBOLS[name]): name for name in paths})
    builder.setupGlyf({".notdef": TTGlyphPen(None).glyph(), **{name: glyph(path) for name, path in paths.items()}})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (UNITS, 0)))
    builder.setupHorizontalHeader(ascent=UNITS, descent=0)
    builder.setupNameTable({"familyName": "Buraco Suits", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=UNITS, sTypoDescender=0, sTypoLineGap=0, usWinAscent=UNITS, usWinDescent=0)
    builder.setupPost(keepGlyphNames=False)
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    builder.font.flavor = "woff2"
    builder.save(WEB / "src/fonts/suits.woff2")


if __name__ == "__main__":
    main()
