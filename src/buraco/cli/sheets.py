"""Score sheets on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from buraco.cli.faces import Faces
from buraco.cli.words import sentence
from buraco.engine import Position, ScoreLine, ScoreSheet
from buraco.texts import DEFAULT_LANGUAGE, text

__all__ = ["category_style", "seat_names", "sheet_table", "side_names"]


def seat_names(players: int, me: int | None = None, language: str = DEFAULT_LANGUAGE) -> tuple[str, ...]:
    """Return what the seats are called: from the place of seat ``me``, or by their numbers."""
    if me is None:
        return tuple(text("cli.seat.number", language, seat=seat) for seat in range(players))
    around = ("me", "opponent") if players == 2 else ("me", "left", "partner", "right")
    return tuple(text(f"cli.seat.{around[(seat - me) % players]}", language) for seat in range(players))


def side_names(players: int, me: int | None = None, language: str = DEFAULT_LANGUAGE) -> tuple[str, str]:
    """Return what the sides are called."""
    if me is None:
        return (text("cli.side.number", language, side=0), text("cli.side.number", language, side=1))
    own, other = (
        text(f"cli.side.{name}", language) for name in (("me", "opponent") if players == 2 else ("we", "they"))
    )
    return (own, other) if me & 1 == 0 else (other, own)


def category_style(category: str) -> str:
    """Return the colour of a canasta's category."""
    return "bold yellow" if category in ("dirty", "semi_clean") else "bold green"


@dataclass(frozen=True, slots=True)
class _Labels:
    """What the lines of score sheets stand for."""

    position: Position
    names: Sequence[str]
    faces: Faces
    me: int | None
    language: str

    def of(self, line: ScoreLine, side: int) -> Text:
        """Return what a line of a side's sheet stands for."""
        if line.kind == "meld":
            return self.faces.meld(self.position.melds[side][line.meld].packed)
        if line.kind == "bonus":
            return Text("  " + text(f"category.{line.category}", self.language), category_style(line.category))
        if line.kind == "out":
            return self._seat("out", line, "bold")
        if line.kind == "hand":
            return self._seat("held", line, cards=self.faces.cards(line.cards))
        if line.kind == "unplayed":
            return self._seat("unplayed", line)
        return sentence("score.no_morto", self.language)

    def _seat(self, key: str, line: ScoreLine, style: str = "", **parts: Text) -> Text:
        if line.seat == self.me:
            return sentence(f"score.{key}_me", self.language, style, **parts)
        return sentence(f"score.{key}", self.language, style, name=self.names[line.seat], **parts)


def sheet_table(
    sheets: Sequence[ScoreSheet],
    position: Position,
    names: Sequence[str],
    sides: Sequence[str],
    faces: Faces,
    *,
    me: int | None = None,
    language: str = DEFAULT_LANGUAGE,
) -> Table:
    """Return the sheets of both sides side by side, each line with its points, the totals last; ``me`` is the seat of
    the reader."""
    label = _Labels(position, names, faces, me, language)
    table = Table(box=None, padding=(0, 1), show_edge=False, pad_edge=False)
    columns: list[list[tuple[Text, str]]] = []
    for sheet in sheets:
        table.add_column(sides[sheet.side], header_style="bold underline", ratio=1, overflow="fold")
        table.add_column("", justify="right", min_width=5)
        labels = [label.of(line, sheet.side) for line in sheet.lines]
        columns.append([(label, f"{line.points:+d}") for label, line in zip(labels, sheet.lines, strict=True)])
    for index in range(max(len(column) for column in columns)):
        cells: list[Text | str] = []
        for column in columns:
            cells += column[index] if index < len(column) else (Text(), "")
        table.add_row(*cells)
    totals: list[Text | str] = []
    for sheet in sheets:
        totals += [sentence("score.sum", language, "bold"), Text(f"{sheet.total:+d}", "bold")]
    table.add_row(*totals)
    return table
