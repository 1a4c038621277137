"""Names, rates and connections."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from buraco.errors import BuracoError
from buraco.server.limits import NAME_MAX, Connections, RateLimiter, clean_name, is_printable

BAD_NAMES = {
    "empty": "",
    "blanks": "   ",
    "long": "x" * 25,
    "very long": "x" * 10_000,
    "line end": "Ana\nBia",
    "tab": "Ana\tBia",
    "null": "Ana\x00",
    "right to left override": "Ana\u202ebiA",
    "isolate": "\u2066Ana\u2069",
    "left to right mark": "Ana\u200e",
    "zero width": "An\u200ba",
    "zero width joiner": "An\u200da",
    "soft hyphen": "An\u00ada",
    "byte order mark": "\ufeffAna",
    "Hangul filler": "\u3164",
    "blank Braille": "\u2800\u2800",
    "surrogate": "Ana\ud800",
    "private use": "Ana\ue000",
    "unassigned": "Ana\u0378",
    "tower of marks": "A" + "\u0301" * 5 + "na",
    "marks alone": "\u0301\u0301",
    "other space": "Ana\u00a0Bia",
    "line separator": "Ana\u2028Bia",
    "tag letters": "Ana\U000e0041",
}
GOOD_NAMES = ["A", "Ana Lúcia", "Дмитрий", "Ñandú 7", "王小明", "🂡 ace", "x" * 24, "O'Neil-Σ", "عمر"]


@pytest.mark.parametrize("name", BAD_NAMES.values(), ids=BAD_NAMES)
def test_a_name_that_cannot_be_shown_plainly_is_refused(name: str) -> None:
    with pytest.raises(BuracoError) as caught:
        clean_name(name)
    assert caught.value.code == "name"


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_a_name_of_printable_characters_is_taken_as_it_is(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFC", name)


def test_blanks_are_trimmed_and_single() -> None:
    assert clean_name("  Ana    Lúcia ") == "Ana Lúcia"


@given(st.text(max_size=40))
def test_every_text_is_a_clean_name_or_refused(text: str) -> None:
    refused = ""
    name = ""
    try:
        name = clean_name(text)
    except BuracoError as error:
        refused = error.code
    if refused:
        assert refused == "name"
        return
    assert 1 <= len(name) <= NAME_MAX
    assert is_printable(name)
    assert clean_name(name) == name


class Steady:
    """A steady clock in the test's hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_an_allowance_is_spent_and_fills_up_with_time() -> None:
    steady = Steady()
    limiter = RateLimiter(2, 3, steady)
    assert [limiter.allow("a") for _ in range(4)] == [True, True, True, False]
    assert limiter.allow("b")
    steady.now = 0.5
    assert [limiter.allow("a") for _ in range(2)] == [True, False]
    steady.now = 1000.0
    assert [limiter.allow("a") for _ in range(4)] == [True, True, True, False]


def test_a_clock_that_goes_back_gives_nothing() -> None:
    steady = Steady()
    limiter = RateLimiter(1, 1, steady)
    steady.now = 100.0
    assert limiter.allow("a")
    steady.now = 0.0
    assert not limiter.allow("a")
    steady.now = 100.5
    assert not limiter.allow("a")


def test_only_so_many_keys_are_remembered() -> None:
    limiter = RateLimiter(1, 1, Steady(), keys_max=3)
    for number in range(10):
        assert limiter.allow(str(number))
    assert len(limiter) == 3
    assert not limiter.allow("9")


def test_connections_are_counted_for_server_address_and_person() -> None:
    counts = Connections(3, 2, 2)
    assert counts.enter("a", "p")
    assert counts.enter("a", "q")
    assert not counts.enter("a", "r"), "the address has two"
    assert counts.enter("b", "p")
    assert not counts.enter("c", "s"), "the server has three"
    counts.leave("a", "q")
    assert not counts.enter("c", "p"), "the person has two"
    assert counts.enter("c", "s")
    assert counts.total == 3


def test_leaving_frees_everything() -> None:
    counts = Connections(1, 1, 1)
    for _ in range(5):
        assert counts.enter("a", "p")
        counts.leave("a", "p")
    assert counts.total == 0
