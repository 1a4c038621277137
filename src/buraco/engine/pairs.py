# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""Paired deals between two policies of the engine, without the GIL: the same cards twice, the sides swapped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import cython

from buraco.engine.arguments import whole_number
from buraco.engine.constants import CLUB_ROW, CLUB_VARIANTS, POLICY_NOVICE
from buraco.engine.deal import Deal
from buraco.engine.weights import default_weights

if TYPE_CHECKING:
    from buraco.rules import RuleSet

if not cython.compiled:
    from buraco.engine.constants import PHASE_OVER
    from buraco.engine.playout import choose_action, seed_state
    from buraco.engine.state import State, deal_cards, shuffle_pack, side_score
    from buraco.engine.steps import apply_action
    from buraco.engine.workspace import Workspace

__all__ = ["play_pairs"]

_SIZE = CLUB_VARIANTS * CLUB_ROW


def play_pairs(
    rules: RuleSet,
    players: int,
    policies: tuple[int, int],
    weights: tuple[Sequence[int] | None, Sequence[int] | None] = (None, None),
    seed: int = 0,
    count: int = 1,
    totals: tuple[int, int] = (0, 0),
) -> list[int]:
    """Play pairs of deals and return by how many points the first policy was ahead in each, both deals summed.

    ``count`` pairs are played. In the first deal of a pair the first policy plays side 0, in the second, with the same
    cards, side 1. Pair number i is dealt by seat ``i % players`` from the seed ``seed + i`` (the low 30 bits).
    ``weights``: for each policy the numbers that `weights.flat_weights` gives, for the club policy; None for those of
    the package. ``totals``: match points of the sides before each deal. Raises ValueError for an unknown policy, a
    negative count, weights of another length, and as `Deal` does; TypeError for what is no whole number.
    """
    policies = whole_number("a policy", policies[0]), whole_number("a policy", policies[1])
    seed, count = whole_number("a seed", seed), whole_number("the number of pairs", count)
    players = whole_number("the number of players", players)
    if count < 0 or not all(0 <= policy <= POLICY_NOVICE for policy in policies):
        raise ValueError("there is no such policy, or the number of pairs is negative")
    standard = default_weights()[:_SIZE]
    sets = [standard if given is None else tuple(given) for given in weights]
    if any(len(given) != _SIZE for given in sets):
        raise ValueError(f"a set of weights has {_SIZE} numbers")
    work, differences = Workspace(), []
    up_card = 1 if rules.up_card else 0
    table = Deal(rules, players, 0, totals)
    for i in range(count):
        pair_seed = (seed + i) & 0x3FFFFFFF
        _load(work, 0, sets[0])
        _load(work, 1, sets[1])
        first = _one_deal(table, work, policies[0], policies[1], i % players, pair_seed, up_card)
        _load(work, 0, sets[1])
        _load(work, 1, sets[0])
        second = _one_deal(table, work, policies[1], policies[0], i % players, pair_seed, up_card)
        differences.append(first - second)
    return differences


def _load(work: Workspace, side: int, numbers: tuple[int, ...]) -> None:
    for index in range(_SIZE):
        work.weights[side * _SIZE + index] = numbers[index]


def _one_deal(table: Deal, work: Workspace, policy_0: int, policy_1: int, dealer: int, seed: int, up_card: int) -> int:
    """Play one deal and return by how much side 0 is ahead (pairs.pxd types the parameters)."""
    table.dealer = dealer
    table.set_opening()
    with cython.nogil:
        result = run_deal(table, work, policy_0, policy_1, seed, up_card)
    return result


def run_deal(s: State, w: Workspace, policy_0: int, policy_1: int, seed: int, up_card: int) -> int:
    """Shuffle by a seed and play a deal, a policy for each side; return the score of side 0 less that of side 1."""
    need_0, need_1 = s.opening_need[0], s.opening_need[1]
    seed_state(s, seed)
    shuffle_pack(s)
    deal_cards(s, up_card)
    s.opening_need[0], s.opening_need[1] = need_0, need_1
    while s.phase != PHASE_OVER:
        apply_action(s, choose_action(s, w, policy_1 if s.seat & 1 else policy_0))
    return side_score(s, 0) - side_score(s, 1)
