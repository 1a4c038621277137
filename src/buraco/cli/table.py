"""The table as one seat sees it, in rows of text that fit the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rich.text import Text

from buraco.cards import card_text
from buraco.cli.faces import Faces, HandOrder, fill_rows
from buraco.cli.sheets import category_style
from buraco.cli.story import count_text
from buraco.engine import MeldState, PileCard, Position, SeatView
from buraco.engine.scoresheet import meld_bonus, meld_category, meld_points
from buraco.engine.shapes import cards_points
from buraco.texts import text

__all__ = ["TableWriter", "duty_text", "goal_text", "prompt_text"]

MELDS_IN_ONE_COLUMN: Final = 5
"""More melds of a side than this are written in several columns, where the width allows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWriter:
    """Writes the table of a match in ``width`` columns; ``names`` are the seats' names, ``sides`` the sides'."""

    faces: Faces
    names: Sequence[str]
    sides: Sequence[str]
    width: int

    def rows(self, view: SeatView, deal_number: int, totals: tuple[int, int], order: HandOrder) -> list[Text]:
        """Return the whole table: scores, stock, pile, both sides' melds, the hand. ``totals`` are the match points."""
        position = view.position
        me = view.seat or 0
        own, other = me & 1, 1 - (me & 1)
        rows = [
            self.head(f"Deal {deal_number}, turn {position.turn_count + 1}", goal_text(position)),
            self._scores(position, totals, own),
            *self._counts(position, me),
            self.pile(position),
            *self._opening(position, own),
            *self._melds(position, other),
            *self._melds(position, own),
        ]
        return rows + self.hand(view, order)

    def head(self, left: str, right: str = "") -> Text:
        """Return a rule across the terminal with a title at its left and one at its right."""
        line = "─" if self.faces.symbols else "-"
        right = f" {right} {line * 2}" if right else ""
        left = f"{line * 2} {left} "
        fill = line * max(self.width - len(left) - len(right), 0)
        return Text(f"{left}{fill}{right}"[: self.width], "bold cyan")

    def hand(self, view: SeatView, order: HandOrder) -> list[Text]:
        """Return the hand, sorted, with a heading."""
        points = cards_points(view.position.rules, view.hand)
        heading = Text(f"Your hand: {count_text(len(view.hand), 'card')}, {points} points", "bold")
        rows = self.faces.hand(view.hand, self.width - 2, order)
        return [heading, *(Text.assemble("  ", row) for row in rows)]

    def meld(self, position: Position, side: int, number: int, *, short: bool = False) -> Text:
        """Return a meld with its number, and as what canasta it counts."""
        meld = position.melds[side][number]
        label = _canasta(position, meld, short=short)
        return Text.assemble((f"{number + 1:>3} ", "dim"), self.faces.meld(meld.packed), "  " if label else "", label)

    def pile(self, position: Position) -> Text:
        """Return the pile, the top card last; of a long one the cards nearest to the top."""
        if not position.pile:
            return Text("Pile: empty")
        known = [entry.card for entry in position.pile if entry.card is not None]
        closed = position.rules.pile_closed
        row = Text("Pile" if closed else f"Pile ({len(position.pile)}): ")
        if closed:
            return Text.assemble(row, f" of {len(position.pile)}, top ", self.faces.cards(known[-1:]))
        room = (self.width - row.cell_len - 2) // 3
        return Text.assemble(row, ".. " if len(known) > room else "", self.faces.cards(known[-room:]))

    def discarders(self, position: Position) -> list[Text]:
        """Return every card of the pile that may be seen with who discarded it, in rows, the top card last."""
        words = [[self._discarded(entry)] for entry in position.pile]
        return fill_rows(words, self.width - 2, gap="  ") or [Text("The pile is empty.")]

    def _discarded(self, entry: PileCard) -> Text:
        card = Text("hidden", "dim") if entry.card is None else self.faces.card(entry.card)
        return Text.assemble(card, (f" {self.names[entry.seat] if entry.seat >= 0 else 'up-card'}", "dim"))

    def _scores(self, position: Position, totals: tuple[int, int], own: int) -> Text:
        parts = []
        for side in (own, 1 - own):
            points = sum(meld_points(position.rules, meld) for meld in position.melds[side])
            parts.append(Text.assemble((f"{self.sides[side]} {totals[side]}", "bold"), f", {points:+d} on the table"))
        return Text("     ").join(parts)

    def _counts(self, position: Position, me: int) -> list[Text]:
        others = [(me + step) % position.players for step in range(1, position.players)]
        hands = ", ".join(f"{self.names[seat]} {position.hand_counts[seat]}" for seat in others)
        parts = [
            [Text.assemble("Stock ", (str(position.stock_count), "bold"))],
            [Text(self._mortos(position))],
            [Text(f"Cards in hand: {hands}")],
        ]
        return fill_rows(parts, self.width, gap="     ")

    def _mortos(self, position: Position) -> str:
        owners = position.morto_owner
        parts = [f"{owners.count(-1)} waiting"] if -1 in owners else []
        parts += [f"{self.sides[side]} took one" for side in (0, 1) if side in owners]
        parts += [f"{owners.count(2)} became the stock"] if 2 in owners else []
        return "Mortos: " + ", ".join(parts)

    def _opening(self, position: Position, own: int) -> list[Text]:
        need = position.opening_need
        parts = [f"{self.sides[side]} {need[side]}" for side in (own, 1 - own) if need[side]]
        if not parts:
            return []
        laid = f"; laid so far: {position.laid_points}" if position.laid_points else ""
        return [Text(f"Points needed to open: {', '.join(parts)}{laid}", "yellow")]

    def _melds(self, position: Position, side: int) -> list[Text]:
        melds = position.melds[side]
        heading = Text(f"{self.sides[side]}: no melds" if not melds else f"{self.sides[side]}:", "bold")
        many = len(melds) > MELDS_IN_ONE_COLUMN
        cells = [self.meld(position, side, number, short=many) for number in range(len(melds))]
        if not many:
            return [heading, *cells]
        return [heading, *_columns(cells, self.width)]


def _columns(cells: Sequence[Text], width: int) -> list[Text]:
    """Lay cells of any length side by side where two of them fit into a row; they read from left to right."""
    column = max(cell.cell_len for cell in cells) + 3
    count = max((width + 3) // column, 1)
    rows = []
    for first in range(0, len(cells), count):
        row = Text()
        for cell in cells[first : first + count]:
            row.append(" " * (-row.cell_len % column) if row.cell_len else "")
            row.append_text(cell)
        rows.append(row)
    return rows


def _canasta(position: Position, meld: MeldState, *, short: bool) -> Text:
    category = meld_category(position.rules, meld)
    if category == "plain":
        return Text()
    name = text(f"category.{category}")
    name = name.removesuffix(" canasta") if short else name
    return Text(f"{name} {meld_bonus(position.rules, category)}", category_style(category))


def goal_text(position: Position) -> str:
    """Return the rules' title and when the match ends."""
    rules = position.rules
    if rules.target_points:
        return f"{rules.title}, to {rules.target_points}"
    return f"{rules.title}, {count_text(rules.deal_count, 'deal')}"


def duty_text(position: Position) -> str:
    """Return what the seat to act has to do before anything else, or an empty text."""
    side = position.side
    if position.phase == "top":
        return f"You have to use the top card {card_text(position.top_card)} now, in a meld (m) or an addition (a)."
    if position.phase == "opening":
        rest = position.opening_need[side] - position.laid_points
        return f"Your opening has begun: lay melds worth {rest} points more."
    if position.phase == "discard":
        return "Only a discard is left in this turn."
    if position.barred_card >= 0:
        return f"You took {card_text(position.barred_card)} as a one-card pile: it may not be discarded in this turn."
    return ""


_PROMPTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "draw": "d draw, p take the pile",
        "choice": "k keep, r reject the card",
        "play": "m meld, a add, x discard",
        "top": "m meld, a add",
        "opening": "m meld",
        "discard": "x discard",
    }
)


def prompt_text(position: Position) -> str:
    """Return what the seat to act may do, as a prompt."""
    return f"{_PROMPTS[position.phase]} (? help) > "
