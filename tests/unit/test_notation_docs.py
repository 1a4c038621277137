"""Every example of docs/notation.md is read, and says what the page says."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from buraco.notation import (
    action_from_json,
    action_json,
    format_action,
    format_meld,
    format_position,
    format_record,
    parse_action,
    parse_meld,
    parse_position,
    parse_record,
    read_position,
    readings,
    record_json,
    replay,
    schema,
)
from buraco.notation.limits import POSITION_TEXT_MAX
from buraco.notation.position import STATEMENT_NAMES
from buraco.notation.record_form import FORMAT

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text("utf-8")


def blocks() -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for kind, text in re.findall(r"^```([a-z-]+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        found[kind].append(text)
    return found


def lines_of(kind: str) -> list[str]:
    return [line for text in blocks()[kind] for line in text.splitlines()]


@pytest.mark.parametrize("line", lines_of("meld"))
def test_an_example_of_a_meld_is_canonical(line: str) -> None:
    assert format_meld(parse_meld(line)) == line


@pytest.mark.parametrize("line", lines_of("action"))
def test_an_example_of_an_action_is_canonical(line: str) -> None:
    assert format_action(parse_action(line)) == line


@pytest.mark.parametrize("line", lines_of("json-action"))
def test_an_example_of_an_action_in_json_is_read_and_obeys_the_schema(line: str) -> None:
    form = json.loads(line)
    assert action_json(action_from_json(form)) == form
    Draft202012Validator(schema("action")).validate(form)


def test_the_table_of_typed_actions_holds() -> None:
    section = PAGE.split("| typed | may mean |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| `([^`|]+)` \| (.+) \|$", section, re.MULTILINE)
    assert len(rows) == 4
    for typed, meant in rows:
        assert [format_action(action) for action in readings(typed)] == re.findall(r"`([^`]+)`", meant)


@pytest.mark.parametrize("text", blocks()["position"])
def test_an_example_of_a_position_is_valid_and_comes_back(text: str) -> None:
    position = parse_position(text)
    assert read_position(format_position(position)) == position


@pytest.mark.parametrize("text", blocks()["json-position"])
def test_an_example_of_a_position_in_json_is_valid_and_obeys_the_schema(text: str) -> None:
    assert parse_position(text).players == 4
    Draft202012Validator(schema("position")).validate(json.loads(text))


def test_the_record_is_the_same_in_text_and_in_json_and_plays() -> None:
    (text,), (json_text,) = blocks()["record"], blocks()["json-record"]
    record = parse_record(text)
    assert parse_record(json_text) == record
    assert parse_record(format_record(record)) == record
    Draft202012Validator(schema("record")).validate(json.loads(json_text))
    Draft202012Validator(schema("record")).validate(record_json(record))
    assert [step.kind for step in replay(record)] == ["deal", "action"]
    assert text.startswith(FORMAT)


def test_every_statement_and_phase_of_a_position_is_described() -> None:
    table = PAGE.split("| statement | value | default |")[1].split("\n\n")[0]
    named = set(re.findall(r"`([a-z_0-9]+)`", table))
    assert {name for name in STATEMENT_NAMES if name not in ("hand1", "hand2", "known1", "known2")} <= named
    assert {"draw", "choice", "play", "top", "opening", "discard", "over"} <= named


def test_the_limits_of_the_page_are_those_of_the_readers() -> None:
    assert f"{POSITION_TEXT_MAX:,} characters" in PAGE
