"""B1: without their weights the bots do not start, and say so; nothing weaker takes their place."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

import buraco
from buraco.bots import bot_levels
from buraco.engine.weights import WEIGHTS_FILE, read_weights
from buraco.errors import BuracoError

Change = Callable[[dict[str, Any]], object]
#: What may be wrong inside the file, each with a word of what the error says about it.
FAULTS: Final[dict[str, tuple[Change, str]]] = {
    "another-format": (lambda data: data.update(format="buraco-club-0"), "format"),
    "no-weights": (lambda data: data.pop("weights"), "levels"),
    "no-club": (lambda data: data["weights"].pop("club"), "levels"),
    "a-level-too-many": (lambda data: data["weights"].update(master={}), "levels"),
    "no-variants": (lambda data: data["weights"].update(club={}), "variants"),
    "a-list": (lambda data: data["weights"].update(club=[]), "variants"),
    "a-row-without-weights": (lambda data: first_rows(data["weights"]["club"]).clear(), "missing"),
    "a-weight-missing": (lambda data: first_rows(data["weights"]["club"]).popitem(), "missing"),
    "a-weight-unknown": (lambda data: first_rows(data["weights"]["club"]).update(luck=1), "luck"),
    "half-a-point": (lambda data: set_first(data, 0.5), "whole number"),
    "yes": (lambda data: set_first(data, True), "whole number"),
    "nothing": (lambda data: set_first(data, None), "whole number"),
    "far-too-much": (lambda data: set_first(data, 10**9), "whole number"),
    "a-variant-that-points-nowhere": (lambda data: point_first(data, "moon"), "missing"),
}
SERVE: Final = ("serve", "--data", "{data}", "--port", "0")
RUN: Final = "import sys; from buraco.cli import main; sys.exit(main())"


def first_rows(variants: dict[str, Any]) -> dict[str, Any]:
    return next(row for row in variants.values() if isinstance(row, dict))


def set_first(data: dict[str, Any], value: object) -> None:
    row = first_rows(data["weights"]["club"])
    row[next(iter(row))] = value


def point_first(data: dict[str, Any], name: str) -> None:
    variants = data["weights"]["club"]
    variants[next(iter(variants))] = name


def fault_of(path: Path) -> BuracoError:
    with pytest.raises(BuracoError) as caught:
        read_weights(path)
    assert str(path) in caught.value.message
    assert "Install buraco again." in caught.value.message
    return caught.value


def test_the_file_of_the_package_is_whole_and_says_where_it_comes_from() -> None:
    assert set(read_weights()) <= set(bot_levels())
    data = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    assert data["provenance"]


@pytest.mark.parametrize("fault", FAULTS)
def test_b01_weights_that_are_wrong_are_refused_with_what_is_wrong(fault: str, tmp_path: Path) -> None:
    change, word = FAULTS[fault]
    data = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    change(data)
    path = tmp_path / "club.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    error = fault_of(path)
    assert error.code == "weights_wrong"
    assert word in error.message


@pytest.mark.parametrize("text", ["", "{", "weights", '{"format": "bura', "[" * 100_000], ids=range(5))
def test_b01_a_file_that_is_no_json_is_damaged(text: str, tmp_path: Path) -> None:
    path = tmp_path / "club.json"
    path.write_text(text, encoding="utf-8")
    assert fault_of(path).code == "weights_damaged"


def test_b01_bytes_that_are_no_text_are_damaged(tmp_path: Path) -> None:
    path = tmp_path / "club.json"
    path.write_bytes(b"\xff\xfe\x00{")
    assert fault_of(path).code == "weights_damaged"


@pytest.mark.parametrize("text", ["[]", "3", "null", "{}"])
def test_b01_json_that_is_something_else_is_wrong(text: str, tmp_path: Path) -> None:
    path = tmp_path / "club.json"
    path.write_text(text, encoding="utf-8")
    assert fault_of(path).code == "weights_wrong"


def test_b01_no_file_is_missing(tmp_path: Path) -> None:
    assert fault_of(tmp_path / "club.json").code == "weights_missing"
    assert fault_of(tmp_path).code == "weights_missing"


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the installed package."""
    folder = tmp_path_factory.mktemp("copied")
    shutil.copytree(Path(buraco.__file__).parent, folder / "buraco", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.mark.parametrize(
    ("command", "name", "fault"),
    [
        (SERVE, "club.json", "missing"),
        (SERVE, "evaluation.json", "missing"),
        (["simulate", "--deals", "1", "--bots", "club,greedy"], "club.json", "damaged"),
        (["simulate", "--deals", "1", "--bots", "novice,greedy"], "club.json", "wrong"),
        (["simulate", "--deals", "1", "--bots", "expert,greedy"], "evaluation.json", "wrong"),
    ],
    ids=["serve-missing", "serve-no-evaluation", "simulate-damaged", "simulate-wrong", "simulate-wrong-evaluation"],
)
def test_b01_a_command_that_needs_bots_ends_at_its_start(
    command: Sequence[str], name: str, fault: str, copied: Path, tmp_path: Path
) -> None:
    data = copied / "buraco" / "engine" / "data"
    shutil.copytree(WEIGHTS_FILE.parent, data, dirs_exist_ok=True)
    file = data / name
    file.unlink()
    if fault != "missing":
        file.write_text("{" if fault == "damaged" else "{}", encoding="utf-8")
    arguments = [part.format(data=tmp_path / "data") for part in command]
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        env=os.environ | {"PYTHONPATH": str(copied)},
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode not in (0, 1)
    assert f"The bots' weights are {'not those' if fault == 'wrong' else fault}" in done.stderr
    assert str(file) in done.stderr.replace("\n", "")
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
