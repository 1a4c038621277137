"""The terminal match as a stranger uses it: it begins, a turn is taken, and it ends cleanly by a signal."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from buraco.notation import parse_record, replay

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 300.0
PROMPT = "(? help) > "


class Played:
    """A terminal match with its input and output in pipes; every wait fails after `PATIENCE_S` seconds."""

    def __init__(self) -> None:
        # What an outer make says to its own children is none of the stranger's.
        dropped = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "BURACO_PURE", "BURACO_DATA")
        environment = {name: value for name, value in os.environ.items() if name not in dropped}
        # Nor has the stranger the checkout's commands on the path.
        folders = environment["PATH"].split(os.pathsep)
        environment["PATH"] = os.pathsep.join(folder for folder in folders if not Path(folder, "buraco").exists())
        self.process = subprocess.Popen(
            [".venv/bin/buraco", "play", "--data", ".data"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.shown = ""

    def send(self, line: str) -> None:
        """Give it a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def read(self) -> bool:
        """Read what came; return whether there may be more."""
        assert self.process.stdout is not None
        if not select.select([self.process.stdout], [], [], PATIENCE_S)[0]:
            raise AssertionError(f"nothing came for {PATIENCE_S} s: {self.shown[-2000:]}")
        part = os.read(self.process.stdout.fileno(), 65536)
        self.shown += part.decode("utf-8", "replace")
        return bool(part)

    def wait_for_prompt(self, count: int) -> str:
        """Read until so many prompts have come; return the last of them."""
        while self.shown.count(PROMPT) < count:
            assert self.read(), self.shown[-2000:]
        return self.shown.rpartition(PROMPT)[0].rpartition("\n")[2]

    def end(self) -> int:
        """Read to the end and return the exit code."""
        while self.read():
            pass
        return self.process.wait(PATIENCE_S)


@pytest.fixture
def played() -> Iterator[Played]:
    """A running match; afterwards it has ended, and the match that it saved is gone."""
    running = Played()
    try:
        yield running
    finally:
        if running.process.poll() is None:
            os.killpg(running.process.pid, signal.SIGKILL)
        running.process.wait(PATIENCE_S)
        for pipe in (running.process.stdin, running.process.stdout):
            assert pipe is not None
            pipe.close()
        saved_in(running.shown).unlink(missing_ok=True)


def saved_in(shown: str) -> Path:
    """Return the file of the match, as what was shown names it."""
    names: list[str] = re.findall(r"play --resume (\S+)", shown)
    return ROOT / names[-1]


def test_a_stranger_plays_a_turn_and_finds_the_match_saved(played: Played) -> None:
    played.send("d")
    prompts = 2
    if played.wait_for_prompt(prompts).startswith("k keep"):
        played.send("k")
        prompts += 1
        played.wait_for_prompt(prompts)
    played.send("legal")
    played.wait_for_prompt(prompts + 1)
    (discard, *_) = re.findall(r"\bx (?!discard)\S+", played.shown)
    played.send(discard)
    played.send("quit")
    assert played.end() == 0
    assert "Traceback" not in played.shown
    saved = saved_in(played.shown)
    # What it says is what the stranger can type: the command lies in the checkout only.
    assert f".venv/bin/buraco play --resume {saved.relative_to(ROOT)}" in played.shown
    record = parse_record(saved.read_text(encoding="utf-8"))
    steps = list(replay(record))
    assert any(step.seat == 0 and step.number >= 2 for step in steps)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly_and_the_match_is_saved(played: Played, number: signal.Signals) -> None:
    played.send("d")
    played.wait_for_prompt(2)
    # Ctrl-C reaches every process of a terminal, as a service manager's TERM does.
    os.killpg(played.process.pid, number)
    assert played.end() != 0
    assert "Traceback" not in played.shown
    assert list(replay(parse_record(saved_in(played.shown).read_text(encoding="utf-8"))))
