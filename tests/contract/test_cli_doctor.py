"""`buraco doctor`: each thing that may be missing is made to be missing, and told with what mends it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import buraco
from buraco.cli import checks as looked
from buraco.cli.checks import CHROMIUM, OTHER_VARIABLES, Check, Facts, checks
from buraco.server.folder import only_in_folder
from buraco.server.settings import Settings
from buraco.texts import in_language, languages, text
from tests.unit.terminal import call

ALL = ["python", "engine", "compiler", "server", "settings", "folder", "database", "redis", "port", "page"]
ALL += ["browser", "chromium"]


@pytest.fixture
def facts(tmp_path: Path) -> Facts:
    """A world in which nothing is missing."""
    return Facts(
        environment={"BURACO_DATA": str(tmp_path / "data")},
        flags={},
        which=lambda name: f"/usr/bin/{name}",
        page=lambda: True,
        browser=lambda: False,
    )


def found(facts: Facts) -> dict[str, Check]:
    """Every check by its name."""
    return {check.name: check for check in checks(facts)}


def set_up(facts: Facts, **variables: str) -> Facts:
    """The same world with other variables of the environment."""
    return replace(facts, environment={**facts.environment, **variables})


def test_where_nothing_is_missing_there_is_no_fault_and_nothing_is_left_behind(facts: Facts, tmp_path: Path) -> None:
    there = found(facts)
    assert list(there) == ALL
    # A test has no display, so only a browser elsewhere can show the page.
    assert {name for name, check in there.items() if check.state != "ok"} == {"browser"}
    assert "the first start makes it" in there["database"].told
    assert list(tmp_path.iterdir()) == []


def test_a_python_that_is_too_old_is_a_fault(facts: Facts) -> None:
    check = found(replace(facts, python=(3, 10, 12)))["python"]
    assert (check.state, check.told) == ("fault", "3.10.12 is too old: 3.11 or newer is needed")
    assert "newer Python" in check.mend


def test_without_the_engine_the_rest_is_looked_at_as_far_as_it_goes(
    facts: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> str:
        raise ImportError("no", name="buraco.engine.melds")

    monkeypatch.setattr(looked, "build_kind", missing)
    there = found(set_up(facts, CC="/nonexistent/gcc"))
    assert (there["engine"].state, there["engine"].told) == ("fault", "it cannot be loaded: buraco.engine.melds")
    assert "make build" in there["engine"].mend
    # Now it is needed.
    assert (there["compiler"].state, there["compiler"].told) == ("fault", "/nonexistent/gcc cannot be found")
    assert [there[name].told for name in ALL[4:9]] == ["not checked, since something above is missing"] * 5
    assert there["page"].state == "ok"


def test_the_uncompiled_engine_is_a_note(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looked, "build_kind", lambda: "uncompiled")
    check = found(facts)["engine"]
    assert (check.state, check.mend) == ("note", "Unset BURACO_PURE.")


def test_without_a_compiler_a_compiled_engine_runs_all_the_same(facts: Facts) -> None:
    check = found(set_up(facts, CC="/nonexistent/gcc"))["compiler"]
    assert (check.state, check.told) == ("note", "/nonexistent/gcc cannot be found")
    assert "apt-get install gcc libc6-dev python3-dev" in check.mend


def test_without_headers_they_are_named(facts: Facts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sysconfig.get_paths", lambda: {"include": str(tmp_path)})
    check = found(set_up(facts, CC=sys.executable))["compiler"]
    assert (check.state, "Python.h" in check.told) == ("note", True)


def test_a_package_of_the_server_that_is_missing_is_named(facts: Facts) -> None:
    asked = ['rich>=14; extra == "server"', 'no-such-package>=1; extra == "server"', 'none-either; extra == "dev"']
    there = found(replace(facts, requires=lambda: asked))
    assert (there["server"].state, there["server"].told) == ("note", "missing: no-such-package")
    assert "pip install 'buraco[server]'" in there["server"].mend
    assert "not checked" in there["port"].told


def test_a_variable_that_is_nearly_a_setting_is_noted(facts: Facts) -> None:
    check = found(set_up(facts, BURACO_BOT_MSS="300", BURACO_PORTS="1"))["settings"]
    assert check.state == "note"
    assert "BURACO_BOT_MSS" in check.told
    assert "Did you mean: BURACO_BOT_MS" in check.told
    assert "BURACO_PORTS" in check.told
    assert "buraco serve --help" in check.mend


def test_variables_that_others_read_are_not_taken_for_settings(facts: Facts) -> None:
    others = dict.fromkeys(OTHER_VARIABLES, "1") | {"BURACO_REDIS_FILE": "", "BURACO_ELSEWHERE": "1"}
    assert found(set_up(facts, **others))["settings"].state == "ok"


def test_a_setting_that_cannot_be_is_a_fault_with_all_its_reasons(facts: Facts) -> None:
    there = found(set_up(facts, BURACO_PORT="many", BURACO_LOG_LEVEL="loud"))
    assert there["settings"].state == "fault"
    assert "BURACO_PORT" in there["settings"].told
    assert "BURACO_LOG_LEVEL" in there["settings"].told
    assert "buraco serve --help" in there["settings"].mend
    assert "not checked" in there["database"].told


def test_a_folder_that_cannot_be_written_is_a_fault(facts: Facts, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    there = found(set_up(facts, BURACO_DATA=str(tmp_path / "file" / "data")))
    assert there["folder"].state == "fault"
    assert f"cannot write in {tmp_path / 'file' / 'data'}" in there["folder"].told
    assert "BURACO_DATA" in there["folder"].mend
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_a_flag_wins_over_the_variable(facts: Facts, tmp_path: Path) -> None:
    check = found(replace(facts, flags={"data": tmp_path / "other"}))["folder"]
    assert check.told == f"{tmp_path / 'other'} can be written"


def test_a_database_file_that_is_none_is_a_fault(facts: Facts, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "buraco.db").write_bytes(b"no database at all\n" * 100)
    check = found(facts)["database"]
    assert (check.state, "the database is damaged" in check.told) == ("fault", True)
    assert "backup" in check.mend


def upgraded(facts: Facts) -> None:
    """Make the database of the folder."""
    done = subprocess.run(
        [sys.executable, "-c", "from buraco.cli import main; main()", "db", "upgrade"],
        env={**os.environ, **facts.environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_database_that_is_there_answers(facts: Facts) -> None:
    upgraded(facts)
    assert found(facts)["database"].told == "SQLite answers and fits this version"


@pytest.mark.parametrize("runs", [False, True], ids=["by another program", "by the server that runs here"])
def test_a_port_that_is_taken(facts: Facts, tmp_path: Path, runs: bool) -> None:
    upgraded(facts)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        world = set_up(facts, BURACO_PORT=str(port))
        if runs:
            with only_in_folder(Settings(data=tmp_path / "data")):
                check = found(world)["port"]
            assert check.state == "ok"
            assert "most likely by the server" in check.told
        else:
            check = found(world)["port"]
            assert check.state == "fault"
            assert f"cannot listen at 127.0.0.1:{port}" in check.told
            assert "BURACO_PORT" in check.mend


def test_a_database_that_nobody_can_reach_is_a_fault_that_tells_no_password(facts: Facts) -> None:
    world = set_up(facts, BURACO_DATABASE_URL="postgresql://buraco:secret@127.0.0.1:1/buraco")
    check = found(world)["database"]
    assert (check.state, "it cannot be reached" in check.told) == ("fault", True)
    assert "Start PostgreSQL" in check.mend
    assert "secret" not in check.told + check.mend


def test_a_redis_that_does_not_answer_is_a_fault_that_tells_no_password(facts: Facts) -> None:
    assert "only several processes need it" in found(facts)["redis"].told
    world = set_up(
        facts,
        BURACO_DATABASE_URL="postgresql://buraco@127.0.0.1:1/buraco",
        BURACO_REDIS="redis://:secret@127.0.0.1:1",
    )
    check = found(world)["redis"]
    assert (check.state, "it does not answer" in check.told) == ("fault", True)
    assert "Start Redis or Valkey" in check.mend
    assert "secret" not in check.told + check.mend


def test_a_package_without_the_page_is_a_fault(facts: Facts) -> None:
    check = found(replace(facts, page=lambda: False))["page"]
    assert (check.state, "nothing to show" in check.told) == ("fault", True)
    assert "make dist" in check.mend


def test_without_chromium_only_the_tests_of_the_page_lack_something(facts: Facts) -> None:
    check = found(replace(facts, which=lambda _: None))["chromium"]
    assert (check.state, "only the tests of the page" in check.told) == ("note", True)
    assert "make setup-test" in check.mend
    last = found(replace(facts, which=lambda name: name if name == CHROMIUM[-1] else None))["chromium"]
    assert (last.state, last.told) == ("ok", CHROMIUM[-1])


def test_the_command_ends_with_one_where_there_is_a_fault_and_with_none_where_there_is_not(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BURACO_DATA", str(tmp_path))
    monkeypatch.setattr(looked, "_page", lambda _: Check(name="page", state="ok", told="there"))
    done = call(capsys, monkeypatch, ["doctor", "--json"])
    told = json.loads(done.out)
    assert (done.code, told["ok"], [check["check"] for check in told["checks"]]) == (0, True, ALL)
    assert {tuple(check) for check in told["checks"]} == {("check", "state", "text", "mend")}
    monkeypatch.setenv("BURACO_PORT", "many")
    done = call(capsys, monkeypatch, ["doctor", "--json"])
    told = json.loads(done.out)
    assert (done.code, told["ok"]) == (1, False)
    assert [check["check"] for check in told["checks"] if check["state"] == "fault"] == ["settings"]
    done = call(capsys, monkeypatch, ["doctor"])
    assert done.code == 1
    assert "fault    Settings: BURACO_PORT is a whole number from 0 to 65535, not 'many'" in done.out
    assert "           Correct what is named here" in done.out


@pytest.mark.parametrize("language", languages())
def test_every_line_is_in_the_language_of_the_reader(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str
) -> None:
    monkeypatch.setenv("BURACO_DATA", str(tmp_path))
    monkeypatch.setenv("BURACO_PORT", "many")
    lines = call(capsys, monkeypatch, ["doctor", "--language", language]).out.splitlines()
    alike = {"python": "Python", "redis": "Redis", "chromium": "Chromium"}
    for name in ALL:
        label = alike.get(name) or text(f"cli.doctor.name.{name}", language)
        assert any(f" {label}: " in line for line in lines), name
    fault = next(line for line in lines if line.startswith(text("cli.doctor.state.fault", language)))
    assert "BURACO_PORT" in fault
    assert f"           {text('cli.doctor.mend.settings', language)}" in lines


def test_each_fault_and_note_says_how_to_mend_it_in_every_language(facts: Facts) -> None:
    world = replace(set_up(facts, CC="/nonexistent/gcc"), which=lambda _: None, page=lambda: False, python=(3, 9))
    wanting = [check for check in found(world).values() if check.state != "ok"]
    assert {check.name for check in wanting} == {"python", "compiler", "page", "browser", "chromium"}
    for language in languages():
        told = [in_language(check.mend, language) for check in wanting]
        assert all(told)
        assert language == "en" or told != [in_language(check.mend, "en") for check in wanting]


@pytest.fixture(scope="module")
def uncompiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package whose engine was never compiled."""
    folder = tmp_path_factory.mktemp("uncompiled")
    leave = shutil.ignore_patterns("*.so", "static", "__pycache__")
    shutil.copytree(Path(buraco.__file__).parent, folder / "buraco", ignore=leave)
    return folder


def in_copy(folder: Path, arguments: list[str], **variables: str) -> tuple[int, str, str]:
    """Run a command line of the copy in a process of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BURACO_", "LC_", "LANG"))}
    environment = kept | {"PYTHONPATH": str(folder), "BURACO_DATA": str(folder / "data")} | variables
    code = "from buraco.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def states(out: str) -> dict[str, Any]:
    """The state of each check of an output in JSON."""
    return {check["check"]: check["state"] for check in json.loads(out)["checks"]}


def test_a_program_without_its_compiled_engine_still_has_a_doctor(uncompiled: Path) -> None:
    code, out, err = in_copy(uncompiled, ["doctor", "--json"])
    assert (code, err) == (1, "")
    assert {name for name, state in states(out).items() if state == "fault"} == {"engine", "page"}


@pytest.mark.parametrize("arguments", [["play"], ["--version"], ["judge", "--json", "a.txt"], ["--help"], []])
def test_without_its_engine_every_other_command_names_the_doctor(uncompiled: Path, arguments: list[str]) -> None:
    code, out, err = in_copy(uncompiled, arguments)
    assert code == 3
    told = json.loads(out)["error"]["message"] if "--json" in arguments else err
    assert "is not compiled" in told
    assert "`buraco doctor`" in told
    assert "Traceback" not in err


def test_the_doctor_knows_an_engine_that_is_uncompiled_on_purpose(uncompiled: Path) -> None:
    code, out, _ = in_copy(uncompiled, ["doctor", "--json"], BURACO_PURE="1")
    assert (code, states(out)["engine"], states(out)["settings"]) == (1, "note", "ok")
