"""The ladder of the cheap levels: each step upwards, beyond doubt where the project says so. The seeds are fixed."""

from __future__ import annotations

import pytest

from buraco.arena.executors import open_pool
from buraco.arena.games import PairResult
from buraco.arena.ladder import (
    P_CLEAR,
    SEARCH_NODES,
    SEARCH_STOP,
    SIZES,
    Size,
    Step,
    direction,
    ladder_steps,
    step_name,
    step_plan,
)
from buraco.arena.results import summary_form
from buraco.arena.running import Outcome, run
from buraco.arena.stopping import PAIRS_MIN
from buraco.rules import RULE_SETS, get_rules

#: The rule sets in which every step has to be shown, with the number of players.
SHOWN = (("aberto", 4), ("fechado", 4), ("burraco", 4), ("fechado-50", 2))
#: All others, with the number of players that is played there most.
OTHERS = tuple((name, max(rules.player_counts)) for name, rules in RULE_SETS.items() if (name, 4) not in SHOWN)
CHEAP = ("random", "greedy", "novice", "club")
STEPS = ladder_steps(Size(cheap=100, searching=0, both_searching=0), levels=CHEAP)


def played(step: Step, name: str, players: int) -> Outcome:
    with open_pool("local", 1) as pool:
        *_, last = run(step_plan(step, get_rules(name), players, seed=20), pool, timed_pairs=0)
    assert not last.faults
    return last


def named(step: Step) -> str:
    return f"{step.lower.text} < {step.upper.text}"


@pytest.mark.parametrize("step", STEPS, ids=named)
@pytest.mark.parametrize(("name", "players"), SHOWN)
def test_a_step_is_beyond_doubt(step: Step, name: str, players: int) -> None:
    outcome = played(step, name, players)
    assert direction(outcome) == "up", summary_form(outcome)


@pytest.mark.parametrize("step", STEPS, ids=named)
@pytest.mark.parametrize(("name", "players"), OTHERS)
def test_no_step_leads_down(step: Step, name: str, players: int) -> None:
    outcome = played(step, name, players)
    assert direction(outcome) in ("up", "leans up"), summary_form(outcome)


def test_the_cheap_levels_have_all_their_steps() -> None:
    assert [named(step) for step in STEPS] == ["random < novice", "novice < club", "random < greedy", "greedy < club"]
    assert {name for name, _ in (*SHOWN, *OTHERS)} == set(RULE_SETS)


def test_levels_that_are_not_there_have_no_steps() -> None:
    assert [named(step) for step in ladder_steps(Size(5, 5, 5), levels=("random", "greedy"))] == ["random < greedy"]


def test_a_step_has_the_number_of_pairs_of_its_size() -> None:
    assert {step.pairs for step in STEPS} == {100}
    assert P_CLEAR == 0.001


def test_levels_that_search_play_under_a_tenth_of_their_nodes() -> None:
    assert dict(SEARCH_NODES) == {"expert": 10_000, "master": 50_000}


def test_the_file_of_a_step_is_named_after_its_players() -> None:
    assert step_name(step_plan(STEPS[0], get_rules("aberto"), 4, 0)) == "novice-random-deals"


def test_only_steps_with_a_level_that_searches_may_end_sooner() -> None:
    steps = ladder_steps(SIZES["full"], match_pairs=7)
    found = {(step.upper.level, step.lower.level, step.unit): (step.pairs, step.stop) for step in steps}
    assert found.pop(("expert", "club", "deals")) == (200, SEARCH_STOP)
    assert found.pop(("master", "expert", "deals")) == (600, SEARCH_STOP)
    assert found.pop(("master", "club", "matches")) == (7, None)
    assert set(found.values()) == {(1000, None)}
    assert {step_plan(step, get_rules("aberto"), 4, 0).stop for step in steps} == {None, SEARCH_STOP}


@pytest.mark.parametrize("spread", [2, 60, 400])
def test_a_step_that_its_test_ends_upwards_is_beyond_doubt(spread: int) -> None:
    step = next(step for step in ladder_steps(SIZES["full"]) if step.stop)
    outcome = Outcome(step_plan(step, get_rules("aberto"), 4, 0))
    while not outcome.finished:
        lead = 40 + (spread if len(outcome.pairs) % 2 else -spread)
        outcome = Outcome(outcome.plan, (*outcome.pairs, PairResult((lead, lead), (1, 1), (1, 1), ())))
    assert outcome.verdict is not None
    assert PAIRS_MIN <= len(outcome.pairs) <= 200
    assert (outcome.verdict.state == "high") == (spread < 400)
    assert (direction(outcome) == "up") >= (outcome.verdict.state == "high")
