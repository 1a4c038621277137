"""The README shows a real turn of the terminal match; ``python scripts/readme_table.py --write`` renews it."""

from __future__ import annotations

from scripts import readme_table


def test_the_picture_in_the_readme_is_what_the_match_shows() -> None:
    readme = readme_table.README.read_text(encoding="utf-8")
    assert readme == readme_table.with_picture(readme, readme_table.picture())


def test_the_picture_shows_a_whole_turn_in_eighty_columns() -> None:
    shown = readme_table.picture()
    rows = shown.splitlines()
    assert max(map(len, rows)) <= 80
    assert rows[-1].rpartition(" > ")[2].startswith("x ")
    assert all(word in shown for word in ("We:", "They:", "Your hand:", "Hint: ", "clean"))
