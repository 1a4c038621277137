"""Write ``THIRD_PARTY.md``: the licences of all that comes with the package and is not ours.

    python -m scripts.third_party            write it
    python -m scripts.third_party --check    exit with 1 when it is not as it would be written

The packages of an extra are those that it asks for and all that these ask for in turn, on Linux with the Python of the
locks; what they say of themselves is read where they are installed. The build of the page
checks that each package of npm in the page is named in ``web/public/licences.txt``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path
from types import MappingProxyType
from typing import Final

from packaging.requirements import Requirement

__all__ = ["FILES", "ROOT", "closure", "document", "licence_of", "main", "npm_rows", "unnamed_files"]

ROOT: Final = Path(__file__).resolve().parent.parent
TARGET: Final = ROOT / "THIRD_PARTY.md"

EXTRAS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "": "`buraco` itself",
        "pure": "`buraco[pure]`",
        "server": "`buraco[server]`, and the image of the server",
        "env": "`buraco[env]`",
        "openspiel": "`buraco[openspiel]`",
        "ray": "`buraco[ray]`",
    }
)
"""The extras that people install, with their headings; those for work on the project are not shipped."""

UNLOCKED: Final[Mapping[str, str]] = MappingProxyType({"ray": "Apache-2.0"})
"""Packages that no lock has, so that nobody need have them here, with their licences."""

FILES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "web/src/fonts/index-latin.woff2": "a subset of Sofia Sans Extra Condensed, OFL-1.1",
        "web/src/fonts/index-cyrillic.woff2": "a subset of Sofia Sans Extra Condensed, OFL-1.1",
        "web/src/fonts/suits.woff2": "our own, drawn by `web/scripts/suit_font.py`",
        "web/public/icon.svg": "our own",
        "web/public/icon-192.png": "our own, from `icon.svg`",
        "web/public/icon-512.png": "our own, from `icon.svg`",
        "web/public/icon-mask.png": "our own, from `icon.svg`",
    }
)
"""Every font, picture and sound of the page, and whose it is."""

_PYTHON: Final = "3.11"
_MARKERS: Final = MappingProxyType(
    {
        "python_version": _PYTHON,
        "python_full_version": f"{_PYTHON}.4",
        "sys_platform": "linux",
        "platform_system": "Linux",
        "platform_machine": "x86_64",
        "os_name": "posix",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
)
_WORDS_MAX: Final = 60
_CODE: Final = frozenset((".ts", ".svelte", ".css", ".html", ".txt", ".webmanifest", ".json"))

_HEAD: Final = """# What comes from others

`python -m scripts.third_party` writes this page; a test holds it up to date.

Buraco is under the MIT License (`LICENSE`), but for the fonts named below (`LICENSES/OFL-1.1.txt`).
"""


def _name(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", requirement).lower()


def closure(requirements: Iterable[str]) -> set[str]:
    """Return the names of the packages that are asked for, and of all that they ask for, without `UNLOCKED`.

    Raises importlib.metadata.PackageNotFoundError for one that is not installed.
    """
    found: set[str] = set()
    seen: set[tuple[str, str]] = set()
    waiting = [Requirement(one) for one in requirements]
    while waiting:
        one = waiting.pop()
        name = _name(one.name)
        for extra in ("", *sorted(one.extras)):
            if name in UNLOCKED or (name, extra) in seen:
                continue
            seen.add((name, extra))
            found.add(name)
            asked = map(Requirement, distribution(name).requires or ())
            waiting += [
                more for more in asked if more.marker is None or more.marker.evaluate({**_MARKERS, "extra": extra})
            ]
    return found


def _said(package: Distribution, field: str) -> str:
    return str(next(iter(package.metadata.get_all(field) or ()), ""))


def licence_of(package: Distribution) -> str:
    """Return what a package says of its licence, in the shortest of its ways to say so.

    Raises ValueError when it says nothing.
    """
    about = package.metadata
    for field in ("License-Expression", "License"):
        told = _said(package, field)
        if told and len(told) <= _WORDS_MAX and "\n" not in told:
            return told
    kinds = [line.split("::")[-1].strip() for line in about.get_all("Classifier", []) if line.startswith("License ::")]
    if not kinds:
        raise ValueError(f"{about['Name']} names no licence")
    return " or ".join(kinds)


def _home_of(package: Distribution) -> str:
    links = [link.split(",", 1) for link in package.metadata.get_all("Project-URL", [])]
    pages = {kind.strip().lower(): address.strip() for kind, address in links}
    wanted = ("homepage", "home", "repository", "source", "source code", "github", "code", "changelog", "documentation")
    home = _said(package, "Home-page")
    return home if home not in ("", "UNKNOWN") else next((pages[kind] for kind in wanted if kind in pages), "")


def _python_rows(extra: str, asked: Iterable[str]) -> list[str]:
    names = [Requirement(one) for one in asked]
    rows = [f"| {one.name} | {UNLOCKED[one.name]} | |" for one in names if one.name in UNLOCKED]
    for name in sorted(closure(asked)):
        package = distribution(name)
        rows.append(f"| {package.metadata['Name']} | {licence_of(package)} | {_home_of(package)} |")
    return [f"### {EXTRAS[extra]}", "", "| package | licence | home |", "|---|---|---|", *rows, ""]


def npm_rows(notices: str, lock: str) -> list[str]:
    """Return a row for each npm package that the notices of the page name, with the licence that the lock tells."""
    packages = json.loads(lock)["packages"]
    names = re.findall(r"^ {2}(\S+) +Copyright", notices, re.MULTILINE)
    return [f"| {name} | {packages[f'node_modules/{name}']['license']} |" for name in sorted(set(names) - {"Buraco"})]


def unnamed_files(root: Path) -> list[str]:
    """Return the fonts, pictures and sounds of the page that `FILES` does not name, or names and are not there."""
    there = {
        file.relative_to(root).as_posix()
        for folder in ("web/src", "web/public")
        for file in (root / folder).rglob("*")
        if file.is_file() and file.suffix not in _CODE
    }
    return sorted(there ^ set(FILES))


def document(root: Path = ROOT) -> str:
    """Return the page. Raises ValueError when a file or a licence is not known."""
    if unnamed := unnamed_files(root):
        raise ValueError(f"FILES of scripts/third_party.py does not fit: {', '.join(unnamed)}")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {"": project["dependencies"], **project["optional-dependencies"]}
    web = root / "web"
    notices = (web / "public" / "licences.txt").read_text(encoding="utf-8")
    lines = [_HEAD, "## In the page, and so in the wheel", ""]
    lines += ["| npm package | licence |", "|---|---|"]
    lines += npm_rows(notices, (web / "package-lock.json").read_text(encoding="utf-8"))
    lines += ["", "Their notices are in `web/public/licences.txt`, which is served with the page.", ""]
    lines += ["| font, picture | whose |", "|---|---|", *(f"| `{file}` | {whose} |" for file, whose in FILES.items())]
    lines += ["", "Sounds are made by the browser; there are no files of them.", ""]
    lines += ["## Installed beside it", "", "Not in the wheel: these come from their own packages.", ""]
    for extra in EXTRAS:
        lines += _python_rows(extra, asked[extra])
    return "\n".join(lines).rstrip() + "\n"


def main(arguments: list[str]) -> int:
    """Write the document, or return 1 where it is out of date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    written = document()
    if not options.check:
        TARGET.write_text(written, encoding="utf-8")
        return 0
    if TARGET.exists() and TARGET.read_text(encoding="utf-8") == written:
        return 0
    print("THIRD_PARTY.md is out of date: python -m scripts.third_party", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
