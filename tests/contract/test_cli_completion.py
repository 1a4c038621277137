"""The shell completes commands and options, by the script that the command itself writes."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.terminal import call

# What bash does when the tabulator is pressed behind these words.
PRESS = """
eval "$(buraco --show-completion)"
COMP_WORDS=({words}); COMP_CWORD={last}
_buraco_completion buraco
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A search path with a command ``buraco`` on it."""
    command = tmp_path / "buraco"
    code = "from buraco.cli import main; main()"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c "{code}" "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return f"{tmp_path}:{os.environ['PATH']}"


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["buraco", "do"], {"doctor"}),
        (["buraco", "s"], {"score", "simulate", "serve"}),
        (["buraco", "doctor", "--l"], {"--language"}),
        (["buraco", "db", "up"], {"upgrade"}),
        (["buraco", "nothing-like-it"], set()),
    ],
)
def test_bash_completes_what_was_begun(path: str, words: list[str], completed: set[str]) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    script = PRESS.format(words=shlex.join(words), last=len(words) - 1)
    done = subprocess.run(
        [bash, "--norc", "-c", script], env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert set(done.stdout.split()) == completed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell_asks_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    monkeypatch.setenv("_BURACO_COMPLETE", f"source_{shell}")
    done = call(capsys, monkeypatch, [])
    assert (done.code, done.err) == (0, "")
    assert f"_BURACO_COMPLETE=complete_{shell}" in done.out


@pytest.mark.parametrize("asked", ["source_nothing", "nonsense"])
def test_a_shell_that_is_not_known_gets_an_error_and_no_script(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    monkeypatch.setenv("_BURACO_COMPLETE", asked)
    done = call(capsys, monkeypatch, [])
    assert (done.code, done.out) == (1, "")
    assert done.err
