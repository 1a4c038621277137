"""The command itself: version, help, errors in one line or in JSON, exit codes."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.text import Text

import buraco
from buraco.cli import main
from buraco.cli.app import COMMANDS, app
from buraco.cli.common import (
    EXIT_INPUT,
    EXIT_INTERRUPTED,
    EXIT_NO,
    EXIT_OK,
    EXIT_USAGE,
    CommandError,
    exit_code_of,
    load_rules,
    program,
    write_file,
)
from buraco.cli.running import EXIT_BROKEN_PIPE
from buraco.errors import BuracoError, IllegalAction, ParseError, PositionError, RecordError, RulesError
from buraco.rules import RULE_SETS, get_rules, to_toml
from tests.toy import TOY_OPEN
from tests.unit.terminal import call, command

POSITION = "buraco-position 1; rules=aberto; phase=play; seat=0; hand0=3c 4c 5c Kd"
BAD_USAGE = [
    ["no-such-command"],
    ["--no-such-option"],
    ["play", "--no-such-option"],
    ["play", "--players", "3"],
    ["play", "--players", "many"],
    ["play", "--target", "0"],
    ["play", "--target", "1000001"],
    ["play", "--deals", "-1"],
    ["play", "--deals", "10001"],
    ["play", "--rules", "abertto"],
    ["play", "--bots", "grandmaster"],
    ["play", "--bots", "greedy,greedy"],
    ["play", "--bots", ""],
    ["simulate", "--deals", "0"],
    ["simulate", "--deals", "1e3"],
    ["simulate", "--bots", "greedy,greedy,greedy"],
    ["simulate", "--workers", "0"],
    ["simulate", "--players", "7"],
    ["judge"],
    ["rules", "check", "abertto"],
]
BAD_INPUT = [
    ["play", "--resume", "no-such-file.txt"],
    ["play", "--resume", "."],
    ["play", "--rules", "no-such-file.toml"],
    ["simulate", "--rules", "no-such-file.toml"],
    ["judge", "no-such-file.txt"],
]


def test_the_version_says_which_engine_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = call(capsys, monkeypatch, ["--version"])
    assert shown.code == EXIT_OK
    assert shown.out == f"buraco {buraco.__version__} ({buraco.build_kind()} engine)\n"


def test_the_version_as_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shown = call(capsys, monkeypatch, ["--json", "--version"])
    assert json.loads(shown.out) == {"version": buraco.__version__, "engine": buraco.build_kind()}


def test_the_help_names_every_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shown = call(capsys, monkeypatch, ["--help"])
    assert shown.code == EXIT_OK
    games = ("play", "judge", "score", "replay", "verify", "rules", "simulate", "arena", "bot")
    names = (*games, "serve", "backup", "admin", "db", "doctor")
    assert len(names) == len(COMMANDS)
    assert [name for name in names if f" {name} " not in shown.out] == []


def helps(command: Any) -> list[str]:
    """Return every help text of a command, its options and the commands below it."""
    texts = [command.help or "", *(getattr(option, "help", None) or "" for option in command.params)]
    below = getattr(command, "commands", {}).values()
    return texts + [text for one in below for text in helps(one)]


def test_no_help_text_has_words_in_brackets_that_the_terminal_would_take_for_a_style() -> None:
    texts = helps(typer.main.get_command(app))
    assert len(texts) > 100
    assert [text for text in texts if Text.from_markup(text).plain != text.replace("\\[", "[")] == []


@pytest.mark.parametrize("arguments", BAD_USAGE + BAD_INPUT, ids=" ".join)
def test_a_fault_is_one_line_with_its_exit_code(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = call(capsys, monkeypatch, arguments, "draw\n")
    assert shown.code == (EXIT_USAGE if arguments in BAD_USAGE else EXIT_INPUT)
    assert shown.out == ""
    assert shown.err.startswith("buraco: ")
    assert shown.err.count("\n") == 1
    assert "Traceback" not in shown.err


@pytest.mark.parametrize("arguments", BAD_USAGE + BAD_INPUT, ids=" ".join)
def test_a_fault_as_json_is_an_object_on_standard_output(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = call(capsys, monkeypatch, [*arguments, "--json"], "draw\n")
    told = json.loads(shown.out)["error"]
    assert set(told) == {"code", "message", "reasons", "exit_code"}
    assert told["exit_code"] == shown.code != EXIT_OK
    assert shown.err == ""


def test_an_unknown_rule_set_is_answered_with_the_nearest_and_a_way_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = call(capsys, monkeypatch, ["play", "--rules", "abertto"])
    assert "Did you mean: aberto" in shown.err
    assert "`buraco rules`" in shown.err


@pytest.mark.parametrize(
    ("started", "on_path", "name"),
    [
        (".venv/bin/buraco", False, ".venv/bin/buraco"),
        (".venv/bin/buraco", True, "buraco"),
        ("-c", False, "buraco"),
    ],
)
def test_the_way_to_start_again_is_one_that_a_shell_finds(
    started: str, on_path: bool, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if on_path:
        (tmp_path / "buraco").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.argv", [started, "play"])
    assert program() == name


def test_without_a_command_the_help_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = call(capsys, monkeypatch, [])
    assert shown.code == EXIT_USAGE
    assert "Usage: buraco" in shown.out


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (CommandError("any", "any", 7), 7),
        (RulesError("unknown_rules", "any"), EXIT_USAGE),
        (BuracoError("unknown_bot", "any"), EXIT_USAGE),
        (RulesError("impossible_rules", "any"), EXIT_INPUT),
        (ParseError("card_text", "any"), EXIT_INPUT),
        (PositionError("position", "any"), EXIT_INPUT),
        (RecordError("record_turn", "any"), EXIT_NO),
        (IllegalAction("must_draw", "any"), EXIT_NO),
    ],
)
def test_every_kind_of_error_has_its_exit_code(error: BuracoError, code: int) -> None:
    assert exit_code_of(error) == code


@pytest.mark.parametrize("arguments", [["simulate", "--deals", "2", "--bots", "random"], ["rules", "--json"]])
def test_a_reader_that_goes_away_ends_the_command_without_a_word(arguments: list[str]) -> None:
    process = subprocess.Popen(
        command(arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait(120) == EXIT_BROKEN_PIPE


@pytest.mark.parametrize("as_json", [False, True])
def test_an_interrupt_is_an_error_in_one_line(
    as_json: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("buraco.cli.simulate.summary", interrupted)
    shown = call(capsys, monkeypatch, ["simulate", *(["--json"] if as_json else [])])
    assert shown.code == EXIT_INTERRUPTED
    if as_json:
        assert json.loads(shown.out)["error"]["code"] == "interrupted"
    else:
        assert shown.err == "buraco: interrupted\n"


def test_an_interrupt_before_the_command_begins_ends_it_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("buraco.cli.app.run", interrupted)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == EXIT_INTERRUPTED


def test_nothing_that_takes_time_is_imported_before_an_interrupt_is_heard() -> None:
    code = "import sys, buraco.cli; print([name for name in ('typer', 'rich', 'buraco.engine') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize(
    "arguments",
    [["rules"], ["rules", "--json"], ["rules", "aberto"], ["simulate", "--deals", "1"], ["judge", POSITION]],
)
def test_an_output_that_cannot_be_written_is_an_error_in_one_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(command(arguments), stdout=full, stderr=subprocess.PIPE)
    assert ran.stderr == b"buraco: cannot write the output: No space left on device\n"
    assert ran.returncode == EXIT_INPUT


def test_a_match_whose_output_cannot_be_written_is_saved(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        arguments = ["play", "--data", str(tmp_path), "--seed", "1"]
        ran = subprocess.run(command(arguments), stdout=full, stderr=subprocess.PIPE, input=b"d\n" * 9)
    assert ran.stderr == b"buraco: cannot write the output: No space left on device\n"
    assert ran.returncode == EXIT_INPUT


def test_an_error_that_cannot_be_written_still_has_its_exit_code() -> None:
    with Path("/dev/full").open("wb") as full:
        assert subprocess.run(command(["judge", "no-such-file.txt"]), stderr=full).returncode == EXIT_INPUT


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("arguments", [["rules"], ["judge", "-"], ["play", "--data", "{data}"], ["judge", "no-such"]])
def test_a_closed_stream_is_an_empty_one(closed: str, arguments: list[str], tmp_path: Path) -> None:
    words = [word.format(data=tmp_path) for word in arguments]
    line = " ".join(shlex.quote(word) for word in command(words))
    ran = subprocess.run(["sh", "-c", f"{line} {closed}"], stdin=subprocess.DEVNULL, capture_output=True)
    assert ran.returncode == (EXIT_INPUT if words[0] == "judge" else EXIT_OK)
    assert b"Traceback" not in ran.stderr


def test_bytes_that_are_no_text_are_no_fault_of_the_program(tmp_path: Path) -> None:
    ran = subprocess.run(
        command(["play", "--data", tmp_path, "--seed", "1"]), input=b"\xff\xfe\x00 x\n\xf0\nquit\n", capture_output=True
    )
    assert ran.returncode == EXIT_OK
    assert ran.stderr == b""
    assert b"is no command" in ran.stdout


def test_a_terminal_without_suit_symbols_gets_letters(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ran = subprocess.run(
        command(["play", "--data", tmp_path, "--seed", "1"]), input=b"quit\n", capture_output=True, env=environment
    )
    assert ran.returncode == EXIT_OK
    assert ran.stdout.isascii()
    assert b"Your hand" in ran.stdout
    assert b"?" not in ran.stdout.replace(b"(? help)", b"").replace(b"Type ? for", b"")


def test_rules_come_by_name_or_from_a_file(tmp_path: Path) -> None:
    name = next(iter(RULE_SETS))
    assert load_rules(name) == get_rules(name)
    file = tmp_path / "mine.toml"
    file.write_text(to_toml(TOY_OPEN), encoding="utf-8")
    assert load_rules(str(file)) == TOY_OPEN


def test_house_rules_with_faults_are_refused_with_every_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'base = "aberto"\nname = "mine"\ntitle = "Mine"\n[fields]\nhand_size = 0\nsets = 3\n', encoding="utf-8"
    )
    shown = call(capsys, monkeypatch, ["play", "--rules", file, "--json"], "draw\n")
    assert shown.code == EXIT_INPUT
    assert len(json.loads(shown.out)["error"]["reasons"]) >= 2


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.txt"
    write_file(path, "first\n")
    write_file(path, "second\n")
    assert path.read_text(encoding="utf-8") == "second\n"
    with pytest.raises(CommandError) as caught:
        write_file(path / "below", "third\n")
    assert caught.value.code == "file"
    assert [entry.name for entry in path.parent.iterdir()] == ["file.txt"]


def test_a_file_never_takes_the_place_of_a_pipe_or_a_device(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to("/dev/null")
    for path in (pipe, link):
        with pytest.raises(CommandError, match="is no plain file; name another file") as caught:
            write_file(path, "text\n")
        assert caught.value.code == "file"
    assert pipe.is_fifo()
    assert link.is_symlink()
    assert len(list(tmp_path.iterdir())) == 2


def leaves(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command that does something, with the words that call it."""
    for name, inner in group.commands.items():
        if hasattr(inner, "commands"):
            yield from leaves(inner, (*words, name))
        else:
            yield (*words, name), inner


LEAVES = dict(leaves(typer.main.get_command(app)))


def test_every_command_takes_json_but_the_two_that_the_documents_name() -> None:
    without = {words for words, one in LEAVES.items() if not any("--json" in option.opts for option in one.params)}
    assert without == {("serve",), ("arena", "report")}


@pytest.mark.parametrize("words", [(), *LEAVES], ids=" ".join)
def test_the_paragraphs_of_a_help_flow_and_no_word_of_it_is_cut(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = call(capsys, monkeypatch, [*words, "--help"])
    assert shown.code == EXIT_OK
    assert "…" not in shown.out
    told = typer.main.get_command(app) if not words else LEAVES[words]
    assert told.help
    assert [part for part in told.help.split("\n\n") if "\n" in part] == []


def test_a_guess_of_what_was_meant_ends_as_a_question(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = call(capsys, monkeypatch, ["plai"])
    assert shown.err.endswith("'play', 'replay'? `buraco --help` shows what is possible\n")
