"""A client's text: the message, or the id to answer to, or no JSON at all."""

from __future__ import annotations

import json
import random

import pytest

from buraco.server.messages import Act
from buraco.server.reading import NoMessage, NotJson, read_client

PIECES = (
    *"{}[],:", '"id"', '"a"', '"\\u0069d"', '"b c"', "1", "-2.5e3", "1e999", "9" * 30, "true", "null", " ", "\n", '"',
    "\\", "01", "nul", "1.", ".5", "-", '"\x01"', '"\\x"', '"é"', "NaN", "\ufeff",
)  # fmt: skip


def known_id(text: str) -> str | None:
    """Return what the standard library finds: the id, nothing where there is no usable one, None for no JSON."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        found = json.loads(text, parse_int=str, parse_float=str, parse_constant=refuse)
    except ValueError:
        return None
    named = found.get("id") if isinstance(found, dict) else None
    # A number was read as a text here, and is none.
    text_id = isinstance(named, str) and f'"{named}"' in text.replace("\\u0069", "i")
    return named if text_id and named in ("id", "a") else ""


def found_id(text: str) -> str | None:
    """Return what `read_client` finds of a text that is no message, in the same way."""
    try:
        read_client(text)
    except NotJson:
        return None
    except NoMessage as error:
        return error.message_id
    raise AssertionError(text)


def test_a_message_is_read() -> None:
    assert read_client('{"type":"act","id":"a","version":3,"action":7}') == Act(id="a", version=3, action=7)
    assert read_client(b'{"type":"act","id":"a","version":3,"action":7}') == Act(id="a", version=3, action=7)


def test_the_grammar_is_that_of_the_standard_library() -> None:
    source, read = random.Random(1), 0
    for _ in range(20_000):
        text = "".join(source.choice(PIECES) for _ in range(source.randrange(1, 9)))
        text = f"{{{text}}}" if source.random() < 0.5 else text
        expected = known_id(text)
        assert found_id(text) == expected, text
        read += expected is not None
    assert read > 300


@pytest.mark.parametrize("text", ["", " ", "{", "[1,", '{"id":"a",}', '{"id":"a"}}', "[" * 5000, '{"a" "b"}', "{1:2}"])
def test_what_is_no_json_is_told_apart(text: str) -> None:
    with pytest.raises(NotJson):
        read_client(text)


def test_bytes_that_are_no_utf8_are_no_json() -> None:
    with pytest.raises(NotJson):
        read_client(b'{"id":"\xff"}')


@pytest.mark.parametrize(
    ("text", "message_id"),
    [
        ('{"id":"a","deep":' + "[" * 5000 + "]" * 5000 + "}", "a"),
        ('{"deep":' + '{"id":' * 500 + "1" + "}" * 500 + ',"id":"a"}', "a"),
        ('{"id":"a","id":"b"}', "b"),
        ('{"id":"a","id":1}', ""),
        ('{"inner":{"id":"a"}}', ""),
        ('[{"id":"a"}]', ""),
        ('{"id":["a"]}', ""),
        ('{"id":"\\ud800"}', ""),
        ('{"id":"' + "x" * 41 + '"}', ""),
    ],
)
def test_the_id_is_the_last_usable_one_of_the_message_itself(text: str, message_id: str) -> None:
    with pytest.raises(NoMessage) as caught:
        read_client(text)
    assert caught.value.message_id == message_id
    assert caught.value.reason
