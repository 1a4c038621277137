"""The distributions of a copy of the checkout, built once for all tests that install them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

__all__ = ["ROOT", "clean_environment", "copy_checkout", "run"]

ROOT = Path(__file__).resolve().parents[2]
CHECKOUT = (
    "src",
    "setup.py",
    "pyproject.toml",
    "MANIFEST.in",
    "README.md",
    "LICENSE",
    "LICENSES",
    "CHANGELOG.md",
    "THIRD_PARTY.md",
)


def clean_environment(**more: str) -> dict[str, str]:
    """The environment without what would lead Python or the build elsewhere."""
    dropped = ("PYTHONPATH", "BURACO_PURE", "BURACO_SANITIZE", "BURACO_LONG32", "CC")
    return {name: value for name, value in os.environ.items() if name not in dropped} | more


def run(command: list[str], folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, env=clean_environment(**more), capture_output=True, text=True, check=False
    )


def copy_checkout(target: Path) -> Path:
    """Copy what a source distribution is made of, without anything compiled."""
    target.mkdir(exist_ok=True)
    for name in CHECKOUT:
        if (ROOT / name).is_dir():
            leave = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "*.egg-info")
            shutil.copytree(ROOT / name, target / name, ignore=leave)
        else:
            shutil.copyfile(ROOT / name, target / name)
    return target
