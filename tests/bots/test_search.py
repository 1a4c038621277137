"""The search of expert and master: its limits, its worlds, its threads, and what it says of its choices."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from buraco.bots import ALTERNATIVES_MAX, Decision, Limit, make_bot
from buraco.bots.evaluation import EVALUATION_FORMAT, evaluation_weights, read_evaluation
from buraco.bots.search import EXPERT, MASTER, SHARES, SearchBot, candidates_of, turn_share
from buraco.engine.codes import POLICIES
from buraco.engine.constants import EVALUATION_SIZE, FEATURE_COUNT, PHASE_DRAW
from buraco.engine.deal import Deal
from buraco.engine.evaluate import evaluation_of, features_of, value_of
from buraco.engine.position import hide
from buraco.engine.search import Plan, futures_of, play_futures, world_of
from buraco.engine.view import view_of
from buraco.errors import BuracoError
from buraco.rules import RULE_SETS, get_rules
from tests.bots.situations import GAMES, acting_view, states
from tests.unit.making import run, table

CLUB: Final = POLICIES.index("club")
GREEDY: Final = POLICIES.index("greedy")
LIMIT: Final = Limit(nodes=600)
PLAN: Final = Plan(4, 1, CLUB, GREEDY, 1, 40)


def no_clock() -> float:
    raise AssertionError("under a limit of nodes no clock is looked at")


def expert(threads: int = 1, clock: Callable[[], float] = no_clock) -> SearchBot:
    return SearchBot("expert", EXPERT, 3, threads=threads, clock=clock)


def middle(name: str = "aberto", seed: int = 4, steps: int = 50) -> Deal:
    """Return a deal in which the seat to act has drawn and has something to choose from."""
    deal = Deal(get_rules(name), seed=seed)
    for _ in range(steps):
        deal.apply(deal.choose(CLUB))
    while deal.phase != 2 or len(deal.legal()) < 6:
        deal.apply(deal.choose(CLUB))
    return deal


@pytest.mark.parametrize(("name", "players"), GAMES)
@pytest.mark.parametrize("level", ["expert", "master"])
def test_the_search_chooses_legally_and_alike_with_any_number_of_threads(level: str, name: str, players: int) -> None:
    settings = EXPERT if level == "expert" else MASTER
    for deal in states(name, players)[::4]:
        view = acting_view(deal)
        one, nodes = SearchBot(level, settings, 3, clock=no_clock).think(view, LIMIT)
        assert one.action in view.legal
        assert len(one.alternatives) <= ALTERNATIVES_MAX
        assert {entry.action for entry in one.alternatives} <= set(view.legal) - {one.action}
        assert nodes <= int(600 * turn_share(view))
        assert SearchBot(level, settings, 3, threads=3, clock=no_clock).think(view, LIMIT) == (one, nodes)


def test_more_nodes_are_used_where_they_are_allowed_and_never_too_many() -> None:
    view = acting_view(middle())
    used = [expert().think(view, Limit(nodes=nodes))[1] for nodes in (0, 40, 400, 4000, 8000)]
    assert used[0] == 0
    assert used == sorted(used)
    assert 0.8 * 8000 * SHARES["play"] < used[-1] <= 8000 * SHARES["play"]


def test_a_limit_only_lowers_the_budget_of_a_turn() -> None:
    view = acting_view(middle())
    small = SearchBot("expert", replace(EXPERT, turn_nodes=2000), 3, clock=no_clock)
    assert small.think(view, Limit(nodes=10**9)) == small.think(view, Limit(nodes=2000))


def test_a_single_legal_action_costs_no_node_and_no_time() -> None:
    deal = Deal(get_rules("aberto"), seed=2)
    assert deal.legal() == [0]
    decision, nodes = expert().think(acting_view(deal), Limit(ms=0))
    assert (decision.action, nodes, decision.reasons[0].code) == (0, 0, "only_action")


def test_a_time_limit_ends_the_search_sooner_and_still_gives_a_choice() -> None:
    view = acting_view(middle())

    def ticking(step_s: float) -> Callable[[], float]:
        now = [0.0]

        def clock() -> float:
            now[0] += step_s
            return now[0]

        return clock

    full = expert().think(view, Limit(nodes=20_000))[1]
    by_time = [expert(clock=ticking(step)).think(view, Limit(ms=100, nodes=20_000)) for step in (0.0, 0.005, 1.0)]
    assert by_time[0][1] == full
    assert 0 < by_time[1][1] < full
    assert by_time[2][1] == 0
    assert by_time[2][0].action == middle().choose(CLUB)


def test_the_seed_decides_the_worlds_and_equal_seeds_choose_alike() -> None:
    view = acting_view(middle())
    first = make_bot("expert", 1).choose(view, LIMIT)
    assert make_bot("expert", 1).choose(view, LIMIT) == first
    others = [make_bot("expert", seed).choose(view, LIMIT).evaluation for seed in range(2, 6)]
    assert set(others) != {first.evaluation}


def test_the_search_says_of_how_many_futures_it_speaks_and_orders_the_alternatives() -> None:
    decision = make_bot("master", 1).choose(acting_view(middle()), Limit(nodes=20_000))
    evidence = decision.reasons[-1]
    assert evidence.code == "futures"
    values = dict(evidence.values)
    assert int(values["count"]) > 20
    assert decision.evaluation is not None
    worths = [decision.evaluation, *[entry.evaluation for entry in decision.alternatives]]
    assert worths == sorted(worths, reverse=True)
    assert len(worths) > 2
    # What it says to be ahead by is what the values beside it say.
    assert int(values["points"]) == pytest.approx(worths[0] - worths[1], abs=0.6)


@pytest.mark.parametrize("level", ["expert", "master"])
def test_a_search_needs_a_seat_that_is_to_act(level: str) -> None:
    deal = middle()
    with pytest.raises(BuracoError) as caught:
        make_bot(level).choose(view_of(deal, (deal.seat + 1) % 4), LIMIT)
    assert caught.value.code == "not_your_turn"


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_world_keeps_everything_that_the_seat_and_everyone_sees(name: str, players: int) -> None:
    moved = 0
    for deal in states(name, players):
        before, view = deal.dump(), acting_view(deal)
        futures = futures_of(deal, deal.legal()[:1], 5, PLAN)
        for number in range(4):
            world = deal.copy()
            world_of(futures, world, number)
            assert acting_view(world) == view
            assert hide(world.position(), None) == hide(deal.position(), None)
            assert Deal.from_position(world.position()).legal() == deal.legal()
            moved += world.dump() != before
        assert deal.dump() == before
    assert moved > 0


def test_a_world_is_the_same_whatever_was_dealt_before() -> None:
    deal = middle()
    futures, again = (futures_of(deal, deal.legal()[:1], 5, PLAN) for _ in range(2))
    worlds = [deal.copy() for _ in range(4)]
    for number, world in enumerate(worlds):
        world_of(futures, world, number)
    assert len({str(world.dump()) for world in worlds}) == 4
    last = deal.copy()
    world_of(again, last, 3)
    assert last.dump() == worlds[3].dump()


@pytest.mark.parametrize("name", ["aberto", "fechado", "burraco", "classico"])
def test_futures_are_played_as_by_hand(name: str) -> None:
    deal = middle(name, seed=6)
    actions = [action for action, _ in sorted(deal.scored(CLUB), key=lambda entry: -entry[1])[:3]]
    evaluation = evaluation_of(evaluation_weights())
    nodes, values = play_futures(futures_of(deal, actions, 5, PLAN), evaluation, 2, 2, 0b101)
    counted, sign = 0, 1 - 2 * (deal.seat & 1)
    for row, number in enumerate((2, 3)):
        assert values[row][1] == 0
        for index in (0, 2):
            trial = deal.copy()
            world_of(futures_of(deal, actions, 5, PLAN), trial, number)
            trial.apply(actions[index])
            counted += 1
            while not trial.over and not (trial.phase == PHASE_DRAW and trial.turn_count >= deal.turn_count + 4):
                trial.apply(trial.choose(CLUB if trial.turn_count < deal.turn_count + 1 else GREEDY))
                counted += 1
            assert values[row][index] == sign * value_of(trial, evaluation)
    assert nodes == counted


def test_a_seat_is_thought_to_hold_less_beside_what_it_threw() -> None:
    believed, even = 0, 0
    for seed in range(80):
        deal = Deal(get_rules("aberto"), seed=seed)
        while len(deal.position().pile) < 2 or deal.phase != 0:
            deal.apply(deal.choose(GREEDY))
        entry = deal.position().pile[-1]
        if entry.card is None or entry.card % 13 in (0, 12):
            continue
        beside = (entry.card - 1, entry.card + 1)
        for sweeps in (0, 2):
            futures = futures_of(deal, deal.legal()[:1], 5, Plan(4, 1, CLUB, GREEDY, sweeps, 40))
            world, count = deal.copy(), 0
            for number in range(60):
                world_of(futures, world, number)
                count += sum(world.hand(entry.seat).count(card) for card in beside)
            believed, even = believed + (count if sweeps else 0), even + (0 if sweeps else count)
    assert even > 300
    assert believed < 0.8 * even, (believed, even)


def test_the_candidates_begin_with_what_the_policy_would_do() -> None:
    for deal in states("fechado", 4):
        actions, priors = candidates_of(deal, EXPERT)
        assert actions[0] == deal.choose(CLUB)
        assert priors[0] == 0.0
        assert len(actions) <= EXPERT.candidates
        assert priors == sorted(priors, reverse=True)
        assert min(priors) >= -EXPERT.margin


def test_too_many_candidates_or_worlds_at_once_are_refused() -> None:
    deal = middle()
    with pytest.raises(ValueError, match="candidates"):
        futures_of(deal, [0] * 25, 1, PLAN)
    futures = futures_of(deal, deal.legal()[:2], 1, PLAN)
    with pytest.raises(ValueError, match="worlds"):
        play_futures(futures, evaluation_of(evaluation_weights()), 0, 33, 3)


# -- the evaluation -------------------------------------------------------------------------------------------------


def test_the_evaluation_of_a_finished_deal_is_its_score() -> None:
    evaluation = evaluation_of(evaluation_weights())
    for name in RULE_SETS:
        deal = Deal(get_rules(name), max(get_rules(name).player_counts), seed=3)
        deal.playout(GREEDY)
        assert value_of(deal, evaluation) == deal.score(0) - deal.score(1)


def test_a_state_has_its_kind_its_stage_and_as_many_features_as_there_are() -> None:
    kind, stage, *features = features_of(middle())
    assert (kind, len(features)) == (2, FEATURE_COUNT)
    assert 0 <= stage < 6
    assert any(features)


def test_the_evaluation_sees_how_nearly_a_canasta_is_made() -> None:
    evaluation = evaluation_of(evaluation_weights())
    hands = ("9h 9c 3d Ks", "3c 4c 9s", "5c 6c 8d", "8c Jd Qd")
    values, ways = [], []
    for high in (6, 7, 8, 9):
        position = table("aberto", *hands, melds=((run("h", 3, high),), ()), phase="play", drew_stock=True)
        deal = Deal.from_position(position)
        values.append(value_of(deal, evaluation))
        ways.append(features_of(deal)[3:6])
    assert values == sorted(set(values))
    clean = RULE_SETS["aberto"].bonus_clean
    assert ways == [(0, 0, clean), (0, clean, 0), (clean, 0, 0), (0, 0, 0)]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (None, "weights_missing"),
        ("{", "weights_damaged"),
        ("[]", "weights_wrong"),
        (json.dumps({"format": "other", "weights": [0] * EVALUATION_SIZE}), "weights_wrong"),
        (json.dumps({"format": EVALUATION_FORMAT, "weights": [0]}), "weights_wrong"),
        (json.dumps({"format": EVALUATION_FORMAT, "weights": [0.5] * EVALUATION_SIZE}), "weights_wrong"),
        (json.dumps({"format": EVALUATION_FORMAT, "weights": [10**12] * EVALUATION_SIZE}), "weights_wrong"),
    ],
)
def test_b01_missing_or_wrong_weights_are_an_error(tmp_path: Path, content: str | None, code: str) -> None:
    file = tmp_path / "evaluation.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(BuracoError) as caught:
        read_evaluation(file)
    assert caught.value.code == code
    assert str(file) in caught.value.message


def test_as_many_weights_as_needed_are_wanted() -> None:
    with pytest.raises(ValueError, match=str(EVALUATION_SIZE)):
        evaluation_of([0])


# -- both builds ----------------------------------------------------------------------------------------------------

_SCRIPT: Final = """
from tests.bots.test_search import small_search
for line in small_search():
    print(line)
"""


def small_search() -> list[str]:
    """Return what a search of few nodes decides in some states, a line each."""
    lines = []
    for name in ("aberto", "classico", "fechado-50", "burraco"):
        decision: Decision = make_bot("expert", 2).choose(acting_view(middle(name, seed=5)), Limit(nodes=300))
        lines.append(repr(decision))
    return lines


def test_the_uncompiled_engine_searches_alike() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        env={**os.environ, "BURACO_PURE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == small_search()
