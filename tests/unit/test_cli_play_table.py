"""The table in the terminal: everything is on it, and it fits, whatever the hand and the melds."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from rich.text import Text

from buraco.cards import JOKER, RANKS, card_text, cards_text, parse_card, parse_cards
from buraco.cli.faces import Faces, HandOrder, fill_rows, hanging, plain_input
from buraco.cli.sheets import seat_names, side_names
from buraco.cli.table import TableWriter, duty_text, goal_text, prompt_text
from buraco.engine import PHASES, Deal, MeldState, Position, determinize, ordered_pack, unpack, view_of
from buraco.rules import get_rules
from tests.unit.making import run, same_rank, table
from tests.unit.walking import deal_states

LETTERS = Faces(symbols=False)
SET_RANKS = RANKS.replace("2", "")


def writer(width: int = 80, players: int = 4) -> TableWriter:
    return TableWriter(faces=LETTERS, names=seat_names(players, 0), sides=side_names(players, 0), width=width)


def rows_of(position: Position, width: int = 80, order: HandOrder = "suit") -> list[str]:
    view = view_of(Deal.from_position(position), 0)
    return [row.plain for row in writer(width, position.players).rows(view, 3, (1240, -85), order)]


def with_hands(own: list[MeldState], other: list[MeldState], hand_size: int) -> Position:
    """Return a table with these melds, a hand of that size and three of one card."""
    rules = get_rules("burraco")
    rest = Counter(ordered_pack(rules))
    for meld in (*own, *other):
        rest.subtract(unpack(meld.packed).cards)
    cards = random.Random(2).sample(list(rest.elements()), hand_size + 3)
    hands = [cards_text(cards[:hand_size]), *(card_text(card) for card in cards[hand_size:])]
    return table(rules, *hands, melds=(tuple(own), tuple(other)), owners=(0, 1))


def long_hand() -> Position:
    own = [run("c", 1, 13), run("d", 3, 9, "X", 5)]
    return with_hands(own, [run("s", 6, 14, "2h", 9), run("h", 3, 5), run("h", 8, 14)], 40)


def many_melds() -> Position:
    sets = [same_rank(f"{rank}c {rank}d {rank}h") for rank in SET_RANKS]
    return with_hands(sets, sets, 11)


def hand_rows(rows: list[str]) -> list[str]:
    (heading,) = (index for index, row in enumerate(rows) if row.startswith("Your hand"))
    return rows[heading + 1 :]


@pytest.mark.parametrize("width", [80, 100, 120])
@pytest.mark.parametrize("order", ["suit", "rank"])
def test_forty_cards_and_five_melds_fit_the_width_and_are_all_there(width: int, order: HandOrder) -> None:
    position = long_hand()
    rows = rows_of(position, width, order)
    assert max(len(row) for row in rows) <= width
    assert Counter(parse_cards(" ".join(hand_rows(rows)))) == Counter(position.hands[0])
    assert "Your hand: 40 cards, " in "\n".join(rows)
    assert len(rows) <= 24


def test_the_suits_of_a_hand_of_forty_stay_together() -> None:
    rows = hand_rows(rows_of(long_hand()))
    groups = [group.split() for row in rows for group in row.strip().split("   ")]
    suits = ["".join(sorted({card[-1] for card in group})) for group in groups]
    assert suits == ["c", "d", "h", "s", "X"]


@pytest.mark.parametrize("width", [80, 120])
def test_twelve_melds_of_each_side_share_rows_with_their_numbers(width: int) -> None:
    rows = rows_of(many_melds(), width)
    assert max(len(row) for row in rows) <= width
    assert len(rows) <= (24 if width == 80 else 18)
    text = "\n".join(rows)
    for number, rank in enumerate(SET_RANKS, 1):
        assert text.count(f"{number:>3} {rank}c {rank}d {rank}h") == 2


def test_a_suit_longer_than_a_row_is_broken_and_loses_no_card() -> None:
    cards = parse_cards(" ".join(f"{rank}s" for rank in RANKS) + " " + " ".join(f"{rank}s" for rank in RANKS)) + (
        JOKER,
    )
    rows = [row.plain for row in LETTERS.hand(cards, 40)]
    assert max(len(row) for row in rows) <= 40
    assert Counter(parse_cards(" ".join(rows))) == Counter(cards)


def test_canastas_are_marked_clean_or_dirty_and_a_wild_shows_its_place() -> None:
    text = "\n".join(rows_of(long_hand()))
    assert "  1 c A 2 3 4 5 6 7 8 9 T J Q K  clean canasta 200" in text
    assert "  2 d 3 4 X=5 6 7 8 9  dirty canasta 100" in text
    assert "  1 s 6 7 8 2h=9 T J Q K A  dirty canasta 100" in text


def test_a_set_shows_its_cards_and_what_its_wild_stands_for() -> None:
    assert LETTERS.meld(same_rank("7c 7h 7s", "2d").packed).plain == "7c 7h 7s 2d=7"


def test_symbols_and_letters_name_the_same_cards() -> None:
    for card in range(53):
        shown = Faces(symbols=True).card(card).plain
        assert parse_card(plain_input(shown)) == card


@pytest.mark.parametrize("name", ["aberto", "fechado", "classico"])
def test_the_table_shows_nothing_that_is_hidden(name: str) -> None:
    for deal in list(deal_states(name, 4, seed=8))[::25]:
        view = view_of(deal, 0)
        other = view_of(determinize(view, 77), 0)
        shown, same = (
            [row.plain for row in writer().rows(one, 1, (0, 0), "suit")]
            + [row.plain for row in writer().discarders(one.position)]
            for one in (view, other)
        )
        assert shown == same


def test_of_a_closed_pile_only_the_top_and_the_number_are_shown() -> None:
    position = table("fechado", "3h 4c 5d", "3d 4s", "5c 6c", "8c Jd", pile="Kh Qc 9s")
    assert "Pile of 3, top 9s" in rows_of(position)
    view = view_of(Deal.from_position(position), 0)
    assert [row.plain for row in writer().discarders(view.position)] == ["hidden You  hidden Left  9s Partner"]


def test_of_a_long_pile_the_cards_nearest_to_the_top_are_shown() -> None:
    rules = get_rules("aberto")
    pile = cards_text([card for card in ordered_pack(rules) if card != JOKER][40:90])
    (row,) = (
        row for row in rows_of(table("aberto", "3c 4c 5c", "6c 7c", "8c 9c", "Tc Jc", pile=pile)) if "Pile" in row
    )
    assert len(row) <= 80
    assert row.startswith("Pile (50): .. ")
    assert row.endswith(pile[-30:])


def test_the_opening_minimum_of_both_sides_and_what_is_laid_are_told() -> None:
    position = table("classico", "3h 4c 5d", "3d 4s", "5c 6c", "8c Jd", opening_need=(50, 65), opened=(False, False))
    assert "Points needed to open: We 50, They 65" in rows_of(position)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"phase": "opening", "opening_need": (75, 75), "laid_points": 30}, "worth 45 points more"),
        ({"phase": "discard"}, "Only a discard"),
        ({"phase": "top", "top_card": parse_card("9s")}, "top card 9s"),
        ({"phase": "play", "barred_card": parse_card("4c")}, "4c as a one-card pile"),
        ({"phase": "play"}, ""),
    ],
)
def test_a_duty_is_told(changes: dict[str, object], told: str) -> None:
    position = replace(table("aberto", "3h 4c 9s", "3d 4s", "5c 6c", "8c Jd"), **changes)  # type: ignore[arg-type]
    assert told in duty_text(position)
    assert bool(told) == bool(duty_text(position))


def test_every_phase_in_which_a_seat_acts_has_a_prompt() -> None:
    position = table("aberto", "3h 4c 9s", "3d 4s", "5c 6c", "8c Jd")
    prompts = {prompt_text(replace(position, phase=phase)) for phase in PHASES if phase != "over"}
    assert all(prompt.endswith("(? help) > ") and len(prompt) < 60 for prompt in prompts)


def test_the_goal_is_a_target_or_a_number_of_deals() -> None:
    position = table("aberto", "3h 4c 9s", "3d 4s", "5c 6c", "8c Jd")
    assert goal_text(position) == "Buraco Aberto, to 3000"
    single = table(get_rules("aberto").replace(target_points=0, deal_count=1), "3h 4c 9s", "3d 4s", "5c 6c", "8c Jd")
    assert goal_text(single) == "Buraco Aberto, 1 deal"


def test_seats_are_named_from_where_the_person_sits() -> None:
    assert seat_names(4, 0) == ("You", "Left", "Partner", "Right")
    assert seat_names(4, 3) == ("Left", "Partner", "Right", "You")
    assert seat_names(2, 1) == ("Opponent", "You")
    assert side_names(4, 3) == ("They", "We")
    assert side_names(2, 0) == ("You", "Opponent")


def test_groups_fill_rows_and_stay_whole_where_they_fit() -> None:
    groups = [[Text("aa"), Text("bb")], [Text("cc")], [Text("dd"), Text("ee"), Text("ff")]]
    assert [row.plain for row in fill_rows(groups, 10)] == ["aa bb   cc", "dd ee ff"]
    assert [row.plain for row in fill_rows(groups, 5)] == ["aa bb", "cc", "dd ee", "ff"]
    assert fill_rows([], 5) == []


def test_a_long_row_hangs_below_its_indent_and_keeps_its_blanks() -> None:
    assert hanging(Text("  word  and more words here"), 8, 16).plain == "  word  and more\n        words\n        here"
    assert hanging(Text("short"), 4, 10).plain == "short"
