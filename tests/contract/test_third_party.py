"""``THIRD_PARTY.md``: generated, up to date, whole."""

from __future__ import annotations

import json
import tomllib
from email.message import Message
from importlib.metadata import Distribution
from os import PathLike
from pathlib import Path

import pytest

from scripts import third_party

ROOT = Path(__file__).resolve().parents[2]
LOCK = json.dumps(
    {"packages": {"": {}, "node_modules/svelte": {"license": "MIT"}, "node_modules/a": {"license": "ISC"}}}
)


class Package(Distribution):
    """A package that says of itself what it is given."""

    def __init__(self, **about: str) -> None:
        self.about = about

    def read_text(self, filename: str) -> str | None:
        if filename != "METADATA":
            return None
        made = Message()
        made["Name"] = "other"
        for name, told in self.about.items():
            for line in told.split(";"):
                made[name.replace("_", "-")] = line
        return made.as_string()

    def locate_file(self, path: str | PathLike[str]) -> Path:
        return Path(path)


def test_the_page_is_as_it_would_be_written() -> None:
    assert (ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8") == third_party.document(), (
        "python -m scripts.third_party"
    )
    assert third_party.main(["--check"]) == 0


def test_a_page_that_is_out_of_date_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(third_party, "TARGET", tmp_path / "THIRD_PARTY.md")
    assert third_party.main(["--check"]) == 1
    assert third_party.main([]) == 0
    assert third_party.main(["--check"]) == 0
    (tmp_path / "THIRD_PARTY.md").write_text("old", encoding="utf-8")
    assert third_party.main(["--check"]) == 1


def test_every_extra_that_is_not_for_work_on_the_project_is_told() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    not_shipped = {"dev", "bench"}
    assert {"", *project["optional-dependencies"]} - set(third_party.EXTRAS) <= not_shipped | {
        name for name in project["optional-dependencies"] if name.startswith("doc")
    }


def test_what_an_image_of_the_server_installs_is_told() -> None:
    lines = (ROOT / "requirements-server.txt").read_text(encoding="utf-8").splitlines()
    locked = {line.partition("==")[0] for line in lines if "==" in line and not line.startswith((" ", "#"))}
    assert locked
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = third_party.closure(project["dependencies"] + project["optional-dependencies"]["server"])
    assert locked == told


@pytest.mark.parametrize(
    ("about", "licence"),
    [
        ({"License_Expression": "MIT", "License": "other"}, "MIT"),
        ({"License": "ISC License", "Classifier": "License :: OSI Approved :: MIT License"}, "ISC License"),
        ({"License": "Copyright. " * 20, "Classifier": "License :: OSI Approved :: BSD License"}, "BSD License"),
        ({"Classifier": "License :: MIT License;License :: X License"}, "MIT License or X License"),
    ],
)
def test_the_licence_of_a_package_is_what_it_says_in_the_shortest_way(about: dict[str, str], licence: str) -> None:
    assert third_party.licence_of(Package(**about)) == licence


def test_a_package_without_a_licence_is_an_error() -> None:
    with pytest.raises(ValueError, match="other names no licence"):
        third_party.licence_of(Package(Summary="free"))


def test_the_npm_packages_are_those_of_the_notices() -> None:
    notices = "  Buraco: see\n\n  svelte   Copyright x\n  a   Copyright y\n      Copyright z\n"
    assert third_party.npm_rows(notices, LOCK) == ["| a | ISC |", "| svelte | MIT |"]
    with pytest.raises(KeyError):
        third_party.npm_rows("  gone   Copyright\n", LOCK)


def test_a_picture_or_sound_that_nobody_named_is_found(tmp_path: Path) -> None:
    for file in third_party.FILES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(b"")
    assert third_party.unnamed_files(tmp_path) == []
    (tmp_path / "web/src/bell.ogg").write_bytes(b"")
    (tmp_path / "web/public/icon.svg").unlink()
    assert third_party.unnamed_files(tmp_path) == ["web/public/icon.svg", "web/src/bell.ogg"]
    with pytest.raises(ValueError, match=r"bell\.ogg"):
        third_party.document(tmp_path)
