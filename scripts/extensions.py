"""Compare the compiled files beside the engine with the modules that should have one.

``--check`` exits with 1 when a module of the engine that has a ``.pxd`` lacks its compiled file.
``--remove-stray`` deletes compiled files whose module is no longer compiled: Python would prefer them to the source.
"""

from __future__ import annotations

import argparse
import sys
import sysconfig
from pathlib import Path
from typing import Final

from buraco._pure import compiled_names

ENGINE: Final = Path(__file__).resolve().parent.parent / "src" / "buraco" / "engine"


def extension_file(engine: Path, name: str) -> Path:
    """Return where this interpreter expects the compiled form of a module."""
    return engine / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"


def missing(engine: Path) -> list[str]:
    """Return the modules without their compiled file, in alphabetical order."""
    return sorted(name for name in compiled_names(engine) if not extension_file(engine, name).exists())


def remove_stray(engine: Path) -> list[str]:
    """Delete compiled files of modules that are not compiled (any more) and return their names."""
    stray = [file for file in sorted(engine.glob("*.so")) if file.name.split(".")[0] not in compiled_names(engine)]
    for file in stray:
        file.unlink()
    return [file.name for file in stray]


def main() -> int:
    """Remove stray files or name what is not compiled, as asked; return 1 where something lacks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--remove-stray", action="store_true")
    options = parser.parse_args()
    if options.remove_stray:
        for name in remove_stray(ENGINE):
            print(f"removed the stray {name}")
    lacking = missing(ENGINE) if options.check else []
    for name in lacking:
        print(f"not compiled: buraco.engine.{name}", file=sys.stderr)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
