"""``python -m benchmarks.web [--runs N]``: measure the page in Chromium on a slowed processor; write results.md.

`make bench-page` runs it. It needs the environment of the tests: Playwright and the system's Chromium.
"""

from __future__ import annotations

import argparse
import datetime
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.report import RESULTS, WEB_TITLE, with_part
from benchmarks.timing import machine
from tests.e2e.browser import browser_path, launch
from tests.e2e.house import House
from tests.e2e.tables import full_table

_SLOWER: Final = 4
_MOVES: Final = 240
_DRAGS: Final = 4
#: The milliseconds from the start of the navigation to the frame that shows the hand.
_FIRST_HAND: Final = """
    const watch = new MutationObserver(() => {
        if (!document.querySelector('[data-zone=hand] [data-card]')) return;
        watch.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => { window.firstHandMs = performance.now(); }));
    });
    watch.observe(document, { childList: true, subtree: true });
"""
_BEGIN: Final = """() => {
    window.frames_ms = [];
    window.long_ms = [];
    let last = performance.now();
    const frame = now => {
        window.frames_ms.push(now - last);
        last = now;
        if (window.measuring) requestAnimationFrame(frame);
    };
    window.measuring = true;
    new PerformanceObserver(list => {
        if (window.measuring) list.getEntries().forEach(one => window.long_ms.push(one.duration));
    }).observe({ entryTypes: ['longtask'] });
    requestAnimationFrame(now => { last = now; requestAnimationFrame(frame); });
}"""
_END: Final = "() => { window.measuring = false; return [window.frames_ms, window.long_ms]; }"


@dataclass(frozen=True, slots=True)
class _Figures:
    """What was measured, in milliseconds."""

    hands: list[float]
    frames: list[float]
    long_tasks: list[float]


def _slow(context: BrowserContext, page: Page) -> None:
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})


def _visit(browser: Browser, house: House) -> tuple[BrowserContext, str]:
    """Return a new guest on a phone, with nothing cached, and the code of a table of theirs."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=house.address, locale="en-GB")
    origin = {"Origin": house.address}
    context.request.post("/api/guests", data={"name": "Ana"}, headers=origin)
    made: Any = context.request.post("/api/play-now", data={"options": {"rules": "aberto"}}, headers=origin).json()
    return context, str(made["code"])


def _first_hand_ms(browser: Browser, house: House) -> float:
    context, code = _visit(browser, house)
    page = context.new_page()
    _slow(context, page)
    page.add_init_script(_FIRST_HAND)
    page.goto(f"/t/{code}")
    page.locator("[data-zone=hand] [data-card]").first.wait_for()
    while (found := page.evaluate("window.firstHandMs ?? null")) is None:
        pass
    context.close()
    return float(found)


def _drag_ms(browser: Browser, house: House) -> tuple[list[float], list[float]]:
    """Drag three cards of forty over hand and melds; return the times of frames and of long tasks."""
    context, code = _visit(browser, house)
    page = context.new_page()
    page.goto(f"/t/{code}")
    page.locator("[data-zone=hand] [data-card]").first.wait_for()
    house.stage(code, full_table(40, melds=5, other_melds=4))
    hand = page.locator("[data-zone=hand] [data-card]")
    hand.nth(39).wait_for()
    for index in (3, 9, 15):
        hand.nth(index).click(position={"x": 10, "y": 14})
    _slow(context, page)
    box = hand.nth(9).bounding_box()
    assert box is not None
    x, y = box["x"] + 10, box["y"] + 14
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 10, y - 10)
    page.evaluate(_BEGIN)
    for step in range(_MOVES):
        part = abs((step / _MOVES * 4) % 2 - 1)
        page.mouse.move(20 + 350 * part, 820 - 500 * abs((step / _MOVES * 6) % 2 - 1))
    frames, long_tasks = page.evaluate(_END)
    page.keyboard.press("Escape")
    page.mouse.up()
    context.close()
    return frames, long_tasks


def _measure(runs: int) -> _Figures:
    flags = ["--disable-background-networking", "--disable-component-update", "--mute-audio"]
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        house = House(Path(data))
        browser = launch(playwright, *flags)
        try:
            hands = [_first_hand_ms(browser, house) for _ in range(runs)]
            drags = [_drag_ms(browser, house) for _ in range(_DRAGS)]
        finally:
            browser.close()
            house.stop()
    return _Figures(hands, [one for drag in drags for one in drag[0]], [one for drag in drags for one in drag[1]])


def _rows(figures: _Figures) -> list[str]:
    frames = sorted(figures.frames)
    rows = (
        ("hand on screen, first visit, median", statistics.median(figures.hands), 1000),
        ("hand on screen, first visit, worst", max(figures.hands), 2000),
        ("frame while three of 40 cards are dragged, median", statistics.median(frames), 17),
        ("frame while three of 40 cards are dragged, 95th percentile", frames[int(len(frames) * 0.95)], 34),
        ("longest task while dragging", max(figures.long_tasks, default=0.0), 200),
    )
    lines = ["| figure, ms | measured | aim | |", "|---|---:|---:|---|"]
    # Frames come in steps of a screen's 16.67 ms, which browsers round up.
    lines += [
        f"| {name} | {value:,.1f} | ≤ {aim:,} | {'reached' if value <= aim else '**missed**'} |"
        for name, value, aim in rows
    ]
    return lines


def main() -> None:
    """Measure the page and write its part of the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description="Measure the page in Chromium.")
    parser.add_argument("--runs", type=int, default=9, help="first visits to measure (default 9)")
    runs: int = parser.parse_args().runs
    where = machine()
    figures = _measure(runs)
    part = "\n".join(
        [
            WEB_TITLE,
            "",
            f"Written by `.venv/bin/python -m benchmarks.web --runs {runs}`; change no figure by hand.",
            f"Browser: `{Path(browser_path()).name}` without a window",
            "(`chromium-headless-shell` is lighter than what people have),",
            f"390 × 844, processor slowed {_SLOWER}-fold, server on the same machine,",
            f"{runs} first visits with an empty cache, {len(figures.frames)} frames of {_DRAGS} drags.",
            "",
            f"Machine: {where}. Date: {datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}.",
            "",
            *_rows(figures),
        ]
    )
    RESULTS.write_text(with_part(RESULTS, WEB_TITLE, part), encoding="utf-8")
    print(part)


if __name__ == "__main__":
    main()
