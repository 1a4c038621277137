"""The site of the documents as tests read it: built once for all workers of a run."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

from tests.documents.reading import ROOT

__all__ = ["PageReader", "build_site", "read_page", "shared_folder"]

_RESOURCES: Final = frozenset({"src", "srcset", "poster", "data", "action", "background"})
_NAVIGATION: Final = frozenset({"canonical", "next", "prev", "alternate", "author", "license"})


def shared_folder(base: Path) -> Path:
    """Return the temporary folder that the workers of a run share."""
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def build_site(base: Path) -> tuple[Path, str]:
    """Return the folder of the built site and what the build said; the first worker that comes builds it."""
    shared = shared_folder(base)
    site, told = shared / "site-of-documents", shared / "site-of-documents.log"
    with (shared / "site-of-documents.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not told.exists():
            done = subprocess.run(
                [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
                capture_output=True,
                check=False,
                cwd=ROOT,
                encoding="utf-8",
                env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
            )
            told.write_text(f"{done.stdout}{done.stderr}exit code {done.returncode}\n", encoding="utf-8")
    return site, told.read_text(encoding="utf-8")


@dataclass
class PageReader(HTMLParser):
    """What a page names: its identifiers, its links, what it loads, and the text of its scripts and styles."""

    identifiers: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    styles: list[str] = field(default_factory=list)
    policies: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag names."""
        named = {name: value or "" for name, value in attrs}
        self._inside = tag
        self.identifiers.update(value for name, value in named.items() if name == "id" or (tag, name) == ("a", "name"))
        self.loads += [value for name, value in named.items() if name in _RESOURCES]
        self.styles += [value for name, value in named.items() if name == "style"]
        if named.get("http-equiv") == "Content-Security-Policy":
            self.policies.append(named["content"])
        if "href" in named:
            follows = tag in ("a", "area") or (tag == "link" and named.get("rel") in _NAVIGATION)
            (self.links if follows else self.loads).append(named["href"])

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - the parser's signature
        """Nothing is inside a script or style that has ended."""
        self._inside = ""

    def handle_data(self, data: str) -> None:
        """Keep the text of scripts and styles."""
        if self._inside == "script":
            self.scripts.append(data)
        if self._inside == "style":
            self.styles.append(data)


def read_page(text: str) -> PageReader:
    """Return what a page names."""
    reader = PageReader()
    reader.feed(text)
    reader.close()
    return reader
