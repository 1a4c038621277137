"""What the documents show runs: every block of Python and of shell commands, one after the other in each document.

A block that cannot run here (it needs another machine, a database, a day) has a line ``<!-- not run: REASON -->``
before it, and stands in ``not_run.txt``. A block ``output`` behind a block is what that prints, letter by letter.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any, Final

import pytest

from tests.documents.commands import fault_of
from tests.documents.reading import DOCUMENTS, ROOT, Block, blocks, code_spans, name_of
from tests.documents.shell import folder, run_shell

RUN: Final = ("python", "sh")
#: What else there is: pictures of text, files, and what the tests of the notation and of shuffles read.
SHOWN: Final = frozenset(
    {"output", "text", "ini", "json", "nginx", "toml", "action", "json-action", "json-position", "json-record"}
    | {"json-vector", "json-witness", "meld", "position", "record", "session"}
)
REASONS: Final = frozenset(
    {
        "it needs a person",
        "it needs another machine",
        "it needs Docker",
        "it needs PostgreSQL",
        "it takes long",
        "it is the set-up or the tests",
    }
)
BLOCKS: Final = {document: blocks(document.read_text(encoding="utf-8")) for document in DOCUMENTS}
RUNNING: Final = [
    document for document, found in BLOCKS.items() if any(one.language in RUN and not one.not_run for one in found)
]
LIST: Final = Path(__file__).with_name("not_run.txt")


def run_python(text: str, names: dict[str, Any], where: str) -> str:
    """Run a block of Python among the names of those before it, and return what it prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, where, "exec"), names)  # noqa: S102 - the document's own text
    return out.getvalue()


def run_block(block: Block, at: Path, names: dict[str, Any], where: str) -> str:
    """Run a block and return what it prints; a command that fails fails the test."""
    if block.language == "python":
        return run_python(block.text, names, where)
    done = run_shell(block.text, at)
    assert done.returncode == 0, f"{where} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("document", RUNNING, ids=name_of)
def test_what_a_document_shows_runs_and_prints_what_it_says(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = folder(tmp_path / "checkout-of-a-stranger")
    monkeypatch.chdir(at)
    names: dict[str, Any] = {"__name__": "__main__"}
    printed = ""
    for block in BLOCKS[document]:
        where = f"{name_of(document)}:{block.line}"
        if block.language == "output":
            assert block.follows, f"{where} follows no block"
            assert printed.splitlines() == block.text.splitlines(), where
        printed = ""
        if block.language in RUN and not block.not_run:
            printed = run_block(block, at, names, where)


def test_the_readme_shows_each_use() -> None:
    shown = " ".join(one.text for one in BLOCKS[ROOT / "README.md"])
    commands = {"play", "rules", "judge", "score", "replay", "verify", "simulate", "arena", "serve", "backup"}
    assert commands <= set(re.findall(r"buraco (\w+)", shown))


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_block_says_what_it_is(document: Path) -> None:
    unknown = [(one.line, one.language) for one in BLOCKS[document] if one.language not in {*RUN, *SHOWN}]
    assert unknown == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_only_a_block_that_would_run_is_marked_and_with_a_known_reason(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    marked = [one for one in BLOCKS[document] if one.not_run]
    assert len(re.findall(r"^ *<!-- not run:", text, re.MULTILINE)) == len(marked)
    assert [one.line for one in marked if one.language not in RUN or one.not_run not in REASONS] == []


def test_what_is_not_run_is_listed() -> None:
    marked = [
        f"{name_of(document)} | {one.not_run} | {one.text.splitlines()[0]}"
        for document, found in BLOCKS.items()
        for one in found
        if one.not_run
    ]
    assert LIST.read_text(encoding="utf-8").splitlines() == marked


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_command_of_a_document_exists_with_its_options(document: Path) -> None:
    shown = [line for one in BLOCKS[document] if one.language == "sh" for line in one.text.splitlines()]
    shown += code_spans(document.read_text(encoding="utf-8"))
    commands = [found[1] for line in shown if (found := re.match(r"(?:\S+=\S+ )*(?:\S*/bin/)?(buraco .*)", line))]
    assert [(command, fault) for command in commands if (fault := fault_of(command))] == []
