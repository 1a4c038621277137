"""The lesson of playing shows a real turn in the terminal; ``python -m scripts.terminal_table --write`` renews it."""

from __future__ import annotations

from scripts import terminal_table


def test_the_picture_in_the_lesson_is_what_the_match_shows() -> None:
    page = terminal_table.PAGE.read_text(encoding="utf-8")
    assert page == terminal_table.with_picture(page)


def test_the_picture_shows_a_whole_turn_in_eighty_columns() -> None:
    shown = terminal_table.picture()
    rows = shown.splitlines()
    assert max(map(len, rows)) <= 80
    assert rows[-1].rpartition(" > ")[2].startswith("x ")
    assert all(word in shown for word in ("We:", "They:", "Your hand:", "Hint: ", "clean"))
