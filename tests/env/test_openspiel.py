"""The game for OpenSpiel: its own tests pass, players see what their seats see, and its algorithms run."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import cfr, exploitability, external_sampling_mccfr, ismcts, mcts
from open_spiel.python.policy import UniformRandomPolicy

from buraco.engine import Deal, view_of
from buraco.engine.observation import observe
from buraco.engine.observation_parts import PARTS
from buraco.env.openspiel import BuracoGame, BuracoState, load_game, resampler, rules_text
from buraco.errors import BuracoError, IllegalAction, RulesError
from buraco.rules import RULE_SETS, RuleSet
from tests.toy import TOY_CLOSED, TOY_OPEN, TOY_SETS, TOYS

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/openspiel.md"
#: So few cards that with some known packs the whole tree is walked in a moment.
TINY = TOY_CLOSED.replace(name="toy-tiny", pack_ranks="A2345", hand_size=2, canasta_size=3, stock_refill=False)
REAL = (("burraco", 2), ("aberto", 4), ("fechado-sujo", 2))


def walked(state: BuracoState) -> Iterator[BuracoState]:
    """Yield a state and all that follow."""
    yield state
    for action in state.legal_actions():
        yield from walked(state.child(action))


def played(game: BuracoGame, seed: int, stop: int = 10_000) -> BuracoState:
    """Return the state of a random course after at most ``stop`` actions of players."""
    source = np.random.RandomState(seed)
    state: BuracoState = game.new_initial_state()
    count = 0
    while not state.is_terminal() and (state.is_chance_node() or count < stop):
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(source.choice(outcomes, p=chances)))
        else:
            count += 1
            state.apply_action(int(source.choice(state.legal_actions())))
    return state


def deal_of(state: BuracoState) -> Deal:
    assert state.deal is not None
    return state.deal


# The document.


def test_the_document_lists_the_parameters_with_their_defaults() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `?(\w+)`? \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(rows) == {name: str(value).lower() for name, value in load_game("aberto").get_parameters().items()}


# OpenSpiel's own tests.


@pytest.mark.parametrize("rules", [*TOYS.values(), TINY], ids=lambda rules: rules.name)
@pytest.mark.parametrize("packs", [0, 3])
@pytest.mark.parametrize("compact", [False, True], ids=["all actions", "compact"])
def test_the_tests_of_openspiel_pass_on_toys(rules: RuleSet, packs: int, compact: bool) -> None:
    pyspiel.random_sim_test(load_game(rules, packs=packs, compact=compact), 3, True, False)


@pytest.mark.parametrize(("name", "players"), REAL)
def test_the_tests_of_openspiel_pass_on_real_rules(name: str, players: int) -> None:
    game = pyspiel.load_game("python_buraco", {"rules": name, "players": players, "dealer": 1})
    assert (game.num_players(), game.num_distinct_actions()) == (players, 22_185)
    pyspiel.random_sim_test(game, 1, True, False)


# Chance and what players get.


def test_chance_deals_the_pack_card_by_card_in_the_order_of_the_engine() -> None:
    state = played(load_game(TOY_SETS, dealer=1), 1, stop=0)
    assert deal_of(state).dump() == Deal.from_pack(TOY_SETS, 2, tuple(state.history()), dealer=1).dump()


def test_each_card_comes_as_often_as_it_is_left() -> None:
    rules = TOY_OPEN.replace(pack_ranks="A234", pack_copies=2)
    state = load_game(rules).new_initial_state()
    assert dict(state.chance_outcomes()) == {
        card: (1 if card == 52 else 2) / 17 for card in (0, 1, 2, 3, 26, 27, 28, 29, 52)
    }
    state.apply_action(0)
    assert dict(state.chance_outcomes())[0] == 1 / 16
    state.apply_action(0)
    assert 0 not in dict(state.chance_outcomes())


def test_packs_are_those_of_the_seed_and_one_is_chosen() -> None:
    one, two = (load_game(TINY, packs=5, seed=seed).new_initial_state() for seed in (1, 2))
    assert one.chance_outcomes() == [(number, 0.2) for number in range(5)]
    assert len({str(one.child(number)) for number in range(5)}) == 5
    assert str(one.child(0)) != str(two.child(0))


@pytest.mark.parametrize(("name", "players"), REAL)
def test_sides_get_their_lead_in_points(name: str, players: int) -> None:
    game = load_game(name, players=players)
    state = played(game, 2)
    lead = deal_of(state).score(0) - deal_of(state).score(1)
    assert state.returns() == [lead, -lead] * (players // 2)
    assert game.min_utility() <= -abs(lead) <= abs(lead) <= game.max_utility()
    assert played(game, 2, stop=5).returns() == [0] * players


# What players see.


@pytest.mark.parametrize(
    "rules",
    [
        TINY,
        TINY.replace(
            name="tiny-open", pile_closed=False, stalemate="turn_cap", turn_cap=1, pack_ranks="A2345", canasta_size=5
        ),
    ],
    ids=lambda rules: rules.name,
)
def test_an_information_state_is_all_that_a_seat_has_seen(rules: RuleSet) -> None:
    game = load_game(rules, packs=2, seed=3)
    words: dict[object, set[str]] = defaultdict(set)
    views: dict[tuple[int, str], set[object]] = defaultdict(set)

    def walk(state: BuracoState, seen: tuple[tuple[object, ...], ...]) -> None:
        deal = deal_of(state)
        if deal.over:
            return
        seen = tuple(
            (*before, (deal.seat, *deal.legal()) if seat == deal.seat else deal.seat, view_of(deal, seat).position)
            for seat, before in enumerate(seen)
        )
        for seat in (0, 1):
            told = state.information_state_string(seat)
            # A hash stands for the long history.
            words[seat, hash(seen[seat])].add(told)
            views[seat, told].add(hash(seen[seat]))
        for action in state.legal_actions():
            walk(state.child(action), seen)

    for number in range(2):
        walk(game.new_initial_state().child(number), ((), ()))
    assert len(words) > 100
    assert {len(told) for told in words.values()} == {1}
    assert {len(found) for found in views.values()} == {1}


def test_an_information_state_does_not_tell_what_others_hold() -> None:
    pack = tuple(played(load_game(TOY_OPEN), 5, stop=0).history())
    # The seat after the dealer gets every second of the first six cards; the rest is hidden from it.
    hidden = [at for at in range(len(pack)) if at not in (0, 2, 4)]
    other = list(pack)
    for at, value in zip(hidden, reversed(hidden), strict=True):
        other[at] = pack[value]
    states = []
    for cards in (pack, other):
        state = load_game(TOY_OPEN).new_initial_state()
        for card in cards:
            state.apply_action(card)
        states.append(state)
    assert str(states[0]) != str(states[1])
    assert states[0].information_state_string(1) == states[1].information_state_string(1)
    assert states[0].observation_string(1) == states[1].observation_string(1)
    assert states[0].observation_tensor(1) == states[1].observation_tensor(1)
    assert states[0].information_state_string(0) != states[1].information_state_string(0)


def test_an_observation_has_the_numbers_of_the_engine() -> None:
    state = played(load_game("burraco", players=2), 1, stop=30)
    numbers = np.zeros(sum(part.size for part in PARTS), np.int16)
    for seat in (0, 1):
        observe(deal_of(state), seat, numbers)
        assert state.observation_tensor(seat) == numbers.tolist()


def test_compact_actions_are_the_same_actions() -> None:
    plain, compact = load_game(TINY, packs=3), load_game(TINY, packs=3, compact=True)
    assert compact.num_distinct_actions() < 300
    for number in range(3):
        states = zip(
            walked(plain.new_initial_state().child(number)),
            walked(compact.new_initial_state().child(number)),
            strict=True,
        )
        for one, two in states:
            assert str(one) == str(two)
            ids = [compact.settings.engine_id(action) for action in two.legal_actions()]
            assert ids == one.legal_actions()
            assert [one.action_to_string(a) for a in one.legal_actions()] == [
                two.action_to_string(a) for a in two.legal_actions()
            ]


# States that a player cannot tell from another.


@pytest.mark.parametrize(
    ("rules", "packs"), [(TOY_CLOSED, 0), (TINY, 200), (RULE_SETS["burraco"], 0)], ids=["cards", "packs", "real"]
)
def test_a_resampled_state_looks_the_same_to_its_player(rules: RuleSet, packs: int) -> None:
    game = load_game(rules, players=2, packs=packs, seed=4)
    resample, others = resampler(1), set()
    for stop in range(0, 12, 3):
        state = played(game, 3, stop)
        if state.is_terminal():
            break
        player = state.current_player()
        before = str(state)
        for _ in range(6):
            other = resample(state, player)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.legal_actions() == state.legal_actions()
            others.add(str(other) != before)
            other.apply_action(other.legal_actions()[0])
        assert str(state) == before
    assert True in others


def test_a_state_before_the_deal_is_resampled_as_it_is() -> None:
    for packs in (0, 2):
        state = load_game(TINY, packs=packs).new_initial_state()
        assert resampler(1)(state, 0).history() == state.history()


# Algorithms.


def test_regret_minimization_lowers_exploitability() -> None:
    game = load_game(TINY, packs=2, seed=1, compact=True)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    found = exploitability.exploitability(game, solver.average_policy())
    assert found < exploitability.exploitability(game, UniformRandomPolicy(game)) / 2


def test_sampled_regret_minimization_runs() -> None:
    game = load_game(TOY_CLOSED)
    state = np.random.get_state()
    np.random.seed(1)
    try:
        solver = external_sampling_mccfr.ExternalSamplingSolver(
            load_game(TINY), external_sampling_mccfr.AverageType.SIMPLE
        )
        solver.iteration()
    finally:
        np.random.set_state(state)
    start = played(load_game(TINY), 1, stop=0)
    policy = solver.average_policy().action_probabilities(start)
    assert set(policy) == set(start.legal_actions())
    assert sum(policy.values()) == pytest.approx(1)
    assert game.num_players() == 2


def test_learners_of_openspiel_get_the_observation() -> None:
    sampler = rl_environment.ChanceEventSampler(seed=1)
    env = rl_environment.Environment(load_game(TOY_CLOSED, compact=True), chance_event_sampler=sampler)
    step = env.reset()
    while not step.last():
        seen, player = step.observations, step.observations["current_player"]
        assert len(seen["info_state"][player]) == sum(part.size for part in PARTS)
        step = env.step([seen["legal_actions"][player][0]])
    assert sum(step.rewards) == 0


@pytest.mark.parametrize("packs", [0, 6])
def test_search_over_information_sets_plays(packs: int) -> None:
    game = load_game(TINY, packs=packs, seed=1)
    source = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, source), 200.0, 8, random_state=source)
    bot.set_resampler(resampler(1))
    state = played(game, 1, stop=0)
    while not state.is_terminal():
        action = int(bot.step(state))
        assert action in state.legal_actions()
        state.apply_action(action)
    assert sum(state.returns()) == 0


# Parameters.


@pytest.mark.parametrize(
    "rules",
    [*TOYS.values(), RULE_SETS["aberto"].replace(name="house", title="Mine (ours), ő = ü")],
    ids=lambda rules: rules.name,
)
def test_house_rules_pass_as_a_parameter(rules: RuleSet) -> None:
    text, players = rules_text(rules), max(rules.player_counts)
    assert set(text) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
    game: Any = pyspiel.load_game(f"python_buraco(rules={text},players={players})")
    assert game.settings.rules == rules
    assert pyspiel.load_game(str(game)).settings.rules == rules
    assert rules_text(RULE_SETS["aberto"]) == "aberto"


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"rules": "house.A"}, "openspiel_parameter"),
        ({"rules": "house.AAAA"}, "json_syntax"),
        ({"players": 3}, "players"),
        ({"dealer": 4}, "openspiel_parameter"),
        ({"packs": -1}, "openspiel_parameter"),
        ({"deals": 1}, "openspiel_parameter"),
        ({"packs": "8"}, "openspiel_parameter"),
        ({"packs": 1.5}, "openspiel_parameter"),
        ({"packs": True}, "openspiel_parameter"),
        ({"seed": 1 << 31}, "openspiel_parameter"),
        ({"compact": 1}, "openspiel_parameter"),
        ({"rules": "abierto"}, "unknown_rules"),
    ],
    ids=lambda value: str(value),
)
def test_impossible_parameters_are_told(parameters: dict[str, Any], code: str) -> None:
    given = {"rules": "aberto"} | parameters
    with pytest.raises((BuracoError, RulesError)) as caught:
        load_game(given.pop("rules"), **given)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("parameters", "history", "action"),
    [
        ({"packs": 8}, [], 8),
        ({"packs": 8}, [], -2),
        ({"packs": 8}, [], 1 << 40),
        ({}, [], 53),
        ({}, [], -2),
        ({}, [1], 1),
        ({"packs": 8, "compact": True}, [0], 22184),
        ({"packs": 8, "compact": True}, [0], -2),
        ({"packs": 8}, [0], 22185),
    ],
    ids=str,
)
def test_what_chance_or_a_seat_cannot_do_is_refused_and_changes_nothing(
    parameters: dict[str, Any], history: list[int], action: int
) -> None:
    state = load_game(TOY_OPEN, **parameters).new_initial_state()
    for earlier in history:
        state.apply_action(earlier)
    before = str(state), state.history()
    with pytest.raises(IllegalAction) as caught:
        state.apply_action(action)
    assert caught.value.code == "unknown_action"
    assert (str(state), state.history()) == before


def test_an_observer_takes_no_parameters() -> None:
    with pytest.raises(BuracoError, match="no parameters"):
        load_game("aberto").make_py_observer(None, {"planes": 1})


def test_without_openspiel_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "buraco.env.openspiel")
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ImportError, match=r"buraco\[openspiel\]"):
        __import__("buraco.env.openspiel")
