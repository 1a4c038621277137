"""The environment of PettingZoo, by its own tests and by ours."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from buraco.engine import ACTION_COUNT, Deal
from buraco.engine.observation_parts import PARTS
from buraco.env import aec
from buraco.env.table_env import TableEnv
from buraco.errors import BuracoError, IllegalAction
from buraco.notation import parse_position
from buraco.rules import RULE_SETS
from tests.toy import TOY_OPEN, TOYS
from tests.unit.making import game_sets

#: What PettingZoo's test says of every observation that is a dictionary, its own games' by name excepted; and of the
#: masks of agents whose episode has ended.
DICTIONARIES = (
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)
GAMES = game_sets()


def played(env: TableEnv, seed: int | None, policy: int = 0) -> list[tuple[str, float, dict[str, Any]]]:
    """Play an episode by a policy of the engine; return what each agent was given at its end."""
    env.reset(seed=seed)
    ends = []
    for agent in env.agent_iter():
        _, reward, over, _, info = env.last(observe=False)
        if over:
            ends.append((agent, reward, info))
            env.step(None)
        else:
            env.step(env.episode.deal.choose(policy))
    return ends


@pytest.mark.filterwarnings(*DICTIONARIES)
@pytest.mark.parametrize(("rules", "players", "flat"), [("aberto", 4, False), ("fechado-50", 2, True)])
def test_the_api_test_of_pettingzoo_passes(rules: str, players: int, flat: bool) -> None:
    api_test(aec(rules, players, flat=flat), num_cycles=60)


@pytest.mark.filterwarnings(*DICTIONARIES)
def test_the_api_test_passes_over_several_short_episodes_of_a_toy_rule_set() -> None:
    api_test(aec(TOY_OPEN, deals=3), num_cycles=200)


def test_the_seed_test_of_pettingzoo_passes() -> None:
    seed_test(lambda: aec("burraco", 4), num_cycles=40)


@pytest.mark.parametrize("rules", ["classico", TOY_OPEN])
def test_the_parallel_api_test_passes_after_the_conversion_for_turns(rules: Any) -> None:
    parallel_api_test(turn_based_aec_to_parallel(aec(rules)), num_cycles=150)


def test_the_render_test_of_pettingzoo_passes() -> None:
    render_test(lambda render_mode: aec("aberto", render_mode=render_mode))


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_deal_of_every_rule_set_rewards_the_points_that_a_side_is_ahead(name: str, players: int) -> None:
    env = aec(name, players)
    ends = played(env, 3, policy=2)
    own, other = env.episode.totals
    assert [agent for agent, _, _ in ends] == [f"seat_{seat}" for seat in range(players)]
    assert [reward for _, reward, _ in ends] == [float(own - other), float(other - own)] * (players // 2)
    assert all(info["deal"]["totals"] == (own, other) for _, _, info in ends)


def test_house_rules_are_played() -> None:
    rules = RULE_SETS["aberto"].replace(name="short", hand_size=7, bonus_out=300)
    env = aec(rules, 4)
    env.reset(seed=1)
    assert env.episode.deal.hand_count(0) == 7
    assert len(played(env, 1)) == 4


def test_the_rewards_of_several_deals_add_up_to_the_difference_of_the_totals() -> None:
    env = aec(TOY_OPEN, 2, deals=4, reward_scale=0.5)
    env.reset(seed=11)
    sums, infos = [0.0, 0.0], []
    while not env.terminations[env.agent_selection]:
        env.step(env.episode.deal.choose(0))
        for seat in range(2):
            sums[seat] += env.rewards[f"seat_{seat}"]
        if any(env.rewards.values()):
            infos.append(env.infos["seat_0"]["deal"]["number"])
    own, other = env.episode.totals
    assert sums == [0.5 * (own - other), 0.5 * (other - own)]
    assert env.episode.deal_number == 4
    assert infos == sorted(set(infos))


def test_an_agent_reads_of_the_end_of_a_deal_until_it_acts() -> None:
    env = aec(TOY_OPEN, 2, deals=2)
    env.reset(seed=2)
    while env.episode.deal_number == 1:
        env.step(env.episode.deal.choose(0))
    first = env.agent_selection
    other = "seat_1" if first == "seat_0" else "seat_0"
    assert env.infos[first]["deal"] == env.infos[other]["deal"]
    env.step(env.episode.deal.legal()[0])
    assert env.infos[first] == {}
    assert env.infos[other]["deal"]["number"] == 1


def test_a_match_is_rewarded_once_by_who_won_it() -> None:
    env = aec(TOY_OPEN.replace(target_points=0, deal_count=3), 2, deals=None, reward="match")
    seen = set()
    for seed in range(12):
        ends = played(env, seed)
        own, other = env.episode.totals
        assert env.episode.deal_number >= 3
        sign = float(np.sign(own - other))
        assert [reward for _, reward, _ in ends] == [sign, -sign]
        seen.add(sign)
    assert seen == {1.0, -1.0}


def test_a_match_without_a_bound_of_deals_goes_on_to_the_target() -> None:
    env = aec(RULE_SETS["aberto"].replace(target_points=900), deals=None)
    played(env, 5, policy=3)
    own, other = env.episode.totals
    assert env.episode.over
    assert max(own, other) >= 900
    assert env.episode.deal_number > 1


def test_the_same_seed_deals_the_same_cards_and_the_next_episode_others() -> None:
    def hands(env: TableEnv) -> list[tuple[int, ...]]:
        return [env.episode.deal.hand(seat) for seat in range(4)]

    one, two = aec(), aec()
    one.reset(seed=9)
    two.reset(seed=9)
    first = hands(one)
    assert first == hands(two)
    one.reset()
    two.reset()
    assert hands(one) == hands(two) != first
    two.reset(seed=10)
    assert hands(one) != hands(two)


def test_an_observation_is_that_of_the_engine_by_names_or_as_one_row() -> None:
    by_names, as_row = aec(), aec(flat=True)
    for env in (by_names, as_row):
        env.reset(seed=1)
    for agent in by_names.agents:
        parts, row = by_names.observe(agent), as_row.observe(agent)
        assert list(parts["observation"]) == [one.name for one in PARTS]
        assert (
            np.concatenate([part.ravel() for part in parts["observation"].values()]).tolist()
            == row["observation"].tolist()
        )
        assert by_names.observation_space(agent).contains(parts)
        assert as_row.observation_space(agent).contains(row)
        assert parts["action_mask"].any() == (agent == by_names.agent_selection)


def test_the_state_has_the_observations_of_all_seats() -> None:
    env = aec("fechado", flat=True)
    env.reset(seed=1)
    state = env.state()
    assert env.state_space.contains(state)
    assert [row.tolist() for row in state] == [env.observe(agent)["observation"].tolist() for agent in env.agents]


def illegal_action(env: TableEnv) -> int:
    """Return an action that the seat to act may not take: a card that it does not hold."""
    deal = env.episode.deal
    return next(4 + card for card in range(53) if card not in deal.hand(deal.seat))


def test_an_illegal_action_ends_the_episode_and_says_why() -> None:
    env = aec()
    env.reset(seed=1)
    agent, action = env.agent_selection, illegal_action(env)
    before = env.episode.deal.dump()
    env.step(action)
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    assert env.rewards == {one: -1000.0 if one == agent else 0.0 for one in env.possible_agents}
    told = env.infos[agent]["illegal"]
    assert (told["action"], told["code"]) == (action, "must_draw")
    assert told["text"]
    assert told["rule"]
    assert env.episode.deal.dump() == before
    assert not any(env.observe(one)["action_mask"].any() for one in env.possible_agents)
    for _ in env.possible_agents:
        env.step(None)
    assert env.agents == []


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"reward_scale": 0.01}, -10.0),
        ({"reward": "match"}, -1.0),
        ({"reward": "match", "reward_scale": 3.0}, -3.0),
        ({"illegal_reward": -7.5}, -7.5),
    ],
)
def test_the_reward_of_an_illegal_action_goes_by_the_settings(options: dict[str, Any], expected: float) -> None:
    env = aec(**options)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(illegal_action(env))
    assert env.rewards[agent] == expected


@pytest.mark.parametrize("action", [-1, ACTION_COUNT, 10**12])
def test_a_number_that_is_no_action_is_illegal_too(action: int) -> None:
    env = aec()
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(action)
    assert env.infos[agent]["illegal"]["code"] == "unknown_action"


def test_an_illegal_action_raises_an_error_where_that_was_asked_for_and_changes_nothing() -> None:
    env = aec(illegal="error")
    env.reset(seed=1)
    before = env.episode.deal.dump()
    with pytest.raises(IllegalAction, match=r"action \d+ of seat \d: ") as caught:
        env.step(illegal_action(env))
    assert caught.value.code == "must_draw"
    assert env.episode.deal.dump() == before
    assert not any(env.terminations.values())
    env.step(0)
    assert env.episode.deal.dump() != before


@pytest.mark.parametrize("action", [1.5, "0", None])
def test_what_is_no_whole_number_is_an_error_and_changes_nothing(action: Any) -> None:
    env = aec()
    env.reset(seed=1)
    before = env.episode.deal.dump()
    with pytest.raises(TypeError):
        env.step(action)
    assert env.episode.deal.dump() == before
    assert not any(env.terminations.values())


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"rules": "no such rules"}, BuracoError),
        ({"rules": TOY_OPEN, "players": 4}, BuracoError),
        ({"players": 3}, BuracoError),
        ({"deals": 0}, ValueError),
        ({"reward": "turn"}, ValueError),
        ({"illegal": "ignore"}, ValueError),
        ({"render_mode": "film"}, ValueError),
        ({"deals": 1.5}, TypeError),
        ({"deals": "2"}, TypeError),
        ({"reward_scale": float("nan")}, ValueError),
        ({"reward_scale": float("inf")}, ValueError),
        ({"reward_scale": 10**400}, ValueError),
        ({"reward_scale": "1"}, TypeError),
        ({"illegal_reward": float("nan")}, ValueError),
        ({"illegal_reward": "-1"}, TypeError),
        ({"rules": None}, TypeError),
        ({"rules": TOY_OPEN, "players": 2.0}, TypeError),
    ],
)
def test_arguments_that_mean_nothing_are_errors(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        aec(**options)


@pytest.mark.parametrize(("call", "arguments"), [("observe", ["seat_0"]), ("state", []), ("render", []), ("step", [0])])
def test_before_the_first_reset_there_is_nothing_to_see_or_do(call: str, arguments: list[Any]) -> None:
    env = aec()
    with pytest.raises(BuracoError) as caught:
        getattr(env, call)(*arguments)
    assert caught.value.code == "no_deal"


def test_when_all_agents_are_gone_there_is_nothing_to_do() -> None:
    env = aec(TOY_OPEN)
    played(env, 1)
    with pytest.raises(BuracoError) as caught:
        env.step(0)
    assert caught.value.code == "no_deal"


@pytest.mark.parametrize("again", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_the_middle_of_an_episode_goes_on_alike_and_apart(again: Callable[[TableEnv], TableEnv]) -> None:
    env = aec("fechado", deals=2)
    env.reset(seed=5)
    for _ in range(30):
        env.step(env.episode.deal.choose(3))
    other = again(env)
    before = env.episode.deal.dump()
    assert other.episode.deal.dump() == before
    other.step(other.episode.deal.legal()[0])
    assert env.episode.deal.dump() == before != other.episode.deal.dump()
    env.step(env.episode.deal.legal()[0])
    assert env.episode.deal.dump() == other.episode.deal.dump()


@pytest.mark.parametrize("make", ["aec", "single"])
def test_without_the_packages_of_the_extra_the_error_names_it(make: str) -> None:
    code = "import sys; sys.modules['numpy'] = None; import buraco.env as env; env." + make + "()"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "pip install 'buraco[env]'" in ran.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", ["aberto", *TOYS])
def test_the_text_is_a_position_that_can_be_read_again(name: str) -> None:
    rules = TOYS.get(name) or RULE_SETS[name]
    env = aec(rules, render_mode="ansi")
    env.reset(seed=3)
    for _ in range(8):
        env.step(env.episode.deal.choose(2))
    shown = env.render()
    assert isinstance(shown, str)
    assert len(shown.splitlines()) > 5
    if name in RULE_SETS:
        assert Deal.from_position(parse_position(shown)).dump()[:2] == env.episode.deal.dump()[:2]


def test_for_people_the_text_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    env = aec(render_mode="human")
    env.reset(seed=3)
    assert env.render() is None
    assert "hand0=" in capsys.readouterr().out


def test_without_a_mode_nothing_is_shown() -> None:
    env = aec()
    env.reset(seed=3)
    assert env.render() is None
    env.close()
