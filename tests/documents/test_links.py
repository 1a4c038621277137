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


def named_in_tables(heading: str) -> set[str]:
    """Return the names in the first columns of a section of the architecture."""
    section = (
        (ROOT / "docs/architecture.md").read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    )
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return {name.rstrip("/") for row in rows for name in re.findall(r"`([\w/]+)`", row)}


def test_the_architecture_names_every_module_of_the_server_and_no_other() -> None:
    server = ROOT / "src" / "buraco" / "server"
    modules = {path.stem for path in server.glob("[a-z]*.py")}
    packages = {path.parent.name for path in server.glob("*/__init__.py")}
    assert named_in_tables("The tables of the server") == modules | packages


def test_the_architecture_names_every_folder_of_the_page_and_no_other() -> None:
    folders = {path.name for path in (ROOT / "web" / "src").iterdir() if path.is_dir()} | {"vite"}
    assert named_in_tables("The table in the browser") == folders


def test_decisions_say_how_many_lines_they_cost() -> None:
    def lines(*paths: str) -> int:
        return sum(len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in paths)

    arena = (ROOT / "docs/decisions/006-arena-statistics.md").read_text(encoding="utf-8")
    (statistics,) = re.findall(r"about (\d+) lines in `buraco\.arena\.statistics`", arena)
    (picture,) = re.findall(r"an SVG that (\d+) lines write", arena)
    worker = (ROOT / "docs/decisions/008-service-worker.md").read_text(encoding="utf-8")
    (kept,) = re.findall(r"The service worker is (\d+) lines of ours", worker)
    assert abs(lines("src/buraco/arena/statistics.py") - int(statistics)) <= 12
    assert abs(lines("src/buraco/arena/picture.py") - int(picture)) <= 8
    assert abs(lines("web/src/worker/keeper.ts", "web/src/worker/sw.ts") - int(kept)) <= 10


def test_every_decision_is_in_the_list_and_begins_with_its_number() -> None:
    folder = ROOT / "docs/decisions"
    listed = re.findall(r"^\| \[(\d{3})\]\((\S+)\) \|", (folder / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    files = sorted(path.name for path in folder.glob("[0-9]*.md"))
    assert [file for _, file in listed] == files
    for number, file in listed:
        assert (folder / file).read_text(encoding="utf-8").startswith(f"# {number} · ")
