"""The page about the environments: its tables are the engine's."""

from __future__ import annotations

import inspect
import re

import pytest

from buraco.env import PARTS, aec, single
from scripts import env_page

PAGE = env_page.PAGE.read_text(encoding="utf-8")


def test_the_tables_are_written_from_the_parts() -> None:
    assert env_page.with_tables(PAGE) == PAGE, "run python -m scripts.env_page --write"


def test_every_part_and_column_has_a_row() -> None:
    shown = env_page.tables()
    for one in PARTS:
        assert f"| `{one.name}` | {one.first} |" in shown
        assert all(f"| `{column.name}` | {column.meaning} |" in shown for column in one.columns)


def test_a_page_without_the_marks_is_an_error() -> None:
    with pytest.raises(ValueError, match="marks"):
        env_page.with_tables("no marks here")


@pytest.mark.parametrize("make", [aec, single])
def test_every_argument_has_a_row_with_its_default(make: object) -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", PAGE, re.MULTILINE))
    assert callable(make)
    for name, parameter in inspect.signature(make).parameters.items():
        assert rows[name].replace('"', "'") == repr(parameter.default)
