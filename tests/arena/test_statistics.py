"""The arena's statistics: against figures of SciPy 1.17.1 and choix 0.4.1, and against what can be counted by hand."""

from __future__ import annotations

import math

import pytest

from buraco.arena.ratings import ratings
from buraco.arena.statistics import binomial_p, estimate, student_p, student_quantile, wilson
from buraco.arena.stopping import PAIRS_MIN, Sprt, parse_stop
from buraco.errors import BuracoError


@pytest.mark.parametrize(
    ("t", "freedom", "p"),
    [
        (0.0, 5, 1.0),
        (2.5, 9, 0.033861827682985735),
        (0.3, 1, 0.8144528418445154),
        (12.0, 199, 2.5799606747931776e-25),
        (-4.1, 3, 0.0262504168785144),
        (1.96, 100_000, 0.04999856319430168),
    ],
)
def test_the_p_of_students_t(t: float, freedom: int, p: float) -> None:
    assert student_p(t, freedom) == pytest.approx(p, rel=1e-9)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        (1, 12.706204736174694),
        (2, 4.302652729749462),
        (10, 2.228138851986274),
        (99, 1.9842169515864174),
        (1000, 1.9623390808264083),
    ],
)
def test_the_quantile_of_students_t(freedom: int, quantile: float) -> None:
    assert student_quantile(freedom) == pytest.approx(quantile, rel=1e-9)


def test_a_mean_with_its_interval_and_p() -> None:
    found = estimate([3, -1, 4, 1, -5, 9, 2, 6])
    assert (found.count, found.mean) == (8, 2.375)
    assert found.low == pytest.approx(-1.1982298164237197)
    assert found.high == pytest.approx(5.948229816423719)
    assert found.p == pytest.approx(0.16001924470682471)
    halved = estimate([3, -1, 4, 1, -5, 9, 2, 6], 2)
    assert halved.mean == 2.375 / 2
    assert halved.p == pytest.approx(0.16001924470682471)
    assert halved.low == pytest.approx(-1.1982298164237197 / 2)


def test_one_value_has_no_interval_and_no_p() -> None:
    found = estimate([7])
    assert (found.mean, found.low, found.high, found.p) == (7.0, None, None, None)


def test_equal_values_are_judged_by_their_signs() -> None:
    assert estimate([0, 0, 0]).p == 1.0
    same = estimate([-4] * 10)
    assert (same.mean, same.low, same.high, same.p) == (-4.0, -4.0, -4.0, 2 / 1024)


def test_nothing_cannot_be_estimated() -> None:
    with pytest.raises(ValueError, match="no values"):
        estimate([])


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [
        (0, 0, 1.0),
        (5, 5, 1.0),
        (0, 10, 2 / 1024),
        (7, 3, 0.34375),
        (3, 7, 0.34375),
        (70, 30, 7.85013964559367e-05),
        (1200, 1000, 2.1817026407914194e-05),
    ],
)
def test_the_exact_binomial_test(wins: int, losses: int, p: float) -> None:
    assert binomial_p(wins, losses) == pytest.approx(p, rel=1e-9)


@pytest.mark.parametrize(
    ("won", "count", "low", "high"),
    [
        (70, 100, 0.6041514536665333, 0.7810511470506725),
        (0, 10, 0.0, 0.27753279986288926),
        (10, 10, 0.7224672001371109, 1.0),
        (3, 7, 0.1582198552514697, 0.7495416354723428),
        (0, 0, 0.0, 1.0),
    ],
)
def test_wilsons_interval(won: int, count: int, low: float, high: float) -> None:
    assert wilson(won, count) == pytest.approx((low, high), abs=1e-12)


def test_the_ratings_of_two_players_by_hand() -> None:
    # 74 of 99 and the half of the drawn game: 74.5 of 100.
    best, other = ratings({("x", "y"): (74, 99)})
    assert (best.player, other.player, best.count) == ("x", "y", 99)
    assert best.rating - other.rating == pytest.approx(400 * math.log10(0.745 / 0.255))
    assert best.rating + other.rating == pytest.approx(0.0)
    # The variance of the difference is 1 / (n p q), that of each rating around the mean a quarter of it.
    half = 1.959963984540054 * 400 / math.log(10) * 0.5 / math.sqrt(100 * 0.745 * 0.255)
    assert (best.low, best.high) == pytest.approx((best.rating - half, best.rating + half))


def test_the_ratings_of_many_games_are_those_of_another_library() -> None:
    # So many games that the drawn ones do not matter.
    many = 10**6
    found = ratings(
        {(a, b): (won * many, 100 * many) for a, b, won in (("a", "b", 70), ("b", "c", 55), ("a", "c", 80))}
    )
    assert [one.player for one in found] == ["a", "b", "c"]
    assert [one.rating for one in found] == pytest.approx([127.85258002, -38.50581086, -89.34676916], abs=1e-4)


def test_the_order_in_which_players_are_named_does_not_matter() -> None:
    one = ratings({("a", "b"): (7, 10), ("b", "c"): (6, 10)})
    other = ratings({("c", "b"): (4, 10), ("b", "a"): (3, 10)})
    assert [r.player for r in other] == [r.player for r in one]
    assert [r.rating for r in other] == pytest.approx([r.rating for r in one])
    assert [r.high for r in other] == pytest.approx([r.high for r in one])


def test_who_won_everything_has_a_rating_too() -> None:
    best, other = ratings({("x", "y"): (50, 50)})
    assert 700 < best.rating - other.rating < 900
    assert best.low < best.rating < best.high


def test_players_whom_no_results_connect_cannot_be_rated() -> None:
    with pytest.raises(BuracoError, match="connect a with c, d") as error:
        ratings({("a", "b"): (1, 2), ("c", "d"): (1, 2)})
    assert error.value.code == "arena_ratings"
    with pytest.raises(BuracoError) as error:
        ratings({})
    assert error.value.code == "arena_ratings"


def test_the_sequential_test_by_hand() -> None:
    test = Sprt(0.0, 20.0)
    values = [10, 30] * 20
    # The mean is 20 and the variance 100 * 40 / 39: 20 * 40 * (40 - 20) / (2 v).
    assert test.judge(values, 1).log_ratio == pytest.approx(20 * 40 * 20 / (2 * 100 * 40 / 39))
    assert test.judge(values, 1).state == "high"
    assert test.judge([-value for value in values], 1).state == "low"
    assert test.judge([value - 10 for value in values], 1) == test.judge([2 * value - 20 for value in values], 2)
    assert test.judge([value - 10 for value in values], 1).log_ratio == 0.0
    assert test.bounds == pytest.approx((math.log(0.05 / 0.95), math.log(0.95 / 0.05)))


def test_the_sequential_test_waits_for_enough_pairs() -> None:
    test = Sprt(0.0, 20.0)
    assert test.judge([100] * (PAIRS_MIN - 1), 1).state == "open"
    assert test.judge([100] * PAIRS_MIN, 1).state == "high"


def test_a_rule_is_read_from_its_text() -> None:
    assert parse_stop("sprt:0:20", "deals") == Sprt(0.0, 20.0)
    assert parse_stop("sprt:0.5:0.6:0.01:0.1", "matches") == Sprt(0.5, 0.6, 0.01, 0.1)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("", "deals"),
        ("sprt", "deals"),
        ("sprt:1", "deals"),
        ("sprt:1:2:0.05", "deals"),
        ("fixed:1:2", "deals"),
        ("sprt:1:x", "deals"),
        ("sprt:2:1", "deals"),
        ("sprt:nan:1", "deals"),
        ("sprt:0:inf", "deals"),
        ("sprt:0:20", "matches"),
        ("sprt:0:1:0:0.1", "deals"),
        ("sprt:0:1:0.1:0.6", "deals"),
    ],
)
def test_what_is_no_rule_is_refused(text: str, unit: str) -> None:
    with pytest.raises(BuracoError) as error:
        parse_stop(text, unit)
    assert error.value.code == "arena_stop"
