"""The weights of the club heuristic: read once from data, checked, and laid out as the engine wants them.

The file is JSON: ``format``, ``weights`` (``club`` and ``novice``; each with the `VARIANTS`, each of which
gives every weight of `WEIGHT_NAMES` a whole number, or names another variant that does), and ``provenance``, a
record of where they come from. A missing, damaged or wrong file is an error, never a fall-back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from buraco.engine import constants
from buraco.engine.constants import CLUB_ROW, CLUB_VARIANTS
from buraco.errors import BuracoError
from buraco.texts import message

if TYPE_CHECKING:
    from buraco.rules import RuleSet

__all__ = [
    "VARIANTS",
    "WEIGHTS_FILE",
    "WEIGHT_LIMIT",
    "WEIGHT_NAMES",
    "default_weights",
    "flat_weights",
    "read_form",
    "read_weights",
    "variant_of",
    "wrong_weights",
]

WEIGHTS_FILE: Final = Path(__file__).resolve().parent / "data" / "club.json"
"""Where the package keeps the weights."""

WEIGHTS_FORMAT: Final = "buraco-club-1"
WEIGHT_LIMIT: Final = 100_000
"""How far from 0 a weight may be."""

VARIANTS: Final = tuple(
    f"{pile}-{canasta}-{melds}-{wilds}-{players}"
    for pile in ("open", "closed")
    for canasta in ("clean", "any")
    for melds in ("runs", "sets")
    for wilds in ("jokers", "twos")
    for players in (4, 2)
)
"""The pile, the canasta that closing needs, whether there are sets, and jokers, and the number of players."""


def _names() -> tuple[str, ...]:
    numbered = {value: key for key, value in vars(constants).items() if key.startswith("WEIGHT_")}
    return tuple(numbered[number].removeprefix("WEIGHT_").lower() for number in range(len(numbered)))


#: The names of the weights in the order of their numbers (``WEIGHT_…`` in `constants`).
WEIGHT_NAMES: Final = _names()

Weights = Mapping[str, Mapping[str, int]]


def variant_of(rules: RuleSet, players: int) -> str:
    """Return the name of the variant that a table uses, by the fields of its rules."""
    pile, melds = "closed" if rules.pile_closed else "open", "sets" if rules.sets else "runs"
    wilds = "jokers" if rules.joker_count else "twos"
    return f"{pile}-{rules.close_canasta}-{melds}-{wilds}-{2 if players == 2 else 4}"


def wrong_weights(path: Path, why: str) -> BuracoError:
    """Return the error (code ``weights_wrong``) that says what is wrong inside a file of weights."""
    return BuracoError("weights_wrong", message("error.weights_wrong", file=str(path), why=why))


def read_form(path: Path, name: str) -> dict[str, Any]:
    """Return what a file of weights of the format ``name`` holds.

    Raises BuracoError: ``weights_missing`` (no such file, or it cannot be read), ``weights_damaged`` (no JSON),
    ``weights_wrong`` (another format).
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise BuracoError("weights_missing", message("error.weights_missing", file=str(path), why=why)) from error
    except (ValueError, RecursionError) as error:
        raise BuracoError("weights_damaged", message("error.weights_damaged", file=str(path))) from error
    if not isinstance(data, dict) or data.get("format") != name:
        raise wrong_weights(path, f"its format is not {name}")
    return data


def _check(path: Path, level: str, given: Any) -> dict[str, dict[str, int]]:
    if not isinstance(given, dict) or set(given) != set(VARIANTS):
        raise wrong_weights(path, f"{level}: wanted are the variants {', '.join(VARIANTS)}")
    rows = {variant: given.get(row, row) if isinstance(row, str) else row for variant, row in given.items()}
    for variant, row in rows.items():
        if not isinstance(row, dict) or set(row) != set(WEIGHT_NAMES):
            missing = sorted(set(WEIGHT_NAMES) ^ set(row if isinstance(row, dict) else ()))
            raise wrong_weights(path, f"{level}, {variant}: missing or unknown: {', '.join(missing)[:200]}")
        for name, value in row.items():
            if type(value) is not int or abs(value) > WEIGHT_LIMIT:
                raise wrong_weights(path, f"{level}, {variant}: {name} is no whole number within {WEIGHT_LIMIT}")
    return rows


def read_weights(path: Path = WEIGHTS_FILE) -> dict[str, dict[str, dict[str, int]]]:
    """Return the weights of a file: level, variant, name.

    Raises BuracoError as `read_form` does, ``weights_wrong`` too for a weight that is missing, unknown or no whole
    number.
    """
    levels = read_form(path, WEIGHTS_FORMAT).get("weights")
    if not isinstance(levels, dict) or set(levels) != {"club", "novice"}:
        raise wrong_weights(path, "wanted are the levels club and novice")
    return {level: _check(path, level, given) for level, given in levels.items()}


def flat_weights(weights: Weights) -> tuple[int, ...]:
    """Return one level's weights as the engine lays them out: a row of `CLUB_ROW` numbers for each variant."""
    rows: list[int] = []
    for variant in VARIANTS:
        row: Sequence[int] = [weights[variant][name] for name in WEIGHT_NAMES]
        rows += [*row, *([0] * (CLUB_ROW - len(row)))]
    assert len(rows) == CLUB_VARIANTS * CLUB_ROW
    return tuple(rows)


@cache
def default_weights() -> tuple[int, ...]:
    """Return what a workspace holds at first: the club's weights for side 0, for side 1, and those of the beginner.

    Raises BuracoError as `read_weights` does.
    """
    levels = read_weights()
    club = flat_weights(levels["club"])
    return (*club, *club, *flat_weights(levels["novice"]))
