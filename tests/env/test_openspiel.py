"""The game for OpenSpiel: its own tests pass, players see what their seats see, and its algorithms run."""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import observation, rl_environment
from open_spiel.python.algorithms import cfr, exploitability, external_sampling_mccfr, ismcts, mcts, tabular_qlearner
from open_spiel.python.policy import UniformRandomPolicy

from buraco.engine import Deal, view_of
from buraco.engine.constants import ACTION_REJECT, ACTION_RUN
from buraco.engine.observation import observe
from buraco.engine.observation_parts import PARTS
from buraco.engine.shapes import meld_cards
from buraco.env.openspiel import BuracoGame, BuracoState, load_game, resampler, rules_text
from buraco.env.recall import RECALL_SIZE_MAX
from buraco.errors import BuracoError, IllegalAction, RulesError
from buraco.notation import Action, decode_action
from buraco.rules import RULE_SETS, RuleSet
from tests.toy import TOY_CLOSED, TOY_OPEN, TOY_SETS, TOYS

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/openspiel.md"
#: So few cards that with some known packs the whole tree is walked in a moment.
TINY = TOY_CLOSED.replace(name="toy-tiny", pack_ranks="A2345", hand_size=2, canasta_size=3, stock_refill=False)
TINY_OPEN = TINY.replace(name="tiny-open", pile_closed=False, stalemate="turn_cap", turn_cap=1, canasta_size=5)
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
    text = DOCUMENT.read_text(encoding="utf-8").partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| `?(\w+)`? \|", text, re.MULTILINE)
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
        TINY_OPEN,
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


def named(action: Action) -> tuple[int, ...]:
    """Return the cards that an action names."""
    return meld_cards(action.meld) if action.kind == "meld" else (action.card,) if action.card >= 0 else ()


def hand_told(game: BuracoGame, pack: tuple[int, ...], seat: int, told: str) -> Counter[int]:
    """Return the hand that follows from an information state: what was dealt, what came, what was played."""
    hand = Counter(game.settings.deal(pack).hand(seat))
    for found in re.finditer(r" (\d):(\d+)(?:\^(\d+))?((?:\+\d+)*)", told.rpartition("\n")[2]):
        if int(found[1]) == seat:
            hand.update(int(card) for card in found[4].split("+")[1:])
            action = decode_action(int(found[2]))
            hand.subtract([*named(action), int(found[3] or -1)])
    return Counter({card: count for card, count in hand.items() if card >= 0 and count})


@pytest.mark.parametrize("rules", [RULE_SETS[name] for name in ("aberto", "burraco", "fechado", "fechado-stcl")])
def test_the_own_hand_follows_from_an_information_state_whatever_comes_with_a_play(rules: RuleSet) -> None:
    game = load_game(rules)
    came_with_a_play = 0
    for seed in range(3):
        state = played(game, seed, stop=0)
        pack, source = tuple(state.history()), np.random.RandomState(seed)
        while not state.is_terminal() and state.move_number() < 500:
            legal = state.legal_actions()
            seat, count = state.current_player(), len(deal_of(state).hand(state.current_player()))
            state.apply_action(int(source.choice([action for action in legal if action >= ACTION_RUN] or legal)))
            left = count - len(named(decode_action(state.history()[-1])))
            came_with_a_play += state.history()[-1] > ACTION_REJECT and len(deal_of(state).hand(seat)) > left
            told = state.information_state_string(seat)
            assert hand_told(game, pack, seat, told) == Counter(deal_of(state).hand(seat))
    assert came_with_a_play > 0


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


# Information states as numbers.

RECALL = observation.INFO_STATE_OBS_TYPE


def test_the_document_says_which_numbers_an_information_state_has() -> None:
    text = DOCUMENT.read_text(encoding="utf-8").partition("\n## ")[2]
    game = load_game(TOY_OPEN, compact=True)
    names = {"P": 2, "K": 13, "S": game.max_game_length(), "D": (game.num_distinct_actions() - 1).bit_length()}
    rows = re.findall(r"^\| `(\w+)` \| ([A-Z]|\d+)(?: × ([A-Z]|\d+))? \|", text, re.MULTILINE)
    shapes = {name: tuple(names.get(one) or int(one) for one in ones if one) for name, *ones in rows}
    assert shapes == {name: part.shape for name, part in observation.make_observation(game, RECALL).dict.items()}
    assert f"up to {RECALL_SIZE_MAX:,} numbers" in text


@pytest.mark.parametrize("rules", [*TOYS.values(), TINY], ids=lambda rules: rules.name)
def test_the_parts_of_an_information_state_are_views_of_one_row(rules: RuleSet) -> None:
    game = load_game(rules, compact=True)
    state, observer = played(game, 3, stop=8), observation.make_observation(game, RECALL)
    assert game.information_state_tensor_size() == len(observer.tensor) <= RECALL_SIZE_MAX
    for seat in (0, 1):
        observer.set_from(state, seat)
        assert np.concatenate([part.ravel() for part in observer.dict.values()]).tolist() == observer.tensor.tolist()
        assert state.information_state_tensor(seat) == observer.tensor.tolist()
        assert observer.string_from(state, seat) == state.information_state_string(seat)


@pytest.mark.parametrize(("name", "players"), REAL)
def test_an_information_state_that_would_be_large_has_its_text_only(name: str, players: int) -> None:
    game = load_game(name, players=players)
    assert game.settings.layout.size > RECALL_SIZE_MAX
    assert not game.get_type().provides_information_state_tensor
    state, observer = played(game, 1, stop=3), observation.make_observation(game, RECALL)
    observer.set_from(state, 0)
    assert (observer.tensor, observer.dict) == (None, {})
    assert observer.string_from(state, 0) == state.information_state_string(0)
    for ask in (
        state.information_state_tensor,
        lambda: state.information_state_tensor(0),
        game.information_state_tensor_size,
        game.information_state_tensor_shape,
    ):
        with pytest.raises(BuracoError, match=f"{game.settings.layout.size:,} numbers") as caught:
            ask()
        assert caught.value.code == "openspiel_numbers"


@pytest.mark.parametrize("compact", [False, True], ids=["all actions", "compact"])
@pytest.mark.parametrize("copies", [1, 2])
def test_numbers_and_text_of_an_information_state_tell_the_same_apart(compact: bool, copies: int) -> None:
    rules = TINY.replace(pack_ranks="A234" if copies == 2 else TINY.pack_ranks, pack_copies=copies)
    game = load_game(rules, packs=40, seed=3, compact=compact)
    texts: dict[bytes, set[object]] = defaultdict(set)
    numbers: dict[str, set[object]] = defaultdict(set)
    observer = observation.make_observation(game, RECALL)
    for seed in range(60):
        state = played(game, seed, stop=0)
        source = np.random.RandomState(seed)
        while not state.is_terminal():
            state.apply_action(int(source.choice(state.legal_actions())))
            for seat in (0, 1):
                observer.set_from(state, seat)
                told = observer.string_from(state, seat)
                texts[observer.tensor.tobytes()].add(told)
                numbers[told].add(observer.tensor.tobytes())
    assert len(texts) > 500
    assert {len(found) for found in (*texts.values(), *numbers.values())} == {1}


def test_the_numbers_of_an_information_state_say_what_the_document_says() -> None:
    game = load_game(TOY_SETS, compact=True)
    state = played(game, 2, stop=0)
    seat, pack = state.current_player(), sorted(set(state.history()))
    own, up_card = deal_of(state).hand(seat), deal_of(state).pile_cards()[0][0]
    state.apply_action(0)
    (drawn,) = Counter(deal_of(state).hand(seat)) - Counter(own)
    thrown = state.legal_actions()[0]
    state.apply_action(thrown)
    card = decode_action(game.settings.engine_id(thrown)).card
    for one in (0, 1):
        observer = observation.make_observation(game, RECALL)
        observer.set_from(state, one)
        parts, mine = observer.dict, one == seat
        assert parts["player"].tolist() == [one == 0, one == 1]
        held = own if mine else deal_of(state).hand(one)
        assert [pack[place] for place in np.flatnonzero(parts["hand"])] == list(held)
        assert [pack[place] for place in np.flatnonzero(parts["up_card"])] == [up_card]
        assert parts["seat"].argmax(axis=1)[:2].tolist() == [seat, seat]
        assert parts["kind"].argmax(axis=1)[:2].tolist() == [0, 4]
        assert np.flatnonzero(parts["played"]).tolist() == [len(pack) + pack.index(card)]
        assert np.flatnonzero(parts["came"]).tolist() == ([pack.index(drawn)] if mine else [])
        assert sum(int(digit) << at for at, digit in enumerate(parts["number"][1])) == thrown
        assert not any(parts[name][2:].any() for name in ("seat", "kind", "played", "came", "number"))


@pytest.mark.parametrize("packs", [0, 30])
def test_a_resampled_state_has_the_same_numbers_for_its_player(packs: int) -> None:
    game = load_game(TOY_CLOSED, packs=packs, seed=4)
    state = played(game, 3, 6)
    player, resample = state.current_player(), resampler(1)
    own = {bytes(np.asarray(resample(state, player).information_state_tensor(player))) for _ in range(5)}
    assert own == {bytes(np.asarray(state.information_state_tensor(player)))}
    other = resample(state, player)
    observer = observation.make_observation(game, RECALL)
    observer.set_from(other, 1 - player)
    if not packs:
        # What it held before is not known: the numbers begin with the hand of now, after all that everyone saw.
        assert observer.dict["hand"].sum() == len(deal_of(other).hand(1 - player))
        assert not observer.dict["came"].any()
    assert observer.dict["seat"].sum() == 6


@pytest.mark.parametrize("rules", [TINY, TINY_OPEN])
def test_no_course_of_a_deal_is_longer_than_the_game_says(rules: RuleSet) -> None:
    game, most = load_game(rules, packs=2, seed=3), 0
    for number in range(2):
        most = max(most, max(state.move_number() - 1 for state in walked(game.new_initial_state().child(number))))
    assert 8 < most <= game.max_game_length() < 110


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.name)
def test_players_who_wait_do_not_outlast_the_game(rules: RuleSet) -> None:
    game = load_game(rules)
    for seed, pile in ((1, True), (2, False)):
        state = played(game, seed, stop=0)
        begin = state.move_number()
        while not state.is_terminal():
            legal = state.legal_actions()
            # They take the pile whenever it goes, or never, and lay nothing that they need not.
            state.apply_action(1 if pile and 1 in legal else legal[0])
        assert state.move_number() - begin <= game.max_game_length()


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


@pytest.mark.parametrize("rules", [TOY_CLOSED, RULE_SETS["burraco"]], ids=lambda rules: rules.name)
@pytest.mark.parametrize("kind", [None, *rl_environment.ObservationType])
def test_learners_of_openspiel_get_the_information_state_where_it_is_small(
    rules: RuleSet, kind: rl_environment.ObservationType | None
) -> None:
    game, sampler = load_game(rules, players=2, compact=True), rl_environment.ChanceEventSampler(seed=1)
    small = rules == TOY_CLOSED
    if kind == rl_environment.ObservationType.INFORMATION_STATE and not small:
        with pytest.raises(ValueError, match="information_state_tensor"):
            rl_environment.Environment(game, chance_event_sampler=sampler, observation_type=kind)
        return
    env = rl_environment.Environment(game, chance_event_sampler=sampler, observation_type=kind)
    recall = small and kind != rl_environment.ObservationType.OBSERVATION
    size = game.information_state_tensor_size() if recall else sum(part.size for part in PARTS)
    step = env.reset()
    while not step.last():
        seen, player = step.observations, step.observations["current_player"]
        assert len(seen["info_state"][player]) == size
        step = env.step([seen["legal_actions"][player][0]])
    assert sum(step.rewards) == 0


def test_a_table_of_openspiel_over_the_numbers_has_an_entry_for_each_information_state() -> None:
    game = load_game(TINY, packs=2, seed=1, compact=True)
    env = rl_environment.Environment(game, chance_event_sampler=rl_environment.ChanceEventSampler(seed=1))
    state = np.random.get_state()
    np.random.seed(1)
    try:
        agents = [tabular_qlearner.QLearner(seat, game.num_distinct_actions()) for seat in (0, 1)]
        met: set[str] = set()
        for _ in range(40):
            step = env.reset()
            while not step.last():
                player = step.observations["current_player"]
                met.add(env.get_state.information_state_string(player))
                step = env.step([agents[player].step(step).action])
            for agent in agents:
                agent.step(step)
    finally:
        np.random.set_state(state)
    assert len(met) > 100
    assert sum(len(agent._q_values) for agent in agents) == len(met)


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


@pytest.mark.parametrize("recall", [False, True])
@pytest.mark.parametrize(
    ("public", "private"), [(False, "SINGLE_PLAYER"), (True, "NONE"), (True, "ALL_PLAYERS")], ids=str
)
def test_an_observer_of_a_part_or_of_all_hands_is_refused_and_no_other_one_given(
    public: bool, private: str, recall: bool
) -> None:
    wanted = pyspiel.IIGObservationType(
        public_info=public, perfect_recall=recall, private_info=getattr(pyspiel.PrivateInfoType, private)
    )
    with pytest.raises(BuracoError, match="what one player sees") as caught:
        observation.make_observation(load_game(TINY), wanted)
    assert caught.value.code == "openspiel_parameter"


def test_without_openspiel_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "buraco.env.openspiel")
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ImportError, match=r"buraco\[openspiel\]"):
        __import__("buraco.env.openspiel")
