"""What MkDocs does not do by itself when it builds the site of the documents (``mkdocs.yml`` names this file).

The documents are written to be read in the checkout as well, where they link to files beside ``docs/``. Such files
become pages, or files, of the site, and the links to them are written anew. What the theme would fetch from elsewhere
is taken out. The rules pages, which are English in the checkout, are pages in the other languages too.
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

from buraco.rules import RULE_SETS
from buraco.texts import DEFAULT_LANGUAGE
from scripts.rules_pages import language_names, rules_page

__all__ = ["on_files", "on_page_markdown", "on_post_build", "on_post_page", "rewritten", "without_addresses"]

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

_RULES: Final = re.compile(r"rules/(?:([A-Za-z-]+)/)?([a-z0-9-]+)\.md")
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
    for language in language_names():
        if language != DEFAULT_LANGUAGE:
            for name, rules in RULE_SETS.items():
                # The search finds the English page: six languages would make its index six times as long.
                content = f"---\nsearch:\n  exclude: true\n---\n{rules_page(rules, language)}"
                files.append(File.generated(config, f"rules/{language}/{name}.md", content=content))
    return files


def _rules_of(place: str) -> tuple[str, str] | None:
    """Return the language and the rule set of a rules page by its place in the site; None for another page."""
    found = _RULES.fullmatch(place)
    return (found[1] or DEFAULT_LANGUAGE, found[2]) if found and found[2] in RULE_SETS else None


def with_languages(markdown: str, language: str, name: str) -> str:
    """Return a rules page with links to itself in the other languages below its title."""
    up = "" if language == DEFAULT_LANGUAGE else "../"
    links = (
        f"[{own}]({up}{'' if other == DEFAULT_LANGUAGE else f'{other}/'}{name}.md)"
        for other, own in language_names().items()
        if other != language
    )
    title, _, rest = markdown.partition("\n\n")
    return f"{title}\n\n{' · '.join(links)}\n\n{rest}"


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
    known = _rules_of(place)
    return rewritten(markdown, path, place) if known is None else with_languages(markdown, *known)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG001 - MkDocs
    """Name the language of a page that is not English."""
    language = (_rules_of(page.file.src_uri) or (DEFAULT_LANGUAGE,))[0]
    return output.replace(f'<html lang="{DEFAULT_LANGUAGE}"', f'<html lang="{language}"', 1)


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
