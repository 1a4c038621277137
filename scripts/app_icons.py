"""Draw the icons of the installed page from `web/public/icon.svg` with the system's Chromium: what cannot take an SVG.

`python -m scripts.app_icons` writes `icon-192.png`, `icon-512.png` and `icon-mask.png` beside it; the last one has the
colour of its ground up to all edges, since the system cuts it to a shape of its own.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from tests.e2e.browser import launch

PUBLIC: Final = Path(__file__).resolve().parents[1] / "web" / "public"
#: Name, size in pixels, and how much of the picture the drawing takes: what is cut off may be a fifth.
_ICONS: Final = (("icon-192", 192, 1.0), ("icon-512", 512, 1.0), ("icon-mask", 512, 0.8))
_GROUND: Final = "#12553a"


def _page(drawing: str, size: int, part: float) -> str:
    """Return a page of the size of an icon that shows the drawing."""
    ground = f"background:{_GROUND};" if part < 1 else ""
    place = f"width:{part:.0%};height:{part:.0%}"
    style = f"margin:0;width:{size}px;height:{size}px;{ground}display:grid;place-items:center"
    return f'<body style="{style}"><div style="{place}">{drawing}</div></body>'


def main() -> int:
    """Write the icons."""
    drawing = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, size, part in _ICONS:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(_page(drawing, size, part))
            page.screenshot(path=PUBLIC / f"{name}.png", omit_background=True)
            page.close()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
