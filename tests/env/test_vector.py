"""The vector environment plays what hosts play, however its tables are divided; a refusal changes nothing."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import threading
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from buraco.engine import Deal, Host, Match
from buraco.engine.constants import ACTION_COUNT, MASK_WORDS, OBSERVATION_SIZE
from buraco.engine.position import TOTAL_LIMIT, Position
from buraco.env.arrays import observation_row, unpacked
from buraco.env.vector import Rows, VectorEnv, dealer_of, seed_of
from buraco.errors import BuracoError, IllegalAction, RulesError
from buraco.rules import RULE_SETS, get_rules
from tests.toy import TOY_OPEN

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "vector-env.md").read_text(encoding="utf-8")


def pack_of(position: Position) -> list[int]:
    """Return the pack, in its order, from which a deal that has just been dealt comes."""
    hands = [hand or () for hand in position.hands]
    seats = [(position.dealer + 1 + turned) % position.players for turned in range(position.players)]
    dealt = [hands[seat][card] for card in range(position.rules.hand_size) for seat in seats]
    mortos = [card for morto in position.mortos for card in morto or ()]
    up_card = [pile.card for pile in position.pile if pile.card is not None]
    return [*dealt, *mortos, *up_card, *reversed(position.stock or ())]


def hosted(deal: Deal) -> Host:
    """Return a host of a match whose first deal is one that has just been dealt."""
    position = deal.position()
    rules = position.rules
    host = Host(Match(rules, position.players, packs=[pack_of(position)], first_dealer=position.dealer))
    host.next_deal(cut_count=1 if rules.cut_bonus else None)
    return host


def everything(env: VectorEnv) -> tuple[Any, ...]:
    """Return all that an environment says, copied."""
    rows = env.rows
    arrays = (rows.observations, rows.masks, rows.counts, rows.seats, rows.deals, rows.dones, rows.rewards, rows.scores)
    deals = [env.deal(table).dump() for table in range(env.count)]
    return (*(None if array is None else array.tolist() for array in arrays), deals)


def assert_same(left: VectorEnv, right: VectorEnv, first: int, last: int) -> None:
    """Assert that an environment says of some tables what another one says of all of its."""
    for name in ("observations", "masks", "counts", "seats", "deals", "dones", "rewards", "scores"):
        assert np.array_equal(getattr(left.rows, name)[first:last], getattr(right.rows, name)), name


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_a_table_plays_what_a_host_plays(name: str) -> None:
    players = RULE_SETS[name].player_counts[0]
    env = VectorEnv(name, players, count=1, seed=11, first=6)
    host = hosted(env.deal(0))
    while not host.results:
        view, rows = host.view(host.seat), env.rows
        assert rows.seats[0] == host.seat
        assert np.flatnonzero(unpacked(rows.masks[0])).tolist() == list(view.legal)
        assert env.deal(0).position() == host.position()
        actions = env.random_legal(2)
        host.act(int(rows.seats[0]), int(actions[0]))
        env.step(actions)
        assert bool(env.rows.dones[0]) == bool(host.results)
    scores = host.results[0].scores
    assert tuple(env.rows.scores[0]) == scores
    assert env.rows.rewards[0].tolist() == [scores[0] - scores[1], scores[1] - scores[0]] * (players // 2)
    assert env.rows.deals[0] == 1
    second = Deal(get_rules(name), players, dealer_of(players, 6, 1), seed=seed_of(11, 6, 1))
    assert env.deal(0).dump() == second.dump()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_same_seed_gives_the_same_games_for_any_division(threads: int) -> None:
    with (
        VectorEnv(TOY_OPEN, count=150, seed=4, threads=threads) as whole,
        VectorEnv(TOY_OPEN, count=100, seed=4) as head,
        VectorEnv(TOY_OPEN, count=50, seed=4, first=100, threads=2) as tail,
    ):
        assert whole.threads == threads
        for _ in range(60):
            assert_same(whole, head, 0, 100)
            assert_same(whole, tail, 100, 150)
            for env in (whole, head, tail):
                env.step(env.random_legal(8))
        assert whole.rows.deals.min() > 0


def test_rows_have_the_shapes_and_types_that_they_name() -> None:
    rows = VectorEnv("burraco", 2, count=5).rows
    assert rows.observations is not None
    shapes: dict[str, tuple[tuple[int, ...], type]] = {
        "observations": ((5, OBSERVATION_SIZE), np.int16),
        "masks": ((5, MASK_WORDS), np.uint64),
        "counts": ((5,), np.int32),
        "seats": ((5,), np.int8),
        "deals": ((5,), np.int64),
        "dones": ((5,), np.bool_),
        "rewards": ((5, 2), np.int32),
        "scores": ((5, 2), np.int32),
    }
    assert set(shapes) == {field.name for field in fields(Rows)}
    for name, (shape, kind) in shapes.items():
        array: NDArray[Any] = getattr(rows, name)
        assert array.shape == shape
        assert array.dtype == kind
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
        told = ("(count,)", f"(count, {'players' if name == 'rewards' else shape[-1]})")[len(shape) - 1]
        assert f"| `{name}` | {told} | `{array.dtype}` | " in PAGE


def test_the_page_tells_every_argument_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (?:`([^`]+)` )?\| ", PAGE, re.MULTILINE))
    for name, parameter in inspect.signature(VectorEnv).parameters.items():
        assert rows[name] == ("" if parameter.default is parameter.empty else repr(parameter.default))


def test_a_step_returns_the_same_rows_written_anew() -> None:
    env = VectorEnv("aberto", count=3)
    rows, masks, before = env.rows, env.rows.masks, env.rows.masks.copy()
    assert env.step([0, 0, 0]) is env.rows is rows
    assert rows.masks is masks
    assert not np.array_equal(masks, before)


def test_the_observation_is_that_of_the_seat_to_act() -> None:
    env = VectorEnv("fechado", 2, count=3, seed=2)
    for _ in range(30):
        env.step(env.random_legal(5))
        for table in range(3):
            deal = env.deal(table)
            assert env.rows.observations is not None
            assert np.array_equal(env.rows.observations[table], observation_row(deal, deal.seat))


def test_nothing_is_observed_where_it_is_not_wanted() -> None:
    seeing, blind = VectorEnv("aberto", count=2), VectorEnv("aberto", count=2, observe=False)
    for _ in range(20):
        seeing.step(seeing.random_legal())
        blind.step(blind.random_legal())
    assert blind.rows.observations is None
    assert np.array_equal(seeing.rows.masks, blind.rows.masks)


def test_scaled_rewards_are_the_points_times_the_scale() -> None:
    plain, scaled = VectorEnv(TOY_OPEN, count=4), VectorEnv(TOY_OPEN, count=4, reward_scale=0.25)
    ended = 0
    while not ended:
        plain.step(plain.random_legal())
        scaled.step(scaled.random_legal())
        assert scaled.rows.rewards.dtype == np.float32
        assert np.array_equal(scaled.rows.rewards, plain.rows.rewards * np.float32(0.25))
        ended = int(np.count_nonzero(plain.rows.rewards))
    scaled.reset()
    assert not scaled.rows.rewards.any()


@pytest.mark.parametrize("threads", [1, 2])
def test_an_illegal_action_is_named_and_no_table_changes(threads: int) -> None:
    with VectorEnv(TOY_OPEN, count=80, seed=3, threads=threads) as env:
        for _ in range(3):
            env.step(env.random_legal())
        before = everything(env)
        actions = env.random_legal().copy()
        deal = env.deal(71)
        actions[71] = next(action for action in range(ACTION_COUNT) if deal.check(action))
        code = deal.refusal(int(actions[71]))
        wanted = f"^table 71: action {actions[71]} is refused: {code}$"
        with pytest.raises(IllegalAction, match=wanted) as caught:
            env.step(actions)
        assert caught.value.code == code
        assert everything(env) == before
        env.step(env.random_legal())
        assert everything(env) != before


@pytest.mark.parametrize(
    "actions",
    [
        [0, 0],
        [0.0, 0.0, 0.0],
        [[0], [0], [0]],
        0,
        [True, True, True],
        ["0", "0", "0"],
        [None, 0, 0],
        np.zeros(3, np.uint64),
        [2**63, 0, 0],
    ],
)
def test_what_is_no_action_for_each_table_is_refused(actions: Any) -> None:
    env = VectorEnv("aberto", count=3)
    before = everything(env)
    with pytest.raises(ValueError, match=r"^actions: 3 whole numbers"):
        env.step(actions)
    assert everything(env) == before


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint32, np.int64])
def test_actions_may_be_whole_numbers_of_any_size(kind: type) -> None:
    env = VectorEnv("aberto", count=3)
    env.step(np.zeros(6, kind)[::2])
    assert (env.rows.counts > 1).all()


def test_drawn_actions_go_where_they_are_wanted() -> None:
    env = VectorEnv("aberto", count=3)
    env.step([0, 0, 0])
    out = np.full(3, -1, np.int64)
    assert env.random_legal(6, out) is out
    assert np.array_equal(out, env.random_legal(6))
    assert unpacked(env.rows.masks)[np.arange(3), out].all()


@pytest.mark.parametrize(
    "out",
    [
        np.zeros(3, np.int32),
        np.zeros(3, np.uint64),
        np.zeros(3),
        np.zeros(3, np.dtype(np.int64).newbyteorder()),
        np.zeros((3, 1), np.int64),
        np.zeros(6, np.int64)[::2],
        np.zeros(2, np.int64),
        np.frombuffer(bytes(24), np.int64),
        [0, 0, 0],
    ],
    ids=["int32", "unsigned", "float", "other byte order", "two axes", "gaps", "short", "read-only", "list"],
)
def test_an_array_that_actions_cannot_be_drawn_into_is_refused(out: Any) -> None:
    with pytest.raises(ValueError, match=r"out: an array of int64 of shape \(3,\)"):
        VectorEnv("aberto", count=3).random_legal(6, out)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickle.dumps])
def test_an_environment_of_many_tables_is_not_copied(again: Callable[[VectorEnv], object]) -> None:
    with pytest.raises(TypeError, match="make another with the same seed"):
        again(VectorEnv("aberto", count=2))


def test_a_reset_begins_the_games_of_its_seed() -> None:
    env, other = VectorEnv(TOY_OPEN, count=3, seed=1), VectorEnv(TOY_OPEN, count=3, seed=-5)
    first, second = everything(env), everything(other)
    for _ in range(30):
        env.step(env.random_legal())
    assert isinstance(env.reset(), Rows)
    assert everything(env) == first
    env.reset(-5)
    assert env.seed == -5
    assert everything(env) == second != first


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"count": 0}, ValueError),
        ({"threads": 0}, ValueError),
        ({"first": -1}, ValueError),
        ({"players": 3}, ValueError),
        ({"players": 10**15}, ValueError),
        ({"totals": (0, TOTAL_LIMIT + 1)}, ValueError),
        ({"reward_scale": float("nan")}, ValueError),
        ({"reward_scale": 1e300}, ValueError),
        ({"reward_scale": "1"}, TypeError),
        ({"rules": "no-such-rules"}, RulesError),
        ({"rules": None}, TypeError),
        ({"seed": 1.5}, TypeError),
        ({"count": 2.5}, TypeError),
        ({"threads": 1.5}, TypeError),
        ({"threads": float("nan")}, TypeError),
        ({"first": 0.5}, TypeError),
        ({"players": 4.0}, TypeError),
    ],
)
def test_an_impossible_environment_is_refused(change: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        VectorEnv(**{"rules": "aberto", "count": 2, **change})


def test_numbers_of_numpy_and_truth_values_are_whole_numbers() -> None:
    given: dict[str, Any] = {"players": np.int64(4), "count": True, "first": np.uint16(2), "threads": np.int32(2)}
    env = VectorEnv("aberto", seed=3, **given)
    assert (env.players, env.count, env.seed, env.first) == (4, 1, 3, 2)
    assert everything(env) == everything(VectorEnv("aberto", 4, count=1, seed=3, first=2))


@pytest.mark.parametrize("table", [0.5, None, "0"])
def test_what_is_no_number_of_a_table_is_refused(table: Any) -> None:
    with pytest.raises(TypeError, match="table"):
        VectorEnv("aberto", count=2).deal(table)


def test_a_call_beside_another_is_refused() -> None:
    env = VectorEnv("aberto", count=3)
    env._lock.acquire()
    calls: list[Callable[[], object]] = [
        env.random_legal,
        env.reset,
        lambda: env.step([0, 0, 0]),
        lambda: env.deal(0),
    ]
    for call in calls:
        with pytest.raises(BuracoError) as caught:
            call()
        assert caught.value.code == "env_busy"
    env._lock.release()
    env.step([0, 0, 0])


def test_a_closed_environment_refuses_and_its_threads_end() -> None:
    others = set(threading.enumerate())

    def own() -> list[threading.Thread]:
        # Threads of other kinds come and go: of a server, say, that stands in the same process for other tests.
        return [one for one in threading.enumerate() if one.name.startswith("buraco-vector") and one not in others]

    with VectorEnv(TOY_OPEN, count=64, threads=2) as env:
        env.step(env.random_legal())
        assert len(own()) == 1
    assert own() == []
    env.close()
    with pytest.raises(BuracoError) as caught:
        env.reset()
    assert caught.value.code == "env_closed"
    assert env.rows.counts.all()
