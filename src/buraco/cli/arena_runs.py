"""Runs of the arena for the command line: with progress, kept in a file, going on where they stopped."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from buraco.arena.executors import Pool
from buraco.arena.plan import Plan, software
from buraco.arena.results import TEXT_MAX, Result, differences, load_result, result_form
from buraco.arena.running import Outcome, run
from buraco.cli.common import EXIT_INPUT, EXIT_USAGE, console, fail, os_reason, refuse_special, write_file
from buraco.cli.holding import only_run
from buraco.errors import BuracoError

__all__ = ["Work", "load", "play_plan", "results_in"]

SAVE_SECONDS: Final = 2.0
"""How long a run plays, at most, without writing down what it came to, once a block is done."""


@dataclass(frozen=True, slots=True)
class Work:
    """How runs are played: the pool, its kind and its number of workers, and whether outdated files are replayed."""

    pool: Pool
    engine: str
    workers: int
    again: bool = False


def play_plan(
    plan: Plan, command: str, out: Path | None, work: Work, clock: Callable[[], float] = time.monotonic
) -> Outcome:
    """Play a plan, or what is left of it, and return what it came to.

    ``out``: the file that keeps it on the way; one that is there is gone on with. Raises CommandError: ``file``,
    ``arena_settings`` (the file is of other settings, or of another software), ``arena_in_use`` (another run writes
    it).
    """
    begun = _begun(plan, out, work.again)
    if begun is not None and begun.finished:
        return begun
    with nullcontext() if out is None else only_run(out, "arena_in_use"):
        # Another run may have gone on with the file before this one held it.
        return _played(plan, _begun(plan, out, work.again) or Outcome(plan), _keeper(command, out, work), work, clock)


def _played(
    plan: Plan, outcome: Outcome, keep: Callable[[Outcome], None], work: Work, clock: Callable[[], float]
) -> Outcome:
    if outcome.finished:
        return outcome
    # That the file can be written is found out before anything is played.
    keep(outcome)
    kept, at = outcome, -math.inf
    try:
        with _shown(plan, len(outcome.pairs)) as show:
            for outcome in run(plan, work.pool, start=outcome):  # noqa: B020 - it goes on from itself
                show(len(outcome.pairs))
                if clock() - at >= SAVE_SECONDS:
                    keep(outcome)
                    kept, at = outcome, clock()
    finally:
        if outcome is not kept:
            keep(outcome)
    return outcome


def _begun(plan: Plan, out: Path | None, again: bool) -> Outcome | None:
    """Return what the file of a run holds, None if there is nothing yet."""
    if out is None or not out.exists():
        return None
    refuse_special(out)
    found = load(out)
    changed = differences(found.settings, json.loads(json.dumps(plan.form())))
    way_out = "repeat the run with those settings" if changed else "--again plays it anew"
    changed += () if again else differences(found.software, software(), "software.")
    if changed:
        way_out += ", or name another file"
        fail("arena_settings", f"{out} is a run with other settings: {'; '.join(changed)}; {way_out}", EXIT_USAGE)
    if again and differences(found.software, software()):
        return None
    return found.outcome


def _keeper(command: str, out: Path | None, work: Work) -> Callable[[Outcome], None]:
    def keep(outcome: Outcome) -> None:
        if out is not None:
            form = result_form(outcome, command, work.workers, work.engine)
            write_file(out, json.dumps(form, ensure_ascii=False) + "\n")

    return keep


@contextmanager
def _shown(plan: Plan, done: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error, if that is a terminal."""
    err = console(stderr=True)
    if not err.is_terminal:
        yield lambda _: None
        return
    name = f"{plan.a.text} - {plan.b.text}"
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        task: TaskID = progress.add_task(name[:40], total=plan.pairs, completed=done)
        yield lambda count: progress.update(task, completed=count)


def load(path: Path) -> Result:
    """Return the result that a file holds. Raises CommandError: ``file``, ``arena_file``."""
    try:
        with path.open("rb") as source:
            content = source.read(TEXT_MAX + 1)
        text = content.decode("utf-8") if len(content) <= TEXT_MAX else ""
    except (OSError, ValueError) as error:
        reason = os_reason(error) if not isinstance(error, UnicodeDecodeError) else "it is no text in UTF-8"
        fail("file", f"cannot read {path}: {reason}; name a file that `buraco arena` wrote", EXIT_INPUT)
    if len(content) > TEXT_MAX:
        fail("file", f"{path} is too long: at most {TEXT_MAX} bytes are read", EXIT_INPUT)
    try:
        return load_result(text)
    except BuracoError as error:
        fail(error.code, f"{path}: {error.message}", EXIT_INPUT)


def results_in(paths: list[Path]) -> list[Result]:
    """Return the results of files, and of all ``.json`` files in folders and below, in the order of their names; a pipe
    or a device in a folder is no result.

    Raises CommandError: ``file``, ``arena_file``.
    """
    found: list[Result] = []
    for path in paths:
        files = sorted(filter(Path.is_file, path.rglob("*.json"))) if path.is_dir() else [path]
        if not files:
            fail(
                "file", f"there is no result in {path}; name a folder with files that `buraco arena` wrote", EXIT_INPUT
            )
        found += [load(file) for file in files]
    return found
