"""The messages: every one can be written and read again, unknown ones are refused, events are those of the engine."""

from __future__ import annotations

import dataclasses
import json

import msgspec
import pytest

from buraco.engine import events as engine_events
from buraco.server import deciding, entries, game_events, messages, table_events
from buraco.server.messages import CLIENT_MESSAGES, SERVER_MESSAGES, decode_client
from buraco.texts import has_text

SAMPLES = (
    '{"type":"sit","id":"1","version":0,"seat":3}',
    '{"type":"ready","id":"1","version":0}',
    '{"type":"undo","id":"1","version":9007199254740991}',
    '{"type":"probe","id":"1","version":0,"cards":["7h","X"],"meld":36}',
    '{"type":"seed","id":"1","version":0,"deal":1,"seed":"' + "0f" * 32 + '"}',
)


@pytest.mark.parametrize("text", SAMPLES)
def test_a_message_is_read(text: str) -> None:
    message = decode_client(text)
    assert decode_client(messages.encode(message)) == message
    assert json.loads(messages.encode(message)).items() >= json.loads(text).items()


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        "null",
        '"sit"',
        '{"type":"sit","version":0,"seat":1}',
        '{"type":"nothing","id":"1","version":0}',
        '{"type":"sit","id":"1","version":0,"seat":4}',
        '{"type":"sit","id":"1","version":-1,"seat":1}',
        '{"type":"sit","id":"1","version":0,"seat":1,"more":1}',
        '{"type":"sit","id":"1","version":0,"seat":true}',
        '{"type":"sit","id":"1","version":0,"seat":1.5}',
        '{"type":"sit","id":"","version":0,"seat":1}',
        '{"type":"sit","id":"' + "x" * 41 + '","version":0,"seat":1}',
        '{"type":"sit","id":"a b","version":0,"seat":1}',
        '{"type":"sit","id":"a\\n","version":0,"seat":1}',
        '{"type":"act","id":"1","version":0,"action":99999999999999999999}',
        '{"type":"act","id":"1","version":0,"action":-1}',
        '{"type":"probe","id":"1","version":0,"cards":[]}',
        f'{{"type":"probe","id":"1","version":0,"cards":{json.dumps(["7h"] * 201)}}}',
        '{"type":"seed","id":"1","version":0,"deal":1,"seed":"' + "0F" * 32 + '"}',
        '{"type":"seed","id":"1","version":0,"deal":1,"seed":"' + "0f" * 32 + '\\n"}',
        '{"type":"chat","id":"1","version":0,"text":""}',
        '{"type":"chat","id":"1","version":0,"text":"' + "x" * 301 + '"}',
    ],
)
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode_client(text)


@pytest.mark.parametrize("text", ["", "{", "nonsense", '{"type":"sit",}', "\x00", '{"a":' * 2000])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises((msgspec.DecodeError, RecursionError)):
        decode_client(text)


def test_every_event_of_the_engine_has_its_message() -> None:
    engine = [one for one in vars(engine_events).values() if isinstance(one, type) and one is not engine_events.Event]
    kinds = {engine_events.kind_of(one): one for one in engine if issubclass(one, engine_events.Event)}
    told = {str(one.__struct_config__.tag): one for one in game_events.GAME_EVENTS}
    assert kinds.keys() == told.keys()
    for name, event in kinds.items():
        fields = {field.name for field in dataclasses.fields(event)} - {"audience"}
        assert set(told[name].__struct_fields__) == fields, name


def test_every_kind_of_message_and_event_has_its_own_tag() -> None:
    for group in (CLIENT_MESSAGES, SERVER_MESSAGES, (*game_events.GAME_EVENTS, *table_events.TABLE_EVENTS)):
        tags = [str(one.__struct_config__.tag) for one in group]
        assert len(set(tags)) == len(tags)
        assert all(one.__doc__ for one in group)


def test_every_refusal_of_a_table_has_a_text() -> None:
    source = __import__("inspect").getsource(deciding)
    codes = set(__import__("re").findall(r'_refuse\("(\w+)"', source))
    assert len(codes) > 25
    assert all(has_text(f"table.{code}") for code in codes)


def test_an_entry_is_read_as_it_was_written() -> None:
    for entry in (
        entries.Acted(by=3, id="x", seat=1, action=77),
        entries.Committed(deal=1, seed="ab" * 32),
        entries.Chatted(by=1, id="y", text="tschüß 😀"),
        entries.Closed(cause="owner"),
    ):
        assert entries.decode_entry(entries.encode_entry(entry)) == entry
    with pytest.raises(msgspec.DecodeError):
        entries.decode_entry('{"kind":"acted","seat":1}')
