"""Matches in files: where they lie, how they are written, and how an unfinished one is found again."""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from buraco.cli.common import (
    EXIT_INPUT,
    CommandError,
    fail,
    no_record,
    os_reason,
    program,
    read_input,
    refuse_special,
    write_file,
)
from buraco.cli.holding import HeldElsewhere, held_file
from buraco.errors import BuracoError
from buraco.notation import DealRecord, Record, format_record, parse_record

__all__ = [
    "DATA_VARIABLE",
    "SavedMatch",
    "data_folder",
    "kept_comments",
    "load_match",
    "new_match",
    "played_on",
    "save_copy",
    "unfinished",
]

DATA_VARIABLE: Final = "BURACO_DATA"
"""The environment variable that names the folder for data."""

LOOKED_AT_MAX: Final = 50
"""How many of the newest matches are looked at for an unfinished one."""


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match that was read from a file."""

    path: Path
    record: Record


def data_folder(option: Path | None, environment: Mapping[str, str]) -> Path:
    """Return the folder for the user's data: the option, else ``BURACO_DATA``, else ``$XDG_DATA_HOME/buraco``, else
    ``~/.local/share/buraco``. Raises CommandError (code ``file``) where the system knows no home folder of the user."""
    if option is not None:
        return option
    if environment.get(DATA_VARIABLE):
        return Path(environment[DATA_VARIABLE])
    try:
        usual = Path(environment.get("HOME") or "~").expanduser() / ".local" / "share"
    except RuntimeError:
        usual = None  # a container, perhaps, in which nobody is registered
    home = environment.get("XDG_DATA_HOME") or usual
    if home is None:
        fail("file", f"there is no home folder for matches; name a folder with --data or {DATA_VARIABLE}", EXIT_INPUT)
    return Path(home) / "buraco"


@contextlib.contextmanager
def new_match(folder: Path, now: datetime) -> Generator[Path, None, None]:
    """Give the path of a file for a new match, which does not exist yet, named after the time, and hold it meanwhile;
    its folder is made.

    Raises CommandError (code ``file``) if it cannot be.
    """
    try:
        (folder / "matches").mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = os_reason(error)
        fail("file", f"cannot make the folder {folder / 'matches'}: {reason}; name another with --data", EXIT_INPUT)
    stem = now.strftime("match-%Y%m%d-%H%M%S")
    names = (f"{stem}.txt" if number == 1 else f"{stem}-{number}.txt" for number in itertools.count(1))
    with contextlib.ExitStack() as held:
        for path in (folder / "matches" / name for name in names):
            # A match that began in another window at the same moment has no file either until its first deal.
            if not path.exists() and _holds(held, path) and not path.exists():
                yield path
                return


@contextlib.contextmanager
def played_on(path: Path) -> Generator[SavedMatch, None, None]:
    """Give the match of a record file, and hold the file meanwhile: whoever plays it on elsewhere would undo this.

    Raises CommandError as `load_match` does, and ``match_in_use``.
    """
    with contextlib.ExitStack() as held:
        if not _holds(held, path):
            way_out = f"go on there, or start another with `{program()} play --new`"
            fail("match_in_use", f"the match in {path} is being played elsewhere; {way_out}", EXIT_INPUT)
        yield load_match(path)


def _holds(held: contextlib.ExitStack, path: Path) -> bool:
    """Hold a file until the stack ends, and say whether nobody else holds it."""
    try:
        held.enter_context(held_file(path))
    except HeldElsewhere:
        return False
    except (OSError, ValueError):
        # Nothing can be written there; the table says so as soon as it saves the match.
        pass
    return True


def load_match(path: Path) -> SavedMatch:
    """Return the match of a record file.

    Raises CommandError: ``file`` if it cannot be read, ``no_record`` if it is no record.
    """
    content = read_input(str(path))
    try:
        return SavedMatch(path, parse_record(content))
    except BuracoError as error:
        raise CommandError("no_record", no_record(str(path), error), EXIT_INPUT, error.reasons) from None


def unfinished(folder: Path, warn: Callable[[str], None]) -> SavedMatch | None:
    """Return the last unfinished match of the data folder, the newest file first; None if there is none.

    ``warn`` is told of files that cannot be read as records.
    """
    for path in _newest(folder / "matches"):
        try:
            saved = load_match(path)
        except CommandError as error:
            warn(error.message)
            continue
        if not saved.record.winner:
            return saved
    return None


def _newest(folder: Path) -> Iterator[Path]:
    try:
        entries = [entry for entry in os.scandir(folder) if entry.is_file() and entry.name.endswith(".txt")]
        entries.sort(key=lambda entry: (entry.stat().st_mtime_ns, entry.name), reverse=True)
    except OSError:
        return
    yield from (Path(entry.path) for entry in entries[:LOOKED_AT_MAX])


def save_copy(path: Path, record: Record) -> None:
    """Write a record to a file that a person names; a file that is there already must be a record too.

    ``~`` stands for a home folder.
    Raises CommandError: ``file``, or ``file_exists`` for a file that is something else.
    """
    path, kind = _looked_at(path)
    if stat.S_ISDIR(kind):
        fail("file", f"{path} is a folder; name a file", EXIT_INPUT)
    refuse_special(path)
    if kind:
        try:
            load_match(path)
        except CommandError:
            fail("file_exists", f"{path} exists and is no record of a match; name another file", EXIT_INPUT)
    write_file(path, format_record(record))


def _looked_at(path: Path) -> tuple[Path, int]:
    """Return a path with its home folder, and what lies there as a mode of ``stat``; 0 for nothing."""
    try:
        path = path.expanduser()
        return path, path.stat().st_mode
    except FileNotFoundError:
        return path, 0
    except RuntimeError:
        fail("file", f"there is no home folder {path.parts[0]}; name another folder", EXIT_INPUT)
    except (OSError, ValueError) as error:
        fail("file", f"cannot write {str(path)[:80]!r}: {os_reason(error)}; name another file", EXIT_INPUT)


def kept_comments(old: Record, new: Record) -> Record:
    """Return the record of a match played on, with what only its old record told: comments, times, evidence."""
    deals = [
        _kept_deal(old.deals[index], deal) if index < len(old.deals) else deal for index, deal in enumerate(new.deals)
    ]
    return replace(new, comments=old.comments, deals=tuple(deals))


def _kept_deal(old: DealRecord, new: DealRecord) -> DealRecord:
    if old.outcome is not None:
        return old
    turns = list(new.turns)
    # The last turn of the old record may have gone on since; those before it are finished.
    if old.turns:
        turns[: len(old.turns) - 1] = old.turns[:-1]
        last = len(old.turns) - 1
        turns[last] = replace(turns[last], comments=old.turns[last].comments)
    return replace(
        new,
        comments=old.comments,
        commitment=old.commitment,
        revealed_seed=old.revealed_seed,
        player_seeds=old.player_seeds,
        turns=tuple(turns),
    )
