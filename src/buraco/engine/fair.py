"""Fair shuffles: seeds of the server and of the players, so that neither can choose the cards.

For every deal the server draws a fresh seed of 32 bytes and publishes its **commitment** before anybody else says
anything; then each player's client adds a seed of its own; the two together give the **seed of the deal**, from which
`buraco.engine.shuffle` draws the pack, the cut and, in deal 1, the first dealer. When the deal has ended the server
reveals its seed, and everybody can draw again what was drawn. ``docs/fair-shuffle.md`` has the whole procedure, test
vectors, and what it cannot show.

**The commitment** is the SHA-256 of the server's seed, the match's name in UTF-8, and the number of the deal (from 1)
as eight bytes, most significant first, one directly after the other.

**The seed of the deal** is the HMAC-SHA-256 with the server's seed as its key. The message is the UTF-8 text of three
lines, ``buraco-fair-1``, the match's name and the number of the deal in decimal digits, each with a line end (``\\n``)
after it, and then the 32 bytes of each seat's seed, in the order of the seats.

**A seat without a seed of its own**, a bot or a client that stayed silent, gives `PUBLIC_SEED`, the SHA-256 of the text
``buraco-public-seed-1``.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

from buraco.engine.arguments import whole_number
from buraco.engine.shuffle import SEED_BYTES, draw_label
from buraco.errors import BuracoError

__all__ = ["PUBLIC_SEED", "DealSeeds", "commitment_of", "deal_seed", "player_seed"]

PUBLIC_SEED: Final = sha256(b"buraco-public-seed-1").digest()
"""What a seat gives that has no seed of its own: known to everyone, and no help to anyone."""

_HEAD: Final = "buraco-fair-1"
_DEAL_LIMIT: Final = 1 << 63
_HEX: Final = re.compile(r"[0-9a-f]{64}")


def commitment_of(seed: bytes, match: str, deal: int) -> bytes:
    """Return the commitment, 32 bytes, to a server's seed for a deal of a match (deals count from 1).

    Raises BuracoError: ``seed_length``, ``draw_label`` (a name with a line end), ``deal_number``; TypeError for a
    number of a deal that is no whole number.
    """
    deal = _checked(seed, match, deal)
    return sha256(seed + match.encode() + deal.to_bytes(8, "big")).digest()


def deal_seed(seed: bytes, match: str, deal: int, player_seeds: Sequence[bytes | None]) -> bytes:
    """Return the seed of a deal, 32 bytes, from the server's seed and one of each seat (None: `PUBLIC_SEED`).

    Raises BuracoError: ``seed_length``, ``draw_label`` (a name with a line end), ``deal_number``; TypeError for a
    number of a deal that is no whole number.
    """
    deal = _checked(seed, match, deal)
    given = [PUBLIC_SEED if own is None else own for own in player_seeds]
    for own in given:
        _checked(own, match, deal)
    return hmac.new(seed, f"{_HEAD}\n{match}\n{deal}\n".encode() + b"".join(given), sha256).digest()


def player_seed(text: str) -> bytes:
    """Return the seed that a player's client sends as 64 hexadecimal digits in small letters.

    Raises BuracoError: ``player_seed`` for any other text, ``player_seed_public`` for the public constant, which
    would pass for silence.
    """
    if not _HEX.fullmatch(text):
        raise BuracoError("player_seed", "a player's seed is 64 hexadecimal digits in small letters")
    seed = bytes.fromhex(text)
    if seed == PUBLIC_SEED:
        raise BuracoError("player_seed_public", "this seed is the public constant; draw one at random")
    return seed


@dataclass(frozen=True, slots=True)
class DealSeeds:
    """The seeds of one deal: the server's ``seed``, a secret until the deal has ended, and one of each seat.

    ``player_seeds`` has None for a seat that has given none. Neither is in the text of the object, so that no log tells
    them. Raises BuracoError when made: ``seed_length``, ``draw_label``, ``deal_number``, ``players``.
    """

    match: str
    deal: int
    seed: bytes = field(repr=False)
    player_seeds: tuple[bytes | None, ...] = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.player_seeds) not in (2, 4):
            raise BuracoError("players", f"a deal has 2 or 4 seats, not {len(self.player_seeds)}")
        deal_seed(self.seed, self.match, self.deal, self.player_seeds)

    @property
    def commitment(self) -> bytes:
        """What is published before any player gives a seed."""
        return commitment_of(self.seed, self.match, self.deal)

    @property
    def deal_seed(self) -> bytes:
        """The seed from which the deal is drawn, as secret as the server's."""
        return deal_seed(self.seed, self.match, self.deal, self.player_seeds)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have given no seed."""
        return tuple(seat for seat, own in enumerate(self.player_seeds) if own is None)

    def with_player_seed(self, seat: int, own: bytes) -> DealSeeds:
        """Return these seeds with that of a seat; the first one that a seat gives counts.

        Raises BuracoError: ``no_seat``, ``seed_given`` (the seat has given one), ``seed_length``,
        ``player_seed_public``; TypeError for a seat that is no whole number.
        """
        seat = whole_number("a seat", seat)
        if not 0 <= seat < len(self.player_seeds):
            raise BuracoError("no_seat", f"there is no seat {seat}; seats are 0 to {len(self.player_seeds) - 1}")
        if self.player_seeds[seat] is not None:
            raise BuracoError("seed_given", "this seat has given its seed for this deal")
        if len(own) == SEED_BYTES:
            own = player_seed(own.hex())
        seeds = (*self.player_seeds[:seat], own, *self.player_seeds[seat + 1 :])
        return replace(self, player_seeds=seeds)


def _checked(seed: bytes, match: str, deal: int) -> int:
    """Return the number of a deal as a plain number."""
    deal = whole_number("the number of a deal", deal)
    if len(seed) != SEED_BYTES:
        raise BuracoError("seed_length", f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    if not 1 <= deal < _DEAL_LIMIT:
        raise BuracoError("deal_number", "deals count from 1")
    draw_label(match, deal, "pack")
    return deal
