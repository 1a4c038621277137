"""The club heuristic: its weights, its values, the deals that it plays in pairs, and its tuner.

What a file of weights may not be is in tests/bots, how strong the levels made of it are in tests/arena.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from buraco.bots import Alternative, Limit, make_bot
from buraco.cards import is_wild_card
from buraco.cli.holding import held_file
from buraco.engine import POLICIES, Deal, play_pairs, view_of
from buraco.engine.constants import ACTION_DISCARD
from buraco.engine.deal import CLUB_FORBIDDEN
from buraco.engine.weights import (
    VARIANTS,
    WEIGHT_NAMES,
    WEIGHTS_FILE,
    flat_weights,
    read_weights,
    variant_of,
)
from buraco.notation import parse_action
from buraco.rules import RULE_SETS
from scripts import tune_club
from tests.toy import TOYS
from tests.unit.making import DISCARDS, game_sets, run, table

RANDOM, GREEDY, CLUB, NOVICE = (POLICIES.index(name) for name in ("random", "greedy", "club", "novice"))


def data() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    return loaded


# The weights.


def test_every_variant_of_every_rule_set_has_weights_with_their_origin() -> None:
    weights = read_weights()
    provenance = data()["provenance"]
    for name, players in game_sets():
        variant = variant_of(RULE_SETS[name], players)
        assert set(weights["club"][variant]) == set(WEIGHT_NAMES)
        assert isinstance(data()["weights"]["club"][variant], dict)
        assert re.fullmatch(r"python -m scripts\.tune_club [\w -]+|by hand", provenance[variant]["command"])
    assert len(flat_weights(weights["novice"])) == len(flat_weights(weights["club"]))


# The values.


@pytest.mark.parametrize(("name", "players"), game_sets())
@pytest.mark.parametrize("policy", [CLUB, NOVICE])
def test_the_values_are_those_of_the_legal_actions_and_club_takes_the_best(
    name: str, players: int, policy: int, compiled: bool
) -> None:
    deal = Deal(RULE_SETS[name], players, seed=5)
    for _ in range(250 if compiled else 20):
        if deal.over:
            break
        before, scored = deal.dump(), deal.scored(policy)
        assert deal.dump() == before
        assert [action for action, _ in scored] == deal.legal()
        action = deal.choose(policy)
        if policy == CLUB:
            best = max(value for _, value in scored)
            assert action == min(action for action, value in scored if value == best)
        deal.apply(action)
    assert Deal(RULE_SETS[name], players).scored(policy)


def test_only_the_heuristic_has_values_and_a_deal_that_is_over_has_none() -> None:
    deal = Deal(RULE_SETS["burraco"], seed=1)
    with pytest.raises(ValueError, match="heuristic"):
        deal.scored(GREEDY)
    deal.playout(CLUB, 1)
    assert deal.scored(CLUB) == []


@pytest.mark.parametrize("policy", [CLUB, NOVICE])
@pytest.mark.parametrize("rules", [*RULE_SETS.values(), *TOYS.values()], ids=lambda rules: rules.name)
def test_whole_deals_end_by_legal_actions_without_a_wild_thrown_needlessly(
    rules: Any, policy: int, compiled: bool
) -> None:
    for seed in range(6 if compiled else 1):
        players = rules.player_counts[seed % len(rules.player_counts)]
        vulnerable = (rules.opening_vulnerable_from, 0) if seed % 3 == 2 else (0, 0)
        deal = Deal(rules, players, totals=vulnerable, seed=seed)
        while not deal.over:
            legal, action = deal.legal(), deal.choose(policy, seed)
            assert action in legal
            if action in DISCARDS and is_wild_card(action - ACTION_DISCARD) and deal.hand_count(deal.seat) > 1:
                assert all(is_wild_card(other - ACTION_DISCARD) for other in legal if other in DISCARDS)
            deal.apply(action)


def test_a_card_that_completes_an_opponents_canasta_is_worth_less_as_a_discard() -> None:
    position = table(
        "aberto",
        "9h 9c 3d Ks",
        "3c 4c 9s",
        "5c 6c 8d",
        "8c Jd Qd",
        melds=((), (run("h", 3, 8),)),
        phase="play",
        drew_stock=True,
    )
    values = dict(Deal.from_position(position).scored(CLUB))
    assert values[parse_action("discard 9h")] < values[parse_action("discard 9c")] - 20
    decision = make_bot("club").choose(view_of(Deal.from_position(position), 0), Limit())
    assert decision.action != parse_action("discard 9h")
    assert "does_not_feed" in [reason.code for reason in decision.reasons]
    assert [other.evaluation for other in decision.alternatives] == sorted(
        (other.evaluation for other in decision.alternatives), reverse=True
    )


def test_a_wild_is_spent_neither_in_a_short_run_nor_on_a_run_that_may_become_clean() -> None:
    others = ("3c 4c 9s", "5c 6c 8d", "8c Jd Qd")
    for hand, melds in (("X 9d Td Kc 3s", ()), ("X 9d Kc 3s 5d", (run("h", 3, 8),))):
        position = table("aberto", hand, *others, melds=(melds, ()), phase="play", drew_stock=True)
        best = Deal.from_position(position).choose(CLUB)
        assert best in DISCARDS
        assert not is_wild_card(best - 4)


# Pairs.


def by_hand(name: str, players: int, policies: tuple[int, int], seed: int, dealer: int) -> int:
    """Play one pair step by step."""
    total = 0
    for swapped in (False, True):
        deal = Deal(RULE_SETS[name], players, dealer, seed=seed)
        while not deal.over:
            deal.apply(deal.choose(policies[(deal.seat & 1) ^ swapped]))
        ahead = deal.score(0) - deal.score(1)
        total += -ahead if swapped else ahead
    return total


@pytest.mark.parametrize(("name", "players"), game_sets())
def test_pairs_are_played_as_by_hand(name: str, players: int, compiled: bool) -> None:
    count = 4 if compiled else 1
    found = play_pairs(RULE_SETS[name], players, (CLUB, GREEDY), seed=40, count=count)
    assert found == [by_hand(name, players, (CLUB, GREEDY), 40 + i, i % players) for i in range(count)]


def test_swapped_policies_and_weights_turn_the_sign_and_equal_ones_give_nothing(compiled: bool) -> None:
    rules, count = RULE_SETS["fechado"], 6 if compiled else 1
    other = flat_weights(read_weights()["novice"])
    assert play_pairs(rules, 4, (CLUB, CLUB), (None, None), 3, count) == [0] * count
    ahead = play_pairs(rules, 4, (CLUB, CLUB), (None, other), 3, count)
    assert ahead == [-one for one in play_pairs(rules, 4, (CLUB, CLUB), (other, None), 3, count)]
    assert any(ahead)


def test_pairs_refuse_what_cannot_be_played() -> None:
    rules = RULE_SETS["aberto"]
    for policies, count in (((CLUB, 9), 1), ((-1, CLUB), 1), ((CLUB, CLUB), -1)):
        with pytest.raises(ValueError, match="policy"):
            play_pairs(rules, 4, policies, count=count)
    with pytest.raises(ValueError, match="weights"):
        play_pairs(rules, 4, (CLUB, CLUB), ((1, 2, 3), None))
    with pytest.raises(ValueError, match="players"):
        play_pairs(rules, 2, (CLUB, CLUB))
    assert play_pairs(rules, 4, (CLUB, CLUB), count=0) == []


# The tuner.


def test_a_tuning_that_was_stopped_ends_as_one_that_was_not(tmp_path: Path, compiled: bool) -> None:
    variant, start = "closed-any-sets-jokers-4", read_weights()["club"]["closed-any-sets-jokers-4"]
    pairs, rounds = (2, 8) if compiled else (1, 2)

    def tuned(state: str, number: int) -> dict[str, int]:
        options = tune_club.parse(
            [variant, "--rounds", str(number), "--pairs", str(pairs), "--state", str(tmp_path / state)]
        )
        return tune_club.tuned(variant, start, options)

    whole = tuned("whole.json", rounds)
    tuned("parts.json", rounds // 2)
    assert tuned("parts.json", rounds) == whole
    assert set(whole) == set(WEIGHT_NAMES)
    assert all(value >= tune_club.FLOORS.get(name, value) for name, value in whole.items())


def test_a_second_tuning_on_a_state_is_refused(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with held_file(state), pytest.raises(SystemExit) as caught:
        tune_club.main([VARIANTS[0], "--rounds", "1", "--state", str(state)])
    told = f"another run writes {state}; wait until it has ended, or name another --state"
    assert str(caught.value) == f"tune_club: {told}"
    assert list(tmp_path.iterdir()) == []


def test_the_command_of_a_tuning_names_no_folder_and_tunes_alike() -> None:
    options = tune_club.parse([VARIANTS[0], "--rounds", "7", "--file", "/a/b.json", "--state", "/a/b.state"])
    told = tune_club.command(options)
    assert "/" not in told
    again = tune_club.parse(told.split()[3:])
    for name in ("variant", "rounds", "pairs", "seed", "check_pairs"):
        assert getattr(again, name) == getattr(options, name)


def test_every_game_belongs_to_one_variant_of_the_tuner() -> None:
    games = [game for variant in VARIANTS for game in tune_club.games_of(variant)]
    assert sorted(games) == sorted(game_sets())


def test_what_is_never_done_is_no_alternative() -> None:
    deal, told = Deal(RULE_SETS["aberto"], seed=4), list[Alternative]()
    for _ in range(40):
        decision = make_bot("club").choose(view_of(deal, deal.seat), Limit())
        told += decision.alternatives
        deal.apply(decision.action)
    assert min(other.evaluation for other in told) > CLUB_FORBIDDEN
