"""What MkDocs does not do by itself when it builds the site of the documents (``mkdocs.yml`` names this file).

The documents are written to be read in the checkout as well, where they link to files beside ``docs/``. Such files
become pages, or files, of the site, and the links to them are written anew. What the theme would fetch from elsewhere
is taken out.
"""

from __future__ import annotations

import posixpath
import re
import shutil
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

__all__ = ["on_files", "on_page_markdown", "on_post_build", "rewritten", "without_addresses"]

ROOT: Final = Path(__file__).resolve().parent.parent
DOCS: Final = "docs"
PAGES: Final = {
    "benchmarks/results.md": "benchmarks.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
"""Documents outside ``docs/`` that are pages of the site, by their paths in the checkout."""

FILES: Final = ("LICENSE", "examples/*", "web/public/licences.txt")
"""Files outside ``docs/`` that pages link to."""

FETCHED: Final = re.compile(r"https://unpkg\.com/[^\"'`]*")
"""What the theme's script would fetch to draw diagrams from text (no page has any), and for very old browsers."""

_LINK: Final = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)\s#]+)")


def _outside() -> dict[str, str]:
    """Return where what lies outside ``docs/`` is in the site, by its path in the checkout."""
    files = (path.relative_to(ROOT).as_posix() for pattern in FILES for path in ROOT.glob(pattern) if path.is_file())
    return {**PAGES, **{path: f"files/{path}" for path in files}}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what lies outside ``docs/``."""
    for path, place in _outside().items():
        content: str | bytes = (ROOT / path).read_bytes()
        if place.endswith(".md"):
            content = (ROOT / path).read_text(encoding="utf-8")
        files.append(File.generated(config, place, content=content))
    return files


def rewritten(markdown: str, path: str, place: str) -> str:
    """Return a document with its links as the site needs them: ``path`` is its own in the checkout, ``place`` in the
    site."""
    outside = _outside()

    def target(found: re.Match[str]) -> str:
        file = posixpath.normpath(posixpath.join(posixpath.dirname(path), found[1]))
        there = outside.get(file) or (file.removeprefix(f"{DOCS}/") if file.startswith(f"{DOCS}/") else None)
        return found[1] if there is None else posixpath.relpath(there, posixpath.dirname(place) or ".")

    return _LINK.sub(target, markdown)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - MkDocs
    """Rewrite the links of a page."""
    place = page.file.src_uri
    path = next((path for path, there in PAGES.items() if there == place), f"{DOCS}/{place}")
    return rewritten(markdown, path, place)


def without_addresses(script: str) -> str:
    """Return a script of the theme without the addresses from which it would fetch others."""
    return FETCHED.sub("data:,", script)


def on_post_build(config: MkDocsConfig) -> None:
    """Take out of the theme's files what is not needed: source maps, other languages, foreign addresses."""
    site = Path(config.site_dir)
    shutil.rmtree(site / "assets" / "javascripts" / "lunr")
    for path in site.glob("assets/**/*.map"):
        path.unlink()
    for path in site.glob("assets/**/*.js"):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"\n//# sourceMappingURL=\S+\s*$", "\n", without_addresses(text)), encoding="utf-8")
