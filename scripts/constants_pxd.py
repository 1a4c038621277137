"""Write src/buraco/engine/c_constants.pxd from constants.py: the same numbers as C constants."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Final

ENGINE: Final = Path(__file__).resolve().parent.parent / "src" / "buraco" / "engine"


def pxd_text() -> str:
    """Return what c_constants.pxd has to hold."""
    values = runpy.run_path(str(ENGINE / "constants.py"))
    lines = ["# Written by scripts/constants_pxd.py from constants.py; do not edit.", "cdef enum:"]
    lines += [f"    {name} = {value}" for name, value in values.items() if name.isupper() and isinstance(value, int)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (ENGINE / "c_constants.pxd").write_text(pxd_text(), encoding="ascii")
