"""Write the pictures of the table that the README and the documents show: `make pictures` (docs/images/).

The states are set up as the browser tests do it, on a server of their own, in the system's Chromium. Every picture is
written anew; look at each of them before it is committed.
"""

from __future__ import annotations

import argparse
import json
import struct
import tempfile
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from tests.e2e.browser import launch
from tests.e2e.house import House
from tests.e2e.scenes import TABLE_SCENES
from tests.e2e.views import VIEWPORTS, Visit

__all__ = ["PICTURES", "Picture", "main"]

FOLDER: Final = Path(__file__).resolve().parents[1] / "docs" / "images"
#: All of them together, so that a checkout stays small.
BYTES_MAX: Final = 1_500_000


#: Reduces a picture to 256 of its colours: width, height, palette, and an index for each pixel.
_QUANTISE: Final = """async encoded => {
    const image = new Image();
    image.src = `data:image/png;base64,${encoded}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.width, image.height).data;
    const keyOf = at => (pixels[at] >> 2) << 12 | (pixels[at + 1] >> 2) << 6 | pixels[at + 2] >> 2;
    const counts = new Map();
    for (let at = 0; at < pixels.length; at += 4) {
        const key = keyOf(at);
        const entry = counts.get(key);
        if (entry) entry.count += 1;
        else counts.set(key, { key, count: 1, colour: [pixels[at], pixels[at + 1], pixels[at + 2]] });
    }
    const all = [...counts.values()].sort((a, b) => b.count - a.count || a.key - b.key);
    const palette = all.slice(0, 160).map(entry => entry.colour);
    const far = (a, b) => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
    // Then those that would be missed most, such as the one joker of a picture.
    for (const entry of all) entry.miss = Math.min(...palette.map(colour => far(colour, entry.colour)));
    while (palette.length < Math.min(256, all.length)) {
        const missed = all.reduce((a, b) => (b.miss * b.count > a.miss * a.count ? b : a));
        palette.push(missed.colour);
        for (const entry of all) entry.miss = Math.min(entry.miss, far(missed.colour, entry.colour));
    }
    for (const entry of counts.values()) {
        entry.index = 0;
        palette.forEach((colour, index) => {
            if (far(colour, entry.colour) < far(palette[entry.index], entry.colour)) entry.index = index;
        });
    }
    const indices = new Uint8Array(pixels.length / 4);
    for (let at = 0; at < pixels.length; at += 4) indices[at / 4] = counts.get(keyOf(at)).index;
    const parts = [];
    for (let at = 0; at < indices.length; at += 8192)
        parts.push(String.fromCharCode(...indices.subarray(at, at + 8192)));
    return [image.width, image.height, palette.flat(), btoa(parts.join(''))];
}"""


@dataclass(frozen=True, slots=True)
class Picture:
    """A state to be shown: a page's path or a scene of the table, on a screen, with settings."""

    name: str
    scene: str
    view: str
    language: str = "en"
    settings: dict[str, object] = field(default_factory=dict)


PICTURES: Final = (
    Picture("home-desktop", "/", "D"),
    Picture("home-phone", "/", "P"),
    Picture("table-desktop", "selected", "D"),
    Picture("table-phone", "selected", "P", "pt-BR"),
    Picture("table-phone-landscape", "draw", "L"),
    Picture("table-light", "own-turn", "D", "it", {"theme": "light"}),
    Picture("pile-phone", "pile", "P"),
    Picture("waiting-room-desktop", "room", "D"),
    Picture("waiting-room-phone", "room", "P"),
    Picture("score-sheet-desktop", "between", "D"),
    Picture("score-sheet-phone", "between", "P"),
    Picture("match-end-phone", "finished", "P"),
    Picture("settings-phone", "/settings", "P"),
    Picture("text-table-desktop", "text", "D"),
)


def _take(browser: Browser, house: House, picture: Picture, folder: Path) -> int:
    """Write one picture; return its size in bytes."""
    shape = VIEWPORTS[picture.view]
    context = browser.new_context(
        viewport={"width": shape.width, "height": shape.height},
        has_touch=shape.touch,
        base_url=house.address,
        locale="en-GB",
        timezone_id="UTC",
        reduced_motion="reduce",
    )
    chosen = json.dumps({"language": picture.language, "pace": "none", **picture.settings})
    context.add_init_script(
        f"localStorage.getItem('buraco.settings') ?? localStorage.setItem('buraco.settings', {json.dumps(chosen)})"
    )
    answer = context.request.post("/api/guests", data={"name": "Ana"}, headers={"Origin": house.address})
    assert answer.ok, answer.text()
    guest = Visit(context, house, context.new_page())
    _show(guest, picture.scene)
    path = folder / f"{picture.name}.png"
    guest.page.evaluate("document.fonts.ready")
    shot = guest.page.screenshot(animations="disabled", caret="hide")
    context.close()
    path.write_bytes(_small(browser, shot))
    return path.stat().st_size


def _small(browser: Browser, shot: bytes) -> bytes:
    """Return a picture with at most 256 colours: a third of the size, and hardly a difference to be seen."""
    page = browser.new_page()
    width, height, palette, encoded = page.evaluate(_QUANTISE, b64encode(shot).decode())
    page.close()
    indices = b64decode(encoded)
    rows = b"".join(b"\0" + indices[at : at + width] for at in range(0, width * height, width))
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", bytes(palette)), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def _show(guest: Visit, scene: str) -> None:
    if scene.startswith("/"):
        guest.open(scene)
        guest.page.locator("main h1").wait_for()
        return
    TABLE_SCENES[scene](guest)
    if guest.page.locator(".qr").count() > 0:
        # The code is fetched when it is first drawn.
        guest.page.locator(".qr path").first.wait_for(state="attached")
    sort = guest.page.locator("[data-action=sort]")
    if sort.count() > 0 and guest.page.locator("dialog[open]").count() == 0:
        sort.click()
        guest.page.mouse.move(0, 0)


def main(say: Callable[[str], object] = print) -> None:
    """Write the pictures, all or those whose names begin as asked."""
    parser = argparse.ArgumentParser(description="Write the pictures of the table.")
    parser.add_argument("names", nargs="*", help="only pictures whose names begin so")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    wanted = [one for one in PICTURES if not asked.names or one.name.startswith(tuple(asked.names))]
    with tempfile.TemporaryDirectory() as data, sync_playwright() as started:
        house = House(Path(data), next_deal_s=30, public_url="https://buraco.example")
        try:
            browser = launch(started, "--disable-gpu", "--mute-audio")
            for picture in wanted:
                say(f"{picture.name}.png: {_take(browser, house, picture, asked.folder)} bytes")
            browser.close()
        finally:
            house.stop()
    total = sum(one.stat().st_size for one in asked.folder.glob("*.png"))
    if total > BYTES_MAX:
        raise SystemExit(f"The pictures have {total} bytes, more than {BYTES_MAX}")


if __name__ == "__main__":
    main()
