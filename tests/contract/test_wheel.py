"""The wheel: what is in it, and that a stranger who installs it can play a deal and sees the types.

It is built from a source distribution, in a folder of its own, and installed into an environment that has nothing else.
"""

from __future__ import annotations

import shutil
import sys
import zipfile
from pathlib import Path

import pytest

import buraco
from buraco._pure import compiled_names
from tests.contract.distributions import ROOT, copy_checkout, run

ENGINE = ROOT / "src" / "buraco" / "engine"

PLAY = """
import buraco
from buraco.engine import Deal
from buraco.rules import get_rules

deal = Deal(get_rules("aberto"), players=4, seed=1)
steps = 0
while not deal.over:
    deal.apply(deal.choose(0, steps))
    steps += 1
print(buraco.build_kind(), buraco.__file__, steps > 50, isinstance(deal.score(0), int))
"""

SNIPPET = """
from buraco.engine import Deal
from buraco.rules import get_rules

deal = Deal(get_rules("aberto"), players=4, seed=1)
reveal_type(deal.legal())
reveal_type(deal.score(0))
Deal(get_rules("aberto"), players="four")
"""


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and nothing else; the compiled engine needs the standard library only."""
    folder = tmp_path_factory.mktemp("stranger") / "venv"
    assert run([sys.executable, "-m", "venv", "--without-pip", str(folder)], folder.parent).returncode == 0
    pip = [sys.executable, "-m", "pip", "--python", str(folder), "install", "--no-index", "--no-deps", str(wheel)]
    done = run(pip, folder.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_wheel_holds_compiled_files_sources_types_and_texts(checkout: Path, wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    package = checkout / "src" / "buraco"
    files = {file for suffix in (".py", ".pxd", ".json", ".toml", ".typed") for file in package.rglob(f"*{suffix}")}
    assert {str(file.relative_to(checkout / "src")) for file in files} <= names
    assert {
        "buraco/engine/state.pxd",
        "buraco/py.typed",
        "buraco/texts/en.json",
        "buraco/server/lessons/aberto.toml",
    } <= names
    compiled = {Path(name).name.split(".")[0] for name in names if name.endswith(".so")}
    assert compiled == set(compiled_names(package / "engine"))


def test_the_wheel_holds_the_built_page(checkout: Path, wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    page = checkout / "src" / "buraco" / "server" / "static"
    files = {str(file.relative_to(checkout / "src")) for file in page.rglob("*") if file.is_file()}
    assert {"buraco/server/static/index.html", "buraco/server/static/licences.txt"} <= files
    assert files <= names


def test_the_wheel_names_the_licence_of_the_font_and_holds_its_text(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as inside:
        (about,) = (name for name in inside.namelist() if name.endswith(".dist-info/METADATA"))
        assert "License-Expression: MIT AND OFL-1.1\n" in inside.read(about).decode().replace("\r\n", "\n")
        folder = about.removesuffix("METADATA") + "licenses/"
        assert b"SIL OPEN FONT LICENSE" in inside.read(f"{folder}LICENSES/OFL-1.1.txt")
        assert b"MIT License" in inside.read(f"{folder}LICENSE")


def test_the_wheel_holds_nothing_else(wheel: Path) -> None:
    suffixes = {Path(name).suffix for name in zipfile.ZipFile(wheel).namelist() if name.startswith("buraco/")}
    page = {".css", ".gz", ".html", ".js", ".png", ".svg", ".txt", ".webmanifest", ".woff2"}
    assert suffixes == {".py", ".pxd", ".so", ".json", ".toml", ".typed"} | page
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert tops == {"buraco", f"buraco-{buraco.__version__}.dist-info"}


def test_a_stranger_plays_a_deal_on_the_compiled_engine(installed: Path, tmp_path: Path) -> None:
    done = run([str(installed / "bin" / "python"), "-I", "-c", PLAY], tmp_path)
    assert done.stderr == ""
    kind, file, *facts = done.stdout.split()
    assert (kind, facts) == ("compiled", ["True", "True"])
    assert Path(file).is_relative_to(installed)


def test_a_stranger_sees_the_types(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "snippet.py").write_text(SNIPPET, encoding="utf-8")
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(installed / "bin" / "python")]
    done = run([*mypy, "--cache-dir", str(tmp_path / "cache"), "snippet.py"], tmp_path)
    said = done.stdout.replace("builtins.", "")
    lines = [line.split(": ", 1)[1] for line in said.splitlines() if line.startswith("snippet.py")]
    assert 'note: Revealed type is "list[int]"' in lines
    assert 'note: Revealed type is "int"' in lines
    assert sum("[arg-type]" in line for line in lines) == 1


def test_a_lost_compiled_file_is_an_error_and_never_a_slow_engine(installed: Path, tmp_path: Path) -> None:
    name = compiled_names(ENGINE)[0]
    file = next(installed.glob(f"lib/python*/site-packages/buraco/engine/{name}.*.so"))
    hidden = file.rename(tmp_path / file.name)
    try:
        done = run([str(installed / "bin" / "python"), "-I", "-c", f"import buraco.engine.{name}"], tmp_path)
    finally:
        shutil.move(hidden, file)
    assert done.returncode == 1
    assert f"buraco.engine.{name} is not compiled" in done.stderr.splitlines()[-1]


def test_without_a_compiler_the_build_says_what_to_install(tmp_path: Path) -> None:
    checkout = copy_checkout(tmp_path)
    pip = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "."]
    done = run(pip, checkout, CC="/nonexistent/gcc")
    assert done.returncode != 0
    assert "the C compiler '/nonexistent/gcc' cannot be found" in done.stdout + done.stderr
    assert "apt-get install gcc python3-dev" in done.stdout + done.stderr
    assert "BURACO_PURE=1" in done.stdout + done.stderr


def test_buraco_pure_builds_a_wheel_without_a_compiler(tmp_path: Path) -> None:
    checkout = copy_checkout(tmp_path)
    pip = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "."]
    done = run(pip, checkout, CC="/nonexistent/gcc", BURACO_PURE="1")
    assert done.returncode == 0, done.stdout + done.stderr
    names = zipfile.ZipFile(next(checkout.glob("*.whl"))).namelist()
    assert [name for name in names if name.endswith(".so")] == []
    assert "buraco/engine/melds.py" in names
