"""Positions in which every good player sees the same thing, and which of them a level solves.

They lie in ``positions/*.toml``, one file for each theme. They are held out: no bot is tuned on them. Each names the
answers that are right, or, where many are, the tempting ones that are wrong. An answer is an action in its canonical
text; ``*`` in it stands for anything, so that ``add 2 X *`` names the joker at either end.
"""

from __future__ import annotations

import fnmatch
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from buraco.bots import Bot, Limit, make_bot
from buraco.engine.determinize import determinize
from buraco.engine.position import Position
from buraco.engine.view import SeatView, view_of
from buraco.notation import format_action, parse_position

__all__ = ["FOLDER", "Decided", "Task", "answers", "load_tasks", "solved", "task_view"]

FOLDER: Final = Path(__file__).parent / "positions"

_KEYS: Final = frozenset({"id", "sees", "why", "position", "accepted", "refused"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One decision: what a good player ``sees``, and ``why`` every good player answers alike.

    Right is an action of ``accepted``, or, where that is empty, any that ``refused`` does not name. All are action ids.
    """

    name: str
    theme: str
    sees: str
    why: str
    position: Position
    accepted: frozenset[int]
    refused: frozenset[int]

    def right(self, action: int) -> bool:
        """Say whether a legal action is a right answer."""
        return action in self.accepted if self.accepted else action not in self.refused


@dataclass(frozen=True, slots=True)
class Decided:
    """What a level answered to a task."""

    task: Task
    action: int

    @property
    def right(self) -> bool:
        """Whether the answer is a right one."""
        return self.task.right(self.action)

    def __str__(self) -> str:
        mark = "right" if self.right else "WRONG"
        return f"{mark}  {self.task.theme}/{self.task.name}: {format_action(self.action)}"


def load_tasks(folder: Path = FOLDER) -> tuple[Task, ...]:
    """Return all tasks, by theme and in the order of their files.

    Raises ValueError for a task without an answer, with an unknown key or with an answer that is not legal, KeyError
    for one without its texts, and what the notation raises for a position that cannot be.
    """
    tasks: list[Task] = []
    for file in sorted(folder.glob("*.toml")):
        for form in tomllib.loads(file.read_text(encoding="utf-8"))["task"]:
            tasks.append(_task(file.stem, form))
    return tuple(tasks)


def _task(theme: str, form: dict[str, object]) -> Task:
    name = str(form["id"])
    if unknown := form.keys() - _KEYS:
        raise ValueError(f"{theme}/{name}: unknown {sorted(unknown)}")
    if ("accepted" in form) == ("refused" in form):
        raise ValueError(f"{theme}/{name}: either the accepted or the refused actions are named")
    position = parse_position(str(form["position"]))
    legal = {format_action(action): action for action in _view(position).legal}
    return Task(
        name=name,
        theme=theme,
        sees=str(form["sees"]),
        why=str(form["why"]),
        position=position,
        accepted=_meant(f"{theme}/{name}", form.get("accepted", ()), legal),
        refused=_meant(f"{theme}/{name}", form.get("refused", ()), legal),
    )


def _meant(where: str, patterns: object, legal: Mapping[str, int]) -> frozenset[int]:
    """Return the legal actions that are named, each by its text or by a pattern with a star."""
    assert isinstance(patterns, Iterable)
    found: set[int] = set()
    for pattern in map(str, patterns):
        named = fnmatch.filter(legal, pattern)
        if not named:
            raise ValueError(f"{where}: {pattern!r} names no legal action, these are: {', '.join(legal)}")
        found |= {legal[text] for text in named}
    return frozenset(found)


def _view(position: Position, seed: int = 0) -> SeatView:
    return view_of(determinize(position, seed), position.seat)


def task_view(task: Task, seed: int = 0) -> SeatView:
    """Return what the seat to act sees; the seed, of the cards filled in for those hidden, makes no difference."""
    return _view(task.position, seed)


def answers(bot: Bot, limit: Limit, tasks: Iterable[Task] | None = None) -> list[Decided]:
    """Ask a bot for its answer to each task."""
    return [
        Decided(task, bot.choose(task_view(task), limit).action) for task in (load_tasks() if tasks is None else tasks)
    ]


def solved(level: str, limit: Limit, seed: int = 0) -> frozenset[str]:
    """Return the names of the tasks that a level solves."""
    return frozenset(decided.task.name for decided in answers(make_bot(level, seed), limit) if decided.right)
