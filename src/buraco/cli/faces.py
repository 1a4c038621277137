"""Cards and melds as people see them on a terminal, and rows of them that fit its width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rich.console import Console
from rich.text import Text

from buraco.cards import JOKER, RANKS, SUITS
from buraco.engine.shapes import MeldShape, unpack

__all__ = ["Faces", "HandOrder", "fill_rows", "hanging", "plain_input"]

HandOrder = Literal["suit", "rank"]

_SYMBOLS: Final = "♣♦♥♠"
# Four colours, so that no two suits are taken for each other.
_STYLES: Final = ("green", "bright_blue", "bright_red", "bold")
_JOKER_STYLE: Final = "bold magenta"


@dataclass(frozen=True, slots=True)
class Faces:
    """How cards are written: with suit symbols, or with letters where the terminal knows no others."""

    symbols: bool = True

    @classmethod
    def of(cls, console: Console) -> Faces:
        """Return the faces that a console can show."""
        return cls("utf" in console.encoding.lower())

    def suit(self, suit: int) -> str:
        """Return the sign of a suit."""
        return _SYMBOLS[suit] if self.symbols else SUITS[suit]

    def card(self, card: int) -> Text:
        """Return a card in its colour, such as ``7♥``, or ``X`` for a joker."""
        if card == JOKER:
            return Text("X", _JOKER_STYLE)
        return Text(RANKS[card % 13] + self.suit(card // 13), _STYLES[card // 13])

    def cards(self, cards: Iterable[int]) -> Text:
        """Return several cards in a row."""
        return Text(" ").join(self.card(card) for card in cards)

    def meld(self, packed: int) -> Text:
        """Return a meld: a run as its suit and ranks (``♥ 3 4 X=5 6``), a set as its cards, a wild with its place."""
        shape = unpack(packed)
        if not shape.is_run:
            row = [self.card(card) for card in shape.cards]
            if shape.has_wild:
                row[-1] = self._wild(shape, shape.rank)
            return Text(" ").join(row)
        style = _STYLES[shape.suit]
        row = [Text(self.suit(shape.suit), style)]
        for slot in range(shape.low, shape.high + 1):
            rank = (slot - 1) % 13
            row.append(self._wild(shape, rank) if slot == shape.wild_slot else Text(RANKS[rank], style))
        return Text(" ").join(row)

    def _wild(self, shape: MeldShape, rank: int) -> Text:
        return Text.assemble(self.card(shape.wild_card), ("=" + RANKS[rank], "bold"))

    def hand(self, cards: Sequence[int], width: int, order: HandOrder = "suit") -> list[Text]:
        """Return a hand in rows of at most ``width`` columns, by suits or by ranks; only a long suit is broken."""
        groups: dict[int, list[int]] = {}
        for card in sorted(cards, key=lambda card: _order_key(card, order)):
            groups.setdefault(_order_key(card, order)[0], []).append(card)
        return fill_rows([[self.card(card) for card in group] for group in groups.values()], width)

    def plain(self, card: int) -> str:
        """Return a card without colour."""
        return self.card(card).plain


def _order_key(card: int, order: HandOrder) -> tuple[int, int]:
    if card == JOKER:
        return 99, 0
    suit, rank = divmod(card, 13)
    return (suit, rank) if order == "suit" else (rank, suit)


def fill_rows(groups: Sequence[Sequence[Text]], width: int, gap: str = "   ") -> list[Text]:
    """Lay groups of words into rows of at most ``width`` columns, a group whole wherever it fits into a row at all."""
    rows: list[Text] = []
    for group in groups:
        whole = Text(" ").join(group)
        if rows and rows[-1].cell_len + len(gap) + whole.cell_len <= width:
            rows[-1] = Text.assemble(rows[-1], gap, whole)
        elif whole.cell_len <= width:
            rows.append(whole)
        else:
            rows += _broken(group, width)
    return rows


def _broken(words: Sequence[Text], width: int) -> list[Text]:
    rows = [Text()]
    for word in words:
        if rows[-1].cell_len and rows[-1].cell_len + 1 + word.cell_len > width:
            rows.append(Text())
        rows[-1] = Text.assemble(rows[-1], " ", word) if rows[-1].cell_len else word
    return rows


def plain_input(line: str) -> str:
    """Return a line with suit symbols as letters, so that cards can be typed as they are shown (``7♥`` as ``7h``)."""
    for symbols in (_SYMBOLS, "♧♢♡♤"):
        for symbol, letter in zip(symbols, SUITS, strict=True):
            line = line.replace(symbol, letter)
    return line.replace("\ufe0f", "")


def hanging(row: Text, indent: int, width: int) -> Text:
    """Break a long row at blanks to at most ``width`` columns; the rows after the first are indented."""
    rows = [Text()]
    for number, word in enumerate(row.split(" ")):
        wide = rows[-1].cell_len + 1 + word.cell_len > width
        if wide and rows[-1].cell_len > indent:
            rows.append(Text.assemble(" " * indent, word))
        else:
            rows[-1] = Text.assemble(rows[-1], " ", word) if number else word
    return Text("\n").join(rows)
