"""A picture of a deal with every card in view, drawn from rectangles, suits and letters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from buraco.cards import JOKER, is_wild_card
from buraco.engine.shapes import meld_cards

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from buraco.engine.deal import Deal

__all__ = ["PICTURE_SHAPE", "table_picture"]

PICTURE_SHAPE: Final = (640, 960, 3)
"""Rows, columns and colours of a picture."""

_HEIGHT, _WIDTH, _ = PICTURE_SHAPE
_RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_CLOTH: Final = (24, 84, 62)
_SHADE: Final = (18, 66, 48)
_PAPER: Final = (250, 249, 244)
_WILD_PAPER: Final = (253, 236, 176)
_EDGE: Final = (60, 60, 60)
_BACK: Final = (52, 82, 148)
_LIGHT: Final = (240, 240, 235)
_TURN: Final = (250, 200, 60)
_INKS: Final = ((20, 20, 20), (190, 30, 30), (190, 30, 30), (20, 20, 20), (110, 40, 140))
_MARGIN: Final = 12
_HAND_ROW: Final = 56
_CENTRE: Final = 76
_LABEL: Final = 34
_CARD: Final = 30
_CARD_MIN: Final = 8
# How much higher than wide a card is, and how much of its width shows when another lies on it.
_RATIO: Final = 1.42
_STEP: Final = 0.62


@dataclass(frozen=True, slots=True)
class _Box:
    """A part of the picture."""

    left: float
    top: float
    width: float
    height: float


def table_picture(deal: Deal, totals: tuple[int, int]) -> NDArray[np.uint8]:
    """Return the picture of a deal, `PICTURE_SHAPE`, red, green and blue from 0 to 255.

    From the top: the hands of side 1, its melds, then totals, stock, mortos and pile, the melds of side 0, its hands.
    The seat to act is marked.
    """
    image = Image.new("RGB", (_WIDTH, _HEIGHT), _CLOTH)
    draw = ImageDraw.Draw(image)
    rows = deal.players // 2
    melds = (_HEIGHT - 2 * rows * _HAND_ROW - _CENTRE) / 2
    top = 0.0
    for seat in range(1, deal.players, 2):
        _hand(draw, deal, seat, top)
        top += _HAND_ROW
    _melds(draw, deal, 1, _Box(_MARGIN, top, _WIDTH - 2 * _MARGIN, melds))
    top += melds
    _centre(draw, deal, totals, top)
    top += _CENTRE
    _melds(draw, deal, 0, _Box(_MARGIN, top, _WIDTH - 2 * _MARGIN, melds))
    top += melds
    for seat in range(0, deal.players, 2):
        _hand(draw, deal, seat, top)
        top += _HAND_ROW
    return np.asarray(image, np.uint8).copy()


def _hand(draw: ImageDraw.ImageDraw, deal: Deal, seat: int, top: float) -> None:
    """Draw the hand of a seat with its number, marked if it is to act."""
    acting = seat == deal.seat and not deal.over
    draw.rectangle((0, top, _WIDTH, top + _HAND_ROW), _SHADE)
    middle = (_MARGIN + 12, top + _HAND_ROW / 2)
    draw.ellipse((middle[0] - 12, middle[1] - 12, middle[0] + 12, middle[1] + 12), _TURN if acting else _LIGHT)
    draw.text(middle, str(seat), _EDGE, _font(15), anchor="mm")
    _row(draw, deal.hand(seat), _Box(_MARGIN + _LABEL, top + 6, _WIDTH - 2 * _MARGIN - _LABEL, 0), _CARD)


def _centre(draw: ImageDraw.ImageDraw, deal: Deal, totals: tuple[int, int], top: float) -> None:
    """Draw the totals, the stock, the mortos that wait, and the pile, its top last."""
    middle = top + _CENTRE / 2
    card_top = middle - _CARD * _RATIO / 2
    draw.text((_MARGIN, middle - 12), str(totals[1]), _LIGHT, _font(16), anchor="lm")
    draw.text((_MARGIN, middle + 12), str(totals[0]), _LIGHT, _font(16), anchor="lm")
    left = 90.0
    _back(draw, left, card_top, deal.stock_count)
    for index in range(2):
        left += _CARD + 12
        if cards := deal.morto_cards(index):
            _back(draw, left, card_top, len(cards))
    left += _CARD + 30
    pile = [card for card, _, _ in deal.pile_cards()]
    _row(draw, pile, _Box(left, card_top, _WIDTH - _MARGIN - left, 0), _CARD)


def _melds(draw: ImageDraw.ImageDraw, deal: Deal, side: int, box: _Box) -> None:
    """Draw the melds of a side as large as they fit."""
    melds = [meld_cards(packed) for packed in deal.meld_list(side)]
    size, places = _CARD, list(_flow(melds, box, _CARD))
    while size > _CARD_MIN and places and places[-1][1] + size * _RATIO > box.top + box.height:
        size -= 1
        places = list(_flow(melds, box, size))
    for cards, (left, top) in zip(melds, places, strict=True):
        _row(draw, cards, _Box(left, top, box.width, 0), size)


def _flow(melds: Iterable[Sequence[int]], box: _Box, size: int) -> Iterator[tuple[float, float]]:
    """Yield where melds lie, in rows from the left, with cards of a width."""
    left, top = box.left, box.top + 6
    for cards in melds:
        width = size * (1 + _STEP * (len(cards) - 1))
        if left > box.left and left + width > box.left + box.width:
            left, top = box.left, top + size * _RATIO + 6
        yield left, top
        left += width + size * 0.6


def _row(draw: ImageDraw.ImageDraw, cards: Sequence[int], box: _Box, size: int) -> None:
    """Draw cards side by side, nearer to each other where the width does not allow more."""
    step = size * _STEP
    if len(cards) > 1:
        step = min(step, (box.width - size) / (len(cards) - 1))
    for index, card in enumerate(cards):
        _face(draw, card, box.left + index * step, box.top, size)


def _face(draw: ImageDraw.ImageDraw, card: int, left: float, top: float, size: int) -> None:
    """Draw the face of a card: rank and suit in its left half, which is seen under the next card too."""
    paper = _WILD_PAPER if is_wild_card(card) else _PAPER
    draw.rounded_rectangle((left, top, left + size, top + size * _RATIO), size / 8, paper, _EDGE)
    suit = 4 if card == JOKER else card // 13
    ink, middle = _INKS[suit], left + size * 0.33
    if card != JOKER:
        draw.text((middle, top + size * 0.36), _RANKS[card % 13], ink, _font(size * 0.46), anchor="mm")
    _suit(draw, suit, middle, top + size * (0.92 if card != JOKER else 0.7), size * 0.24, ink)


def _suit(draw: ImageDraw.ImageDraw, suit: int, x: float, y: float, size: float, ink: tuple[int, int, int]) -> None:
    """Draw clubs, diamonds, hearts, spades or the star of a joker (4) around a point."""
    if suit == 1:
        draw.polygon([(x, y - size), (x + size * 0.8, y), (x, y + size), (x - size * 0.8, y)], ink)
    elif suit == 4:
        turns = [(math.pi * (k / 5 - 0.5), size * (1.3 if k % 2 == 0 else 0.5)) for k in range(10)]
        draw.polygon([(x + math.cos(turn) * reach, y + math.sin(turn) * reach) for turn, reach in turns], ink)
    elif suit == 2:
        _discs(draw, [(x - size * 0.45, y - size * 0.4), (x + size * 0.45, y - size * 0.4)], size * 0.52, ink)
        draw.polygon([(x - size * 0.92, y - size * 0.15), (x + size * 0.92, y - size * 0.15), (x, y + size)], ink)
    else:
        draw.polygon([(x, y), (x + size * 0.4, y + size), (x - size * 0.4, y + size)], ink)
        if suit == 0:
            places = [(x, y - size * 0.5), (x - size * 0.5, y + size * 0.25), (x + size * 0.5, y + size * 0.25)]
            _discs(draw, places, size * 0.45, ink)
        else:
            _discs(draw, [(x - size * 0.45, y + size * 0.3), (x + size * 0.45, y + size * 0.3)], size * 0.5, ink)
            draw.polygon([(x - size * 0.9, y + size * 0.12), (x + size * 0.9, y + size * 0.12), (x, y - size)], ink)


def _discs(
    draw: ImageDraw.ImageDraw, places: Iterable[tuple[float, float]], reach: float, ink: tuple[int, int, int]
) -> None:
    for x, y in places:
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), ink)


def _back(draw: ImageDraw.ImageDraw, left: float, top: float, count: int) -> None:
    """Draw the back of a heap of cards with their number."""
    draw.rounded_rectangle((left, top, left + _CARD, top + _CARD * _RATIO), 4, _BACK, _LIGHT)
    draw.text((left + _CARD / 2, top + _CARD * _RATIO / 2), str(count), _LIGHT, _font(14), anchor="mm")


def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(max(6.0, size))
