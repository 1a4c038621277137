"""Score sheets: the worked figures of the rules, and what each field does to a line."""

from __future__ import annotations

from typing import Any

import pytest

from buraco.cards import parse_cards
from buraco.engine.deal import Deal
from buraco.engine.position import MeldState, hide
from buraco.engine.scoresheet import ScoreSheet, meld_bonus, meld_category, score_sheet
from buraco.engine.shapes import cards_points, meld_cards
from buraco.errors import PositionError
from buraco.rules import RULE_SETS
from tests.unit.making import game_sets, run, same_rank, table
from tests.unit.walking import deal_states

UNPLAYED = "Kd Qc 9s 9h 7d 6c 5s 4h 3d 3c As"
OTHER = "Kc Qd"


def worth(rules: str, meld: MeldState) -> int:
    """Card points and bonus of a meld."""
    rule_set = RULE_SETS[rules]
    bonus = meld_bonus(rule_set, meld_category(rule_set, meld))
    return cards_points(rule_set, meld_cards(meld.packed)) + bonus


def lines(sheet: ScoreSheet) -> list[tuple[str, int]]:
    return [(line.kind, line.points) for line in sheet.lines]


@pytest.mark.parametrize(
    ("rules", "meld", "points"),
    [
        ("aberto", run("h", 3, 9), 245),
        ("aberto", run("h", 1, 13), 610),
        ("aberto", run("h", 1, 14), 1125),
        ("aberto", run("h", 2, 14), 610),
        ("aberto", run("h", 1, 14, "X", 13), 100 + 125 - 10 + 20),
        ("fechado-50", run("h", 1, 13, turn=7), 610),
        ("fechado-50", run("h", 1, 13), 310),
        ("fechado-50", run("h", 2, 14, turn=7), 310),
        ("fechado-50", run("h", 1, 14, turn=7), 1125),
        ("fechado-50", run("h", 1, 14), 325),
        ("classico", run("h", 1, 13), 310),
        ("burraco", same_rank("4s 4s 4c", "2h"), 35),
        ("burraco", same_rank("Tc Ts Td", "X"), 60),
        ("burraco", run("h", 7, 9), 25),
        ("burraco", run("s", 1, 5, "2h", 4), 65),
        ("burraco", run("c", 9, 11, "2c", 10), 40),
        ("burraco", run("d", 4, 6, "X", 4), 40),
        ("burraco-fibur", run("h", 1, 13, "X", 2), 150 + 120 - 20 + 30),
        ("aberto-sujo", run("h", 1, 13, "X", 2), 100 + 120 - 20 + 30),
        ("burraco-fibur", same_rank("8c 8d 8h 8s 8c 8d 8h", "X"), 70 + 30 + 150),
        ("burraco", same_rank("8c 8d 8h 8s 8c 8d 8h", "X"), 70 + 30 + 100),
    ],
)
def test_worked_value_of_a_meld(rules: str, meld: MeldState, points: int) -> None:
    assert worth(rules, meld) == points


@pytest.mark.parametrize(
    ("meld", "fibur", "burraco"),
    [
        (run("d", 3, 5), 15, 15),
        (run("d", 12, 14), 35, 35),
        (run("d", 12, 14, "2h", 12), 45, 45),
        (run("d", 1, 7), 260, 260),
        (run("d", 1, 7, "2h", 2), 160, 160),
        (run("d", 1, 9, "2h", 2), 230, 180),
        (run("d", 1, 9), 280, 280),
        (run("d", 1, 9, "X", 6), 205, 205),
        (run("d", 2, 9), 265, 265),
        (run("d", 2, 9, "2h", 2), 215, 165),
        (run("d", 7, 14, "2d", 7), 245, 195),
        (run("d", 8, 14, "2d", 8), 185, 185),
        (run("d", 8, 14, "2d", 12), 185, 185),
    ],
)
def test_case_c3_card_points_and_bonus(meld: MeldState, fibur: int, burraco: int) -> None:
    assert (worth("burraco-fibur", meld), worth("burraco", meld)) == (fibur, burraco)


def test_worked_deal_of_465_points() -> None:
    # Values 45 + 25 + 45 + 30 + 35 = 180, one clean canasta, going out; an ace is left in the partner's hand.
    melds = (
        run("h", 3, 9),
        run("d", 3, 7),
        run("s", 11, 14),
        run("c", 8, 10),
        run("c", 5, 9),
    )
    values = sum(cards_points(RULE_SETS["aberto"], meld_cards(meld.packed)) for meld in melds)
    assert values == 180
    position = table(
        "aberto", "", "5d", "Ac", "6d", melds=(melds, ()), owners=(0, 1), phase="over", end_kind="closed", out_seat=0
    )
    sheet = score_sheet(position, 0)
    assert sheet.total == 465
    assert [pair for pair in lines(sheet) if pair[0] != "meld"] == [("bonus", 200), ("out", 100), ("hand", -15)]


def over(rules: str, **changes: Any) -> list[tuple[str, int]]:
    """The lines of side 1, whose seat 1 holds a morto never played."""
    ending = {"phase": "over", "end_kind": "closed", "out_seat": 0, "unplayed": (False, True, False, False)}
    position = table(rules, "", UNPLAYED, "7h 7c", OTHER, owners=(0, 1), **{**ending, **changes})
    return [pair for pair in lines(score_sheet(position, 1)) if pair[0] != "out"]


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("aberto", ("unplayed", -100)),
        ("aberto-104", ("unplayed", -100)),
        ("fechado", ("unplayed", -100)),
        ("classico", ("hand", -85)),
        ("aberto-sujo", ("hand", -85)),
        ("burraco", ("hand", -85)),
        ("fechado-50", ("hand", -85)),
    ],
)
def test_morto_never_played(rules: str, line: tuple[str, int]) -> None:
    assert over(rules) == [line, ("hand", -20)]


def test_morto_never_played_counts_its_cards_when_the_partner_goes_out() -> None:
    position = table(
        "aberto",
        "7h 7c",
        UNPLAYED,
        "8h",
        "",
        owners=(0, 1),
        phase="over",
        end_kind="closed",
        out_seat=3,
        unplayed=(False, True, False, False),
    )
    assert lines(score_sheet(position, 1)) == [("out", 100), ("hand", -85)]


def test_morto_played_counts_its_cards() -> None:
    assert over("aberto", unplayed=(False,) * 4)[0] == ("hand", -85)


def test_smaller_takes_the_flat_sum_of_a_costly_morto() -> None:
    costly = "X X As Ac Ad Ah Kd Qc 9s 9h 7d"
    position = table(
        "classico",
        "7h 7c",
        costly,
        "8h",
        OTHER,
        owners=(0, 1),
        phase="over",
        end_kind="stock",
        unplayed=(False, True, False, False),
    )
    assert lines(score_sheet(position, 1)) == [("unplayed", -100), ("hand", -20)]


@pytest.mark.parametrize(
    ("rules", "owners", "sides"),
    [
        ("aberto", (-1, -1), (0, 0)),
        ("aberto", (2, 2), (0, 0)),
        ("aberto", (0, -1), (0, -100)),
        ("aberto", (1, 2), (-100, 0)),
        ("classico", (2, 2), (-100, -100)),
        ("burraco", (0, 1), (0, 0)),
        ("fechado", (-1, -1), (-100, -100)),
    ],
)
def test_morto_not_taken(rules: str, owners: tuple[int, int], sides: tuple[int, int]) -> None:
    position = table(rules, "7h", "7c", "8h", "8c", owners=owners, phase="over", end_kind="stock")
    found = tuple(
        sum(line.points for line in score_sheet(position, side).lines if line.kind == "morto") for side in (0, 1)
    )
    assert found == sides


def test_a_bonus_of_nothing_is_nothing() -> None:
    rules = RULE_SETS["aberto"].replace(bonus_clean_13=0)
    assert meld_category(rules, run("h", 1, 13)) == "clean_13"
    assert meld_bonus(rules, "clean_13") == 0


def test_a_hidden_hand_cannot_be_counted() -> None:
    position = hide(table("aberto", "7h", "7c", "8h", "8c"), 0)
    with pytest.raises(PositionError) as caught:
        score_sheet(position, 1)
    assert caught.value.code == "hidden_hand"


def test_there_are_two_sides() -> None:
    with pytest.raises(PositionError) as caught:
        score_sheet(table("aberto", "7h", "7c", "8h", "8c"), 2)
    assert caught.value.code == "no_side"


def test_lines_name_cards_and_categories() -> None:
    position = table("classico", "7h", "7c", "8h", "8c", melds=((run("d", 3, 9, "2d", 9),), ()))
    meld, bonus, first, second, morto = score_sheet(position, 0).lines
    assert meld.cards == parse_cards("3d 4d 5d 6d 7d 8d 2d")
    assert (bonus.category, bonus.points, bonus.meld) == ("dirty", 100, 0)
    assert (first.seat, second.seat) == (0, 2)
    assert (morto.kind, morto.points) == ("morto", -100)


@pytest.mark.parametrize(("name", "players"), game_sets())
def test_lines_add_up_to_the_score_of_the_engine(name: str, players: int) -> None:
    kinds: set[str] = set()
    for seed in range(3):
        for index, deal in enumerate(deal_states(name, players, seed)):
            if index % 5 and not deal.over:
                continue
            for side in (0, 1):
                sheet = score_sheet(deal, side)
                assert sheet.total == deal.score(side)
                kinds |= {line.kind for line in sheet.lines}
    assert kinds >= {"meld", "hand"}


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_engine_gives_the_same_score_to_tables_made_by_hand(name: str) -> None:
    sides = (
        (run("h", 3, 9), run("d", 2, 8, "2c", 5, 7), run("s", 1, 13, turn=3), run("c", 2, 14)),
        (run("h", 3, 14, "X" if RULE_SETS[name].joker_count else "2d", 4), run("c", 4, 6)),
    )
    for owners in ((-1, -1), (0, -1), (1, 0), (0, 1)):
        for unplayed in (False, True):
            hands = ("Kc Kd", "8d 9d 9d Tc Td 9s 9c 8c 8s 7c 7d", "Qd Qh", "Ah Ad")
            waiting = unplayed and 1 in owners
            position = table(
                name,
                *hands,
                melds=sides,
                owners=owners,
                phase="over",
                end_kind="stock",
                unplayed=(False, waiting, False, False),
            )
            deal = Deal.from_position(position)
            assert [score_sheet(position, side).total for side in (0, 1)] == [deal.score(0), deal.score(1)]
