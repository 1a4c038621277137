"""Text and JSON forms of actions, melds, positions and game records; records replayed, their shuffles verified."""

from __future__ import annotations

from buraco.notation.actions import (
    Action,
    action_from_json,
    action_json,
    candidates,
    decode_action,
    encode_action,
    format_action,
    parse_action,
    readings,
)
from buraco.notation.examples import Example, ExampleGroup, examples, placed_examples
from buraco.notation.melds import format_meld, meld_from_words, meld_words, parse_meld
from buraco.notation.position import (
    format_position,
    parse_position,
    position_from_json,
    position_json,
    position_json_text,
    read_position,
)
from buraco.notation.record import DealRecord, Entry, Outcome, Record, SeatRecord, TurnRecord, record_of
from buraco.notation.record_text import format_record, parse_record, record_from_json, record_json, record_json_text
from buraco.notation.referee import Judgement, judge, legal_actions, most_telling, no_reading
from buraco.notation.replay import ReplayStep, Restored, host_of, replay, restore
from buraco.notation.schemas import SCHEMA_NAMES, schema
from buraco.notation.verify import Finding, finding_json, verify
from buraco.notation.witness import DealWitness, Witness, parse_witness, witness_json

__all__ = [
    "SCHEMA_NAMES",
    "Action",
    "DealRecord",
    "DealWitness",
    "Entry",
    "Example",
    "ExampleGroup",
    "Finding",
    "Judgement",
    "Outcome",
    "Record",
    "ReplayStep",
    "Restored",
    "SeatRecord",
    "TurnRecord",
    "Witness",
    "action_from_json",
    "action_json",
    "candidates",
    "decode_action",
    "encode_action",
    "examples",
    "finding_json",
    "format_action",
    "format_meld",
    "format_position",
    "format_record",
    "host_of",
    "judge",
    "legal_actions",
    "meld_from_words",
    "meld_words",
    "most_telling",
    "no_reading",
    "parse_action",
    "parse_meld",
    "parse_position",
    "parse_record",
    "parse_witness",
    "placed_examples",
    "position_from_json",
    "position_json",
    "position_json_text",
    "read_position",
    "readings",
    "record_from_json",
    "record_json",
    "record_json_text",
    "record_of",
    "replay",
    "restore",
    "schema",
    "verify",
    "witness_json",
]
