"""The documents of the server say what is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from buraco.server import messages
from buraco.server.deciding import CHAT_WINDOW_MAX, CHAT_WINDOW_MS, PHRASES
from buraco.server.game_events import GAME_EVENTS
from buraco.server.messages import CHAT_LENGTH_MAX, decode_client
from buraco.server.metrics import Metrics
from buraco.server.options import TableOptions
from buraco.server.settings import Settings, flag_of, setting_fields, variable_of
from buraco.server.table_events import TABLE_EVENTS
from buraco.server.ws import CLOSE_CODES, SUBPROTOCOL
from buraco.texts import texts
from tests.server.net.settings_table import rows

DOCS = Path(__file__).resolve().parents[3] / "docs"


def document(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_the_protocol_names_every_client_message_with_its_members() -> None:
    text = document("protocol.md")
    for kind in messages.CLIENT_MESSAGES:
        row = re.search(rf"^\| `{kind.__struct_config__.tag}` \|([^|]*)\|", text, re.MULTILINE)
        assert row is not None, kind
        members = [name for name in kind.__struct_fields__ if name not in ("id", "version")]
        assert re.findall(r"`(\w+)`", row[1]) == members, kind


@pytest.mark.parametrize(
    "kind", [*messages.SERVER_MESSAGES, *TABLE_EVENTS, *GAME_EVENTS], ids=lambda kind: kind.__name__
)
def test_the_protocol_names_every_server_message_and_event(kind: Any) -> None:
    assert f"`{kind.__struct_config__.tag}`" in document("protocol.md")


def test_the_protocol_names_every_close_code_and_no_other() -> None:
    section = document("protocol.md").split("## Close codes")[1].split("## ")[0]
    assert [int(code) for code in re.findall(r"^\| (\d{4}) \|", section, re.MULTILINE)] == sorted(CLOSE_CODES)


def test_the_protocol_names_every_refusal_of_a_table() -> None:
    section = document("protocol.md").split("## Refusal codes")[1].split("## Close codes")[0]
    codes = {
        group: [key.removeprefix(group) for key in texts() if key.startswith(group)] for group in ("table.", "probe.")
    }
    assert all(codes.values())
    assert [code for of_group in codes.values() for code in of_group if f"`{code}`" not in section] == []


def test_the_protocol_names_every_option_of_a_table() -> None:
    section = document("protocol.md").split("## Making a table")[1]
    for name in TableOptions.__struct_fields__:
        assert f"`{name}`" in section, name


def test_the_numbers_of_the_protocol_hold() -> None:
    text = document("protocol.md")
    assert SUBPROTOCOL in text
    assert f"{Settings().message_bytes_max:,} bytes" in text
    assert f"1 to {CHAT_LENGTH_MAX} printable characters" in text
    assert f"{CHAT_WINDOW_MAX} lines within {CHAT_WINDOW_MS // 1000} seconds" in " ".join(text.split())
    assert ", ".join(f"`{phrase}`" for phrase in PHRASES) in " ".join(text.split())


def test_every_message_in_the_protocol_is_one() -> None:
    block = document("protocol.md").split("```json\n")[1].split("```")[0]
    found = [decode_client(line) for line in block.splitlines()]
    assert len(found) == 2


def test_the_times_of_the_disconnection_contract_hold() -> None:
    text, usual = " ".join(document("disconnection.md").split()), Settings()
    for said in (
        f"After {usual.bot_after_s} seconds a bot plays the seat",
        "ends after a day (`--abandon-s`)",
        f"after {usual.abandon_open_s // 60} minutes (`--abandon-open-s`)",
        f"After {usual.timeouts_max} such turns running",
        f"gone for {usual.forfeit_s // 60} minutes (`--forfeit-s`)",
        f"or after {usual.next_deal_s} seconds (`--next-deal-s`)",
        f"silent for {usual.seed_wait_ms // 1000} seconds (`--seed-wait-ms`)",
    ):
        assert said in text, said
    assert usual.abandon_s == 86_400


def test_the_table_of_settings_is_up_to_date() -> None:
    lines = document("server.md").splitlines()
    assert [line for line in lines if line.startswith("| `--")] == rows()


def test_the_times_that_things_are_kept_hold() -> None:
    text, usual = " ".join(document("server.md").split()), Settings()
    assert f"for {usual.keep_tables_days} days (`--keep-tables-days`)" in text
    assert f"back for {usual.keep_guests_days} days (`--keep-guests-days`)" in text
    assert usual.keep_results_days == 0
    assert "for ever where an account took part, unless `--keep-results-days`" in text
    assert f"{usual.keep_log_files} log files (`--keep-log-files`)" in text


def test_what_the_page_on_deployment_names_is_there() -> None:
    text = document("deploy.md")
    variables = {variable_of(one.name) for one in setting_fields()} | {"BURACO_TOKEN_KEY"}
    named = set(re.findall(r"BURACO_[A-Z_]+", text))
    assert named
    assert named <= variables
    metrics = Metrics().text().decode()
    counted = set(re.findall(r"`(buraco_\w+)`", text))
    assert counted
    assert [name for name in counted if f"# HELP {name} " not in metrics] == []
    flags = {flag_of(one.name) for one in setting_fields()}
    assert set(re.findall(r"`(--[a-z-]+)`", text)) <= flags


def test_the_example_of_a_problem_is_one() -> None:
    block = document("server.md").split("```json\n")[1].split("```")[0]
    assert set(json.loads(block)) == {"type", "title", "status", "detail", "code", "reasons"}
