"""Victory points of federation tournaments."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from buraco.errors import RulesError
from buraco.rules import VICTORY_DEALS, victory_points

# The rows of the table: from, to, victory points of the better side.
THREE = [
    (0, 50, 10),
    (55, 150, 11),
    (155, 250, 12),
    (255, 350, 13),
    (355, 500, 14),
    (505, 650, 15),
    (655, 800, 16),
    (805, 1000, 17),
    (1005, 1250, 18),
    (1255, 1500, 19),
    (1505, 9000, 20),
]
FOUR = [
    (0, 100, 10),
    (105, 300, 11),
    (305, 500, 12),
    (505, 700, 13),
    (705, 900, 14),
    (905, 1100, 15),
    (1105, 1300, 16),
    (1305, 1500, 17),
    (1505, 1700, 18),
    (1705, 2000, 19),
    (2005, 9000, 20),
]


@pytest.mark.parametrize(("deals", "rows"), [(3, THREE), (4, FOUR)])
def test_every_row_of_the_table_at_both_ends(deals: int, rows: list[tuple[int, int, int]]) -> None:
    for low, high, points in rows:
        for difference in (low, high):
            assert victory_points(difference, deals) == (points, 20 - points)
            assert victory_points(-difference, deals) == (20 - points, points)


@pytest.mark.parametrize("deals", VICTORY_DEALS)
def test_the_points_of_both_sides_add_up_to_twenty_and_never_fall(deals: int) -> None:
    better = [victory_points(difference, deals)[0] for difference in range(-2500, 2505, 5)]
    assert better == sorted(better)
    assert all(sum(victory_points(difference, deals)) == 20 for difference in range(-2500, 2505, 5))


@pytest.mark.parametrize("deals", [0, 2, 5, -3])
def test_other_numbers_of_deals_have_no_table(deals: int) -> None:
    with pytest.raises(RulesError) as caught:
        victory_points(100, deals)
    assert caught.value.code == "no_victory_table"


def test_the_table_of_the_page_of_sources_is_that_of_the_function() -> None:
    page = Path(__file__).parents[2] / "docs" / "rules-sources.md"
    told = page.read_text(encoding="utf-8").partition("| three deals |")[2]
    rows = [re.findall(r"\d+", line) for line in told.splitlines() if re.match(r"\| (\d|over)", line)]
    shown = [[int(number) for number in row] for row in rows]
    expected = [
        [*three[:2], three[2], 20 - three[2], *four[:2], four[2], 20 - four[2]]
        for three, four in zip(THREE, FOUR, strict=True)
    ]
    assert shown[:-1] == expected[:-1]
    assert shown[-1] == [1500, 20, 0, 2000, 20, 0]
