"""The draws: by their written specification, unbiased, different for every purpose."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from buraco.engine.shuffle import Draws, draw_label, ordered_pack, seed_bytes, shuffled_pack
from buraco.errors import BuracoError
from buraco.rules import RULE_SETS

SEED = bytes(range(32))

# Computed by a program of its own from the text of the specification.
KNOWN_ANSWER = (
    (16, 52, 29, 44, 43, 49),
    "24a2e4ba30576d7ccba4d0e7987e238282887aef174707d643e6175c77454464",
)


def vector_words(seed: bytes, label: bytes, count: int) -> list[int]:
    """The words of the stream, straight from the specification."""
    stream = b""
    counter = 0
    while len(stream) < 4 * count:
        stream += hmac.new(seed, label + counter.to_bytes(8, "big"), hashlib.sha256).digest()
        counter += 1
    return [int.from_bytes(stream[4 * index : 4 * index + 4], "big") for index in range(count)]


def vector_shuffle(seed: bytes, label: bytes, cards: list[int]) -> list[int]:
    """Fisher-Yates from the specification, with all words made beforehand and plain rejection."""
    words = iter(vector_words(seed, label, 4 * len(cards)))
    order = list(cards)
    for index in reversed(range(1, len(order))):
        size = index + 1
        word = next(word for word in words if word < (2**32 // size) * size)
        swap = word % size
        order[index], order[swap] = order[swap], order[index]
    return order


def test_words_are_hmac_blocks_read_in_order() -> None:
    label = draw_label("m", 1, "pack")
    draws = Draws(SEED, label)
    assert [draws.word() for _ in range(20)] == vector_words(SEED, label, 20)


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_pack_order_follows_the_specification(name: str) -> None:
    rules = RULE_SETS[name]
    label = b"buraco-draw-1\nmatch 7\n3\npack"
    expected = vector_shuffle(SEED, label, list(ordered_pack(rules)))
    assert list(shuffled_pack(rules, SEED, "match 7", 3)) == expected


def test_known_answer_of_the_first_cards() -> None:
    pack = shuffled_pack(RULE_SETS["aberto"], SEED, "match", 1)
    digest = hashlib.sha256(bytes(pack)).hexdigest()
    assert (pack[:6], digest) == KNOWN_ANSWER


@pytest.mark.parametrize(("name", "size", "jokers"), [("aberto", 108, 4), ("aberto-104", 104, 0), ("burraco", 108, 4)])
def test_pack_has_two_copies_of_each_card_and_the_jokers(name: str, size: int, jokers: int) -> None:
    counts = Counter(ordered_pack(RULE_SETS[name]))
    assert sum(counts.values()) == size
    assert counts.pop(52, 0) == jokers
    assert counts == dict.fromkeys(range(52), 2)


def test_shuffle_keeps_the_cards() -> None:
    rules = RULE_SETS["fechado"]
    assert sorted(shuffled_pack(rules, SEED, "match", 1)) == sorted(ordered_pack(rules))


@pytest.mark.parametrize("other", [("match", 2, "pack"), ("other", 1, "pack"), ("match", 1, "pack again")])
def test_every_part_of_the_label_changes_the_order(other: tuple[str, int, str]) -> None:
    rules = RULE_SETS["aberto"]
    match, deal, purpose = other
    assert shuffled_pack(rules, SEED, "match", 1) != shuffled_pack(rules, SEED, match, deal, purpose)


def test_all_orders_of_three_cards_come_equally_often() -> None:
    draws = Draws(SEED, b"three")
    seen = Counter(draws.shuffled((0, 1, 2)) for _ in range(6000))
    assert len(seen) == 6
    # Chi-square with 5 degrees of freedom; 20.5 has probability 0.001, and the draws are fixed.
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 20.5


def test_words_above_the_last_full_multiple_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = Draws(SEED, b"any")
    words = iter([2**32 - 1, 2**32 - 2, 7])
    monkeypatch.setattr(draws, "word", lambda: next(words))
    # 2^32 = 3 * 1431655765 + 1: only the highest word is beyond the last multiple of three.
    assert draws.below(3) == (2**32 - 2) % 3
    assert draws.below(3) == 1


@pytest.mark.parametrize("limit", [0, -1, 2**32 + 1])
def test_a_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match="limit"):
        Draws(SEED, b"any").below(limit)


def test_a_number_is_a_seed_by_its_digest() -> None:
    assert seed_bytes(-5) == hashlib.sha256(b"buraco-seed-1\n-5").digest()
    assert seed_bytes(SEED) == SEED


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(BuracoError) as caught:
        seed_bytes(bytes(size))
    assert caught.value.code == "seed_length"


@pytest.mark.parametrize(("match", "deal", "purpose"), [("a\nb", 1, "pack"), ("a", 1, "p\n"), ("a", -1, "pack")])
def test_a_label_that_could_pass_for_another_is_refused(match: str, deal: int, purpose: str) -> None:
    with pytest.raises(BuracoError) as caught:
        draw_label(match, deal, purpose)
    assert caught.value.code == "draw_label"
