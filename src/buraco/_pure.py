"""Which form of the engine is loaded: the compiled files, or with ``BURACO_PURE=1`` the sources beside them.

A module of ``buraco.engine`` is a compiled one when a ``.pxd`` of the same name lies beside it. Python itself would
prefer the compiled file and fall back to the source without a word; the finder here makes the choice explicit: with
``BURACO_PURE=1`` the source, else the compiled file, and an ``ImportError`` where that is missing. The build reads the
same rule from here, so this file imports nothing of the package.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Literal

__all__ = ["ENGINE_PACKAGE", "EngineFinder", "build_kind", "compiled_names", "install", "lacks", "pure_wanted"]

ENGINE_PACKAGE = "buraco.engine"

NOT_COMPILED = (
    "{name} is not compiled: no {file} lies beside its source. In a checkout run `make build`; else install the package"
    " again with gcc and Python's headers at hand (apt-get install gcc python3-dev); or set BURACO_PURE=1 to run the"
    " uncompiled engine, much slower"
)
NO_CYTHON = (
    "the uncompiled engine (BURACO_PURE=1) needs Cython's Python module: pip install 'buraco[pure]', or unset"
    " BURACO_PURE to run the compiled one"
)


def pure_wanted() -> bool:
    """Say whether the environment asks for the uncompiled engine (``BURACO_PURE=1``)."""
    return os.environ.get("BURACO_PURE", "") == "1"


def compiled_names(folder: Path) -> tuple[str, ...]:
    """Return the names of the modules in a folder that are to be compiled, in alphabetical order."""
    return tuple(pxd.stem for pxd in sorted(folder.glob("*.pxd")) if pxd.with_suffix(".py").exists())


def lacks(environment: Mapping[str, str] = os.environ) -> tuple[str, str] | None:
    """Return what compiling the engine lacks, or None: ``compiler`` or ``headers``, and what was looked for."""
    if sys.platform == "win32":
        # setuptools finds Microsoft's compiler by itself, and says so when there is none; the headers are always there.
        return None
    compiler = shlex.split(environment.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return "compiler", compiler
    headers = Path(sysconfig.get_paths()["include"], "Python.h")
    return None if headers.exists() else ("headers", str(headers))


class EngineFinder(MetaPathFinder):
    """Finds the compiled modules of the engine in the form that is wanted, and leaves all others alone."""

    def __init__(self, *, pure: bool) -> None:
        self.pure = pure

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of the wanted form.

        Raises ImportError when the compiled file is missing, or uncompiled when Cython's module is.
        """
        package, _, name = fullname.rpartition(".")
        if package != ENGINE_PACKAGE or path is None:
            return None
        for entry in path:
            pxd = Path(entry, name + ".pxd")
            source = pxd.with_suffix(".py")
            if not (pxd.exists() and source.exists()):
                continue
            if self.pure:
                if importlib.util.find_spec("cython") is None:
                    raise ImportError(NO_CYTHON, name=fullname)
                return importlib.util.spec_from_file_location(fullname, source)
            suffixes = importlib.machinery.EXTENSION_SUFFIXES
            if not any(Path(entry, name + suffix).exists() for suffix in suffixes):
                raise ImportError(NOT_COMPILED.format(name=fullname, file=name + suffixes[0]), name=fullname)
        return None


def install() -> None:
    """Put the finder first; called once, when ``buraco`` is imported."""
    if not any(isinstance(finder, EngineFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, EngineFinder(pure=pure_wanted()))


def build_kind() -> Literal["compiled", "uncompiled"]:
    """Return which engine this process runs.

    Raises ImportError when the compiled files are missing and the uncompiled engine was not asked for.
    """
    folder = Path(__file__).with_name("engine")
    origins = [importlib.util.find_spec(f"{ENGINE_PACKAGE}.{name}") for name in compiled_names(folder)]
    compiled = bool(origins) and all(spec is not None and not (spec.origin or "").endswith(".py") for spec in origins)
    return "compiled" if compiled else "uncompiled"
