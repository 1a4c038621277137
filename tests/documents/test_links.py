"""What the documents name exists: files, headings, targets of make, modules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from buraco.rules import load_toml
from tests.documents.reading import DOCUMENTS, ROOT, anchors, code_spans, links, name_of

TARGETS: Final = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_the_links_of_a_document_lead_to_files_and_headings(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    dead = []
    for file, anchor in links(text):
        target = document.parent / file if file else document
        there = target.exists() and target.resolve().is_relative_to(ROOT)
        if there and anchor:
            there = target.suffix == ".md" and anchor in anchors(target.read_text(encoding="utf-8"))
        if not there:
            dead.append(f"{file}#{anchor}")
    assert dead == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_the_files_that_a_document_names_exist(document: Path) -> None:
    named = re.findall(r"`((?:docs|scripts|src|tests)/[\w./-]+\.\w+)`", document.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_the_make_targets_of_a_document_exist(document: Path) -> None:
    named = set(re.findall(r"`make ([a-z-]+)", document.read_text(encoding="utf-8")))
    assert named - TARGETS == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_the_modules_that_a_document_starts_exist(document: Path) -> None:
    spans = " ".join(code_spans(document.read_text(encoding="utf-8")))
    named = re.findall(r"python -m ((?:scripts|tests|benchmarks)[\w.]*)", spans)
    paths = [ROOT / name.replace(".", "/") for name in named]
    assert [path for path in paths if not (path.with_suffix(".py").exists() or (path / "__main__.py").exists())] == []


def test_the_house_rules_of_the_notation_are_those_of_the_examples() -> None:
    (shown,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/notation.md").read_text(encoding="utf-8"), re.DOTALL)
    assert load_toml(shown) == load_toml((ROOT / "examples/my.toml").read_text(encoding="utf-8"))
