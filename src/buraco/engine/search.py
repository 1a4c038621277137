# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""Futures of a deal: what a seat cannot see is dealt anew, every candidate action is played on in the same worlds.

A world is the root with its hidden cards dealt anew by its number, whoever plays it; the root itself never changes.
A seat holds a card beside those that it threw, or let lie in the pile, less often than chance would have it: after an
even deal, hidden cards are swapped by that belief (a Metropolis walk in whole numbers).
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from buraco.engine.constants import (
        CANDIDATES_MAX,
        JOKER,
        MELD_SETS,
        PHASE_DRAW,
        PHASE_OVER,
        WORLDS_MAX,
    )
    from buraco.engine.evaluate import Evaluation, evaluate
    from buraco.engine.playout import choose_action, seed_state
    from buraco.engine.state import State, copies, copy_rules, copy_state, give, next_random, side_score
    from buraco.engine.steps import apply_action
    from buraco.engine.workspace import Workspace

__all__ = ["Futures", "Plan", "futures_of", "play_futures", "world_of"]

# Where a hidden card lies if it is in no hand: in the stock, a morto, or below the top of a closed pile.
PLACE_NOWHERE = 4
# Energies of the belief, in eighths of a halving of the probability.
THROWN_BESIDE = 7
THROWN_NEAR = 4
THROWN_RANK = 5
PASSED_BESIDE = 2
PASSED_RANK = 2
ENERGY_MAX = 40
# 65536 * 2 ** (-k / 8), k = 0 to 40.
ACCEPT = (
    [65536, 60097, 55109, 50535, 46341, 42495, 38968, 35734]
    + [32768, 30048, 27554, 25268, 23170, 21247, 19484, 17867]
    + [16384, 15024, 13777, 12634, 11585, 10624, 9742, 8933]
    + [8192, 7512, 6889, 6317, 5793, 5312, 4871, 4467]
    + [4096, 3756, 3444, 3158, 2896, 2656, 2435, 2233]
    + [2048]
)
ACCEPT_TABLE = [0] * 64
for number in range(41):
    ACCEPT_TABLE[number] = ACCEPT[number]


class Futures:
    """One thread's memory for the futures of one root. Its arrays are C arrays when compiled."""

    def __init__(self) -> None:
        self.root: State = State()
        self.world: State = State()
        self.trial: State = State()
        self.work: Workspace = Workspace()
        if not cython.compiled:  # compiled, search.pxd declares them and they begin as 0
            self.pool: list[int] = [0] * 128
            self.place: list[int] = [0] * 128
            self.energy: list[int] = [0] * 320
            self.candidate: list[int] = [0] * CANDIDATES_MAX
            self.value: list[int] = [0] * (CANDIDATES_MAX * WORLDS_MAX)
            self.base_once: list[int] = [0] * 4
            self.base_twice: list[int] = [0] * 4
            self.base_count: list[int] = [0] * 4
            self.pool_count: int = 0
            self.hand_pool: int = 0
            self.candidates: int = 0
            self.seed: int = 0
            self.depth: int = 0
            self.node_cap: int = 0
            self.near_turns: int = 0
            self.near_policy: int = 0
            self.far_policy: int = 0
            self.sweeps: int = 0
            self.ready: int = 0


def hidden_pile(s: State) -> int:
    """Return how many cards of the pile, from its bottom, nobody may see."""
    if not s.pile_closed or s.n_pile == 0:
        return 0
    return s.n_pile if s.top_card >= 0 or s.rest_waits else s.n_pile - 1


def set_root(f: Futures, s: State) -> None:
    """Take a state over as the root, seen by its seat to act, and gather what that seat cannot see."""
    root: State = f.root
    world: State = f.world
    trial: State = f.trial
    copy_rules(root, s)
    copy_state(root, s)
    copy_rules(world, s)
    copy_rules(trial, s)
    believe(f, root)


def gather(f: Futures, s: State) -> None:
    """List the hidden cards with their places: hands by seats, then the stock, the mortos, the closed pile."""
    n = 0
    for seat in range(s.players):
        f.base_once[seat], f.base_twice[seat], f.base_count[seat] = s.once[seat], s.twice[seat], s.count[seat]
        if seat == s.seat:
            continue
        f.base_once[seat], f.base_twice[seat] = s.known_once[seat], s.known_twice[seat]
        known = 0
        for card in range(JOKER + 1):
            shown = copies(s.known_once[seat], s.known_twice[seat], card)
            known += shown
            for _ in range(copies(s.once[seat], s.twice[seat], card) - shown):
                f.pool[n], f.place[n] = card, seat
                n += 1
        f.base_count[seat] = known
    f.hand_pool = n
    for i in range(s.n_stock):
        f.pool[n], f.place[n] = s.stock[i], PLACE_NOWHERE
        n += 1
    for i in range(s.mortos_gone * s.morto_size, 2 * s.morto_size):
        f.pool[n], f.place[n] = s.morto[i], PLACE_NOWHERE
        n += 1
    for i in range(hidden_pile(s)):
        f.pool[n], f.place[n] = s.pile[i], PLACE_NOWHERE
        n += 1
    f.pool_count = n


def believe(f: Futures, s: State) -> None:
    """Set how unlikely it is that a seat holds a card, from the cards of the pile that all have seen."""
    for i in range(320):
        f.energy[i] = 0
    for i in range(hidden_pile(s), s.n_pile):
        card, thrower = s.pile[i], s.pile_seat[i]
        if card == JOKER:
            continue
        for seat in range(s.players):
            if seat == s.seat:
                continue
            if thrower == seat:
                repel(f, s.meld_rules, seat, card, THROWN_BESIDE, THROWN_NEAR, THROWN_RANK)
            elif s.turn_count - (s.seat - seat + s.players) % s.players > s.pile_turn[i]:
                # It has had a turn since this card lay there, and left the pile.
                repel(f, s.meld_rules, seat, card, PASSED_BESIDE, 0, PASSED_RANK)


def repel(f: Futures, meld_rules: int, seat: int, card: int, beside: int, near: int, rank: int) -> None:
    """Make the neighbours of a card less likely in a hand."""
    base, own, first = card // 13 * 13, card % 13, seat * 64
    for other in range(13):
        distance = other - own if other > own else own - other
        if own == 0 and other > 6:
            distance = 13 - other
        if distance == 1:
            f.energy[first + base + other] += beside
        elif distance == 2:
            f.energy[first + base + other] += near
    if meld_rules & MELD_SETS:
        for suit in range(4):
            f.energy[first + suit * 13 + own] += rank


def make_world(f: Futures, root: State, s: State, number: int) -> None:
    """Deal the hidden cards anew: the world of this number."""
    gather(f, root)  # in the root's order, whatever was dealt before
    copy_state(s, root)
    seed_state(s, (f.seed + number * 7919) & 0x7FFFFFFF)
    for _ in range(4):
        next_random(s, 2)  # near seeds begin alike
    for i in range(f.pool_count - 1, 0, -1):
        j = next_random(s, i + 1)
        card = f.pool[i]
        f.pool[i] = f.pool[j]
        f.pool[j] = card
    for _ in range(f.sweeps):
        swap_by_belief(f, s)
    for seat in range(s.players):
        if seat != root.seat:
            s.once[seat], s.twice[seat], s.count[seat] = f.base_once[seat], f.base_twice[seat], f.base_count[seat]
    n = f.hand_pool
    for i in range(n):
        give(s, f.place[i], f.pool[i])
    for i in range(s.n_stock):
        s.stock[i] = f.pool[n + i]
    n += s.n_stock
    first = s.mortos_gone * s.morto_size
    for i in range(first, 2 * s.morto_size):
        s.morto[i] = f.pool[n + i - first]
    n += 2 * s.morto_size - first
    for i in range(hidden_pile(s)):
        s.pile[i] = f.pool[n + i]


def swap_by_belief(f: Futures, s: State) -> None:
    """Offer each hidden card of a hand another place, and accept by the belief."""
    for i in range(f.hand_pool):
        j = next_random(s, f.pool_count)
        change = held(f, i, f.pool[j]) + held(f, j, f.pool[i]) - held(f, i, f.pool[i]) - held(f, j, f.pool[j])
        if change > ENERGY_MAX:
            change = ENERGY_MAX
        if change <= 0 or next_random(s, 65536) < ACCEPT_TABLE[change]:
            card = f.pool[i]
            f.pool[i] = f.pool[j]
            f.pool[j] = card


def held(f: Futures, index: int, card: int) -> int:
    """Return the energy of a card at a place of the pool."""
    return f.energy[f.place[index] * 64 + card]


def play_worlds(
    f: Futures, root: State, world: State, trial: State, w: Workspace, e: Evaluation, first: int, count: int, mask: int
) -> int:
    """Play the candidates of a mask in some worlds, keep the values for the root's side, return the nodes."""
    nodes, sign = 0, 1 if root.seat & 1 == 0 else -1
    for i in range(count):
        make_world(f, root, world, first + i)
        for k in range(f.candidates):
            if mask >> k & 1:
                copy_state(trial, world)
                nodes += play_future(f, trial, w, f.candidate[k])
                f.value[i * CANDIDATES_MAX + k] = sign * value_of_end(trial, e)
    return nodes


def play_future(f: Futures, s: State, w: Workspace, action: int) -> int:
    """Play a candidate and then on by the policies, up to the depth; return the nodes."""
    near, end, nodes = s.turn_count + f.near_turns, s.turn_count + f.depth, 1
    apply_action(s, action)
    while s.phase != PHASE_OVER and nodes < f.node_cap:
        if s.phase == PHASE_DRAW and s.turn_count >= end:
            break
        apply_action(s, choose_action(s, w, f.near_policy if s.turn_count < near else f.far_policy))
        nodes += 1
    return nodes


def value_of_end(s: State, e: Evaluation) -> int:
    """Return what the state at the end of a future promises side 0, in points more than side 1."""
    if s.phase == PHASE_OVER or not e.ready:
        return side_score(s, 0) - side_score(s, 1)
    return evaluate(s, e)


class Plan:
    """How futures are played, in plain values: see the fields of `Futures` of the same names."""

    def __init__(
        self,
        depth: int,
        near_turns: int,
        near_policy: int,
        far_policy: int,
        sweeps: int,
        node_cap: int,
    ) -> None:
        self.depth = depth
        self.near_turns = near_turns
        self.near_policy = near_policy
        self.far_policy = far_policy
        self.sweeps = sweeps
        self.node_cap = node_cap


def futures_of(root: State, candidates: list[int], seed: int, plan: Plan) -> Futures:
    """Return memory for the futures of a complete state (`determinize`) and its candidate actions.

    Raises ValueError for more candidates than can be compared.
    """
    if not 0 < len(candidates) <= CANDIDATES_MAX:
        raise ValueError(f"between 1 and {CANDIDATES_MAX} candidates can be compared")
    f = Futures()
    set_root(f, root)
    for index, action in enumerate(candidates):
        f.candidate[index] = action
    f.candidates = len(candidates)
    f.seed = seed & 0x3FFFFFFF
    f.depth, f.node_cap, f.sweeps = plan.depth, plan.node_cap, plan.sweeps
    f.near_turns, f.near_policy, f.far_policy = plan.near_turns, plan.near_policy, plan.far_policy
    return f


def play_futures(f: Futures, e: Evaluation, first: int, count: int, mask: int) -> tuple[int, list[list[int]]]:
    """Play the candidates of a mask in the worlds ``first`` to ``first + count - 1``, without the GIL.

    Returns the nodes, and for each world the values of all candidates (those outside the mask: 0), in points.
    Raises ValueError for more worlds at once than there is room for.
    """
    if not 0 <= count <= WORLDS_MAX:
        raise ValueError(f"at most {WORLDS_MAX} worlds can be played at once")
    nodes = _play_free(f, e, first, count, mask)
    values = []
    for i in range(count):
        values.append([f.value[i * CANDIDATES_MAX + k] if mask >> k & 1 else 0 for k in range(f.candidates)])
    return nodes, values


def _play_free(f: Futures, e: Evaluation, first: int, count: int, mask: int) -> int:
    """Call `play_worlds` without the GIL (search.pxd types the parameters)."""
    root: State = f.root
    world: State = f.world
    trial: State = f.trial
    work: Workspace = f.work
    with cython.nogil:
        nodes = play_worlds(f, root, world, trial, work, e, first, count, mask)
    return nodes


def world_of(f: Futures, target: State, number: int) -> None:
    """Make ``target``, a deal of the same rules, the world of a number: for tests and beliefs to be looked at."""
    root: State = f.root
    world: State = f.world
    make_world(f, root, world, number)
    copy_state(target, world)
