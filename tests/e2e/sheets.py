"""The score sheet that a page shows, held against the server's breakdown."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect

__all__ = ["expect_breakdown"]


def expect_breakdown(sheet: Locator, deal: dict[str, Any]) -> None:
    """Expect the lines and totals of the server for a deal, for both sides."""
    for side in (0, 1):
        shown = sheet.locator(f"[data-side='{side}'] [data-line]").evaluate_all(
            "lines => lines.map(line => `${line.dataset.line} ${line.dataset.points}`)"
        )
        lines = [f"{line['kind']} {line['points']}" for line in deal["sheets"][side]["lines"]]
        if deal["cut_points"][side] != 0:
            lines.append(f"cut {deal['cut_points'][side]}")
        lines.append(f"sum {deal['scores'][side] + deal['cut_points'][side]}")
        assert sorted(shown) == sorted(lines)
    totals = sheet.locator("[data-sheet] [data-total]")
    expect(totals).to_have_count(2)
    assert totals.evaluate_all("cells => cells.map(cell => Number(cell.dataset.total))") == deal["totals"]
