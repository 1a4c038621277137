"""What the package leans on: the standard library alone in the lower layers, and a lock that names no address."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "buraco"
#: Cython's shadow module stands in for the compiler in uncompiled runs.
ALLOWED = {"engine": {"buraco", "cython"}, "rules": {"buraco"}, "notation": {"buraco"}, "texts": {"buraco"}}
LOCKS = sorted(file.name for file in ROOT.glob("requirements*.txt"))


def imported(source: str) -> Iterator[str]:
    """Yield the top-level names of the modules that a source text imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


@pytest.mark.parametrize("layer", sorted(ALLOWED))
def test_a_lower_layer_imports_only_the_standard_library(layer: str) -> None:
    files = sorted((PACKAGE / layer).rglob("*.py"))
    assert files
    foreign = {
        (file.name, name)
        for file in files
        for name in imported(file.read_text(encoding="utf-8"))
        if name not in sys.stdlib_module_names and name not in ALLOWED[layer]
    }
    assert foreign == set()


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_is_pinned_with_hashes(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    requirements = [
        part for part in re.sub(r"\\\n", " ", text).splitlines() if part and not part.lstrip().startswith("#")
    ]
    assert requirements
    assert [line for line in requirements if not re.match(r"[a-z0-9.-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line)] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_no_lock_names_an_address_or_a_path(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert re.findall(r"https?:|file:/|--(?:extra-)?index-url|--find-links [^-\s]|/\w+/", text) == []


def test_the_lock_holds_what_the_package_and_its_build_ask_for() -> None:
    locked = set(re.findall(r"^([a-z0-9.-]+)==", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE))
    assert {"typer", "rich", "cython", "setuptools", "wheel", "pytest", "mypy", "ruff", "import-linter"} <= locked


@pytest.mark.parametrize("lock", ["requirements-server.txt", "requirements-build.txt"])
def test_an_image_has_the_versions_that_the_tests_run_with(lock: str) -> None:
    def pinned(name: str) -> set[str]:
        return set(re.findall(r"^[a-z0-9.-]+==[^\s;]+", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))

    assert pinned(lock)
    assert pinned(lock) <= pinned("requirements.txt")
