"""The fair shuffle a second time, from docs/fair-shuffle.md alone: cards as text, and nothing of the package."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator

__all__ = ["combine", "commit", "cut_of", "dealer_of", "pack_of", "words_of"]

PUBLIC = hashlib.sha256(b"buraco-public-seed-1").digest()
RANKS = "A23456789TJQK"


def commit(seed: bytes, match: str, deal: int) -> bytes:
    return hashlib.sha256(
        seed + match.encode("utf-8") + bytes(deal >> shift & 255 for shift in range(56, -1, -8))
    ).digest()


def combine(seed: bytes, match: str, deal: int, player_seeds: list[str]) -> bytes:
    message = bytearray()
    for line in ("buraco-fair-1", match, str(deal)):
        message += line.encode("utf-8") + b"\x0a"
    for given in player_seeds:
        message += bytes.fromhex(given) if given else PUBLIC
    return hmac.new(seed, bytes(message), "sha256").digest()


def words_of(key: bytes, match: str, deal: int, purpose: str) -> Iterator[int]:
    label = "\n".join(["buraco-draw-1", match, str(deal), purpose]).encode("utf-8")
    block = 0
    while True:
        digest = hmac.new(key, label + block.to_bytes(8, "big"), "sha256").digest()
        for at in range(0, 32, 4):
            yield digest[at] * 2**24 + digest[at + 1] * 2**16 + digest[at + 2] * 2**8 + digest[at + 3]
        block += 1


def below(words: Iterator[int], limit: int) -> int:
    for word in words:
        if word < 2**32 // limit * limit:
            return word % limit
    raise AssertionError("the words never end")


def full_pack(jokers: int) -> list[str]:
    cards = []
    for suit in "cdhs":
        for rank in RANKS:
            cards += [rank + suit, rank + suit]
    return cards + ["X"] * jokers


def shuffle(words: Iterator[int], cards: list[str]) -> list[str]:
    cards = list(cards)
    index = len(cards) - 1
    while index > 0:
        other = below(words, index + 1)
        kept = cards[index]
        cards[index] = cards[other]
        cards[other] = kept
        index -= 1
    return cards


def pack_of(key: bytes, match: str, deal: int, jokers: int) -> list[str]:
    return shuffle(words_of(key, match, deal, "pack"), full_pack(jokers))


def cut_of(key: bytes, match: str, deal: int, jokers: int, aim: int) -> int:
    words = words_of(key, match, deal, "cut")
    count = aim - 8
    for _ in range(4):
        count += below(words, 5)
    return min(max(count, 1), len(full_pack(jokers)) - 1)


def dealer_of(key: bytes, match: str, players: int, jokers: int, how: str) -> tuple[int, list[list[str]]]:
    """Return the first dealer and the rounds, each drawn card as its seat and the card."""
    if how == "random":
        return below(words_of(key, match, 0, "dealer"), players), []
    order = "23456789TJQKAX" if how == "cut" else "3456789TJQKA2X"
    seats = [0, 1] if how == "cut" else list(range(players))
    rounds: list[list[str]] = []
    while len(seats) > 1:
        drawn = pack_of_round(key, match, len(rounds) + 1, jokers)[: len(seats)]
        rounds.append([f"{seat} {card}" for seat, card in zip(seats, drawn, strict=True)])
        lowest = min(order.index(card[0]) for card in drawn)
        seats = [seat for seat, card in zip(seats, drawn, strict=True) if order.index(card[0]) == lowest]
    return seats[0], rounds


def pack_of_round(key: bytes, match: str, number: int, jokers: int) -> list[str]:
    return shuffle(words_of(key, match, 0, f"dealer {number}"), full_pack(jokers))
