"""Build the engine with the undefined-behaviour sanitizer in a copy, and run a command on that copy.

    python scripts/sanitize.py .venv/bin/pytest -q tests/unit

The copy lies in ``build/sanitize`` and takes over only what changed, so that a second run compiles little; the normal
build is never touched. The sanitizer checks the index of every fixed C array (except one that is the last member of
its class), shifts, signed overflow and more, and ends the process at the first fault. It stays an ordinary extension:
no preloaded library is needed. The command runs with the copy as its folder and the copy's ``src`` first on its path.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
COPY: Final = ROOT / "build" / "sanitize"
FOLDERS: Final = ("src", "tests", "scripts", "docs", "examples")
FILES: Final = ("setup.py", "pyproject.toml", "README.md", "LICENSE")
LEFT_OUT: Final = frozenset((".so", ".pyc", ".c"))


def wanted(folder: Path) -> dict[Path, Path]:
    """Return the files to copy, by their path inside the checkout."""
    files = {Path(name): folder / name for name in FILES}
    for top in FOLDERS:
        for file in (folder / top).rglob("*"):
            if file.is_file() and file.suffix not in LEFT_OUT and "egg-info" not in str(file):
                files[file.relative_to(folder)] = file
    return files


def synchronise(source: Path, target: Path) -> None:
    """Make the copy equal to the checkout; files that did not change keep their time, so nothing is compiled twice."""
    files = wanted(source)
    for relative, file in files.items():
        copy = target / relative
        if not copy.exists() or copy.read_bytes() != file.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
    for relative, copy in wanted(target).items():
        if relative not in files:
            copy.unlink()


def compile_copy(folder: Path, variable: str = "BURACO_SANITIZE") -> None:
    """Compile the engine in a copy with the sanitizer, or as another variable of ``setup.py`` says.

    Raises subprocess.CalledProcessError, with the compiler's output on standard error, when that fails.
    """
    environment = os.environ | {variable: "1", "BURACO_PURE": "0"}
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.stderr.write(done.stdout + done.stderr)
        done.check_returncode()


def run_in(folder: Path, command: list[str]) -> subprocess.CompletedProcess[bytes]:
    """Run a command on a sanitized copy and return how it ended; its output goes where ours goes."""
    environment = os.environ | {
        "PYTHONPATH": str(folder / "src"),
        "BURACO_PURE": "0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    program = ROOT / command[0]
    return subprocess.run(
        [str(program) if program.exists() else command[0], *command[1:]], cwd=folder, env=environment, check=False
    )


def main(arguments: list[str]) -> int:
    """Compile the copy and run the command in it; return its exit code."""
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    synchronise(ROOT, COPY)
    print("sanitize: compiling the engine with the sanitizer in build/sanitize", flush=True)
    compile_copy(COPY)
    return run_in(COPY, arguments).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
