"""The engine does not lean on a C ``long`` of 64 bits, nor on gcc: on Windows neither is there."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from scripts.long32 import main

ROOT = Path(__file__).resolve().parents[2]
HEADER = ROOT / "src" / "buraco" / "engine" / "c_bits.pxd"

# Counts in a way that no compiler has for its own, and compares with what the helpers say.
PROGRAM = """
int main(void) {
    unsigned long long x = 88172645463325252ULL;
    long long faults = 0, tried = 0;
    for (int low = 0; low < 64; low++)
        for (int more = 0; more < 50; more++) {
            x ^= x << 13; x ^= x >> 7; x ^= x << 17;
            unsigned long long mask = more ? (x << low) | (1ULL << low) : 1ULL << low;
            int first = 0, count = 0;
            while (!(mask >> first & 1)) first++;
            for (int place = 0; place < 64; place++) count += (int)(mask >> place & 1);
            faults += buraco_ctz((long long)mask) != first || buraco_popcount((long long)mask) != count;
            faults += (unsigned long long)buraco_bit(low) != 1ULL << low;
            tried++;
        }
    printf("%lld tried, %lld wrong, by %s\\n", tried, faults, WAY);
    return 0;
}
"""
# Stands for Microsoft's header; it says that it was asked.
INTRIN = """
#define WAY "intrin.h"
static unsigned char _BitScanForward64(unsigned long *place, unsigned long long mask) {
    *place = 0;
    while (!(mask >> *place & 1)) ++*place;
    return 1;
}
"""


def header_code() -> str:
    """The C that Cython writes into every module."""
    return HEADER.read_text(encoding="utf-8").split('"""')[1]


@pytest.mark.parametrize(
    ("known", "way"),
    [
        ('#define WAY "gcc"', "gcc"),
        ("#undef __GNUC__\n#define _MSC_VER 1940\n#define _M_X64\n#define __int64 long long", "intrin.h"),
        ('#undef __GNUC__\n#define WAY "plain C"', "plain C"),
    ],
    ids=["gcc", "Microsoft's", "another"],
)
def test_bits_are_counted_alike_by_every_compiler(tmp_path: Path, known: str, way: str) -> None:
    compiler = shutil.which("gcc")
    assert compiler is not None
    (tmp_path / "intrin.h").write_text(INTRIN, encoding="utf-8")
    # The C library's own headers need to know their compiler, so it is forgotten after them.
    # What comes after the bits speaks to Python.
    bits, rest = header_code().split("#define buraco_item")
    assert "PyList" in rest
    code = f"#include <stdio.h>\n#include <string.h>\n{known}\n{bits}{PROGRAM}"
    (tmp_path / "bits.c").write_text(code, encoding="utf-8")
    command = [compiler, "-O1", f"-I{tmp_path}", "bits.c", "-o", "bits"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = subprocess.run([tmp_path / "bits"], capture_output=True, text=True, check=True).stdout
    assert told == f"3200 tried, 0 wrong, by {way}\n"


def for_any_compiler(code: str) -> list[str]:
    """The lines of C that do not stand behind a question for gcc."""
    asked: list[bool] = []
    found = []
    for line in code.splitlines():
        word, _, condition = line.strip().partition(" ")
        if word in ("#if", "#ifdef"):
            asked.append("__GNUC__" in condition)
        elif word in ("#elif", "#else"):
            asked[-1] = "__GNUC__" in condition
        elif word == "#endif":
            asked.pop()
        elif not any(asked):
            found.append(line)
    return found


_OF_GCC = re.compile(r"__builtin_\w+|__attribute__|__int128|\btypeof\b")


def test_what_gcc_alone_knows_stands_behind_a_question_for_it() -> None:
    assert _OF_GCC.findall(header_code())
    for file in HEADER.parent.glob("*.pxd"):
        lines = for_any_compiler(file.read_text(encoding="utf-8"))
        assert [line for line in lines if _OF_GCC.search(line)] == [], file.name


def test_a_word_of_gcc_without_a_question_is_found() -> None:
    sound = "#if defined(__GNUC__)\nx = __builtin_ctz(y);\n#else\nx = f(y);\n#endif\n"
    assert for_any_compiler(sound) == ["x = f(y);"]
    assert for_any_compiler(sound.replace("f(y)", "__builtin_ffs(y)")) == ["x = __builtin_ffs(y);"]


@pytest.fixture(scope="module")
def build() -> ModuleType:
    """``setup.py`` without the set-up."""
    spec = importlib.util.spec_from_file_location("setup_of_buraco", ROOT / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("line", "narrowed"),
    [
        ("  long __pyx_v_mask;", "  int __pyx_v_mask;"),
        ("  x = ((long)-1);", "  x = ((int)-1);"),
        ("  long long __pyx_v_mask;", "  long long __pyx_v_mask;"),
        ("  unsigned long __pyx_v_mask;", "  unsigned long __pyx_v_mask;"),
        ("  x = __Pyx_PyLong_From_long(y);", "  x = __Pyx_PyLong_From_long(y);"),
    ],
)
def test_only_inferred_longs_are_narrowed(build: ModuleType, tmp_path: Path, line: str, narrowed: str) -> None:
    file = tmp_path / "module.c"
    file.write_text(line, encoding="utf-8")
    build.narrow_long(file)
    assert file.read_text(encoding="utf-8") == narrowed


def test_an_engine_with_longs_of_32_bits_plays_the_same_deals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--deals", "3"], tmp_path) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "150 deals equal"
    (code,) = tmp_path.rglob("moves.c")
    text = code.read_text(encoding="utf-8")
    assert re.search(r"\bint __pyx_v_\w+;", text)
    assert not re.search(r"(?<!long )(?<!unsigned )\blong __pyx_", text)
