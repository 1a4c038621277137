"""A batch plays at each of its tables what single deals play, whoever shares it and however it is divided."""

from __future__ import annotations

import threading
from array import array
from dataclasses import dataclass, field
from typing import Any

import pytest

from buraco.engine import Deal
from buraco.engine.batch import Batch, dealer_of, seed_of
from buraco.engine.constants import ACTION_COUNT, MASK_WORDS, OBSERVATION_SIZE
from buraco.engine.observation import observe
from buraco.errors import IllegalAction
from buraco.rules import RULE_SETS, RuleSet
from tests.build import COMPILED
from tests.toy import TOY_OPEN
from tests.unit.making import game_sets

#: Every rule set with every number of players that it allows.
GAMES = game_sets()
TABLES = 3
#: How many deals are played to their end at the tables of one batch.
ENDED = 6 if COMPILED else 1


@dataclass(frozen=True)
class Buffers:
    """The buffers of a batch, as a caller holds them."""

    tables: int
    players: int
    masks: array[int] = field(init=False)
    counts: array[int] = field(init=False)
    seats: array[int] = field(init=False)
    deals: array[int] = field(init=False)
    dones: array[int] = field(init=False)
    scores: array[int] = field(init=False)
    rewards: array[int] = field(init=False)
    observations: array[int] = field(init=False)

    def __post_init__(self) -> None:
        sizes = {"masks": ("Q", MASK_WORDS), "counts": ("i", 1), "seats": ("b", 1), "deals": ("q", 1)}
        sizes |= {"dones": ("B", 1), "scores": ("i", 2), "rewards": ("i", self.players)}
        sizes |= {"observations": ("h", OBSERVATION_SIZE)}
        for name, (kind, size) in sizes.items():
            # What lies there before does not matter.
            object.__setattr__(self, name, array(kind, [77] * (size * self.tables)))

    def named(self) -> dict[str, Any]:
        """Return the buffers as a batch wants them."""
        return {name: value for name, value in vars(self).items() if isinstance(value, array)}

    def legal(self, table: int) -> list[int]:
        words = self.masks[table * MASK_WORDS : (table + 1) * MASK_WORDS]
        return [64 * index + bit for index, word in enumerate(words) if word for bit in range(64) if word >> bit & 1]

    def row(self, table: int) -> tuple[list[int], ...]:
        """Return all that is said of one table."""
        arrays = (self.masks, self.counts, self.seats, self.deals, self.dones, self.scores, self.rewards)
        return tuple(
            list(numbers[table * size : (table + 1) * size])
            for numbers in (*arrays, self.observations)
            for size in [len(numbers) // self.tables]
        )


def make(
    rules: RuleSet, players: int, tables: int = TABLES, seed: int = 5, first: int = 0, parts: int = 1
) -> tuple[Batch, Buffers]:
    """Return a batch with its buffers."""
    buffers = Buffers(tables, players)
    return Batch(rules, players, tables, seed, first, (0, 0), parts, **buffers.named()), buffers


def drawn(batch: Batch, seed: int = 1) -> array[int]:
    """Return a random legal action for each table."""
    actions = array("q", [-1] * batch.count)
    for part in range(batch.parts):
        batch.random_legal(seed, actions, part)
    return actions


def advance(batch: Batch, steps: int = 1, seed: int = 1) -> None:
    """Play random steps, the parts one after the other."""
    for _ in range(steps):
        actions = drawn(batch, seed)
        batch.check(actions)
        for part in range(batch.parts):
            batch.step(actions, part)


def dealt(rules: RuleSet, players: int, table: int, number: int, seed: int = 5) -> Deal:
    """Return the deal that a table has to deal."""
    return Deal(rules, players, dealer_of(players, table, number), seed=seed_of(seed, table, number))


def assert_shows(buffers: Buffers, table: int, deal: Deal) -> None:
    """Assert that the buffers say of a table what the deal in play there says."""
    assert buffers.legal(table) == deal.legal()
    assert buffers.counts[table] == len(deal.legal())
    assert buffers.seats[table] == deal.seat
    seen = array("h", [55] * OBSERVATION_SIZE)
    observe(deal, deal.seat, seen)
    assert buffers.observations[table * OBSERVATION_SIZE : (table + 1) * OBSERVATION_SIZE] == seen


def assert_result(buffers: Buffers, table: int, deal: Deal) -> None:
    """Assert that the buffers say how a deal ended, or that it has not."""
    scores = [deal.score(0), deal.score(1)] if deal.over else [0, 0]
    ahead = scores[0] - scores[1]
    players = deal.players
    assert buffers.dones[table] == deal.over
    assert list(buffers.scores[2 * table : 2 * table + 2]) == scores
    assert list(buffers.rewards[players * table : players * (table + 1)]) == [ahead, -ahead] * (players // 2)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_table_plays_what_single_deals_play(name: str, players: int) -> None:
    rules, ended, numbers = RULE_SETS[name], 0, [0] * TABLES
    batch, buffers = make(rules, players)
    deals = [dealt(rules, players, table, 0) for table in range(TABLES)]
    while ended < ENDED:
        for table, deal in enumerate(deals):
            assert_shows(buffers, table, deal)
            assert buffers.deals[table] == numbers[table]
            assert batch.deal(table).dump() == deal.dump()
        actions = drawn(batch)
        batch.check(actions)
        batch.step(actions)
        for table, deal in enumerate(deals):
            deal.apply(actions[table])
            assert_result(buffers, table, deal)
            if deal.over:
                ended += 1
                numbers[table] += 1
                deals[table] = dealt(rules, players, table, numbers[table])


@pytest.mark.parametrize("parts", [1, 2, 5])
def test_the_games_do_not_depend_on_how_the_tables_are_divided(parts: int) -> None:
    whole, seen = make(TOY_OPEN, 2, 5, parts=parts)
    alone = [make(TOY_OPEN, 2, 1, first=table) for table in range(5)]
    for _ in range(80):
        assert [seen.row(table) for table in range(5)] == [buffers.row(0) for _, buffers in alone]
        advance(whole)
        for batch, _ in alone:
            advance(batch)
    assert min(seen.deals) > 1


def test_parts_run_at_the_same_time_in_threads() -> None:
    rules = RULE_SETS["fechado"]
    one, seen_one = make(rules, 2, 8)
    many, seen_many = make(rules, 2, 8, parts=4)
    for _ in range(150):
        advance(one)
        actions = drawn(many)
        many.check(actions)
        threads = [threading.Thread(target=many.step, args=(actions, part)) for part in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [seen_many.row(table) for table in range(8)] == [seen_one.row(table) for table in range(8)]


def test_more_parts_than_tables_are_as_many_as_tables() -> None:
    assert make(RULE_SETS["aberto"], 4, 3, parts=9)[0].parts == 3


def test_an_illegal_action_is_named_and_changes_nothing_anywhere() -> None:
    batch, buffers = make(RULE_SETS["aberto"], 4)
    advance(batch, 40)
    before = [(batch.deal(table).dump(), buffers.row(table)) for table in range(TABLES)]
    actions = drawn(batch)
    deal = batch.deal(1)
    wrong = next(action for action in range(ACTION_COUNT) if deal.check(action))
    actions[1] = wrong
    actions[2] = wrong
    code = deal.refusal(wrong)
    with pytest.raises(IllegalAction, match=f"^table 1: action {wrong} is refused: {code}$") as caught:
        batch.check(actions)
    assert caught.value.code == code
    assert [(batch.deal(table).dump(), buffers.row(table)) for table in range(TABLES)] == before


@pytest.mark.parametrize("action", [-1, ACTION_COUNT, 2**62, -(2**62)])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    batch, _ = make(RULE_SETS["aberto"], 4)
    actions = drawn(batch)
    actions[2] = action
    with pytest.raises(IllegalAction, match=f"^table 2: action {action} is refused: unknown_action$"):
        batch.check(actions)


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_all_that_is_legal_is_accepted_and_nothing_else(name: str) -> None:
    rules = RULE_SETS[name]
    batch, _ = make(rules, 2 if 2 in rules.player_counts else 4, 1)
    for _ in range(12):
        advance(batch, 7)
        legal = batch.deal(0).legal()
        for action in (*legal, *range(60), *range(legal[-1], legal[-1] + 3)):
            try:
                batch.check(array("q", [action]))
            except IllegalAction:
                assert action not in legal
            else:
                assert action in legal


def test_every_legal_action_is_drawn_about_as_often() -> None:
    batch, buffers = make(RULE_SETS["aberto"], 4, 1)
    while len(buffers.legal(0)) < 6:
        advance(batch)
    legal = buffers.legal(0)
    drawn_actions = [drawn(batch, seed)[0] for seed in range(400 * len(legal))]
    assert set(drawn_actions) == set(legal)
    assert all(300 < drawn_actions.count(action) < 500 for action in legal)


def test_what_is_drawn_follows_from_seed_and_table() -> None:
    batch, _ = make(RULE_SETS["aberto"], 4, 8)
    advance(batch, 30)
    assert drawn(batch, 4) == drawn(batch, 4) == drawn(batch, 4 + 2**64)
    assert drawn(batch, 4) != drawn(batch, 5)


def test_a_reset_deals_the_first_deals_of_a_seed() -> None:
    batch, buffers = make(TOY_OPEN, 2)
    fresh = [buffers.row(table) for table in range(TABLES)]
    advance(batch, 100)
    assert all(buffers.deals)
    batch.reset(5)
    assert [buffers.row(table) for table in range(TABLES)] == fresh
    batch.reset(-1)
    assert batch.deal(2).dump() == dealt(TOY_OPEN, 2, 2, 0, seed=2**64 - 1).dump()


def test_the_seed_of_a_deal_is_that_of_its_place_in_the_stream() -> None:
    def scattered(number: int) -> int:
        x = (number + 0x9E3779B97F4A7C15) % 2**64
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
        return x ^ x >> 31

    assert scattered(0) == 0xE220A8397B1DCDAF
    for seed, table, number in [(0, 0, 0), (1, 2, 3), (2**64 - 1, 2**40, 2**40), (-7, 5, 0)]:
        wanted = scattered(scattered(scattered(seed % 2**64) ^ table) ^ number) >> 33
        assert seed_of(seed, table, number) == wanted < 2**31
    assert len({seed_of(0, table, number) for table in range(60) for number in range(60)}) == 3600


def test_the_totals_before_the_deals_decide_the_opening() -> None:
    rules = RULE_SETS["classico"]
    buffers = Buffers(1, 4)
    totals = (rules.opening_vulnerable_from, 0)
    batch = Batch(rules, 4, 1, 5, 0, totals, **buffers.named())
    assert batch.deal(0).dump() == Deal(rules, 4, 0, totals, seed_of(5, 0, 0)).dump()


def test_without_a_buffer_for_them_nothing_is_observed() -> None:
    buffers, plain = Buffers(2, 4), Buffers(2, 4)
    batch = Batch(RULE_SETS["aberto"], 4, 2, **{**buffers.named(), "observations": None})
    advance(batch, 20)
    assert buffers.observations == plain.observations
    assert buffers.legal(1) == batch.deal(1).legal()


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("masks", array("Q", [0] * (2 * MASK_WORDS - 1))),
        ("counts", array("q", [0, 0])),
        ("dones", b"\0\0"),
        ("rewards", array("i", [0] * 8)[::-2]),
        ("scores", memoryview(array("i", [0] * 8))[::2]),
        ("observations", array("h", [0] * 5)),
    ],
)
def test_a_buffer_of_another_kind_is_refused(name: str, wrong: object) -> None:
    with pytest.raises(ValueError, match=f"^{name}: "):
        Batch(RULE_SETS["aberto"], 4, 2, **{**Buffers(2, 4).named(), name: wrong})


@pytest.mark.parametrize("change", [{"tables": 0}, {"parts": 0}, {"first": -1}, {"first": 2**48 + 1}, {"players": 3}])
def test_an_impossible_batch_is_refused(change: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"batch has at least|is for 4 players"):
        make(RULE_SETS["classico"], **{"players": 4, **change})


def test_sizes_and_places_are_checked_at_every_call() -> None:
    batch, _ = make(RULE_SETS["aberto"], 4)
    short, actions = array("q", [0, 0]), array("q", [0, 0, 0])
    for call in (batch.check, batch.step):
        with pytest.raises(ValueError, match=r"^actions: 3 numbers"):
            call(short)
    with pytest.raises(ValueError, match=r"^actions: 3 numbers"):
        batch.random_legal(0, short)
    with pytest.raises(ValueError, match=r"^actions: the buffer cannot be written$"):
        batch.random_legal(0, memoryview(actions).toreadonly())
    with pytest.raises(IndexError):
        batch.step(actions, 1)
    with pytest.raises(IndexError):
        batch.random_legal(0, actions, -1)
    for index in (-1, 3):
        with pytest.raises(IndexError):
            batch.deal(index)
    for table, number in [(-1, 0), (0, -1)]:
        with pytest.raises(ValueError, match="count from 0"):
            seed_of(0, table, number)
