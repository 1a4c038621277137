"""The command line driven as a person drives it: in this process with a script, or as a process on a terminal."""

from __future__ import annotations

import io
import json
import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from buraco.cli import run

__all__ = ["Outcome", "Terminal", "call", "command", "json_of"]

PATIENCE_S = 120.0


@dataclass(frozen=True)
class Outcome:
    """What a command wrote, and its exit code."""

    code: int
    out: str
    err: str


def json_of(result: Outcome) -> Any:
    """Return what a command wrote as JSON; it has nothing to complain of."""
    assert result.err == ""
    return json.loads(result.out)


def call(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: Sequence[str | Path],
    script: str = "",
) -> Outcome:
    """Run a command line in this process with a script as its standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(script.encode()), encoding="utf-8"))
    capsys.readouterr()
    code = run([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return Outcome(code, captured.out, captured.err)


def command(arguments: Sequence[str | Path]) -> list[str]:
    """Return the command line of a process of its own."""
    return [sys.executable, "-c", "from buraco.cli import main; main()", *map(str, arguments)]


class Terminal:
    """The command as a process on a terminal of its own; every wait ends with a failure after `PATIENCE_S` seconds."""

    def __init__(
        self,
        arguments: Sequence[str | Path],
        columns: int = 80,
        rows: int = 24,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._fd, inner = pty.openpty()
        size = {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": str(rows)}
        self.process = subprocess.Popen(
            command(arguments),
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env={**os.environ, **size, **(environment or {})},
            start_new_session=True,
        )
        os.close(inner)
        self.text = ""
        self._seen = 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._fd)

    def send(self, line: str) -> None:
        """Type a line."""
        os.write(self._fd, f"{line}\n".encode())

    def end(self) -> None:
        """Type Ctrl-D at the start of a line."""
        os.write(self._fd, b"\x04")

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process once it sleeps, which after a prompt means that it waits for a line.

        A signal that comes after the prompt was written and before the wait began is heard only with the next key: so
        it is with every program that reads lines by readline, and no person is as quick.
        """
        while self.process.poll() is None and not self._sleeps():
            os.sched_yield()
        self.process.send_signal(number)

    def _sleeps(self) -> bool:
        stat = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii", errors="replace")
        return stat.rpartition(")")[2].split()[0] == "S"

    def wait_for(self, *words: str) -> str:
        """Read until one of the words has come since the last wait; return what came, up to and with that word."""
        while True:
            fresh = self.text[self._seen :]
            found = [fresh.index(word) + len(word) for word in words if word in fresh]
            if found:
                self._seen += min(found)
                return fresh[: min(found)]
            if not self._read():
                raise AssertionError(f"none of {words} came; the terminal shows: {self.text[-2000:]}")

    def exit_code(self) -> int:
        """Read until the process ends and return its exit code."""
        while self._read():
            pass
        return self.process.wait(PATIENCE_S)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._fd], [], [], PATIENCE_S)
        if not ready:
            raise AssertionError(f"nothing came for {PATIENCE_S} s; the terminal shows: {self.text[-2000:]}")
        try:
            part = os.read(self._fd, 65536)
        except OSError:
            # The other end of the terminal is closed: the process has ended.
            return False
        self.text += part.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(part)
