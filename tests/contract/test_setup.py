"""The set-up of a checkout on a machine that lacks something: one line to run for a user, an installation for root."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the set-up alone, and a folder ``bin`` for stand-ins of the system's commands."""
    (tmp_path / "scripts").mkdir()
    shutil.copyfile(ROOT / "scripts" / "setup.sh", tmp_path / "scripts" / "setup.sh")
    (tmp_path / "bin").mkdir()
    return tmp_path


def stand_in(checkout: Path, name: str, script: str) -> None:
    """Put a command of that name before the system's own."""
    file = checkout / "bin" / name
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)


def set_up(checkout: Path, purpose: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    inherited = {
        name: value for name, value in os.environ.items() if name not in ("BURACO_PURE", "BURACO_SETUP_LOCKED")
    }
    environment = inherited | {"PATH": f"{checkout / 'bin'}:{os.environ['PATH']}", "CC": "/nonexistent/gcc"} | more
    command = ["sh", str(checkout / "scripts" / "setup.sh"), *([purpose] if purpose else [])]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_user_without_a_compiler_gets_the_one_line_to_run(checkout: Path) -> None:
    stand_in(checkout, "id", "echo 1000")
    stand_in(checkout, "apt-get", f"echo called >>{checkout}/called")
    done = set_up(checkout)
    assert done.returncode == 1
    assert "please run:  sudo apt-get install -y gcc libc6-dev " in done.stderr
    assert not (checkout / "called").exists()
    assert not (checkout / ".venv").exists()


def test_root_without_a_compiler_gets_it_installed(checkout: Path) -> None:
    stand_in(checkout, "id", "echo 0")
    stand_in(checkout, "apt-get", f'echo "$@" >>{checkout}/called')
    done = set_up(checkout)
    calls = (checkout / "called").read_text(encoding="utf-8").splitlines()
    assert calls == ["update -q", "install -y -q --no-install-recommends gcc libc6-dev"]
    assert "still missing after the installation: gcc libc6-dev" in done.stderr


def test_a_python_without_venv_and_headers_names_both_packages(checkout: Path) -> None:
    stand_in(checkout, "id", "echo 1000")
    # Old enough questions are answered, the one for venv and the one for the headers are not.
    stand_in(checkout, "python3", 'case "$2" in *version_info*) exit 0;; *) exit 1;; esac')
    done = set_up(checkout, CC="true")
    assert "apt-get install -y python3-venv python3-dev " in done.stderr


def test_the_uncompiled_engine_asks_for_no_compiler_and_no_headers(checkout: Path) -> None:
    stand_in(checkout, "id", "echo 1000")
    stand_in(checkout, "python3", 'case "$2" in *version_info*) exit 0;; *) exit 1;; esac')
    done = set_up(checkout, BURACO_PURE="1")
    assert "apt-get install -y python3-venv " in done.stderr
    assert "gcc libc6-dev" not in done.stderr
    assert "python3-dev" not in done.stderr


@pytest.mark.parametrize(("user", "calls"), [("1000", 0), ("0", 1)])
def test_postgresql_comes_without_a_cluster_that_starts_by_itself(checkout: Path, user: str, calls: int) -> None:
    stand_in(checkout, "id", f"echo {user}")
    stand_in(checkout, "ls", "exit 2")
    # What the tests need besides may be there already or not.
    script = (checkout / "scripts" / "setup.sh").read_text(encoding="utf-8")
    folder = checkout / "createcluster.d"
    script = script.replace("/etc/postgresql-common/createcluster.d", str(folder)).replace("-v initdb", "-v no-initdb")
    (checkout / "scripts" / "setup.sh").write_text(script, encoding="utf-8")
    called = checkout / "called"
    stand_in(checkout, "apt-get", f'[ "$1" = update ] || cat {folder}/* >>{called}')
    done = set_up(checkout, "test", CC="true")
    assert "missing: postgresql" in done.stdout
    assert ("please run:  sudo sh -c '" in done.stderr) == (calls == 0)
    assert called.exists() == (calls == 1)
    if calls:
        assert called.read_text(encoding="utf-8") == "create_main_cluster = false\n"
        assert "still missing after the installation: postgresql" in done.stderr
        assert list(folder.iterdir()) == []


def test_redis_comes_without_the_package_that_starts_a_service(checkout: Path) -> None:
    stand_in(checkout, "id", "echo 1000")
    file = checkout / "scripts" / "setup.sh"
    script = file.read_text(encoding="utf-8")
    names = "redis-server valkey-server redis-check-rdb valkey-check-rdb"
    assert names in script
    file.write_text(script.replace(names, "no-redis"), encoding="utf-8")
    told = set_up(checkout, "test", CC="true").stderr
    assert " redis-tools" in told
    assert "redis-server" not in told


def test_to_play_needs_nothing_that_only_the_tests_need(checkout: Path) -> None:
    stand_in(checkout, "id", "echo 1000")
    stand_in(checkout, "ls", "exit 2")
    done = set_up(checkout)
    assert "missing: gcc" in done.stdout
    assert "postgresql" not in done.stdout + done.stderr


def without_browsers(checkout: Path, *names: str) -> None:
    """Have the set-up look for browsers under names that no machine has."""
    file = checkout / "scripts" / "setup.sh"
    script = file.read_text(encoding="utf-8")
    for name in names:
        script = script.replace(f"command -v {name} ", f"command -v no-{name} ")
    file.write_text(script, encoding="utf-8")


_LIGHT = "chromium-headless-shell"


@pytest.mark.parametrize(("known", "named"), [(_LIGHT, _LIGHT), ("nothing", "chromium")])
def test_without_a_browser_the_lighter_one_is_taken_where_it_is_known(checkout: Path, known: str, named: str) -> None:
    stand_in(checkout, "id", "echo 1000")
    stand_in(checkout, "apt-cache", f'[ "$2" = {known} ]')
    without_browsers(checkout, _LIGHT, "chromium", "chromium-browser")
    done = set_up(checkout, "test", CC="true")
    assert done.returncode == 1
    assert f" {named}\n" in done.stdout


def test_lists_that_are_fetched_anew_decide_on_the_browser(checkout: Path) -> None:
    stand_in(checkout, "id", "echo 0")
    stand_in(checkout, "apt-cache", f'[ "$2" = {_LIGHT} ] && [ -e {checkout}/called ]')
    stand_in(checkout, "apt-get", f'echo "$@" >>{checkout}/called')
    without_browsers(checkout, _LIGHT, "chromium", "chromium-browser")
    set_up(checkout, "test", CC="true")
    calls = (checkout / "called").read_text(encoding="utf-8").splitlines()
    assert calls == ["update -q", f"install -y -q --no-install-recommends {_LIGHT}"]


@pytest.mark.parametrize("there", [True, False])
def test_root_gets_the_lighter_browser_beside_the_whole_one_or_goes_on_without(checkout: Path, there: bool) -> None:
    stand_in(checkout, "id", "echo 0")
    stand_in(checkout, "chromium", "exit 0")
    stand_in(checkout, "apt-cache", "exit 0")
    stand_in(checkout, "apt-get", f'echo "$@" >>{checkout}/called; exit {0 if there else 1}')
    without_browsers(checkout, _LIGHT)
    done = set_up(checkout, "test", CC="true")
    calls = (checkout / "called").read_text(encoding="utf-8").splitlines()
    assert calls == [f"install -y -q --no-install-recommends {_LIGHT}"]
    assert ("take Chromium as it is" in done.stdout) is not there
    assert "requirements.txt" in done.stderr, "it goes on to the environment"


@pytest.mark.parametrize(("user", "known"), [("1000", _LIGHT), ("0", "chromium")])
def test_a_whole_browser_serves_who_may_not_install_and_where_there_is_no_other(
    checkout: Path, user: str, known: str
) -> None:
    stand_in(checkout, "id", f"echo {user}")
    stand_in(checkout, "chromium", "exit 0")
    stand_in(checkout, "apt-cache", f'[ "$2" = {known} ]')
    stand_in(checkout, "apt-get", f'echo "$@" >>{checkout}/called')
    without_browsers(checkout, _LIGHT)
    done = set_up(checkout, "test", CC="true")
    assert not (checkout / "called").exists()
    assert "requirements.txt" in done.stderr, "it goes on to the environment"
