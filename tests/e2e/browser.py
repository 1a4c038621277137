"""The browser of the tests, the pictures and the measurements: Debian's Chromium, without a window."""

from __future__ import annotations

import os
import shutil
from typing import Final

from playwright.sync_api import Browser, Playwright

__all__ = ["browser_path", "launch"]

#: The first is built to have no window at all and takes half the time for each page that is opened.
_NAMES: Final = ("chromium-headless-shell", "chromium", "chromium-browser")


def browser_path() -> str:
    """Return where the system's Chromium is; without one, end with the line that installs it."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        raise SystemExit("Chromium is not installed; `sh scripts/setup.sh test` installs it")
    return path


def launch(playwright: Playwright, *flags: str) -> Browser:
    """Start the system's Chromium; without one, end with the line that installs it."""
    # The sandbox refuses to be root's.
    return playwright.chromium.launch(
        executable_path=browser_path(), args=[*flags, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    )
