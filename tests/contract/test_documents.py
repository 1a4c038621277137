"""The documents hold: the example runs, the commands exist, the links lead somewhere."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

from buraco.rules import load_toml

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"^\.venv/bin/(buraco [^#\n]*?) *(?:#.*)?$", README, re.MULTILINE)))
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")])
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def test_the_example_of_the_readme_runs_and_prints_two_scores() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})  # noqa: S102 - the README's own text
    assert [re.fullmatch(r"-?\d+", word) is not None for word in out.getvalue().split()] == [True, True]


def test_the_readme_shows_each_command() -> None:
    shown = {command.split()[1] for command in COMMANDS}
    assert shown >= {"play", "rules", "judge", "score", "replay", "verify", "simulate", "arena"}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_exists_with_its_options(command: str) -> None:
    words = command.split()[1:]
    shown = subprocess.run(
        [sys.executable, "-c", "from buraco.cli import main; main()", *words, "--help"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 0
    assert [word for word in words if word.startswith("--") and word not in shown.stdout] == []


@pytest.mark.parametrize("command", [command for command in COMMANDS if "examples/" in command])
def test_a_command_of_the_readme_on_an_example_works_as_it_is_written(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from buraco.cli import main; main()", *command.split()[1:]],
        capture_output=True,
        cwd=ROOT,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_the_house_rules_of_the_notation_are_those_of_the_examples() -> None:
    (shown,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/notation.md").read_text(encoding="utf-8"), re.DOTALL)
    assert load_toml(shown) == load_toml((ROOT / "examples/my.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_links_of_a_document_lead_to_files(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_files_that_a_document_names_exist(document: Path) -> None:
    named = re.findall(r"`((?:docs|scripts|src|tests)/[\w./-]+\.\w+)`", document.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_make_targets_of_a_document_exist(document: Path) -> None:
    named = set(re.findall(r"`make ([a-z-]+)", document.read_text(encoding="utf-8")))
    assert named - TARGETS == set()
