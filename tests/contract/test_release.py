"""What a release goes by: one version, wheels for other systems as configured, locks without addresses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import buraco
from buraco.cli.common import CommandError
from buraco.cli.serve import require_server

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NPM_LOCKS = ["web/package-lock.json", "benchmarks/yardstick/package-lock.json"]

# Wheels are configured for these; the tags of cibuildwheel.
SYSTEMS = {
    "linux": {"manylinux_x86_64", "manylinux_aarch64", "musllinux_x86_64", "musllinux_aarch64"},
    "macos": {"macosx_x86_64", "macosx_arm64"},
    "windows": {"win_amd64", "win_arm64"},
}


def test_the_version_stands_in_one_place() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert "version" not in PROJECT["project"]
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "buraco.__version__"}
    assert "version" not in json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))


def test_the_changelog_tells_of_the_version_or_of_what_is_not_released() -> None:
    heads = re.findall(r"^## \[([^\]]+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heads[0] == "Unreleased"
    assert len(heads) == len(set(heads))
    assert heads[1:2] in ([], [buraco.__version__])


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_cibuildwheel_reads_its_configuration(system: str) -> None:
    command = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform", system, str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pythons = [
        found[1].replace(".", "")
        for line in PROJECT["project"]["classifiers"]
        if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", line))
    ]
    wanted = {f"cp{python}-{tag}" for python in pythons for tag in SYSTEMS[system]}
    assert set(done.stdout.split()) == wanted


@pytest.mark.parametrize("lock", NPM_LOCKS)
def test_every_package_of_an_npm_lock_has_its_hash_and_no_address(lock: str) -> None:
    packages = json.loads((ROOT / lock).read_text(encoding="utf-8"))["packages"]
    others = {name: package for name, package in packages.items() if name}
    assert others
    assert [name for name, package in others.items() if not package.get("integrity", "").startswith("sha512-")] == []
    assert [name for name, package in others.items() if "resolved" in package] == []
    assert "omit-lockfile-registry-resolved=true" in (ROOT / lock).with_name(".npmrc").read_text(encoding="utf-8")


def test_on_windows_the_server_says_where_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(CommandError, match="does not run on Windows") as raised:
        require_server()
    assert raised.value.code == "no_server"
