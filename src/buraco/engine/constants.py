"""Numbers that the engine's modules share: phases, kinds of end, refusal codes, sizes.

``c_constants.pxd`` repeats them as C constants for the compiled build; ``scripts/constants_pxd.py`` writes it from this
file, and a test holds both equal.
"""

from __future__ import annotations

from typing import Final

# Phases of a turn.
PHASE_DRAW: Final = 0
PHASE_CHOICE: Final = 1
PHASE_PLAY: Final = 2
PHASE_TOP: Final = 3
PHASE_OPENING: Final = 4
PHASE_DISCARD: Final = 5
PHASE_OVER: Final = 6

# How a deal ended.
END_NONE: Final = 0
END_CLOSED: Final = 1
END_STOCK: Final = 2
END_STALEMATE: Final = 3

# Where a replaced wild goes.
WILD_PLAYER: Final = 0
WILD_HIGH: Final = 1
WILD_LOW: Final = 2
WILD_FREE: Final = 3

# What the meld functions need to know of a rule set, as bits of one number.
MELD_ACES_BOTH: Final = 1
MELD_LENGTH_13: Final = 2
MELD_CHANGE_ENDS: Final = 4
MELD_PRESS_TWO: Final = 8
MELD_SETS: Final = 16
MELD_ONE_SET: Final = 32
MELD_WILD_SHIFT: Final = 6

# Choices of fields that are words in the rule set.
OPENING_NONE: Final = 0
OPENING_AT_ONCE: Final = 1
OPENING_OVER_TURN: Final = 2
STALEMATE_NONE: Final = 0
STALEMATE_TURN_CAP: Final = 1
STALEMATE_ONE_CARD: Final = 2
UNPLAYED_PENALTY: Final = 0
UNPLAYED_UNLESS_OUT: Final = 1
UNPLAYED_SMALLER: Final = 2
UNPLAYED_CARDS: Final = 3

# Categories of a meld at counting.
MELD_PLAIN: Final = 0
MELD_DIRTY: Final = 1
MELD_SEMI_CLEAN: Final = 2
MELD_CLEAN: Final = 3
MELD_CLEAN_13: Final = 4
MELD_CLEAN_14: Final = 5

# Cards and melds.
JOKER: Final = 52
NO_CARD: Final = 63
SET_FLAG: Final = 1048576
MELD_SLOTS: Final = 36
ID_STACK_SIZE: Final = 147456

# Action numbering.
ACTION_DRAW: Final = 0
ACTION_PILE: Final = 1
ACTION_KEEP: Final = 2
ACTION_REJECT: Final = 3
ACTION_DISCARD: Final = 4
ACTION_RUN: Final = 57
RUNS_PER_SUIT: Final = 2655
ACTION_SET: Final = 10677
SETS_PER_RANK: Final = 446
ACTION_ADD: Final = 16029
ADDS_PER_MELD: Final = 171
ADD_HIGH_ACE: Final = 159
ACTION_COUNT: Final = 22185
"""The number of action ids: 0 to one less."""

# The numbers of an observation (observation_parts.py says what each is), the 64-bit words of a mask of actions.
OBSERVATION_SIZE: Final = 1869
MASK_WORDS: Final = 347

# Playout policies.
POLICY_RANDOM: Final = 0
POLICY_MELD_FIRST: Final = 1
POLICY_GREEDY: Final = 2
POLICY_CLUB: Final = 3
POLICY_NOVICE: Final = 4

# The weights of the club heuristic (docs/bots.md says what each weighs), one number each, in points unless said.
WEIGHT_RUN: Final = 0
WEIGHT_PAIR_END: Final = 1
WEIGHT_GAP: Final = 2
WEIGHT_FIT: Final = 3
WEIGHT_FIT_GAP: Final = 4
WEIGHT_JOKER: Final = 5
WEIGHT_TWO: Final = 6
WEIGHT_TWIN: Final = 7
WEIGHT_SET_PAIR: Final = 8
WEIGHT_SET_THREE: Final = 9
WEIGHT_CARD: Final = 10
WEIGHT_CARD_RACE: Final = 11
WEIGHT_CARD_CLOSING: Final = 12
WEIGHT_CLEAN_NEED_1: Final = 13
WEIGHT_CLEAN_NEED_2: Final = 14
WEIGHT_CLEAN_NEED_3: Final = 15
WEIGHT_CLEAN_NEED_4: Final = 16
WEIGHT_DIRTY_NEED_1: Final = 17
WEIGHT_DIRTY_NEED_2: Final = 18
WEIGHT_DIRTY_NEED_3: Final = 19
WEIGHT_DIRTY_NEED_4: Final = 20
WEIGHT_CLEAN_BEYOND: Final = 21
WEIGHT_NEW_MELD: Final = 22
WEIGHT_FIRST_CANASTA: Final = 23
WEIGHT_MORTO_DIRECT: Final = 24
WEIGHT_MORTO_INDIRECT: Final = 25
WEIGHT_CLOSE: Final = 26
WEIGHT_CLOSE_OTHERS: Final = 27
WEIGHT_CARD_COST: Final = 28
WEIGHT_FEED: Final = 29
WEIGHT_FEED_SHARE: Final = 30
WEIGHT_FEED_GAP: Final = 31
WEIGHT_FEED_KNOWN: Final = 32
WEIGHT_FEED_LIVE: Final = 33
WEIGHT_FEED_PILE: Final = 34
WEIGHT_TWIN_PASSED: Final = 35
WEIGHT_PILE: Final = 36
WEIGHT_PILE_CARD: Final = 37
WEIGHT_PILE_DENY: Final = 38
WEIGHT_KEEP_FIRST: Final = 39
WEIGHT_HEAT_TURN: Final = 40
WEIGHT_HEAT_CLOSE: Final = 41
WEIGHT_HAND_POINTS: Final = 42
WEIGHT_CLOSE_OTHER_MORTO: Final = 43
WEIGHT_CLEAN_OPEN: Final = 44
WEIGHT_CLEANABLE: Final = 45
WEIGHT_FIT_NEAR: Final = 46
WEIGHT_FEED_SIZE: Final = 47
WEIGHT_READER_THREW: Final = 48
WEIGHT_MATCH: Final = 49
# The variants (pile, canasta to close with, sets, jokers, players), each in three sets: side 0, side 1, the beginner.
CLUB_ROW: Final = 64
CLUB_VARIANTS: Final = 32
CLUB_SETS: Final = 3

# The evaluation of a state: its features; how many stages a deal is parted into; the weights of four kinds of table
# (open or closed pile, two or four players), each stage and feature.
FEATURE_COUNT: Final = 36
STAGE_COUNT: Final = 6
EVALUATION_SIZE: Final = 864

# Search: the most candidates that are compared, and the most futures of each that are played at once.
CANDIDATES_MAX: Final = 24
WORLDS_MAX: Final = 32

# A batch marks by a bit each which words of a mask are not 0, in so many words of 64 bits.
MARK_WORDS: Final = 6

# Refusals.
CODE_LEGAL: Final = 0
CODE_DEAL_OVER: Final = 1
CODE_UNKNOWN_ACTION: Final = 2
CODE_MUST_DRAW: Final = 3
CODE_ALREADY_DRAWN: Final = 4
CODE_MUST_CHOOSE: Final = 5
CODE_NO_CHOICE: Final = 6
CODE_NO_STOCK_TO_REJECT: Final = 7
CODE_PILE_EMPTY: Final = 8
CODE_PILE_UNUSABLE: Final = 9
CODE_MUST_USE_TOP: Final = 10
CODE_TOP_NEEDS_NEW_MELD: Final = 11
CODE_TOP_OTHER_MELD: Final = 12
CODE_TOP_OUT_OF_REACH: Final = 13
CODE_TOP_TURN_COULD_NOT_END: Final = 14
CODE_OPENING_MELDS_ONLY: Final = 15
CODE_OPENING_SHORT: Final = 16
CODE_DISCARD_ONLY: Final = 17
CODE_CARD_NOT_HELD: Final = 18
CODE_SETS_NOT_ALLOWED: Final = 19
CODE_RANK_HAS_SET: Final = 20
CODE_ACES_BOTH_ENDS: Final = 21
CODE_RUN_TOO_LONG: Final = 22
CODE_NO_SUCH_MELD: Final = 23
CODE_TOO_MANY_MELDS: Final = 24
CODE_WRONG_SUIT: Final = 25
CODE_WRONG_RANK: Final = 26
CODE_ALREADY_IN_RUN: Final = 27
CODE_DOES_NOT_FIT: Final = 28
CODE_TWO_WILDS: Final = 29
CODE_WILD_IS_NATURAL: Final = 30
CODE_WILD_MAY_NOT_MOVE_THERE: Final = 31
CODE_WILD_HAS_NO_PLACE: Final = 32
CODE_PLACE_IMPOSSIBLE: Final = 33
CODE_CARD_BARRED: Final = 34
CODE_NO_DIRECT_MORTO: Final = 35
CODE_CLOSE_NEEDS_MORTO: Final = 36
CODE_CLOSE_NEEDS_CANASTA: Final = 37
CODE_CLOSE_NEEDS_CLEAN: Final = 38
CODE_CLOSE_NEEDS_DISCARD: Final = 39
CODE_CLOSE_WILD_DISCARD: Final = 40
CODE_TURN_COULD_NOT_END: Final = 41
