"""The commands of the documents as they run in tests.

A folder stands in for the checkout: `examples` and `docs/strength` lie in it, and `.venv/bin` with a `buraco` and a
`python` that are those of the tests. `buraco serve` runs until it has said its address, then gets TERM.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.documents.reading import ROOT

__all__ = ["environment", "folder", "run_shell"]

_COMMAND: Final = (sys.executable, "-c", "from buraco.cli import main; main()")
_BURACO: Final = f"""#!/bin/sh
if [ "${{1:-}}" = serve ]; then exec {sys.executable} -m tests.documents.shell "$@"; fi
exec {sys.executable} -c "from buraco.cli import main; main()" "$@"
"""
_KEPT: Final = ("LANG", "PATH", "PYTHONPATH", "BURACO_PURE", "COVERAGE_PROCESS_START")


def folder(at: Path) -> Path:
    """Make the folder in which the commands of a document run."""
    shutil.copytree(ROOT / "examples", at / "examples")
    shutil.copytree(ROOT / "docs" / "strength", at / "docs" / "strength")
    programs = at / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name, text in (("buraco", _BURACO), ("python", f'#!/bin/sh\nexec {sys.executable} "$@"\n')):
        program = programs / name
        program.write_text(text, encoding="utf-8")
        program.chmod(0o755)
    return at


def environment(at: Path) -> dict[str, str]:
    """Return the variables for the commands of a document: nothing of whoever runs the tests comes in."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    path = os.pathsep.join([str(at / ".venv" / "bin"), kept.get("PATH", "")])
    return kept | {"PATH": path, "PYTHONPATH": paths, "HOME": str(at), "BURACO_DATA": str(at / "data"), "NO_COLOR": "1"}


def run_shell(text: str, at: Path) -> subprocess.CompletedProcess[str]:
    """Run the text of a block as one script, which ends at the first command that fails."""
    return subprocess.run(
        ["/bin/sh", "-eu", "-c", text],
        capture_output=True,
        check=False,
        cwd=at,
        encoding="utf-8",
        env=environment(at),
        stdin=subprocess.DEVNULL,
    )


def main(arguments: list[str]) -> int:
    """Be `buraco serve`: a server that stops as soon as it serves."""
    with subprocess.Popen([*_COMMAND, *arguments], stdout=subprocess.PIPE, encoding="utf-8") as server:
        assert server.stdout is not None
        first = server.stdout.readline()
        server.send_signal(signal.SIGTERM)
        rest = server.stdout.read()
    sys.stdout.write(first + rest)
    return server.returncode if first else server.returncode or 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
