# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""What a deal in mid-play promises: features of a state, and their weighted sum in points.

Every feature is side 0's minus side 1's and most are in points or tenths of cards, so that one set of weights serves
rule sets with other bonuses. The state must be complete: search fills hidden cards before it asks (`determinize`).
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

if not cython.compiled:
    from buraco.engine.bits import bit, popcount
    from buraco.engine.constants import (
        CODE_LEGAL,
        EVALUATION_SIZE,
        FEATURE_COUNT,
        JOKER,
        MELD_CLEAN_13,
        MELD_CLEAN_14,
        MELD_SETS,
        MELD_SLOTS,
        NO_CARD,
        PHASE_DRAW,
        PHASE_OVER,
        SET_FLAG,
        STAGE_COUNT,
    )
    from buraco.engine.enumeration import WILD_CARDS, held_slots, joining_cards
    from buraco.engine.legality import close_code, morto_free
    from buraco.engine.melds import meld_size, meld_wild
    from buraco.engine.playout import choose_action, seed_state
    from buraco.engine.state import (
        State,
        copies,
        deal_cards,
        hand_cost,
        meld_bonus,
        meld_category,
        meld_points,
        shuffle_pack,
        side_score,
    )
    from buraco.engine.steps import apply_action
    from buraco.engine.workspace import Workspace

__all__ = ["Evaluation", "collect_samples", "evaluation_of", "features_of", "value_of"]

# The weights are in so many parts of a point.
SCALE = 1024


class Evaluation:
    """Weights, in 1/1024 points: for each kind of table (open or closed pile, two or four players) and each stage one
    for each feature; and the sums of a training run."""

    def __init__(self) -> None:
        if not cython.compiled:  # compiled, evaluate.pxd declares them and they begin as 0
            self.weights: list[int] = [0] * EVALUATION_SIZE
            self.feature: list[int] = [0] * 64
            self.kept: list[int] = [0] * 16384
            self.squares: list[int] = [0] * 8192
            self.targets: list[int] = [0] * 256
            self.counts: list[int] = [0] * 8
            self.ready: int = 0


def stage_of(s: State) -> int:
    """Return how far a deal has come: by the mortos that are gone and the stock, 0 to 5."""
    if s.mortos_gone == 0:
        return 0 if 2 * s.n_stock > s.card_count - s.players * s.hand_size - 2 * s.morto_size else 1
    if s.mortos_gone == 1:
        return 2
    return 3 if s.n_stock > 20 else 4 if s.n_stock > 8 else 5


def table_kind(s: State) -> int:
    """Return the kind of the table, 0 to 3: a closed pile, four players."""
    return (1 if s.pile_closed else 0) + (2 if s.players == 4 else 0)


def evaluate(s: State, e: Evaluation) -> int:
    """Return side 0's expected score minus side 1's, in points; exact when the deal is over."""
    if s.phase == PHASE_OVER:
        return side_score(s, 0) - side_score(s, 1)
    features(s, e)
    first, total = (table_kind(s) * STAGE_COUNT + stage_of(s)) * FEATURE_COUNT, 0
    for i in range(FEATURE_COUNT):
        total += e.weights[first + i] * e.feature[i]
    # Not a plain division: C and Python round negative numbers to different sides.
    return total // SCALE if total >= 0 else -(-total // SCALE)


def features(s: State, e: Evaluation) -> None:
    """Fill ``e.feature`` with the state's features."""
    for i in range(FEATURE_COUNT):
        e.feature[i] = 0
    for side in range(2):
        sign = 1 - 2 * side
        meld_features(s, e, side, sign)
        side_features(s, e, side, sign)
        for seat in range(side, s.players, 2):
            hand_features(s, e, seat, sign)
    tempo = 1 if s.seat & 1 == 0 else -1
    e.feature[34] = tempo * 10
    e.feature[35] = tempo * s.n_pile


def meld_features(s: State, e: Evaluation, side: int, sign: int) -> None:
    """Add what lies on the side's table: points, and the way of each meld to a canasta or to a bigger one."""
    for slot in range(s.n_melds[side]):
        meld = s.melds[side * MELD_SLOTS + slot]
        category = meld_category(s, meld, s.meld_turn[side * MELD_SLOTS + slot])
        size, wild = meld_size(meld), meld_wild(meld)
        e.feature[0] += sign * (meld_points(s, meld) + meld_bonus(s, category))
        missing = s.canasta_size - size
        if missing > 0:
            index = 3 if missing > 3 else missing - 1
            if wild == NO_CARD:
                e.feature[1 + index] += sign * s.bonus_clean
            else:
                e.feature[5 + index] += sign * s.bonus_dirty
        elif wild == NO_CARD:
            clean_features(s, e, meld, size, category, sign)
        elif wild == (meld >> 18 & 3) * 13 + 1 and not meld & SET_FLAG:
            e.feature[12] += sign * (s.bonus_clean - s.bonus_dirty)


def clean_features(s: State, e: Evaluation, meld: int, size: int, category: int, sign: int) -> None:
    """Add the way of a clean canasta to the bigger ones."""
    if meld & SET_FLAG or s.big_at_once or category >= MELD_CLEAN_14:
        return
    if category == MELD_CLEAN_13:
        if s.bonus_clean_14 > s.bonus_clean_13:
            e.feature[11] += sign * (s.bonus_clean_14 - s.bonus_clean_13)
    elif s.bonus_clean_13 > s.bonus_clean:
        e.feature[9 if size < 10 else 10] += sign * (
            (s.bonus_clean_13 - s.bonus_clean) // (14 - size if size < 13 else 1)
        )


def side_features(s: State, e: Evaluation, side: int, sign: int) -> None:
    """Add the morto, the right to close, and how near the side is to either."""
    least = 99
    for seat in range(side, s.players, 2):
        if s.count[seat] < least:
            least = s.count[seat]
    near = 10 if least < 3 else 5 if least < 5 else 2 if least < 8 else 0
    if morto_free(s, side):
        e.feature[13] += sign * 100
        e.feature[14] += sign * least * 10
        e.feature[15] += sign * near * 10
    elif close_code(s, side) == CODE_LEGAL:
        e.feature[16] += sign * 100
        e.feature[17] += sign * least * 10
        e.feature[18] += sign * near * 10
    else:
        e.feature[19] += sign * least * 10
    if not s.morto_taken[side]:
        e.feature[20] += sign * s.morto_penalty
    if s.n_canasta[side]:
        e.feature[21] += sign * 100
    if s.n_clean[side]:
        e.feature[22] += sign * 100
    if s.opening_need[side]:
        e.feature[23] += sign * s.opening_need[side]


def hand_features(s: State, e: Evaluation, seat: int, sign: int) -> None:
    """Add a hand: its cost, its wilds, and the company that its cards have in it and on the tables."""
    once, twice, side = s.once[seat], s.twice[seat], seat & 1
    e.feature[24] += sign * hand_cost(s, seat)
    e.feature[25] += sign * s.count[seat] * 10
    naturals = once & ~WILD_CARDS & (bit(JOKER) - 1)
    e.feature[26] += (
        sign * 10 * (popcount(once & WILD_CARDS & (bit(JOKER) - 1)) + popcount(twice & WILD_CARDS & (bit(JOKER) - 1)))
    )
    e.feature[27] += sign * 10 * copies(once, twice, JOKER)
    e.feature[28] += sign * 10 * popcount(twice & (bit(JOKER) - 1))
    own, theirs = 0, 0
    for slot in range(s.n_melds[side]):
        own |= joining_cards(s.melds[side * MELD_SLOTS + slot], naturals, s.meld_rules)
    for slot in range(s.n_melds[1 - side]):
        theirs |= joining_cards(s.melds[(1 - side) * MELD_SLOTS + slot], naturals, s.meld_rules)
    e.feature[29] += sign * 10 * popcount(own & naturals)
    e.feature[30] += sign * 10 * popcount(theirs & naturals & ~own)
    for suit in range(4):
        slots = held_slots(naturals, suit)
        e.feature[31] += sign * 10 * popcount(slots & slots << 1)
        e.feature[32] += sign * 10 * popcount(slots & slots << 1 & slots << 2)
    if s.meld_rules & MELD_SETS:
        paired = 0
        for suit in range(1, 4):
            paired += popcount(naturals & naturals >> 13 * suit)
        e.feature[33] += sign * 10 * paired


def collect(s: State, w: Workspace, e: Evaluation, policy: int, seed: int, number: int, up_card: int) -> None:
    """Play deals by a policy and add every turn's state of them, with how the deal ended, to the sums of ``e``.

    ``squares`` gets for each stage the products of the features, ``targets`` those with the final difference.
    """
    need_0, need_1 = s.opening_need[0], s.opening_need[1]
    for deal in range(number):
        seed_state(s, seed + deal)
        shuffle_pack(s)
        deal_cards(s, up_card)
        s.opening_need[0], s.opening_need[1] = need_0, need_1
        kept = 0
        while s.phase != PHASE_OVER:
            if s.phase == PHASE_DRAW and kept < 400:
                features(s, e)
                copy_feature(e, kept, stage_of(s))
                kept += 1
            apply_action(s, choose_action(s, w, policy))
        result = side_score(s, 0) - side_score(s, 1)
        for i in range(kept):
            add_sample(e, i, result)


def copy_feature(e: Evaluation, kept: int, stage: int) -> None:
    """Keep the features of a state until its deal is over."""
    first = kept * (FEATURE_COUNT + 1)
    for i in range(FEATURE_COUNT):
        e.kept[first + i] = e.feature[i]
    e.kept[first + FEATURE_COUNT] = stage


def add_sample(e: Evaluation, number: int, result: int) -> None:
    """Add a kept state to the sums of its stage."""
    first = number * (FEATURE_COUNT + 1)
    stage = e.kept[first + FEATURE_COUNT]
    e.counts[stage] += 1
    for i in range(FEATURE_COUNT):
        value = e.kept[first + i]
        if value == 0:
            continue
        e.targets[stage * FEATURE_COUNT + i] += value * result
        row = (stage * FEATURE_COUNT + i) * FEATURE_COUNT
        for j in range(FEATURE_COUNT):
            e.squares[row + j] += value * e.kept[first + j]


def evaluation_of(weights: Sequence[int]) -> Evaluation:
    """Return an evaluation with these weights. Raises ValueError unless there is one for each kind, stage, feature."""
    if len(weights) != EVALUATION_SIZE:
        raise ValueError(f"{EVALUATION_SIZE} weights are needed, not {len(weights)}")
    made = Evaluation()
    for index in range(EVALUATION_SIZE):
        made.weights[index] = weights[index]
    made.ready = 1
    return made


def features_of(deal: State) -> tuple[int, ...]:
    """Return the kind of the table, the stage and the features of a deal, all of whose cards are known."""
    e = Evaluation()
    features(deal, e)
    return (table_kind(deal), stage_of(deal), *[e.feature[i] for i in range(FEATURE_COUNT)])


def value_of(deal: State, e: Evaluation) -> int:
    """Return what an evaluation says of a deal: side 0's expected score minus side 1's, in points."""
    return evaluate(deal, e)


def collect_samples(
    deal: State, policy: int, seed: int, number: int, up_card: int
) -> tuple[list[int], list[list[int]], list[list[int]]]:
    """Play deals from a deal's rules and table and return per stage: the number of states, the products of their
    features (row by row), and the products of the features with the final difference. ``deal`` is used up."""
    e = Evaluation()
    _collect_free(deal, Workspace(), e, policy, seed, number, up_card)
    size = FEATURE_COUNT * FEATURE_COUNT
    return (
        [e.counts[i] for i in range(STAGE_COUNT)],
        [[e.squares[k * size + i] for i in range(size)] for k in range(STAGE_COUNT)],
        [[e.targets[k * FEATURE_COUNT + i] for i in range(FEATURE_COUNT)] for k in range(STAGE_COUNT)],
    )


def _collect_free(s: State, w: Workspace, e: Evaluation, policy: int, seed: int, number: int, up_card: int) -> None:
    """Call `collect` without the GIL (evaluate.pxd types the parameters)."""
    with cython.nogil:
        collect(s, w, e, policy, seed, number, up_card)
