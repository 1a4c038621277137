"""The data folder has one server at a time: a lock that ends with the process that holds it."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from buraco.errors import BuracoError
from buraco.server.settings import Settings
from buraco.texts import message as text_of

__all__ = ["folder_held", "only_in_folder"]

_LOCK: Final = "server.lock"


@contextmanager
def only_in_folder(settings: Settings) -> Iterator[None]:
    """Hold the data folder while the context is open.

    Raises BuracoError: ``data_in_use``, ``data`` (the folder cannot be written).
    """
    path = settings.data / _LOCK
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        file = path.open("a", encoding="ascii")
    except OSError as error:
        told = text_of("server.folder", folder=settings.data, reason=error.strerror)
        raise BuracoError("data", told) from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BuracoError("data_in_use", text_of("server.folder_held", folder=settings.data)) from None
        yield


def folder_held(settings: Settings) -> bool:
    """Say whether a server holds the data folder now."""
    try:
        with (settings.data / _LOCK).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        # Held, or not to be read by us: then a server may well run.
        return True
    return False
