"""The learned evaluation that search looks to at its depth: weights as data, checked when they are read."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Final

from buraco.engine.constants import WEIGHT_COUNT
from buraco.errors import BuracoError
from buraco.texts import message

__all__ = ["EVALUATION_FILE", "evaluation_weights"]

EVALUATION_FILE: Final = "evaluation.json"

_WEIGHT_MAX: Final = 10**9


def evaluation_weights(path: Path | None = None) -> list[int]:
    """Return the weights of `buraco.engine.evaluate`, those of the package or of a file.

    Raises BuracoError (code ``bad_weights``) if the file is missing or holds anything else.
    """
    try:
        source = files("buraco.bots").joinpath("data", EVALUATION_FILE) if path is None else path
        content = json.loads(source.read_text(encoding="utf-8"))
        weights = content["weights"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _bad(f"{type(error).__name__}: {error}") from error
    if not isinstance(weights, list) or len(weights) != WEIGHT_COUNT:
        raise _bad(f"{WEIGHT_COUNT} weights are needed")
    if any(type(weight) is not int or abs(weight) > _WEIGHT_MAX for weight in weights):
        raise _bad("a weight is no whole number in range")
    return weights


def _bad(why: str) -> BuracoError:
    return BuracoError("bad_weights", message("error.bad_weights", file=EVALUATION_FILE, why=why[:200]))
