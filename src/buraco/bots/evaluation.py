"""The learned evaluation that search looks to at its depth: weights as data, checked when they are read."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from buraco.engine.constants import EVALUATION_SIZE
from buraco.engine.weights import WEIGHTS_FILE, read_form, wrong_weights

__all__ = ["EVALUATION_FILE", "EVALUATION_FORMAT", "evaluation_weights", "read_evaluation"]

EVALUATION_FILE: Final = WEIGHTS_FILE.with_name("evaluation.json")
"""The weights that come with the package (`scripts/train_evaluation.py` wrote them)."""

EVALUATION_FORMAT: Final = "buraco-evaluation-1"

_WEIGHT_LIMIT: Final = 10**9


def read_evaluation(path: Path = EVALUATION_FILE) -> tuple[int, ...]:
    """Return the weights of `buraco.engine.evaluate` from a file, in 1/1024 points.

    Raises BuracoError as `read_form` does, ``weights_wrong`` too for too few or too many weights, or one that is no
    whole number.
    """
    weights = read_form(path, EVALUATION_FORMAT).get("weights")
    if not isinstance(weights, list) or len(weights) != EVALUATION_SIZE:
        raise wrong_weights(path, f"wanted are {EVALUATION_SIZE} weights")
    if any(type(weight) is not int or abs(weight) > _WEIGHT_LIMIT for weight in weights):
        raise wrong_weights(path, f"a weight is no whole number within {_WEIGHT_LIMIT}")
    return tuple(weights)


@cache
def evaluation_weights() -> tuple[int, ...]:
    """Return the weights of the package. Raises BuracoError as `read_evaluation` does."""
    return read_evaluation()
