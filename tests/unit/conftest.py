"""What the tests of the command line share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from buraco.cli import run
from tests.unit.terminal import Outcome


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Run a command line and return its exit code, what it wrote, and what it wrote on standard error."""

    def do(*arguments: str) -> Outcome:
        code = run(arguments)
        written = capsys.readouterr()
        return Outcome(code, written.out, written.err)

    return do
