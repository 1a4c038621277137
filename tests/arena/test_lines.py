"""What a bot may answer in the line protocol: all else is told apart, and said in words that can be shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from buraco.arena.lines import PROTOCOL, LineError, read_action, read_hello
from buraco.engine import Deal, view_of
from buraco.rules import get_rules

NUMBER = 7
VIEW = view_of(deal := Deal(get_rules("aberto"), 4, seed=3), deal.seat)


def line(**members: Any) -> bytes:
    return json.dumps(members).encode()


def refused_hello(**members: Any) -> LineError:
    with pytest.raises(LineError) as found:
        read_hello(line(type="hello", **members))
    return found.value


def refused_action(**changes: Any) -> LineError:
    with pytest.raises(LineError) as found:
        read_action(line(**{"type": "action", "id": NUMBER, "action": "draw"} | changes), NUMBER, VIEW)
    assert str(found.value).isprintable()
    return found.value


@pytest.mark.parametrize("protocol", [None, True, "1", PROTOCOL + 1, [PROTOCOL]])
def test_another_protocol_is_refused_by_its_name(protocol: object) -> None:
    assert refused_hello(protocol=protocol).code == "version"


@pytest.mark.parametrize("name", [None, 5, ["a"], {}])
def test_a_name_that_is_no_text_is_refused(name: object) -> None:
    error = refused_hello(protocol=PROTOCOL, name=name)
    assert (error.code, "the name of a bot is a text" in str(error)) == ("protocol", True)


def test_a_name_keeps_what_can_be_shown() -> None:
    assert read_hello(line(type="hello", protocol=PROTOCOL)) == ""
    assert read_hello(line(type="hello", protocol=PROTOCOL, name="a\ud800\n\u202eb")) == "ab"


@pytest.mark.parametrize(
    ("changes", "code", "says"),
    [
        ({"id": "7"}, "protocol", "but 7 was asked"),
        ({"id": True}, "protocol", "but 7 was asked"),
        ({"action": 0}, "protocol", "an action is a text, not 0"),
        ({"action": None}, "protocol", "an action is a text"),
        ({"action": "\ud800"}, "illegal", "is no action"),
        ({"action": "discard \ud800"}, "illegal", "is no action"),
        ({"alternatives": {}}, "protocol", "alternatives are a list"),
        ({"alternatives": None}, "protocol", "alternatives are a list"),
        ({"alternatives": ["draw"]}, "protocol", "an alternative is an object"),
        ({"alternatives": [{"evaluation": 1}]}, "protocol", "an action is a text"),
        ({"alternatives": [{"action": "draw"}]}, "protocol", "a number of points"),
        ({"alternatives": [{"action": "discard Ks", "evaluation": 1}]}, "illegal", "not legal here"),
        ({"evaluation": "1"}, "protocol", "a number of points"),
        ({"evaluation": True}, "protocol", "a number of points"),
        ({"evaluation": 10**400}, "protocol", "a number of points"),
        ({"evaluation": float("-inf")}, "protocol", 'not "-inf"'),
    ],
    ids=lambda value: None if isinstance(value, dict) else value,
)
def test_an_answer_that_cannot_be_taken_is_refused_with_its_reason(
    changes: dict[str, Any], code: str, says: str
) -> None:
    error = refused_action(**changes)
    assert (error.code, says in str(error)) == (code, True), str(error)


def test_the_best_alternatives_alone_are_read() -> None:
    many = [{"action": "draw", "evaluation": 1}] * 60
    answer = line(type="action", id=NUMBER, action="draw", alternatives=[*many, "no object"])
    assert len(read_action(answer, NUMBER, VIEW).alternatives) < 60
