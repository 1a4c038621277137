"""Which form of the engine is loaded, and what is said when it cannot be."""

from __future__ import annotations

import importlib.machinery
import os
import subprocess
import sys
from pathlib import Path

import pytest

import buraco
from buraco._pure import EngineFinder, compiled_names

ENGINE = Path(buraco.__file__).with_name("engine")
SHOW = "import buraco, buraco.engine.melds as m; print(buraco.build_kind(), m.__file__.rpartition('.')[2])"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a module that is to be compiled, one that is not, and a header."""
    for name in ("quick.py", "quick.pxd", "plain.py", "header.pxd"):
        (tmp_path / name).write_text("", encoding="utf-8")
    return tmp_path


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter, with BURACO_PURE only as given."""
    inherited = {name: value for name, value in os.environ.items() if name != "BURACO_PURE"}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=inherited | environment, capture_output=True, text=True, check=False)


def test_without_a_wish_the_compiled_engine_is_loaded() -> None:
    assert run(SHOW).stdout.split() == ["compiled", "so"]


def test_buraco_pure_loads_the_sources_beside_the_compiled_files() -> None:
    assert run(SHOW, BURACO_PURE="1").stdout.split() == ["uncompiled", "py"]


def test_every_module_with_a_pxd_follows_the_wish() -> None:
    names = compiled_names(ENGINE)
    code = "import buraco, importlib; print(*(importlib.import_module('buraco.engine.' + n).__file__ for n in %r))"
    for wish, ending in (("0", ".so"), ("1", ".py")):
        files = run(code % (names,), BURACO_PURE=wish).stdout.split()
        assert len(files) == len(names) > 0
        assert {Path(file).suffix for file in files} == {ending}


def test_a_missing_compiled_file_is_an_error_that_says_what_to_do(folder: Path) -> None:
    with pytest.raises(ImportError, match=r"buraco\.engine\.quick is not compiled.*make build.*BURACO_PURE=1"):
        EngineFinder(pure=False).find_spec("buraco.engine.quick", [str(folder)])


def test_a_compiled_file_is_left_to_python_to_load(folder: Path) -> None:
    (folder / ("quick" + importlib.machinery.EXTENSION_SUFFIXES[0])).write_bytes(b"")
    assert EngineFinder(pure=False).find_spec("buraco.engine.quick", [str(folder)]) is None


def test_the_uncompiled_engine_takes_the_source_even_beside_a_compiled_file(folder: Path) -> None:
    (folder / ("quick" + importlib.machinery.EXTENSION_SUFFIXES[0])).write_bytes(b"")
    spec = EngineFinder(pure=True).find_spec("buraco.engine.quick", [str(folder)])
    assert spec is not None
    assert spec.origin == str(folder / "quick.py")


@pytest.mark.parametrize("name", ["buraco.engine.plain", "buraco.engine.header", "buraco.rules.quick", "quick"])
@pytest.mark.parametrize("pure", [False, True])
def test_other_modules_are_none_of_its_business(folder: Path, name: str, pure: bool) -> None:
    assert EngineFinder(pure=pure).find_spec(name, [str(folder)]) is None


def test_the_uncompiled_engine_without_cythons_module_says_what_to_install() -> None:
    code = (
        "import sys, importlib.util as u; real = u.find_spec;"
        "u.find_spec = lambda name, *rest: None if name == 'cython' else real(name, *rest);"
        "import buraco.engine.melds"
    )
    result = run(code, BURACO_PURE="1")
    assert result.returncode == 1
    assert "pip install 'buraco[pure]'" in result.stderr.splitlines()[-1]
