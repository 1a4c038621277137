"""Score sheets on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from buraco.cli.faces import Faces
from buraco.engine import Position, ScoreLine, ScoreSheet
from buraco.texts import text

__all__ = ["category_style", "line_label", "seat_names", "sheet_table", "side_names"]


def seat_names(players: int, me: int | None = None) -> tuple[str, ...]:
    """Return what the seats are called: from the place of seat ``me``, or by their numbers."""
    if me is None:
        return tuple(f"Seat {seat}" for seat in range(players))
    around = ("You", "Opponent") if players == 2 else ("You", "Left", "Partner", "Right")
    return tuple(around[(seat - me) % players] for seat in range(players))


def side_names(players: int, me: int | None = None) -> tuple[str, str]:
    """Return what the sides are called."""
    if me is None:
        return ("Side 0", "Side 1")
    names = ("You", "Opponent") if players == 2 else ("We", "They")
    return (names[0], names[1]) if me & 1 == 0 else (names[1], names[0])


def category_style(category: str) -> str:
    """Return the colour of a canasta's category."""
    return "bold yellow" if category in ("dirty", "semi_clean") else "bold green"


def line_label(line: ScoreLine, side: int, position: Position, names: Sequence[str], faces: Faces) -> Text:
    """Return what a line of a score sheet stands for."""
    if line.kind == "meld":
        return faces.meld(position.melds[side][line.meld].packed)
    if line.kind == "bonus":
        return Text("  " + text(f"category.{line.category}"), category_style(line.category))
    if line.kind == "out":
        return Text(f"{names[line.seat]} went out", "bold")
    if line.kind == "hand":
        return Text.assemble(f"{names[line.seat]} held ", faces.cards(line.cards))
    if line.kind == "unplayed":
        return Text(f"{names[line.seat]} never played the morto")
    return Text("no morto taken")


def sheet_table(
    sheets: Sequence[ScoreSheet], position: Position, names: Sequence[str], sides: Sequence[str], faces: Faces
) -> Table:
    """Return the sheets of both sides side by side, each line with its points, the totals last."""
    table = Table(box=None, padding=(0, 1), show_edge=False, pad_edge=False)
    columns: list[list[tuple[Text, str]]] = []
    for sheet in sheets:
        table.add_column(sides[sheet.side], header_style="bold underline", ratio=1, overflow="fold")
        table.add_column("", justify="right", min_width=5)
        labels = [line_label(line, sheet.side, position, names, faces) for line in sheet.lines]
        columns.append([(label, f"{line.points:+d}") for label, line in zip(labels, sheet.lines, strict=True)])
    for index in range(max(len(column) for column in columns)):
        cells: list[Text | str] = []
        for column in columns:
            cells += column[index] if index < len(column) else (Text(), "")
        table.add_row(*cells)
    totals: list[Text | str] = []
    for sheet in sheets:
        totals += [Text("this deal", "bold"), Text(f"{sheet.total:+d}", "bold")]
    table.add_row(*totals)
    return table
