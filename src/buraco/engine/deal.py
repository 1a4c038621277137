# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""The door to the engine: a deal that is checked, played, copied and scored.

One deal, and its copies, belong to one thread at a time; `play_many` works without the GIL on memory of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import cython

from buraco.engine.arguments import whole_number
from buraco.engine.codes import END_KINDS, PHASES, code_name
from buraco.engine.position import TOTAL_LIMIT, MeldState, PileCard, Position, validate
from buraco.engine.shuffle import ordered_pack
from buraco.errors import IllegalAction, PositionError
from buraco.rules import opening_points_max

if TYPE_CHECKING:
    from buraco.rules import RuleSet

if not cython.compiled:
    from buraco.engine.bits import bit
    from buraco.engine.club import NOVICE_SET, score_set
    from buraco.engine.constants import (
        ACTION_COUNT,
        CODE_UNKNOWN_ACTION,
        JOKER,
        MELD_ACES_BOTH,
        MELD_CHANGE_ENDS,
        MELD_LENGTH_13,
        MELD_ONE_SET,
        MELD_PRESS_TWO,
        MELD_SETS,
        MELD_SLOTS,
        MELD_WILD_SHIFT,
        PHASE_OVER,
        POLICY_CLUB,
        POLICY_NOVICE,
    )
    from buraco.engine.legality import check_action
    from buraco.engine.moves import legal_moves
    from buraco.engine.playout import choose_action, run_many, run_playout, seed_state
    from buraco.engine.state import (
        NO_BONUS,
        State,
        copy_rules,
        copy_state,
        deal_cards,
        give,
        know,
        push_meld,
        shuffle_pack,
        side_score,
    )
    from buraco.engine.steps import apply_action
    from buraco.engine.workspace import Workspace

__all__ = ["CLUB_FORBIDDEN", "Deal", "play_many"]

#: Values below this are those of what the club heuristic avoids at any price.
CLUB_FORBIDDEN = -500_000_000_000

_WILD_MOVES = ("player", "high", "low", "free")
_OPENINGS = ("none", "at_once", "over_turn")
_STALEMATES = ("none", "turn_cap", "one_card_pile")
_UNPLAYED = ("penalty", "penalty_unless_partner_out", "smaller", "cards")


def meld_rules_of(rules: RuleSet) -> int:
    """Return the number that tells the meld functions what they need to know of a rule set."""
    return (
        (MELD_ACES_BOTH if rules.aces_both_ends else 0)
        | (MELD_LENGTH_13 if rules.run_length_max == 13 else 0)
        | (MELD_CHANGE_ENDS if rules.wild_changes_ends else 0)
        | (MELD_PRESS_TWO if rules.natural_two_pressed else 0)
        | (MELD_SETS if rules.sets else 0)
        | (MELD_ONE_SET if rules.one_set_per_rank else 0)
        | _WILD_MOVES.index(rules.wild_move) << MELD_WILD_SHIFT
    )


def card_values(rules: RuleSet) -> list[int]:
    """Return the value of each of the 54 bits of a hand's masks, in points."""
    ranks = [rules.value_ace, rules.value_two] + [rules.value_low] * 5 + [rules.value_high] * 6
    return ranks * 4 + [rules.value_joker] * 2


class Deal(State):
    """One deal from the first draw to its score.

    ``Deal(rules, players, dealer, totals, seed)`` shuffles by the engine's own small generator, for tests and
    simulations; matches bring their own pack (`from_pack`). ``totals`` are the sides' match points before the deal.
    Raises ValueError for a number of players that the rules do not allow, a dealer who is not there, or totals that are
    not two numbers within `TOTAL_LIMIT`; here and in every method TypeError for what is no whole number.

    A deal can be copied (also by `copy.copy`) and pickled: both carry the state of its generator.
    """

    def __init__(
        self, rules: RuleSet, players: int = 4, dealer: int = 0, totals: tuple[int, int] = (0, 0), seed: int = 0
    ) -> None:
        State.__init__(self)
        self.rules: RuleSet = rules
        self.work: Workspace = Workspace()
        # C would cut what is after the point off, here and in every method.
        players, dealer = whole_number("the number of players", players), whole_number("the dealer", dealer)
        _set_up(self, rules, players, dealer, totals)
        seed_state(self, whole_number("a seed", seed) & 0x7FFFFFFF)
        shuffle_pack(self)
        deal_cards(self, 1 if rules.up_card else 0)
        self.set_opening()

    @classmethod
    def from_pack(
        cls,
        rules: RuleSet,
        players: int,
        pack: Sequence[int],
        dealer: int = 0,
        totals: tuple[int, int] = (0, 0),
    ) -> Deal:
        """Return the deal of a pack in its order: hands, mortos, up-card, stock (docs/architecture.md).

        Raises ValueError if the cards are not exactly the rules' pack.
        """
        deal = Deal(rules, players, dealer, totals)
        if sorted(pack) != list(ordered_pack(rules)):
            raise ValueError("the cards are not the pack of these rules")
        for index, card in enumerate(pack):
            deal.stock[deal.card_count - 1 - index] = card
        deal_cards(deal, 1 if rules.up_card else 0)
        deal.set_opening()
        return deal

    def set_opening(self) -> None:
        """Fix the minimum of each side by its total (field ``opening``)."""
        rules = self.rules
        for side, total in ((0, self.total_0), (1, self.total_1)):
            vulnerable = total >= rules.opening_vulnerable_from
            need = rules.opening_vulnerable_minimum if vulnerable else rules.opening_minimum
            self.opening_need[side] = need if self.opening_mode else 0

    # -- what is legal, and doing it ------------------------------------------------------------------------------

    def check(self, action: int) -> int:
        """Return 0 if the seat to act may do this, else the number of the refusal code. Changes nothing."""
        if type(action) is not int:
            action = whole_number("an action", action)
        if not 0 <= action < ACTION_COUNT:
            return CODE_UNKNOWN_ACTION
        return check_action(self, self.work, action)

    def refusal(self, action: int) -> str:
        """Return the code of the refusal, the empty string if the action is legal."""
        return code_name(self.check(action))

    def legal(self) -> list[int]:
        """Return the ids of all legal actions, ascending: exactly those that `check` accepts. Empty when over."""
        legal_moves(self, self.work)
        work = self.work
        return [work.ids[i] for i in range(work.n_ids)]

    def legal_into(self, buffer: Any) -> int:
        """Write the ids of the legal actions into a writable sequence and return how many there are.

        Raises ValueError if the sequence is too short; it is then untouched.
        """
        legal_moves(self, self.work)
        count = self.work.n_ids
        if len(buffer) < count:
            raise ValueError(f"the buffer holds {len(buffer)} numbers, {count} are needed")
        for i in range(count):
            buffer[i] = self.work.ids[i]
        return count

    def apply(self, action: int) -> None:
        """Carry out an action.

        Raises IllegalAction, with the code, if it is not legal; nothing has changed then.
        """
        code = self.check(action)
        if code:
            raise IllegalAction(code_name(code), f"action {action} is refused: {code_name(code)}")
        apply_action(self, action)

    def apply_unchecked(self, action: int) -> None:
        """Carry out an action that is known to be legal. Nothing is checked: with any other the state becomes
        meaningless, and with a number that is no action the process may crash."""
        if type(action) is not int:
            action = whole_number("an action", action)
        apply_action(self, action)

    def copy(self) -> Deal:
        """Return an independent copy, which shares the rules and the scratch memory."""
        other: Deal = Deal.__new__(Deal)
        if not cython.compiled:
            State.__init__(other)
        copy_rules(other, self)
        copy_state(other, self)
        other.rules, other.work = self.rules, self.work
        return other

    def share_scratch(self, other: Deal) -> None:
        """Use the scratch memory of another deal from now on, as its copies do; one thread uses both then.

        Raises TypeError for what is no deal.
        """
        if not isinstance(other, Deal):
            raise TypeError("only a deal lends its scratch memory")
        self.work = cython.cast(Deal, other).work

    def __copy__(self) -> Deal:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Deal:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.position(), self.rng)

    def score(self, side: int) -> int:
        """Return a side's score in points, as if the deal ended now (rules §2 item 12). Raises ValueError."""
        if type(side) is not int:
            side = whole_number("a side", side)
        if side not in (0, 1):
            raise ValueError("the sides are 0 and 1")
        return side_score(self, side)

    # -- policies -------------------------------------------------------------------------------------------------

    def seed(self, seed: int) -> None:
        """Set the generator that the random policies draw from."""
        if type(seed) is not int:
            seed = whole_number("a seed", seed)
        seed_state(self, seed & 0x7FFFFFFF)

    def choose(self, policy: int, seed: int | None = None) -> int:
        """Return the action a policy chooses (`codes.POLICIES`). Raises ValueError when over."""
        if type(policy) is not int:
            policy = whole_number("a policy", policy)
        if self.phase == PHASE_OVER or not 0 <= policy <= POLICY_NOVICE:
            raise ValueError("the deal is over, or there is no such policy")
        if seed is not None:
            self.seed(seed)
        return choose_action(self, self.work, policy)

    def scored(self, policy: int) -> list[tuple[int, int]]:
        """Return every legal action, ascending, with its value to the club's or the beginner's heuristic, in points.

        The values of one list compare with each other; one below `CLUB_FORBIDDEN` stands for what it never does
        while anything else is legal. Raises ValueError for another policy. Empty when over.
        """
        if type(policy) is not int:
            policy = whole_number("a policy", policy)
        if policy not in (POLICY_CLUB, POLICY_NOVICE):
            raise ValueError("only the club's and the beginner's heuristic have values")
        if self.phase == PHASE_OVER:
            return []
        work = self.work
        score_set(self, work, NOVICE_SET if policy == POLICY_NOVICE else self.seat & 1)
        return [(work.ids[i], work.scores[i]) for i in range(work.n_ids)]

    def playout(self, policy: int, seed: int | None = None) -> None:
        """Play the deal to its end by one policy for all seats. Raises ValueError for an unknown policy."""
        if type(policy) is not int:
            policy = whole_number("a policy", policy)
        if not 0 <= policy <= POLICY_NOVICE:
            raise ValueError("there is no such policy")
        if seed is not None:
            self.seed(seed)
        run_playout(self, self.work, policy)

    # -- what Python reads ----------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return bool(self.phase == PHASE_OVER)

    @property
    def stock_count(self) -> int:
        """The number of cards in the stock."""
        return self.n_stock

    @property
    def pile_count(self) -> int:
        """The number of cards in the pile."""
        return self.n_pile

    @property
    def totals(self) -> tuple[int, int]:
        """The sides' match points before the deal."""
        return (self.total_0, self.total_1)

    def hand(self, seat: int) -> tuple[int, ...]:
        """Return the cards of a hand, sorted, twins repeated."""
        seat = checked_index(seat, self.players)
        return _mask_cards(self.once[seat], self.twice[seat])

    def hand_count(self, seat: int) -> int:
        """Return the number of cards in a hand."""
        return self.count[checked_index(seat, self.players)]

    def known(self, seat: int) -> tuple[int, ...]:
        """Return the cards that everyone knows to be in a hand."""
        seat = checked_index(seat, self.players)
        return _mask_cards(self.known_once[seat], self.known_twice[seat])

    def meld_list(self, side: int) -> tuple[int, ...]:
        """Return the packed melds of a side."""
        first = checked_index(side, 2) * MELD_SLOTS
        return tuple([self.melds[first + slot] for slot in range(self.n_melds[side])])

    def meld_turns(self, side: int) -> tuple[int, ...]:
        """Return for each meld of a side the turn in which all of its cards were tabled, -1 if several."""
        first = checked_index(side, 2) * MELD_SLOTS
        return tuple([self.meld_turn[first + slot] for slot in range(self.n_melds[side])])

    def pile_cards(self) -> tuple[tuple[int, int, int], ...]:
        """Return (card, seat or -1, turn or -1) for each card of the pile, bottom first."""
        return tuple([(self.pile[i], _seat(self.pile_seat[i]), self.pile_turn[i]) for i in range(self.n_pile)])

    def stock_cards(self) -> tuple[int, ...]:
        """Return the cards of the stock, the next one last."""
        return tuple([self.stock[i] for i in range(self.n_stock)])

    def morto_cards(self, index: int) -> tuple[int, ...]:
        """Return the cards of a waiting morto, nothing for one that has gone."""
        index = checked_index(index, 2)
        if self.morto_owner[index] != -1:
            return ()
        first = index * self.morto_size
        return tuple([self.morto[first + i] for i in range(self.morto_size)])

    def position(self) -> Position:
        """Return the whole deal in plain values."""
        seats = range(self.players)
        return Position(
            rules=self.rules,
            players=self.players,
            dealer=self.dealer,
            totals=(self.total_0, self.total_1),
            seat=self.seat,
            phase=PHASES[self.phase],
            turn_count=self.turn_count,
            hands=tuple([self.hand(seat) for seat in seats]),
            hand_counts=tuple([self.count[seat] for seat in seats]),
            known=tuple([self.known(seat) for seat in seats]),
            melds=(_meld_states(self, 0), _meld_states(self, 1)),
            pile=tuple([PileCard(card, seat, turn) for card, seat, turn in self.pile_cards()]),
            stock=self.stock_cards(),
            stock_count=self.n_stock,
            mortos=(self.morto_cards(0), self.morto_cards(1)),
            morto_owner=(self.morto_owner[0], self.morto_owner[1]),
            mortos_gone=self.mortos_gone,
            unplayed=tuple([bool(self.unplayed[seat]) for seat in seats]),
            barred_card=self.barred_card,
            top_card=self.top_card,
            top_slot=self.top_slot,
            rest_waits=bool(self.rest_waits),
            opening_need=(self.opening_need[0], self.opening_need[1]),
            opened=(self.opening_need[0] == 0, self.opening_need[1] == 0),
            laid_points=self.laid_points,
            drew_stock=bool(self.drew_stock),
            tabled=bool(self.tabled),
            took_single=bool(self.took_single),
            quiet_turns=self.quiet_turns,
            drawn_card=self.drawn_card,
            rejected=bool(self.rejected),
            end_kind=END_KINDS[self.end_kind],
            out_seat=self.out_seat,
        )

    @classmethod
    def from_position(cls, position: Position) -> Deal:
        """Set up a position in which every card is known.

        Raises PositionError (code ``position``) with every fault, or (code ``hidden_cards``) if cards are hidden.
        """
        reasons = validate(position)
        if reasons:
            raise PositionError("position", " ".join(reasons), reasons)
        deal = Deal(position.rules, position.players, position.dealer, position.totals)
        _set_cards(deal, position)
        _set_numbers(deal, position)
        return deal

    def dump(self) -> tuple[Any, ...]:
        """Return every field that a deal changes as one tuple: two deals are in the same state if these are equal."""
        sides, seats = range(2), range(4)
        return (
            (
                self.dealer,
                self.seat,
                self.phase,
                self.turn_count,
                self.end_kind,
                self.out_seat,
                self.total_0,
                self.total_1,
            ),
            (self.barred_card, self.top_card, self.top_slot, self.rest_waits, self.laid_points, self.drew_stock),
            (
                self.tabled,
                self.took_single,
                self.quiet_turns,
                self.drawn_card,
                self.rejected,
                self.mortos_gone,
                self.rng,
            ),
            tuple([(self.once[i], self.twice[i], self.count[i], self.unplayed[i]) for i in seats]),
            tuple([(self.known_once[i], self.known_twice[i]) for i in seats]),
            tuple([(self.n_canasta[i], self.n_clean[i], self.morto_taken[i], self.morto_owner[i]) for i in sides]),
            (self.opening_need[0], self.opening_need[1]),
            tuple([(self.meld_list(i), self.meld_turns(i)) for i in sides]),
            self.pile_cards(),
            self.stock_cards(),
            (self.morto_cards(0), self.morto_cards(1)),
        )


def _again(position: Position, rng: int) -> Deal:
    """Return a pickled deal as it was."""
    deal = Deal.from_position(position)
    _set_rng(deal, rng)
    return deal


def _set_rng(deal: Deal, rng: int) -> None:
    """Set the state of the generator itself, not its seed (deal.pxd types the parameters)."""
    deal.rng = rng


def checked_index(number: int, count: int) -> int:
    """Return the number of one of so many. Raises IndexError if there is none such, TypeError for no whole number."""
    if type(number) is not int:
        number = whole_number("a place", number)
    if not 0 <= number < count:
        raise IndexError(f"{number} is not between 0 and {count - 1}")
    return number


def _seat(number: int) -> int:
    return -1 if number == 255 else number


def _mask_cards(once: int, twice: int) -> tuple[int, ...]:
    cards: list[int] = []
    for index in range(54):
        card = index if index < JOKER else JOKER
        cards.extend([card] * ((once >> index & 1) + (twice >> index & 1)))
    return tuple(cards)


def _meld_states(deal: Deal, side: int) -> tuple[MeldState, ...]:
    return tuple(
        [MeldState(meld, turn) for meld, turn in zip(deal.meld_list(side), deal.meld_turns(side), strict=True)]
    )


def _set_up(deal: Deal, rules: RuleSet, players: int, dealer: int, totals: tuple[int, int]) -> None:
    """Set what the rule set and the table fix."""
    if players not in rules.player_counts:
        counts = " or ".join(str(count) for count in rules.player_counts)
        raise ValueError(f"{rules.name} is for {counts} players, not {players}")
    if not 0 <= dealer < players:
        raise ValueError(f"there is no seat {dealer} to deal")
    points = [whole_number("a total", total) for total in totals]
    if len(points) != 2 or max(points) > TOTAL_LIMIT or min(points) < -TOTAL_LIMIT:
        raise ValueError(f"totals are one number a side, at most {TOTAL_LIMIT} points from 0")
    deal.players, deal.dealer, deal.total_0, deal.total_1 = players, dealer, points[0], points[1]
    _set_play_rules(deal, rules)
    _set_score_rules(deal, rules)
    for index, value in enumerate(card_values(rules)):
        deal.value[index] = value
    pack = ordered_pack(rules)
    deal.card_count = len(pack)
    for index, card in enumerate(pack):
        deal.pack[index] = card
        deal.pack_twice |= deal.pack_once & bit(card)
        deal.pack_once |= bit(card)


def _set_play_rules(deal: Deal, rules: RuleSet) -> None:
    deal.meld_rules = meld_rules_of(rules)
    deal.hand_size, deal.morto_size, deal.canasta_size = rules.hand_size, rules.morto_size, rules.canasta_size
    deal.pile_closed = 1 if rules.pile_closed else 0
    deal.top_wild_new = 1 if rules.closed_top_wild == "new_meld" else 0
    deal.single_barred = 1 if rules.single_card_barred else 0
    deal.first_turn_option = 1 if rules.first_turn_option else 0
    deal.opening_mode = _OPENINGS.index(rules.opening)
    deal.opening_penalty = rules.opening_penalty
    deal.opening_search_max = opening_points_max(rules)
    deal.direct_morto = 1 if rules.direct_morto else 0
    deal.close_needs_taken = 1 if rules.close_morto == "taken" else 0
    deal.close_needs_clean = 1 if rules.close_canasta == "clean" else 0
    deal.close_by_meld = 1 if rules.close_by_meld else 0
    deal.close_wild = 1 if rules.closing_discard_wild else 0
    deal.stock_refill = 1 if rules.stock_refill else 0
    deal.stock_end_count = rules.stock_end_count
    deal.stalemate = _STALEMATES.index(rules.stalemate)
    deal.turn_cap = rules.turn_cap


def _bonus(value: int | None) -> int:
    return NO_BONUS if value is None else value


def _set_score_rules(deal: Deal, rules: RuleSet) -> None:
    deal.bonus_dirty, deal.bonus_clean = rules.bonus_dirty, rules.bonus_clean
    deal.bonus_semi_clean = _bonus(rules.bonus_semi_clean)
    deal.bonus_clean_13, deal.bonus_clean_14 = _bonus(rules.bonus_clean_13), _bonus(rules.bonus_clean_14)
    deal.clean_13_from_ace = 1 if rules.clean_13_from_ace else 0
    deal.big_at_once = 1 if rules.big_canasta_at_once else 0
    deal.bonus_out, deal.morto_penalty = rules.bonus_out, rules.morto_penalty
    deal.morto_waived = 1 if rules.morto_penalty_waived else 0
    deal.unplayed_rule = _UNPLAYED.index(rules.unplayed_morto)
    deal.unplayed_points = rules.unplayed_morto_points
    deal.target_points = rules.target_points
    deal.has_jokers = 1 if rules.joker_count else 0


def _known_cards(cards: Iterable[int] | None) -> tuple[int, ...]:
    if cards is None:
        raise PositionError("hidden_cards", "the position hides cards; only one with every card known can be played")
    return tuple(cards)


def _set_cards(deal: Deal, position: Position) -> None:
    """Lay out the cards of a valid position."""
    for seat in range(4):
        deal.once[seat], deal.twice[seat], deal.count[seat] = 0, 0, 0
        deal.known_once[seat], deal.known_twice[seat] = 0, 0
    for seat in range(position.players):
        for card in _known_cards(position.hands[seat]):
            give(deal, seat, card)
        for card in position.known[seat]:
            know(deal, seat, card)
        deal.unplayed[seat] = 1 if position.unplayed[seat] else 0
    for side in range(2):
        for meld in position.melds[side]:
            push_meld(deal, side, meld.packed, meld.turn)
        deal.morto_taken[side] = 1 if side in position.morto_owner else 0
        deal.morto_owner[side] = position.morto_owner[side]
        for index, card in enumerate(_known_cards(position.mortos[side])):
            deal.morto[side * deal.morto_size + index] = card
    for index, entry in enumerate(position.pile):
        deal.pile[index] = _known_cards(None if entry.card is None else (entry.card,))[0]
        deal.pile_seat[index] = 255 if entry.seat < 0 else entry.seat
        deal.pile_turn[index] = entry.turn
    stock = _known_cards(position.stock)
    for index, card in enumerate(stock):
        deal.stock[index] = card
    deal.n_pile, deal.n_stock = len(position.pile), len(stock)


def _set_numbers(deal: Deal, position: Position) -> None:
    """Set everything of a position that is not a card lying somewhere."""
    deal.seat, deal.phase, deal.turn_count = position.seat, PHASES.index(position.phase), position.turn_count
    deal.mortos_gone = position.mortos_gone
    deal.barred_card, deal.top_card, deal.top_slot = position.barred_card, position.top_card, position.top_slot
    deal.rest_waits = 1 if position.rest_waits else 0
    deal.opening_need[0], deal.opening_need[1] = position.opening_need
    deal.laid_points = position.laid_points
    deal.drew_stock = 1 if position.drew_stock else 0
    deal.tabled = 1 if position.tabled else 0
    deal.took_single = 1 if position.took_single else 0
    deal.quiet_turns, deal.drawn_card = position.quiet_turns, position.drawn_card
    deal.rejected = 1 if position.rejected else 0
    deal.end_kind, deal.out_seat = END_KINDS.index(position.end_kind), position.out_seat


def play_many(deal: Deal, policy: int, seed: int, count: int) -> tuple[int, int, int, int, int]:
    """Shuffle and play ``count`` deals from one deal's rules and table, without the GIL.

    Returns (sum of scores of side 0, of side 1, actions, turns, a checksum of everything that happened).
    Deal number i uses the seed ``seed + i``. Raises ValueError for an unknown policy or a negative count, TypeError for
    what is no whole number.
    """
    policy, seed = whole_number("a policy", policy), whole_number("a seed", seed)
    count = whole_number("the number of deals", count)
    if count < 0:
        raise ValueError("the number of deals is not negative")
    if not 0 <= policy <= POLICY_NOVICE:
        raise ValueError("there is no such policy")
    return _run_free(deal.copy(), policy, seed & 0x3FFFFFFF, count, 1 if deal.rules.up_card else 0)


def _run_free(table: Deal, policy: int, seed: int, count: int, up_card: int) -> tuple[int, int, int, int, int]:
    """Call `run_many` without the GIL, with scratch memory of its own (deal.pxd types the parameters)."""
    work = Workspace()
    table.set_opening()
    with cython.nogil:
        result = run_many(table, work, policy, seed, count, up_card)
    return result
