"""The numbers of the engine's modules are the same in Python and in C."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_c_constants_are_written_from_the_python_ones() -> None:
    tool = runpy.run_path(str(ROOT / "scripts" / "constants_pxd.py"))
    written = (ROOT / "src" / "buraco" / "engine" / "c_constants.pxd").read_text(encoding="ascii")
    assert written == tool["pxd_text"](), "run python scripts/constants_pxd.py"
