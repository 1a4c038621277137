"""What every test run shares: how hypothesis searches, and which build of the engine is under test."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

import buraco
from tests.build import COMPILED

# No deadline: a slow machine is no fault. The same examples in every run: a red run must be red for the next person
# too; `--hypothesis-profile=explore` looks for new ones.
settings.register_profile("repeatable", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("explore", deadline=None, derandomize=False, print_blob=True, max_examples=1000)
settings.load_profile("repeatable")


# Whoever runs the tests may speak any language; what they start speaks English.
for _name in ("LC_ALL", "LC_MESSAGES", "BURACO_LANGUAGE"):
    os.environ.pop(_name, None)
os.environ["LANG"] = "C.UTF-8"


def pytest_report_header() -> str:
    """Name the build of the engine in the head of every report."""
    return f"buraco {buraco.__version__}, {buraco.build_kind()} engine"


@pytest.fixture(scope="session")
def compiled() -> bool:
    """Whether the compiled engine is under test; walks take fewer states of the uncompiled one."""
    return COMPILED
