"""Find code that knows a rule set by its name outside ``buraco.rules``.

Everything else goes by the fields of a rule set, so that a table's own rules get the same treatment. Found are string
literals that are the id of a rule set (docstrings aside) and identifiers that are one in CONSTANT or snake form with
a hyphen in the id, such as ``ABERTO_104``. In the sources of the page, what its tests make up aside, names of members
are found as well.

    python scripts/name_lint.py [FOLDER]       exits with 1 and one line per finding
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from buraco.rules import RULE_SETS

PACKAGE: Final = Path(__file__).resolve().parent.parent / "src" / "buraco"
PAGE: Final = PACKAGE.parent.parent / "web" / "src"
KNOWING: Final = ("rules", "texts")
#: What of the page's sources is no part of the page: tests, and what they and the story pages make up.
MADE_UP: Final = re.compile(r"(^|/)(dev|testing)/|(^|/)testing\.ts$|\.test\.ts$")


def identifiers(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node uses."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.alias):
        yield node.name.rpartition(".")[2]


def findings(source: str, name: str, ids: Iterable[str]) -> list[str]:
    """Return ``name:line: id`` for every use of a rule set's id in a source text, in the order of their lines."""
    known = frozenset(ids)
    spelled = {id_.replace("-", "_"): id_ for id_ in known if "-" in id_}
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(source)):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.strip() in known:
            found.append((line, node.value.strip()))
        found.extend((line, spelled[word.lower()]) for word in identifiers(node) if word.lower() in spelled)
    return [f"{name}:{line}: knows the rule set {id_!r} by name; go by its fields" for line, id_ in sorted(found)]


def folder_findings(folder: Path, ids: Iterable[str]) -> list[str]:
    """Return the findings of all modules of the package except those that hold the rule sets."""
    known = tuple(ids)
    found: list[str] = []
    for file in sorted(folder.rglob("*.py")):
        relative = file.relative_to(folder)
        if relative.parts[0] not in KNOWING:
            found.extend(findings(file.read_text(encoding="utf-8"), str(relative), known))
    return found


def page_findings(folder: Path, ids: Iterable[str]) -> list[str]:
    """Return the findings of all TypeScript and Svelte sources of the page."""
    spelled = {form: id_ for id_ in ids for form in (id_, id_.replace("-", "_"))}
    forms = "|".join(sorted((re.escape(form) for form in spelled), key=len, reverse=True))
    # A whole string, a member (`.aberto`, `aberto:`), or a name with an underline in it.
    uses = re.compile(
        rf"""(?P<quote>["'`])(?P<text>{forms})(?P=quote)|(?<=\.)(?P<member>{forms})\b"""
        rf"""|(?P<key>\b(?:{forms}))(?=\s*:)|\b(?P<name>(?=\w*_)(?:{forms}))\b""",
        re.IGNORECASE,
    )
    found: list[str] = []
    for file in sorted(one for kind in ("*.ts", "*.svelte") for one in folder.rglob(kind)):
        name = file.relative_to(folder).as_posix()
        if MADE_UP.search(name):
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            for use in uses.finditer(line):
                id_ = spelled[next(one for one in use.group("text", "member", "key", "name") if one).lower()]
                found.append(f"{name}:{number}: knows the rule set {id_!r} by name; go by its fields")
    return found


def main(arguments: list[str]) -> int:
    """Print the findings; return 1 where there are any."""
    if arguments:
        found = [*folder_findings(Path(arguments[0]), RULE_SETS), *page_findings(Path(arguments[0]), RULE_SETS)]
    else:
        found = [*folder_findings(PACKAGE, RULE_SETS), *page_findings(PAGE, RULE_SETS)]
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
