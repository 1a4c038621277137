"""Reads a Dockerfile, and does its steps in a folder instead of a container: no engine for containers is needed."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.contract.distributions import run

__all__ = ["Room", "Stage", "stages_of"]

# What needs a system of its own: here nobody becomes another user.
_OF_THE_SYSTEM = ("useradd", "apt-get")


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A part of a Dockerfile that begins with ``FROM``: its name, its base, its instructions in order."""

    name: str
    base: str
    steps: tuple[tuple[str, str], ...]

    def all(self, instruction: str) -> list[str]:
        """What stands behind each instruction of this kind."""
        return [rest for word, rest in self.steps if word == instruction]

    def form(self, instruction: str) -> list[str]:
        """The words of the last instruction of this kind, which is written as JSON (``CMD``, behind its options)."""
        words = json.loads(re.sub(r"^[^\[]*", "", self.all(instruction)[-1]))
        assert isinstance(words, list)
        return words


def stages_of(text: str) -> dict[str, Stage]:
    """Return the stages of a Dockerfile by name, in order; the last one without a name is ``""``."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    steps = [tuple(step.split(maxsplit=1)) for step in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines()]
    found: dict[str, Stage] = {}
    starts = [place for place, step in enumerate(steps) if step[0] == "FROM"]
    for start, end in zip(starts, [*starts[1:], len(steps)], strict=True):
        base, _, name = steps[start][1].partition(" AS ")
        found[name] = Stage(name=name, base=base, steps=tuple((word, rest) for word, rest in steps[start + 1 : end]))
    return found


class Room:
    """A folder that stands for the file system of one stage, and the context that its ``COPY`` takes from."""

    def __init__(self, root: Path, context: Path) -> None:
        self.root = root
        self.context = context
        self.folder = root
        self.variables: dict[str, str] = {}

    def path(self, name: str) -> Path:
        """Return where a path of the stage lies here."""
        return self.root / name.lstrip("/") if name.startswith("/") else self.folder / name

    def inside(self, text: str) -> str:
        """Return a text in which every absolute path leads into this folder."""
        return re.sub(r"(?<![\w.*/:])/(?=(?:opt|build|wheel|var)\b)", f"{self.root}/", text)

    def play(self, stage: Stage) -> None:
        """Do the steps of a stage. Raises AssertionError with the output of a command that fails."""
        for word, rest in stage.steps:
            if word == "WORKDIR":
                self.folder = self.path(rest)
                self.folder.mkdir(parents=True, exist_ok=True)
            elif word == "ENV":
                self.variables |= dict(one.split("=", 1) for one in shlex.split(self.inside(rest)))
            elif word == "COPY" and not rest.startswith("--from"):
                self._copy(shlex.split(rest))
            elif word == "RUN":
                self._run(rest)

    def _copy(self, words: list[str]) -> None:
        *sources, target = words
        place = self.path(target)
        for source in map(self.context.joinpath, sources):
            if source.is_dir():
                shutil.copytree(source, place, dirs_exist_ok=True)
            else:
                goal = place / source.name if target.endswith("/") else place
                goal.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, goal)

    def _run(self, line: str) -> None:
        for command in re.sub(r"^(?:--\S+\s+)*", "", line).split("&&"):
            if command.split()[0] in _OF_THE_SYSTEM:
                continue
            # The interpreter that runs the tests stands for that of the image, and its pip for the image's.
            ours = re.sub(r"^\s*python ", f"{shlex.quote(sys.executable)} ", self.inside(command))
            ours = re.sub(r"^\s*pip ", f"{shlex.quote(str(self.root / 'opt/build/bin/pip'))} ", ours)
            done: subprocess.CompletedProcess[str] = run(["sh", "-c", ours], self.folder, **self.variables)
            assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
