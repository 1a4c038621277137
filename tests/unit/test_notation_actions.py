"""Actions as text: one text for each id, and what a person may type instead."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from buraco.engine.constants import ACTION_COUNT
from buraco.errors import ParseError
from buraco.notation import (
    action_from_json,
    action_json,
    candidates,
    decode_action,
    encode_action,
    format_action,
    parse_action,
    readings,
    schema,
)
from buraco.notation.actions import ACTION_TEXT_MAX
from buraco.notation.position import read_position


def texts(typed: str) -> list[str]:
    return [format_action(action) for action in readings(typed)]


def test_every_action_has_a_text_of_its_own_and_comes_back_from_it() -> None:
    seen: set[str] = set()
    for action in range(ACTION_COUNT):
        text = format_action(action)
        assert parse_action(text) == action
        seen.add(text)
    assert len(seen) == ACTION_COUNT == 22_185


def test_every_action_comes_back_from_its_parts() -> None:
    assert all(encode_action(decode_action(action)) == action for action in range(ACTION_COUNT))


def test_every_action_comes_back_from_its_json_form_which_obeys_the_schema() -> None:
    validator = Draft202012Validator(schema("action"))
    for action in range(0, ACTION_COUNT, 7):
        form = json.loads(json.dumps(action_json(action)))
        assert validator.is_valid(form), form
        assert action_from_json(form) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("draw", 0),
        ("pile", 1),
        ("keep", 2),
        ("reject", 3),
        ("discard Ac", 4),
        ("discard X", 56),
        ("meld Ac 2c 3c", 57),
        ("meld 2d=A 2c 3c", 59),
        ("add 1 Ac", 16029),
        ("add 1 Ac wild low", 16030),
        ("add 36 As high wild high", 22184),
    ],
)
def test_the_text_of_a_known_id(text: str, action: int) -> None:
    assert format_action(action) == text
    assert parse_action(text) == action


@pytest.mark.parametrize("action", [-1, ACTION_COUNT])
def test_a_number_that_is_no_action_has_no_text(action: int) -> None:
    with pytest.raises(ValueError, match="no action"):
        format_action(action)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Draw", None),
        ("d", None),
        ("discard ks", "discard Ks"),
        ("discard 10s", "discard Ts"),
        ("discard  Ks", "discard Ks"),
        ("meld 3h 4h X 6h", "meld 3h 4h X=5 6h"),
        ("meld 3h 4h X=5h 6h", "meld 3h 4h X=5 6h"),
        ("meld 7h 7c 7s", "meld 7c 7h 7s"),
        ("add 02 9h", "add 2 9h"),
        ("add 2 Ah low", "add 2 Ah"),
    ],
)
def test_the_strict_reader_takes_the_canonical_text_only(text: str, canonical: str | None) -> None:
    with pytest.raises(ParseError) as caught:
        parse_action(text)
    assert caught.value.code == "action_text"
    if canonical:
        assert repr(canonical) in caught.value.message


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("D", ["draw"]),
        ("p", ["pile"]),
        ("k", ["keep"]),
        ("r", ["reject"]),
        ("x KS", ["discard Ks"]),
        ("m 5h 3h 4h", ["meld 3h 4h 5h"]),
        ("m 3h 4h x 6h", ["meld 3h 4h X=5 6h"]),
        ("m x 3h 4h", ["meld X=2 3h 4h", "meld 3h 4h X=5"]),
        ("m 3h 4h x=5", ["meld 3h 4h X=5"]),
        ("m 3h 4h x=5h", ["meld 3h 4h X=5"]),
        ("m 7h 2d 7c", ["meld 7c 7h 2d=7"]),
        ("a 2 9h", ["add 2 9h", "add 2 9h wild low", "add 2 9h wild high"]),
        ("a 2 9h wild low", ["add 2 9h wild low"]),
        ("a 2 ah high wild low", ["add 2 Ah high wild low"]),
    ],
)
def test_what_a_person_types_is_understood(typed: str, meant: list[str]) -> None:
    assert texts(typed) == meant


def test_an_ace_without_its_end_may_go_to_either() -> None:
    assert {"add 1 Ah", "add 1 Ah high"} <= set(texts("a 1 Ah"))
    assert "add 1 Ah high" not in texts("a 1 Ah low")


@pytest.mark.parametrize(
    ("case", "typed", "meant"),
    [
        ("M1", "m Ah 2h 2s", ["meld Ah 2h 2s=3"]),
        ("M2", "m Ah 2h X", ["meld Ah 2h X=3"]),
        ("M3", "m 2h 3h 2s", ["meld 2h 3h 2s=4", "meld 2s=A 2h 3h"]),
        ("M7", "m Ah 2h 2h", ["meld Ah 2h 2h=3"]),
        ("M9", "m 2h 2s 3h 4h", ["meld 2s=A 2h 3h 4h", "meld 2h 3h 4h 2s=5"]),
        ("M10", "m 2h 2s X", []),
        ("M10", "m 2h 2h 2s", []),
        ("M10", "m X 2h 2h", []),
        ("M15", "m Kh Ah 2h", ["meld 2h=Q Kh Ah"]),
        ("M15", "m Kh Ah 2h 3h", []),
        ("M17", "m Ah 2h 3h 4h 5h 6h 7h 8h 9h Th", ["meld Ah 2h 3h 4h 5h 6h 7h 8h 9h Th"]),
        ("M19", "m 4h 6h 7h", []),
        ("M22", "m 5h 7h X", ["meld 5h X=6 7h"]),
        ("M22", "m 5h 2s X", []),
        ("M23", "m 4c 2d 7c", []),
        ("M27", "m 2d 2h 2s", []),
        ("X2", "m 8h 2h Th Jh", ["meld 8h 2h=9 Th Jh"]),
    ],
)
def test_known_cases_of_melds_are_read_as_the_rules_say(case: str, typed: str, meant: list[str]) -> None:
    assert texts(typed) == meant, case


def test_candidates_are_the_legal_readings() -> None:
    low, high = parse_action("meld X=2 3h 4h"), parse_action("meld 3h 4h X=5")
    assert candidates("m 4h X 3h", [0, low, high]) == [low, high]
    assert candidates("m 4h X 3h", [high]) == [high]
    assert candidates("m 4h X 3h", []) == []


def test_an_addition_without_a_number_tries_the_melds_of_the_side_to_act() -> None:
    position = read_position("buraco-position 1; rules=aberto; seat=1; melds1=3h 4h 5h, 7s 8s 9s; melds0=3c 4c 5c")
    numbers = {decode_action(action).meld_number for action in readings("a 6h", position)}
    assert numbers == {1, 2}
    assert candidates("a 6h", [parse_action("add 1 6h"), parse_action("add 3 6h")], position) == [
        parse_action("add 1 6h")
    ]


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "  ",
        "fold",
        "d 3h",
        "x",
        "x 3h 4h",
        "m",
        "a",
        "a 2",
        "a 0 3h",
        "a 37 3h",
        "a 2 3h high",
        "a 2 3h wild",
        "x 1h",
    ],
)
def test_a_text_that_is_no_action_is_refused_with_a_code(typed: str) -> None:
    with pytest.raises(ParseError) as caught:
        readings(typed)
    assert caught.value.code in ("action_text", "card_text")


def test_a_text_without_end_is_refused_by_its_length() -> None:
    with pytest.raises(ParseError, match=str(ACTION_TEXT_MAX)):
        readings("m " + "3h " * 1000)


@pytest.mark.parametrize(
    "form",
    [
        None,
        [],
        {},
        {"kind": "fold"},
        {"kind": "draw", "card": "3h"},
        {"kind": "discard", "card": 3},
        {"kind": "discard", "card": "3h", "note": 1},
        {"kind": "meld", "cards": "3h 4h 5h"},
        {"kind": "meld", "cards": ["3h 4h 5h"]},
        {"kind": "meld", "cards": ["3h", "4h"]},
        {"kind": "add", "meld_number": True, "card": "3h"},
        {"kind": "add", "meld_number": "1", "card": "3h"},
        {"kind": "add", "meld_number": 1, "card": "3h", "wild": None},
        {"kind": "add", "meld_number": 1, "card": "Ah", "end": "low"},
    ],
)
def test_a_json_form_that_is_no_action_is_refused_by_reader_and_schema(form: object) -> None:
    with pytest.raises(ParseError):
        action_from_json(form)
    assert not Draft202012Validator(schema("action")).is_valid(form)
