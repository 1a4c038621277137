"""Positions as text and JSON: exact, short where defaults say the rest, and clear about every fault."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from buraco.cards import parse_card
from buraco.engine.position import MeldState, PileCard, Position, hide
from buraco.errors import BuracoError, ParseError, PositionError
from buraco.notation import (
    format_position,
    parse_meld,
    parse_position,
    position_from_json,
    position_json,
    position_json_text,
    read_position,
    schema,
)
from buraco.notation.limits import POSITION_TEXT_MAX, load_json, shown
from buraco.rules import RULE_SETS, RuleSet, get_rules
from tests.unit.making import run, same_rank, table

SHORT = "buraco-position 1; rules=aberto; "


def full_position(rules: RuleSet | str = "burraco") -> Position:
    return table(
        rules,
        "5c 6c 7c Kd X",
        "2h 3d 3d",
        "Ah 4s",
        "Qs Qd 9h",
        melds=((run("h", 3, 9, "X", 5, turn=2), run("c", 8, 14)), (same_rank("7c 7h 7s", "2d"),)),
        pile="4s 9s Td",
        owners=(1, -1),
        turn_count=9,
        known=((), (parse_card("3d"),), (), ()),
        unplayed=(False, False, False, False),
        totals=(1490, -35),
    )


def round_trips(position: Position) -> bool:
    text = format_position(position)
    assert "\n" not in text
    form = json.loads(json.dumps(position_json(position)))
    Draft202012Validator(schema("position")).validate(form)
    return (
        read_position(text) == position
        and read_position(position_json_text(position)) == position
        and position_from_json(form) == position
        and parse_position(text) == position
    )


@pytest.mark.parametrize("seat", [0, 1, 2, 3, None])
def test_a_full_position_and_every_view_of_it_come_back(seat: int | None) -> None:
    position = full_position()
    assert round_trips(position)
    assert round_trips(hide(position, seat))


@pytest.mark.parametrize("name", list(RULE_SETS))
def test_positions_of_every_rule_set_come_back(name: str) -> None:
    rules = get_rules(name)
    hands = ("5c 6c 7c Kd", "2h 3d 3d", "Ah 4s", "Qs Qd 9h")[: max(rules.player_counts)]
    assert round_trips(table(name, *hands, pile="4s 9s Td", turn_count=4))


def test_house_rules_come_back_with_their_fields() -> None:
    changed = get_rules("burraco").replace(turn_cap=9, title="House; with # signs", player_counts=(4,))
    own = changed.replace(name="my-house")
    for rules in (changed, own):
        assert round_trips(full_position(rules))
    assert "rules=burraco; rule.title=" in format_position(full_position(changed))
    assert 'rules=-; rule.name="my-house"' in format_position(full_position(own))


def test_duties_come_back() -> None:
    # Whether these duties can be together is not asked here, only that none is lost.
    position = replace(
        full_position("fechado"),
        barred_card=2,
        top_card=5,
        top_slot=1,
        rest_waits=True,
        opening_need=(90, 0),
        opened=(False, True),
        laid_points=35,
        drew_stock=True,
        tabled=True,
        took_single=True,
        quiet_turns=3,
        drawn_card=17,
        rejected=True,
        end_kind="closed",
        out_seat=2,
        unplayed=(False, True, True, False),
        pile=(PileCard(None), PileCard(None, 2), PileCard(3, -1, 4), PileCard(52, 1, 7)),
    )
    assert read_position(format_position(position)) == position
    assert read_position(position_json_text(position)) == position


def test_a_short_text_gets_its_defaults() -> None:
    position = parse_position(SHORT + "hand0=5c 6c 7c Kd; seat=0; phase=play; melds0=3h 4h X 6h")
    assert position.players == 4
    assert position.hands == (tuple(sorted(position.hands[0] or ())), None, None, None)
    assert position.hand_counts == (4, 11, 11, 11)
    assert position.stock_count == 108 - 4 - 33 - 4 - 22
    assert position.melds == ((MeldState(parse_meld("3h 4h X=5 6h")),), ())
    assert position.mortos == (None, None)
    assert position.opened == (True, True)


def test_the_player_left_of_the_dealer_is_to_act_unless_told() -> None:
    assert parse_position(SHORT + "dealer=3").seat == 0


def test_the_opening_minimum_follows_from_the_totals_unless_told() -> None:
    text = SHORT + "totals=1500 1495; "
    assert parse_position(text).opening_need == (75, 0)
    assert parse_position(text).opened == (False, True)
    assert parse_position(text + "melds0=3h 4h 5h").opening_need == (0, 0)
    assert parse_position(text + "opening_need=0 0; opened=yes yes").opened == (True, True)


def test_a_file_has_one_statement_a_line_and_comments() -> None:
    text = "\n# A table\nburaco-position 1\n\nrules = aberto  # open\nhand0 = 3h\t10h X\n"
    assert parse_position(text) == parse_position(SHORT + "hand0=3h Th X")


def test_an_empty_hand_is_not_a_hidden_one_of_no_cards() -> None:
    assert read_position(SHORT + "hand0=-").hands[0] == ()
    assert read_position(SHORT + "hand0=0").hands[0] is None


@pytest.mark.parametrize("text", ["totals=99999999999 -99999999999", "opening_need=25000000 0"])
def test_figures_that_the_longest_match_comes_to_are_read_and_written(text: str) -> None:
    position = parse_position(f"buraco-position 1; rules=classico; {text}")
    assert parse_position(format_position(position)) == position


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("", 1),
        ("buraco-position 2; rules=aberto", 1),
        ("buraco-position 1", 1),
        ("buraco-position 1; rules=abierto", 1),
        (SHORT + "seat=9; hand0=3h 9x; colour=red; hand1", 4),
        (SHORT + "dealer=1; dealer=1", 1),
        (SHORT + "players=2; hand3=3h", 1),
        ("buraco-position 1; rules=fechado; players=2; unplayed=3", 1),
        (SHORT + "unplayed=1 1", 1),
        (SHORT + "hand0=60; hand1=60", 1),
        (SHORT + "phase=lunch; opened=yes; rejected=1; totals=1; turn_count=-1; top_meld=x", 6),
        (SHORT + "melds0=3h 5h; pile=3h 4@; morto1=4; morto2=mine", 3),
        ("buraco-position 1; rules=aberto; rule.turn_cap=x; rule.nothing=3", 2),
        ("buraco-position 1; rule.turn_cap=4", 2),
        ("buraco-position 1; rules=-; rule.turn_cap=4", 2),
        ("buraco-position 1; rules=aberto; rule.hand_size=0; rule.morto_size=0", 2),
    ],
)
def test_every_fault_of_a_text_is_named(text: str, reasons: int) -> None:
    with pytest.raises(ParseError) as caught:
        read_position(text)
    assert caught.value.code in ("position_text", "position_form")
    assert len(caught.value.reasons) == reasons, caught.value.reasons


def test_every_fault_of_an_impossible_position_is_named() -> None:
    with pytest.raises(PositionError) as caught:
        parse_position(SHORT + "hand0=3h 3h 3h; melds0=4h 5h 6h @4; stock=0; phase=draw")
    assert caught.value.code == "position"
    assert len(caught.value.reasons) >= 3


@pytest.mark.parametrize(
    "member",
    [
        {"players": "4"},
        {"players": 10**14},
        {"hands": [True, 11, 11, 11]},
        {"hands": 11},
        {"known": [["3h"]]},
        {"melds": [[["3h", "4h", "5h"]], []]},
        {"melds": [[{"cards": ["3h", "4h", 5]}], []]},
        {"melds": [[{"cards": ["3h", "4h", "5h"], "turn": -1}], []]},
        {"pile": ["3h"]},
        {"pile": [{"seat": 1}]},
        {"pile": [{"card": "3h"}] * 129},
        {"stock": -1},
        {"mortos": ["hidden", "gone"]},
        {"unplayed": [7]},
        {"opened": [1, 0]},
        {"seat": None},
        {"phase": 2},
        {"rules": 7},
        {"version": True},
        {"extra": 1},
    ],
)
def test_a_wrong_member_is_refused_by_reader_and_schema(member: dict[str, object]) -> None:
    form = {"format": "buraco-position", "version": 1, "rules": "aberto"} | member
    with pytest.raises(ParseError):
        position_from_json(form)
    if member.get("version") is not True:  # JSON Schema holds true and 1 apart, Python does not
        assert not Draft202012Validator(schema("position")).is_valid(form)


def nested(depth: int) -> object:
    value: object = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "null"),
        (True, "true"),
        ("9", '"9"'),
        (["Kd"], '["Kd"]'),
        ({"a": None}, '{"a": null}'),
        ("é" * 90, '"' + "é" * 39 + "..."),
        (nested(100_000), "a value nested too deeply"),
    ],
    ids=lambda value: repr(value)[:20] if isinstance(value, str) else type(value).__name__,
)
def test_a_wrong_value_is_shown_as_it_was_written(value: object, told: str) -> None:
    with pytest.raises(ParseError) as caught:
        position_from_json({"format": "buraco-position", "version": 1, "rules": "aberto", "seat": value})
    assert caught.value.reasons == (f"seat: {told} is no whole number",)


def test_as_many_hands_as_players_are_wanted() -> None:
    with pytest.raises(ParseError, match="4 players need 4 entries"):
        position_from_json({"format": "buraco-position", "version": 1, "rules": "aberto", "hands": [11, 11]})


@pytest.mark.parametrize(
    "text",
    [
        "x" * (POSITION_TEXT_MAX + 1),
        "{" * (POSITION_TEXT_MAX + 1),
        '{"a":' * 9000,
        '{"format": "buraco-position", "format": 1}',
        '{"version": 1e3}',
        '{"version": NaN}',
        '{"version": ' + "9" * 5000 + "}",
        "{]",
        "[1]",
        "\x00\ud800",
    ],
)
def test_a_hostile_text_is_refused_with_a_code(text: str) -> None:
    with pytest.raises(BuracoError) as caught:
        parse_position(text)
    assert caught.value.code in ("position_text", "position_form")


@pytest.mark.parametrize("half", ["\\ud800", "\\uDFFF", "\\ud83d\\ud83d", "\ud800"])
def test_half_of_a_character_is_refused_wherever_it_is(half: str) -> None:
    for text in (f'"{half}"', f'{{"{half}": 1}}', f'[[{{"a": ["b{half}"]}}]]'):
        with pytest.raises(ParseError, match="half of a character") as found:
            load_json(text, 100, "position_form")
        assert found.value.code == "position_form"


@pytest.mark.parametrize("whole", ["\\ud83d\\ude00", "\\\\ud800", "\U0001f600"])
def test_a_whole_character_is_read_however_it_is_written(whole: str) -> None:
    assert load_json(f'["{whole}"]', 100, "position_form") == json.loads(f'["{whole}"]')


def test_half_of_a_character_is_shown_as_it_is_written() -> None:
    assert shown("a\ud800b") == '"a\\ud800b"'
