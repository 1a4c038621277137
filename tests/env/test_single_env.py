"""The environment of Gymnasium, by its own check and by ours."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from buraco.bots import bot_levels
from buraco.env import single
from buraco.env.single_env import SingleEnv
from buraco.errors import BuracoError, IllegalAction
from tests.toy import TOY_OPEN
from tests.unit.making import game_sets

GAMES = game_sets()


def played(env: SingleEnv, seed: int | None, source: np.random.Generator) -> list[tuple[list[int], float, Any]]:
    """Play an episode at random; return for each step what was legal, the reward and the info."""
    steps = []
    observation, info = env.reset(seed=seed)
    over = False
    while not over:
        legal = np.flatnonzero(observation["action_mask"])
        observation, reward, over, truncated, info = env.step(source.choice(legal))
        assert not truncated
        steps.append((legal.tolist(), reward, info))
    return steps


@pytest.mark.parametrize("flat", [False, True])
def test_the_check_of_gymnasium_passes(flat: bool) -> None:
    check_env(single("aberto", flat=flat, render_mode="ansi"))


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_deal_of_every_rule_set_rewards_the_points_that_the_side_is_ahead(name: str, players: int) -> None:
    env = single(name, players, seat=1)
    steps = played(env, 5, np.random.default_rng(1))
    own, other = env.episode.totals
    assert sum(reward for _, reward, _ in steps) == other - own
    assert steps[-1][2]["deals"][0]["totals"] == (own, other)
    assert all(reward == 0.0 for _, reward, _ in steps[:-1])


def test_it_is_always_the_turn_of_the_agent_or_the_end() -> None:
    env = single("fechado", seat=2)
    observation, _ = env.reset(seed=1)
    over = False
    while not over:
        assert env.episode.deal.seat == 2
        assert np.flatnonzero(observation["action_mask"]).tolist() == env.episode.deal.legal()
        assert env.observation_space.contains(observation)
        observation, _, over, _, _ = env.step(env.episode.deal.choose(0))
    assert not observation["action_mask"].any()


def test_the_same_seed_gives_the_same_episode_and_the_next_one_another() -> None:
    def run(seed: int | None, env: SingleEnv) -> Any:
        return played(env, seed, np.random.default_rng(3))

    one, two = single("burraco", bots="random"), single("burraco", bots="random")
    first = run(8, one)
    assert first == run(8, two)
    assert run(None, one) == run(None, two) != first


def test_several_deals_give_their_rewards_as_they_end() -> None:
    env = single(TOY_OPEN, 2, deals=5, seat=0, bots="random", reward_scale=2.0)
    steps = played(env, 4, np.random.default_rng(1))
    own, other = env.episode.totals
    assert sum(reward for _, reward, _ in steps) == 2.0 * (own - other)
    assert [deal["number"] for _, _, info in steps for deal in info["deals"]] == [1, 2, 3, 4, 5]


def test_a_match_is_rewarded_by_who_won_it() -> None:
    rules = TOY_OPEN.replace(target_points=0, deal_count=3)
    env = single(rules, 2, deals=None, reward="match", bots="random")
    for seed in range(4):
        steps = played(env, seed, np.random.default_rng(seed))
        own, other = env.episode.totals
        assert sum(reward for _, reward, _ in steps) == float(np.sign(own - other))


@pytest.mark.parametrize("level", bot_levels())
def test_every_level_of_bots_plays(level: str) -> None:
    env = single("burraco", 2, bots=level, nodes=20)
    env.reset(seed=1)
    for _ in range(6):
        _, _, over, _, _ = env.step(env.episode.deal.choose(2))
        assert not over


def test_each_other_seat_may_have_a_bot_of_its_own() -> None:
    env = single("aberto", bots=["random", "club", "novice"], seat=3)
    steps = played(env, 2, np.random.default_rng(2))
    assert steps[-1][2]["deals"]


def test_better_bots_leave_less_to_who_plays_at_random() -> None:
    def total(level: str) -> float:
        env, source = single("burraco", 2, bots=level), np.random.default_rng(5)
        return sum(reward for seed in range(12) for _, reward, _ in played(env, seed, source))

    assert total("club") < total("random")


def test_an_illegal_action_ends_the_episode_and_says_why() -> None:
    env = single()
    env.reset(seed=1)
    before = env.episode.deal.dump()
    observation, reward, over, truncated, info = env.step(56)
    assert (reward, over, truncated) == (-1000.0, True, False)
    assert info["illegal"]["code"] == "must_draw"
    assert not observation["action_mask"].any()
    assert env.episode.deal.dump() == before


def test_an_illegal_action_raises_an_error_where_that_was_asked_for_and_changes_nothing() -> None:
    env = single(illegal="error")
    env.reset(seed=1)
    before = env.episode.deal.dump()
    with pytest.raises(IllegalAction) as caught:
        env.step(56)
    assert caught.value.code == "must_draw"
    assert env.episode.deal.dump() == before
    _, _, over, _, _ = env.step(0)
    assert not over


def test_a_step_before_the_first_reset_or_after_the_end_is_an_error() -> None:
    env = single()
    with pytest.raises(BuracoError):
        env.step(0)
    env.reset(seed=1)
    env.step(-1)
    with pytest.raises(BuracoError) as caught:
        env.step(0)
    assert caught.value.code == "no_deal"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"seat": 4}, ValueError),
        ({"seat": -1}, ValueError),
        ({"bots": "nobody"}, BuracoError),
        ({"bots": ["club"]}, ValueError),
        ({"nodes": 0}, ValueError),
        ({"render_mode": "film"}, ValueError),
        ({"deals": -1}, ValueError),
        ({"seat": 0.5}, TypeError),
        ({"nodes": 1.5}, TypeError),
        ({"deals": 1.5}, TypeError),
        ({"reward_scale": float("nan")}, ValueError),
    ],
)
def test_arguments_that_mean_nothing_are_errors(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        single(**options)


def test_the_spec_makes_the_same_environment_again() -> None:
    env = single("fechado", 2, bots="greedy", render_mode="rgb_array")
    assert env.spec is not None
    again = env.spec.make()
    observation, _ = env.reset(seed=6)
    other, _ = again.reset(seed=6)
    assert observation["action_mask"].tolist() == other["action_mask"].tolist()
    assert np.array_equal(env.render(), again.render())  # type: ignore[arg-type]


def test_an_environment_can_be_sent_to_another_process() -> None:
    env = pickle.loads(pickle.dumps(single("burraco", 2)))
    observation, _ = env.reset(seed=1)
    assert observation["action_mask"].any()
