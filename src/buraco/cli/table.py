"""The table as one seat sees it, in rows of text that fit the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from buraco.cards import card_text
from buraco.cli.faces import Faces, HandOrder, fill_rows
from buraco.cli.sheets import category_style
from buraco.cli.words import sentence
from buraco.engine import MeldState, PileCard, Position, SeatView
from buraco.engine.scoresheet import meld_bonus, meld_category, meld_points
from buraco.engine.shapes import cards_points
from buraco.rules import title_in
from buraco.texts import DEFAULT_LANGUAGE, text

__all__ = ["TableWriter", "duty_text", "goal_text", "prompt_text"]

MELDS_IN_ONE_COLUMN: Final = 5
"""More melds of a side than this are written in several columns, where the width allows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWriter:
    """Writes the table of a match in ``width`` columns, in a language; ``names`` are the seats' names, ``sides`` the
    sides'."""

    faces: Faces
    names: Sequence[str]
    sides: Sequence[str]
    width: int
    language: str = DEFAULT_LANGUAGE

    def rows(self, view: SeatView, deal_number: int, totals: tuple[int, int], order: HandOrder) -> list[Text]:
        """Return the whole table: scores, stock, pile, both sides' melds, the hand. ``totals`` are the match points."""
        position = view.position
        me = view.seat or 0
        own, other = me & 1, 1 - (me & 1)
        rows = [
            self.head(
                text("cli.table.head", self.language, deal=deal_number, turn=position.turn_count + 1),
                goal_text(position, self.language),
            ),
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
        heading = self._say("hand", "bold", n=len(view.hand), points=points)
        rows = self.faces.hand(view.hand, self.width - 2, order)
        return [heading, *(Text.assemble("  ", row) for row in rows)]

    def meld(self, position: Position, side: int, number: int, *, short: bool = False) -> Text:
        """Return a meld with its number, and as what canasta it counts."""
        meld = position.melds[side][number]
        label = _canasta(position, meld, self.language, short=short)
        return Text.assemble((f"{number + 1:>3} ", "dim"), self.faces.meld(meld.packed), "  " if label else "", label)

    def pile(self, position: Position) -> Text:
        """Return the pile, the top card last; of a long one the cards nearest to the top."""
        if not position.pile:
            return self._say("pile_empty")
        known = [entry.card for entry in position.pile if entry.card is not None]
        count = len(position.pile)
        if position.rules.pile_closed:
            return self._say("pile_closed", count=count, cards=self.faces.cards(known[-1:]))
        room = (self.width - self._say("pile", count=count, cards="").cell_len - 2) // 3
        shown = Text.assemble(".. " if len(known) > room else "", self.faces.cards(known[-room:]))
        return self._say("pile", count=count, cards=shown)

    def discarders(self, position: Position) -> list[Text]:
        """Return every card of the pile that may be seen with who discarded it, in rows, the top card last."""
        words = [[self._discarded(entry)] for entry in position.pile]
        return fill_rows(words, self.width - 2, gap="  ") or [self._say("no_pile")]

    def _discarded(self, entry: PileCard) -> Text:
        card = self._say("hidden", "dim") if entry.card is None else self.faces.card(entry.card)
        whose = self.names[entry.seat] if entry.seat >= 0 else text("cli.table.up_card", self.language)
        return Text.assemble(card, (f" {whose}", "dim"))

    def _say(self, key: str, style: str = "", **parts: Text | str | int) -> Text:
        return sentence(f"table.{key}", self.language, style, **parts)

    def _scores(self, position: Position, totals: tuple[int, int], own: int) -> Text:
        parts = []
        for side in (own, 1 - own):
            points = sum(meld_points(position.rules, meld) for meld in position.melds[side])
            score = (f"{self.sides[side]} {totals[side]}", "bold")
            parts.append(Text.assemble(score, ", ", self._say("on_table", points=f"{points:+d}")))
        return Text("     ").join(parts)

    def _counts(self, position: Position, me: int) -> list[Text]:
        others = [(me + step) % position.players for step in range(1, position.players)]
        hands = ", ".join(f"{self.names[seat]} {position.hand_counts[seat]}" for seat in others)
        parts = [
            [self._say("stock", count=Text(str(position.stock_count), "bold"))],
            [self._mortos(position)],
            [self._say("hands", hands=hands)],
        ]
        return fill_rows(parts, self.width, gap="     ")

    def _mortos(self, position: Position) -> Text:
        owners = position.morto_owner
        parts = [self._say("waiting", count=owners.count(-1))] if -1 in owners else []
        parts += [self._say("took", side=self.sides[side]) for side in (0, 1) if side in owners]
        parts += [self._say("refilled", count=owners.count(2))] if 2 in owners else []
        return self._say("mortos", mortos=Text(", ").join(parts))

    def _opening(self, position: Position, own: int) -> list[Text]:
        need = position.opening_need
        parts = [f"{self.sides[side]} {need[side]}" for side in (own, 1 - own) if need[side]]
        if not parts:
            return []
        laid = position.laid_points
        return [self._say("need_laid" if laid else "need", "yellow", needs=", ".join(parts), points=laid)]

    def totals(self, totals: tuple[int, int], own: int) -> Text:
        """Return the match points of both sides, the own one first."""
        return sentence(
            "play.totals",
            self.language,
            "bold",
            own=self.sides[own],
            own_points=totals[own],
            other=self.sides[1 - own],
            other_points=totals[1 - own],
        )

    def _melds(self, position: Position, side: int) -> list[Text]:
        melds = position.melds[side]
        heading = self._say("melds" if melds else "no_melds", "bold", side=self.sides[side])
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


def _canasta(position: Position, meld: MeldState, language: str, *, short: bool) -> Text:
    category = meld_category(position.rules, meld)
    if category == "plain":
        return Text()
    name = text(f"cli.table.short.{category}" if short else f"category.{category}", language)
    return Text(f"{name} {meld_bonus(position.rules, category)}", category_style(category))


def goal_text(position: Position, language: str = DEFAULT_LANGUAGE) -> str:
    """Return the rules' title and when the match ends."""
    rules, title = position.rules, title_in(position.rules, language)
    if rules.target_points:
        return text("cli.table.target", language, title=title, points=rules.target_points)
    return text("cli.table.deals", language, title=title, n=rules.deal_count)


def duty_text(position: Position, language: str = DEFAULT_LANGUAGE) -> str:
    """Return what the seat to act has to do before anything else, or an empty text."""
    side = position.side
    if position.phase == "top":
        return text("cli.duty.top", language, card=card_text(position.top_card))
    if position.phase == "opening":
        rest = position.opening_need[side] - position.laid_points
        return text("cli.duty.opening", language, points=rest)
    if position.phase == "discard":
        return text("cli.duty.discard", language)
    if position.barred_card >= 0:
        return text("cli.duty.barred", language, card=card_text(position.barred_card))
    return ""


def prompt_text(position: Position, language: str = DEFAULT_LANGUAGE) -> str:
    """Return what the seat to act may do, as a prompt."""
    return text(f"cli.prompt.{position.phase}", language)
