"""What the tests of this folder share: the checkout's distributions, which take long to build."""

from __future__ import annotations

import fcntl
import os
import sys
from pathlib import Path

import pytest

from tests.contract.distributions import copy_checkout, run


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout with its distributions in ``dist``; the workers of a run share it: building takes time."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared-checkout"
    with (base.parent / "shared-checkout.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            copy_checkout(folder)
            done = run([sys.executable, "-m", "build", "--no-isolation"], folder)
            assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def wheel(checkout: Path) -> Path:
    """The wheel, which was built from the source distribution."""
    assert len(list((checkout / "dist").glob("*.tar.gz"))) == 1
    return next((checkout / "dist").glob("*.whl"))
