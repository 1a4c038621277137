"""An observation holds what the view of its seat holds, by the table of its parts, and nothing else."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

import pytest

from buraco.engine.codes import END_KINDS, MELD_CATEGORIES, PHASES
from buraco.engine.constants import ACTION_COUNT, MASK_WORDS, OBSERVATION_SIZE
from buraco.engine.deal import Deal
from buraco.engine.observation import legal_words, observe
from buraco.engine.observation_parts import NUMBER_MAX, PARTS, Part, part
from buraco.engine.position import MeldState, PileCard, Position, public_hand, visible_cards
from buraco.engine.scoresheet import meld_category, meld_points
from buraco.engine.shapes import meld_cards, unpack
from buraco.engine.shuffle import ordered_pack
from buraco.engine.view import SeatView, view_of
from buraco.rules import RULE_SETS, RuleSet
from tests.property.states import GAMES, STATE_COUNT, reachable, shuffled_behind
from tests.rules.positions import act, deal_of
from tests.toy import TOYS

#: How many states of each game are looked at, from every seat.
STATES = min(STATE_COUNT, 32)


def observed(deal: Deal, seat: int) -> list[int]:
    """Return an observation as the engine writes it, over a buffer full of something else."""
    buffer = array("h", [-77]) * OBSERVATION_SIZE
    observe(deal, seat, buffer)
    return buffer.tolist()


def cards_of(cards: Iterable[int]) -> list[int]:
    """Count cards."""
    counted = Counter(cards)
    return [counted[card] for card in range(53)]


def near(number: int) -> int:
    """Return a number as 16 bits hold it."""
    return max(-NUMBER_MAX, min(NUMBER_MAX, number))


def age(position: Position, turn: int) -> int:
    """Return how many turns ago a turn was, the one in play being 1."""
    return position.turn_count - turn + 1 if turn >= 0 else 0


def meld_row(position: Position, meld: MeldState) -> list[int]:
    shape = unpack(meld.packed)
    category = MELD_CATEGORIES.index(meld_category(position.rules, meld))
    head = [1, shape.suit + 1, 0] if shape.is_run else [2, 0, shape.rank + 1]
    slots = [shape.low, shape.high, shape.wild_slot]
    return [*head, *slots, shape.wild_card + 1, *shape.counts, shape.size, category, age(position, meld.turn)]


def pile_row(position: Position, seat: int, entry: PileCard) -> list[int]:
    thrower = 0 if entry.seat < 0 else (entry.seat - seat) % position.players + 1
    return [54 if entry.card is None else entry.card + 1, thrower, age(position, entry.turn)]


def side_row(position: Position, side: int) -> list[int]:
    rules, melds = position.rules, position.melds[side]
    canastas = [meld for meld in melds if unpack(meld.packed).size >= rules.canasta_size]
    return [
        near(position.totals[side]),
        position.opening_need[side],
        len(melds),
        len(canastas),
        sum(not unpack(meld.packed).has_wild for meld in canastas),
        int(side in position.morto_owner),
        sum(meld_points(rules, meld) for meld in melds),
    ]


def seat_row(position: Position, seat: int) -> list[int]:
    if seat >= position.players:
        return [0] * 5
    acts = seat == position.seat and not position.over
    flags = (acts, seat == position.dealer, position.unplayed[seat], seat == position.out_seat)
    return [position.hand_counts[seat], *map(int, flags)]


def padded(rows: Sequence[Sequence[int]], part_name: str) -> list[int]:
    """Return rows one behind the other, with zeros up to the size of one index of the part's first axes."""
    shape = part(part_name).shape
    flat = [number for row in rows for number in row]
    return flat + [0] * (shape[-1] * shape[-2] - len(flat))


def deal_numbers(position: Position, seat: int) -> list[int]:
    flags = (position.drew_stock, position.tabled, position.took_single, position.rest_waits, position.rejected)
    cards = (position.barred_card, position.top_card, position.top_slot, position.drawn_card)
    counts = (position.turn_count, position.quiet_turns, position.stock_count, len(position.pile), position.laid_points)
    numbers = [seat, position.players, *counts, *map(int, flags), *(card + 1 for card in cards)]
    return [*numbers, END_KINDS.index(position.end_kind)]


def expected(view: SeatView) -> dict[str, list[int]]:
    """Return the parts of an observation from a view, in the plainest way."""
    position, seat = view.position, view.seat
    assert seat is not None
    # As they sit from the observing seat; in a deal for two nobody sits across.
    seats = [(seat + turned) % position.players for turned in range(position.players)]
    sides = (seat & 1, 1 - (seat & 1))
    unseen = Counter(ordered_pack(position.rules))
    unseen.subtract(visible_cards(position))
    mortos = {-1: 0, sides[0]: 1, sides[1]: 2, 2: 3}
    tables = [[card for meld in position.melds[side] for card in meld_cards(meld.packed)] for side in sides]
    hands = [cards_of(public_hand(position, other)) for other in seats]
    return {
        "hand": hands[0],
        "others": padded(hands[1:], "others"),
        "shown": cards_of(position.known[seat]),
        "unseen": cards_of(unseen.elements()),
        "table": cards_of(tables[0]) + cards_of(tables[1]),
        "melds": [
            number
            for side in sides
            for number in padded([meld_row(position, meld) for meld in position.melds[side]], "melds")
        ],
        "pile_cards": cards_of(entry.card for entry in position.pile if entry.card is not None),
        "pile": padded([pile_row(position, seat, entry) for entry in reversed(position.pile)], "pile"),
        "phase": [int(phase == position.phase) for phase in PHASES],
        "seats": padded([seat_row(position, other) for other in seats], "seats"),
        "sides": side_row(position, sides[0]) + side_row(position, sides[1]),
        "mortos": [mortos[owner] for owner in position.morto_owner],
        "deal": deal_numbers(position, seat),
    }


def flat(parts: dict[str, list[int]]) -> list[int]:
    return [number for one in PARTS for number in parts[one.name]]


def states_of(rules: RuleSet, players: int) -> list[Deal]:
    """Return every state of one deal of a toy rule set, played at random, for a few seeds."""
    found = []
    for seed in range(12):
        deal, source = Deal(rules, players, seed=seed), random.Random(seed)
        while not deal.over:
            found.append(deal.copy())
            deal.apply(source.choice(deal.legal()))
        found.append(deal)
    return found


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_number_is_what_the_view_of_the_seat_says_and_within_the_bounds_of_its_part(
    name: str, players: int
) -> None:
    for deal in reachable(name, players, STATES):
        for seat in range(players):
            row = observed(deal, seat)
            assert row == flat(expected(view_of(deal, seat)))
            for one in PARTS:
                assert all(one.low <= number <= one.high for number in row[one.first : one.first + one.size]), one.name


def waiting_rest() -> Deal:
    """Return a state that none of the ten rule sets has: the rest of a closed pile waits for the opening minimum."""
    rules = RULE_SETS["fechado"].replace(name="closed-at-once", opening="at_once", opening_minimum=40)
    parts = {"phase": "draw", "pile": "3c 4d 7h", "opening_need": (40, 0), "opened": (False, True)}
    return act(deal_of(rules, "5h 6h 8s 9s Ts Kc", **parts), "pile", "meld 5h 6h 7h")


def test_the_rest_of_a_closed_pile_that_waits_is_seen_to_wait_and_its_cards_are_not_seen() -> None:
    deal = waiting_rest()
    for seat in range(deal.players):
        assert observed(deal, seat) == flat(expected(view_of(deal, seat)))
    one = part("deal")
    assert observed(deal, 0)[one.first + one.column("rest_waits")] == 1


@pytest.mark.parametrize("rules", TOYS.values(), ids=TOYS)
def test_toy_rule_sets_are_observed_by_the_same_table(rules: RuleSet) -> None:
    for deal in states_of(rules, 2):
        for seat in range(2):
            assert observed(deal, seat) == flat(expected(view_of(deal, seat)))


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_what_a_seat_does_not_see_changes_nothing(name: str, players: int) -> None:
    moved = 0
    for index, deal in enumerate(reachable(name, players, STATES)):
        for seat in range(players):
            other = Deal.from_position(shuffled_behind(deal.position(), seat, random.Random(index * 4 + seat)))
            moved += other.dump() != deal.dump()
            assert observed(other, seat) == observed(deal, seat)
    assert moved > STATES


@cache
def _met() -> frozenset[int]:
    places: set[int] = set()
    for name, players in GAMES:
        for deal in reachable(name, players, STATES):
            for seat in range(players):
                places.update(index for index, number in enumerate(observed(deal, seat)) if number)
    places.update(index for index, number in enumerate(observed(waiting_rest(), 0)) if number)
    return frozenset(places)


@pytest.mark.parametrize("one", [one for one in PARTS if one.columns], ids=lambda one: one.name)
def test_each_column_is_met_with_something_in_it(one: Part) -> None:
    met = {(place - one.first) % one.row_size for place in _met() if one.first <= place < one.first + one.size}
    assert {one.columns[index].name for index in met} == {column.name for column in one.columns}


def test_the_parts_lie_one_behind_the_other_and_fill_the_observation() -> None:
    first = 0
    for one in PARTS:
        assert one.first == first
        first += one.size
    assert first == OBSERVATION_SIZE
    assert len({one.name for one in PARTS}) == len(PARTS)
    assert all(len(one.columns) in (0, one.row_size) for one in PARTS)


def test_totals_beyond_16_bits_are_written_as_the_largest_number() -> None:
    deal = Deal(RULE_SETS["aberto"], 4, totals=(50_000, -50_000))
    parts = part("sides")
    row = observed(deal, 0)[parts.first : parts.first + parts.size]
    assert (row[parts.column("total")], row[parts.row_size + parts.column("total")]) == (NUMBER_MAX, -NUMBER_MAX)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_mask_has_the_bits_of_the_legal_actions_and_no_others(name: str, players: int) -> None:
    for deal in reachable(name, players, STATES):
        words = array("Q", [2**64 - 1]) * MASK_WORDS
        legal = deal.legal()
        assert legal_words(deal, words) == len(legal)
        assert [action for action in range(MASK_WORDS * 64) if words[action >> 6] >> (action & 63) & 1] == legal


def test_a_mask_has_the_words_that_all_actions_need() -> None:
    assert MASK_WORDS == (ACTION_COUNT + 63) // 64


def test_rows_of_a_larger_buffer_are_written_and_nothing_beside_them() -> None:
    deal = Deal(RULE_SETS["aberto"], 4, seed=3)
    buffer = array("h", [5]) * (OBSERVATION_SIZE * 3)
    observe(deal, 2, buffer, OBSERVATION_SIZE)
    assert buffer[:OBSERVATION_SIZE].tolist() == buffer[2 * OBSERVATION_SIZE :].tolist() == [5] * OBSERVATION_SIZE
    assert buffer[OBSERVATION_SIZE : 2 * OBSERVATION_SIZE].tolist() == observed(deal, 2)
    words = array("Q", [7]) * (MASK_WORDS + 2)
    legal_words(deal, words, 1)
    assert (words[0], words[-1]) == (7, 7)


@pytest.mark.parametrize(("seat", "length", "first"), [(4, 1, 0), (-1, 1, 0), (0, 1, 1), (0, 1, -1), (0, 0, 0)])
def test_a_seat_or_a_place_that_is_not_there_is_an_error_and_nothing_is_written(
    seat: int, length: int, first: int
) -> None:
    buffer = array("h", [5]) * (OBSERVATION_SIZE * length)
    with pytest.raises(ValueError, match="seat" if seat in (4, -1) else "numbers"):
        observe(Deal(RULE_SETS["aberto"], 4), seat, buffer, first)
    assert set(buffer) <= {5}


@pytest.mark.parametrize(("length", "first"), [(MASK_WORDS - 1, 0), (MASK_WORDS, 1), (MASK_WORDS, -1)])
def test_a_mask_without_room_is_an_error_and_nothing_is_written(length: int, first: int) -> None:
    words = array("Q", [7]) * length
    with pytest.raises(ValueError, match="words"):
        legal_words(Deal(RULE_SETS["aberto"], 4), words, first)
    assert set(words) == {7}
