"""Report the known faults of the packages that the locks name: those of Python and those of the page and yardstick.

    python -m scripts.audit        exits with 0: none is known; 1: some are; 2: some packages could not be asked about

It asks the registries' own services through pip-audit (`sh scripts/setup.sh audit` installs it) and npm, and says so
when they do not answer: no answer is no good news.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

__all__ = ["Fault", "left_out", "npm_faults", "pip_faults"]

ROOT: Final = Path(__file__).resolve().parent.parent
PIP_AUDIT: Final = ROOT / ".venv-audit" / "bin" / "pip-audit"
NPM: Final = ROOT / ".venv" / "bin" / "npm"
_WAIT_S: Final = 300


@dataclass(frozen=True, slots=True)
class Fault:
    """A known fault of a package: its identifiers or what it is, and what is said of a mend."""

    package: str
    about: str
    mended: str

    def __str__(self) -> str:
        """Return the line of a report."""
        return f"{self.package}: {self.about} ({self.mended})"


def pip_faults(answer: str) -> list[Fault] | None:
    """Return the faults in pip-audit's JSON, None if it is no such answer or leaves packages out."""
    told = _json(answer)
    if told is None or not isinstance(told.get("dependencies"), list):
        return None
    packages: list[dict[str, Any]] = told["dependencies"]
    if any("skip_reason" in one for one in packages):
        return None
    return [
        Fault(
            f"{one['name']} {one['version']}",
            ", ".join((found["id"], *found.get("aliases", ()))),
            f"mended in {', '.join(found['fix_versions'])}" if found.get("fix_versions") else "not mended yet",
        )
        for one in packages
        for found in one["vulns"]
    ]


def left_out(answer: str) -> str:
    """Return why there is no answer: why pip-audit left a package out, or what npm says; else an empty text."""
    told = _json(answer) or {}
    reasons = (str(one["skip_reason"]) for one in told.get("dependencies", ()) if "skip_reason" in one)
    return next(reasons, str(told.get("message", "")))


def npm_faults(answer: str) -> list[Fault] | None:
    """Return the faults in npm audit's JSON, None if it is no such answer."""
    told = _json(answer)
    if told is None or not isinstance(told.get("vulnerabilities"), dict):
        return None
    faults: dict[str, dict[str, Any]] = told["vulnerabilities"]
    return [
        Fault(
            f"{name} {one['range']}",
            f"{one['severity']}: {'; '.join(_npm_titles(one))}",
            "a mended version is there" if one["fixAvailable"] else "not mended yet",
        )
        for name, one in sorted(faults.items())
    ]


def _npm_titles(one: dict[str, Any]) -> Iterator[str]:
    for via in one["via"]:
        # A fault of another package is told by its name alone.
        yield f"through {via}" if isinstance(via, str) else f"{via['title']} {via['url']}"


def _json(answer: str) -> dict[str, Any] | None:
    try:
        told = json.loads(answer)
    except json.JSONDecodeError:
        return None
    return told if isinstance(told, dict) else None


def _ask(command: list[str]) -> tuple[str, str]:
    """Return what a program says, and the last line of its errors."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=_WAIT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", str(error)
    lines = done.stderr.strip().splitlines()
    return done.stdout, lines[-1] if lines else ""


def _report(name: str, faults: list[Fault] | None, reason: str) -> int:
    """Tell of one lock; return the exit code for it."""
    if faults is None:
        print(f"audit: {name}: could not be asked about; its service cannot be reached, or gave no answer. {reason}")
        return 2
    print(f"audit: {name}: {len(faults) or 'no'} known fault{'' if len(faults) == 1 else 's'}")
    for fault in faults:
        print(f"  {fault}")
    return 1 if faults else 0


def main() -> int:
    """Ask about every lock, and report."""
    codes = []
    for lock in sorted(ROOT.glob("requirements*.txt")):
        # The lock has every package and its hashes: nothing is installed or looked up to find out more.
        command = [str(PIP_AUDIT), "--requirement", str(lock), "--disable-pip", "--format", "json"]
        answer, reason = _ask([*command, "--progress-spinner", "off"])
        codes.append(_report(lock.name, pip_faults(answer), left_out(answer) or reason))
    for lock in sorted((ROOT / "web" / "package-lock.json", ROOT / "benchmarks" / "yardstick" / "package-lock.json")):
        answer, reason = _ask([str(NPM), "audit", "--json", "--prefix", str(lock.parent)])
        codes.append(_report(str(lock.relative_to(ROOT)), npm_faults(answer), left_out(answer) or reason))
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
