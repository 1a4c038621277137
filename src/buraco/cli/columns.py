"""Tables whose cells stay whole on a terminal of any width, and whose rows are lines in a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Final

from rich.cells import cell_len
from rich.console import Console

__all__ = ["show_table"]

_GAP: Final = "  "


def show_table(out: Console, heads: Sequence[str], rows: Sequence[Sequence[str]], *, figures: bool = True) -> None:
    """Show a name and its figures in each row, or with ``figures`` false its texts, which begin below one another.

    A name that leaves no room beside it on a terminal has a line of its own, and where the figures alone have none each
    is told with its heading: no figure is ever cut. Into a pipe or a file a row is a line, however long.
    """
    widths = [max(cell_len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]

    def line(cells: Sequence[str], first: int) -> str:
        padded = []
        for column, cell in enumerate(cells, first):
            blanks = " " * (widths[column] - cell_len(cell))
            padded.append(blanks + cell if figures and column else cell + blanks)
        return _GAP.join(padded).rstrip()

    def wide(first: int) -> int:
        return sum(widths[first:]) + len(_GAP) * (len(widths) - first - 1)

    if not out.is_terminal or wide(0) <= out.width:
        out.print(line(heads, 0), style="bold", soft_wrap=True)
        for row in rows:
            out.print(line(row, 0), soft_wrap=True)
    elif wide(1) <= out.width:
        out.print(heads[0], style="bold", soft_wrap=True)
        out.print(line(heads[1:], 1), style="bold", soft_wrap=True)
        for row in rows:
            out.print(row[0], soft_wrap=True)
            out.print(line(row[1:], 1), soft_wrap=True)
    else:
        for row in rows:
            out.print(row[0], style="bold", soft_wrap=True)
            told = (f"{head} {cell}".strip() for head, cell in zip(heads[1:], row[1:], strict=True) if cell)
            out.print(fill(", ".join(told), out.width, initial_indent="  ", subsequent_indent="  "), soft_wrap=True)
