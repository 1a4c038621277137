"""One run at a time for a file or folder that is written over a long time: a lock that ends with the process."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Generator
from pathlib import Path

from buraco.cli.common import EXIT_INPUT, fail, os_reason
from buraco.errors import BuracoError

__all__ = ["HeldElsewhere", "held_file", "held_folder", "only_run"]


class HeldElsewhere(BuracoError):
    """Another process holds the file or folder (code ``held``)."""


@contextlib.contextmanager
def only_run(path: Path, code: str, *, folder: Path | None = None, kind: str = "file") -> Generator[None, None, None]:
    """Hold what a run writes: the file, or the folder in which it comes about. ``kind`` is what `path` names.

    Raises CommandError: ``code`` if another run holds it, ``file`` if nothing can be written there.
    """
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(held_file(path) if folder is None else held_folder(folder))
        except HeldElsewhere:
            fail(code, f"another run writes {path}; wait until it has ended, or name another {kind}", EXIT_INPUT)
        except (OSError, ValueError) as error:
            fail("file", f"cannot write {path}: {os_reason(error)}; name another file or folder", EXIT_INPUT)
        yield


@contextlib.contextmanager
def held_file(path: Path) -> Generator[None, None, None]:
    """Hold a file, which need not exist and may be replaced meanwhile; its folder is made.

    Beside it lies a hidden file for so long. One that a killed process left holds nobody back, and the next run takes
    it away. Raises HeldElsewhere, OSError, and ValueError for a path that is none.
    """
    # A short name, since the file's own may be as long as names can be.
    lock = path.with_name(f".{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}.lock")
    with _held(lock, os.O_RDWR | os.O_CREAT):
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                lock.unlink()


@contextlib.contextmanager
def held_folder(path: Path) -> Generator[None, None, None]:
    """Hold a folder, which is made if it is not there and may be removed meanwhile.

    Raises HeldElsewhere, OSError, and ValueError for a path that is none.
    """
    with _held(path, os.O_RDONLY):
        yield


@contextlib.contextmanager
def _held(path: Path, flags: int) -> Generator[None, None, None]:
    """Hold a file, or with O_RDONLY a folder, of this name, which is made first. Windows has no such lock."""
    folder = flags == os.O_RDONLY
    while True:
        (path if folder else path.parent).mkdir(parents=True, exist_ok=True)
        if sys.platform == "win32":
            yield
            return
        opened = os.open(path, flags, 0o600)
        try:
            _lock(opened)
            if _is_there(opened, path):
                yield
                return
        finally:
            os.close(opened)


def _lock(opened: int) -> None:
    """Lock an open file or folder. Raises HeldElsewhere."""
    import fcntl

    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise HeldElsewhere("held", "another process holds it") from None
    except OSError:
        # A file system without locks, as some of the network are: then nothing holds a second run back.
        return


def _is_there(opened: int, path: Path) -> bool:
    """Say whether what is open is what has this name now: the run that held it before may have removed it."""
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(opened), path.stat())
    return False
