"""The order of the pack, and every other draw of a match, from one seed: documented, unbiased, the same everywhere.

**The source of randomness** is HMAC-SHA-256 in counter mode. The key is the 32-byte seed; the message of block
``i`` = 0, 1, 2, ... is the label followed by ``i`` as eight bytes, most significant first. The blocks, one after the
other, are read as words of four bytes, most significant first.

**A number below n** (n from 1 to 2^32) is the first word ``w`` below the largest multiple of n that does not exceed
2^32, modulo n; words above it are thrown away, so that no number is favoured.

**A shuffle** is that of Fisher and Yates: for ``i`` from the last index down to 1, a number ``j`` below ``i + 1`` is
drawn and the cards ``i`` and ``j`` change places. It begins with `ordered_pack`.

**The label** is UTF-8 text of four lines without a last line end: ``buraco-draw-1``, the match's name, the number of
the deal (0 for what precedes the first, such as the draw for the first dealer), and the purpose (``pack``,
``dealer 1``, ``cut``). So one seed gives independent draws for every purpose.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Final, TypeVar

from buraco.cards import JOKER, RANKS, SUITS
from buraco.engine.arguments import whole_number
from buraco.errors import BuracoError

if TYPE_CHECKING:
    from buraco.rules import RuleSet

__all__ = ["SEED_BYTES", "Draws", "draw_label", "ordered_pack", "seed_bytes", "shuffled_pack"]

SEED_BYTES: Final = 32
"""The length of a seed in bytes."""

_WORD_LIMIT: Final = 1 << 32
_LABEL_HEAD: Final = "buraco-draw-1"
_Item = TypeVar("_Item")


def ordered_pack(rules: RuleSet) -> tuple[int, ...]:
    """Return the cards of the pack of the rules before any shuffle.

    Suits in the order c d h s, in each the ranks A 2 ... K, every card as often as the pack has it, then the jokers.
    """
    cards = [
        suit * 13 + rank
        for suit in range(4)
        for rank in range(13)
        for _ in range(rules.pack_copies)
        if SUITS[suit] in rules.pack_suits and RANKS[rank] in rules.pack_ranks
    ]
    return (*cards, *(JOKER for _ in range(rules.joker_count)))


def seed_bytes(seed: int | bytes) -> bytes:
    """Return a seed as 32 bytes.

    Bytes must be 32 and are returned as they are; a number gives the SHA-256 of ``buraco-seed-1``, a line end and its
    decimal digits (with a minus sign if it is negative). Raises BuracoError (code ``seed_length``), TypeError for what
    is neither.
    """
    if not isinstance(seed, bytes | bytearray | memoryview):
        number = whole_number("a seed that is not bytes", seed)
        return sha256(f"buraco-seed-1\n{number}".encode()).digest()
    if len(seed) != SEED_BYTES:
        raise BuracoError("seed_length", f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    return bytes(seed)


def draw_label(match: str, deal: int, purpose: str) -> bytes:
    """Return the label of a draw: four lines of text, as the module says.

    Raises BuracoError (code ``draw_label``) for a name with a line end, which could pass for another label, or one that
    is no text in UTF-8 (half a surrogate pair), or a negative number of a deal; TypeError for one that is no whole
    number.
    """
    deal = whole_number("the number of a deal", deal)
    if "\n" in match or "\n" in purpose or deal < 0:
        raise BuracoError("draw_label", "a match or a purpose has no line end in its name, and deals count from 0")
    try:
        return f"{_LABEL_HEAD}\n{match}\n{deal}\n{purpose}".encode()
    except UnicodeEncodeError:
        raise BuracoError("draw_label", "the name of a match is text that UTF-8 can write") from None


class Draws:
    """A stream of draws from a 32-byte seed and a label, as the module says."""

    def __init__(self, seed: bytes, label: bytes) -> None:
        self._key = seed_bytes(seed)
        self._label = label
        self._block_count = 0
        self._words: list[int] = []

    def word(self) -> int:
        """Return the next word of 32 bits."""
        if not self._words:
            message = self._label + self._block_count.to_bytes(8, "big")
            block = hmac.new(self._key, message, sha256).digest()
            self._block_count += 1
            self._words = [int.from_bytes(block[at : at + 4], "big") for at in range(28, -1, -4)]
        return self._words.pop()

    def below(self, limit: int) -> int:
        """Return a number from 0 to ``limit - 1``, each as likely as the others.

        Raises ValueError for a limit outside 1 ... 2^32, TypeError for one that is no whole number.
        """
        if type(limit) is not int:
            limit = whole_number("a limit", limit)
        if not 1 <= limit <= _WORD_LIMIT:
            raise ValueError(f"a limit lies between 1 and 2^32, not at {limit}")
        bound = _WORD_LIMIT - _WORD_LIMIT % limit
        while True:
            word = self.word()
            if word < bound:
                return word % limit

    def shuffled(self, items: Sequence[_Item]) -> tuple[_Item, ...]:
        """Return the items in a random order, every order as likely as the others."""
        order = list(items)
        for index in range(len(order) - 1, 0, -1):
            other = self.below(index + 1)
            order[index], order[other] = order[other], order[index]
        return tuple(order)


def shuffled_pack(rules: RuleSet, seed: bytes, match: str, deal: int, purpose: str = "pack") -> tuple[int, ...]:
    """Return the pack of the rules in the order of a deal, first to be dealt first.

    ``seed`` has 32 bytes, ``deal`` counts from 1. Raises BuracoError (codes ``seed_length``, ``draw_label``), TypeError
    for a number of a deal that is no whole number.
    """
    return Draws(seed, draw_label(match, deal, purpose)).shuffled(ordered_pack(rules))
