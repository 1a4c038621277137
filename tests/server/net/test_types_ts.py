"""The TypeScript types of the messages are those of the Python definitions."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Struct

from buraco.server import messages
from buraco.server.deciding import PHRASES
from buraco.server.types_ts import main, typescript

FILE = Path(__file__).resolve().parents[3] / "web" / "src" / "protocol.ts"


def test_the_file_is_not_stale() -> None:
    assert main([str(FILE), "--check"]) == 0


def test_a_stale_file_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "protocol.ts"
    path.write_text(typescript().replace("readonly action: number;", "readonly action: string;"), encoding="utf-8")
    assert main([str(path), "--check"]) == 1
    assert "stale" in capsys.readouterr().err
    assert main([str(path)]) == 0
    assert main([str(path), "--check"]) == 0


def test_what_the_client_must_know_of_the_chat_is_in_the_file() -> None:
    text = typescript()
    assert f"export const CHAT_LENGTH_MAX = {messages.CHAT_LENGTH_MAX};" in text
    assert text.split("export const PHRASES = [")[1].split("] as const;")[0].split() == [f'"{one}",' for one in PHRASES]


@pytest.mark.parametrize("kind", [*messages.CLIENT_MESSAGES, *messages.SERVER_MESSAGES], ids=lambda kind: kind.__name__)
def test_every_message_has_its_tag(kind: type[Struct]) -> None:
    text = typescript()
    assert f'export interface {kind.__name__} {{\n  readonly type: "{kind.__struct_config__.tag}";' in text
