"""Build of the compiled part: every module of ``buraco.engine`` that a ``.pxd`` of the same name augments.

Environment:
``BURACO_PURE=1``      compile nothing; the engine then runs as plain Python.
``BURACO_SANITIZE=1``  compile with the undefined-behaviour sanitizer (``scripts/sanitize.py`` does it in a copy).
``BURACO_LONG32=1``    compile with C's ``long`` of 32 bits, as on Windows (``scripts/long32.py`` does it in a copy).
``CC``                 another C compiler.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ENGINE = Path("src/buraco/engine")
BUILD_DIR = "build/cython"
JOBS = min(4, os.cpu_count() or 1)
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,
    "infer_types": True,
    "cdivision": True,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
}
# Not bounds-strict: CPython's own headers index past `[1]` arrays that end a structure.
SANITIZE_FLAGS = ["-fsanitize=undefined", "-fno-sanitize-recover=all"]
COMPILE_FLAGS = {
    "normal": ["/O2"] if sys.platform == "win32" else ["-O3"],
    "sanitize": ["-O1", "-g", *SANITIZE_FLAGS],
    "long32": ["-O1"],
}
# What Cython declares as C's `long`: variables whose type it infers from small numbers, and numbers themselves.
INFERRED_LONG = re.compile(r"(?<!long )(?<!unsigned )\blong (?=__pyx_\w)|(?<=\()long(?=\))")

NO_COMPILER = """
buraco: the engine is compiled, and {missing}.
  On Debian and Ubuntu:  apt-get install gcc python3-dev
  Or, knowingly, the uncompiled engine, much slower:  BURACO_PURE=1 pip install 'buraco[pure]'
"""


def choice() -> ModuleType:
    """Return the module that says what is compiled; nothing else of the package is imported."""
    spec = importlib.util.spec_from_file_location("buraco_pure", "src/buraco/_pure.py")
    if spec is None or spec.loader is None:
        raise SystemExit("src/buraco/_pure.py cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compiled_modules() -> list[Extension]:
    """Return one extension for each module to be compiled, in alphabetical order; none with ``BURACO_PURE=1``."""
    pure = choice()
    if pure.pure_wanted():
        return []
    kind = build_of_engine()
    return [
        Extension(
            f"buraco.engine.{name}",
            [f"{ENGINE}/{name}.py"],
            extra_compile_args=COMPILE_FLAGS[kind],
            extra_link_args=SANITIZE_FLAGS if kind == "sanitize" else [],
        )
        for name in pure.compiled_names(ENGINE)
    ]


def build_of_engine() -> str:
    """Return which build the environment asks for: a key of `COMPILE_FLAGS`."""
    return next(
        (kind for kind in ("sanitize", "long32") if os.environ.get(f"BURACO_{kind.upper()}", "") == "1"), "normal"
    )


def narrow_long(source: Path) -> None:
    """Write in a translated module ``int`` for what Cython declares as ``long``, which is 32 bits on Windows."""
    code = source.read_text(encoding="utf-8")
    narrowed = INFERRED_LONG.sub(lambda found: found[0].replace("long", "int"), code)
    if narrowed != code:
        source.write_text(narrowed, encoding="utf-8")


def missing_tool() -> str | None:
    """Say what the compilation lacks, or return None."""
    lacking = choice().lacks()
    if lacking is None:
        return None
    kind, name = lacking
    return f"the C compiler {name!r} cannot be found" if kind == "compiler" else f"{name} cannot be found"


class BuildEngine(build_ext):
    """Translate the engine with Cython into ``build/``, then compile it with several jobs."""

    def initialize_options(self) -> None:
        super().initialize_options()
        self.parallel = JOBS

    def run(self) -> None:
        """Raises SystemExit with a sentence that says what to install when a tool is missing."""
        modules = self.distribution.ext_modules or []
        missing = missing_tool() if modules else None
        if missing is not None:
            raise SystemExit(NO_COMPILER.format(missing=missing))
        if modules:
            # Only here: a command that compiles nothing needs no Cython.
            from Cython.Build import cythonize

            translated: Sequence[Extension] = cythonize(  # type: ignore[no-untyped-call]
                modules, build_dir=BUILD_DIR, include_path=["src"], compiler_directives=DIRECTIVES, nthreads=JOBS
            )
            by_name = {module.name: module for module in translated}
            for module in modules:
                module.sources = by_name[module.name].sources
                if build_of_engine() == "long32":
                    for source in module.sources:
                        narrow_long(Path(source))
                # Other flags, other files: a change here compiles everything anew.
                module.depends = [*by_name[module.name].depends, "setup.py"]
        super().run()


# The translation's own processes import this file again where they are not forked (macOS, Windows).
if __name__ == "__main__":
    setup(ext_modules=compiled_modules(), cmdclass={"build_ext": BuildEngine})
