# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""Many tables side by side: one call carries out an action at each and writes what its next seat may see and do.

Every table plays deal after deal, with the same rules and players. A deal follows from the seed, the number of its
table and its own number (`seed_of`, `dealer_of`) and from nothing else: neither how many tables a batch has nor how its
parts run changes a game. The results go into flat buffers of the caller, which belong to the batch as long as it lives:
they may be read between two calls, and nobody else may write into them.

A batch is one object; its **parts** share nothing but read-only numbers, so that each can run in a thread of its own.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

import cython

from buraco.engine.arguments import whole_number
from buraco.engine.codes import code_name
from buraco.engine.deal import Deal, checked_index
from buraco.errors import IllegalAction

if TYPE_CHECKING:
    from buraco.rules import RuleSet

if not cython.compiled:
    from buraco.engine.bits import bit, ctz, fetch, item, popcount
    from buraco.engine.constants import ACTION_COUNT, MARK_WORDS, MASK_WORDS, OBSERVATION_SIZE, PHASE_OVER
    from buraco.engine.legality import check_action
    from buraco.engine.moves import legal_moves
    from buraco.engine.observation import write_observation
    from buraco.engine.playout import seed_state
    from buraco.engine.state import State, copy_rules, copy_state, deal_cards, shuffle_pack, side_score
    from buraco.engine.steps import apply_action
    from buraco.engine.workspace import Workspace

__all__ = ["Batch", "dealer_of", "seed_of"]

# Literals above 2**31 would be Python objects inside compiled code. The steps and factors are those of SplitMix64.
MASK_64 = 0xFFFFFFFFFFFFFFFF
STREAM_STEP = 0x9E3779B97F4A7C15
STREAM_FACTOR_1 = 0xBF58476D1CE4E5B9
STREAM_FACTOR_2 = 0x94D049BB133111EB


def scattered(number: int) -> int:
    """Return 64 bits that follow from a number and look like chance (SplitMix64)."""
    x = (number + STREAM_STEP) & MASK_64
    x = ((x ^ (x >> 30)) * STREAM_FACTOR_1) & MASK_64
    x = ((x ^ (x >> 27)) * STREAM_FACTOR_2) & MASK_64
    return x ^ (x >> 31)


def drawn(seed: int, table: int, number: int) -> int:
    """Return the 64 bits that belong to a seed, a table and a deal of it."""
    return scattered(scattered(scattered(seed) ^ table) ^ number)


def seed_of(seed: int, table: int, number: int) -> int:
    """Return the seed of a table's deal with this number (from 0): ``Deal(..., seed=seed_of(...))`` deals its cards.

    Of ``seed`` the low 64 bits count. Raises ValueError for a negative table or number, TypeError for what is no whole
    number.
    """
    seed, table, number = whole_number("a seed", seed), whole_number("a table", table), whole_number("a deal", number)
    if table < 0 or number < 0:
        raise ValueError("tables and deals count from 0")
    return drawn(seed & 0xFFFFFFFFFFFFFFFF, table, number) >> 33


def dealer_of(players: int, table: int, number: int) -> int:
    """Return who deals a table's deal with this number: the deal goes round, and tables begin at different seats.

    Raises ValueError for no players, TypeError for what is no whole number.
    """
    players = whole_number("the number of players", players, 1)
    table, number = whole_number("a table", table), whole_number("a deal", number)
    return (table + number) % players


class Batch:
    """``count`` tables, stepped together. Table ``i`` of the batch is the table ``first + i`` of the seed.

    Buffers, each flat, writable and with so many numbers for every table (``players`` is the number of players):

    - ``masks``: `MASK_WORDS` words of 64 bits; action ``a`` is legal if bit ``a & 63`` of word ``a >> 6`` is set;
    - ``counts``: one number of 32 bits, how many actions are legal, always at least 1;
    - ``seats``: one of 8 bits, the seat to act;
    - ``deals``: one of 64 bits, the number of the deal in play, from 0;
    - ``dones``: one byte, 1 if the last step ended a deal (the other buffers already speak of the next one), else 0;
    - ``scores``: two of 32 bits, both sides' points of the deal that the last step ended, else 0;
    - ``rewards``: ``players`` of 32 bits, by how many points each seat's side was ahead in it, else 0;
    - ``observations``: `OBSERVATION_SIZE` of 16 bits, what the seat to act may see (`observation_parts.PARTS`); None:
      nothing is observed.

    ``totals`` are the match points of the sides before every deal. ``parts`` says into how many parts the tables are
    divided. A new batch has dealt deal 0 of every table.

    Raises ValueError for no table, part or first table, a buffer of another size, and as `Deal` does; here and in every
    method TypeError for what is no whole number.
    """

    def __init__(
        self,
        rules: RuleSet,
        players: int,
        count: int,
        seed: int = 0,
        first: int = 0,
        totals: tuple[int, int] = (0, 0),
        parts: int = 1,
        *,
        masks: Any,
        counts: Any,
        seats: Any,
        deals: Any,
        dones: Any,
        scores: Any,
        rewards: Any,
        observations: Any = None,
    ) -> None:
        players, count = whole_number("the number of players", players), whole_number("count", count)
        first, parts = whole_number("first", first), whole_number("parts", parts)
        if count < 1 or parts < 1 or not 0 <= first <= 1 << 48:
            raise ValueError("a batch has at least one table and one part, and its tables count from 0")
        self.table: Deal = Deal(rules, players, 0, totals)
        self.count: int = count
        self.first: int = first
        self.up_card: int = 1 if rules.up_card else 0
        self.masks: Any = _flat("masks", masks, 8, count * MASK_WORDS)
        self.counts: Any = _flat("counts", counts, 4, count)
        self.seats: Any = _flat("seats", seats, 1, count)
        self.deals: Any = _flat("deals", deals, 8, count)
        self.dones: Any = _flat("dones", dones, 1, count)
        self.scores: Any = _flat("scores", scores, 4, 2 * count)
        self.rewards: Any = _flat("rewards", rewards, 4, players * count)
        self.observed: int = 0 if observations is None else 1
        if observations is not None:
            self.observations: Any = _flat("observations", observations, 2, count * OBSERVATION_SIZE)
        self.marks: Any = _flat("marks", array("Q", bytes(8 * MARK_WORDS * count)), 8, MARK_WORDS * count)
        self.states: list[State] = []
        for _ in range(count):
            self.states.append(_fresh_state(self.table))
        parts = min(parts, count)
        self.bounds: tuple[int, ...] = tuple([count * part // parts for part in range(parts + 1)])
        self.works: list[Workspace] = [Workspace() for _ in range(parts)]
        for index in range(count * MASK_WORDS):
            self.masks[index] = 0
        self.reset(seed)

    @property
    def parts(self) -> int:
        """The number of parts."""
        return len(self.works)

    def reset(self, seed: int) -> None:
        """Deal deal 0 of every table anew, by a seed of which the low 64 bits count."""
        self.seed: int = whole_number("a seed", seed) & 0xFFFFFFFFFFFFFFFF
        _reset_free(self, self.works[0])

    def deal(self, index: int) -> Deal:
        """Return a copy of the deal in play at a table of the batch. Raises IndexError if there is none such."""
        index = checked_index(index, self.count)
        copy = self.table.copy()
        _take_over(copy, self.states[index])
        return copy

    def check(self, actions: Any) -> None:
        """See whether every table may carry out its action; ``actions``: a flat buffer of 64-bit numbers, one a table.

        Raises IllegalAction, with the code, the first table and its action, and ValueError for another size.
        """
        given = _flat("actions", actions, 8, self.count, writable=False)
        index = _refused_free(self, given, 0)
        while index >= 0:
            # Only the checker itself refuses; the mask is what it said before.
            code = _code_at(self, self.works[0], index, given[index])
            if code:
                name = code_name(code)
                raise IllegalAction(name, f"table {index}: action {given[index]} is refused: {name}")
            index = _refused_free(self, given, index + 1)

    def step(self, actions: Any, part: int = 0) -> None:
        """Carry out the actions of one part's tables, all of which `check` has accepted since the last step.

        A table whose deal ends deals its next one. Runs without the GIL; parts may run at the same time, each in one
        thread. Nothing is checked but sizes: an action that is not legal makes the state meaningless, and may crash
        the process. Raises ValueError, IndexError for a part that is not there.
        """
        given = _flat("actions", actions, 8, self.count, writable=False)
        part = checked_index(part, len(self.works))
        work = self.works[part]
        _step_free(self, work, given, self.bounds[part], self.bounds[part + 1])

    def random_legal(self, seed: int, actions: Any, part: int = 0) -> None:
        """Write an action for each table of a part, drawn evenly from its legal ones.

        What is drawn follows from ``seed`` (its low 64 bits), the table, its deal and how many actions that has seen.
        Raises ValueError, IndexError as `step` does.
        """
        given = _flat("actions", actions, 8, self.count)
        part = checked_index(part, len(self.works))
        if type(seed) is not int:
            seed = whole_number("a seed", seed)
        _pick_free(self, given, seed & 0xFFFFFFFFFFFFFFFF, self.bounds[part], self.bounds[part + 1])


def _flat(name: str, buffer: Any, item_size: int, length: int, *, writable: bool = True) -> memoryview:
    """Return a flat view of a caller's buffer. Raises ValueError if it is not what is wanted."""
    view = memoryview(buffer)
    if view.ndim != 1 or view.itemsize != item_size or len(view) != length or not view.c_contiguous:
        raise ValueError(f"{name}: {length} numbers of {8 * item_size} bits are wanted, one after the other")
    if writable and view.readonly:
        raise ValueError(f"{name}: the buffer cannot be written")
    return view


def _fresh_state(table: State) -> State:
    """Return a state with the rules and the pack of a table (batch.pxd types the parameters, here and below)."""
    s = State()
    copy_rules(s, table)
    copy_state(s, table)
    return s


def _take_over(target: State, source: State) -> None:
    copy_state(target, source)


def _code_at(b: Batch, w: Workspace, index: int, action: int) -> int:
    return check_action(b.states[index], w, action)


def _reset_free(b: Batch, w: Workspace) -> None:
    with cython.nogil:
        reset_tables(b, w)


def _refused_free(b: Batch, actions: Any, first: int) -> int:
    with cython.nogil:
        index = first_refused(b, actions, first)
    return index


def _step_free(b: Batch, w: Workspace, actions: Any, first: int, end: int) -> None:
    with cython.nogil:
        step_tables(b, w, actions, first, end)


def _pick_free(b: Batch, actions: Any, seed: int, first: int, end: int) -> None:
    with cython.nogil:
        pick_actions(b, actions, seed, first, end)


def reset_tables(b: Batch, w: Workspace) -> None:
    """Begin deal 0 at every table."""
    for i in range(b.count):
        b.deals[i] = 0
        no_result(b, i)
        begin_table(b, cython.cast(State, item(b.states, i)), i)
        show_table(b, cython.cast(State, item(b.states, i)), w, i)


def first_refused(b: Batch, actions: Any, first: int) -> int:
    """Return the first table from ``first`` on whose mask does not have its action, -1 if there is none."""
    for i in range(first, b.count):
        action = actions[i]
        if action < 0 or action >= ACTION_COUNT or not b.masks[i * MASK_WORDS + (action >> 6)] >> (action & 63) & 1:
            return i
    return -1


def step_tables(b: Batch, w: Workspace, actions: Any, first: int, end: int) -> None:
    """Carry out the actions of some tables."""
    for i in range(first, end):
        if i + 1 < end:
            fetch(item(b.states, i + 1))  # many tables do not fit into the cache
        step_table(b, cython.cast(State, item(b.states, i)), w, i, actions[i])


def step_table(b: Batch, s: State, w: Workspace, i: int, action: int) -> None:
    """Carry out an action; after the last of a deal write its result and begin the next."""
    if b.dones[i]:
        no_result(b, i)
    apply_action(s, action)
    if s.phase == PHASE_OVER:
        write_result(b, s, i)
        b.deals[i] += 1
        begin_table(b, s, i)
    show_table(b, s, w, i)


def no_result(b: Batch, i: int) -> None:
    """Say that the last step at a table ended no deal."""
    players = b.table.players
    b.dones[i] = 0
    b.scores[2 * i], b.scores[2 * i + 1] = 0, 0
    for seat in range(players):
        b.rewards[i * players + seat] = 0


def write_result(b: Batch, s: State, i: int) -> None:
    """Write the scores and rewards of the deal that has ended."""
    score_0, score_1 = side_score(s, 0), side_score(s, 1)
    b.dones[i] = 1
    b.scores[2 * i], b.scores[2 * i + 1] = score_0, score_1
    for seat in range(s.players):
        b.rewards[i * s.players + seat] = score_1 - score_0 if seat & 1 else score_0 - score_1


def begin_table(b: Batch, s: State, i: int) -> None:
    """Deal the deal of a table that ``deals`` names."""
    table, number = b.first + i, b.deals[i]
    seed_state(s, drawn(b.seed, table, number) >> 33)
    s.dealer = (table + number) % s.players
    shuffle_pack(s)
    deal_cards(s, b.up_card)
    s.opening_need[0], s.opening_need[1] = b.table.opening_need[0], b.table.opening_need[1]


def show_table(b: Batch, s: State, w: Workspace, i: int) -> None:
    """Write what the seat to act may see and do."""
    words, marks = i * MASK_WORDS, i * MARK_WORDS
    # Of the words of a mask few are not 0; only those are cleared.
    for k in range(MARK_WORDS):
        mark = b.marks[marks + k]
        while mark:
            b.masks[words + (k << 6) + ctz(mark)] = 0
            mark &= mark - 1
        b.marks[marks + k] = 0
    legal_moves(s, w)
    for k in range(w.n_ids):
        action = w.ids[k]
        word = action >> 6
        b.masks[words + word] |= bit(action & 63)
        b.marks[marks + (word >> 6)] |= bit(word & 63)
    b.counts[i] = w.n_ids
    b.seats[i] = s.seat
    if b.observed:
        if cython.compiled:
            pointer = cython.address(b.observations[0])
        else:
            pointer = b.observations
        write_observation(s, s.seat, pointer, i * OBSERVATION_SIZE)


def pick_actions(b: Batch, actions: Any, seed: int, first: int, end: int) -> None:
    """Draw a legal action for each of some tables."""
    for i in range(first, end):
        actions[i] = pick_action(b, cython.cast(State, item(b.states, i)), i, seed)


def pick_action(b: Batch, s: State, i: int, seed: int) -> int:
    """Draw a legal action of a table."""
    chance = scattered(drawn(seed, b.first + i, b.deals[i]) ^ s.actions) >> 32
    left = chance * b.counts[i] >> 32
    words, marks = i * MASK_WORDS, i * MARK_WORDS
    for k in range(MARK_WORDS):
        mark = b.marks[marks + k]
        while mark:
            word = (k << 6) + ctz(mark)
            mask = b.masks[words + word]
            number = popcount(mask)
            if left < number:
                while left > 0:
                    mask &= mask - 1
                    left -= 1
                return (word << 6) + ctz(mask)
            left -= number
            mark &= mark - 1
    return -1
