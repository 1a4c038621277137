"""What axe-core finds on a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

__all__ = ["violations"]

_AXE: Final = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
#: Everything that axe knows of WCAG, its experiment with names included; some rules may be left out. A card is drawn:
#: its index is no word of what holds it, but all other words of such a button must be in its name.
_RUN: Final = """async omitted => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
    const on = ['target-size', 'label-content-name-mismatch'].map(name => [name, { enabled: true }]);
    const off = omitted.map(name => [name, { enabled: false }]);
    const found = await axe.run(document, {
        runOnly: tags, resultTypes: ['violations'], elementRef: true, rules: Object.fromEntries([...on, ...off]),
    });
    const plain = text => text.toLowerCase().replace(/\\s+/g, ' ').trim();
    const drawn = one => {
        const rest = document.createElement('div');
        rest.append(one.cloneNode(true));
        if (rest.querySelector('.card') === null) return false;
        rest.querySelectorAll('.card').forEach(card => card.remove());
        return plain(one.getAttribute('aria-label') ?? '').includes(plain(rest.textContent));
    };
    return found.violations.flatMap(one => one.nodes
        .filter(node => one.id !== 'label-content-name-mismatch' || !drawn(node.element))
        .map(node => `${one.id}: ${node.target.join(' ')} ${node.html.slice(0, 160)} ${node.failureSummary}`));
}"""


def violations(page: Page, omitted: Sequence[str] = ()) -> list[str]:
    """Return what axe-core finds on a page, some of its rules left out."""
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=_AXE)
    return [str(one) for one in page.evaluate(_RUN, list(omitted))]
