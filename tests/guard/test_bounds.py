"""A bad index is caught: as an exception in the uncompiled engine, by the sanitizer in the compiled one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from scripts import sanitize

ROOT = Path(__file__).resolve().parents[2]

PLAY = """
import buraco
from buraco.engine import Deal
from buraco.rules import get_rules

print(buraco.build_kind(), flush=True)
deal = Deal(get_rules("aberto"), players=4, seed=1)
deal.playout(0, 1)
print(deal.phase)
"""


def play(source: Path, pure: str) -> subprocess.CompletedProcess[str]:
    """Play a deal in a fresh process on the engine of a folder."""
    environment = os.environ | {"PYTHONPATH": str(source), "BURACO_PURE": pure}
    return subprocess.run(
        [sys.executable, "-c", PLAY], cwd=source, env=environment, capture_output=True, text=True, check=False
    )


def plant(file: Path, sound: str, planted: str) -> None:
    """Put a fault into a file, which must have the sound text once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(sound) == 1
    file.write_text(text.replace(sound, planted), encoding="utf-8")


def test_the_sanitizer_passes_the_engine_and_ends_it_at_a_planted_bad_index(tmp_path: Path) -> None:
    sanitize.synchronise(ROOT, tmp_path)
    sanitize.compile_copy(tmp_path)
    sound = play(tmp_path / "src", "0")
    assert (sound.stdout.split(), sound.stderr) == (["compiled", "6"], "")
    # One place too few for the fourth seat's number of cards.
    plant(tmp_path / "src/buraco/engine/state.pxd", "cdef long long[4] count\n", "cdef long long[3] count\n")
    sanitize.compile_copy(tmp_path)
    done = play(tmp_path / "src", "0")
    assert done.returncode != 0
    assert done.stdout.split() == ["compiled"]
    assert "runtime error: index 3 out of bounds for type" in done.stderr


def test_the_uncompiled_engine_raises_at_a_planted_bad_index(tmp_path: Path) -> None:
    source = tmp_path / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("*.so", "__pycache__", "*.egg-info"))
    assert play(source, "1").stdout.split() == ["uncompiled", "6"]
    plant(source / "buraco/engine/state.py", "self.count: list[int] = [0] * 4\n", "self.count: list[int] = [0] * 3\n")
    done = play(source, "1")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("IndexError")
