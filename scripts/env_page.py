"""Write the tables of docs/env.md: what each number of an observation means, from the table that the engine writes by.

python -m scripts.env_page           print them
python -m scripts.env_page --write   put them into docs/env.md, between their two marks
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from buraco.engine.constants import OBSERVATION_SIZE
from buraco.engine.observation_parts import PARTS, Part
from scripts.marked import with_part

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "env.md"
MARKS: Final = ("<!-- observation: start -->", "<!-- observation: end -->")


def tables() -> str:
    """Return the table of the parts and, for each part whose numbers differ, the table of its columns."""
    return "\n".join(_lines())


def with_tables(page: str) -> str:
    """Return a page with the tables of today between its marks. Raises ValueError where a mark is missing."""
    return with_part(page, MARKS, tables())


def _lines() -> Iterator[str]:
    yield "| part | first | shape | axes | range | meaning |"
    yield "|---|---:|---|---|---|---|"
    for one in PARTS:
        shape = " × ".join(str(size) for size in one.shape)
        meaning = one.meaning + (" (columns below)" if one.columns else "")
        yield f"| `{one.name}` | {one.first} | {shape} | {one.axes} | {one.low} … {one.high} | {meaning} |"
    yield ""
    yield f"Together {OBSERVATION_SIZE:,} numbers."
    for one in PARTS:
        if one.columns:
            yield ""
            yield from _columns(one)


def _columns(one: Part) -> Iterator[str]:
    yield f"| | `{one.name}`: column | meaning |"
    yield "|---:|---|---|"
    for number, column in enumerate(one.columns):
        yield f"| {number} | `{column.name}` | {column.meaning} |"


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(tables())
