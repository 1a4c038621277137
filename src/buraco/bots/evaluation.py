"""The learned evaluation that search looks to at its depth: weights as data, checked when they are read."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final

from buraco.engine.constants import EVALUATION_SIZE
from buraco.errors import BuracoError
from buraco.texts import message

__all__ = ["EVALUATION_FILE", "EVALUATION_FORMAT", "evaluation_weights", "read_evaluation"]

EVALUATION_FILE: Final = Path(__file__).with_name("data") / "evaluation.json"
"""The weights that come with the package (`scripts/train_evaluation.py` wrote them)."""

EVALUATION_FORMAT: Final = "buraco-evaluation-1"

_WEIGHT_LIMIT: Final = 10**9


def read_evaluation(path: Path = EVALUATION_FILE) -> tuple[int, ...]:
    """Return the weights of `buraco.engine.evaluate` from a file, in 1/1024 points.

    Raises BuracoError: ``weights_missing`` (no such file, or it cannot be read), ``weights_damaged`` (no JSON),
    ``weights_wrong`` (another format, too few or too many weights, or one that is no whole number).
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise BuracoError("weights_missing", message("error.weights_missing", file=str(path), why=why)) from error
    except (ValueError, RecursionError) as error:
        raise BuracoError("weights_damaged", message("error.weights_damaged", file=str(path))) from error
    if not isinstance(data, dict) or data.get("format") != EVALUATION_FORMAT:
        raise _wrong(path, f"its format is not {EVALUATION_FORMAT}")
    weights = data.get("weights")
    if not isinstance(weights, list) or len(weights) != EVALUATION_SIZE:
        raise _wrong(path, f"wanted are {EVALUATION_SIZE} weights")
    if any(type(weight) is not int or abs(weight) > _WEIGHT_LIMIT for weight in weights):
        raise _wrong(path, f"a weight is no whole number within {_WEIGHT_LIMIT}")
    return tuple(weights)


@cache
def evaluation_weights() -> tuple[int, ...]:
    """Return the weights of the package. Raises BuracoError as `read_evaluation` does."""
    return read_evaluation()


def _wrong(path: Path, why: str) -> BuracoError:
    return BuracoError("weights_wrong", message("error.weights_wrong", file=str(path), why=why))
